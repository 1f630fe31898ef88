"""A heat: a fare card, the players in queue order, and the jumps made so far."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from random import SystemRandom
from typing import Any, NamedTuple, Self, TypeVar

from botq.fares import Fare, Receipt, hand_as_json
from botq.rules import (
    FINISH,
    JUMPS,
    LETTERS,
    MAX_SEATS,
    STAMPED,
    IllegalJump,
    Pawn,
    Queue,
    Refused,
    form_queue,
    is_first,
    legal_jumps,
    play,
    why_not,
)
from botq.words import shown

LONGEST_NAME = 20
Anything = TypeVar("Anything")


class BadName(Refused):
    """This cannot be a player's name, or not beside the others."""


class Player(NamedTuple):
    """Who plays a seat: a name, and the name of the bot that plays it, or None for a person."""

    name: str
    bot: str | None = None


class Jump(NamedTuple):
    """One jump as it happened; `str()` announces it."""

    number: int  # 1 for the first of the heat
    name: str
    length: int
    landing: int
    stamp: bool
    then: str | None  # who acts next, None when it ended the heat

    @property
    def ticket(self) -> str:
        return LETTERS[self.length - 1]

    def __str__(self) -> str:
        stamp = " and the stamp" if self.stamp else ""
        then = f"{self.then} is next." if self.then else "The heat is over."
        return (
            f"Jump {self.number}: {self.name} jumps {self.length} to space {self.landing}, "
            f"takes ticket {self.ticket}{stamp}. {then}"
        )


class Choice(NamedTuple):
    """A jump of 1, 2 or 3 before it is made: what it would bring, or why it does not fit."""

    length: int
    jump: Jump | None  # None where it would pass space 12
    why_not: str = ""


@dataclass(frozen=True)
class Heat:
    """A heat under way or over; immutable, every jump gives a new one.

    `players` stand in opening order, front of the queue first; `jumps` is one digit each.
    Raises `Refused` for a number of seats, a name or a jump that cannot be.

    >>> heat = Heat.of("standard", ["Jo", "Kit"]).jump(3)
    >>> heat.turn, heat.legal, heat.scores
    ('Kit', (1, 2, 3), {'Jo': 1, 'Kit': 0})
    """

    fare: Fare
    players: tuple[Player, ...]
    jumps: str = ""

    @classmethod
    def of(cls, fare: Fare | str, names: Sequence[str], jumps: str = "") -> Self:
        """A heat between people, from plain names and the name or spelling of a card."""
        card = Fare.parse(fare) if isinstance(fare, str) else fare
        return cls(card, tuple(map(Player, names)), jumps)

    def __post_init__(self) -> None:
        check_names(self.names)
        self.queue  # noqa: B018  (playing the jumps through is the check of them)

    @cached_property
    def queues(self) -> tuple[Queue, ...]:
        """Every queue of this heat: the opening one, then the one after each jump."""

        def play_named(queue: Queue, numbered: tuple[int, str]) -> Queue:
            number, digit = numbered
            if digit not in "123":
                raise IllegalJump(f"jump {number} reads {shown(digit)}: a jump is 1, 2 or 3")
            try:
                return play(queue, int(digit))
            except IllegalJump:
                raise self._refusal(number, queue, digit) from None

        return tuple(accumulate(enumerate(self.jumps, 1), play_named, initial=form_queue(len(self.players))))

    @property
    def queue(self) -> Queue:
        """The queue now, head first, finished pawns last."""
        return self.queues[-1]

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names by seat."""
        return tuple(player.name for player in self.players)

    @property
    def over(self) -> bool:
        return not self.legal

    @property
    def legal(self) -> tuple[int, ...]:
        """The jumps open to the player whose turn it is, shortest first."""
        return legal_jumps(self.queue)

    @property
    def head(self) -> Player | None:
        """The player whose turn it is, None once the heat is over."""
        return None if self.over else self.players[self.queue[0].seat]

    @property
    def turn(self) -> str | None:
        """The name of the player whose turn it is, None once the heat is over."""
        return self.head.name if self.head else None

    @property
    def pawns(self) -> tuple[Pawn, ...]:
        """The pawns by seat."""
        return tuple(sorted(self.queue))

    @property
    def receipts(self) -> tuple[Receipt, ...]:
        """By seat, the receipt of the tickets in hand."""
        return tuple(self.fare.pays(pawn.tickets) for pawn in self.pawns)

    @property
    def scores(self) -> dict[str, int]:
        """By name in seat order, ticket points and stamps; the running score before the end."""
        totals = (r.points + pawn.stamps for r, pawn in zip(self.receipts, self.pawns, strict=True))
        return dict(zip(self.names, totals, strict=True))

    @property
    def winners(self) -> tuple[str, ...]:
        """The names with the highest score, more than one where they share it; none before the end."""
        scores = self.scores
        return tuple(n for n in self.names if scores[n] == max(scores.values())) if self.over else ()

    @property
    def open_stamps(self) -> tuple[int, ...]:
        """The spaces where nobody has landed in this heat."""
        landed = {pawn.space for queue in self.queues for pawn in queue}
        return tuple(space for space in STAMPED if space not in landed)

    @property
    def story(self) -> tuple[Jump, ...]:
        """The jumps as they happened, in order."""
        return tuple(self._jump(n) for n in range(1, len(self.jumps) + 1))

    @property
    def choices(self) -> tuple[Choice, ...]:
        """For the player whose turn it is, jumps 1, 2 and 3 foretold; none once the heat is over."""
        return () if self.over else tuple(map(self._choice, JUMPS))

    def jump(self, length: int) -> "Heat":
        """The heat after the head's jump of this length; raises `IllegalJump`."""
        number = len(self.jumps) + 1
        if length not in self.legal:
            raise self._refusal(number, self.queue, length)
        after = object.__new__(Heat)  # all but the new jump was checked when it was made
        queues = (*self.queues, play(self.queue, length))
        vars(after).update(fare=self.fare, players=self.players, jumps=f"{self.jumps}{int(length)}", queues=queues)
        return after

    def __deepcopy__(self, memo: object) -> "Heat":
        """Itself: nothing in a heat ever changes, and frameworks copy the states that hold one at every jump."""
        return self

    def undone(self, count: int = 1) -> "Heat":
        """The heat without its last jumps; raises `Refused` where there are not so many."""
        if not 0 <= count <= len(self.jumps):
            raise Refused(
                f"{count} jumps cannot be undone, only 0 to {len(self.jumps)}"
                if self.jumps
                else "there is no jump to undo"
            )
        return Heat(self.fare, self.players, self.jumps[: len(self.jumps) - count])

    def as_json(self) -> dict[str, Any]:
        """The heat in the shape that `botq replay --json` prints."""
        return {
            "names": list(self.names),
            "bots": [player.bot for player in self.players],
            "jumps": self.jumps,
            "over": self.over,
            "turn": self.turn,
            "legal": list(self.legal),
            "queue": [self.names[pawn.seat] for pawn in self.queue if pawn.space < FINISH],
            "open_stamps": list(self.open_stamps),
            "pawns": [
                {
                    "name": name,
                    "space": pawn.space,
                    "tickets": hand_as_json(pawn.tickets),
                    "stamps": pawn.stamps,
                    **receipt.as_json(),
                    "score": self.scores[name],
                }
                for name, pawn, receipt in zip(self.names, self.pawns, self.receipts, strict=True)
            ],
            "winners": list(self.winners),
        }

    def _jump(self, number: int) -> Jump:
        before, after = self.queues[number - 1 : number + 1]
        length, head, then = int(self.jumps[number - 1]), before[0], after[0]
        landing = head.space + length
        name, following = self.names[head.seat], self.names[then.seat] if then.space < FINISH else None
        return Jump(number, name, length, landing, is_first(before, landing), following)

    def _choice(self, length: int) -> Choice:
        if length not in self.legal:
            return Choice(length, None, f"passes {FINISH}")
        return Choice(length, self.jump(length)._jump(len(self.jumps) + 1))

    def _refusal(self, number: int, queue: Queue, jump: object) -> IllegalJump:
        name = self.names[queue[0].seat]
        return IllegalJump(f"jump {number}: {name} is on {why_not(queue, jump)}")


