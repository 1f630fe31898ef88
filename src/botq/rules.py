"""The rules of Back of the Queue, whole, on one page.

Every pawn stands in one queue.  The pawn at its head must jump 1, 2 or 3 spaces, gets ticket
A, B or C for it, and joins the back of the queue on the space where it lands.  Landing first
on a space earns its stamp.  On space 12 a pawn is finished; when all are, the heat is over.
"""

from bisect import bisect_right
from typing import NamedTuple

from botq.words import listed

FINISH = 12
STAMPED = range(1, FINISH)  # the spaces with a stamp circle
JUMPS = (1, 2, 3)  # a jump of n spaces earns the n-th letter
LETTERS = "ABC"
MAX_SEATS = 6


class Refused(ValueError):
    """What was asked for cannot be, said in the game's words: every refusal here is one."""


class IllegalJump(Refused):
    """The pawn at the head of the queue may not make this jump."""


class Tickets(NamedTuple):
    """How many tickets of each letter: a pawn's hand, or what one set takes."""

    a: int = 0
    b: int = 0
    c: int = 0

    @property
    def spaces(self) -> int:
        """How far the jumps that earned these tickets led: tickets are the odometer."""
        return self.a + 2 * self.b + 3 * self.c

    def plus(self, jump: int) -> "Tickets":
        """These tickets and the one earned by a jump."""
        return Tickets(*(n + (jump == earned) for n, earned in zip(self, JUMPS, strict=True)))


# Every hand there can be, 102 in all, ordered by the space its pawn stands on.
HANDS = tuple(
    Tickets(space - 2 * b - 3 * c, b, c)
    for space in range(FINISH + 1)
    for c in range(space // 3 + 1)
    for b in range((space - 3 * c) // 2 + 1)
)


class Pawn(NamedTuple):
    """One seat's pawn; seat 0 stood at the front of the opening queue."""

    seat: int
    tickets: Tickets = Tickets()
    stamps: int = 0

    @property
    def space(self) -> int:
        return self.tickets.spaces


Queue = tuple[Pawn, ...]  # head first: ordered by space, then by arrival; finished pawns last


def form_queue(seats: int) -> Queue:
    """The opening queue: every pawn on 0, seat 0 at the front; `Refused` unless 1 to 6 seats."""
    if not 1 <= seats <= MAX_SEATS:
        raise Refused(f"a heat has 1 to {MAX_SEATS} seats, not {seats}")
    return tuple(Pawn(seat) for seat in range(seats))


def legal_jumps(queue: Queue) -> tuple[int, ...]:
    """The jumps open to the head, shortest first; none once the heat is over.

    >>> legal_jumps((Pawn(0, Tickets(a=11)), Pawn(1, Tickets(c=4))))
    (1,)
    """
    return tuple(jump for jump in JUMPS if queue[0].space + jump <= FINISH)


def is_first(queue: Queue, landing: int) -> bool:
    """Whether the head, landing there, is the first of the heat to do so and gets the stamp.

    Only the head ever leaves a space.  So whoever reached a space ahead of the head is still
    standing on it, and the first arrival is the one who lands on an empty space.
    """
    return landing in STAMPED and all(pawn.space != landing for pawn in queue)


def play(queue: Queue, jump: int) -> Queue:
    """The queue after its head has made this jump; raises `IllegalJump`.

    >>> [pawn.seat for pawn in play(play(form_queue(3), 2), 2)]  # seat 1 lands behind seat 0
    [2, 0, 1]
    """
    head, *others = queue
    landing = head.space + jump
    if jump not in legal_jumps(queue):
        raise IllegalJump(f"seat {head.seat} is on {why_not(queue, jump)}")
    moved = Pawn(head.seat, head.tickets.plus(jump), head.stamps + is_first(queue, landing))
    others.insert(bisect_right(others, landing, key=lambda pawn: pawn.space), moved)
    return tuple(others)


def why_not(queue: Queue, jump: object) -> str:
    """Where the head stands and what fits, for the sentence that refuses this jump."""
    match legal_jumps(queue):
        case ():
            return f"{FINISH} and finished, as everybody is: no jump is left"
        case (only,):
            return f"{queue[0].space}: only a jump of {only} fits, not {jump}"
        case fits:
            return f"{queue[0].space}: a jump of {listed(fits, 'or')} fits, not {jump}"
