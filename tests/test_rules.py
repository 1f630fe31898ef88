"""The queue, the jump and the stamp, as the rule sheet tells them."""

import pytest

from botq.rules import IllegalJump, Pawn, Tickets, form_queue, play


def test_one_jump_of_one_earns_one_a_and_the_stamp() -> None:
    assert play(form_queue(2), 1) == (Pawn(1), Pawn(0, Tickets(a=1), stamps=1))


def test_a_jump_past_twelve_is_refused_in_the_games_words() -> None:
    with pytest.raises(IllegalJump, match="seat 0 is on 11: only a jump of 1 fits, not 2"):
        play((Pawn(0, Tickets(a=11)),), 2)
