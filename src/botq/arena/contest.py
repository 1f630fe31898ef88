"""Runs a comparison: exact where it can be, else sampled; what was played is kept and taken up again."""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import combinations
from math import ceil
from pathlib import Path
from typing import Any

from botq.arena.exact import SEATS, Answers, Game, NotMemoryless, weigh
from botq.arena.sampled import ALL_SEATINGS, Block, Bound, play_block, seatings_of, told_apart
from botq.arena.scroll import Scroll
from botq.arena.standings import Group, Row, standings
from botq.arena.strategies import SECONDS_A_JUMP, Misplay, Strategy, load
from botq.fares import Fare
from botq.rules import MAX_SEATS, Refused
from botq.words import listed

HEATS = 1000  # at most, for each choice of strategies
LONGEST_LIMIT = 3600  # seconds a jump; what waits for ever is what the limit is there against
RISK = 0.05  # that an interval misses

Watch = Callable[[float, float], None]  # told how much is done, of how much at most


@dataclass(frozen=True)
class Comparison:
    """What a comparison found: `groups`, one for each choice of strategies, and the `table` of all.

    `stopped` names the strategies that failed, and why; their groups are left out.  `interrupted`: it
    was broken off, and holds what was done by then.
    """

    fare: Fare
    seats: int
    groups: tuple[Group, ...]
    table: tuple[Row, ...]
    stopped: dict[str, str]
    interrupted: bool

    @property
    def method(self) -> str:
        return "exact" if all(group.method == "exact" for group in self.groups) else "sampled"

    @property
    def seatings(self) -> str:
        """`all` seatings of each choice of strategies are played, or a `balanced` sample."""
        return "all" if self.seats <= ALL_SEATINGS else "balanced"

    def as_json(self) -> dict[str, Any]:
        return {
            "fare": self.fare.as_json(),
            "seats": self.seats,
            "method": self.method,
            "seatings": self.seatings,
            "table": [row._asdict() for row in self.table],
            "pairs": [group.as_json() for group in self.groups],
            "stopped": [{"bot": bot, "why": why} for bot, why in self.stopped.items()],
            "interrupted": self.interrupted,
        }


class _Played:
    """The blocks of one group so far, with the bounds of its shares: on their own, and together with all groups'."""

    def __init__(self, strategies: int, groups: int) -> None:
        self.blocks: list[Block] = []
        self.bounds = [Bound(RISK) for _ in range(strategies)]
        self.wide = [Bound(RISK / groups) for _ in range(strategies)]

    def add(self, block: Block) -> None:
        self.blocks.append(block)
        for bound, share in zip(self.bounds + self.wide, block.shares * 2, strict=True):
            bound.add(share)


