"""What may be asked of a live room, by whom, and what everybody hears of it."""

from functools import reduce

import pytest

from botq.changes import (
    BotJump,
    Change,
    Choose,
    DrawLots,
    Forward,
    FreeSeat,
    LetOthersMove,
    MakeJump,
    MoveSeat,
    NotYours,
    Rematch,
    SeatBot,
    SecondHeat,
    Start,
    TakeBack,
    TakeOver,
    TakeSeat,
    known_bot,
)
from botq.fares import FARES
from botq.room import Room, Who
from botq.rules import Refused

EMPTY = Room("K7Q4M2XP", FARES["standard"], host="the host")
HOST, NOBODY = Who(host=True), Who()
JO, KIT = Who(frozenset({0})), Who(frozenset({1}))


def after(room: Room, *asked: tuple[Change, Who]) -> Room:
    return reduce(lambda room, one: one[0].applied(room, one[1])[0], asked, room)


def heard(room: Room, change: Change, who: Who) -> str:
    return change.applied(room, who)[1]


SEATED = after(EMPTY, (TakeSeat("Jo", "jo"), NOBODY), (TakeSeat("Kit", "kit"), NOBODY))
STARTED = after(SEATED, (Start(), HOST))


def jumps(room: Room) -> tuple[str, ...]:
    return room.playing().jumps


def test_whoever_sits_down_stands_at_the_back_of_the_queue() -> None:
    assert [seat.name for seat in SEATED.seats] == ["Jo", "Kit"]
    assert SEATED.who({"kit"}) == KIT
    assert SEATED.who({"the host", "jo"}) == Who(frozenset({0}), host=True)
    assert SEATED.who(set()) == NOBODY


@pytest.mark.parametrize("name", ["", "  ", "jo", "JO", "7.", "x" * 21, "a\nb"])
def test_a_seat_needs_a_name_of_its_own(name: str) -> None:
    with pytest.raises(Refused, match="name"):
        TakeSeat(name, "new").applied(SEATED, NOBODY)


def test_a_seventh_player_is_told_to_watch() -> None:
    full = after(EMPTY, *((TakeSeat(name, name), NOBODY) for name in "ABCDEF"))
    with pytest.raises(Refused, match="all 6 seats are taken: you can watch"):
        TakeSeat("G", "g").applied(full, NOBODY)


def test_the_host_reorders_seats_bots_and_draws_lots_before_the_start() -> None:
    room = after(SEATED, (SeatBot("perfect"), HOST), (SeatBot("perfect"), HOST), (Forward(2), HOST))
    assert [seat.name for seat in room.seats] == ["Jo", "Perfect", "Kit", "Perfect 2"]
    drawn = after(room, (DrawLots((3, 1, 0, 2)), HOST))
    assert [seat.name for seat in drawn.seats] == ["Perfect 2", "Kit", "Jo", "Perfect"]


@pytest.mark.parametrize("change", [SeatBot("perfect"), Forward(1), DrawLots((1, 0)), Choose("local", False), Start()])
def test_only_the_host_settles_the_match_and_only_before_the_start(change: Change) -> None:
    with pytest.raises(NotYours, match="only the host"):
        change.applied(SEATED, JO)
    with pytest.raises(Refused, match="the match has started"):
        change.applied(STARTED, HOST)


def test_lots_drawn_for_other_seats_are_drawn_again() -> None:
    with pytest.raises(Refused, match="draw again"):
        DrawLots((0, 1)).applied(after(SEATED, (TakeSeat("Lou", "lou"), NOBODY)), HOST)


def test_whoever_stands_at_the_front_cannot_move_up() -> None:
    with pytest.raises(Refused, match="Jo is at the front already"):
        Forward(0).applied(SEATED, HOST)


def test_a_match_needs_one_person() -> None:
    with pytest.raises(Refused, match="nobody has taken a seat"):
        Start().applied(after(EMPTY, (SeatBot("perfect"), HOST)), HOST)


