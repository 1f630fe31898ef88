"""Bots: what each does, at which chances, and that the levels are worth their names."""

import re
from collections import Counter
from itertools import product
from math import exp
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from botq import FARES, Heat, Match, Refused
from botq.bots import BOTS, NEVER_SOLVED, Bot, UnknownBot, moved_by_bot, promise, taken_back
from botq.oracle import EQUAL, worth
from botq.rules import Tickets, form_queue, legal_jumps, play
from botq.search import final_shares, search

DOCS = Path(__file__).parent.parent / "docs"
NAMES = ("Jo", "Kit", "Ada", "Sam", "Lee", "Max")
FAST = ("random", "shortest", "longest", "greedy")


def heat_of(fare: str, seats: int, jumps: str = "") -> Heat:
    return Heat.of(fare, NAMES[:seats], jumps)


def heat_after(fare: str, seats: int, number: int, seed: int) -> Heat:
    """A heat with so many jumps made at random, fewer if it is over before."""
    heat, dice = heat_of(fare, seats), Random(seed)
    while not heat.over and len(heat.jumps) < number:
        heat = heat.jump(dice.choice(heat.legal))
    return heat


# What every bot does


@pytest.mark.parametrize("bot", BOTS.values(), ids=lambda bot: bot.name)
def test_a_bots_chances_are_over_legal_jumps_and_add_up_to_one(bot: Bot) -> None:
    for seats, number in product((1, 2, 3), (0, 3, 9)):
        heat = heat_after("local", seats, number, seats)
        if heat.over:
            continue
        chances = bot.chances(heat)
        assert set(chances) <= set(heat.legal)
        assert sum(chances.values()) == pytest.approx(1)
        assert min(chances.values()) >= 0


@pytest.mark.parametrize("bot", BOTS.values(), ids=lambda bot: bot.name)
def test_the_position_alone_fixes_the_chances(bot: Bot) -> None:
    one, other = heat_of("standard", 3, "123"), Heat.of("standard", ["X", "Y", "Z"], "123")
    assert bot.chances(one) == bot.chances(other)


def test_with_the_same_seed_a_bot_jumps_the_same_and_with_others_as_its_chances_say() -> None:
    heat = heat_of("express", 2, "12")
    for name in ("random", "easy"):
        bot = BOTS[name]
        assert bot(heat, "a link") == bot(heat, "a link")
        drawn = Counter(bot(heat, seed) for seed in range(600))
        for jump, chance in bot.chances(heat).items():
            assert drawn[jump] / 600 == pytest.approx(chance, abs=0.08)  # four times its standard deviation


@pytest.mark.parametrize("bot", BOTS.values(), ids=lambda bot: bot.name)
def test_no_bot_jumps_once_the_heat_is_over(bot: Bot) -> None:
    with pytest.raises(Refused, match="over"):
        bot.chances(heat_of("standard", 1, "3333"))


@pytest.mark.parametrize("name", BOTS)
def test_every_bot_has_its_heading_and_its_description_in_the_docs(name: str) -> None:
    text = (DOCS / "bots.md").read_text(encoding="utf-8")
    assert re.search(
        rf"^### {name}\n\n{BOTS[name].description[:1].upper()}{re.escape(BOTS[name].description[1:])}", text, re.M
    )


# The plain ones


def test_shortest_and_longest_jump_as_they_are_called() -> None:
    heat = heat_of("standard", 1, "333")
    assert BOTS["shortest"].chances(heat) == {1: 1}
    assert BOTS["longest"].chances(heat) == {3: 1}
    assert BOTS["longest"].chances(heat.jump(1)) == {2: 1}  # on 10


def test_random_takes_every_jump_that_fits_equally_often() -> None:
    assert BOTS["random"].chances(heat_of("standard", 1, "3331")) == {1: 0.5, 2: 0.5}


def test_greedy_completes_a_set_when_it_can() -> None:
    assert BOTS["greedy"].chances(heat_of("standard", 1, "12")) == {3: 1}  # A and B in hand: the C makes 5 points
    assert BOTS["greedy"].chances(heat_of("express", 1, "2")) == {3: 1}  # B in hand: the C makes 4


def test_greedy_takes_a_stamp_rather_than_none_where_tickets_promise_the_same() -> None:
    worthless = "A0"
    assert BOTS["greedy"].chances(heat_of(worthless, 2, "1")) == {2: 1}  # 1 has been visited; 2 before 3: the shorter
    assert BOTS["greedy"].chances(heat_of(worthless, 3, "12")) == {3: 1}


