"""The compiled loops: the rules told a second time, on integers, for the solver and for play in bulk.

Everything Numba compiles stands in this one file, long as it is: Numba keeps compiled code on
disk and throws it away when the function's own file changes, but never looks at other files.

Words used here.  A *hand* is a number from 0 to 101, ordered by space (`HANDS`).  The *floor* of
a pawn is the least it can still score, its *reach* how much more than that it can; hands that
differ in nothing but their floor are one *class*.  A pawn is *out* when its best possible total
is below somebody's floor.  docs/solver.md proves what is used here.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any, NamedTuple, TypeVar, cast

import numpy as np
from numba import njit
from numpy.typing import NDArray

from botq.fares import Fare
from botq.rules import FINISH, HANDS, JUMPS, Refused, Tickets

Ints = NDArray[np.int64]
Indices = NDArray[np.int32]
Floats = NDArray[np.float64]
Function = TypeVar("Function", bound=Callable[..., Any])

EQUAL = 1e-9  # jumps whose values differ by less are equally good


def compiled(function: Function) -> Function:
    """The function compiled on its first call, without the interpreter's lock and kept on disk."""
    try:
        return cast(Function, njit(cache=True, nogil=True)(function))
    except RuntimeError:  # no folder to keep compiled code in can be written: compile anew each run
        return cast(Function, njit(nogil=True)(function))


# --- hands ---------------------------------------------------------------------------------------

HAND = {hand: number for number, hand in enumerate(HANDS)}
FINAL_HANDS = tuple(hand for hand in HANDS if hand.spaces == FINISH)


@cache
def _most_stamps(rest: Tickets, taken: int) -> int:
    """The most stamps on the way of a pawn still to collect these tickets; bit n of `taken`: the
    space n + 1 ahead of it has been visited."""
    most = 0
    for jump, n in zip(JUMPS, rest, strict=True):
        if n:
            after = Tickets(*(m - (jump == earned) for m, earned in zip(rest, JUMPS, strict=True)))
            stamp = after.spaces > 0 and not taken >> (jump - 1) & 1
            most = max(most, stamp + _most_stamps(after, taken >> jump))
    return most


# By space: its first hand.  By hand: the hand after each jump (-1 where there is none); the final
# hands it can end as, in one order for all hands of a space; and, as tickets still to collect,
# the most stamps on the way for each set of visited spaces ahead.
FIRST_HAND = np.array([sum(hand.spaces < space for hand in HANDS) for space in range(FINISH + 2)])
NEXT_HAND = np.array([[HAND.get(hand.plus(jump), -1) for jump in JUMPS] for hand in HANDS])
ENDS = np.array(
    [
        [HAND[Tickets(*(x + y for x, y in zip(hand, rest, strict=True)))] - FIRST_HAND[FINISH] for rest in rests]
        + [-1] * (len(FINAL_HANDS) - len(rests))
        for hand in HANDS
        for rests in [[rest for rest in HANDS if rest.spaces == FINISH - hand.spaces]]
    ]
)
MOST_STAMPS = np.array([[_most_stamps(hand, taken) for taken in range(8)] for hand in HANDS])


def card_points(fare: Fare) -> Ints:
    """What a card pays for each of the 19 final hands, in the order of `FINAL_HANDS`."""
    return np.array([fare.pays(hand).points for hand in FINAL_HANDS], dtype=np.int64)


# --- a card, compiled ----------------------------------------------------------------------------
#
# One array of integers: a single argument costs the compiled loops a tenth of what twelve do.
# Classes and codes are numbered space by space, so that the codes of the four spaces where
# unfinished pawns can stand are neighbours, and a pawn in a key is a code less the head's first.

HEADER = 10  # bits of a key that tell no pawn
_HANDS, _CLASSES, _SPACES = len(HANDS), len(HANDS), FINISH + 1
STAMP = 0  # points a stamp
MARGIN = 1  # 1 where margin is the objective: nobody is ever out, and floors are no part of a key
CLASS = 2  # by hand
FLOOR = CLASS + _HANDS  # by hand
NEXT = FLOOR + _HANDS  # by class and jump: the class after it
GAIN = NEXT + 3 * _CLASSES  # by class and jump: how far the floor rises, stamps apart
REACH = GAIN + 3 * _CLASSES  # by class and visited spaces ahead (3 bits)
FIRST = REACH + 8 * _CLASSES  # by class: its code on the highest floor; the next codes are behind by 1, 2, ...
BASE = FIRST + _CLASSES  # by space: its first code, which says "out"
WIDTH = BASE + _SPACES + 4  # by space of the head: how many bits a pawn takes
FIT = WIDTH + _SPACES  # by space of the head: how many pawns behind it fit in the first word of a key
CODES = FIT + _SPACES  # by code: behind << 16 | class + 1 << 8 | space; class + 1 is 0 for a pawn that is out


