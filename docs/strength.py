"""Each bot against each other, over every seating: the tables of docs/bots.md.

    python docs/strength.py [--fares standard express local] [--heats 200] [--seats 2 3 4] [--bots greedy easy ...]

Beside the bots there is `beginner`, by whom `easy` was chosen.

With two seats the shares are exact: every position is weighted by the chances of both bots.  With more,
so many heats are drawn at each of the seatings where the two bots hold all seats between them, each bot
at least one; over all of them both hold equally many seats, so 50 % is even.
"""

import argparse
from collections.abc import Sequence
from functools import cache
from itertools import combinations, product
from math import sqrt
from statistics import mean, pstdev

from botq.bots import BOTS, Bot, Chances
from botq.fares import FARES
from botq.heat import Heat
from botq.rules import Queue, play
from botq.search import final_shares


def beginner(heat: Heat) -> Chances:
    """Greedy half of the time, random the other half: who should beat easy."""
    halves = [BOTS[name].chances(heat) for name in ("greedy", "random")]
    return {jump: sum(chances.get(jump, 0) for chances in halves) / 2 for jump in heat.legal}


ALL = BOTS | {"beginner": Bot("beginner", "greedy or random", beginner)}
Even = tuple[float, float]  # a bot's share, and half the width of its 95 % interval


def opening(fare: str, seats: int) -> Heat:
    return Heat.of(fare, [f"Player {seat}" for seat in range(1, seats + 1)])


def shares_at_the_end(heat: Heat) -> tuple[float, ...]:
    return final_shares([*heat.scores.values()])


@cache
def layers(fare: str) -> list[dict[Queue, Heat]]:
    """Every two-seat position by the number of jumps before it, with one heat that reaches it."""
    found = [{heat.queue: heat for heat in [opening(fare, 2)]}]
    while found[-1]:
        found.append({after.queue: after for heat in found[-1].values() for after in map(heat.jump, heat.legal)})
    return found


@cache
def chances(fare: str, bot: Bot) -> dict[Queue, Chances]:
    return {queue: bot.chances(heat) for layer in layers(fare) for queue, heat in layer.items() if not heat.over}


def exact(fare: str, front: Bot, back: Bot) -> float:
    """The front bot's share with two seats."""
    weight = {opening(fare, 2).queue: 1.0}
    share = 0.0
    for layer in layers(fare):
        for queue, heat in layer.items():
            if not (here := weight.pop(queue, 0.0)):
                continue
            if heat.over:
                share += here * shares_at_the_end(heat)[0]
                continue
            for jump, chance in chances(fare, (front, back)[queue[0].seat])[queue].items():
                after = play(queue, jump)
                weight[after] = weight.get(after, 0.0) + here * chance
    return share


def drawn(fare: str, seats: int, one: Bot, other: Bot, heats: int) -> Even:
    """The first bot's share of the win over all seatings with both bots in them."""
    seatings = [bots for bots in product((one, other), repeat=seats) if len(set(bots)) > 1]
    outcomes = [[_play(fare, bots, one, number) for number in range(heats)] for bots in seatings]
    spread = sqrt(mean(pstdev(some) ** 2 for some in outcomes) / (heats * len(seatings)))  # within each seating
    return mean(map(mean, outcomes)), 1.96 * spread


def _play(fare: str, bots: Sequence[Bot], one: Bot, number: int) -> float:
    heat = opening(fare, len(bots))
    while not heat.over:
        heat = heat.jump(bots[heat.queue[0].seat](heat, number))
    return sum(share for bot, share in zip(bots, shares_at_the_end(heat), strict=True) if bot is one)


def compare(fare: str, seats: int, one: Bot, other: Bot, heats: int) -> Even:
    if seats == 2:
        return (exact(fare, one, other) + 1 - exact(fare, other, one)) / 2, 0.0
    return drawn(fare, seats, one, other, heats)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fares", nargs="+", default=[*FARES])
    parser.add_argument("--seats", nargs="+", type=int, default=[2, 3])
    parser.add_argument("--heats", type=int, default=200, help="heats drawn a seating, with three seats and more")
    parser.add_argument("--bots", nargs="+", default=[*BOTS])
    asked = parser.parse_args()
    bots = [ALL[name] for name in asked.bots]
    for seats, fare in product(asked.seats, asked.fares):
        found = {(bot, bot): (0.5, 0.0) for bot in bots}
        for one, other in combinations(bots, 2):
            share, half = compare(fare, seats, one, other, asked.heats)
            found |= {(one, other): (share, half), (other, one): (1 - share, half)}
        widest = max(half for _, half in found.values())
        print(f"\n{fare.capitalize()}, {seats} seats" + (f" (each ±{widest:.1%} at most)" if widest else " (exact)"))
        print("\n| share of … against |", *(f" {bot.name} |" for bot in bots), sep="")
        print("|---|" + "---|" * len(bots))
        for bot in bots:
            print(f"| {bot.name} |", *(f" {found[bot, other][0]:.1%} |" for other in bots), sep="", flush=True)


if __name__ == "__main__":
    main()
