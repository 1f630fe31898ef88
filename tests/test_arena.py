"""Strategies compared: fairly, exactly where that can be, and whatever they do."""

import json
import re
from collections.abc import Mapping
from math import log10
from pathlib import Path
from random import Random

import pytest

from botq import Fare, Heat
from botq.arena import Comparison, UnknownStrategy, compare
from botq.arena.sampled import Bound, drawn, seatings, told_apart
from botq.bots import BOTS
from botq.cli import main
from botq.rules import Refused
from botq.solver import solve

Chances = Mapping[int, float]
FIVE_LINES = '''
def hoarder(heat):
    """Jumps 1 as long as its pawn holds fewer than four A tickets, then as far as it can."""
    hand = heat.queue[0].tickets
    return 1 if hand.a < 4 else max(heat.legal)
'''
MISFITS = """
import random, sys, time

def raises(heat):
    if len(heat.jumps) > 3: raise ValueError("no idea")
    return 1

def illegal(heat):
    return 3 if heat.queue[0].space else 2

def hangs(heat):
    while len(heat.jumps) > 2: time.sleep(1)
    return 1

def leaves(heat):
    sys.exit("bye")

def fortune(heat):
    print("I am printing")
    return 7

def unfair(heat):
    return {1: 0.5, 2: 0.6}

def chatty(heat):
    print("one two three")
    return {jump: 1 / len(heat.legal) for jump in heat.legal}

def dice(heat):
    return random.choice(heat.legal)

class Odd(int):
    def __repr__(self): raise RuntimeError("no words")

class Speechless(Exception):
    def __str__(self): raise RuntimeError("no words")

def odd(heat):
    return Odd(1)

def listing(heat):
    return [1]

def shrugs(heat):
    return object.__new__(type("Shrug", (), {"__repr__": lambda self: "a shrug"}))

def speechless(heat):
    raise Speechless

def nostalgic(heat):
    return 1 if heat.jumps.endswith("2") else max(heat.legal)
"""


@pytest.fixture(autouse=True)
def modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine.py").write_text(FIVE_LINES)
    (tmp_path / "misfits.py").write_text(MISFITS)
    (tmp_path / "broken.py").write_text("import nothing_of_this_name")
    (tmp_path / "deadly.py").write_text("import os\nos._exit(0)")
    (tmp_path / "sleepy.py").write_text("import time\ntime.sleep(600)")
    monkeypatch.chdir(tmp_path)


def heat_by_heat(fare: str, front: str, back: str) -> tuple[list[float], list[float], int]:
    """Every heat played out and weighed by its chance, one by one: shares, scores, heats that can happen."""
    shares, scores, heats = [0.0, 0.0], [0.0, 0.0], 0
    seated = [BOTS[front], BOTS[back]]
    known: list[dict[object, Chances]] = [{}, {}]
    waiting = [(Heat.of(fare, ["Jo", "Kit"]), 1.0)]
    while waiting:
        heat, chance = waiting.pop()
        if heat.over:
            heats += 1
            for seat, (name, score) in enumerate(heat.scores.items()):
                shares[seat] += chance * (name in heat.winners) / len(heat.winners)
                scores[seat] += chance * score
            continue
        seat = heat.queue[0].seat
        if heat.queue not in known[seat]:
            known[seat][heat.queue] = seated[seat].chances(heat)
        waiting += [(heat.jump(jump), chance * part) for jump, part in known[seat][heat.queue].items() if part]
    return shares, scores, heats


def holds_heat_by_heat(fare: str, one: str, other: str) -> int:
    """Whether the exact comparison says what playing every heat says; how many heats there were."""
    pair = compare([one, other], fare).as_json()["pairs"][0]
    assert pair["method"] == "exact"
    heats = 0
    for seating in pair["seatings"]:
        shares, scores, here = heat_by_heat(fare, *seating["seats"])
        assert seating["shares"] == pytest.approx(shares, abs=1e-9)
        assert seating["scores"] == pytest.approx(scores, abs=1e-9)
        heats += here
    assert pair["heats"] == heats
    return heats


def test_an_exact_comparison_is_what_playing_every_heat_of_it_says() -> None:
    assert holds_heat_by_heat("express", "greedy", "random") > 1_000
    assert holds_heat_by_heat("local", "random", "shortest") > 1_000


@pytest.mark.soak
@pytest.mark.parametrize(
    ("fare", "one", "other"),
    [("standard", "random", "easy"), ("express", "easy", "medium"), ("local", "random", "hard")],
)
def test_an_exact_comparison_is_what_all_859_329_heats_say(fare: str, one: str, other: str) -> None:
    assert holds_heat_by_heat(fare, one, other) == 2 * 859_329