# One long function: the classes and codes it numbers are counted on over all of its loops.
@compiled
def compile_card(points: Ints, stamp: int, margin: bool) -> Ints:  # noqa: C901  (loops over spaces, hands, ways)
    """The card as the loops read it, from what it pays for the 19 final hands and for a stamp."""
    specimen = np.zeros(_CLASSES, np.int64)
    head = np.zeros(CODES, np.int64)
    head[STAMP] = stamp
    head[MARGIN] = margin
    classes = 0
    codes = 0
    for space in range(_SPACES):
        head[BASE + space] = codes
        codes += 1
        ways = FIRST_HAND[FINISH + 1 - space] - FIRST_HAND[FINISH - space]
        first_here = classes
        for hand in range(FIRST_HAND[space], FIRST_HAND[space + 1]):
            floor = points[ENDS[hand, 0]]
            for way in range(1, ways):
                floor = min(floor, points[ENDS[hand, way]])
            head[FLOOR + hand] = floor
            same = -1
            for other in range(first_here, classes):
                difference = floor - head[FLOOR + specimen[other]]
                way = 0
                while way < ways and points[ENDS[hand, way]] - points[ENDS[specimen[other], way]] == difference:
                    way += 1
                if way == ways:
                    same = other
            if same < 0:
                same = classes
                specimen[same] = hand
                classes += 1
                for taken in range(8):
                    reach = 0
                    for way in range(ways):
                        stamps = MOST_STAMPS[FIRST_HAND[FINISH - space] + way, taken]
                        reach = max(reach, points[ENDS[hand, way]] - floor + stamp * stamps)
                    head[REACH + same * 8 + taken] = reach
                head[FIRST + same] = codes
                codes += 1 if margin else head[REACH + same * 8] + 1
            head[CLASS + hand] = same
    for space in range(_SPACES, _SPACES + 4):
        head[BASE + space] = codes
    for space in range(FINISH):
        span = head[BASE + min(space + 4, FINISH)] - head[BASE + space]
        while 1 << head[WIDTH + space] < span:
            head[WIDTH + space] += 1
        left = 63 - HEADER
        while 1 << (63 - HEADER - left) < head[BASE + space + 1] - head[BASE + space]:
            left -= 1
        head[FIT + space] = left // max(head[WIDTH + space], 1)
    card = np.zeros(CODES + codes, np.int64)
    card[:CODES] = head
    for space in range(_SPACES):
        card[CODES + head[BASE + space] : CODES + head[BASE + space + 1]] = space
    for one in range(classes):
        for behind in range(1 if margin else head[REACH + one * 8] + 1):
            card[CODES + head[FIRST + one] + behind] |= behind << 16 | (one + 1) << 8
        for jump in range(3):
            after = NEXT_HAND[specimen[one], jump]
            if after >= 0:
                card[NEXT + one * 3 + jump] = head[CLASS + after]
                card[GAIN + one * 3 + jump] = head[FLOOR + after] - head[FLOOR + specimen[one]]
    return card


# --- a position as one integer, or two -----------------------------------------------------------
#
#   | head | tail of the queue ... second in the queue |  4 bits  |    3 bits    |      3 bits      |
#   |      WIDTH[space of the head] bits for each      | space of | unfinished   | finished leaders |
#   |      unfinished pawn: code - BASE[space]         | the head | pawns        |                  |
#
# A pawn's code says its space, its class and how far its floor is behind the highest, or that it
# is out.  A finished pawn is a *leader* if its score is the highest floor; any other is out.
# Where more pawns stand behind the head than the first word has room for, a second word has the rest.

# Below zero stands what needs no key.
ILLEGAL = -1  # no such jump
WINS = -2  # WINS - n: the pawn n-th in the queue before the jump wins alone
TIES = -10  # the head shares the win with the finished leaders
REST = -11  # the finished leaders win, the head not among them

# An opened position lies on a desk of integers, by place in the queue: before a jump and after it.
_CLASS, _BEHIND, _SPACE = 0, 8, 16
NEW_CLASS, NEW_BEHIND, NEW_SPACE = 24, 32, 40
DESK = 48


@compiled
def open_key(key: int, more: int, card: Ints, desk: Ints) -> tuple[int, int]:
    """The number of unfinished pawns and of finished leaders; lays the pawns on the desk."""
    pawns = (key >> 3) & 7
    space = (key >> 6) & 15
    width = card[WIDTH + space]
    codes = CODES + card[BASE + space]
    rest = key >> HEADER
    fit = card[FIT + space]
    head = rest >> width * min(fit, pawns - 1)
    for n in range(1, pawns):
        if n == fit + 1:
            rest = more
        code = card[codes + (rest & ((1 << width) - 1))]
        rest >>= width
        desk[_CLASS + n] = ((code >> 8) & 255) - 1
        desk[_BEHIND + n] = code >> 16
        desk[_SPACE + n] = code & 255
    code = card[codes + head]
    desk[_CLASS] = ((code >> 8) & 255) - 1
    desk[_BEHIND] = code >> 16
    desk[_SPACE] = space
    return pawns, key & 7


