"""A heat in numbers: what a seat sees of the queue, which jumps fit, what the end is worth."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.spaces import Box
from numpy.typing import NDArray

from botq.fares import Fare
from botq.rules import FINISH, JUMPS, MAX_SEATS, STAMPED, Queue, Refused, legal_jumps

COLUMNS = ("seat", "space", "A", "B", "C", "stamps")
ACTIONS = "an action is 0, 1 or 2, for a jump of 1, 2 or 3"
UTILITIES = ("share", "score", "margin")
HIGHEST = np.array([MAX_SEATS - 1, FINISH, 12, 6, 4, len(STAMPED)], np.int8)  # of each column


def observation(queue: Queue, viewer: int) -> NDArray[np.int8]:
    """The queue as the viewer's seat sees it: int8 of shape (seats, 6), a row a pawn, head first.

    The columns are `COLUMNS`.  Seats are counted round from the viewer's own, which reads 0, so
    that what is learned in one seat holds in every other.
    """
    seats = len(queue)
    rows = [((pawn.seat - viewer) % seats, pawn.space, *pawn.tickets, pawn.stamps) for pawn in queue]
    return np.array(rows, np.int8)


def action_mask(queue: Queue) -> NDArray[np.int8]:
    """Which jumps fit the head: int8 of shape (3,), a 1 at index jump - 1; all 0 when the heat is over."""
    fits = legal_jumps(queue)
    return np.array([jump in fits for jump in JUMPS], np.int8)


def utilities(scores: Sequence[int], kind: str) -> tuple[float, ...]:
    """What final scores are worth to each seat, by one of `UTILITIES`.

    `share`: the share of the win less 1/seats, so that all sum to zero; `score`: the score itself;
    `margin`: own score less the other's, two seats only.
    """
    if kind == "score":
        return tuple(map(float, scores))
    if kind == "margin":
        front, rear = scores
        return (float(front - rear), float(rear - front))
    best = max(scores)
    return tuple((score == best) / scores.count(best) - 1 / len(scores) for score in scores)


def shares(scores: NDArray[Any]) -> NDArray[np.float64]:
    """What `search.final_shares` says of final scores, for a row of them a heat: each seat's share of the win."""
    leads = scores == scores.max(axis=1, initial=0, keepdims=True)
    shared: NDArray[np.float64] = leads / leads.sum(axis=1, keepdims=True)
    return shared


def checked_utility(kind: str, seats: int) -> str:
    """The kind of utility if there is one of this name for so many seats; raises `Refused`."""
    if kind not in UTILITIES:
        raise Refused(f"there is no utility {kind!r}: share, score or margin")
    if kind == "margin" and seats != 2:
        raise Refused(f"a margin is between two seats, not {seats}: take share or score")
    return kind


def jump_of(action: object) -> int:
    """The jump an action stands for, 0 for a jump of 1; raises `Refused` for what is no whole number."""
    return checked_whole(action, ACTIONS) + 1


def checked_seats(seats: object) -> int:
    """So many seats; raises `Refused` where there cannot be so many."""
    return checked_whole(seats, f"a heat has 1 to {MAX_SEATS} seats", range(1, MAX_SEATS + 1))


def checked_fare(fare: object) -> Fare:
    """The card with this name or spelling; raises `Refused`."""
    if not isinstance(fare, str):
        raise Refused(f"a fare is the name of a card or its spelling, such as standard or ABC5-AA1, not {fare!r}")
    return Fare.parse(fare)


def checked_whole(number: object, rule: str, allowed: range | None = None) -> int:
    """The number if it is a whole one, and one of those allowed; raises `Refused`, which tells the rule."""
    if isinstance(number, (int, np.integer)) and not isinstance(number, bool):
        number = int(number)
        if allowed is None or number in allowed:
            return number
    raise Refused(f"{rule}, not {number!r}")


def observation_box(seats: int) -> Box:
    """The space of `observation` for so many seats."""
    return Box(0, np.tile(HIGHEST, (seats, 1)), dtype=np.int8)
