"""What positions are worth, held against what others found and against the obvious solver."""

import json
import random

import numpy as np
import pytest

from botq import FARES, Fare, Heat, Refused, solve
from botq.cli import main
from botq.kernel import FINAL_HANDS, card_points
from botq.rules import Pawn, Queue, Tickets, form_queue, legal_jumps, play
from botq.solver import NotSolved, Solution, opening_values
from slow_solver import TWO_SEATS, Value, links, positions_from, slow_values

NAMED = sorted(FARES)
LINKS = links(TWO_SEATS)


def random_card(seed: int) -> Fare:
    """A card nobody chose: up to eight sets, points up to 99."""
    draw = random.Random(seed)
    sets: dict[str, int] = {}
    for _ in range(draw.randint(1, 8)):
        letters = "".join(sorted(draw.choices("ABC", k=draw.randint(1, 5))))
        sets.setdefault(letters, draw.choice([draw.randint(0, 9), draw.randint(0, 99)]))
    return Fare.parse("-".join(f"{letters}{points}" for letters, points in sets.items()))


RANDOM = [random_card(seed) for seed in range(20)]


def late(seats: int, most: int = 3000) -> tuple[str, Queue, list[Queue]]:
    """A heat under way, drawn by lot, up to where no more than so many positions can follow."""
    draw = random.Random(seats)
    queue, jumps = form_queue(seats), ""
    while True:
        if sum(pawn.space for pawn in queue) > 7 * seats and len(after := positions_from(queue, most)) <= most:
            return jumps, queue, after
        jump = draw.choice(legal_jumps(queue))
        queue, jumps = play(queue, jump), jumps + str(jump)


LATE = {seats: late(seats) for seats in (3, 4, 5, 6)}
LATE_LINKS = {seats: links(after) for seats, (_, _, after) in LATE.items()}


# Found by two programs that share no code with this one.
KNOWN = {
    ("standard", 2): (1, 0),
    ("express", 2): (1, 0),
    ("local", 2): (1, 0),
    ("standard", 3): (0.771274704, 0.228725296, 0),
    ("express", 3): (0.783620383, 0.216379617, 0),
    ("local", 3): (0.971980897, 0.028019103, 0),
}


@pytest.mark.parametrize(("fare", "seats"), KNOWN)
def test_the_opening_is_worth_what_others_found(fare: str, seats: int) -> None:
    assert solve(fare, seats).values == pytest.approx(KNOWN[fare, seats], abs=1e-9)


@pytest.mark.parametrize(("fare", "margin"), [("standard", 1), ("express", 1), ("local", 3)])
def test_the_front_seat_wins_by_the_margin_others_found(fare: str, margin: int) -> None:
    assert solve(fare, 2, objective="margin").values == (margin, -margin)


@pytest.mark.parametrize("fare", NAMED)
def test_with_two_seats_only_a_jump_of_one_wins(fare: str) -> None:
    assert [jump.jump for jump in solve(fare, 2).jumps if jump.best] == [1]


def agree(solution: Solution, positions: list[Queue], slow: list[Value]) -> bool:
    """Whether the solution values every position as the obvious solver does, to 1e-9."""
    fast = np.array([solution.value(queue) for queue in positions])
    return bool(np.abs(fast - np.array(slow, dtype=float)).max() < 1e-9)


@pytest.mark.parametrize("objective", ["share", "margin"])
@pytest.mark.parametrize("fare", [*FARES.values(), *RANDOM], ids=str)
def test_every_position_of_two_seats_is_worth_what_the_obvious_solver_says(fare: Fare, objective: str) -> None:
    assert agree(solve(fare, 2, objective=objective), TWO_SEATS, slow_values(TWO_SEATS, LINKS, fare, objective))


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
@pytest.mark.parametrize("fare", [*FARES.values(), *RANDOM[:5]], ids=str)
def test_late_positions_of_more_seats_are_worth_what_the_obvious_solver_says(fare: Fare, seats: int) -> None:
    jumps, root, after = LATE[seats]
    solution = solve(fare, seats, jumps)
    assert solution.queue == root
    assert agree(solution, after, slow_values(after, LATE_LINKS[seats], fare))
    assert solution.values == solution.value(root)


@pytest.mark.parametrize("objective", ["share", "margin"])
def test_house_rules_are_kept_at_every_position_of_two_seats(objective: str) -> None:
    solution = solve("express", 2, objective=objective, stamp=2, start=(0, 3))
    slow = slow_values(TWO_SEATS, LINKS, FARES["express"], objective, stamp=2, start=(0, 3))
    assert agree(solution, TWO_SEATS, slow)


@pytest.mark.parametrize("seats", [1, 2, 3])
def test_many_cards_at_once_are_worth_what_each_is_alone(seats: int) -> None:
    cards = [*FARES.values(), *RANDOM[: 20 if seats < 3 else 3]]
    start = (0, 1, 2)[:seats]
    together = opening_values([card_points(card) for card in cards], seats, stamp=2, start=start)
    for card, values in zip(cards, together, strict=True):
        assert tuple(values) == solve(card, seats, stamp=2, start=start).values


def test_a_seat_with_a_start_nobody_can_catch_has_won() -> None:
    assert solve("standard", 3, start=(0, 500, 0)).values == (0, 1, 0)