def test_all_859_329_heats_of_both_seatings_are_weighed() -> None:
    found = compare(["random", "random"])
    assert found.as_json()["pairs"][0]["heats"] == 2 * 859_329
    assert [row.share for row in found.table] == pytest.approx([0.5, 0.5])


@pytest.mark.parametrize("fare", ["standard", "express", "local"])
def test_perfect_against_itself_is_worth_what_the_solver_says(fare: str) -> None:
    pair = compare(["perfect", "perfect"], fare).as_json()["pairs"][0]
    assert pair["seatings"][0]["shares"] == pytest.approx(solve(fare, 2).values)
    assert pair["shares"] == pytest.approx([0.5, 0.5])


def test_each_sits_in_front_once_and_nobody_gains_by_the_order_of_the_names() -> None:
    one, other = compare(["greedy", "longest"]), compare(["longest", "greedy"])
    assert {row.bot: row.share for row in one.table} == {row.bot: row.share for row in other.table}
    assert [pair["seats"] for pair in one.as_json()["pairs"][0]["seatings"]] == [
        ["greedy", "longest"],
        ["longest", "greedy"],
    ]


def test_four_strategies_make_six_pairs_and_four_threes() -> None:
    bots = ["shortest", "longest", "greedy", "shortest"]
    assert len(compare(bots).groups) == 6
    found = compare(bots, seats=3, heats=6)
    assert len(found.groups) == 4
    assert found.method == "sampled"
    assert all(group.heats == 6 for group in found.groups)  # one heat in each of the six seatings


def test_the_mean_score_is_counted_over_both_seatings() -> None:
    # by hand: four C are worth nothing on Standard, and twelve A six points. In front, longest is first on 3, 6 and 9
    # and leaves shortest the other eight stamps; behind, it still gets to 3, 6 and 9 before shortest, who walks.
    rows = {row.bot: row.score for row in compare(["shortest", "longest"]).table}
    assert rows == {"longest": 3, "shortest": 6 + 8}


def covered(pair: tuple[str, str], fare: str, seeds: range, heats: int) -> int:
    """In how many sampled comparisons the bounds hold the exact share."""
    exact = compare(pair, fare).groups[0].shares[0]
    groups = [compare(pair, fare, heats=heats, seed=seed, exactly=False).groups[0] for seed in seeds]
    assert all(group.method == "sampled" for group in groups)
    return sum(group.low[0] <= exact <= group.high[0] for group in groups)


def test_sampled_bounds_hold_the_exact_share() -> None:
    assert covered(("greedy", "random"), "local", range(20), 30) >= 19


@pytest.mark.soak
@pytest.mark.parametrize("pair", [("greedy", "random"), ("medium", "greedy"), ("easy", "random")])
def test_sampled_bounds_hold_the_exact_share_in_95_of_100_seeds(pair: tuple[str, str]) -> None:
    assert covered(pair, "standard", range(200), 200) >= 190


def test_a_bound_misses_a_known_mean_in_at_most_one_of_twenty_runs_whenever_one_looks() -> None:
    dice = Random(1)
    missed = 0
    for _ in range(200):
        bound, held = Bound(0.05), True
        for _ in range(60):
            bound.add(dice.choice((0, 0.5, 1, 1)))  # mean 0.625
            held = held and bound.low <= 0.625 <= bound.high
        missed += not held
    assert missed <= 10
    assert bound.high - bound.low < 0.6  # and says something


def test_a_strategy_that_wins_every_block_is_told_apart_after_a_few() -> None:
    found = compare(["longest", "shortest"], exactly=False)
    assert found.groups[0].told_apart
    assert found.groups[0].heats <= 30
    assert found.table[0].bot == "shortest"
    assert found.table[0].low > 0.5


def test_a_loser_is_told_apart_as_soon_as_a_winner() -> None:
    one = compare(["longest", "shortest"], exactly=False).groups[0]
    other = compare(["shortest", "longest"], exactly=False).groups[0]
    assert one.heats == other.heats


def test_equals_are_never_told_apart_and_play_all_their_heats() -> None:
    group = compare(["random", "random"], exactly=False, heats=100).groups[0]
    assert group.heats == 100
    assert not group.told_apart
    assert group.low[0] <= 0.5 <= group.high[0]


