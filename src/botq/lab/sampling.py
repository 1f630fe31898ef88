"""What a heat looks like with more seats than can be laid out: heats drawn by the exact values, and counted."""

from collections import Counter
from math import exp
from random import Random
from typing import Any

import numpy as np

from botq.bots import TEMPERATURES
from botq.fares import Fare
from botq.kernel import EQUAL, FINAL_HANDS, Floats
from botq.lab import counts
from botq.lab.expectations import told
from botq.lab.study import Study
from botq.rules import FINISH, JUMPS, Queue, form_queue, is_first, play
from botq.solver import Solution, Worth, solve

HEATS = 400  # for each kind of player: shares are known to about 0.02
POSITIONS = 200_000  # values remembered


class Sample:
    """Heats of a card drawn for one kind of player after the other, always the same ones."""

    def __init__(self, study: Study) -> None:
        self._study = study
        self._solution: Solution = solve(study.fare, study.seats, stamp=study.rules.stamp, start=study.start)
        self._known: dict[Queue, Worth] = {}

    def expectations(self, name: str) -> dict[str, Any]:
        """The mean of `HEATS` heats of players of this name, told as `Study.expectations` does; what only
        laying out every position can tell is None."""
        luck = Random(f"{self._study.fare}/{name}")  # noqa: S311  (a draw, no secret)
        sums, lengths, won = np.zeros(counts.SUMS), Counter[int](), np.zeros(self._study.seats)
        for _ in range(HEATS):
            queue, jumps = form_queue(self._study.seats), 0
            while (worth := self._worth(queue)).turn is not None:
                queue, jumps = self._jump(queue, worth, name, luck, sums), jumps + 1
            lengths[jumps] += 1
            won += worth.values
            sums[counts.SHARED] += max(worth.values) < 1
        shares = [float(share) for share in won / HEATS]
        found = told(self._study, shares, sums / HEATS, {n: x / HEATS for n, x in sorted(lengths.items())})
        return found | {"heats": HEATS, "decided_before_end": None}

    def _worth(self, queue: Queue) -> Worth:
        if queue not in self._known:
            if len(self._known) >= POSITIONS:
                self._known.clear()
            self._known[queue] = self._solution.at(queue)
        return self._known[queue]

    def _jump(self, queue: Queue, worth: Worth, name: str, luck: Random, sums: Floats) -> Queue:
        """The queue after the head's jump, drawn; adds to the sums what `counts.tally` would."""
        seat, fare, stamp = queue[0].seat, self._study.fare, self._study.rules.stamp
        own = {jump.jump: jump.values[seat] for jump in worth.jumps}
        best, worst = max(own.values()), min(own.values())
        if len(own) > 1:
            equals = sum(value >= best - EQUAL for value in own.values())
            sums[counts.TURNS] += 1
            sums[counts.SPREAD] += best - worst
            sums[counts.MATTERS] += best - worst > EQUAL
            sums[counts.ONE_BEST] += best - worst > EQUAL and equals == 1
        weights = [_weight(self._study.seats * (value - best), name) for value in own.values()]
        jump = luck.choices([*own], weights)[0]
        stamped = is_first(queue, queue[0].space + jump)
        hand = queue[0].tickets.plus(jump)
        before, after = _score(fare, queue[0].tickets), _score(fare, hand)
        points = queue[0].stamps * stamp + self._study.start[seat]
        front = max(_score(fare, p.tickets) + p.stamps * stamp + self._study.start[p.seat] for p in queue[1:])
        sums[counts.JUMPED + JUMPS.index(jump)] += 1
        sums[counts.STAMPS] += stamped
        sums[counts.TAKES_LEAD] += before + points < front <= after + points + stamp * stamped
        if hand.spaces == FINISH:
            sums[counts.ENDED + FINAL_HANDS.index(hand)] += 1
        return play(queue, jump)


def _score(fare: Fare, hand: Any) -> int:
    return fare.pays(hand).points


def _weight(behind: float, name: str) -> float:
    """How likely a jump is taken that is worth so much less than the best, an even share counting 1."""
    if temperature := TEMPERATURES.get(name):
        return exp(behind / temperature)
    return float(behind > -EQUAL)