def test_a_card_is_told_to_the_kernel_by_its_points_for_the_final_hands() -> None:
    points = dict(zip(FINAL_HANDS, card_points(FARES["standard"]), strict=True))
    assert len(points) == 19
    assert points[Tickets(4, 1, 2)] == 6  # the worked example of the rule sheet


def test_alone_one_always_wins() -> None:
    solution = solve("standard", 1)
    assert solution.values == (1,)
    assert [jump.best for jump in solution.jumps] == [True] * 3


def test_a_heat_that_is_over_is_worth_its_shares() -> None:
    solution = solve("standard", 2, "3" * 8)
    assert (solution.over, solution.turn, solution.jumps) == (True, None, ())
    assert solution.values == tuple(Heat.of("standard", ["Jo", "Kit"], "3" * 8).winners.count(n) for n in ("Jo", "Kit"))


def test_a_level_end_has_no_minus_sign() -> None:
    level = "333313332"  # on Local both end with 7
    assert len(set(Heat.of("local", ["Jo", "Kit"], level).scores.values())) == 1
    assert str(solve("local", 2, level, "margin").values) == "(0.0, 0.0)"


def test_a_solution_answers_for_a_heat_that_went_on() -> None:
    solution = solve("local", 3)
    heat = Heat.of("local", ["Jo", "Kit", "Lu"], "3121")
    worth = solution.at(heat)
    assert worth.turn == heat.queue[0].seat
    assert [jump.jump for jump in worth.jumps] == list(heat.legal)
    alone = solve("local", 3, "3121")
    assert worth.values == pytest.approx(alone.values, abs=1e-12)
    assert worth.best == alone.worth.best
    assert alone.positions < solution.positions


def test_the_best_jumps_are_those_that_leave_the_head_most() -> None:
    worth = solve("express", 3, "12").worth
    assert worth.turn is not None
    most = max(jump.values[worth.turn] for jump in worth.jumps)
    assert worth.best == tuple(j.jump for j in worth.jumps if j.values[worth.turn] > most - 1e-9)
    assert worth.values[worth.turn] == pytest.approx(most, abs=1e-12)


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ({"fare": "nothing", "seats": 2}, "there is no fare card"),
        ({"fare": "local", "seats": 7}, "1 to 6 seats, not 7"),
        ({"fare": "local", "seats": 2, "after": "14"}, "jump 2 reads '4'"),
        ({"fare": "local", "seats": 3, "objective": "margin"}, "needs 2 seats, not 3"),
        ({"fare": "local", "seats": 2, "objective": "glory"}, "for share or for margin"),
        ({"fare": "local", "seats": 2, "start": (1,)}, "need 2 starting scores"),
        ({"fare": "local", "seats": 2, "start": (0.5, 0)}, "whole numbers"),
        ({"fare": "local", "seats": 2, "stamp": -1}, "from 0 to 99, not -1"),
        ({"fare": "local", "seats": 2, "stamp": 0.5}, "from 0 to 99, not 0.5"),
        ({"fare": "local", "seats": 2, "stamp": 10**12}, "from 0 to 99"),
        ({"fare": "local", "seats": 2, "memory": float("nan")}, "more than 0 GB, not nan"),
        ({"fare": "local", "seats": 6}, r"about [\d,]+ positions, \d+ GB: more than the limit of 16 GB"),
    ],
)
def test_what_cannot_be_solved_is_refused_in_the_games_words(asked: dict[str, object], answer: str) -> None:
    with pytest.raises(Refused, match=answer):
        solve(**asked)  # type: ignore[arg-type]  # some of it is wrong on purpose


def test_a_position_that_cannot_follow_is_refused() -> None:
    solution = solve("standard", 2, "11")
    with pytest.raises(NotSolved, match="cannot follow"):
        solution.at(form_queue(2))
    with pytest.raises(NotSolved, match="for 2 seats, not for 3"):
        solution.at(form_queue(3))


def test_the_command_prints_one_object_with_everything(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "AA1-ABC5", "--seats", "2", "--after", "1", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["fare"] == {"name": "standard", "spelling": "AA1-ABC5"}
    assert (told["seats"], told["objective"], told["after"], told["over"], told["turn"]) == (2, "share", "1", False, 1)
    assert told["values"] == [1, 0]
    assert [jump["jump"] for jump in told["jumps"]] == [1, 2, 3]
    assert all(jump["best"] and jump["values"] == [1, 0] for jump in told["jumps"])
    assert told["positions"] > 0
    assert told["seconds"] >= 0


def test_the_command_refuses_on_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "standard", "--seats", "3", "--objective", "margin", "--json"]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.count("\n") == 1


def test_the_command_tells_people_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "local", "--seats", "2", "--objective", "margin"]) == 0
    assert "jump 1: 3  -3 (best)" in capsys.readouterr().out


def test_a_pawn_sure_to_win_needs_no_looking_ahead() -> None:
    # Jo, finished with 5, leads; Kit on 11 holds nothing that a last A could turn into more.
    jo, kit = Pawn(0, Tickets(a=2, b=2, c=2), 5), Pawn(1, Tickets(b=4, c=1), 0)
    assert solve("standard", 2).value((kit, jo)) == (1, 0)