@compiled
def pack(pawns: int, leaders: int, card: Ints, desk: Ints) -> tuple[int, int]:
    """Both words of the key of the new pawns on the desk, once those out are told from those alive; or `REST` if
    only finished leaders are alive, or `WINS` - n if only the n-th in this queue is (and 0)."""
    taken = 0
    for n in range(pawns):
        taken |= 1 << desk[NEW_SPACE + n]
    alive = 0
    last = 0
    margin = card[MARGIN]
    for n in range(pawns):
        one = desk[NEW_CLASS + n]
        if one >= 0:
            ahead = (taken >> (desk[NEW_SPACE + n] + 1)) & 7
            if not margin and desk[NEW_BEHIND + n] > card[REACH + one * 8 + ahead]:
                desk[NEW_CLASS + n] = -1
            else:
                alive += 1
                last = n
    if alive == 0:
        return REST, 0
    if alive == 1 and leaders == 0 and not margin:
        return WINS - last, 0
    space = desk[NEW_SPACE]
    width = card[WIDTH + space]
    base = card[BASE + space]
    one = desk[NEW_CLASS]
    rest = card[FIRST + one] + desk[NEW_BEHIND] - base if one >= 0 else 0
    more = 0
    fit = card[FIT + space]
    for n in range(pawns - 1, 0, -1):
        one = desk[NEW_CLASS + n]
        code = card[FIRST + one] + desk[NEW_BEHIND + n] if one >= 0 else card[BASE + desk[NEW_SPACE + n]]
        if n > fit:
            more = more << width | (code - base)
        else:
            rest = rest << width | (code - base)
    return rest << HEADER | space << 6 | pawns << 3 | leaders, more


@compiled
def aim(pawns: int, leaders: int, jump: int, card: Ints, desk: Ints) -> tuple[int, int, int, int, int, int, int]:
    """What a jump of the head does: its place in the queue after it, its class, how far it is then
    behind; how far its floor and the highest floor rise; the finished leaders then, and if the
    head is one of them their number again, else 0."""
    landing = desk[_SPACE] + jump
    place = 0
    while place + 1 < pawns and desk[_SPACE + place + 1] <= landing:
        place += 1
    one = desk[_CLASS]
    behind = desk[_BEHIND]
    gain = 0
    rise = 0
    if one >= 0:
        gain = card[GAIN + one * 3 + jump - 1]
        if landing < FINISH and (place == 0 or desk[_SPACE + place] != landing):
            gain += card[STAMP]
        one = card[NEXT + one * 3 + jump - 1]
        if not card[MARGIN]:
            behind -= gain
            if behind < 0:
                rise = -behind
                behind = 0
                leaders = 0
    sharing = 0
    if landing == FINISH and one >= 0 and behind == 0:
        leaders += 1
        sharing = leaders
    return place, one, behind, gain, rise, leaders, sharing


@compiled
def leap(pawns: int, leaders: int, jump: int, card: Ints, desk: Ints) -> tuple[int, int]:
    """Both words of the key of the position after this jump, or what follows below zero (and 0)."""
    landing = desk[_SPACE] + jump
    if landing > FINISH:
        return ILLEGAL, 0
    place, one, behind, _, rise, leaders, sharing = aim(pawns, leaders, jump, card, desk)
    for n in range(1, place + 1):
        desk[NEW_CLASS + n - 1] = desk[_CLASS + n]
        desk[NEW_BEHIND + n - 1] = desk[_BEHIND + n] + rise
        desk[NEW_SPACE + n - 1] = desk[_SPACE + n]
    if landing == FINISH:
        key, more = pack(pawns - 1, leaders, card, desk)
    else:
        desk[NEW_CLASS + place] = one
        desk[NEW_BEHIND + place] = behind
        desk[NEW_SPACE + place] = landing
        for n in range(place + 1, pawns):
            desk[NEW_CLASS + n] = desk[_CLASS + n]
            desk[NEW_BEHIND + n] = desk[_BEHIND + n] + rise
            desk[NEW_SPACE + n] = desk[_SPACE + n]
        key, more = pack(pawns, leaders, card, desk)
    if key >= 0:
        return key, more
    if key == REST:
        return WINS if sharing == 1 else TIES if sharing else REST, 0
    winner = WINS - key  # by its place after the jump: told by its place before
    if landing == FINISH or winner < place:
        return WINS - (winner + 1), 0
    return WINS if winner == place else key, 0


# --- layers --------------------------------------------------------------------------------------


@compiled
def hashed(key: int, more: int) -> int:
    return ((key ^ more * 0x2127599BF4325C37) * 0x2545F4914F6CDD1D >> 20) & 0xFFFFFFFFFFF


@compiled
def find(key: int, more: int, table: Indices, keys: Ints, first: int, salt: int) -> int:
    """The slot of `table` that names this key, or where it belongs; `keys` counts from `first`."""
    mask = len(table) - 1
    slot = (hashed(key, more) >> salt) & mask
    while True:
        at = table[slot]
        if at < 0 or (keys[first + at, 0] == key and (keys.shape[1] == 1 or keys[first + at, 1] == more)):
            return slot
        slot = (slot + 1) & mask


