"""The queue, the jump and the stamp, as the rule sheet tells them."""

from collections import Counter
from functools import cache
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from botq.rules import (
    FINISH,
    JUMPS,
    MAX_SEATS,
    IllegalJump,
    Pawn,
    Queue,
    Refused,
    Tickets,
    form_queue,
    is_first,
    legal_jumps,
    play,
)
from referee import HANDS, Referee


def on(*spaces: int) -> Queue:
    """A queue with pawns on these spaces that got there by jumps of 1, seat 0 at its head."""
    return tuple(Pawn(seat, Tickets(a=space)) for seat, space in enumerate(spaces))


def played(seats: int, jumps: str) -> Queue:
    queue = form_queue(seats)
    for digit in jumps:
        queue = play(queue, int(digit))
    return queue


def track(queue: Queue) -> list[tuple[int, int]]:
    return [(pawn.space, pawn.seat) for pawn in queue]


# Set up


@pytest.mark.parametrize("seats", range(1, 7))
def test_everybody_starts_on_space_0_with_no_tickets_and_no_stamps(seats: int) -> None:
    assert form_queue(seats) == tuple((seat, (0, 0, 0), 0) for seat in range(seats))


@pytest.mark.parametrize("seats", [-1, 0, 7, 100])
def test_one_to_six_can_play_and_nobody_else(seats: int) -> None:
    with pytest.raises(Refused, match=f"a heat has 1 to 6 seats, not {seats}"):
        form_queue(seats)


def test_the_opening_queue_says_who_acts_first_while_all_stand_on_0() -> None:
    first_three = [played(3, "3" * n)[0].seat for n in range(3)]
    assert first_three == [0, 1, 2]


def test_spaces_1_to_11_have_a_circle_and_space_12_has_none() -> None:
    stamped = [landing for landing in range(1, 13) if is_first(on(landing - 1), landing)]
    assert stamped == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]


def test_tickets_never_run_out() -> None:
    assert played(6, "1" * 72) == tuple(Pawn(seat, Tickets(12, 0, 0), 11 if seat == 0 else 0) for seat in range(6))


# Take a turn


def test_the_player_furthest_behind_takes_the_next_turn() -> None:
    assert track(played(2, "32")) == [(2, 1), (3, 0)]


def test_the_front_pawn_of_the_lowest_space_acts() -> None:
    assert track(play(on(4, 4, 5), 1)) == [(4, 1), (5, 2), (5, 0)]


def test_a_jump_of_1_earns_an_a_a_jump_of_2_a_b_and_a_jump_of_3_a_c() -> None:
    hands = [play(form_queue(1), jump)[0].tickets for jump in (1, 2, 3)]
    assert hands == [Tickets(a=1), Tickets(b=1), Tickets(c=1)]


def test_a_jump_moves_the_pawn_exactly_its_length() -> None:
    assert [play(on(5), jump)[0].space for jump in (1, 2, 3)] == [6, 7, 8]


def test_landing_first_earns_one_stamp() -> None:
    assert play(form_queue(2), 1) == (Pawn(1), Pawn(0, Tickets(a=1), stamps=1))


def test_a_circle_pays_once_however_many_land_there() -> None:
    assert [pawn.stamps for pawn in sorted(played(3, "222"))] == [1, 0, 0]


def test_jumping_over_a_space_leaves_its_stamp_for_others() -> None:
    assert sorted(played(2, "31"))[1] == Pawn(1, Tickets(a=1), stamps=1)


def test_landing_where_others_stand_means_joining_behind_them() -> None:
    assert track(play(on(3, 4, 4, 5), 1)) == [(4, 1), (4, 2), (4, 0), (5, 3)]


def test_the_same_player_may_act_several_times_in_succession() -> None:
    actors = [played(2, jumps)[0].seat for jumps in ("3", "31", "311")]
    assert actors == [1, 1, 1]


def test_a_jump_changes_nobody_elses_tickets_and_only_adds_to_ones_own() -> None:
    before = sorted(played(3, "3121"))
    after = sorted(play(played(3, "3121"), 2))
    assert [pawn for pawn in before if pawn not in after] == [before[2]]
    assert (before[2].tickets, after[2].tickets) == (Tickets(0, 1, 0), Tickets(0, 2, 0))


def test_you_must_move_there_is_no_pass() -> None:
    with pytest.raises(IllegalJump, match="seat 0 is on 4: a jump of 1, 2 or 3 fits, not 0"):
        play(on(4), 0)