def test_what_a_hand_promises_is_its_average_over_ways_to_finish() -> None:
    card = FARES["standard"]
    assert promise(card, Tickets(a=10)) == (6 + 5) / 2  # then A and A, or B: 12 A, or 10 A and B
    assert promise(card, Tickets(4, 1, 2)) == 6  # the rule sheet's example


# The levels


def test_the_levels_weigh_jumps_by_their_exact_share() -> None:
    heat = heat_of("standard", 3)
    told = worth(heat)
    assert told
    own = {one.jump: one.values[0] for one in told.jumps}
    weights = {jump: exp(3 * share / 1.5) for jump, share in own.items()}  # easy: temperature 1.5, an even share is 1
    expected = {jump: weight / sum(weights.values()) for jump, weight in weights.items()}
    assert BOTS["easy"].chances(heat) == pytest.approx(expected)


def front_share(front: Bot, back: Bot, fare: str) -> float:
    """The front seat's exact share: every heat, weighted by both bots' chances."""
    total, layer = 0.0, {form_queue(2): (1.0, heat_of(fare, 2))}
    while layer:
        after: dict[object, tuple[float, Heat]] = {}
        for weight, heat in layer.values():
            if heat.over:
                total += weight * final_shares([*heat.scores.values()])[0]
                continue
            for jump, chance in (front, back)[heat.queue[0].seat].chances(heat).items():
                if chance > 1e-4:  # the rest is below what the tests look at
                    later = heat.jump(jump)
                    before = after.get(later.queue, (0.0, later))[0]
                    after[later.queue] = (before + weight * chance, later)
        layer = after  # type: ignore[assignment]  # its keys are queues, theirs objects
    return total


def share(one: str, other: str, fare: str) -> float:
    """A bot's share against another over both seatings."""
    a, b = BOTS[one], BOTS[other]
    return (front_share(a, b, fare) + 1 - front_share(b, a, fare)) / 2


@pytest.mark.parametrize("fare", FARES)
def test_greedy_loses_to_hard_and_beats_easy(fare: str) -> None:
    assert share("greedy", "hard", fare) < 0.45
    assert share("greedy", "easy", fare) > 0.55


def test_perfect_gives_nothing_away_and_wins_from_the_front() -> None:
    for fare in FARES:
        assert front_share(BOTS["perfect"], BOTS["greedy"], fare) == pytest.approx(1)
        assert front_share(BOTS["perfect"], BOTS["perfect"], fare) == pytest.approx(1)  # known: 1, 0


def test_among_jumps_that_all_win_perfect_takes_the_widest_margin() -> None:
    for seed in range(200):
        heat = heat_after("standard", 2, 6, seed)
        told, margins = worth(heat), worth(heat, "margin")
        assert told
        assert margins
        seat = heat.queue[0].seat
        if told.values[seat] == 1 and len(told.best) > 1:
            widest = max(one.values[seat] for one in margins.jumps if one.jump in told.best)
            expected = {one.jump for one in margins.jumps if one.jump in told.best and one.values[seat] == widest}
            assert set(BOTS["perfect"].chances(heat)) == expected
            if expected != set(told.best):
                return
    pytest.fail("no position had winning jumps of different margins")


def wins_against_dice(heat: Heat, seat: int) -> float:
    """A seat's share if it plays to win and the others throw dice: told slowly, from the heat alone."""
    if heat.over:
        return final_shares([*heat.scores.values()])[seat]
    after = [wins_against_dice(heat.jump(jump), seat) for jump in heat.legal]
    return max(after) if heat.queue[0].seat == seat else sum(after) / len(after)


def test_where_all_is_lost_perfect_takes_the_jump_that_wins_most_often_against_dice() -> None:
    told_apart = 0
    for seed in range(60):
        heat = heat_after("express", 2, 7, seed)
        told, seat = worth(heat), heat.queue[0].seat
        if not told or told.values[seat] > EQUAL or len(heat.legal) == 1:
            continue
        hopes = {jump: wins_against_dice(heat.jump(jump), seat) for jump in heat.legal}
        best = {jump for jump in hopes if hopes[jump] > max(hopes.values()) - EQUAL}
        assert set(BOTS["perfect"].chances(heat)) == best
        told_apart += len(best) < len(heat.legal)
    assert told_apart > 5


