"""Fare cards and the receipt of a hand."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from botq.fares import FARES, BadFare, BadHand, Claim, Fare, checked_stamps
from botq.rules import Refused
from referee import HANDS, Card, all_allocations, best_allocation

STANDARD, EXPRESS, LOCAL = FARES.values()


def spelled(card: Card) -> str:
    return "-".join(f"{letters}{points}" for letters, points in card)


def points(fare: str, a: int, b: int, c: int) -> int:
    return Fare.parse(fare).receipt(a, b, c).points


# The three cards


def test_standard_pays_5_for_each_abc_and_1_for_each_aa() -> None:
    assert (points("standard", 1, 1, 1), points("standard", 2, 0, 0), STANDARD.spelling) == (5, 1, "ABC5-AA1")


def test_express_pays_4_for_each_bc_and_2_for_each_aaa() -> None:
    assert (points("express", 0, 1, 1), points("express", 3, 0, 0), EXPRESS.spelling) == (4, 2, "BC4-AAA2")


def test_local_pays_4_for_each_aab_and_3_for_each_cc() -> None:
    assert (points("local", 2, 1, 0), points("local", 0, 0, 2), LOCAL.spelling) == (4, 3, "AAB4-CC3")


def test_all_sets_are_repeatable() -> None:
    assert points("standard", 2, 2, 2) == 10
    assert points("express", 12, 0, 0) == 8
    assert points("local", 0, 0, 4) == 6


# The receipt


def test_jos_four_a_one_b_and_two_c_pay_6_on_standard_and_9_with_three_stamps() -> None:
    receipt = STANDARD.receipt(4, 1, 2)
    assert receipt.claims == (Claim("ABC", 1, 5), Claim("AA", 1, 1))
    assert receipt.leftover == (1, 0, 1)
    assert (receipt.points, receipt.points + checked_stamps(3)) == (6, 9)
    assert str(receipt) == "ABC 5 + AA 1, A and C left over"


def test_leftover_tickets_score_zero() -> None:
    receipt = LOCAL.receipt(1, 0, 1)
    assert (receipt.claims, receipt.points, receipt.leftover) == ((), 0, (1, 0, 1))
    assert str(receipt) == "no sets, A and C left over"


def test_an_empty_hand_scores_zero() -> None:
    assert str(EXPRESS.receipt(0, 0, 0)) == "no sets"


def test_a_receipt_counts_sets_that_are_claimed_more_than_once() -> None:
    assert str(STANDARD.receipt(7, 1, 1)) == "ABC 5 + 3 × AA 3"
    assert str(EXPRESS.receipt(2, 2, 2)) == "2 × BC 8, 2 A left over"


@given(st.sampled_from(HANDS), st.sampled_from(["standard", "express", "local", "AB3-BC3-A1-CC9"]))
def test_no_ticket_is_in_two_sets(hand: tuple[int, int, int], fare: str) -> None:
    receipt = Fare.parse(fare).receipt(*hand)
    for n, (letter, have) in enumerate(zip("ABC", hand, strict=True)):
        in_sets = sum(claim.letters.count(letter) * claim.times for claim in receipt.claims)
        assert in_sets + receipt.leftover[n] == have


def test_the_dearest_set_first_is_not_always_best() -> None:
    """AAB alone pays 5; left alone it allows A and AB, which pay 3 each."""
    receipt = Fare.parse("AAB5-AB3-A3").receipt(2, 1, 0)
    assert (str(receipt), receipt.points) == ("AB 3 + A 3", 6)


def test_of_equally_good_ways_the_one_with_most_of_the_first_set_is_taken() -> None:
    assert str(Fare.parse("AB2-A1-B1").receipt(1, 1, 0)) == "AB 2"
    assert str(Fare.parse("A1-B1-AB2").receipt(1, 1, 0)) == "A 1 + B 1"


def test_then_the_one_with_most_of_the_second_set() -> None:
    assert str(Fare.parse("C9-AB2-A1-B1").receipt(1, 1, 1)) == "C 9 + AB 2"
    assert str(Fare.parse("C9-B1-AB2-A1").receipt(1, 1, 1)) == "C 9 + B 1 + A 1"


def test_a_set_worth_nothing_is_never_claimed() -> None:
    assert str(Fare.parse("A0-B1").receipt(2, 1, 0)) == "B 1, 2 A left over"


@pytest.mark.parametrize("fare", [STANDARD, EXPRESS, LOCAL], ids=str)
def test_receipts_on_the_three_cards_agree_with_a_search_of_every_allocation(fare: Fare) -> None:
    card = [(one.letters, one.points) for one in fare.sets]
    assert_best_receipts(fare, card)


def random_card(dice: Random) -> Card:
    """One to eight sets; short sets mostly, since a long one is rarely affordable."""
    sets: dict[str, int] = {}
    for _ in range(dice.randint(1, 8)):
        letters = "".join(sorted(dice.choices("ABC", k=min(dice.randint(1, 4), dice.randint(1, 12)))))
        sets[letters] = dice.choice((0, 1, 2, 3, 4, 5, 9, 99))
    return list(sets.items())


def assert_best_receipts(fare: Fare, card: Card) -> None:
    ways = all_allocations(card)
    for hand in HANDS:
        most, counts = best_allocation(card, hand, ways)
        receipt = fare.receipt(*hand)
        claims = [(letters, n, n * points) for n, (letters, points) in zip(counts, card, strict=True) if n]
        assert (receipt.points, list(receipt.claims)) == (most, claims), (spelled(card), hand)


def random_cards_agree(cards: int) -> None:
    dice = Random(500)
    for _ in range(cards):
        card = random_card(dice)
        assert_best_receipts(Fare.parse(spelled(card)), card)


def test_receipts_on_random_cards_agree_with_a_search_of_every_allocation() -> None:
    random_cards_agree(100)


@pytest.mark.soak
def test_receipts_on_500_random_cards_agree_with_a_search_of_every_allocation() -> None:
    random_cards_agree(500)


@pytest.mark.parametrize(
    ("hand", "said"),
    [
        ((-1, 0, 0), "a hand cannot hold -1 A tickets: 0 is the fewest"),
        ((0, 0, -2), "a hand cannot hold -2 C tickets: 0 is the fewest"),
        ((13, 0, 0), "a hand cannot hold more than 12 A tickets: no pawn goes past 12"),
        ((0, 5, 1), "0 A, 5 B and 1 C tickets would be 13 spaces of jumps: no pawn goes past 12"),
        ((4, 1, 3), "4 A, 1 B and 3 C tickets would be 15 spaces of jumps: no pawn goes past 12"),
        ((10**4299, 10**4299, 0), "a hand cannot hold more than 12 A tickets: no pawn goes past 12"),
    ],
)
def test_a_hand_that_no_pawn_can_hold_is_refused(hand: tuple[int, int, int], said: str) -> None:
    with pytest.raises(BadHand) as refused:
        STANDARD.receipt(*hand)
    assert str(refused.value) == said


def test_a_pawn_has_0_to_11_stamps() -> None:
    assert [checked_stamps(n) for n in (0, 11)] == [0, 11]
    for n in (-1, 12):
        with pytest.raises(BadHand, match=f"a stamp tally is 0 to 11, not {n}"):
            checked_stamps(n)


# Spelling a card


@pytest.mark.parametrize("text", ["abc5-aa1", "CBA5-AA1", "AA1-ABC5", "STANDARD", "Standard"])
def test_a_card_with_standards_sets_is_standard_however_it_is_written(text: str) -> None:
    fare = Fare.parse(text)
    assert fare == STANDARD
    assert hash(fare) == hash(STANDARD)
    assert (fare.name, fare.notation, fare.title, str(fare)) == ("standard", "standard", "Standard", "standard")


def test_a_spelled_card_keeps_its_order_and_sorts_its_letters() -> None:
    fare = Fare.parse("cba7-a0-bAb12")
    assert (fare.spelling, fare.notation, fare.title, fare.name) == (*["ABC7-A0-ABB12"] * 3, None)


def test_other_points_make_another_card() -> None:
    assert Fare.parse("ABC5-AA2") != STANDARD
    assert STANDARD != "standard"


def test_a_card_may_have_8_sets_of_12_letters_paying_99() -> None:
    text = "-".join("A" * n + "B" * (12 - n) + "99" for n in range(8))
    assert Fare.parse(text).spelling == text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "the fare is missing: write standard, express, local, or the sets"),
        ("luxury", "there is no fare card 'luxury': write standard, express, local, or the sets"),
        ("ABD5", "there is no fare card 'ABD5'"),
        ("ABC5-", "set 2 of the fare card reads ''"),
        ("-AA1", "set 1 of the fare card reads ''"),
        ("ABC5--AA1", "set 2 of the fare card reads ''"),
        ("ABC5-5", "set 2 of the fare card reads '5'"),
        ("ABC5-AA", "set 2 of the fare card reads 'AA'"),
        ("ABC5-AA-1", "set 2 of the fare card reads 'AA'"),
        ("ABC5 -AA1", "set 1 of the fare card reads 'ABC5 '"),
        ("ABC5-AA1\n", r"set 2 of the fare card reads 'AA1\n'"),
        ("ABC٥-AA1", "set 1 of the fare card reads 'ABC٥'"),
        ("АBC5-AA1", "set 1 of the fare card reads 'АBC5'"),  # the first letter is Cyrillic
        ("ABC05", "set 1 of the fare card pays '05': write it without the leading 0"),
        ("AA00", "set 1 of the fare card pays '00': write it without the leading 0"),
        ("ABC100", "set 1 of the fare card pays '100': 99 points is the most"),
        ("A" * 13 + "1", "set 1 of the fare card has 13 letters: 12 is the most"),
        ("ABC5-CAB4", "set 2 of the fare card repeats ABC: name each set once"),
        ("A1-B1-C1-AA1-BB1-CC1-AB1-AC1-BC1", "a fare card has at most 8 sets, not 9"),
    ],
)
def test_what_spells_no_card_is_refused_with_the_set_that_is_wrong(text: str, said: str) -> None:
    with pytest.raises(BadFare) as refused:
        Fare.parse(text)
    assert str(refused.value).startswith(said)


SETS = st.builds("{}{}".format, st.text("ABCabc", min_size=1, max_size=12), st.integers(0, 99))


@given(st.lists(SETS, min_size=1, max_size=8, unique_by=lambda one: "".join(sorted(one.upper().rstrip("0123456789")))))
def test_every_well_spelled_card_comes_back_from_its_spelling(sets: list[str]) -> None:
    fare = Fare.parse("-".join(sets))
    again = Fare.parse(fare.spelling)
    assert (again, again.spelling, again.sets) == (fare, fare.spelling, fare.sets)
    assert Fare.parse("-".join(reversed(sets))) == fare


@given(st.text(st.characters()) | st.text("ABCabc0159-", max_size=30))
def test_any_text_is_a_card_or_is_refused_in_one_line(text: str) -> None:
    try:
        assert Fare.parse(Fare.parse(text).notation) == Fare.parse(text)
    except Refused as refused:
        assert str(refused).isprintable()
        assert len(str(refused)) < 600