@compiled
def leap_from(sources: Ints, n: int, jump: int, card: Ints, desk: Ints) -> tuple[int, int]:
    """Where a jump leads from the n-th position of a layer."""
    pawns, leaders = open_key(sources[n, 0], sources[n, 1] if sources.shape[1] == 2 else 0, card, desk)
    return leap(pawns, leaders, jump, card, desk)


@compiled
def join(jump: int, sources: Ints, nexts: Indices, card: Ints, table: Indices, keys: Ints, count: int) -> int:
    """Adds to a layer (its first `count` keys, found through `table`) whatever this jump leads to
    from a layer before it, whose `nexts` are told where; returns the new count."""
    desk = np.zeros(DESK, np.int64)
    for n in range(len(sources)):
        key, more = leap_from(sources, n, jump, card, desk)
        if key < 0:
            nexts[n, jump - 1] = key
            continue
        slot = find(key, more, table, keys, 0, 0)
        if table[slot] < 0:
            table[slot] = count
            keys[count, 0] = key
            if keys.shape[1] == 2:
                keys[count, 1] = more
            count += 1
        nexts[n, jump - 1] = table[slot]
    return count


# A large layer is built by threads in three steps: `expand` makes the jumps of a part of a layer
# before it and sorts them by the hash of where they lead; `gather` takes one such pile, from all
# parts, and keeps one of each; `number` gives them their places in the layer.


@compiled
def expand(
    jump: int, sources: Ints, a: int, b: int, nexts: Indices, card: Ints, found: Ints, origins: Indices, bounds: Ints
) -> None:
    """Writes where the positions a to b of a layer lead to `found`, from index bounds[0] on, pile by
    pile, and their numbers to `origins`; pile n will start at bounds[n] and the next where it ends."""
    words = sources.shape[1]
    piles = len(bounds) - 1
    desk = np.zeros(DESK, np.int64)
    keys = np.empty((b - a, words), np.int64)
    froms = np.empty(b - a, np.int32)
    sizes = np.zeros(piles + 1, np.int64)
    count = 0
    for n in range(a, b):
        key, more = leap_from(sources, n, jump, card, desk)
        if key < 0:
            nexts[n, jump - 1] = key
            continue
        keys[count, 0] = key
        if words == 2:
            keys[count, 1] = more
        froms[count] = n
        sizes[hashed(key, more) & (piles - 1)] += 1
        count += 1
    for pile in range(piles):
        bounds[pile + 1] = bounds[pile] + sizes[pile]
        sizes[pile] = bounds[pile]
    for n in range(count):
        pile = hashed(keys[n, 0], keys[n, 1] if words == 2 else 0) & (piles - 1)
        at = sizes[pile]
        sizes[pile] += 1
        for word in range(words):
            found[at, word] = keys[n, word]
        origins[at] = froms[n]


@compiled
def gather(pile: int, found: Ints, bounds: Ints, distinct: Ints, first: int) -> int:
    """Writes the distinct keys of a pile to `distinct` from index `first` on and returns how many;
    each key in `found` gives way to its number among them."""
    words = found.shape[1]
    arriving = 0
    for part in range(len(bounds)):
        arriving += bounds[part, pile + 1] - bounds[part, pile]
    size = 64
    while size < 2 * arriving:
        size *= 2
    table = np.full(size, -1, np.int32)
    count = 0
    for part in range(len(bounds)):
        for at in range(bounds[part, pile], bounds[part, pile + 1]):
            key, more = found[at, 0], found[at, 1] if words == 2 else 0
            slot = find(key, more, table, distinct, first, 12)  # the lowest bits chose the pile
            if table[slot] < 0:
                table[slot] = count
                distinct[first + count, 0] = key
                if words == 2:
                    distinct[first + count, 1] = more
                count += 1
            found[at, 0] = table[slot]
    return count


@compiled
def number(
    pile: int, jumps: Ints, found: Ints, origins: Indices, bounds: Ints, distinct: Ints, first: int, count: int,
    keys: Ints, place: int, nexts1: Indices, nexts2: Indices, nexts3: Indices,
) -> None:  # fmt: skip
    """Puts the distinct keys of a pile into the layer from index `place` on, and tells the layers
    before it (`jumps` says which one each part came from) where their jumps lead."""
    for n in range(count):
        for word in range(keys.shape[1]):
            keys[place + n, word] = distinct[first + n, word]
    for part in range(len(bounds)):
        jump = jumps[part]
        nexts = nexts1 if jump == 1 else nexts2 if jump == 2 else nexts3
        for at in range(bounds[part, pile], bounds[part, pile + 1]):
            nexts[origins[at], jump - 1] = place + found[at, 0]