def test_nobody_goes_backwards_or_further_than_3() -> None:
    for jump in (-1, 4):
        with pytest.raises(IllegalJump, match=f"seat 0 is on 4: a jump of 1, 2 or 3 fits, not {jump}"):
            play(on(4), jump)


def test_near_the_end_only_jumps_that_land_at_or_before_12_are_legal() -> None:
    assert [legal_jumps(on(space)) for space in (9, 10, 11)] == [(1, 2, 3), (1, 2), (1,)]


def test_a_jump_past_12_is_refused_with_what_fits() -> None:
    with pytest.raises(IllegalJump, match="seat 0 is on 10: a jump of 1 or 2 fits, not 3"):
        play(on(10), 3)
    with pytest.raises(IllegalJump, match="seat 0 is on 11: only a jump of 1 fits, not 2"):
        play(on(11), 2)


def test_a_pawn_on_12_is_finished_and_takes_no_more_turns() -> None:
    assert [pawn.seat for pawn in played(2, "33333")] == [1, 0]
    assert track(played(2, "33333333")) == [(12, 0), (12, 1)]
    assert legal_jumps(on(12, 12)) == ()
    with pytest.raises(IllegalJump, match="seat 0 is on 12 and finished, as everybody is: no jump is left"):
        play(on(12, 12), 1)


def test_finishing_first_earns_nothing_extra() -> None:
    assert played(1, "3333") == (Pawn(0, Tickets(c=4), stamps=3),)  # 3, 6 and 9


def test_small_steps_mean_more_turns() -> None:
    assert sum(played(1, "1" * 12)[0].tickets) == 12
    assert sum(played(1, "3" * 4)[0].tickets) == 4


@given(st.integers(1, 6), st.randoms(use_true_random=False))
def test_every_heat_finishes_with_everybody_on_12(seats: int, dice: Random) -> None:
    queue, jumps = form_queue(seats), 0
    while legal_jumps(queue):
        queue, jumps = play(queue, dice.choice(legal_jumps(queue))), jumps + 1
        assert jumps <= 12 * seats
    assert all(pawn.space == 12 for pawn in queue)


# The rule sheet's worked example


def test_jo_on_3_jumps_1_joins_kit_on_4_and_gets_no_stamp_there() -> None:
    queue = played(2, "313")  # Kit has reached 4 by way of 1, and was the first there
    assert track(queue) == [(3, 0), (4, 1)]
    assert track(play(queue, 1)) == [(4, 1), (4, 0)]
    assert sorted(play(queue, 1))[0] == Pawn(0, Tickets(a=1, c=1), stamps=1)  # the one of space 3


def test_then_kit_jumps_3_to_7_takes_c_and_its_stamp_and_jo_acts_again() -> None:
    queue = played(2, "31313")
    assert track(queue) == [(4, 0), (7, 1)]
    assert queue[1] == Pawn(1, Tickets(a=1, c=2), stamps=3)  # those of 1, 4 and 7


# The shape of the game


@given(st.integers(1, 6), st.lists(st.sampled_from(JUMPS), max_size=72))
def test_the_queue_is_the_whole_position(seats: int, wishes: list[int]) -> None:
    """Invariant 1: ordered by space, then by arrival; the referee's lines say the same."""
    queue, referee = form_queue(seats), Referee(seats)
    for wish in wishes:
        if wish in referee.allowed:
            queue = play(queue, wish)
            referee.move(wish)
    assert track(queue) == referee.order
    assert list(legal_jumps(queue)) == referee.allowed


def agrees(queue: Queue, referee: Referee) -> bool:
    """Whether the game and the paper tell the same, circles ahead of the head included."""
    pawns = sorted(queue)
    ahead = [space for space in referee.open_circles if space > queue[0].space]
    return (
        [tuple(pawn.tickets) for pawn in pawns] == [tuple(hand.values()) for hand in referee.tickets]
        and [pawn.stamps for pawn in pawns] == referee.stamps
        and track(queue) == referee.order
        and [landing for landing in range(queue[0].space + 1, 13) if is_first(queue, landing)] == ahead
    )


def two_seat_positions_agree(most_jumps: int) -> list[int]:
    """Holds game and referee together wherever two can be; the number of positions by jumps made."""
    layer, sizes = [(form_queue(2), Referee(2))], []
    while layer and len(sizes) <= most_jumps:
        sizes.append(len(layer))
        following = {}
        for queue, referee in layer:
            assert agrees(queue, referee), queue
            for jump in referee.allowed:
                after = referee.copy()
                after.move(jump)
                following.setdefault(after.sheet, (play(queue, jump), after))
        layer = list(following.values())
    return sizes