def test_a_jump_is_announced_to_all() -> None:
    assert (
        heard(STARTED, MakeJump(2), JO) == "Jump 1: Jo jumps 2 to space 2, takes ticket B and the stamp. Kit is next."
    )


@pytest.mark.parametrize("who", [KIT, NOBODY, HOST])
def test_nobody_else_can_jump_for_jo(who: Who) -> None:
    with pytest.raises(NotYours, match="it is the turn of Jo"):
        MakeJump(1).applied(STARTED, who)


def test_moving_for_another_is_switched_on_by_the_host_and_told_as_such() -> None:
    with pytest.raises(NotYours):
        LetOthersMove(True).applied(STARTED, KIT)
    open_room = after(STARTED, (LetOthersMove(True), HOST))
    assert heard(open_room, MakeJump(2), KIT).startswith("Kit moves for Jo. Jump 1: Jo jumps 2")
    assert heard(open_room, MakeJump(2), HOST).startswith("The host moves for Jo. ")
    assert heard(open_room, MakeJump(2), JO).startswith("Jump 1: ")
    with pytest.raises(NotYours):
        MakeJump(2).applied(open_room, NOBODY)


def test_a_shared_phone_holds_both_seats() -> None:
    both = SEATED.who({"jo", "kit"})
    assert jumps(after(STARTED, (MakeJump(1), both), (MakeJump(2), both))) == ("12",)


def test_the_last_jump_is_undone_by_its_player_while_nobody_has_jumped_since() -> None:
    jumped = after(STARTED, (MakeJump(3), JO))
    assert jumps(after(jumped, (TakeBack(), JO))) == ("",)
    assert heard(jumped, TakeBack(), JO) == "Jo takes back jump 1. Jo is next."
    with pytest.raises(NotYours, match="only the player who jumped last"):
        TakeBack().applied(jumped, KIT)
    with pytest.raises(NotYours):
        TakeBack().applied(after(jumped, (MakeJump(1), KIT)), JO)


def test_the_host_undoes_anything_and_everybody_hears() -> None:
    jumped = after(STARTED, (MakeJump(3), JO), (MakeJump(1), KIT))
    assert heard(jumped, TakeBack(), HOST) == "The host takes back jump 2. Kit is next."
    assert jumps(after(jumped, (TakeBack(), HOST), (TakeBack(), HOST))) == ("",)
    with pytest.raises(Refused, match="no jump to undo"):
        TakeBack().applied(STARTED, HOST)


def test_undo_takes_a_bots_answer_back_too() -> None:
    with_bot = after(EMPTY, (TakeSeat("Jo", "jo"), NOBODY), (SeatBot("longest"), HOST), (Start(), HOST))
    answered = after(with_bot, (MakeJump(3), JO), (BotJump(1), NOBODY), (BotJump(1), NOBODY))
    assert jumps(answered) == ("311",)
    assert jumps(after(answered, (TakeBack(), JO))) == ("",)


def test_people_cannot_jump_for_a_bot_nor_a_bot_for_people() -> None:
    with_bot = after(EMPTY, (SeatBot("longest"), HOST), (TakeSeat("Jo", "jo"), NOBODY), (Start(), HOST))
    with pytest.raises(NotYours, match="it is the turn of Longest"):
        MakeJump(1).applied(after(with_bot, (LetOthersMove(True), HOST)), Who(frozenset({1}), host=True))
    with pytest.raises(Refused, match="no bot is to move"):
        BotJump(1).applied(after(with_bot, (BotJump(1), NOBODY)), NOBODY)
    with pytest.raises(Refused, match="no jump to undo"):
        TakeBack().applied(after(with_bot, (BotJump(1), NOBODY)), HOST)


