"""Looking back: losses, labels, turning points, and what is not known."""

import json
from functools import partial
from itertools import pairwise

import pytest

from botq import Match
from botq.cli import main
from botq.heat import Heat
from botq.hints import Hint, advice, hints
from botq.oracle import worth
from botq.review import LABELS, SIGNS, ReviewedHeat, labelled, review

BLUNDERED = "standard/Jo,Kit/2"  # known: jump 1 is the only winning opening
THREE = "standard/Jo,Kit,Ada/3123311213133122211"


def reviewed(notation: str) -> ReviewedHeat:
    return review(Match.parse(notation)).heats[-1]


def test_giving_the_win_away_with_the_first_jump_is_a_blunder() -> None:
    (only,) = reviewed(BLUNDERED).jumps
    assert only.as_json() == {
        "ply": 1, "name": "Jo", "jump": 2, "share_before": 1.0, "share_after": 0.0, "loss": 1.0,
        "best": [1], "label": "blunder",
    }  # fmt: skip


def test_the_winning_opening_is_best_and_costs_exactly_nothing() -> None:
    (only,) = reviewed("standard/Jo,Kit/1").jumps
    assert (only.verdict.loss, only.verdict.label) == (0, "best")  # type: ignore[union-attr]  # None would fail the test


def test_a_three_seat_opening_starts_from_the_known_shares() -> None:
    first = reviewed(THREE).jumps[0].verdict
    assert first
    assert first.share_before == pytest.approx(0.771274704, abs=1e-9)


def test_each_label_begins_where_the_docs_say() -> None:
    losses = (0.0, 1e-6, 0.0499, 0.05, 0.2499, 0.25, 1.0)
    assert [labelled(loss) for loss in losses] == ["best", "fine", "fine", "slip", "slip", "blunder", "blunder"]
    assert set(SIGNS) == set(LABELS)
    assert len(set(SIGNS.values())) == len(LABELS)


def test_a_jump_with_loss_0_is_never_called_a_mistake_and_is_among_the_best() -> None:
    for notation in (THREE, "local/Jo,Kit/3131311133121", "express/Jo/3333"):
        for one in reviewed(notation).jumps:
            assert one.verdict
            assert one.verdict.loss >= 0
            assert (one.verdict.loss == 0) == (one.jump.length in one.verdict.best) == (one.verdict.label == "best")


def test_what_a_jump_leaves_its_mover_is_what_the_next_position_is_worth() -> None:
    heat = reviewed(THREE)
    for one, after in zip(heat.jumps, heat.shares[1:], strict=True):
        assert one.verdict
        assert after
        assert one.verdict.share_after == pytest.approx(after[heat.heat.names.index(one.jump.name)])


def test_shares_add_up_to_one_win_and_end_with_the_winners() -> None:
    heat = reviewed(THREE)
    for shares in heat.shares:
        assert shares
        assert sum(shares) == pytest.approx(1)
    assert heat.heat.winners == ("Jo", "Ada")
    assert heat.shares[-1] == (0.5, 0, 0.5)


def test_the_turning_point_brought_the_winners_most_of_their_win() -> None:
    heat = reviewed(THREE)
    assert heat.turning_point
    missing = [max(0, 0.5 - shares[0]) + max(0, 0.5 - shares[2]) for shares in heat.shares if shares]
    swings = [before - after for before, after in pairwise(missing)]
    assert heat.turning_point.jump.number == swings.index(max(swings)) + 1
    assert heat.as_json()["turning_point"] == heat.turning_point.jump.number


def test_a_sure_win_thrown_into_a_shared_one_is_the_turning_point() -> None:
    heat = reviewed("standard/Jo,Kit,Ada/1331232331312211211")  # all three share it with 12
    assert heat.heat.winners == ("Jo", "Kit", "Ada")
    assert heat.turning_point
    assert (heat.turning_point.jump.number, heat.turning_point.jump.name) == (15, "Jo")
    assert heat.swing(heat.turning_point) == pytest.approx(2 / 3)  # Jo had it alone until then


def test_a_heat_that_is_not_over_or_was_never_turned_has_no_turning_point() -> None:
    assert reviewed(BLUNDERED).turning_point is None
    assert reviewed("standard/Jo/3333").turning_point is None


def test_unsolved_jumps_hold_null_and_those_near_the_end_do_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("botq.review.worth", partial(worth, most=20_000))
    jumps = "1" * 60 + "2" * 6
    told = review(Match.parse(f"standard/6/{jumps}")).as_json()["heats"][0]
    first, last = told["jumps"][0], told["jumps"][-1]
    assert [first[key] for key in ("share_before", "share_after", "loss", "best", "label")] == [None] * 5
    assert (first["ply"], first["name"], first["jump"]) == (1, "Player 1", 1)
    assert last["label"] in LABELS
    assert told["shares"][0] is None
    assert sum(told["shares"][-1]) == pytest.approx(1)


def test_the_second_heat_is_reviewed_in_its_own_order() -> None:
    told = review(Match.parse("standard/Jo,Kit/33333333/1")).as_json()
    assert [heat["names"] for heat in told["heats"]] == [["Jo", "Kit"], ["Kit", "Jo"]]
    assert told["heats"][1]["jumps"][0]["name"] == "Kit"


