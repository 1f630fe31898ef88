"""What a fare card does to the game, held against heats counted by hand and one by one."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from math import log2
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from botq import FARES, Fare, Heat
from botq.arena import compare
from botq.bots import BOTS
from botq.lab import HouseRules, Study, report
from botq.lab.expectations import over_both_heats
from botq.lab.positions import positions
from botq.lab.report import check_seats
from botq.lab.study import shares_alone
from botq.rules import FINISH, HANDS, JUMPS, Queue, Refused, form_queue, is_first, legal_jumps, play
from botq.solver import Solution, solve

Choose = Callable[[Heat], Mapping[int, float]]
KNOWN = {  # by two programs that share no code
    ("standard", 2): (1, 0),
    ("express", 2): (1, 0),
    ("local", 2): (1, 0),
    ("standard", 3): (0.771274704, 0.228725296, 0),
    ("express", 3): (0.783620383, 0.216379617, 0),
    ("local", 3): (0.971980897, 0.028019103, 0),
}
CARDS = st.lists(
    st.tuples(st.text("ABC", min_size=1, max_size=5).map(lambda text: "".join(sorted(text))), st.integers(0, 12)),
    min_size=1, max_size=4, unique_by=lambda one: one[0],
).map(lambda sets: Fare.parse("-".join(f"{letters}{points}" for letters, points in sets)))  # fmt: skip


# --- the positions ---


def test_the_positions_of_two_seats_are_those_of_the_rules_and_lead_where_the_rules_say() -> None:
    laid = positions(2)
    seen: dict[int, Queue] = {0: form_queue(2)}
    for here in range(len(laid.hands)):
        queue = seen[here]
        assert [HANDS[hand] for hand in laid.hands[here]] == [pawn.tickets for pawn in queue]
        least = min(pawn.stamps for pawn in queue)
        assert [int(ahead) for ahead in laid.ahead[here]] == [pawn.stamps - least for pawn in queue]
        for jump in JUMPS:
            then = int(laid.after[here, jump - 1])
            assert (then >= 0) == (jump in legal_jumps(queue))
            if then >= 0:
                after = play(queue, jump)
                assert after[laid.place[here, jump - 1]].seat == queue[0].seat
                assert laid.first[here, jump - 1] == is_first(queue, queue[0].space + jump)
                seen.setdefault(then, after)
    assert len(seen) == len(laid.hands)


def test_as_many_positions_are_laid_out_as_another_program_counted() -> None:
    assert [len(positions(seats).hands) for seats in (1, 2, 3)] == [102, 19_464, 2_693_277]


def test_four_seats_are_too_many_to_lay_out() -> None:
    with pytest.raises(Refused, match="all positions of 4 seats are too many to lay out: 3 is the most"):
        positions(4)


# --- fairness ---


@pytest.mark.parametrize(("fare", "seats"), KNOWN)
def test_perfect_play_is_worth_what_others_found(fare: str, seats: int) -> None:
    assert Study(FARES[fare], seats).perfect_shares() == pytest.approx(KNOWN[fare, seats], abs=1e-9)


@given(CARDS, st.integers(0, 3), st.integers(0, 4), st.integers(0, 4))
@settings(max_examples=25)
def test_with_any_card_and_house_rules_two_seats_are_worth_what_the_solver_says(
    fare: Fare, stamp: int, front: int, back: int
) -> None:
    study = Study(fare, 2, HouseRules(stamp, (front, back)))
    assert study.values[0] == pytest.approx(solve(fare, 2, stamp=stamp, start=(front, back)).values, abs=1e-9)
    margin = solve(fare, 2, stamp=stamp, start=(front, back), objective="margin").values
    assert study.margins[0] == margin[0]


def test_three_seats_are_worth_what_the_solver_says_under_house_rules() -> None:
    rules = HouseRules(1, (0, 1, 0))
    assert Study(FARES["local"], 3, rules).values[0] == pytest.approx(shares_alone(FARES["local"], 3, rules), abs=1e-9)


@pytest.mark.parametrize(("fare", "margin"), [("standard", 1), ("express", 1), ("local", 3)])
def test_the_front_seats_margin_given_to_the_other_makes_perfect_play_a_tie(fare: str, margin: int) -> None:
    fairness = Study(FARES[fare], 2).fairness()
    assert fairness["margin"] == margin
    assert fairness["compensation"] == {"points": [0, margin], "shares": [0.5, 0.5], "spread": 0.0}
    assert solve(fare, 2, start=(0, margin)).values == (0.5, 0.5)
    assert solve(fare, 2, start=(0, margin - 1)).values == (1, 0)
    assert solve(fare, 2, start=(0, margin + 1)).values == (0, 1)


def test_compensation_goes_to_the_front_seat_where_it_is_the_worse_one() -> None:
    fairness = Study(FARES["standard"], 2, HouseRules(start=(0, 4))).fairness()
    assert (fairness["margin"], fairness["compensation"]["points"]) == (-3, [3, 0])


def test_one_point_for_the_last_seat_makes_standard_even_for_three() -> None:
    found = Study(FARES["standard"], 3).compensation()
    assert found == {"points": [0, 0, 1], "shares": pytest.approx([1 / 3] * 3), "spread": pytest.approx(0)}
    assert solve("standard", 3, start=(0, 0, 1)).values == pytest.approx([1 / 3] * 3)


def test_a_second_heat_reversed_evens_out_two_seats_but_not_the_middle_of_three() -> None:
    assert over_both_heats([1.0, 0.0]) == {"shares": [0.5, 0.5], "spread": 0}
    assert over_both_heats([0.75, 0.25, 0.0]) == {"shares": [0.375, 0.25, 0.375], "spread": 0.125}


# --- a heat told jump by jump ---


@cache
def solution(fare: Fare, seats: int) -> Solution:
    return solve(fare, seats)


@cache
def endings(fare: Fare, queue: Queue) -> frozenset[tuple[bool, ...]]:
    """By seat who wins, for every way to go on."""
    if not legal_jumps(queue):
        scores = [fare.pays(pawn.tickets).points + pawn.stamps for pawn in sorted(queue)]
        return frozenset([tuple(score == max(scores) for score in scores)])
    return frozenset().union(*(endings(fare, play(queue, jump)) for jump in legal_jumps(queue)))


def all_heats(fare: Fare, seats: int, choose: Choose) -> Iterator[tuple[Heat, float]]:
    """Every heat that can happen, with its chance."""
    waiting = [(Heat.of(fare, [f"Seat {'ABC'[n]}" for n in range(seats)]), 1.0)]
    while waiting:
        heat, chance = waiting.pop()
        if heat.over:
            yield heat, chance
        else:
            waiting += [(heat.jump(jump), chance * part) for jump, part in choose(heat).items() if part]


def entropy(counts: Mapping[Any, float]) -> float:
    total = sum(counts.values())
    return sum(-n / total * log2(n / total) for n in counts.values() if n)


class Counts:
    """What somebody at the table counts, heat by heat, each by its chance."""

    def __init__(self, fare: Fare, seats: int) -> None:
        self.fare, self.shares = fare, [0.0] * seats
        self.sums, self.jumps, self.hands, self.lengths = Counter[str](), Counter[str](), Counter[str](), Counter[str]()
        self.claims, self.claimed = Counter[str](), Counter[str]()

    def count_end(self, heat: Heat, chance: float) -> None:
        seats, sums = len(self.shares), self.sums
        self.lengths[str(len(heat.jumps))] += chance
        sums["shared_wins"] += chance * (len(heat.winners) > 1)
        for seat, name in enumerate(heat.names):
            self.shares[seat] += chance * (name in heat.winners) / len(heat.winners)
        for pawn, receipt in zip(heat.pawns, heat.receipts, strict=True):
            self.hands["".join(letter * n for letter, n in zip("ABC", pawn.tickets, strict=True))] += chance / seats
            sums["ticket_points"] += chance * receipt.points / seats
            sums["stamp_points"] += chance * pawn.stamps / seats
            sums["wasted_tickets"] += chance * sum(receipt.leftover) / seats
            for claim in receipt.claims:
                self.claims[claim.letters] += chance * claim.times / seats
                self.claimed[claim.letters] += chance / seats

    def count_jump(self, before: Heat, after: Heat, chance: float) -> None:
        seats, sums = len(self.shares), self.sums
        self.jumps[after.jumps[-1]] += chance
        mover = before.turn
        assert mover
        others = [name for name in before.names if name != mover]
        behind = any(before.scores[mover] < before.scores[name] for name in others)
        sums["lead_changes"] += chance * (behind and all(after.scores[mover] >= after.scores[name] for name in others))
        if seats == 2:  # with three, the ways to go on are too many to look at one by one
            sums["decided_before_end"] += chance * (len(endings(self.fare, before.queue)) == 1)
        if len(before.legal) > 1:
            worth = [jump.values[before.queue[0].seat] for jump in solution(self.fare, seats).at(before).jumps]
            sums["choices"] += chance
            sums["matters"] += chance * (max(worth) - min(worth) > 1e-9)
            sums["one_best"] += chance * (sorted(worth)[-1] - sorted(worth)[-2] > 1e-9)
            sums["stakes"] += chance * (max(worth) - min(worth))


def counted(fare: Fare, seats: int, choose: Choose) -> dict[str, Any]:
    """What `Study.expectations` tells, counted heat by heat as somebody at the table would."""
    counts = Counts(fare, seats)
    for heat, chance in all_heats(fare, seats, choose):
        counts.count_end(heat, chance)
        for left in range(len(heat.jumps), 0, -1):
            counts.count_jump(heat.undone(left), heat.undone(left - 1), chance)
    sums, jumps, hands, shares = counts.sums, counts.jumps, counts.hands, counts.shares
    claims, claimed = counts.claims, counts.claimed
    matters = sums["matters"]
    return {
        "shares": shares,
        "spread": max(shares) - min(shares),
        "jumps": sum(jumps.values()),
        "lengths": counts.lengths,
        "minutes": sum(jumps.values()) / 4,  # at fifteen seconds
        "jump_use": {jump: jumps[jump] / sum(jumps.values()) for jump in "123"},
        "jump_entropy": entropy(jumps),
        "final_hands": hands,
        "hand_entropy": entropy(hands),
        "sets": {s.letters: {"claims": claims[s.letters], "pawns": claimed[s.letters]} for s in fare.sets},
        "rare_sets": [s.letters for s in fare.sets if claimed[s.letters] < 0.01],
        "ticket_points": sums["ticket_points"],
        "stamp_points": sums["stamp_points"],
        "stamp_part": sums["stamp_points"] / (sums["ticket_points"] + sums["stamp_points"]),
        "wasted_tickets": sums["wasted_tickets"],
        **({"decided_before_end": sums["decided_before_end"]} if seats == 2 else {}),
        "lead_changes": sums["lead_changes"],
        "shared_wins": sums["shared_wins"],
        "choices": sums["choices"],
        "matters": matters / sums["choices"],
        "one_best": sums["one_best"] / matters if matters else None,
        "stakes": sums["stakes"] / sums["choices"],
    }


def agrees(found: dict[str, Any], expected: dict[str, Any]) -> None:
    """Every measure as counted; what cannot happen may be told as 0."""
    for key, value in expected.items():
        if isinstance(value, Counter):
            assert found[key].keys() >= {name for name, n in value.items() if n}, key
            for name, part in found[key].items():
                assert part == pytest.approx(value[name], abs=1e-9), (key, name)
        elif isinstance(value, dict) and isinstance(next(iter(value.values())), dict):
            for name, uses in value.items():
                assert found[key][name] == pytest.approx(uses, abs=1e-9), (key, name)
        else:
            assert found[key] == (value if value is None or key == "rare_sets" else pytest.approx(value, abs=1e-9)), key


@pytest.mark.parametrize("fare", FARES)
@pytest.mark.parametrize("name", ["perfect", "greedy"])
def test_every_measure_of_two_seats_is_what_counting_heat_by_heat_gives(fare: str, name: str) -> None:
    study = Study(FARES[fare], 2)
    agrees(study.expectations(study.plan(name)), counted(FARES[fare], 2, BOTS[name].chances))


def hesitating(heat: Heat) -> Mapping[int, float]:
    """Any jump alike from spaces 0, 4 and 7, else the longest: many heats, which meet again on the way."""
    legal = heat.legal if heat.queue[0].space in (0, 4, 7) else heat.legal[-1:]
    return dict.fromkeys(legal, 1 / len(legal))


@pytest.mark.parametrize(
    ("fare", "seats"), [("standard", 2), ("local", 2), pytest.param("express", 3, marks=pytest.mark.soak)]
)
def test_every_measure_of_hesitating_players_is_what_counting_heat_by_heat_gives(fare: str, seats: int) -> None:
    study = Study(FARES[fare], seats)
    laid, plan = study.positions, np.zeros((len(study.values), 3))
    for here, hands in enumerate(laid.hands[: study.turns]):
        legal = [jump for jump in range(3) if laid.after[here, jump] >= 0]
        for jump in legal if HANDS[hands[0]].spaces in (0, 4, 7) else legal[-1:]:
            plan[here, jump] = 1 / (len(legal) if HANDS[hands[0]].spaces in (0, 4, 7) else 1)
    agrees(study.expectations(plan), counted(FARES[fare], seats, hesitating))


def test_every_measure_of_one_player_jumping_at_random_is_what_counting_all_927_heats_gives() -> None:
    study = Study(FARES["express"], 1)
    agrees(study.expectations(study.plan("random")), counted(FARES["express"], 1, BOTS["random"].chances))


def test_every_measure_of_three_seats_is_what_counting_heat_by_heat_gives() -> None:
    study = Study(FARES["express"], 3)
    agrees(study.expectations(study.plan("greedy")), counted(FARES["express"], 3, BOTS["greedy"].chances))


def test_a_heat_in_which_everybody_jumps_three_counted_by_hand() -> None:
    """Front is first on 3, 6 and 9; four C are one CC pair twice on Local, and nothing is left over."""
    study = Study(FARES["local"], 2)
    plan = np.zeros((len(study.values), 3))
    plan[:, 2] = 1
    found = study.expectations(plan)
    assert found["jumps"] == 8
    assert found["lengths"] == {"8": 1}
    assert found["minutes"] == 2
    assert found["jump_use"] == {"1": 0, "2": 0, "3": 1}
    assert found["jump_entropy"] == found["hand_entropy"] == 0
    assert found["final_hands"]["CCCC"] == 1
    assert found["sets"] == {"AAB": {"claims": 0, "pawns": 0}, "CC": {"claims": 2, "pawns": 1}}
    assert found["rare_sets"] == ["AAB"]
    assert (found["ticket_points"], found["stamp_points"]) == (6, 1.5)
    assert found["stamp_part"] == 1.5 / 7.5
    assert found["wasted_tickets"] == 0
    assert found["lead_changes"] == 0  # the front seat has the stamp before the other has jumped, and its pair too
    assert found["shares"] == [1, 0]


@pytest.mark.parametrize("name", ["random", "greedy", "perfect"])
def test_the_plans_are_the_bots_told_a_second_time(name: str) -> None:
    dice = np.random.default_rng(7)
    for fare in (FARES["standard"], Fare.parse("BB4-ACC5")):
        study = Study(fare, 2)
        plan = study.plan(name)
        for _ in range(25):
            heat, here = Heat.of(fare, ["Jo", "Kit"]), 0
            while not heat.over:
                chances = BOTS[name].chances(heat)
                assert plan[here] == pytest.approx([chances.get(jump, 0) for jump in JUMPS], abs=1e-9), heat.jumps
                jump = int(dice.choice(heat.legal))
                heat, here = heat.jump(jump), int(study.positions.after[here, jump - 1])


@pytest.mark.parametrize("name", ["easy", "medium", "hard"])
def test_the_population_is_the_bots_with_two_seats_and_three(name: str) -> None:
    dice = np.random.default_rng(8)
    for seats in (2, 3):
        study = Study(FARES["local"], seats)
        plan = study.plan(name)
        for _ in range(5):
            heat, here = Heat.of("local", ["Jo", "Kit", "Ada"][:seats]), 0
            while not heat.over:
                chances = BOTS[name].chances(heat)
                assert plan[here] == pytest.approx([chances.get(jump, 0) for jump in JUMPS], abs=1e-9), heat.jumps
                jump = int(dice.choice(heat.legal))
                heat, here = heat.jump(jump), int(study.positions.after[here, jump - 1])


def test_perfect_against_greedy_is_what_the_arena_says_over_both_orders() -> None:
    for spelling in ("standard", "BB4-ACC5"):
        study = Study(Fare.parse(spelling), 2)
        depth = study.depth(study.plan("perfect"))
        found = compare(["perfect", "greedy"], spelling)
        assert depth["greedy"]["share"] == pytest.approx(found.groups[0].shares[0], abs=1e-9)


# --- looking ahead ---


def seen_ahead(fare: Fare, queue: Queue, jumps: int) -> float:
    """The margin of seat 0 as it stands so many jumps later, both playing for it."""
    if not jumps or not legal_jumps(queue):
        scores = [fare.pays(pawn.tickets).points + pawn.stamps for pawn in sorted(queue)]
        return scores[0] - scores[1]
    best = max if queue[0].seat == 0 else min
    return best(seen_ahead(fare, play(queue, jump), jumps - 1) for jump in legal_jumps(queue))


def must_look(fare: Fare, queue: Queue, most: int) -> int:
    """How far the head must look at least, so that from there on it keeps its share."""
    worth = {jump.jump: jump.values[queue[0].seat] for jump in solution(fare, 2).at(queue).jumps}
    sign = 1 if queue[0].seat == 0 else -1
    needed = 1
    for depth in range(1, most + 1):
        seen = {jump: sign * seen_ahead(fare, play(queue, jump), depth - 1) for jump in worth}
        if any(seen[jump] == max(seen.values()) and worth[jump] < max(worth.values()) - 1e-9 for jump in worth):
            needed = depth + 1
    return needed


def test_how_far_ahead_one_must_look_is_what_looking_ahead_shows() -> None:
    dice = np.random.default_rng(3)
    study = Study(FARES["standard"], 2)
    looked = Counter[int]()
    for _ in range(60):
        heat, here = Heat.of("standard", ["Jo", "Kit"]), 0
        while not heat.over:
            left = 2 * FINISH - sum(pawn.space for pawn in heat.queue)
            if 1 < left <= 9:
                needed = must_look(study.fare, heat.queue, left)
                assert study.look_ahead[here] == needed, heat.jumps
                looked[needed] += 1
            jump = int(dice.choice(heat.legal))
            heat, here = heat.jump(jump), int(study.positions.after[here, jump - 1])
    assert {1, 2, 3} <= looked.keys()


# --- receipts ---


@given(CARDS)
def test_what_hands_are_paid_is_told_twice_alike(fare: Fare) -> None:
    assert Study(fare, 1).points.tolist() == [fare.pays(hand).points for hand in HANDS]


# --- reports ---


def test_a_report_on_two_or_three_seats_is_exact_and_has_every_measure() -> None:
    told = report(FARES["standard"], 2)
    assert told["method"] == "exact"
    assert told["house"] == {"stamp": 1, "compensation": [0, 0]}
    assert set(told["play"]) == {"perfect", "easy", "medium", "hard"}
    assert told["play"]["perfect"]["shares"] == pytest.approx(told["fairness"]["perfect"])


@pytest.mark.parametrize("seats", [1, 5])
def test_no_report_is_made_for_one_seat_or_five(seats: int) -> None:
    with pytest.raises(Refused, match=f"2 to 4 seats, not {seats}"):
        check_seats([seats])


@pytest.mark.soak
def test_a_report_on_four_seats_has_exact_shares_and_heats_drawn_close_to_them() -> None:
    told = report(FARES["standard"], 4)
    assert told["method"] == "sampled"
    assert told["fairness"]["perfect"] == pytest.approx(solve("standard", 4).values)
    assert told["play"]["perfect"]["shares"] == pytest.approx(told["fairness"]["perfect"], abs=0.1)
    assert sum(told["play"]["easy"]["lengths"].values()) == pytest.approx(1)
