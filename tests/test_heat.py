"""A heat: who is next, what a jump brings, what everybody scores, who wins."""

import unicodedata
from collections import Counter
from itertools import permutations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from botq import FARES, Heat, IllegalJump
from botq.fares import Claim
from botq.heat import BadName, Jump, Player, draw_lots
from botq.rules import Refused, Tickets
from referee import Referee

JO_AND_KIT = Heat.of("standard", ["Jo", "Kit"])
WORKED_EXAMPLE = Heat.of("standard", ["Jo", "Kit"], "3131311133121")  # ends with the hand the rule sheet scores


def random_heat(seats: int, dice: Random, fare: str = "standard", most: int = 72) -> Heat:
    heat = Heat.of(fare, [f"Player {seat}" for seat in range(1, seats + 1)])
    while not heat.over and len(heat.jumps) < most:
        heat = heat.jump(dice.choice(heat.legal))
    return heat


# Whose turn it is


def test_the_player_at_the_front_of_the_opening_queue_acts_first() -> None:
    assert Heat.of("standard", ["Kit", "Jo"]).turn == "Kit"


def test_the_turns_of_the_worked_example_are_jo_kit_and_jo_again() -> None:
    turns = [Heat.of("standard", ["Jo", "Kit"], "31313"[:made]).turn for made in (3, 4, 5)]
    assert turns == ["Jo", "Kit", "Jo"]


def test_when_the_heat_is_over_nobody_is_next() -> None:
    assert (WORKED_EXAMPLE.over, WORKED_EXAMPLE.turn, WORKED_EXAMPLE.head, WORKED_EXAMPLE.legal) == (
        True,
        None,
        None,
        (),
    )


def test_a_bot_plays_under_its_players_name() -> None:
    heat = Heat(FARES["local"], (Player("Ada", "perfect"), Player("Jo")))
    assert (heat.turn, heat.head) == ("Ada", ("Ada", "perfect"))


# Jumping


def test_a_jump_makes_a_new_heat_and_leaves_the_old_one_as_it_was() -> None:
    after = JO_AND_KIT.jump(3)
    assert (JO_AND_KIT.jumps, JO_AND_KIT.turn) == ("", "Jo")
    assert (after.jumps, after.turn) == ("3", "Kit")


@given(st.integers(1, 6), st.integers(0, 72), st.randoms(use_true_random=False))
def test_a_heat_played_jump_by_jump_is_the_heat_read_from_its_jumps(seats: int, most: int, dice: Random) -> None:
    played = random_heat(seats, dice, most=most)
    read = Heat(played.fare, played.players, played.jumps)
    assert (played, played.queues, played.story) == (read, read.queues, read.story)


def test_an_illegal_jump_is_refused_by_name_and_number() -> None:
    heat = Heat.of("standard", ["Jo"], "3332")
    with pytest.raises(IllegalJump, match="jump 5: Jo is on 11: only a jump of 1 fits, not 2"):
        heat.jump(2)
    assert heat.turn == "Jo"


def test_a_jump_after_the_end_is_refused() -> None:
    with pytest.raises(IllegalJump, match="jump 14: Jo is on 12 and finished, as everybody is: no jump is left"):
        WORKED_EXAMPLE.jump(1)


@pytest.mark.parametrize(
    ("jumps", "said"),
    [
        ("3104", "jump 3 reads '0': a jump is 1, 2 or 3"),
        ("31x", "jump 3 reads 'x': a jump is 1, 2 or 3"),
        ("3١", "jump 2 reads '١': a jump is 1, 2 or 3"),
        ("333333333", "jump 9: Jo is on 12 and finished, as everybody is: no jump is left"),
        ("333332333", "jump 9: Kit is on 11: only a jump of 1 fits, not 3"),
    ],
)
def test_a_wrong_jump_in_a_row_is_refused_with_its_number(jumps: str, said: str) -> None:
    with pytest.raises(IllegalJump) as refused:
        Heat.of("standard", ["Jo", "Kit"], jumps)
    assert str(refused.value) == said


def test_undoing_takes_back_the_last_jumps() -> None:
    heat = Heat.of("standard", ["Jo", "Kit"], "3131")
    assert [heat.undone(n).jumps for n in (0, 1, 4)] == ["3131", "313", ""]
    assert heat.undone() == Heat.of("standard", ["Jo", "Kit"], "313")