def finished(room: Room) -> Room:
    while not room.playing().heat.over:
        assert room.turn is not None
        room = after(room, (MakeJump(room.playing().heat.legal[-1]), Who(frozenset({room.turn.key}))))
    return room


def test_two_heats_and_a_rematch_on_another_fare() -> None:
    with pytest.raises(Refused, match="Jo still has to jump"):
        SecondHeat().applied(STARTED, JO)
    over = finished(STARTED)
    with pytest.raises(NotYours):
        SecondHeat().applied(over, NOBODY)
    second = after(over, (SecondHeat(), KIT))
    assert second.turn is not None
    assert second.turn.name == "Kit"  # the queue is reversed
    closed = after(second, (TakeBack(), HOST))
    assert closed.playing() == over.playing()
    both = finished(second)
    with pytest.raises(Refused, match="two heats"):
        SecondHeat().applied(both, JO)
    with pytest.raises(NotYours):
        Rematch("local").applied(both, JO)
    again = after(both, (Rematch("local"), HOST))
    assert again.seating
    assert [seat.name for seat in again.seats] == ["Jo", "Kit"]
    assert after(again, (Start(), HOST)).playing().notation == "local/Jo,Kit/"


def test_the_host_closes_a_second_heat_in_which_only_a_bot_has_jumped() -> None:
    room = after(EMPTY, (TakeSeat("Jo", "jo"), NOBODY), (SeatBot("greedy"), HOST), (Start(), HOST))
    while not room.playing().heat.over:
        room = after(room, (BotJump(1), NOBODY) if room.bot else (MakeJump(1), JO))
    answered = after(room, (SecondHeat(), HOST), (BotJump(3), NOBODY))
    with pytest.raises(Refused, match="no jump to undo"):
        TakeBack().applied(answered, JO)
    assert after(answered, (TakeBack(), HOST)).playing() == room.playing()


def test_no_rematch_in_the_middle_of_a_heat_and_no_jump_after_the_end() -> None:
    with pytest.raises(Refused, match="Jo still has to jump"):
        Rematch("local").applied(STARTED, HOST)
    with pytest.raises(Refused, match="the heat is over"):
        MakeJump(1).applied(finished(STARTED), JO)
    with pytest.raises(Refused, match="has not started"):
        MakeJump(1).applied(SEATED, JO)


def test_a_seat_is_given_up_and_taken_again() -> None:
    assert [seat.name for seat in after(SEATED, (FreeSeat(0), JO)).seats] == ["Kit"]
    with pytest.raises(NotYours):
        FreeSeat(0).applied(SEATED, KIT)
    freed = after(STARTED, (FreeSeat(0), HOST))
    assert freed.who({"jo"}) == NOBODY
    assert freed.seats[0].free
    with pytest.raises(Refused, match="free already"):
        FreeSeat(0).applied(freed, HOST)
    with pytest.raises(Refused, match="the seat of Kit is taken"):
        TakeOver(1, "lou").applied(freed, NOBODY)
    again = after(freed, (TakeOver(0, "lou"), NOBODY))
    assert again.who({"lou"}) == JO
    assert jumps(after(again, (MakeJump(1), again.who({"lou"})))) == ("1",)


def test_a_seat_that_moves_to_another_device_leaves_the_old_one() -> None:
    moved = after(STARTED, (MoveSeat(0, "tablet"), NOBODY))
    assert moved.who({"jo"}) == NOBODY
    assert moved.who({"tablet"}) == JO
    assert after(STARTED, (MoveSeat(None, "tablet"), NOBODY)).who({"tablet"}) == HOST
    with pytest.raises(Refused, match="freed since"):
        MoveSeat(0, "tablet").applied(after(STARTED, (FreeSeat(0), HOST)), NOBODY)


def test_an_unknown_bot_is_refused_plainly() -> None:
    assert known_bot("longest", {"longest"}) == "longest"
    with pytest.raises(Refused, match="there is no bot 'x'"):
        known_bot("x", {"longest"})
