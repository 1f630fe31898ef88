"""Sweeps over the layers of a heat: forward to find its positions, backward to value them.

Positions whose spaces add up to the same number form a layer; a jump of n leads n layers on.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from botq import kernel
from botq.kernel import Floats, Indices, Ints
from botq.rules import FINISH

ROOM = 400_000  # positions there is room for at first


@dataclass(frozen=True)
class Table:
    """All positions that can follow one, solved: by layer, the keys of its positions (kernel.py),
    where each jump leads (an index in that layer, or an outcome below zero) and the values by
    place in the queue, those of the finished leaders together after the last."""

    keys: tuple[Ints, ...]
    nexts: tuple[Indices, ...]
    values: tuple[Floats, ...]

    @property
    def positions(self) -> int:
        return sum(map(len, self.keys))

    def value(self, layer: int, key: int) -> Floats | None:
        """The value row of one position, None where it is not in the table."""
        found = np.flatnonzero(self.keys[layer] == key)
        return self.values[layer][found[0]] if len(found) else None

    @classmethod
    def of(cls, keys: Ints, nexts: Indices, values: Floats, starts: Ints) -> "Table":
        """The table whose layers stand one behind the other in whole arrays."""
        cuts = [slice(a, b) for a, b in pairwise(starts.tolist())]
        return cls(tuple(keys[c] for c in cuts), tuple(nexts[c] for c in cuts), tuple(values[c] for c in cuts))


def sweep(root: int, layer: int, seats: int, card: Ints) -> Table:
    """The table of all that can follow the position with this key."""
    room = ROOM
    while True:
        keys, nexts, values = np.empty(room, np.int64), np.empty((room, 3), np.int32), np.empty((room, seats))
        starts = np.zeros(FINISH * seats + 2, np.int64)
        count = kernel.solve_small(root, layer, seats, card, keys, nexts, values, starts)
        if count >= 0:
            return Table.of(keys[:count].copy(), nexts[:count].copy(), values[:count].copy(), starts)
        room *= 4
