"""A match as one line of text, both ways."""

import unicodedata
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from botq import FARES, IllegalJump, Match
from botq.fares import BadFare
from botq.heat import BadName, Player
from botq.notation import BadNotation
from botq.rules import Refused
from test_heat import GOOD_NAMES, random_heat

FIRST_HEAT = "standard/Jo,Kit/3131311133121"


# Reading


def test_the_notation_of_the_handbook_says_that_kit_is_next() -> None:
    match = Match.parse("standard/Jo,Kit/3121")
    assert (match.heat.names, match.heat.turn, match.fare, match.notation) == (
        ("Jo", "Kit"),
        "Kit",
        FARES["standard"],
        "standard/Jo,Kit/3121",
    )


def test_a_number_of_seats_names_them_player_1_to_6_and_stays_a_number() -> None:
    match = Match.parse("local/6/")
    assert match.heat.names == ("Player 1", "Player 2", "Player 3", "Player 4", "Player 5", "Player 6")
    assert match.jump(2).notation == "local/6/2"


def test_a_match_can_open_with_names_or_a_number() -> None:
    assert Match.opening(FARES["express"], 3) == Match.parse("express/3/")
    assert Match.opening(FARES["express"], "Jo,Ada:perfect") == Match.parse("express/Jo,Ada:perfect/")


def test_a_word_after_a_colon_is_the_bot_of_the_seat() -> None:
    match = Match.parse("standard/Ada:perfect,Jo/3")
    assert match.players == (Player("Ada", "perfect"), Player("Jo"))
    assert match.heat.names == ("Ada", "Jo")
    assert match.notation == "standard/Ada:perfect,Jo/3"


def test_a_card_equal_to_a_named_one_is_written_by_its_name() -> None:
    assert Match.parse("aa1-cab5/2/").notation == "standard/2/"
    assert Match.parse("aa1-cab6/2/").notation == "AA1-ABC6/2/"


def test_spaces_around_a_name_are_trimmed() -> None:
    assert Match.parse("standard/ Jo ,%20Kit%20/").notation == "standard/Jo,Kit/"


def test_separators_in_a_name_are_split_first_and_decoded_after() -> None:
    match = Match.parse("standard/a%2Fb,c%2Cd,e%3Af/")
    assert match.heat.names == ("a/b", "c,d", "e:f")
    assert match.notation == "standard/a%2Fb,c%2Cd,e%3Af/"


def test_every_byte_of_a_name_outside_the_plain_ones_is_written_in_upper_case_hex() -> None:
    assert Match.parse("standard/Zoë,%e6%9d%8e,A-b.c_d~1/").notation == "standard/Zo%C3%AB,%E6%9D%8E,A-b.c_d~1/"


# Two heats


def test_the_second_heat_starts_with_the_queue_reversed_on_the_same_fare() -> None:
    match = Match.parse(FIRST_HEAT).second_heat()
    first, second = match.heats
    assert match.notation == FIRST_HEAT + "/"
    assert (second.names, second.turn, second.fare) == (("Kit", "Jo"), "Kit", first.fare)


def test_the_second_heat_starts_with_everything_reset() -> None:
    second = Match.parse(FIRST_HEAT + "/").heat
    assert second.scores == {"Kit": 0, "Jo": 0}
    assert second.open_stamps == tuple(range(1, 12))
    assert all(pawn.space == 0 for pawn in second.pawns)


def test_each_heat_keeps_its_own_scores() -> None:
    match = Match.parse(FIRST_HEAT + "/11")
    assert [heat.scores for heat in match.heats] == [{"Jo": 9, "Kit": 6}, {"Kit": 1, "Jo": 0}]


def test_a_match_is_over_after_its_second_heat() -> None:
    assert [Match.parse(FIRST_HEAT + more).over for more in ("", "/", "/33333333")] == [False, False, True]


