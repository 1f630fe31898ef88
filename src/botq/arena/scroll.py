"""The file a comparison keeps as it goes: one line of JSON for what it compares, then one for each piece done."""

import json
import os
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TextIO

from botq.arena.sampled import Block
from botq.rules import Refused

Weighed = list[list[Any]]  # by seating: shares by seat, scores by seat, heats


class Scroll:
    """Pieces done by an earlier run of the same comparison, and a place to write further ones.

    Each line is on disk before the next piece begins; a last line cut short is dropped.  Raises
    `Refused` where the file tells of another comparison, or cannot be read or written.
    """

    def __init__(self, path: Path | None, setup: dict[str, Any]) -> None:
        self.blocks: dict[tuple[int, int], Block] = {}
        self.exact: dict[int, Weighed] = {}
        self._path, self._setup = path, setup
        self._file: TextIO | None = None

    def __enter__(self) -> Self:
        if self._path:
            try:
                kept = self._read(self._path) if self._path.exists() else 0
                self._file = self._path.open("a", encoding="utf-8")
                self._file.truncate(kept)
            except OSError as fault:
                raise Refused(f"{self._path} cannot be used to resume: {fault.strerror}") from None
            if not kept:
                self._write(self._setup)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file:
            self._file.close()

    def write_block(self, group: int, number: int, block: Block) -> None:
        self.blocks[group, number] = block
        self._write({"group": group, "block": number, **block._asdict()})

    def write_exact(self, group: int, weighed: Weighed) -> None:
        self.exact[group] = weighed
        self._write({"group": group, "weighed": weighed})

    def _write(self, line: dict[str, Any]) -> None:
        if self._file:
            self._file.write(json.dumps(line) + "\n")
            self._file.flush()
            os.fsync(self._file.fileno())

    def _read(self, path: Path) -> int:
        """Takes up the pieces written; returns how many bytes of the file are whole lines."""
        text = path.read_bytes()
        whole = text.rpartition(b"\n")[0]
        if not whole and not json.dumps(self._setup).encode().startswith(text):  # not our first line cut short
            raise Refused(f"{path} is no file of a comparison")
        try:
            first, *others = [json.loads(line) for line in whole.splitlines()] or [self._setup]
            if first == self._setup:
                for line in others:
                    self._take(line)
        except (ValueError, KeyError, TypeError):
            raise Refused(f"{path} is no file of a comparison") from None
        if first != self._setup:
            raise Refused(f"{path} is of another comparison: {json.dumps(first)[:200]}")
        return len(whole) + 1 if whole else 0

    def _take(self, line: dict[str, Any]) -> None:
        if "weighed" in line:
            self.exact[line["group"]] = line["weighed"]
        else:
            self.blocks[line["group"], line["block"]] = Block(line["shares"], line["scores"], line["beaten"])
