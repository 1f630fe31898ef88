"""A stated space of fare cards and house rules, numbered, so that any part of it can be told by its numbers."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, combinations_with_replacement, product
from math import comb, prod
from random import Random
from typing import Any

from botq.fares import MOST_LETTERS, MOST_POINTS, MOST_SETS, Fare, FareSet
from botq.lab.study import HouseRules
from botq.rules import LETTERS, MAX_SEATS, Refused, Tickets

Numbers = tuple[int, ...]


@dataclass(frozen=True)
class Space:
    """Every card with so many sets of so many letters, paying so many points, under each of the house rules.

    `compensation` holds the points that each later seat may be given, the front seat getting none.
    `sample` takes so many of them at random, by `seed`.  Raises `Refused` for what no card can have.

    >>> space = Space(seats=2, sets=(1,), letters=(1, 2), points=(3,))
    >>> space.size, [str(card) for card, _ in space.some(range(9))]
    (9, ['A3', 'B3', 'C3', 'AA3', 'AB3', 'AC3', 'BB3', 'BC3', 'CC3'])
    """

    seats: int = 2
    sets: Numbers = (2,)
    letters: Numbers = (2, 3)
    points: Numbers = (1, 2, 3, 4, 5, 6)
    stamps: Numbers = (1,)
    compensation: Numbers = (0,)
    sample: int | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        for told, most, what in (
            (self.sets, MOST_SETS, "sets"),
            (self.letters, MOST_LETTERS, "letters a set"),
            (self.points, MOST_POINTS, "points a set"),
        ):
            if not told or min(told) < 1 or max(told) > most:
                raise Refused(f"a card in the space has 1 to {most} {what}")
        if min(self.stamps) < 0 or max(self.stamps) > 20 or min(self.compensation) < 0 or max(self.compensation) > 50:
            raise Refused("the house rules in the space pay 0 to 20 points a stamp and 0 to 50 points to a later seat")
        if not 1 <= self.seats <= MAX_SEATS:
            raise Refused(f"a heat has 1 to {MAX_SEATS} seats, not {self.seats}")
        if self.sample is not None and not self.sample >= 1:
            raise Refused("a sample takes at least 1 card")

    @cached_property
    def _letters(self) -> list[Tickets]:
        """The sets of letters a set may take, shortest first."""
        return [
            Tickets(*(letters.count(letter) for letter in LETTERS))
            for length in sorted(set(self.letters))
            for letters in combinations_with_replacement(LETTERS, length)
        ]

    @cached_property
    def houses(self) -> list[HouseRules]:
        starts = product((0,), *[self.compensation] * (self.seats - 1))
        return [HouseRules(stamp, start) for start, stamp in product(starts, self.stamps)]

    @property
    def cards(self) -> int:
        """How many cards there are."""
        return sum(comb(len(self._letters), sets) * len(self.points) ** sets for sets in set(self.sets))

    @property
    def size(self) -> int:
        """How many cards under how many house rules, before a sample is taken."""
        return self.cards * len(self.stamps) * prod([len(self.compensation)] * (self.seats - 1))

    def numbers(self) -> range | list[int]:
        """The numbers of all that is to be scored."""
        if self.sample is None or self.sample >= self.size:
            return range(self.size)
        return sorted(Random(self.seed).sample(range(self.size), self.sample))  # noqa: S311  (a draw, no secret)

    def some(self, numbers: range | list[int]) -> Iterator[tuple[Fare, HouseRules]]:
        """The cards and house rules of these numbers; cards change first, then the rules."""
        for number in numbers:
            house, card = divmod(number, self.cards)
            yield self._card(card), self.houses[house]

    def _card(self, number: int) -> Fare:
        for sets in sorted(set(self.sets)):
            ways = len(self.points) ** sets
            if number < (here := comb(len(self._letters), sets) * ways):
                which, paid = divmod(number, ways)
                points = [self.points[paid // len(self.points) ** n % len(self.points)] for n in reversed(range(sets))]
                return Fare(tuple(map(FareSet, self._chosen[sets][which], points)))
            number -= here
        raise IndexError(number)

    @cached_property
    def _chosen(self) -> dict[int, list[tuple[Tickets, ...]]]:
        return {sets: list(combinations(self._letters, sets)) for sets in set(self.sets)}

    def as_json(self) -> dict[str, Any]:
        """The space in words that say it whole."""
        return {
            "seats": self.seats,
            "sets": list(self.sets),
            "letters": list(self.letters),
            "points": list(self.points),
            "stamps": list(self.stamps),
            "compensation": list(self.compensation),
            "sample": self.sample,
            "seed": self.seed,
        }


def numbers(text: str, what: str) -> Numbers:
    """The whole numbers a text tells, such as `2`, `1-6` or `1,3-5`; raises `Refused`.

    >>> numbers("1,3-5", "points")
    (1, 3, 4, 5)
    """
    found: set[int] = set()
    for piece in text.split(","):
        low, dash, high = piece.partition("-")
        if not (low.isdecimal() and (high.isdecimal() if dash else True)) or len(piece) > 7:
            raise Refused(f"{what} reads {text!r}: write whole numbers such as 2, 1-6 or 1,3-5")
        found.update(range(int(low), int(high or low) + 1))
    if not found:
        raise Refused(f"{what} reads {text!r}: the smaller number comes first")
    return tuple(sorted(found))
