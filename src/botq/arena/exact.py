"""An exact comparison of two memoryless strategies: no heat is drawn, every heat is weighed.

A strategy that looks at nothing but the queue and the fare takes the same chances however a
position was reached.  So it is enough to follow, layer by layer, how likely each position is:
all 859,329 heats are weighed by their probability in some sixty thousand positions.
"""

from collections.abc import Callable, Iterable, Sequence
from math import fsum
from typing import NamedTuple

from botq.arena.strategies import Chances, Strategy
from botq.fares import Fare
from botq.heat import Heat, Player
from botq.rules import FINISH, Queue

NAMES = ("Front", "Back")
SEATS = len(NAMES)
ASKED = 3  # times a position is put to a strategy that may draw its jumps
ALIKE = 1e-12  # chances that differ by less are the same


class NotMemoryless(Exception):
    """A strategy answered differently where only the way to the position differed."""


class Outcome(NamedTuple):
    """By seat, the expected share of the win and score; and in how many different heats they can arise."""

    shares: tuple[float, ...]
    scores: tuple[float, ...]
    heats: int


class Game:
    """The positions of a two-seat game as they are found, each with a heat that leads there."""

    def __init__(self, fare: Fare) -> None:
        opening = Heat(fare, tuple(map(Player, NAMES)))
        self.opening = opening.queue
        self._heats: dict[Queue, Heat] = {opening.queue: opening}
        self._after: dict[tuple[Queue, int], tuple[Queue, Heat | None]] = {}

    def heat(self, queue: Queue) -> Heat:
        """The heat by which this position was first found."""
        return self._heats[queue]

    def after(self, queue: Queue, jump: int) -> tuple[Queue, Heat | None]:
        """The position a jump leads to, and the heat that leads there this way if it was found by another first."""
        if (queue, jump) not in self._after:
            heat = self._heats[queue].jump(jump)
            first = self._heats.setdefault(heat.queue, heat)
            self._after[queue, jump] = (heat.queue, None if first is heat else heat)
        return self._after[queue, jump]


class Answers:
    """What one strategy answers, by position, kept.

    One that is not trusted is asked several times, with a seed each, and once more where a second way
    leads to a position: raises `NotMemoryless` where it does not take the same chances each time.
    """

    def __init__(self, strategy: Strategy) -> None:
        self._strategy = strategy
        self._kept: dict[Queue, Chances] = {}
        self._twice: set[Queue] = set()

    def at(self, heat: Heat) -> Chances:
        if heat.queue not in self._kept:
            self._kept[heat.queue] = self._strategy.chances(heat, 0)
            if not self._strategy.trusted:
                for seed in range(1, ASKED):
                    self._compare(heat, heat, seed)
        return self._kept[heat.queue]

    def again(self, heat: Heat, other: Heat) -> None:
        """Asks by another way to the same position, once."""
        if not self._strategy.trusted and heat.queue not in self._twice and heat.legal:
            self._twice.add(heat.queue)
            self._compare(heat, other, ASKED)

    def _compare(self, heat: Heat, other: Heat, seed: int) -> None:
        once, twice = self.at(heat), self._strategy.chances(other, seed)
        if any(abs(once.get(jump, 0) - twice.get(jump, 0)) > ALIKE for jump in {*once, *twice}):
            raise NotMemoryless(self._strategy.name)


def weigh(game: Game, seated: Sequence[Answers], watch: Callable[[int], None] = lambda layer: None) -> Outcome:
    """The exact outcome of two strategies, by seat; raises `Misplay` or `NotMemoryless`.

    `watch` is told the number of every layer followed, 0 to 23.
    """
    layers: list[dict[Queue, tuple[float, int]]] = [{} for _ in range(FINISH * SEATS + 1)]
    layers[0][game.opening] = (1.0, 1)
    for number, layer in enumerate(layers[:-1]):
        watch(number)
        for queue, (chance, ways) in layer.items():
            answers = seated[queue[0].seat]
            for jump, part in answers.at(game.heat(queue)).items():
                then, other_way = game.after(queue, jump)
                if other_way:
                    seated[then[0].seat].again(game.heat(then), other_way)
                before = layers[number + jump].get(then, (0.0, 0))
                layers[number + jump][then] = (before[0] + chance * part, before[1] + ways)
    ends = [(chance, ways, game.heat(queue)) for queue, (chance, ways) in layers[-1].items()]
    return Outcome(
        _mean((chance, shares(heat)) for chance, _, heat in ends),
        _mean((chance, tuple(heat.scores.values())) for chance, _, heat in ends),
        sum(ways for _, ways, _ in ends),
    )


def shares(heat: Heat) -> tuple[float, ...]:
    """By seat, the share of the win in a heat that is over."""
    return tuple((name in heat.winners) / len(heat.winners) for name in heat.names)


def _mean(weighed: Iterable[tuple[float, Sequence[float]]]) -> tuple[float, ...]:
    parts = [[chance * value for value in values] for chance, values in weighed]
    return tuple(map(fsum, zip(*parts, strict=True)))
