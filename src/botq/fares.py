"""Fare cards as data, and the receipt of a hand: the best way to turn tickets into sets."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from botq.rules import FINISH, LETTERS, STAMPED, Refused, Tickets
from botq.words import listed, shown

MOST_SETS, MOST_LETTERS, MOST_POINTS = 8, 12, 99
_SET = re.compile(r"([A-Ca-c]+)([0-9]+)")


class BadFare(Refused):
    """This does not spell a fare card."""


class BadHand(Refused):
    """No pawn can hold these tickets or stamps."""


class FareSet(NamedTuple):
    """One line of a fare card: the tickets a set takes and the points it pays."""

    takes: Tickets
    points: int

    @property
    def letters(self) -> str:
        return "".join(letter * n for letter, n in zip(LETTERS, self.takes, strict=True))

    def __str__(self) -> str:
        return f"{self.letters}{self.points}"


class Claim(NamedTuple):
    """A set on a receipt: how often it is claimed, and the points for all of them together."""

    letters: str
    times: int
    points: int

    def __str__(self) -> str:
        return f"{self.times} × {self.letters} {self.points}" if self.times > 1 else f"{self.letters} {self.points}"


@dataclass(frozen=True)
class Receipt:
    """The best allocation of a hand to the sets of a card; each ticket is in one set at most."""

    claims: tuple[Claim, ...]
    leftover: Tickets

    @property
    def points(self) -> int:
        """Ticket points: what all sets pay, stamps not counted."""
        return sum(claim.points for claim in self.claims)

    def __str__(self) -> str:
        """

        >>> str(FARES["standard"].receipt(4, 1, 2))
        'ABC 5 + AA 1, A and C left over'
        """
        sets = " + ".join(map(str, self.claims)) or "no sets"
        spare = [letter if n == 1 else f"{n} {letter}" for letter, n in zip(LETTERS, self.leftover, strict=True) if n]
        return f"{sets}, {listed(spare)} left over" if spare else sets

    def as_json(self) -> dict[str, Any]:
        return {
            "sets": [{"set": c.letters, "count": c.times, "points": c.points} for c in self.claims],
            "ticket_points": self.points,
            "leftover": hand_as_json(self.leftover),
        }


@dataclass(frozen=True, eq=False)
class Fare:
    """A fare card: its sets in the order printed, all repeatable.

    Two cards with the same sets are equal whatever the order; the order only decides between
    equally good allocations, where most of the first set is taken, then of the second, and so on.

    >>> Fare.parse("aa1-bca5") == FARES["standard"]
    True
    """

    sets: tuple[FareSet, ...]

    @classmethod
    def parse(cls, text: str) -> "Fare":
        """The card with this name or spelling, such as `standard` or `ABC5-AA1`; raises `BadFare`."""
        if named := FARES.get(text.lower()):
            return named
        if not text:
            raise BadFare(f"the fare is missing: {HOW_TO_SPELL}")
        pieces = text.split("-")
        if len(pieces) > MOST_SETS:
            raise BadFare(f"a fare card has at most {MOST_SETS} sets, not {len(pieces)}")
        sets = tuple(_parse_set(piece, number, text) for number, piece in enumerate(pieces, 1))
        for number, one in enumerate(sets):
            if any(one.takes == other.takes for other in sets[:number]):
                raise BadFare(f"set {number + 1} of the fare card repeats {one.letters}: name each set once")
        return cls(sets)

    @property
    def spelling(self) -> str:
        """The card spelled out, letters sorted, sets in the order given: `ABC5-AA1`."""
        return "-".join(map(str, self.sets))

    @property
    def name(self) -> str | None:
        """The name of the printed card with these sets, or None."""
        return next((name for name, card in FARES.items() if card == self), None)

    @property
    def notation(self) -> str:
        """How the card is written in a match: its name if it has one, else its spelling."""
        return self.name or self.spelling

    @property
    def title(self) -> str:
        """How the card is headed on screen and paper."""
        return self.name.capitalize() if self.name else self.spelling

    def receipt(self, a: int, b: int, c: int) -> Receipt:
        """The best allocation of a hand of `a`, `b` and `c` tickets; raises `BadHand`."""
        for letter, n in zip(LETTERS, (a, b, c), strict=True):
            if n < 0:
                raise BadHand(f"a hand cannot hold {n} {letter} tickets: 0 is the fewest")
            if n > FINISH:
                raise BadHand(f"a hand cannot hold more than {FINISH} {letter} tickets: no pawn goes past {FINISH}")
        hand = Tickets(a, b, c)
        if hand.spaces > FINISH:
            raise BadHand(
                f"{a} A, {b} B and {c} C tickets would be {hand.spaces} spaces of jumps: no pawn goes past {FINISH}"
            )
        return self.pays(hand)

    def pays(self, hand: Tickets) -> Receipt:
        """The receipt of a hand known to be possible."""
        return _receipt(self.sets, hand)

    def as_json(self) -> dict[str, Any]:
        return {"name": self.name, "spelling": self.spelling}

    @cached_property
    def _same(self) -> frozenset[FareSet]:
        return frozenset(self.sets)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Fare) and self._same == other._same

    def __hash__(self) -> int:
        return hash(self._same)

    def __str__(self) -> str:
        return self.notation


HOW_TO_SPELL = "write standard, express, local, or the sets with their points, such as ABC5-AA1"


def _parse_set(piece: str, number: int, text: str) -> FareSet:
    found = _SET.fullmatch(piece)
    if not found:
        if number == 1 and "-" not in text:
            raise BadFare(f"there is no fare card {shown(text)}: {HOW_TO_SPELL}")
        raise BadFare(f"set {number} of the fare card reads {shown(piece)}: {HOW_TO_SPELL}")
    letters, points = found[1].upper(), found[2]
    if len(letters) > MOST_LETTERS:
        raise BadFare(f"set {number} of the fare card has {len(letters)} letters: {MOST_LETTERS} is the most")
    if len(points) > 1 and points[0] == "0":
        raise BadFare(f"set {number} of the fare card pays {shown(points)}: write it without the leading 0")
    if len(points) > 2:
        raise BadFare(f"set {number} of the fare card pays {shown(points)}: {MOST_POINTS} points is the most")
    return FareSet(Tickets(*(letters.count(letter) for letter in LETTERS)), int(points))


@lru_cache(maxsize=65536)
def _receipt(sets: tuple[FareSet, ...], hand: Tickets) -> Receipt:
    """Tries every way to claim sets, most of the first set first, so that it wins among equals."""
    best = Receipt((), hand)
    for way in _ways(sets, hand):
        if way.points > best.points:
            best = way
    return best


def _ways(sets: tuple[FareSet, ...], hand: Tickets) -> Iterator[Receipt]:
    if not sets:
        yield Receipt((), hand)
        return
    takes, points = sets[0]
    most = min(have // need for have, need in zip(hand, takes, strict=True) if need) if points else 0
    for count in range(most, -1, -1):
        rest = Tickets(*(have - count * need for have, need in zip(hand, takes, strict=True)))
        claim = (Claim(sets[0].letters, count, count * points),) if count else ()
        for way in _ways(sets[1:], rest):
            yield Receipt(claim + way.claims, way.leftover)


def checked_stamps(stamps: int) -> int:
    """The stamp tally if a pawn can have it; raises `BadHand`."""
    if not 0 <= stamps <= len(STAMPED):
        raise BadHand(f"a stamp tally is 0 to {len(STAMPED)}, not {stamps}")
    return stamps


def score_as_json(fare: Fare, a: int, b: int, c: int, stamps: int = 0) -> dict[str, Any]:
    """A hand's receipt and stamps in the shape that `botq score --json` prints; raises `BadHand`."""
    receipt = fare.receipt(a, b, c)
    score = receipt.points + checked_stamps(stamps)
    return {"fare": fare.as_json(), **receipt.as_json(), "stamps": stamps, "score": score}


def hand_as_json(hand: Tickets) -> dict[str, int]:
    return dict(zip(LETTERS, hand, strict=True))


FARES: dict[str, Fare] = {}
FARES |= {
    "standard": Fare.parse("ABC5-AA1"),
    "express": Fare.parse("BC4-AAA2"),
    "local": Fare.parse("AAB4-CC3"),
}
