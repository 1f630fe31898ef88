"""Who plays when nobody sits there: strategies by name, from blind to perfect.

A bot is a function of a heat.  It is memoryless: the position alone fixes the chances with which it
takes each jump, and a seed fixes which one it takes.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import exp
from random import Random

from botq.fares import Fare
from botq.heat import Heat, Player
from botq.notation import Match
from botq.oracle import EQUAL, worth
from botq.rules import FINISH, JUMPS, Queue, Refused, Tickets, is_first, legal_jumps, play
from botq.search import Shares, final_shares, search
from botq.words import listed, shown

Chances = Mapping[int, float]  # by legal jump, adding up to 1

TEMPERATURES = {"easy": 1.5, "medium": 0.4, "hard": 0.1}  # docs/bots.md tells how they were chosen
PLAYOUTS = 3000  # of the search, where a position cannot be solved
GUESSES = 400  # playouts against guessing opponents, to choose among lost positions


class UnknownBot(Refused):
    """There is no bot of this name."""


@dataclass(frozen=True)
class Bot:
    """A strategy with a name and a plain description.

    `chances(heat)` holds, for each legal jump, how likely the bot is to take it; jumps it never takes
    may be missing.  It raises `Refused` once the heat is over.

    >>> BOTS["longest"](Heat.of("standard", ["Jo", "Kit"]))
    3
    """

    name: str
    description: str
    chances: Callable[[Heat], Chances]

    def __call__(self, heat: Heat, seed: int | str = 0) -> int:
        """The jump it takes: with the same seed, always the same in the same position of the same heat."""
        chances = self.chances(heat)
        random = Random(f"{seed}/{heat.fare}/{','.join(heat.names)}/{heat.jumps}")  # noqa: S311  (a game)
        return random.choices([*chances], [*chances.values()])[0]


def at_random(heat: Heat) -> Chances:
    """Every legal jump equally often."""
    return _evenly(_legal(heat))


def shortest(heat: Heat) -> Chances:
    """Always jump 1."""
    return {min(_legal(heat)): 1.0}


def longest(heat: Heat) -> Chances:
    """Always the longest jump that fits."""
    return {max(_legal(heat)): 1.0}


def greedy(heat: Heat) -> Chances:
    """The jump after which stamps and tickets promise most; the shortest among equals."""
    head = heat.queue[0]

    def points(jump: int) -> float:
        return is_first(heat.queue, head.space + jump) + promise(heat.fare, head.tickets.plus(jump))

    points_of = {jump: points(jump) for jump in _legal(heat)}
    return {min(_best(points_of)): 1.0}


@lru_cache(maxsize=4096)
def promise(fare: Fare, hand: Tickets) -> float:
    """The ticket points a hand ends with on average if the rest of its way is jumped at random.

    >>> promise(Fare.parse("standard"), Tickets(a=9, b=1))  # 1 more space: a tenth A, so 5 pairs
    5.0
    """
    after = [hand.plus(jump) for jump in JUMPS if hand.spaces + jump <= FINISH]
    if not after:
        return float(fare.pays(hand).points)
    return sum(promise(fare, one) for one in after) / len(after)


def softmax(temperature: float) -> Callable[[Heat], Chances]:
    """A strategy that takes each jump with a chance of exp(value / temperature), scaled to add up to 1.

    The value is the mover's share of the win, an even share counting 1 so that a level means the same
    with few seats and many.  At a high temperature all jumps look alike, at a low one only the best
    is taken.
    """

    def chances(heat: Heat) -> Chances:
        seat, values, seats = _head(heat), values_of(heat), len(heat.players)
        best = max(shares[seat] for shares in values.values())
        weights = {jump: exp(seats * (shares[seat] - best) / temperature) for jump, shares in values.items()}
        return {jump: weight / sum(weights.values()) for jump, weight in weights.items()}

    return chances


def perfect(heat: Heat) -> Chances:
    """A jump no other is better than.

    Among equally good ones, with two seats: the widest margin.  Where all is lost: the jump that
    wins most often against opponents who jump at random.  What is equal even then, equally often.
    """
    seat, values = _head(heat), values_of(heat)
    own = {jump: shares[seat] for jump, shares in values.items()}
    best = _best(own)
    if len(best) > 1 and max(own.values()) < EQUAL:
        best = _best(_hopes(heat.fare, heat.queue))
    elif len(best) > 1 and len(heat.players) == 2 and (margins := worth(heat, "margin")):
        best = _best({told.jump: told.values[seat] for told in margins.jumps if told.jump in best})
    return _evenly(best)


_LEVELS = {name: softmax(temperature) for name, temperature in TEMPERATURES.items()}


def values_of(heat: Heat) -> dict[int, Shares]:
    """By legal jump, every seat's share of the win: exact where it can be had, else what a search found."""
    if exact := worth(heat):
        return {told.jump: told.values for told in exact.jumps}
    return _searched(heat.fare, heat.queue)