def test_the_second_heat_waits_for_the_end_of_the_first() -> None:
    with pytest.raises(BadNotation, match="heat 2 opens when heat 1 is over, but Kit still has to jump in heat 1"):
        Match.parse("standard/Jo,Kit/3121/")
    with pytest.raises(BadNotation, match="heat 2 opens when heat 1 is over"):
        Match.parse("standard/2/").second_heat()


def test_there_is_no_third_heat() -> None:
    with pytest.raises(Refused, match="a match has two heats, and the second is open already"):
        Match.parse(FIRST_HEAT + "/").second_heat()
    with pytest.raises(BadNotation, match="a match has one heat or two, not 3"):
        Match(FARES["standard"], (Player("Jo"),), ("3333", "3333", ""))


def test_undo_goes_back_jump_by_jump_to_the_opening_of_the_first_heat() -> None:
    match, steps = Match.parse(FIRST_HEAT + "/3"), []
    for _ in range(3):
        match = match.undone()
        steps.append(match.notation)
    assert steps == [FIRST_HEAT + "/", FIRST_HEAT, FIRST_HEAT[:-1]]
    with pytest.raises(Refused, match="there is no jump to undo"):
        Match.parse("standard/2/").undone()


def test_a_jump_goes_to_the_heat_being_played() -> None:
    assert Match.parse(FIRST_HEAT + "/").jump(2).notation == FIRST_HEAT + "/2"
    assert Match.parse("standard/Jo/1").jump(2).notation == "standard/Jo/12"
    with pytest.raises(IllegalJump, match="jump 14: Jo is on 12 and finished"):
        Match.parse(FIRST_HEAT).jump(1)


# Refusing


@pytest.mark.parametrize(
    ("text", "kind", "said"),
    [
        ("", BadNotation, "'' has 1 part: a match is written FARE/NAMES/HEAT1 or FARE/NAMES/HEAT1/HEAT2"),
        ("standard/2", BadNotation, "'standard/2' has 2 parts: a match is written FARE/NAMES/HEAT1"),
        ("standard/2/3/3/", BadNotation, "'standard/2/3/3/' has 5 parts: a match is written"),
        ("x" * 4001, BadNotation, "a match is at most 4000 characters long, not 4001"),
        ("/2/", BadFare, "the fare is missing"),
        ("luxury/2/", BadFare, "there is no fare card 'luxury'"),
        ("standard//", BadName, "the name of seat 1 is empty"),
        ("standard/Jo,,Kit/", BadName, "the name of seat 2 is empty"),
        ("standard/0/", BadName, "the number of seats is 1 to 6, not '0'"),
        ("standard/7/", BadName, "the number of seats is 1 to 6, not '7'"),
        ("standard/02/", BadName, "the number of seats is 1 to 6, not '02'"),
        ("standard/" + "9" * 3000 + "/", BadName, "the number of seats is 1 to 6, not '999"),
        ("standard/٣/", BadName, "the name of seat 1 is only digits and dots: '٣'"),
        ("standard/a,b,c,d,e,f,g/", BadName, "a heat has 1 to 6 seats, not 7"),
        ("standard/Jo,jo/", BadName, "seats 1 and 2 are both named 'jo'"),
        ("standard/Jo,Ada:/", BadName, "the bot of seat 2 reads '': after the colon comes one word, such as perfect"),
        ("standard/Ada:a:b/", BadName, "the bot of seat 1 reads 'a:b'"),
        ("standard/Ada:two words/", BadName, "the bot of seat 1 reads 'two words'"),
        ("standard/100%/", BadName, "the name of seat 1 holds '%': a % is written %25"),
        ("standard/Jo,%zz/", BadName, "the name of seat 2 holds '%zz': a % is written %25"),
        ("standard/%FF/", BadName, "the name of seat 1 is not UTF-8: '%FF'"),
        ("standard/%ED%B3%BF/", BadName, "the name of seat 1 is not UTF-8"),
        ("standard/Jo\udcff/", BadName, r"the name of seat 1 is not UTF-8: 'Jo\udcff'"),
        ("standard/%00x/", BadName, r"the name of seat 1 holds a character that is no letter, digit or sign: '\x00x'"),
        ("standard/2/4", IllegalJump, "heat 1, jump 1 reads '4': a jump is 1, 2 or 3"),
        ("standard/Jo/33333", IllegalJump, "heat 1, jump 5: Jo is on 12 and finished"),
        ("standard/Jo/3333/33313", IllegalJump, "heat 2, jump 5: Jo is on 10: a jump of 1 or 2 fits, not 3"),
    ],
)
def test_what_is_no_match_is_refused_with_what_is_wrong_and_where(text: str, kind: type[Refused], said: str) -> None:
    with pytest.raises(kind) as refused:
        Match.parse(text)
    assert str(refused.value).startswith(said)


