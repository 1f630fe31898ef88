"""A second telling of the rules, slow and literal: paper, pawns, and circles crossed out with a pencil.

It shares no code with the game.  The tests hold the game against it.
"""

from collections.abc import Sequence
from itertools import product


class Referee:
    """Thirteen spaces with a line of pawns on each, eleven circles, and a tally sheet a player."""

    def __init__(self, players: int) -> None:
        self.spaces: list[list[int]] = [[] for _ in range(13)]
        self.spaces[0] = list(range(players))
        self.circles = [space in range(1, 12) for space in range(13)]
        self.tickets = [{"A": 0, "B": 0, "C": 0} for _ in range(players)]
        self.stamps = [0] * players

    @property
    def lowest(self) -> int | None:
        """The lowest space with an unfinished pawn, None once everybody is on 12."""
        for space in range(12):
            if self.spaces[space]:
                return space
        return None

    @property
    def allowed(self) -> list[int]:
        return [] if self.lowest is None else [jump for jump in (1, 2, 3) if self.lowest + jump <= 12]

    def move(self, jump: int) -> None:
        """Moves the front pawn of the lowest space and marks what it earned."""
        assert jump in self.allowed
        space = self.lowest
        assert space is not None
        player = self.spaces[space].pop(0)
        self.tickets[player][{1: "A", 2: "B", 3: "C"}[jump]] += 1
        destination = space + jump
        if self.circles[destination]:
            self.circles[destination] = False
            self.stamps[player] += 1
        self.spaces[destination].append(player)

    @property
    def order(self) -> list[tuple[int, int]]:
        """(space, player) from the rearmost on, each space front to back."""
        return [(space, player) for space in range(13) for player in self.spaces[space]]

    @property
    def open_circles(self) -> list[int]:
        return [space for space in range(13) if self.circles[space]]

    def copy(self) -> "Referee":
        other = Referee(0)
        other.spaces = [list(line) for line in self.spaces]
        other.circles = list(self.circles)
        other.tickets = [dict(hand) for hand in self.tickets]
        other.stamps = list(self.stamps)
        return other

    @property
    def sheet(self) -> tuple[object, ...]:
        """All that lies on the table, as something that can be compared."""
        hands = tuple(tuple(hand.values()) for hand in self.tickets)
        return tuple(map(tuple, self.spaces)), tuple(self.circles), hands, tuple(self.stamps)


HANDS = [(a, b, c) for a, b, c in product(range(13), range(7), range(5)) if a + 2 * b + 3 * c <= 12]
Card = Sequence[tuple[str, int]]  # the letters and the points of each set


def all_allocations(card: Card) -> list[tuple[tuple[int, ...], tuple[int, int, int]]]:
    """Every way to take sets of a card with what some pawn may hold: how many of each, and the tickets used."""
    none = ((0,) * len(card), (0, 0, 0))
    found, new = {none}, [none]
    while new:
        counts, used = new.pop()
        for number, (letters, points) in enumerate(card):
            more = tuple(n + letters.count(letter) for n, letter in zip(used, "ABC", strict=True))
            if points and more[0] + 2 * more[1] + 3 * more[2] <= 12:
                way = ((*counts[:number], counts[number] + 1, *counts[number + 1 :]), (more[0], more[1], more[2]))
                if way not in found:
                    found.add(way)
                    new.append(way)
    return list(found)


def best_allocation(
    card: Card, hand: tuple[int, int, int], ways: list[tuple[tuple[int, ...], tuple[int, int, int]]]
) -> tuple[int, tuple[int, ...]]:
    """The most points, and among the ways to them the one with most of the first set, then the second, and so on."""
    return max(
        (sum(n * points for n, (_, points) in zip(counts, card, strict=True)), counts)
        for counts, used in ways
        if all(n <= have for n, have in zip(used, hand, strict=True))
    )