def test_the_command_prints_the_review_as_json_or_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["review", THREE, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["notation"] == THREE
    assert list(told["heats"][0]["jumps"][6])[:8] == [
        "ply", "name", "jump", "share_before", "share_after", "loss", "best", "label",
    ]  # fmt: skip
    assert main(["review", THREE]) == 0
    out = capsys.readouterr().out
    assert "✕ blunder" in out
    assert out.rstrip().endswith("Jo and Ada share the win. The turning point was jump 7, by Kit.")


def test_a_match_that_cannot_be_is_refused_on_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["review", "standard/Jo,Kit/4", "--json"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1


# Hints


def test_a_hint_tells_the_only_winning_opening() -> None:
    weighed = hints(Match.parse("standard/Jo,Kit/").heat)
    assert [(hint.length, hint.label, hint.worth) for hint in weighed] == [
        (1, "best", "wins"), (2, "blunder", "loses"), (3, "blunder", "loses"),
    ]  # fmt: skip
    assert advice(weighed) == "Jump 1 is best: it wins if you go on playing well."


def test_a_hint_says_why_in_tickets_stamps_and_queue_order() -> None:
    # Jo on 3 with a C, Kit on 4 with a C and an A; 1, 2, 3 and 4 ... the rule sheet's example
    weighed = hints(Match.parse("standard/Jo,Kit/313").heat)
    heat = Match.parse("standard/Jo,Kit/313").heat
    assert (heat.turn, [pawn.space for pawn in heat.pawns]) == ("Jo", [3, 4])
    assert weighed[0].why[:3] == (
        "The A pays nothing yet: with B it is worth 5 points.",
        "The stamp on 4 is gone already.",
        "Kit is next and can get the stamp on 5, 6 or 7.",
    )
    assert weighed[1].why[:2] == (
        "The B pays nothing yet: with A it is worth 5 points.",
        "The stamp on 5 is 1 point.",
    )


def test_a_hint_knows_points_at_once_jumping_again_and_the_end() -> None:
    last = hints(Match.parse("express/Jo/33322"[:-1]).heat)
    assert last[0].why[0] == "The A pays nothing, and no set is left to make with it."
    assert hints(Match.parse("express/Jo/2").heat)[2].why[::2] == (
        "The C is worth 4 points at once.",
        "Jo is still last on the track and jumps again.",
    )
    assert hints(Match.parse("express/Jo/3333"[:-1]).heat)[2].why[1:] == ("Space 12 has no stamp.", "It ends the heat.")


def test_a_hint_promises_of_a_ticket_just_what_it_can_still_pay() -> None:
    # Two B and a C on 7: an A makes ABC without a third B, and after that B no two ABC fit.
    assert hints(Match.parse("standard/Jo/223").heat)[1].why[0].startswith("The B pays nothing, and no set is left")
    # Two C and a B on 8: AABC takes a C away from CC, 9 points instead of 3, once there are two A.
    assert hints(Match.parse("AABC9-CC3/Jo/332").heat)[0].why[0] == (
        "The A pays nothing yet: with A it is worth 6 points."
    )


def test_where_all_jumps_are_worth_the_same_no_jump_is_called_a_mistake() -> None:
    weighed = hints(Match.parse("standard/Jo,Kit/1").heat)  # known: the front seat wins by force after 1
    assert {(hint.label, hint.worth, hint.sign) for hint in weighed} == {("", "loses", "=")}
    assert advice(weighed).startswith("All jumps are worth the same: each loses if everybody plays well.")


def test_a_hint_agrees_with_the_exact_shares_of_three_seats() -> None:
    heat = Match.parse("local/Jo,Kit,Ada/31").heat
    told = worth(heat)
    assert told
    for hint, one in zip(hints(heat), told.jumps, strict=True):
        assert hint.share == one.values[2]
        assert (hint.label == "best") == (one.best and len(told.best) < 3)


def test_where_nobody_can_know_the_hint_says_so_and_calls_nothing_best() -> None:
    weighed = hints(Match.parse("standard/6/").heat)
    assert advice(weighed) == "This is too far from the end to be worked out, so here is only what each jump does."
    assert {(hint.label, hint.sign, hint.worth) for hint in weighed} == {("", "", "")}


@pytest.mark.parametrize(
    ("fare", "most"),
    [
        ("standard", 17),  # twelve A are six pairs of 1 point, and every stamp
        ("express", 19),  # twelve A are four times three, 2 points each, and every stamp
        ("local", 20),  # AAB three times, 4 points each, and the stamps of eight landings
    ],
)
def test_a_lone_player_is_told_the_points_that_can_still_be_had(fare: str, most: int) -> None:
    weighed = hints(Heat.of(fare, ["Jo"]))
    assert (weighed[0].label, weighed[0].worth) == ("best", f"{most} points")
    assert advice(weighed).endswith(f"can bring you to {most} points.")


def test_a_lone_player_who_gives_away_a_point_of_seventeen_slips_and_six_of_nine_blunders() -> None:
    assert [hint.label for hint in hints(Heat.of("standard", ["Jo"]))] == ["best", "slip", "slip"]
    weighed = hints(Heat.of("standard", ["Jo"], "333"))  # on 9: A and B make ABC with the C and land on 10 or 11
    assert [(hint.most, hint.label) for hint in weighed] == [(9, "best"), (9, "best"), (3, "blunder")]


def test_with_three_seats_a_hint_promises_wins_in_a_hundred_heats_not_the_win() -> None:
    weighed = hints(Heat.of("local", ["Jo", "Kit", "Ada"], "31"))
    assert advice(weighed) == "Jump 2 is best: it is worth 3 wins in 100 heats if everybody plays well."


@pytest.mark.parametrize(("share", "told"), [(0.999, "99 in 100"), (0.001, "1 in 100"), (0.5, "50 in 100")])
def test_only_a_sure_win_is_called_a_win(share: float, told: str) -> None:
    assert Hint(1, "fine", share, None, ()).worth == told