def check_names(names: Sequence[str]) -> None:
    """Raises `BadName` unless each name is well formed and nobody's is another's."""
    if not 1 <= len(names) <= MAX_SEATS:
        raise BadName(f"a heat has 1 to {MAX_SEATS} seats, not {len(names)}")
    taken: dict[str, int] = {}
    for seat, name in enumerate(names, 1):
        if fault := _fault(name):
            raise BadName(f"the name of seat {seat} {fault}")
        first = taken.setdefault(_folded(name), seat)
        if first != seat:
            raise BadName(f"seats {first} and {seat} are both named {shown(name)}: give each its own name")


def draw_lots(players: Sequence[Anything]) -> tuple[Anything, ...]:
    """The players in a fair random order, from the system's randomness."""
    return tuple(SystemRandom().sample(players, len(players)))


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def _fault(name: str) -> str | None:
    """What keeps this from being a name, or None."""
    if name != name.strip() or not name:
        return "has spaces around it" if name.strip() else "is empty"
    if len(name) > LONGEST_NAME:
        return f"is {len(name)} characters long: {LONGEST_NAME} is the most"
    kinds = [unicodedata.category(character) for character in name]
    if any(kind in ("Cc", "Cs", "Zl", "Zp") for kind in kinds):
        return f"holds a character that is no letter, digit or sign: {shown(name)}"
    if not any(kind[0] in "LNPS" and c not in _BLANKS for kind, c in zip(kinds, name, strict=True)):
        return "has nothing that can be seen"
    if all(character.isdigit() or character == "." for character in name):
        return f"is only digits and dots: {shown(name)}: add a letter"
    return None


_BLANKS = "\u115f\u1160\u2800\u3164\uffa0"  # letters and signs that show nothing
