"""Solved tables kept on disk, in the user's cache folder, and never trusted unchecked.

A file is, in this order: the line `botq table`; how many bytes of JSON follow (8 bytes, little
endian); the JSON, which says what the table is of, and spaces up to a multiple of 64 bytes; the
arrays of `layers.Table`, whole, layer behind layer; and the SHA-256 of all before it.
"""

import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import accumulate, pairwise
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

import numpy as np
from numpy.typing import NDArray
from platformdirs import user_cache_path

from botq import kernel, layers
from botq.kernel import Ints
from botq.layers import Table

MAGIC = b"botq table\n"
SUFFIX, UNFINISHED = ".table", ".unfinished"
CHUNK = 1 << 24
HEADER = 1 << 16  # bytes of a file that hold what it says of itself
LIMIT = 4_000_000_000  # bytes of all tables that nobody asked to keep
# Whatever could make a table mean something else: the code that makes and reads it.
VERSION = hashlib.sha256(
    b"".join(Path(module).read_bytes() for module in (kernel.__file__, layers.__file__, __file__))
).hexdigest()[:16]


@dataclass(frozen=True)
class Label:
    """What a table is of, as far as it must be told from others."""

    fare: str
    seats: int
    objective: str
    house: str  # house rules and jumps before, "" where there are none
    card: Ints
    root: tuple[int, int]
    layer: int

    @property
    def exact(self) -> str:
        """What no table of another card, position or version of the code shares with this one."""
        told = f"{VERSION} {self.seats} {self.objective} {self.root} {self.layer} ".encode() + self.card.tobytes()
        return hashlib.sha256(told).hexdigest()

    @property
    def path(self) -> Path:
        """Where this table is kept."""
        return folder() / f"{self.fare}-{self.seats}-{self.objective}-{self.exact[:16]}{SUFFIX}"


@dataclass(frozen=True)
class Kept:
    """A file in the folder of tables."""

    path: Path
    about: dict[str, Any]  # empty where the file is no table of this version
    bytes: int
    used: float  # when it was last written or read, as a file's time
    asked: bool  # whether somebody asked to keep it

    def as_json(self) -> dict[str, Any]:
        return {"file": self.path.name, "bytes": self.bytes, "usable": bool(self.about), **self.about}


def folder() -> Path:
    """Where tables are kept: `botq/tables` in the user's cache folder."""
    return Path(user_cache_path("botq")) / "tables"


def write(label: Label, table: Table, asked: bool = False) -> bool:
    """Whether the table could be kept; a file is whole or not there at all, whatever happens.

    Tables that nobody `asked` to keep take no more than `LIMIT` together: those used longest ago go.
    """
    about = {
        "version": VERSION, "exact": label.exact, "asked": asked,
        "fare": label.fare, "seats": label.seats, "objective": label.objective,
        "house": label.house, "positions": table.positions, "words": table.keys[0].shape[1],
        "sizes": [len(keys) for keys in table.keys],
    }  # fmt: skip
    unfinished = None
    try:
        folder().mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile(dir=folder(), suffix=UNFINISHED, delete=False) as file:
            unfinished = Path(file.name)
            seal = hashlib.sha256()
            for piece in _pieces(about, table):
                file.write(piece)
                seal.update(piece)
            file.write(seal.digest())
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(label.path)
        _make_room(label.path)
    except OSError:  # a folder that is full or may not be written: the answer is right without
        return False
    finally:
        if unfinished:
            unfinished.unlink(missing_ok=True)
    return True


def _pieces(about: dict[str, Any], table: Table) -> Iterator[bytes | memoryview]:
    text = json.dumps(about).encode()
    text += b" " * (-(len(MAGIC) + 8 + len(text)) % 64)
    yield MAGIC + len(text).to_bytes(8, "little") + text
    arrays: tuple[NDArray[Any], ...] = (*table.keys, *table.nexts, *table.values)
    for array in arrays:
        if array.size:
            yield np.ascontiguousarray(array).reshape(-1).view(np.uint8).data


def read(label: Label) -> Table | None:
    """The table kept under this label, mapped from its file; None if there is none or it is not
    as it was written, to the last bit."""
    try:
        with label.path.open("rb") as file:
            about, at = _header(file.read(CHUNK))
            if about.get("exact") != label.exact or not _sealed(file.name):
                return None
        mapped = np.memmap(label.path, np.uint8, mode="c")
        with suppress(OSError):  # a folder that may only be read
            os.utime(label.path)  # used just now: see `_make_room`
    except (OSError, ValueError):
        return None
    seats, words, positions = about["seats"], about["words"], about["positions"]
    ends = list(accumulate((at, 8 * words * positions, 12 * positions, 8 * seats * positions)))
    keys, nexts, values = (np.asarray(mapped[a:b]) for a, b in pairwise(ends))
    return Table.of(
        keys.view(np.int64).reshape(positions, words),
        nexts.view(np.int32).reshape(positions, 3),
        values.view(np.float64).reshape(positions, seats),
        [0, *accumulate(about["sizes"])],
    )


def _header(start: bytes) -> tuple[dict[str, Any], int]:
    """What a file that starts like this says it is, and where its arrays begin; nothing, if it is
    no table of this version of the code."""
    begin = len(MAGIC) + 8
    end = begin + int.from_bytes(start[len(MAGIC) : begin], "little")
    if not start.startswith(MAGIC) or end > len(start):
        return {}, 0
    try:
        about = json.loads(start[begin:end])
    except ValueError:
        return {}, 0
    fits = isinstance(about, dict) and about.get("version") == VERSION
    return (about, end) if fits else ({}, 0)


def _sealed(path: str) -> bool:
    """Whether a file ends with the hash of all before its end."""
    seal = hashlib.sha256()
    with Path(path).open("rb") as file:
        left = os.fstat(file.fileno()).st_size - seal.digest_size
        while left > 0 and (piece := file.read(min(CHUNK, left))):
            seal.update(piece)
            left -= len(piece)
        return left == 0 and file.read() == seal.digest()


def kept() -> list[Kept]:
    """Every file in the folder of tables, those left unfinished by a crash among them."""
    files = []
    for path in sorted(folder().glob("*")) if folder().is_dir() else []:
        if path.suffix in (SUFFIX, UNFINISHED) and path.is_file():
            with suppress(FileNotFoundError):  # another process has just removed it
                files.append(_kept(path))
    return files


def _kept(path: Path) -> Kept:
    try:
        with path.open("rb") as file:
            about, _ = _header(file.read(HEADER))
    except PermissionError:  # somebody else's
        about = {}
    told = ("fare", "seats", "objective", "house", "positions")
    size, used = path.stat().st_size, path.stat().st_mtime
    return Kept(path, {key: about[key] for key in told} if about else {}, size, used, about.get("asked", False))


def _make_room(newest: Path) -> None:
    room = LIMIT
    for file in sorted(kept(), key=lambda file: (file.path != newest, -file.used)):
        room -= 0 if file.asked else file.bytes
        if room < 0 and not file.asked and file.path != newest:
            file.path.unlink(missing_ok=True)


def clear() -> int:
    """How many bytes were freed by removing every file of `kept`."""
    files = kept()
    for file in files:
        file.path.unlink(missing_ok=True)
    return sum(file.bytes for file in files)
