"""The compiled counts: what a heat played by a plan can expect, added up over all positions."""

import numpy as np

from botq.kernel import EQUAL, Floats, Ints, compiled
from botq.lab.positions import Bytes, Flags, Indices, Shorts

# What `tally` counts, in the order of its sums; all are expected numbers a heat.
JUMPED = 0  # by jump
STAMPS = 3
TURNS = 4  # with more than one legal jump
MATTERS = 5  # of these, where they are worth different shares
ONE_BEST = 6  # of these, where just one is best
SPREAD = 7  # shares between the best and the worst jump, summed over turns
TAKES_LEAD = 8  # a pawn that was behind somebody is behind nobody
DECIDED = 9  # jumps made when all is decided
SHARED = 10  # heats that end in a shared win
NEEDED = 11  # by jumps to look ahead, 0 to 24: turns that matter (two seats)
ENDED = 36  # by final hand: pawns that end with it
SUMS = ENDED + 19


@compiled
def decide_all(after: Indices, place: Bytes, values: Floats, turns: int, decided: Flags) -> None:
    """Writes which positions are decided: whatever anybody does, the same pawns share the win."""
    seats = values.shape[1]
    decided[turns:] = True
    for here in range(turns - 1, -1, -1):
        same = True
        for jump in range(3):
            then = after[here, jump]
            if then >= 0:
                back = place[here, jump]
                same = same and decided[then] and abs(values[then, back] - values[here, 0]) < EQUAL
                for n in range(1, seats):
                    same = same and abs(values[then, n - 1 if n <= back else n] - values[here, n]) < EQUAL
        decided[here] = same


@compiled
def foresee(
    hands: Bytes, ahead: Shorts, after: Indices, place: Bytes, points: Ints, values: Floats, needed: Bytes
) -> None:
    """Writes, for two seats, how many jumps ahead the head must look in every position so that, looking
    that far or farther, it takes only jumps that keep its share.

    To look n jumps ahead is to count the margin as it would stand n jumps later, both playing for it.
    """
    count = len(hands)
    seen = np.empty(count, np.int64)
    farther = np.empty(count, np.int64)
    for here in range(count):
        seen[here] = points[hands[here, 0]] + ahead[here, 0] - points[hands[here, 1]] - ahead[here, 1]
        needed[here] = 0
    depth, changed = 0, True
    while changed:
        depth += 1
        changed = False
        for here in range(count):
            farther[here] = seen[here]
            if after[here, 0] < 0:
                continue
            best = -(1 << 30)
            worth = -1.0
            for jump in range(3):
                then, back = after[here, jump], place[here, jump]
                if then >= 0:
                    best = max(best, seen[then] if back == 0 else -seen[then])
                    worth = max(worth, values[then, back])
            farther[here] = best
            changed = changed or best != seen[here]
            for jump in range(3):
                then, back = after[here, jump], place[here, jump]
                misled = then >= 0 and (seen[then] if back == 0 else -seen[then]) == best
                if misled and values[then, back] < worth - EQUAL:
                    needed[here] = depth + 1
            if needed[here] == 0:
                needed[here] = 1
        seen, farther = farther, seen


# One long function: with the judging of a turn cut out of it, it took a third longer.
@compiled
def tally(
    hands: Bytes,
    ahead: Shorts,
    after: Indices,
    place: Bytes,
    first: Flags,
    plan: Floats,
    values: Floats,
    points: Ints,
    decided: Flags,
    needed: Bytes,
    stamp: int,
    final: int,
    reached: Floats,
    sums: Floats,
) -> None:
    """Adds up what a heat played by this plan can expect; `reached` becomes the chance of each position.

    `values` are those of perfect play, by which jumps are judged; `final` is the first final hand.
    """
    count, seats = hands.shape
    reached[:] = 0.0
    reached[0] = 1.0
    for here in range(count):
        chance = reached[here]
        if chance == 0.0:
            continue
        if after[here, 0] < 0:
            top = 0
            for n in range(seats):
                top += values[here, n] > 0
            sums[SHARED] += chance * (top > 1)
            continue
        best, worst = -1.0, 2.0
        fits = 0
        for jump in range(3):
            if after[here, jump] >= 0:
                fits += 1
                worth = values[after[here, jump], place[here, jump]]
                best, worst = max(best, worth), min(worst, worth)
        if fits > 1:
            equals = 0
            for jump in range(3):
                if after[here, jump] >= 0:
                    equals += values[after[here, jump], place[here, jump]] >= best - EQUAL
            sums[TURNS] += chance
            sums[SPREAD] += chance * (best - worst)
            if best - worst > EQUAL:
                sums[MATTERS] += chance
                sums[ONE_BEST] += chance * (equals == 1)
                sums[NEEDED + min(needed[here], 24)] += chance
        sums[DECIDED] += chance * decided[here]
        front = -(1 << 30)
        for n in range(1, seats):
            front = max(front, points[hands[here, n]] + ahead[here, n])
        own = points[hands[here, 0]] + ahead[here, 0]
        for jump in range(3):
            then = after[here, jump]
            taken = chance * plan[here, jump]
            if taken > 0:
                reached[then] += taken
                sums[JUMPED + jump] += taken
                sums[STAMPS] += taken * first[here, jump]
                hand = hands[then, place[here, jump]]
                if hand >= final:
                    sums[ENDED + hand - final] += taken
                score = own + points[hand] - points[hands[here, 0]] + stamp * first[here, jump]
                sums[TAKES_LEAD] += taken * (own < front and score >= front)