def test_the_same_seed_draws_the_same_heats_and_another_others() -> None:
    one, again, other = (compare(["random", "greedy"], exactly=False, heats=20, seed=seed) for seed in (1, 1, 2))
    assert one.as_json() == again.as_json()
    assert one.as_json() != other.as_json()


def test_with_five_seats_a_balanced_sample_seats_everybody_everywhere_equally_often() -> None:
    drawn_seatings = seatings(5, Random(0))
    assert len(drawn_seatings) == 10
    for seat in range(5):
        assert sorted(seating[seat] for seating in drawn_seatings) == sorted([0, 1, 2, 3, 4] * 2)
    assert compare(["longest"] * 5, seats=5, heats=10).seatings == "balanced"


def test_a_jump_is_drawn_as_often_as_its_chance_says() -> None:
    assert [drawn({1: 0.25, 2: 0.5, 3: 0.25}, n) for n in (0.0, 0.24, 0.25, 0.74, 0.75, 0.99)] == [1, 1, 2, 2, 3, 3]


def test_a_rating_difference_says_the_odds() -> None:
    rows = {row.bot: row for row in compare(["greedy", "random"]).table}
    share = rows["greedy"].share
    odds = (1000 * share + 0.5) / (1000 * (1 - share) + 0.5)  # a thousand heats, and one shared
    assert rows["greedy"].rating - rows["random"].rating == pytest.approx(400 * log10(odds), abs=0.1)


def test_a_function_of_five_lines_is_a_strategy_and_compared_exactly() -> None:
    found = compare(["mine:hoarder", "shortest"])
    assert found.method == "exact"
    assert {row.bot for row in found.table} == {"mine:hoarder", "shortest"}


def test_whatever_misbehaves_is_named_and_stopped_and_the_rest_goes_on() -> None:
    bots = [f"misfits:{name}" for name in ("raises", "illegal", "hangs", "leaves", "fortune", "unfair")]
    found = compare([*bots, "shortest", "longest"], limit=0.3)
    too_far = found.stopped.pop("misfits:illegal")  # from 2 to 5, 8 and 11
    assert re.fullmatch(r"jumped 3 at jump \d+, where only 1 fits", too_far)
    assert found.stopped == {  # raises sits in front of the others, and holds out longest
        "misfits:raises": "raised ValueError at jump 5: no idea",
        "misfits:hangs": "took more than 0.3 seconds over jump 5",
        "misfits:leaves": "ended its own process",
        "misfits:fortune": "answered '7' at jump 2: a jump is 1, 2 or 3",
        "misfits:unfair": "gave chances that add up to 1.1 at jump 2: they must add up to 1",
    }
    assert [row.bot for row in found.table] == ["shortest", "longest"]


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("odd", "raised RuntimeError at jump 1: no words"),
        ("listing", "answered '[1]' at jump 1: a jump is 1, 2 or 3"),
        ("shrugs", "answered 'a shrug' at jump 1: a jump is 1, 2 or 3"),
        ("speechless", "raised Speechless at jump 1"),
    ],
)
def test_whatever_a_strategy_answers_with_it_is_named_and_stopped(name: str, why: str) -> None:
    assert compare([f"misfits:{name}", "shortest", "longest"]).stopped == {f"misfits:{name}": why}


def test_a_module_that_dies_or_sleeps_while_it_is_imported_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UnknownStrategy, match="'deadly:bot' cannot be used: its module ends the process"):
        compare(["deadly:bot", "random"])
    monkeypatch.setattr("botq.arena.strategies.SECONDS_TO_START", 0.5)
    with pytest.raises(UnknownStrategy, match=r"its module took more than 0\.5 seconds to import"):
        compare(["sleepy:bot", "random"])


def test_strategies_with_a_memory_or_dice_of_their_own_are_played_heat_by_heat(
    capfd: pytest.CaptureFixture[str],
) -> None:
    for name in ("nostalgic", "dice"):
        found = compare([f"misfits:{name}", "random"], heats=40)
        assert found.method == "sampled"
        assert found.as_json() == compare([f"misfits:{name}", "random"], heats=40).as_json()
    assert compare(["misfits:chatty", "longest"]).method == "exact"
    assert capfd.readouterr().out == ""  # what they print stays out of ours


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("clever", "there is no bot 'clever': name random,"),
        ("broken:bot", "'broken:bot' cannot be used: ModuleNotFoundError: No module named 'nothing_of_this_name'"),
        ("mine:missing", "'mine:missing' cannot be used: mine has no function missing"),
        (":", "cannot be used: write package.module:function"),
    ],
)
def test_a_strategy_that_cannot_be_had_is_refused(name: str, why: str) -> None:
    with pytest.raises(UnknownStrategy, match=why):
        compare([name, "random"])