@compiled
def foretell(  # noqa: C901  (one branch for each way a heat goes on, told in the order of rarity)
    jump: int, outcome: int, pawns: int, leaders: int, later: Floats, card: Ints, desk: Ints, seen: Floats
) -> None:
    """Writes to row `jump` of `seen` the values a jump leads to, by place in the queue before it and
    then, if anybody has finished, the finished leaders' together; `later` has the values of the
    layer it leads to."""
    place, _, _, gain, _, _, sharing = aim(pawns, leaders, jump, card, desk)
    seats = later.shape[1]
    for n in range(seats):
        seen[jump, n] = 0.0
    if outcome >= 0 and desk[_SPACE] + jump < FINISH:
        seen[jump, 0] = later[outcome, place]
        for n in range(1, place + 1):
            seen[jump, n] = later[outcome, n - 1]
        for n in range(place + 1, min(pawns + 1, seats)):
            seen[jump, n] = later[outcome, n]
    elif outcome >= 0:
        for n in range(1, pawns):
            seen[jump, n] = later[outcome, n - 1]
        finished = later[outcome, pawns - 1]
        if sharing:
            seen[jump, 0] = finished / sharing
            finished -= seen[jump, 0]
        if pawns < seats:
            seen[jump, pawns] = finished
    elif not card[MARGIN]:
        if outcome == TIES:
            seen[jump, 0] = 1.0 / sharing
            seen[jump, pawns] = (sharing - 1.0) / sharing
        elif outcome == REST:
            seen[jump, pawns] = 1.0
        else:
            seen[jump, WINS - outcome] = 1.0
    if card[MARGIN]:  # values are from the floors up
        seen[jump, 0] += gain
        seen[jump, 1] -= gain


@compiled
def weigh(nexts: Indices, n: int, seen: Floats, values: Floats) -> None:
    """Writes to row n of `values` what the head makes of its jumps: the best, evenly among equals."""
    best = -np.inf
    for jump in range(1, 4):
        if nexts[n, jump - 1] != ILLEGAL:
            best = max(best, seen[jump, 0])
    equals = 0
    seats = values.shape[1]
    for place in range(seats):
        values[n, place] = 0.0
    for jump in range(1, 4):
        if nexts[n, jump - 1] != ILLEGAL and seen[jump, 0] >= best - EQUAL:
            equals += 1
            for place in range(seats):
                values[n, place] += seen[jump, place]
    if equals > 1:
        for place in range(seats):
            values[n, place] /= equals


@compiled
def settle(
    a: int, b: int, keys: Ints, nexts: Indices, values: Floats, later1: Floats, later2: Floats, later3: Floats,
    card: Ints,
) -> None:  # fmt: skip
    """Fills in the values of positions a to b of a layer from those of the three layers after it."""
    desk = np.zeros(DESK, np.int64)
    seen = np.zeros((4, 8))
    for n in range(a, b):
        pawns, leaders = open_key(keys[n, 0], keys[n, 1] if keys.shape[1] == 2 else 0, card, desk)
        if nexts[n, 0] != ILLEGAL:
            foretell(1, nexts[n, 0], pawns, leaders, later1, card, desk, seen)
        if nexts[n, 1] != ILLEGAL:
            foretell(2, nexts[n, 1], pawns, leaders, later2, card, desk, seen)
        if nexts[n, 2] != ILLEGAL:
            foretell(3, nexts[n, 2], pawns, leaders, later3, card, desk, seen)
        weigh(nexts, n, seen, values)


@compiled
def wrong(
    keys: Ints, nexts: Indices, values: Floats,
    keys1: Ints, keys2: Ints, keys3: Ints, later1: Floats, later2: Floats, later3: Floats, card: Ints,
) -> int:  # fmt: skip
    """How many positions of a layer do not follow the rule: a jump leads elsewhere than it says, or
    a value is not what the values after it make it."""
    desk = np.zeros(DESK, np.int64)
    again = np.zeros(values.shape)
    faults = np.zeros(len(keys), np.int64)
    for n in range(len(keys)):
        for jump in range(1, 4):
            key, more = leap_from(keys, n, jump, card, desk)
            at = nexts[n, jump - 1]
            if at < 0 or key < 0:
                nexts_fine = at == key
            else:
                later = keys1 if jump == 1 else keys2 if jump == 2 else keys3
                nexts_fine = at < len(later) and later[at, 0] == key
                if nexts_fine and later.shape[1] == 2:
                    nexts_fine = later[at, 1] == more
            if not nexts_fine:
                faults[n] = 1
    if faults.sum() == 0:
        settle(0, len(keys), keys, nexts, again, later1, later2, later3, card)
        for n in range(len(keys)):
            for place in range(values.shape[1]):
                if not abs(again[n, place] - values[n, place]) <= EQUAL * EQUAL:
                    faults[n] = 1
    return faults.sum()


