"""What is known exactly, and from where on."""

import pytest

from botq import FARES, Heat, oracle, solve
from botq.kernel import EQUAL
from botq.oracle import TooFar, positions_estimated, solved, worth

SIX = ("Jo", "Kit", "Ada", "Sam", "Lee", "Max")
LONG = "123" * 11  # a heat of six well under way


def test_equal_means_the_same_to_everybody() -> None:
    assert oracle.EQUAL == EQUAL


def test_three_seats_are_worth_from_the_opening_what_the_solver_says() -> None:
    told = worth(Heat.of("express", SIX[:3]))
    assert told
    assert told.values == solve("express", 3).values


def test_a_heat_of_six_is_unknown_at_first_and_exact_from_some_jump_on() -> None:
    known = [
        worth(Heat.of("standard", SIX, LONG[:length]), most=20_000) is not None
        for length in (0, 12, len(LONG) - 6, len(LONG))
    ]
    assert known == [False, False, True, True]


def test_one_solution_answers_all_that_follows_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(oracle, "_solutions", oracle._Solutions())
    made = []
    monkeypatch.setattr("botq.solver.solve", lambda *given: made.append(given[2]) or solve(*given))
    for length in (len(LONG) - 4, len(LONG) - 2, len(LONG)):
        assert worth(Heat.of("local", SIX, LONG[:length]), most=20_000)
    assert len(made) == 1
    assert positions_estimated(FARES["local"], 6, made[0]) <= 20_000
    assert positions_estimated(FARES["local"], 6, made[0][:-1]) > 20_000


def test_old_solutions_make_room_for_new_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = oracle._Solutions()
    monkeypatch.setattr(oracle, "_solutions", kept)
    monkeypatch.setattr(oracle, "KEPT", 5_000)
    for fare in FARES:  # two seats have some 3,000 positions each
        worth(Heat.of(fare, SIX[:2]))
    assert [fare.name for fare, *_ in kept._kept] == ["local"]


def test_what_is_too_far_is_refused_with_the_estimate() -> None:
    with pytest.raises(TooFar, match=r"about 2,\d00,000,000 positions"):
        solved(FARES["standard"], 6, "", "share")
