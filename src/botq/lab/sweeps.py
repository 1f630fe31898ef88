"""The compiled sweeps along all positions: what they are worth.

Values are by place in the queue, never by seat.  Every position stands before those it leads to, so
one loop from the last to the first is enough.  A *plan* (plans.py) says with which chance the head
takes each jump, by position.
"""

import numpy as np

from botq.kernel import EQUAL, Floats, Ints, compiled
from botq.lab.positions import Bytes, Indices, Shorts


@compiled
def pay_all(takes: Ints, pays: Ints, tickets: Ints, number: Ints, points: Ints) -> None:
    """Writes what a card pays for every hand: nothing, or a set and what the rest of the hand is paid.

    The second telling of `Fare.pays`, which spells the receipt out but takes a hundred times as long.
    """
    for hand in range(len(tickets)):
        points[hand] = 0
        for one in range(len(takes)):
            a, b, c = (
                tickets[hand, 0] - takes[one, 0],
                tickets[hand, 1] - takes[one, 1],
                tickets[hand, 2] - takes[one, 2],
            )
            if a >= 0 and b >= 0 and c >= 0:
                points[hand] = max(points[hand], pays[one] + points[number[a, b, c]])


@compiled
def shares_of(scores: Ints, shares: Floats) -> None:
    """Writes everybody's share of the win: 1 / k for each of k leaders."""
    best = scores.max()
    leaders = 0
    for n in range(len(scores)):
        leaders += scores[n] == best
    for n in range(len(scores)):
        shares[n] = 1.0 / leaders if scores[n] == best else 0.0


@compiled
def finish_all(hands: Bytes, ahead: Shorts, after: Indices, points: Ints, values: Floats) -> int:
    """Writes the shares of every finished position; returns where those begin."""
    count, seats = hands.shape
    scores = np.empty(seats, np.int64)
    here = count
    while here > 0 and after[here - 1, 0] < 0:
        here -= 1
        for n in range(seats):
            scores[n] = points[hands[here, n]] + ahead[here, n]
        shares_of(scores, values[here])
    return int(here)


@compiled
def value_all(hands: Bytes, ahead: Shorts, after: Indices, place: Bytes, points: Ints, values: Floats) -> None:
    """Writes the share of every pawn in every position under perfect play, evenly among equal jumps."""
    seats = hands.shape[1]
    for here in range(finish_all(hands, ahead, after, points, values) - 1, -1, -1):
        best = -1.0
        for jump in range(3):
            if after[here, jump] >= 0:
                best = max(best, values[after[here, jump], place[here, jump]])
        equals = 0
        for n in range(seats):
            values[here, n] = 0.0
        for jump in range(3):
            then = after[here, jump]
            if then >= 0 and values[then, place[here, jump]] >= best - EQUAL:
                equals += 1
                back = place[here, jump]
                values[here, 0] += values[then, back]
                for n in range(1, seats):
                    values[here, n] += values[then, n - 1 if n <= back else n]
        for n in range(seats):
            values[here, n] /= equals


@compiled
def margin_all(hands: Bytes, ahead: Shorts, after: Indices, place: Bytes, points: Ints, margins: Ints) -> None:
    """Writes, for two seats, the head's margin in every position when both play for margin."""
    for here in range(len(hands) - 1, -1, -1):
        if after[here, 0] < 0:
            margins[here] = points[hands[here, 0]] + ahead[here, 0] - points[hands[here, 1]] - ahead[here, 1]
            continue
        best = -(1 << 30)
        for jump in range(3):
            then = after[here, jump]
            if then >= 0:
                best = max(best, margins[then] if place[here, jump] == 0 else -margins[then])
        margins[here] = best


@compiled
def hope_all(after: Indices, place: Bytes, turns: int, hopes: Floats) -> None:
    """Writes what each pawn can expect at best if everybody else jumps at random."""
    seats = hopes.shape[1]
    for here in range(turns - 1, -1, -1):
        fits = 0
        for n in range(seats):
            hopes[here, n] = 0.0
        for jump in range(3):
            then = after[here, jump]
            if then >= 0:
                fits += 1
                back = place[here, jump]
                hopes[here, 0] = max(hopes[here, 0], hopes[then, back])
                for n in range(1, seats):
                    hopes[here, n] += hopes[then, n - 1 if n <= back else n]
        for n in range(1, seats):
            hopes[here, n] /= fits


@compiled
def follow(after: Indices, place: Bytes, plan: Floats, turns: int, values: Floats) -> None:
    """Writes what every pawn can expect when all follow this plan, from the values of the first `turns`
    positions' followers on; finished positions hold theirs already."""
    seats = values.shape[1]
    for here in range(turns - 1, -1, -1):
        for n in range(seats):
            values[here, n] = 0.0
        for jump in range(3):
            chance = plan[here, jump]
            if chance > 0:
                then, back = after[here, jump], place[here, jump]
                values[here, 0] += chance * values[then, back]
                for n in range(1, seats):
                    values[here, n] += chance * values[then, n - 1 if n <= back else n]


@compiled
def follow_alone(after: Indices, place: Bytes, plan: Floats, others: Floats, turns: int, values: Floats) -> None:
    """Writes what each pawn can expect if it alone follows `plan` while everybody else follows `others`."""
    seats = values.shape[1]
    for here in range(turns - 1, -1, -1):
        for n in range(seats):
            values[here, n] = 0.0
        for jump in range(3):
            then = after[here, jump]
            if then >= 0:
                back = place[here, jump]
                values[here, 0] += plan[here, jump] * values[then, back]
                for n in range(1, seats):
                    values[here, n] += others[here, jump] * values[then, n - 1 if n <= back else n]