# Long for its two walks over the layers, forward to find and back to value, which share every array.
@compiled
def solve_small(  # noqa: C901  (there and back over the layers)
    root: int, more: int, layer: int, seats: int, card: Ints, keys: Ints, nexts: Indices, values: Floats, starts: Ints
) -> int:
    """Solves all that can be reached from one position, in one thread; returns the number of
    positions, or -1 if `keys` has no room for them.  With no room for values, only counts.

    `starts` (12 seats + 2 of them) gets the index of each layer's first position; `nexts` tells
    positions by their index within their layer.
    """
    last = FINISH * seats
    keys[0, 0] = root
    if keys.shape[1] == 2:
        keys[0, 1] = more
    nexts[0] = ILLEGAL
    starts[: layer + 1] = 0
    starts[layer + 1] = 1
    table = np.empty(1024, np.int32)
    for now in range(layer + 1, last + 1):
        arriving = starts[now] - starts[max(now - 3, 0)]
        if starts[now] + arriving > len(keys):
            return -1
        size = 64
        while size < 2 * arriving:
            size *= 2
        if size > len(table):
            table = np.empty(size, np.int32)
        table[:size] = -1
        count = 0
        for jump in range(1, 4):
            if now - jump >= layer:
                a, b = starts[now - jump], starts[now - jump + 1]
                count = join(jump, keys[a:b], nexts[a:b], card, table[:size], keys[starts[now] :], count)
        starts[now + 1] = starts[now] + count
        nexts[starts[now] : starts[now + 1]] = ILLEGAL
    if len(values) < len(keys):
        return starts[last + 1]
    for now in range(last, layer - 1, -1):
        a, b = starts[now], starts[now + 1]
        if a < b:
            c, d, e = starts[min(now + 2, last + 1)], starts[min(now + 3, last + 1)], starts[min(now + 4, last + 1)]
            settle(0, b - a, keys[a:b], nexts[a:b], values[a:b], values[b:c], values[c:d], values[d:e], card)
    return starts[last + 1]


@compiled
def value_cards(
    cards: Ints, stamp: int, start: Ints, margin: bool, values: Floats, keys: Ints, nexts: Indices, room: Floats
) -> int:
    """Writes the opening position's values under each card (a row of points for the 19 final
    hands) to `values`; returns how many cards were done before one did not fit the room given."""
    seats = len(start)
    desk = np.zeros(DESK, np.int64)
    starts = np.zeros(FINISH * seats + 2, np.int64)
    for n in range(len(cards)):
        card = compile_card(cards[n], stamp, margin)
        for seat in range(seats):
            desk[NEW_CLASS + seat] = card[CLASS]
            desk[NEW_BEHIND + seat] = 0 if margin else start.max() - start[seat]
            desk[NEW_SPACE + seat] = 0
        root, more = pack(seats, 0, card, desk)
        for seat in range(seats):
            values[n, seat] = 0.0
        if root < 0:
            values[n, WINS - root] = 1.0
            continue
        if solve_small(root, more, 0, seats, card, keys, nexts, room, starts) < 0:
            return n
        for seat in range(seats):
            values[n, seat] = room[0, seat] + (start[seat] - start[1 - seat] if margin else 0)
    return len(cards)


# --- play in bulk --------------------------------------------------------------------------------
#
# Here nothing is forgotten, as it is in a key.  A pawn is one integer, and a heat is a column of
# them, the head on top; the columns of many heats stand side by side.  The loops run along the
# heats and never branch, so that the processor takes eight heats at a time.
#
#   |  space   |   seat   |  stamps  |    C     |    B     |    A     |
#   |  4 bits  |  3 bits  |  4 bits  |  3 bits  |  3 bits  |  4 bits  |

Pawns = NDArray[np.int32]

PAWN_COLUMNS = ("seat", "space", "A", "B", "C", "stamps")
SEAT, AHEAD, B, C, STAMPS = 14, 17, 4, 7, 10  # where each field begins; "ahead" is the space
HELD = (1 << STAMPS) - 1  # the fields of the tickets
_SHIFTS = np.array([SEAT, AHEAD, 0, B, C, STAMPS], np.int32)  # in the order of the columns
_MASKS = np.array([7, 15, 15, 7, 7, 15], np.int32)
LANES = 512  # heats side by side: all they need stays in the processor's nearest cache


def pawn_columns(pawns: Pawns) -> NDArray[np.int8]:
    """Pawns unpacked: int8 with one more axis, of `PAWN_COLUMNS`."""
    return (pawns[..., None] >> _SHIFTS & _MASKS).astype(np.int8)


def packed_pawns(columns: NDArray[np.int8]) -> Pawns:
    """The inverse of `pawn_columns`."""
    packed: Pawns = (columns.astype(np.int32) << _SHIFTS).sum(-1, dtype=np.int32)
    return packed


def pays_by_hand(fare: Fare) -> Ints:
    """What a card pays for each final hand, by its B and C as they stand in a pawn."""
    pays = np.zeros(64, np.int64)
    for hand, points in zip(FINAL_HANDS, card_points(fare), strict=True):
        pays[hand.b | hand.c << 3] = points
    return pays