# The search


def test_the_search_finds_the_shares_of_a_position_close_to_the_end() -> None:
    checked = 0
    for seed in range(16):
        heat = heat_after("standard", 3, 12, seed)
        told = worth(heat)
        if heat.over or not told or len(heat.legal) == 1:
            continue
        found = search(heat.fare, heat.queue, 1000, Random(seed))
        seat = heat.queue[0].seat
        best = max(found, key=lambda jump: found[jump][seat])
        lost = max(told.values[seat] for told in told.jumps) - next(
            o.values[seat] for o in told.jumps if o.jump == best
        )
        assert lost < 0.2
        checked += 1
    assert checked > 8


def test_the_search_shares_out_one_win_and_is_fixed_by_its_seed() -> None:
    heat = heat_of("local", 6)
    found = search(heat.fare, heat.queue, 300, Random(5))
    assert found == search(heat.fare, heat.queue, 300, Random(5))
    assert list(found) == [1, 2, 3]
    for shares in found.values():
        assert sum(shares) == pytest.approx(1)


def test_the_search_plays_no_more_heats_than_it_was_given(monkeypatch: pytest.MonkeyPatch) -> None:
    played = []
    real = search.__globals__["_play_on"]
    monkeypatch.setitem(search.__globals__, "_play_on", lambda *given: played.append(1) or real(*given))
    search(FARES["standard"], form_queue(4), 77, Random(0))
    assert len(played) == 77


def test_early_in_a_heat_of_six_a_bot_searches_and_says_so() -> None:
    heat = heat_of("standard", 6)
    assert worth(heat) is None
    assert set(BOTS["perfect"].chances(heat)) <= {1, 2, 3}
    assert "five or six seats" in NEVER_SOLVED
    assert NEVER_SOLVED in (DOCS / "bots.md").read_text(encoding="utf-8")


def test_the_mover_of_a_guessing_search_is_the_only_one_who_looks_ahead() -> None:
    queue = form_queue(2)
    for jump in (3, 3, 3, 3, 3, 3):
        queue = play(queue, jump)
    hopes = search(FARES["local"], queue, 3000, Random(1), guessing=True)
    heat = heat_of("local", 2, "333333")
    for jump in legal_jumps(queue):
        assert hopes[jump][0] == pytest.approx(wins_against_dice(heat.jump(jump), 0), abs=0.08)


# In a match


def test_a_bot_moves_and_stops_for_a_person() -> None:
    match = moved_by_bot(Match.parse("standard/Ada:longest,Kit,Lu:longest/"))
    assert match.jumps == ("3",)
    assert moved_by_bot(match) == match  # Kit is a person


def test_where_only_bots_play_the_heat_is_played_to_its_end() -> None:
    match = moved_by_bot(Match.parse("standard/Ada:longest,Lu:longest/"))
    assert match.jumps == ("33333333",)


def test_undo_goes_back_to_the_last_jump_of_a_person() -> None:
    back = taken_back(Match.parse("standard/Ada:longest,Kit,Lu:longest/323"))
    assert back
    assert back.jumps == ("3",)
    assert taken_back(back) is None


def test_undo_in_a_second_heat_that_bots_opened_leads_to_the_end_of_the_first() -> None:
    back = taken_back(Match.parse("standard/Kit,Ada:longest/33333333/3"))
    assert back
    assert back.jumps == ("33333333",)


@pytest.mark.parametrize("bot", ["perfekt", "Perfect", "x", "𝒷𝑜𝓉"])
def test_an_unknown_bot_is_refused_with_those_there_are(bot: str) -> None:
    with pytest.raises(
        UnknownBot, match="the bots are random, shortest, longest, greedy, easy, medium, hard and perfect"
    ):
        moved_by_bot(Match.parse(f"standard/Ada:{bot},Kit/"))


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(FAST), st.sampled_from(FAST), st.integers(1, 6), st.sampled_from([*FARES]))
def test_bots_play_any_heat_to_its_end(one: str, other: str, seats: int, fare: str) -> None:
    players = ",".join(f"{name}:{(one, other)[seat % 2]}" for seat, name in enumerate(NAMES[:seats]))
    assert moved_by_bot(Match.parse(f"{fare}/{players}/")).heat.over