def test_what_was_not_jumped_cannot_be_undone() -> None:
    with pytest.raises(Refused, match="there is no jump to undo"):
        JO_AND_KIT.undone()
    with pytest.raises(Refused, match="3 jumps cannot be undone, only 0 to 2"):
        Heat.of("standard", ["Jo"], "11").undone(3)


# Stamps


@given(st.integers(1, 6), st.integers(0, 72), st.randoms(use_true_random=False))
def test_open_stamps_are_the_circles_that_a_referee_has_not_crossed_out(seats: int, most: int, dice: Random) -> None:
    heat, referee = random_heat(seats, dice, most=most), Referee(seats)
    for digit in heat.jumps:
        referee.move(int(digit))
    assert list(heat.open_stamps) == referee.open_circles
    assert [pawn.stamps for pawn in heat.pawns] == referee.stamps


def test_stamps_that_everybody_jumped_over_stay_open_behind_them() -> None:
    assert Heat.of("standard", ["Jo", "Kit"], "33").open_stamps == (1, 2, 4, 5, 6, 7, 8, 9, 10, 11)


# Telling a jump, before and after


def test_a_jump_is_told_with_landing_ticket_stamp_and_who_is_next() -> None:
    story = Heat.of("standard", ["Jo", "Kit"], "31313").story
    assert [str(jump) for jump in story[2:]] == [
        "Jump 3: Kit jumps 3 to space 4, takes ticket C and the stamp. Jo is next.",
        "Jump 4: Jo jumps 1 to space 4, takes ticket A. Kit is next.",
        "Jump 5: Kit jumps 3 to space 7, takes ticket C and the stamp. Jo is next.",
    ]


def test_the_last_jump_says_that_the_heat_is_over() -> None:
    assert str(WORKED_EXAMPLE.story[-1]) == "Jump 13: Kit jumps 1 to space 12, takes ticket A. The heat is over."


def test_each_choice_foretells_what_its_jump_brings() -> None:
    choices = Heat.of("standard", ["Jo", "Kit"], "313").choices
    assert [choice.jump for choice in choices] == [
        Jump(4, "Jo", 1, 4, stamp=False, then="Kit"),
        Jump(4, "Jo", 2, 5, stamp=True, then="Kit"),
        Jump(4, "Jo", 3, 6, stamp=True, then="Kit"),
    ]


def test_a_choice_that_passes_12_says_so() -> None:
    choices = Heat.of("standard", ["Jo"], "3332").choices
    assert [(choice.length, choice.jump is None, choice.why_not) for choice in choices] == [
        (1, False, ""),
        (2, True, "passes 12"),
        (3, True, "passes 12"),
    ]
    assert WORKED_EXAMPLE.choices == ()


@given(st.integers(1, 6), st.integers(0, 71), st.randoms(use_true_random=False))
def test_every_choice_comes_true(seats: int, most: int, dice: Random) -> None:
    heat = random_heat(seats, dice, most=most)
    for choice in heat.choices:
        assert (choice.jump is not None) == (choice.length in heat.legal)
        assert choice.jump is None or choice.jump == heat.jump(choice.length).story[-1]


# Scores


def test_jo_ends_the_worked_example_with_6_ticket_points_3_stamps_and_9_in_all() -> None:
    jo, receipt = WORKED_EXAMPLE.pawns[0], WORKED_EXAMPLE.receipts[0]
    assert (jo.tickets, jo.stamps) == (Tickets(4, 1, 2), 3)
    assert (receipt.claims, receipt.points) == ((Claim("ABC", 1, 5), Claim("AA", 1, 1)), 6)
    assert WORKED_EXAMPLE.scores["Jo"] == 9


def test_the_highest_total_wins() -> None:
    """Jo: C C C C and the stamps of 3, 6 and 9.  Kit: twelve A, six pairs, and all other stamps but one."""
    heat = Heat.of("standard", ["Jo", "Kit"], "3111" + "3111" + "3111" + "3111")
    assert heat.scores == {"Jo": 3, "Kit": 6 + 8}
    assert heat.winners == ("Kit",)


def test_equal_scores_share_the_win() -> None:
    """Jo: four C for 1 point, and the stamps of 3, 6 and 9.  Kit: no set, and the stamps of 2, 5, 8 and 11."""
    heat = Heat.of("CCCC1", ["Jo", "Kit"], "321" * 4)
    assert heat.scores == {"Jo": 4, "Kit": 4}
    assert heat.winners == ("Jo", "Kit")