def test_too_few_strategies_or_seats_are_refused() -> None:
    with pytest.raises(Refused, match="3 seats need 3 strategies, not 2: a name may be repeated"):
        compare(["random", "greedy"], seats=3)
    with pytest.raises(Refused, match="2 to 6 seats, not 7"):
        compare(["random"] * 7, seats=7)
    with pytest.raises(Refused, match="at least 1 heat"):
        compare(["random"] * 2, heats=0)
    for limit in (0, -1, float("nan"), float("inf"), 1e300):
        with pytest.raises(Refused, match="more than 0 to 3600 seconds a jump"):
            compare(["misfits:chatty", "random"], limit=limit)


THREE_BOTS = ("random", "greedy", "longest")


def broken_off(scroll: Path, after: int) -> Comparison:
    calls = 0

    def interrupt(done: float, of: float) -> None:
        nonlocal calls
        calls += 1
        if calls == after:
            raise KeyboardInterrupt

    return compare(THREE_BOTS, seats=3, heats=60, resume=scroll, watch=interrupt)


def test_a_comparison_broken_off_keeps_what_was_played_and_goes_on_from_it(tmp_path: Path) -> None:
    whole = compare(THREE_BOTS, seats=3, heats=60)
    scroll = tmp_path / "scroll"
    part = broken_off(scroll, 3)
    assert part.interrupted
    assert part.groups[0].heats == 18  # three blocks of six
    with scroll.open("a") as file:
        file.write('{"group": 0, "blo')  # cut short by a power cut
    for _ in range(2):  # the second time from a file that holds all of it
        assert compare(THREE_BOTS, seats=3, heats=60, resume=scroll).as_json() == whole.as_json()


def test_what_was_weighed_exactly_is_not_weighed_again(tmp_path: Path) -> None:
    first = compare(["mine:hoarder", "longest"], resume=tmp_path / "scroll")
    (tmp_path / "mine.py").write_text(FIVE_LINES.replace("return", "raise ValueError(heat)\n    return"))
    assert compare(["mine:hoarder", "longest"], resume=tmp_path / "scroll").as_json() == first.as_json()


def test_a_file_of_another_comparison_is_refused(tmp_path: Path) -> None:
    scroll = tmp_path / "scroll"
    broken_off(scroll, 1)
    with pytest.raises(Refused, match="is of another comparison"):
        compare(["random", "random"], resume=scroll)
    scroll.write_text("a shopping list\n")
    with pytest.raises(Refused, match="is no file of a comparison"):
        compare(["random", "random"], resume=scroll)
    scroll.write_text("a shopping list without a last line's end")
    with pytest.raises(Refused, match="is no file of a comparison"):
        compare(["random", "random"], resume=scroll)
    assert scroll.read_text() == "a shopping list without a last line's end"  # it was somebody's
    with pytest.raises(Refused, match="cannot be used to resume"):
        compare(["random", "random"], resume=tmp_path)


def test_the_leader_is_told_apart_only_once_it_is_above_everybody() -> None:
    first, second, third = Bound(), Bound(), Bound()
    for _ in range(60):
        first.add(1)
        second.add(1)
        third.add(0)
    assert told_apart([first, third])
    assert not told_apart([first, second, third])


def test_botq_arena_prints_the_shape_the_interface_promises(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["arena", "greedy", "random", "--fare", "AA1-ABC5", "--json", "--csv", str(tmp_path / "t.csv")]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["fare"] == Fare.parse("standard").as_json() | {"spelling": "AA1-ABC5"}
    assert (told["seats"], told["method"]) == (2, "exact")
    assert {"bot", "share", "low", "high", "heats"} <= set(told["table"][0])
    assert len(told["pairs"]) == 1
    assert (tmp_path / "t.csv").read_text().splitlines()[0].startswith("bot,share,low,high,heats,score,rating")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["clever", "random"], "there is no bot 'clever'"),
        (["random"], "2 seats need 2 strategies, not 1"),
        (["random", "random", "--fare", "XYZ"], "there is no fare card 'XYZ'"),
        (["misfits:fortune", "misfits:leaves"], "nothing is left to compare: misfits:fortune answered"),
        (["longest", "shortest", "--csv", "/nowhere/t.csv"], "/nowhere/t.csv cannot be written: No such file"),
    ],
)
def test_botq_arena_refuses_in_one_line(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["arena", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(said)
    assert err.count("\n") == 1
