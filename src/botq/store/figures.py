"""What the playtest log says of a fare card and a number of seats: the evidence for balance and timing."""

from collections import defaultdict
from collections.abc import Iterable
from statistics import mean, quantiles
from typing import NamedTuple

from botq.fares import Fare
from botq.store.playtests import Playtest


class Spread(NamedTuple):
    """The lower quartile, the median and the upper quartile of so many measured things."""

    measured: int
    low: float
    median: float
    high: float

    @classmethod
    def of(cls, things: Iterable[float]) -> "Spread | None":
        """The spread of what was measured, or None where nothing was.

        >>> Spread.of([1, 2, 3, 4, 5])
        Spread(measured=5, low=2.0, median=3.0, high=4.0)
        """
        values = sorted(things)
        if not values:
            return None
        quarters = quantiles(values, n=4, method="inclusive") if len(values) > 1 else [values[0]] * 3
        return cls(len(values), *map(float, quarters))


class Figures(NamedTuple):
    """All finished heats on one card with so many seats; lists run over the places of the opening queue."""

    fare: Fare
    seats: int
    heats: int
    scores: list[float]  # mean score by place
    wins: list[float]  # share of the wins by place, a win shared by k counting 1/k to each
    jumps: Spread | None  # in a heat
    minutes: Spread | None  # a heat
    seconds: Spread | None  # a jump


def figures(heats: Iterable[Playtest]) -> list[Figures]:
    """The figures by card and seats, most played first."""
    groups: defaultdict[tuple[Fare, int], list[Playtest]] = defaultdict(list)
    for heat in heats:
        groups[heat.heat.fare, len(heat.heat.players)].append(heat)
    found = [_figures(fare, seats, played) for (fare, seats), played in groups.items()]
    return sorted(found, key=lambda one: (-one.heats, one.seats, one.fare.notation))


def _figures(fare: Fare, seats: int, played: list[Playtest]) -> Figures:
    scores = [list(one.heat.scores.values()) for one in played]
    shares = [[(name in one.heat.winners) / len(one.heat.winners) for name in one.heat.names] for one in played]
    return Figures(
        fare,
        seats,
        len(played),
        [mean(by_place) for by_place in zip(*scores, strict=True)],
        [mean(by_place) for by_place in zip(*shares, strict=True)],
        Spread.of(len(one.heat.jumps) for one in played),
        Spread.of(minutes for one in played if (minutes := one.minutes) is not None),
        Spread.of(second for one in played for second in one.seconds if second is not None),
    )