def test_nobody_has_won_before_every_pawn_reaches_12() -> None:
    before_the_end = WORKED_EXAMPLE.undone()
    assert (before_the_end.over, before_the_end.winners) == (False, ())


def test_a_running_score_counts_sets_and_stamps_so_far() -> None:
    heat = Heat.of("standard", ["Jo", "Kit"], "1111")  # both hold a pair of A; Jo landed first on 1 and on 2
    assert heat.scores == {"Jo": 3, "Kit": 1}


def test_playing_alone_wins_alone() -> None:
    assert Heat.of("express", ["Jo"], "3333").winners == ("Jo",)


# Names


GOOD_NAMES = [
    "Jo",
    "J",
    "x" * 20,
    "Zoë",
    "李",
    "Jo Kit",
    "<script>",
    "[red]",
    "👩‍👩‍👧",
    "1st",
    "%",
    "a/b",
    "אבא",
    "Jo\u200f",
]


@pytest.mark.parametrize("name", GOOD_NAMES)
def test_a_name_is_anything_of_up_to_20_characters_that_can_be_seen(name: str) -> None:
    assert Heat.of("standard", [name]).turn == name


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("", "is empty"),
        (" ", "is empty"),
        (" Jo", "has spaces around it"),
        ("x" * 21, "is 21 characters long: 20 is the most"),
        ("Jo\x00", r"holds a character that is no letter, digit or sign: 'Jo\x00'"),
        ("J\no", r"holds a character that is no letter, digit or sign: 'J\no'"),
        ("J\u2028o", r"holds a character that is no letter, digit or sign: 'J\u2028o'"),
        ("Jo\udcff", r"holds a character that is no letter, digit or sign: 'Jo\udcff'"),
        ("\u200b\u200d", "has nothing that can be seen"),
        ("\u3164", "has nothing that can be seen"),
        ("\u0301", "has nothing that can be seen"),
        ("12", "is only digits and dots: '12': add a letter"),
        ("..", "is only digits and dots: '..': add a letter"),
        ("٣", "is only digits and dots: '٣': add a letter"),
    ],
)
def test_what_cannot_be_a_name_is_refused_with_its_seat(name: str, said: str) -> None:
    with pytest.raises(BadName) as refused:
        Heat.of("standard", ["Jo B", name])
    assert str(refused.value) == f"the name of seat 2 {said}"


@pytest.mark.parametrize("other", ["jo", "JO", "Jo"])
def test_two_players_cannot_have_one_name(other: str) -> None:
    with pytest.raises(BadName, match=f"seats 1 and 3 are both named '{other}': give each its own name"):
        Heat.of("standard", ["Jo", "Kit", other])


def test_names_that_only_look_different_to_a_computer_are_one() -> None:
    assert unicodedata.normalize("NFD", "Zoë") != "Zoë"
    for one, other in (("Zoë", unicodedata.normalize("NFD", "zoë")), ("Strasse", "straße")):
        with pytest.raises(BadName, match="seats 1 and 2 are both named"):
            Heat.of("standard", [one, other])


@pytest.mark.parametrize("names", [[], list("abcdefg")])
def test_a_heat_has_one_to_six_players(names: list[str]) -> None:
    with pytest.raises(BadName, match=f"a heat has 1 to 6 seats, not {len(names)}"):
        Heat.of("standard", names)


@given(st.lists(st.text(st.characters()), max_size=7))
def test_any_names_play_or_are_refused_in_one_line(names: list[str]) -> None:
    try:
        assert Heat.of("standard", names).names == tuple(names)
    except Refused as refused:
        assert str(refused).isprintable()


# Drawing lots


def test_lots_put_everybody_in_the_queue_once() -> None:
    assert sorted(draw_lots("ABCDEF")) == list("ABCDEF")


def test_every_opening_queue_is_as_likely_as_any_other() -> None:
    """6,000 draws of three: each order is expected 1,000 times; being 200 off is some seven deviations."""
    drawn = Counter(draw_lots("ABC") for _ in range(6000))
    assert set(drawn) == set(permutations("ABC"))
    assert all(abs(times - 1000) < 200 for times in drawn.values())