@compiled
def form_queues(queues: Pawns) -> None:
    """Puts every pawn on 0, seat 0 at the front; `queues` is (seats, heats) here and below."""
    for seat in range(len(queues)):
        queues[seat, :] = seat << SEAT


@compiled
def advance(queues: Pawns, jumps: Pawns, moved: Pawns, mark: Pawns) -> None:
    """Makes the jump of the head of every heat, in place; whether it fits is for the caller to know.

    A jump of 0 is for heats that are over: their finished pawns trade places, which nobody sees.
    `room` is (2, heats) to work in.
    """
    seats, heats = queues.shape
    heads = queues[0]
    for n in range(heats):
        jump = jumps[n]
        ticket = (jump == 1) | (jump == 2) << B | (jump == 3) << C
        moved[n] = np.int32(heads[n] + ticket + (jump << AHEAD))
        mark[n] = np.int32((moved[n] >> AHEAD) < FINISH)
    for place in range(1, seats):
        pawns = queues[place]
        for n in range(heats):  # the stamp is for landing where nobody stands
            mark[n] = np.int32(mark[n] & ((pawns[n] >> AHEAD) != (moved[n] >> AHEAD)))
    for n in range(heats):
        moved[n] = np.int32(moved[n] + (mark[n] << STAMPS))
        mark[n] = np.int32(((moved[n] >> AHEAD) + 1) << AHEAD)  # the pawns below this stand before it
    for place in range(1, seats):
        pawns, next_up = queues[place], queues[place - 1]
        for n in range(heats):
            pawn, waiting = pawns[n], moved[n]
            before = pawn < mark[n]
            next_up[n] = pawn if before else waiting
            moved[n] = waiting if before else pawn
    last = queues[seats - 1]
    for n in range(heats):
        last[n] = moved[n]


@compiled
def rolled(die: np.uint64) -> np.uint64:
    """The die after one more roll: Marsaglia's xorshift64 (Journal of Statistical Software 8:14, 2003)."""
    die ^= die << np.uint64(13)
    die ^= die >> np.uint64(7)
    return np.uint64(die ^ die << np.uint64(17))


@compiled
def draw_jumps(heads: Pawns, dice: NDArray[np.uint64], jumps: Pawns) -> int:
    """Draws a legal jump for every head, each equally likely, 0 for the finished; returns 0 when all are.

    There is one die for each heat.
    """
    unfinished = np.int32(0)
    for n in range(len(heads)):
        dice[n] = die = rolled(dice[n])
        left = np.int32(FINISH - (heads[n] >> AHEAD))
        fits = min(np.int32(3), left)
        jumps[n] = np.int32((die >> np.uint64(32)) * np.uint64(fits) >> np.uint64(32)) + np.int32(left > 0)
        unfinished |= left
    return int(unfinished)


@compiled
def choose_jumps(heads: Pawns, dice: NDArray[np.uint64], chances: Floats, jumps: Pawns) -> int:
    """As `draw_jumps`, but each jump as likely as the policy of the head's seat makes it with its hand.

    `chances` holds, by seat and hand as it stands in a pawn, the chance of a jump of 1 and that of 1 or 2.
    """
    unfinished = np.int32(0)
    for n in range(len(heads)):
        dice[n] = die = rolled(dice[n])
        left = np.int32(FINISH - (heads[n] >> AHEAD))
        drawn = (die >> np.uint64(11)) * 2.0**-53
        one, two = chances[(heads[n] >> SEAT) & 7, heads[n] & HELD]
        jumps[n] = np.int32(1 + (drawn >= one) + (drawn >= two)) if left else np.int32(0)
        unfinished |= left
    return int(unfinished)


@compiled
def tally(queues: Pawns, n: int, pays: Ints, scores: NDArray[Any]) -> int:
    """Writes the scores of heat n, which is over, by seat; returns the highest."""
    highest = 0
    for place in range(len(queues)):
        pawn = queues[place, n]
        score = pays[(pawn >> B) & 63] + ((pawn >> STAMPS) & 15)
        scores[(pawn >> SEAT) & 7] = score
        highest = max(highest, score)
    return highest


@compiled
def play_out(heats: int, dice: NDArray[np.uint64], pays: Ints, chances: Floats, shares: Floats, totals: Ints) -> int:
    """Plays so many heats, as many at once as there are dice, at random where `chances` are empty;
    adds up each seat's shares of the wins and its scores; returns the number of jumps."""
    seats = len(totals)
    queues = np.empty((seats, len(dice)), np.int32)
    jumps, moved, mark = np.empty(len(dice), np.int32), np.empty(len(dice), np.int32), np.empty(len(dice), np.int32)
    scores = np.empty(seats, np.int64)
    made = 0
    for done in range(0, heats, len(dice)):
        form_queues(queues)
        while choose_jumps(queues[0], dice, chances, jumps) if len(chances) else draw_jumps(queues[0], dice, jumps):
            advance(queues, jumps, moved, mark)
        for n in range(min(len(dice), heats - done)):
            highest = tally(queues, n, pays, scores)
            sharing = 0
            for seat in range(seats):
                pawn = queues[seat, n]
                made += (pawn & 15) + ((pawn >> B) & 7) + ((pawn >> C) & 7)
                sharing += scores[seat] == highest
            for seat in range(seats):
                totals[seat] += scores[seat]
                if scores[seat] == highest:
                    shares[seat] += 1 / sharing
    return made


