"""Looks ahead by playouts, for a position that is too far from the end to be solved.

The method is Monte-Carlo tree search: each playout walks down the tree built so far by the UCB1 rule
(Kocsis and Szepesvári, "Bandit based Monte-Carlo planning", ECML 2006), adds one position, plays on at
random to the end, and adds the shares of the win to every position on its way.  With several seats each
mover looks at its own share only, which is Max^n (Luckhardt and Irani, AAAI 1986) carried over to
playouts (Sturtevant, "An analysis of UCT in multi-player games", 2008).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import inf, log, sqrt
from random import Random

from botq.fares import Fare
from botq.rules import Queue, legal_jumps, play

Shares = tuple[float, ...]  # by seat, adding up to 1

CURIOSITY = 0.5  # how far UCB1 leans towards what was tried little; shares lie between 0 and 1


@dataclass
class _Node:
    """A position in the tree: how often playouts passed it, and the shares they brought."""

    queue: Queue
    visits: int = 0
    total: list[float] = field(default_factory=list)
    after: "dict[int, _Node]" = field(default_factory=dict)

    def add(self, shares: Shares) -> None:
        self.visits += 1
        self.total = [*map(sum, zip(self.total, shares, strict=True))] if self.total else [*shares]

    def jump_to_try(self, random: Random, guess: bool) -> int:
        """A jump not tried yet, else the one that UCB1 picks, or any where this mover guesses."""
        jumps = legal_jumps(self.queue)
        if untried := [jump for jump in jumps if jump not in self.after]:
            return random.choice(untried)
        return random.choice(jumps) if guess else max(jumps, key=self._promise)

    def _promise(self, jump: int) -> float:
        after = self.after[jump]
        own = after.total[self.queue[0].seat] / after.visits
        return own + CURIOSITY * sqrt(log(self.visits) / after.visits)


def search(fare: Fare, queue: Queue, playouts: int, random: Random, *, guessing: bool = False) -> dict[int, Shares]:
    """For each jump open to the head, every seat's mean share over the playouts that began with it.

    The work is bounded by the number of playouts and the answer fixed by `random`.  With `guessing`
    everybody but the head is taken for somebody who jumps at random, so the shares say how often the
    head wins against players who err.  Empty once the heat is over.
    """
    root = _Node(queue)
    for _ in range(playouts if legal_jumps(queue) else 0):
        path = _grow(root, random, queue[0].seat if guessing else None)
        shares = _play_on(fare, path[-1].queue, random)
        for node in path:
            node.add(shares)
    return {jump: tuple(total / node.visits for total in node.total) for jump, node in sorted(root.after.items())}


def _grow(root: _Node, random: Random, only: int | None) -> list[_Node]:
    """The nodes from the root down to one just added, or down to the end of the heat."""
    path = [root]
    while path[-1].visits or path[-1] is root:
        node = path[-1]
        if not legal_jumps(node.queue):
            break
        jump = node.jump_to_try(random, only is not None and node.queue[0].seat != only)
        if jump not in node.after:
            node.after[jump] = _Node(play(node.queue, jump))
        path.append(node.after[jump])
    return path


def _play_on(fare: Fare, queue: Queue, random: Random) -> Shares:
    while jumps := legal_jumps(queue):
        queue = play(queue, random.choice(jumps))
    return final_shares([fare.pays(pawn.tickets).points + pawn.stamps for pawn in sorted(queue)])


def final_shares(scores: Sequence[int]) -> Shares:
    """Each seat's share of the win with these final scores: 1/k for k tied leaders, else 0."""
    best = max(scores, default=-inf)
    return tuple((score == best) / scores.count(best) for score in scores)
