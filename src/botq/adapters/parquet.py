"""A solved game as a Parquet file, so that a learner's error can be measured without this package.

docs/tables.md describes the columns.  https://parquet.apache.org
"""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from botq.adapters.views import COLUMNS
from botq.adapters.whole import MOST_SEATS, Layer, whole_game
from botq.fares import Fare
from botq.rules import JUMPS, Queue, Refused, form_queue, legal_jumps, play
from botq.solver import House, Worth, solve

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
    than three seats have too many for anything else.  The file appears whole or not at all.
    Raises `Refused`.
    """
    if heats is None and seats > MOST_SEATS:
        raise Refused(f"{seats} seats have too many positions for one file: say of how many random heats (--heats)")
    if heats is not None and not 1 <= heats <= MOST_HEATS:
        raise Refused(f"positions are met in 1 to {MOST_HEATS} random heats, not {heats}")
    if path.exists() and not force:
        raise Refused(f"{path} is there already: choose another name, or --force")
    house = House(Fare.parse(fare) if isinstance(fare, str) else fare, seats, objective)
    told = schema(house)
    tables = _whole(house, told) if heats is None else _sampled(house, told, heats)
    try:
        with TemporaryDirectory(dir=path.parent) as beside:
            part = Path(beside, "part")
            written = 0
            with pq.ParquetWriter(part, told, compression="zstd") as file:
                for table in tables:
                    file.write_table(table)
                    written += len(table)
            part.replace(path)
    except OSError as failure:
        raise Refused(f"{path} cannot be written: {failure.strerror or failure}") from None
    return written


def _whole(house: House, told: pa.Schema) -> Iterator[pa.Table]:
    for layer in whole_game(house.fare, form_queue(house.seats), house.objective):
        yield pa.Table.from_arrays(_columns(layer, told), schema=told)


def _columns(layer: Layer, told: pa.Schema) -> list[pa.Array]:
    def fixed(name: str, numbers: pa.Array) -> pa.Array:
        return pa.FixedSizeListArray.from_arrays(numbers, type=told.field(name).type)

    starts = np.zeros(len(layer.best) + 1, np.int32)
    layer.best.sum(1).cumsum(out=starts[1:])
    best = (np.nonzero(layer.best)[1] + JUMPS[0]).astype(np.int8)
    return [
        fixed("queue", pa.array(layer.queues.ravel())),
        fixed("values", pa.array(layer.values.ravel())),
        fixed("jump_values", pa.array(layer.jump_values.ravel(), from_pandas=True)),  # null for NaN
        pa.ListArray.from_arrays(pa.array(starts), pa.array(best), type=told.field("best").type),
    ]


def _sampled(house: House, told: pa.Schema, heats: int) -> Iterator[pa.Table]:
    solution = solve(house.fare, house.seats, objective=house.objective)
    positions = _met_in_random_heats(house.seats, heats)
    while some := list(islice(positions, ROWS)):
        yield pa.Table.from_pylist([_row(queue, solution.at(queue)) for queue in some], told)


def _row(queue: Queue, worth: Worth) -> dict[str, Any]:
    mine = {jump.jump: jump.values[queue[0].seat] for jump in worth.jumps}
    return {
        "queue": [n for pawn in queue for n in (pawn.seat, pawn.space, *pawn.tickets, pawn.stamps)],
        "values": worth.values,
        "jump_values": [mine.get(jump) for jump in JUMPS],
        "best": worth.best,
    }


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
