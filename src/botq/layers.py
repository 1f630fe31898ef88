"""Sweeps over the layers of a heat: forward to find its positions, backward to value them.

Positions whose spaces add up to the same number form a layer; a jump of n leads n layers on.
"""

from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from os import cpu_count

import numpy as np

from botq import kernel
from botq.kernel import Floats, Indices, Ints
from botq.rules import FINISH, JUMPS

ROOM = 400_000  # positions one thread finds and values in a moment; only beyond them threads pay
THREADED = 50_000  # jumps into a layer from which on threads share them
PART = 1 << 19  # positions a thread takes at a time
PILE = 1 << 15  # jumps into a layer that are told apart at a time, so that they stay in a near cache
Report = Callable[[float], None]


class TooMany(Exception):
    """More positions than there is memory for; says how many were found by then."""


@dataclass(frozen=True)
class Table:
    """All positions that can follow one, solved: by layer, the keys of its positions (kernel.py; a
    row of one or two words each), where each jump leads (an index in that layer, or an outcome
    below zero) and the values by place in the queue, those of the finished leaders together after
    the last."""

    keys: tuple[Ints, ...]
    nexts: tuple[Indices, ...]
    values: tuple[Floats, ...]

    @property
    def positions(self) -> int:
        return sum(map(len, self.keys))

    def value(self, layer: int, key: int, more: int) -> Floats | None:
        """The value row of one position, None where it is not in the table."""
        keys = self.keys[layer]
        found = np.flatnonzero(keys[:, 0] == key)
        if keys.shape[1] == 2:
            found = found[keys[found, 1] == more]
        return self.values[layer][found[0]] if len(found) else None

    @classmethod
    def of(cls, keys: Ints, nexts: Indices, values: Floats, starts: list[int]) -> "Table":
        """The table whose layers stand one behind the other in whole arrays."""
        cuts = [slice(a, b) for a, b in pairwise(starts)]
        return cls(tuple(keys[c] for c in cuts), tuple(nexts[c] for c in cuts), tuple(values[c] for c in cuts))

    def faults(self, card: Ints) -> int:
        """How many positions do not follow the rule, once every jump and value is worked out again."""
        keys = [*self.keys, *[self.keys[0][:0]] * 3]
        values = [*self.values, *[self.values[0][:0]] * 3]
        total = 0
        for n, nexts in enumerate(self.nexts):
            total += kernel.wrong(
                keys[n], nexts, values[n], keys[n + 1], keys[n + 2], keys[n + 3],
                values[n + 1], values[n + 2], values[n + 3], card,
            )  # fmt: skip
        return total


def position_bytes(seats: int, words: int) -> int:
    """How many bytes one position takes in a table."""
    return 8 * words + 4 * len(JUMPS) + 8 * seats


@cache
def prepare() -> None:
    """Sees to it that the loops are compiled, so that no timing of the solving has to."""
    card = kernel.compile_card(np.zeros(len(kernel.FINAL_HANDS), np.int64), 1, False)
    desk = np.zeros(kernel.DESK, np.int64)
    sweep_small(kernel.pack(2, 0, card, desk), 0, 2, 1, card)


def count(root: tuple[int, int], layer: int, seats: int, words: int, card: Ints, most: int) -> int | None:
    """How many positions can follow one, itself among them; None if more than about `most`."""
    keys, nexts, values = np.empty((most, words), np.int64), np.empty((most, 3), np.int32), np.empty((0, seats))
    starts = np.zeros(FINISH * seats + 2, np.int64)
    found = kernel.solve_small(*root, layer, seats, card, keys, nexts, values, starts)
    return found if found >= 0 else None


def sweep_small(root: tuple[int, int], layer: int, seats: int, words: int, card: Ints) -> Table | None:
    """The table of all that can follow the position with this key, found by one thread in a moment;
    None if that is more than there is room for."""
    keys, nexts, values = np.empty((ROOM, words), np.int64), np.empty((ROOM, 3), np.int32), np.empty((ROOM, seats))
    starts = np.zeros(FINISH * seats + 2, np.int64)
    count = kernel.solve_small(*root, layer, seats, card, keys, nexts, values, starts)
    if count < 0:
        return None
    return Table.of(keys[:count].copy(), nexts[:count].copy(), values[:count].copy(), starts.tolist())