@dataclass
class _Contest:
    """A comparison under way."""

    fare: Fare
    strategies: Sequence[Strategy]
    choices: list[tuple[int, ...]]
    seed: int
    most_blocks: int
    scroll: Scroll
    watch: Watch
    stopped: dict[str, str] = field(default_factory=dict)
    weighed: dict[int, Group] = field(default_factory=dict)
    played: dict[int, _Played] = field(default_factory=dict)

    @property
    def groups(self) -> dict[int, Group]:
        """What was found of each group whose strategies all stand, by its number."""
        played = {
            number: Group.played(self._names(number), one.blocks, one.bounds, one.wide)
            for number, one in self.played.items()
            if one.blocks
        }
        return {number: group for number, group in sorted((self.weighed | played).items()) if self.standing(number)}

    def run(self, exactly: bool) -> bool:
        """Whether it came to its end: Ctrl-C breaks it off."""
        try:
            if exactly and len(self.choices[0]) == SEATS:
                self._weigh_all()
            self._play_all([n for n in range(len(self.choices)) if n not in self.weighed])
        except KeyboardInterrupt:
            return False
        return True

    def standing(self, number: int) -> bool:
        """Whether none of this group's strategies has failed."""
        return not any(self.strategies[who].name in self.stopped for who in self.choices[number])

    def _names(self, number: int) -> list[str]:
        return [self.strategies[who].name for who in self.choices[number]]

    def _weigh_all(self) -> None:
        game = Game(self.fare)
        answers = [Answers(strategy) for strategy in self.strategies]
        for number, choice in enumerate(self.choices):
            try:
                if self.standing(number):
                    self._weigh(game, number, [answers[who] for who in choice])
            except NotMemoryless:
                continue  # to be played
            except Misplay as fault:
                self.stopped[fault.strategy] = fault.why

    def _weigh(self, game: Game, number: int, pair: list[Answers]) -> None:
        done = self.scroll.exact.get(number)
        if done is None:
            layers = 12 * SEATS * 2

            def watch(seating: int, layer: int) -> None:
                self.watch(number + (seating * layers / 2 + layer) / layers, len(self.choices))

            front = weigh(game, pair, lambda layer: watch(0, layer))
            back = weigh(game, pair[::-1], lambda layer: watch(1, layer))
            done = [[*map(list, front[:2]), front.heats], [*map(list, back[:2]), back.heats]]
            self.scroll.write_exact(number, done)
        self.weighed[number] = Group.weighed(self._names(number), done)

    def _play_all(self, numbers: list[int]) -> None:
        """Plays a block of each group in turn, until all are told apart or have had their heats."""
        self.played = {n: _Played(len(self.choices[n]), len(self.choices)) for n in numbers}
        going = list(numbers)
        while going := [n for n in going if self.standing(n) and not self._enough(n)]:
            for number in going:
                try:
                    self.played[number].add(self._block(number, len(self.played[number].blocks)))
                except Misplay as fault:
                    self.stopped[fault.strategy] = fault.why
                    break
            done = sum(self.most_blocks if self._enough(n) else len(self.played[n].blocks) for n in numbers)
            self.watch(done, len(numbers) * self.most_blocks)

    def _enough(self, number: int) -> bool:
        """Whether this group is told apart, or has had its heats."""
        one = self.played[number]
        return len(one.blocks) >= self.most_blocks or told_apart(one.bounds)

    def _block(self, group: int, number: int) -> Block:
        known = self.scroll.blocks.get((group, number))
        if known is None:
            strategies = [self.strategies[who] for who in self.choices[group]]
            known = play_block(self.fare, strategies, f"{self.seed}/{group}/{number}")
            self.scroll.write_block(group, number, known)
        return known


def compare(
    bots: Sequence[str],
    fare: Fare | str = "standard",
    seats: int = 2,
    *,
    heats: int = HEATS,
    seed: int = 0,
    resume: Path | None = None,
    limit: float = SECONDS_A_JUMP,
    exactly: bool = True,
    watch: Watch = lambda done, of: None,
) -> Comparison:
    """The comparison of these strategies on a fare, over every seating of every choice of `seats` of them.

    `heats` bounds the heats of each choice where they are sampled, `seed` fixes their luck; a file
    named by `resume` keeps every block played, and one that is there is gone on with; `limit` is in
    seconds a jump; without `exactly` even two seats are sampled.  Ctrl-C ends it with what is done.
    Raises `Refused` for too few strategies or a file of another comparison, and
    `UnknownStrategy` for one that cannot be had.
    """
    card = Fare.parse(fare) if isinstance(fare, str) else fare
    _check(len(bots), seats, heats, limit)
    setup = {"fare": card.spelling, "seats": seats, "bots": list(bots), "seed": seed}
    with ExitStack() as closing:
        strategies = []
        for name in bots:
            strategies.append(load(name, limit))
            closing.callback(strategies[-1].close)
        contest = _Contest(
            card,
            strategies,
            list(combinations(range(len(bots)), seats)),
            seed,
            ceil(heats / seatings_of(seats)),
            closing.enter_context(Scroll(resume, setup)),
            watch,
        )
        finished = contest.run(exactly)
    return _told(contest, seats, interrupted=not finished)


def _check(bots: int, seats: int, heats: int, limit: float) -> None:
    """Raises `Refused` for what cannot be compared."""
    if not SEATS <= seats <= MAX_SEATS:
        raise Refused(f"strategies are compared with {SEATS} to {MAX_SEATS} seats, not {seats}")
    if bots < seats:
        raise Refused(f"{seats} seats need {seats} strategies, not {bots}: a name may be repeated")
    if heats < 1 or not 0 < limit <= LONGEST_LIMIT:
        raise Refused(f"a comparison needs at least 1 heat, and more than 0 to {LONGEST_LIMIT} seconds a jump")


def _told(contest: _Contest, seats: int, interrupted: bool) -> Comparison:
    kept = contest.groups
    if not kept and contest.stopped:
        faults = [f"{name} {why}" for name, why in contest.stopped.items()]
        raise Refused(f"nothing is left to compare: {listed(faults)}")
    table = standings([s.name for s in contest.strategies], {contest.choices[n]: group for n, group in kept.items()})
    return Comparison(contest.fare, seats, tuple(kept.values()), table, contest.stopped, interrupted)