@compiled
def first_misfit(heads: Pawns, actions: Ints, jumps: Pawns) -> int:
    """Writes the jump of each action, 1 more, and 0 for a head that has finished; returns the first
    heat where it does not fit, or -1."""
    for n in range(len(heads)):
        left = FINISH - (heads[n] >> AHEAD)
        if left > 0 and not 0 <= actions[n] < min(3, left):
            return n
        jumps[n] = actions[n] + 1 if left > 0 else 0
    return -1


@compiled
def play_on(
    queues: Pawns,
    jumps: Pawns,
    moved: Pawns,
    mark: Pawns,
    pays: Ints,
    over: NDArray[np.bool_],
    scores: NDArray[np.int16],
) -> None:
    """Makes every jump and forms the queue anew where it is 0; tells which heats ended, and their scores."""
    advance(queues, jumps, moved, mark)
    for n in range(len(jumps)):
        if jumps[n] == 0:
            for seat in range(len(queues)):
                queues[seat, n] = seat << SEAT
        elif queues[0, n] >> AHEAD == FINISH:
            over[n] = True
            tally(queues, n, pays, scores[n])


@compiled
def show(queues: Pawns, shown: NDArray[np.int8], fits: NDArray[np.int8]) -> None:
    """Unpacks every pawn as `pawn_columns` does, heat by heat, and tells which jumps fit each head."""
    for n in range(queues.shape[1]):
        for place in range(len(queues)):
            for column in range(6):
                shown[n, place, column] = (queues[place, n] >> _SHIFTS[column]) & _MASKS[column]
        for jump in range(3):
            fits[n, jump] = (queues[0, n] >> AHEAD) + jump < FINISH


class Playouts(NamedTuple):
    """Heats summed up: how many jumps they took, and by seat the share of the win and the mean score."""

    jumps: int
    shares: Floats
    scores: Floats


# A way to play that looks at its own hand alone: the weight of each jump, 1 to 3, that fits.
Policy = Callable[[Tickets], Sequence[float]]


def random_heats(fare: Fare, seats: int, heats: int, seed: int = 1, threads: int = 1) -> Playouts:
    """Plays so many random heats, on several threads if asked; the same seed and threads play the same heats."""
    return _played(fare, seats, heats, np.empty((0, HELD + 1, 2)), seed, threads)


def policy_heats(fare: Fare, policies: Sequence[Policy], heats: int, seed: int = 1, threads: int = 1) -> Playouts:
    """Plays so many heats with a policy in each seat; the same seed and threads play the same heats.

    Raises `Refused` where a policy gives no jump that fits any weight.

    >>> longest = lambda hand: (1e-9, 1e-6, 1)  # 3 wherever it fits
    >>> policy_heats(Fare.parse("C1"), [longest], 1000).scores  # four C, and the stamps of 3, 6 and 9
    array([7.])
    """
    chances = np.ones((len(policies), HELD + 1, 2))
    for seat, policy in enumerate(policies):
        for hand in HANDS:
            if hand.spaces < FINISH:
                weights = np.array(policy(hand)[: FINISH - hand.spaces], float)
                if not (weights.size and np.isfinite(weights).all() and (weights >= 0).all() and weights.sum() > 0):
                    raise Refused(f"the policy of seat {seat} weighs the jumps from {tuple(hand)} as {weights}")
                sums = weights.cumsum()[:2] / weights.sum()
                sums[len(weights) - 1 :] = 1  # what does not fit is never drawn
                chances[seat, hand.a | hand.b << B | hand.c << C, : len(sums)] = sums
    return _played(fare, len(policies), heats, chances, seed, threads)


def _played(fare: Fare, seats: int, heats: int, chances: Floats, seed: int, threads: int) -> Playouts:
    dice = np.random.SeedSequence(seed).generate_state(threads * LANES, np.uint64).reshape(threads, LANES)
    dice |= np.uint64(1)  # these dice never leave 0
    pays = pays_by_hand(fare)

    def one_thread(thread: int) -> tuple[int, Floats, Ints]:
        shares, totals = np.zeros(seats), np.zeros(seats, np.int64)
        part = heats // threads + (thread < heats % threads)
        return play_out(part, dice[thread], pays, chances, shares, totals), shares, totals

    with ThreadPoolExecutor(threads) as pool:
        jumps, shares, totals = zip(*pool.map(one_thread, range(threads)), strict=True)
    return Playouts(sum(jumps), sum(shares) / heats, sum(totals) / heats)
