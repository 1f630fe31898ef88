"""A solved game as a Parquet file, so that a learner's error can be measured without this package.

docs/tables.md describes the columns.  https://parquet.apache.org
"""

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from botq.adapters.views import COLUMNS
from botq.fares import Fare
from botq.rules import JUMPS, Queue, Refused, form_queue, legal_jumps, play
from botq.solver import House, Solution, Worth, solve

MOST_SEATS_WHOLE = 2  # three seats have 13,357,681 positions
MOST_HEATS = 1_000_000
ROWS = 10_000  # written at once


def schema(house: House) -> pa.Schema:
    """The columns of docs/tables.md for so many seats, with what was solved in the file's metadata."""
    told = {
        "fare": house.fare.spelling,
        "seats": str(house.seats),
        "objective": house.objective,
        "queue": " ".join(COLUMNS),
    }
    columns = {
        "queue": pa.list_(pa.int8(), house.seats * len(COLUMNS)),
        "values": pa.list_(pa.float64(), house.seats),
        "jump_values": pa.list_(pa.float64(), len(JUMPS)),
        "best": pa.list_(pa.int8()),
    }
    return pa.schema(columns, metadata=told)


def export(
    path: Path, fare: Fare | str, seats: int, objective: str = "share", heats: int | None = None, force: bool = False
) -> int:
    """Solves a heat from its opening, writes every position of it, and returns their number.

    With `heats`, only the positions met in so many random heats, the same ones each time; more
    than two seats have too many for anything else.  The file appears whole or not at all.
    Raises `Refused`.
    """
    if heats is None and seats > MOST_SEATS_WHOLE:
        raise Refused(f"{seats} seats have too many positions for one file: say of how many random heats (--heats)")
    if heats is not None and not 1 <= heats <= MOST_HEATS:
        raise Refused(f"positions are met in 1 to {MOST_HEATS} random heats, not {heats}")
    if path.exists() and not force:
        raise Refused(f"{path} is there already: choose another name, or --force")
    solution = solve(fare, seats, objective=objective)
    positions = iter(_every_position(seats) if heats is None else _met_in_random_heats(seats, heats))
    try:
        with TemporaryDirectory(dir=path.parent) as beside:
            part = Path(beside, "part")
            written = _write(part, solution, positions)
            part.replace(path)
    except OSError as failure:
        raise Refused(f"{path} cannot be written: {failure.strerror or failure}") from None
    return written


def _write(path: Path, solution: Solution, positions: Iterator[Queue]) -> int:
    written = 0
    with pq.ParquetWriter(path, schema(solution.house), compression="zstd") as file:
        while some := list(islice(positions, ROWS)):
            file.write_table(pa.Table.from_pylist([_row(queue, solution.at(queue)) for queue in some], file.schema))
            written += len(some)
    return written


def _row(queue: Queue, worth: Worth) -> dict[str, Any]:
    mine = {jump.jump: jump.values[queue[0].seat] for jump in worth.jumps}
    return {
        "queue": [n for pawn in queue for n in (pawn.seat, pawn.space, *pawn.tickets, pawn.stamps)],
        "values": worth.values,
        "jump_values": [mine.get(jump) for jump in JUMPS],
        "best": worth.best,
    }


def _every_position(seats: int) -> Iterable[Queue]:
    found = {form_queue(seats): None}  # a dictionary keeps their order
    unplayed = list(found)
    while unplayed:
        queue = unplayed.pop()
        for jump in legal_jumps(queue):
            after = play(queue, jump)
            if after not in found:
                found[after] = None
                unplayed.append(after)
    return found


def _met_in_random_heats(seats: int, heats: int) -> Iterator[Queue]:
    dice, met = Random(1), set()  # noqa: S311  (a sample, not a secret)
    for _ in range(heats):
        queue = form_queue(seats)
        while True:
            if queue not in met:
                met.add(queue)
                yield queue
            if not (jumps := legal_jumps(queue)):
                break
            queue = play(queue, dice.choice(jumps))