def sweep(
    root: tuple[int, int],
    layer: int,
    seats: int,
    words: int,
    card: Ints,
    memory: float,
    expected: float,
    report: Report,
) -> Table:
    """The table of all that can follow the position with this key, found by all cores.

    Raises `TooMany` once it would take more than `memory` bytes.  `report` is told, between 0 and
    1, how far it has come, going by how many positions are expected.
    """
    last = FINISH * seats
    keys = [np.empty((0, words), np.int64) for _ in range(last + 1)]
    nexts = [np.empty((0, 3), np.int32) for _ in range(last + 1)]
    values = [np.empty((0, seats)) for _ in range(last + 4)]
    keys[layer] = np.array([root[:words]], dtype=np.int64)
    nexts[layer] = np.full((1, 3), kernel.ILLEGAL, np.int32)
    positions = 1
    with ThreadPoolExecutor(cpu_count()) as pool:
        for now in range(layer + 1, last + 1):
            before = [n for n in range(now - 1, now - 4, -1) if n >= layer]
            keys[now] = _layer([keys[n] for n in before], [nexts[n] for n in before], card, pool)
            nexts[now] = np.full((len(keys[now]), 3), kernel.ILLEGAL, np.int32)
            positions += len(keys[now])
            if positions * position_bytes(seats, words) > memory:
                raise TooMany(positions)
            report(0.6 * min(1, positions / expected))
        settled = 0
        for now in range(last, layer - 1, -1):
            values[now] = np.empty((len(keys[now]), seats))
            layers = keys[now], nexts[now], values[now], values[now + 1], values[now + 2], values[now + 3], card
            _share(pool, kernel.settle, len(keys[now]), layers)
            settled += len(keys[now])
            report(0.6 + 0.4 * settled / positions)
    return Table(tuple(keys), tuple(nexts), tuple(values[: last + 1]))


def _share(pool: Executor, work: Callable[..., None], size: int, rest: tuple[object, ...]) -> None:
    """Does work on 0 to `size`, part by part, by all threads."""
    parts = _parts(size)
    for done in [pool.submit(work, a, b, *rest) for a, b in parts]:
        done.result()


def _parts(size: int) -> list[tuple[int, int]]:
    return list(pairwise([*range(0, size, min(PART, max(size // 4, 1))), size])) if size else []


def _layer(before: list[Ints], nexts: list[Indices], card: Ints, pool: Executor) -> Ints:
    """The keys of the layer that jumps of 1, 2, 3 lead to from the layers before it, nearest first."""
    words = before[0].shape[1]
    arriving = sum(map(len, before))
    if arriving < THREADED:
        table = np.full(1 << max(2 * arriving, 64).bit_length(), -1, np.int32)
        keys = np.empty((arriving, words), np.int64)
        found = 0
        for jump, (sources, theirs) in enumerate(zip(before, nexts, strict=True), 1):
            found = kernel.join(jump, sources, theirs, card, table, keys, found)
        return keys[:found].copy()
    parts = [(jump, a, b) for jump, sources in enumerate(before, 1) for a, b in _parts(len(sources))]
    piles = 1 << min(max(arriving // PILE, 1).bit_length(), 12)
    bounds = np.zeros((len(parts), piles + 1), np.int64)
    bounds[1:, 0] = np.cumsum([b - a for _, a, b in parts])[:-1]
    targets, origins = np.empty((arriving, words), np.int64), np.empty(arriving, np.int32)
    jobs = [
        pool.submit(kernel.expand, jump, before[jump - 1], a, b, nexts[jump - 1], card, targets, origins, bounds[n])
        for n, (jump, a, b) in enumerate(parts)
    ]
    for job in jobs:
        job.result()
    sizes = (bounds[:, 1:] - bounds[:, :-1]).sum(axis=0)
    firsts = [0, *np.cumsum(sizes).tolist()]
    distinct = np.empty((firsts[-1], words), np.int64)
    counts = list(pool.map(lambda pile: kernel.gather(pile, targets, bounds, distinct, firsts[pile]), range(piles)))
    places = [0, *np.cumsum(counts).tolist()]
    keys = np.empty((places[-1], words), np.int64)
    jumps = np.array([jump for jump, _, _ in parts])
    three = [*nexts, *[nexts[0]] * (3 - len(nexts))]

    def number(pile: int) -> None:
        kernel.number(
            pile, jumps, targets, origins, bounds, distinct, firsts[pile], counts[pile], keys, places[pile], *three
        )

    list(pool.map(number, range(piles)))
    return keys
