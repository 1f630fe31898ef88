"""A whole game in arrays: every position that can follow one, valued from the end back.

Positions whose spaces add up to the same number form a layer.  They are found layer by layer, since
each jump leads one to three on, and valued backwards by the rule of solver.py, with nothing of a
position forgotten and no table of the solver asked.  A position is one integer here:

    | ... third in the queue | second  |  head   |
    |        21 bits         | 21 bits | 21 bits |    each pawn as kernel.py packs it
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from botq import kernel
from botq.adapters.views import shares
from botq.fares import Fare
from botq.kernel import EQUAL, Floats, Ints, Pawns
from botq.rules import FINISH, JUMPS, Queue

PAWN = 21  # bits
MOST_SEATS = 63 // PAWN
_SHIFTS = PAWN * np.arange(MOST_SEATS)[:, None]


class Layer(NamedTuple):
    """All positions of a layer and what they are worth."""

    queues: NDArray[np.int8]  # by position, place in the queue and `kernel.PAWN_COLUMNS`
    values: Floats  # by position and seat
    jump_values: Floats  # by position and jump, to whoever jumps; NaN where the jump does not fit
    best: NDArray[np.bool_]  # by position and jump: whether it fits and none is better


def whole_game(fare: Fare, queue: Queue, objective: str = "share") -> Iterator[Layer]:
    """Every position that can follow this one of up to three seats, layer by layer: the finished
    heats first, this one last.

    `objective` is share, or margin with two seats.  In memory stand the integers of all positions,
    and the values of the layers just ahead.
    """
    seats, first, last = len(queue), sum(pawn.space for pawn in queue), FINISH * len(queue)
    columns = [[(pawn.seat, pawn.space, *pawn.tickets, pawn.stamps)] for pawn in queue]
    layers = {first: packed(kernel.packed_pawns(np.array(columns, np.int8)))}
    for n in range(first + 1, last + 1):
        before = [(layers[n - jump], jump) for jump in JUMPS if n - jump >= first]
        layers[n] = np.unique(np.concatenate([_after(keys[_fits(keys, jump)], jump, seats) for keys, jump in before]))
    values = {last: _at_the_end(unpacked(layers[last], seats), fare, objective)}
    for n in range(last, first - 1, -1):
        keys = layers[n]
        queues = unpacked(keys, seats)
        after = np.full((len(JUMPS), len(keys), seats), np.nan)
        for jump in JUMPS[: last - n]:
            fits = _fits(keys, jump)
            at = np.searchsorted(layers[n + jump], _after(keys[fits], jump, seats))
            after[jump - 1, fits] = values[n + jump][at]
        jump_values = np.take_along_axis(after, (queues[0] >> kernel.SEAT & 7)[None, :, None], 2)[..., 0].T
        best = jump_values >= np.fmax.reduce(jump_values, 1, keepdims=True) - EQUAL
        if n < last:  # the head takes equally good jumps equally often
            values[n] = np.where(best.T[..., None], after, 0).sum(0) / best.sum(1, keepdims=True)
        yield Layer(kernel.pawn_columns(queues.T), values[n], jump_values, best)
        values.pop(n + len(JUMPS), None)


def packed(queues: Pawns) -> Ints:
    """One integer for each position, from its pawns by place in the queue and position."""
    keys: Ints = np.bitwise_or.reduce(queues.astype(np.int64) << _SHIFTS[: len(queues)])
    return keys


def unpacked(keys: Ints, seats: int) -> Pawns:
    """The inverse of `packed`."""
    return (keys >> _SHIFTS[:seats] & ((1 << PAWN) - 1)).astype(np.int32)


def _fits(keys: Ints, jump: int) -> NDArray[np.intp]:
    """Which of these positions leave their heads room for this jump."""
    return np.flatnonzero((keys >> kernel.AHEAD & 15) + jump <= FINISH)


def _after(keys: Ints, jump: int, seats: int) -> Ints:
    queues = unpacked(keys, seats)
    kernel.advance(queues, np.full(len(keys), jump, np.int32), *np.empty((2, len(keys)), np.int32))
    return packed(queues)


def _at_the_end(queues: Pawns, fare: Fare, objective: str) -> Floats:
    """By position and seat, what finished heats are worth."""
    points = kernel.pays_by_hand(fare)[queues >> kernel.B & 63] + (queues >> kernel.STAMPS & 15)
    scores = np.empty(queues.shape[::-1])
    np.put_along_axis(scores, (queues >> kernel.SEAT & 7).T, points.T, 1)
    if objective == "margin":
        return scores - scores[:, ::-1]
    return shares(scores)