@lru_cache(maxsize=4096)
def _searched(fare: Fare, queue: Queue) -> dict[int, Shares]:
    return search(fare, queue, PLAYOUTS, _fixed_by(fare, queue))


@lru_cache(maxsize=4096)
def _hopes(fare: Fare, queue: Queue) -> dict[int, float]:
    """By jump, the head's share of the win if it goes on well and everybody else jumps at random."""
    if len(queue) == 2:
        return {jump: _hope(fare, play(queue, jump), queue[0].seat) for jump in legal_jumps(queue)}
    found = search(fare, queue, GUESSES, _fixed_by(fare, queue), guessing=True)
    return {jump: shares[queue[0].seat] for jump, shares in found.items()}


@lru_cache(maxsize=1 << 17)  # all positions of two seats
def _hope(fare: Fare, queue: Queue, seat: int) -> float:
    """The seat's share of the win if it plays to win and the other seat at random."""
    after = [_hope(fare, play(queue, jump), seat) for jump in legal_jumps(queue)]
    if not after:
        return final_shares([fare.pays(pawn.tickets).points + pawn.stamps for pawn in sorted(queue)])[seat]
    return max(after) if queue[0].seat == seat else sum(after) / len(after)


BOTS = {
    bot.name: bot
    for bot in (
        Bot("random", "jumps without looking, every jump equally often", at_random),
        Bot("shortest", "always jumps 1: many turns and many A tickets", shortest),
        Bot("longest", "always jumps as far as it can: few turns and many C tickets", longest),
        Bot("greedy", "takes what promises most points and never looks at anybody else", greedy),
        Bot("easy", "knows what every jump is worth, and often picks another: a beginner can win", _LEVELS["easy"]),
        Bot("medium", "picks a good jump more often than not", _LEVELS["medium"]),
        Bot("hard", "hardly ever lets a good jump go by", _LEVELS["hard"]),
        Bot("perfect", "never gives away any part of the win, and makes the most of your mistakes", perfect),
    )
}
NEVER_SOLVED = "Early in a heat of five or six seats, where nobody can know, it tries out a few thousand games instead."


def bot_of(player: Player) -> Bot | None:
    """The bot that plays for this player, None for a person; raises `UnknownBot`."""
    if player.bot is None:
        return None
    if bot := BOTS.get(player.bot):
        return bot
    raise UnknownBot(f"{player.name} is to be played by {shown(player.bot)}, but the bots are {listed(BOTS)}")


def check_bots(match: Match) -> None:
    """Raises `UnknownBot` where a seat is to be played by a bot that there is not."""
    for player in match.players:
        bot_of(player)


def moved_by_bot(match: Match) -> Match:
    """The match after the jump of the bot whose turn it is; where no person plays, at the end of the heat.

    Each jump is seeded by the notation before it, so that the same match always goes on the same.
    """
    while match.heat.head and (bot := bot_of(match.heat.head)):
        match = match.jump(bot(match.heat, match.notation))
        if any(player.bot is None for player in match.players):
            break
    return match


def taken_back(match: Match) -> Match | None:
    """The match before the last jump that a person made, None where bots alone brought it here.

    From a second heat that no person has jumped in, back to the end of the first.
    """
    while match.heat.jumps:
        match = match.undone()
        if match.heat.head and not match.heat.head.bot:
            return match
    return match.undone() if len(match.jumps) == 2 else None


def _legal(heat: Heat) -> tuple[int, ...]:
    if heat.over:
        raise Refused("the heat is over: no jump is left")
    return heat.legal


def _head(heat: Heat) -> int:
    return heat.queue[0].seat if _legal(heat) else -1


def _best(worths: Mapping[int, float]) -> list[int]:
    return [jump for jump, worth in worths.items() if worth >= max(worths.values()) - EQUAL]


def _evenly(jumps: Sequence[int]) -> Chances:
    return dict.fromkeys(jumps, 1 / len(jumps))


def _fixed_by(fare: Fare, queue: Queue) -> Random:
    return Random(f"{fare.spelling}{queue}")  # noqa: S311  (a game)