# Round trips


def names_of_any_script() -> st.SearchStrategy[str]:
    return (
        st.text(st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"]), min_size=1, max_size=19)
        .map(lambda name: f"a{name}"[:20].strip())
        .filter(lambda name: any(not (c.isdigit() or c == ".") for c in name))
    )


PLAYERS = st.lists(
    st.builds(Player, names_of_any_script(), st.none() | st.from_regex(r"[a-z][a-z0-9_-]{0,18}", fullmatch=True)),
    min_size=1,
    max_size=6,
    unique_by=lambda player: unicodedata.normalize("NFC", unicodedata.normalize("NFC", player.name).casefold()),
)
CARDS = st.sampled_from(["standard", "express", "local", "A1-B2-C3", "CC9-AAB0"])


@given(PLAYERS, CARDS, st.integers(0, 150), st.randoms(use_true_random=False))
def test_a_match_comes_back_from_its_notation(players: list[Player], fare: str, most: int, dice: Random) -> None:
    """Whatever the names, bots, fare and jumps; the canonical spelling is plain ASCII and canonical for good."""
    seats = len(players)
    jumps = [random_heat(seats, dice, most=most).jumps]
    match = Match(Match.parse(f"{fare}/{seats}/").fare, tuple(players), tuple(jumps))
    if match.heat.over:
        match = match.second_heat()
        for digit in random_heat(seats, dice, most=most // 2).jumps:
            match = match.jump(int(digit))
    again = Match.parse(match.notation)
    assert again == match
    assert again.notation == match.notation
    assert match.notation.isascii()
    assert set(match.notation) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~%,:/")


@pytest.mark.parametrize("name", GOOD_NAMES)
def test_every_good_name_can_be_written_in_a_match(name: str) -> None:
    match = Match(FARES["local"], (Player(name),))
    assert Match.parse(match.notation).heat.names == (name,)


@given(
    st.text(st.characters())
    | st.text("standard/expolc,JK:%02A123", max_size=40)
    | st.builds("standard/{}/{}".format, st.text(st.characters(exclude_characters="/")), st.text("123"))
)
@example("standard/\ud800/")
@example("standard/%C0%AF/")
def test_any_text_is_a_match_or_is_refused_in_one_line(text: str) -> None:
    try:
        match = Match.parse(text)
    except Refused as refused:
        assert len(str(refused).splitlines()) == 1
        assert len(str(refused)) < 600
    else:
        assert Match.parse(match.notation) == match


@given(st.integers(1, 6), st.randoms(use_true_random=False))
def test_where_a_match_stands_is_a_pure_function_of_its_notation(seats: int, dice: Random) -> None:
    """Invariant 7: read twice, or played jump by jump, the same line tells the same."""
    played = Match.parse(f"express/{seats}/")
    for digit in random_heat(seats, dice).jumps:
        played = played.jump(int(digit))
    assert played.as_json() == Match.parse(played.notation).as_json() == Match.parse(played.notation).as_json()
