"""All positions of a game of one, two or three seats, laid out once and then read under any fare card.

No card is needed to say which positions there are and which jump leads where; a card only says
what the final hands pay.  So the positions are numbered once, layer by layer, and everything the
lab asks of a card is a sweep along those numbers: down them to see what a position is worth, up
them to see how often it is reached.

A position is the queue: every pawn's hand, and how far it is *ahead* in points that are no ticket
points: stamps, and whatever its seat was given at the start.  Pawns are named by their place in
the queue, and only differences count, so the least is taken off all.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from botq.kernel import NEXT_HAND, Ints, compiled
from botq.rules import FINISH, HANDS, Refused, form_queue

Bytes = NDArray[np.uint8]
Shorts = NDArray[np.int16]
Indices = NDArray[np.int32]
Flags = NDArray[np.bool_]

MOST_SEATS = 3  # four have some three hundred million positions
SPACE = np.array([hand.spaces for hand in HANDS])

# A position while the layers are made, in one integer, head in the lowest bits:
#
#   | ... | second: hand (7 bits), ahead (11 bits) | head: hand (7 bits), ahead (11 bits) |
_HAND_BITS, _AHEAD_BITS = 7, 11
_PAWN_BITS = _HAND_BITS + _AHEAD_BITS


class Positions(NamedTuple):
    """Every position of a game, in the order of its layers; the first is the opening position.

    By position: `hands` and `ahead` by place in the queue; `after`, by jump, the position it leads
    to (-1 where it would pass 12); `place`, by jump, where in the queue the head then stands; and
    `first`, by jump, whether it earns a stamp.
    """

    stamp: int
    start: tuple[int, ...]
    hands: Bytes
    ahead: Shorts
    after: Indices
    place: Bytes
    first: Flags

    @property
    def seats(self) -> int:
        return len(self.start)

    @property
    def layers(self) -> Ints:
        """By position, the sum of all spaces."""
        return np.asarray(SPACE[self.hands].sum(axis=1))


@lru_cache(maxsize=2)  # three seats take some 100 MB
def positions(seats: int, stamp: int = 1, start: tuple[int, ...] = ()) -> Positions:
    """Every position of a game with these house rules: points a stamp, and by seat the points given at
    the start; raises `Refused` for more seats than can be laid out.

    >>> [len(positions(seats).hands) for seats in (1, 2)]
    [102, 19464]
    """
    form_queue(seats)
    if seats > MOST_SEATS:
        raise Refused(f"all positions of {seats} seats are too many to lay out: {MOST_SEATS} is the most")
    given = start or (0,) * seats
    if len(given) != seats:
        raise Refused(f"{seats} seats need {seats} starting scores, not {len(given)}")
    if min(given) < 0 or stamp < 0 or max(given) - min(given) + stamp * (FINISH - 1) >= 1 << _AHEAD_BITS:
        raise Refused("a stamp and a start pay 0 points or more, and together fewer than two thousand")
    root = sum((points - min(given)) << _HAND_BITS << _PAWN_BITS * seat for seat, points in enumerate(given))
    room = 1 << (8, 15, 22)[seats - 1]
    while True:
        room *= 2
        keys, after, place, first = (
            np.empty(room, np.int64),
            np.full((room, 3), -1, np.int32),
            np.empty((room, 3), np.uint8),
            np.empty((room, 3), np.bool_),
        )
        count = lay_out(root, seats, stamp, NEXT_HAND, SPACE, keys, after, place, first)
        if count > 0:
            break
    shifts = _PAWN_BITS * np.arange(seats)
    pawns = keys[:count, None] >> shifts
    return Positions(
        stamp,
        given,
        (pawns & ((1 << _HAND_BITS) - 1)).astype(np.uint8),
        (pawns >> _HAND_BITS & ((1 << _AHEAD_BITS) - 1)).astype(np.int16),
        after[:count].copy(),
        place[:count].copy(),
        first[:count].copy(),
    )


# One long function: cut into its steps (unpack, land, pack, look up) it took a third longer with two seats.
@compiled
def lay_out(
    root: int,
    seats: int,
    stamp: int,
    next_hand: Ints,
    spaces: Ints,
    keys: Ints,
    after: Indices,
    place: Bytes,
    first: Flags,
) -> int:
    """Numbers every position from the root on, layer by layer, and writes where jumps lead; returns how many
    there are, or -1 if there is no room.  A layer is filled by jumps of 1 from the layer before it, of 2 from
    the one before that, and so on."""
    last = 12 * seats
    starts = np.zeros(last + 2, np.int64)
    starts[1] = 1
    keys[0] = root
    table = np.empty(64, np.int32)
    hands = np.empty(seats, np.int64)
    ahead = np.empty(seats, np.int64)
    for layer in range(1, last + 1):
        arriving = starts[layer] - starts[max(layer - 3, 0)]
        size = 64
        while size < 3 * arriving:
            size *= 2
        if size > len(table):
            table = np.empty(size, np.int32)
        table[:size] = -1
        count = starts[layer]
        for jump in range(1, min(3, layer) + 1):
            for here in range(starts[layer - jump], starts[layer - jump + 1]):
                key = keys[here]
                for n in range(seats):
                    hands[n] = key & 127
                    ahead[n] = key >> 7 & 2047
                    key >>= 18
                hand = next_hand[hands[0], jump - 1]
                if hand < 0:
                    continue
                landing = spaces[hand]
                n = 1
                while n < seats and spaces[hands[n]] <= landing:
                    n += 1
                earns = landing < 12 and (n == 1 or spaces[hands[n - 1]] != landing)
                mine = ahead[0] + stamp * earns
                least = mine
                for other in range(1, seats):
                    least = min(least, ahead[other])
                key = 0
                for other in range(seats - 1, n - 1, -1):
                    key = key << 18 | (ahead[other] - least) << 7 | hands[other]
                key = key << 18 | (mine - least) << 7 | hand
                for other in range(n - 1, 0, -1):
                    key = key << 18 | (ahead[other] - least) << 7 | hands[other]
                slot = (key * 0x2545F4914F6CDD1D >> 20) & (size - 1)
                while table[slot] >= 0 and keys[table[slot]] != key:
                    slot = (slot + 1) & (size - 1)
                if table[slot] < 0:
                    if count == len(keys):
                        return -1
                    table[slot] = count
                    keys[count] = key
                    count += 1
                after[here, jump - 1] = table[slot]
                place[here, jump - 1] = n - 1
                first[here, jump - 1] = earns
        starts[layer + 1] = count
    return int(starts[last + 1])
