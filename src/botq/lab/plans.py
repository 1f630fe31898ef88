"""The compiled plans: by position, with which chance a kind of player takes each jump.

They are the bots of botq.bots told a second time, along all positions at once.
"""

import numpy as np

from botq.kernel import EQUAL, Floats, Ints, compiled
from botq.lab.positions import Bytes, Flags, Indices


@compiled
def plan_evenly(after: Indices, plan: Floats) -> None:
    """Writes the plan of jumping at random."""
    for here in range(len(after)):
        fits = 0
        for jump in range(3):
            fits += after[here, jump] >= 0
        for jump in range(3):
            plan[here, jump] = 1.0 / fits if after[here, jump] >= 0 else 0.0


@compiled
def plan_best(after: Indices, place: Bytes, values: Floats, plan: Floats) -> None:
    """Writes the plan of taking the head's best jump by these values, evenly among equals."""
    for here in range(len(after)):
        best = -np.inf
        for jump in range(3):
            if after[here, jump] >= 0:
                best = max(best, values[after[here, jump], place[here, jump]])
        equals = 0
        for jump in range(3):
            then = after[here, jump]
            plan[here, jump] = 1.0 if then >= 0 and values[then, place[here, jump]] >= best - EQUAL else 0.0
            equals += plan[here, jump] > 0
        for jump in range(3):
            plan[here, jump] /= max(equals, 1)


@compiled
def plan_winner(after: Indices, place: Bytes, values: Floats, margins: Ints, hopes: Floats, plan: Floats) -> None:
    """Writes, for two seats, the plan of the bot `perfect`: the best share; among equals the widest margin,
    or where all is lost the best hope."""
    for here in range(len(after)):
        best = -1.0
        for jump in range(3):
            if after[here, jump] >= 0:
                best = max(best, values[after[here, jump], place[here, jump]])
        second = -np.inf
        for jump in range(3):
            then, back = after[here, jump], place[here, jump]
            if then >= 0 and values[then, back] >= best - EQUAL:
                worth = hopes[then, back] if best < EQUAL else margins[then] if back == 0 else -margins[then]
                second = max(second, worth)
        equals = 0
        for jump in range(3):
            then, back = after[here, jump], place[here, jump]
            plan[here, jump] = 0.0
            if then >= 0 and values[then, back] >= best - EQUAL:
                worth = hopes[then, back] if best < EQUAL else margins[then] if back == 0 else -margins[then]
                if worth >= second - EQUAL:
                    plan[here, jump] = 1.0
                    equals += 1
        for jump in range(3):
            plan[here, jump] /= max(equals, 1)


@compiled
def plan_softly(after: Indices, place: Bytes, values: Floats, temperature: float, plan: Floats) -> None:
    """Writes the plan of taking each jump with a chance of exp(value / temperature), scaled to add up to 1."""
    for here in range(len(after)):
        best = -1.0
        for jump in range(3):
            if after[here, jump] >= 0:
                best = max(best, values[after[here, jump], place[here, jump]])
        total = 0.0
        for jump in range(3):
            then = after[here, jump]
            plan[here, jump] = np.exp((values[then, place[here, jump]] - best) / temperature) if then >= 0 else 0.0
            total += plan[here, jump]
        for jump in range(3):
            plan[here, jump] /= max(total, EQUAL)


@compiled
def plan_greedily(
    hands: Bytes, after: Indices, place: Bytes, first: Flags, stamp: int, promises: Floats, plan: Floats
) -> None:
    """Writes the plan of the bot `greedy`: most points and promise at once, the shortest among equals."""
    worth = np.empty(3)
    for here in range(len(after)):
        for jump in range(3):
            then = after[here, jump]
            plan[here, jump] = 0.0
            worth[jump] = promises[hands[then, place[here, jump]]] + stamp * first[here, jump] if then >= 0 else -np.inf
        for jump in range(3):
            if after[here, jump] >= 0 and worth[jump] >= worth.max() - EQUAL:
                plan[here, jump] = 1.0
                break