def test_stamps_need_no_memory_for_the_first_eight_jumps_of_two() -> None:
    """Invariant 2, and the number of positions that another program counted, circles included."""
    assert two_seat_positions_agree(8)[8] == 4611


@pytest.mark.soak
def test_stamps_need_no_memory_in_any_position_of_two() -> None:
    sizes = two_seat_positions_agree(24)
    assert (sizes[8], sizes[10], sizes[12]) == (4611, 27962, 75221)
    assert len(sizes) == 25  # twelve jumps of 1 each


def referee_agrees_on_random_heats(heats: int) -> None:
    dice = Random(12)
    for number in range(heats):
        seats = number % MAX_SEATS + 1
        queue, referee = form_queue(seats), Referee(seats)
        while jumps := legal_jumps(queue):
            jump = dice.choice(jumps)
            queue = play(queue, jump)
            referee.move(jump)
            assert agrees(queue, referee), (seats, queue)


def test_stamps_need_no_memory_in_random_heats_of_one_to_six() -> None:
    referee_agrees_on_random_heats(600)


@pytest.mark.soak
def test_stamps_need_no_memory_in_100_000_random_heats_of_one_to_six() -> None:
    referee_agrees_on_random_heats(100_000)


@given(st.lists(st.sampled_from(JUMPS)))
def test_tickets_are_the_odometer(jumps: list[int]) -> None:
    """Invariant 3: what a pawn holds says where it stands."""
    hand = Tickets()
    for jump in jumps:
        hand = hand.plus(jump)
    assert (hand.spaces, sum(hand)) == (sum(jumps), len(jumps))


def test_there_are_102_hands_and_19_of_them_are_final() -> None:
    reached = {Pawn(0)}
    for _ in range(12):
        reached |= {play((pawn,), jump)[0]._replace(stamps=0) for pawn in reached for jump in legal_jumps((pawn,))}
    assert {tuple(pawn.tickets) for pawn in reached} == set(HANDS)
    assert (len(reached), sum(pawn.space == FINISH for pawn in reached)) == (102, 19)


@given(st.integers(1, 6), st.randoms(use_true_random=False))
def test_all_pawns_stand_within_three_spaces_of_the_rearmost(seats: int, dice: Random) -> None:
    """Invariant 4."""
    queue = form_queue(seats)
    while legal_jumps(queue):
        queue = play(queue, dice.choice(legal_jumps(queue)))
        assert queue[-1].space - queue[0].space <= 3


@cache
def complete_heats(spaces: tuple[int, ...]) -> int:
    """How many ways a heat can go on from pawns on these spaces."""
    queue = on(*spaces)
    if not legal_jumps(queue):
        return 1
    return sum(complete_heats(tuple(pawn.space for pawn in play(queue, jump))) for jump in legal_jumps(queue))


@pytest.mark.parametrize("seats", range(1, 7))
def test_a_heat_is_that_many_independent_paths_of_927(seats: int) -> None:
    """Invariant 5."""
    assert complete_heats((0,) * seats) == 927**seats


def test_two_seats_play_859_329_complete_heats_and_one_927() -> None:
    assert (complete_heats((0, 0)), complete_heats((0,))) == (859_329, 927)


def test_each_jump_raises_the_sum_of_spaces_by_its_length() -> None:
    """Invariant 6."""
    queue, sums = form_queue(3), [0]
    for jump in (3, 1, 2, 1, 3):
        queue = play(queue, jump)
        sums.append(sum(pawn.space for pawn in queue))
    assert sums == [0, 3, 4, 6, 7, 10]


def test_two_seats_have_as_many_jump_sequences_and_positions_as_another_program_counted() -> None:
    layer, sequences, positions = Counter({form_queue(2): 1}), [], []
    while layer:
        sequences.append(layer.total())
        positions.append(len(layer))
        following: Counter[Queue] = Counter()
        for queue, ways in layer.items():
            for jump in legal_jumps(queue):
                following[play(queue, jump)] += ways
        layer = following
    assert sequences[:13] == [1, 3, 9, 27, 81, 243, 729, 2187, 6561, 19432, 54018, 130059, 254479]
    assert (positions[8], positions[10], positions[12]) == (1434, 3883, 5828)
