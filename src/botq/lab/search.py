"""Scores a whole space of cards, on as many workers as there are, and can be taken up after any end.

The space is cut into numbered pieces.  A piece that is done is a file of its own beside the output,
put in place in one move; so a piece is there whole or not at all, whoever made it, and making it
again changes nothing.  Which worker does what, and how often, cannot change the result.
"""

import csv
import json
import os
import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from botq.lab.scores import ALL, SHARES, Line, line
from botq.lab.space import Space
from botq.rules import Refused

PIECE = {1: 64, 2: 64, 3: 2}  # cards a piece, by seats: a second or some of work
MOST_WAITING = 200  # pieces handed out at a time
SUFFIXES = (".csv", ".parquet")

Watch = Callable[[int, int], None]  # told how many cards are done, of how many


class Lost(Refused):
    """The workers went away before all was done; what was done is kept."""


def score_piece(space: Space, depth: str, numbers: list[int]) -> list[Line]:
    """The lines of the cards with these numbers: what a worker does."""
    return [line(fare, space.seats, rules, depth) for fare, rules in space.some(numbers)]


def search(
    space: Space,
    executor: Executor,
    output: Path,
    depth: str = ALL,
    watch: Watch = lambda done, of: None,
    piece: int | None = None,
) -> list[Line]:
    """Every card's line, in the order of the space, also written to `output` (.csv or .parquet).

    Goes on from the pieces that an earlier run left beside `output`.  Raises `Refused` where the
    output is there already, or is of another space, or cannot be written, or there are too many
    seats for this depth, and `Lost` where the workers went away.
    """
    check_output(output)
    check_seats(space.seats, depth)
    numbers = list(space.numbers())
    size = piece or PIECE.get(space.seats, 1)
    pieces = [numbers[n : n + size] for n in range(0, len(numbers), size)]
    with _refusing(output):
        folder = _opened(output, {**space.as_json(), "depth": depth, "piece": size})
        todo = [n for n in range(len(pieces)) if not _path(folder, n).exists()]
        done = sum(len(one) for n, one in enumerate(pieces) if n not in set(todo))
        watch(done, len(numbers))
        for number, lines in _scored(space, executor, depth, pieces, todo):
            _put(_path(folder, number), json.dumps(lines))
            done += len(lines)
            watch(done, len(numbers))
        lines = [one for n in range(len(pieces)) for one in json.loads(_path(folder, n).read_text("utf-8"))]
        _write(output, lines)
        shutil.rmtree(folder)
    return lines


def check_seats(seats: int, depth: str) -> None:
    """Raises `Refused` for a number of seats with which cards cannot be scored so deeply."""
    if seats not in (2, 3, 4):
        raise Refused(f"cards are scored with 2 to 4 seats, not {seats}")
    if seats == 4 and depth != SHARES:
        raise Refused("with 4 seats a card is scored for the aim fair alone")


def check_output(output: Path) -> None:
    """Raises `Refused` for an output that is there already, or of a kind that is not written."""
    if output.suffix not in SUFFIXES:
        raise Refused(f"{output} should end in {' or '.join(SUFFIXES)}")
    if output.suffix == ".parquet":
        _parquet()
    if output.exists():
        raise Refused(f"{output} is there already: name another file, or move it away")


def _scored(
    space: Space, executor: Executor, depth: str, pieces: list[list[int]], todo: list[int]
) -> Iterator[tuple[int, list[Line]]]:
    waiting: dict[Future[list[Line]], int] = {}
    coming = iter(todo)
    try:
        while True:
            while len(waiting) < MOST_WAITING and (number := next(coming, None)) is not None:
                waiting[executor.submit(score_piece, space, depth, pieces[number])] = number
            if not waiting:
                return
            done = wait(waiting, return_when=FIRST_COMPLETED).done
            for future in sorted(done, key=lambda one: one.exception() is not None):  # first keep what was done
                number = waiting.pop(future)
                yield number, future.result()
    except BrokenExecutor:
        raise Lost("a worker was ended from outside: what was done is kept, and the same command goes on") from None
    finally:
        for future in waiting:
            future.cancel()


@contextmanager
def _refusing(output: Path) -> Iterator[None]:
    try:
        yield
    except OSError as fault:
        raise Refused(f"{output} cannot be written: {fault.strerror or fault}") from None


def _opened(output: Path, plan: dict[str, Any]) -> Path:
    """The folder of finished pieces beside the output, checked to be of the same plan."""
    folder = output.with_name(output.name + ".parts")
    folder.mkdir(exist_ok=True)
    told = folder / "plan.json"
    if not told.exists():
        _put(told, json.dumps(plan))
    elif (before := json.loads(told.read_text("utf-8"))) != plan:
        different = [key for key in plan if before.get(key) != plan[key]]
        raise Refused(f"{folder} holds a search with other {different[0]}: name another output, or remove it")
    return folder


def _path(folder: Path, number: int) -> Path:
    return folder / f"{number:06}.json"


def _put(path: Path, text: str) -> None:
    """Writes a file that is there whole or not at all."""
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    draft.write_text(text, "utf-8")
    draft.replace(path)


def _write(output: Path, lines: list[Line]) -> None:
    columns = list(lines[0])
    draft = output.with_name(f"{output.name}.{os.getpid()}")
    if output.suffix == ".parquet":
        arrow, parquet = _parquet()
        parquet.write_table(arrow.Table.from_pylist(lines), draft)
    else:
        with draft.open("w", encoding="utf-8", newline="") as file:
            out = csv.DictWriter(file, columns)
            out.writeheader()
            out.writerows(lines)
    draft.replace(output)


def _parquet() -> tuple[Any, Any]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise Refused("Parquet needs the extra: pip install 'botq[parquet]', or name a .csv file") from None
    return pyarrow, pyarrow.parquet
