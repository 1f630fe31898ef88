"""A room on disk held against a model a child could keep on paper, whatever people press in whatever order."""

import asyncio
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from botq.changes import Change, FreeSeat, LetOthersMove, MakeJump, SecondHeat, Start, TakeBack, TakeOver, TakeSeat
from botq.fares import FARES
from botq.room import Room
from botq.rules import Refused
from botq.store import Database
from botq.store.rooms import change_room, hashed, make_room, read_room
from referee import Referee

PEOPLE = ("Jo", "Kit", "Lou")
person = st.sampled_from(("host", *PEOPLE))


class RoomMachine(RuleBasedStateMachine):
    """The paper: who holds which pawn, and the jumps made by whom, heat by heat."""

    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.folder = tempfile.TemporaryDirectory()
        self.open()

    def open(self) -> None:
        self.database = Database(f"sqlite:///{Path(self.folder.name) / 'botq.db'}")
        self.run(self.database.__aenter__())

    def run(self, what: Any) -> Any:
        return self.runner.run(what)

    def teardown(self) -> None:
        self.run(self.database.__aexit__())
        self.runner.close()
        self.folder.cleanup()

    @initialize()
    def a_room_is_made(self) -> None:
        self.room: Room = self.run(make_room(self.database, FARES["standard"], hashed("host"), "form"))
        self.holders: dict[str, str | None] = {}  # pawn -> person, in the order of the queue
        self.heats: list[list[int]] = []
        self.others_may_move = False
        self.seen, self.pressed = 1, 0
        self.older: list[tuple[Change, str, int, str]] = []

    def press(self, change: Change, who: str, allowed: bool, version: int | None = None) -> bool:
        """Presses a button; the room must do it exactly if the model allows it."""
        self.pressed += 1
        form = (change, who, version or self.seen, f"form {self.pressed}")
        try:
            self.room = self.send(form)
        except Refused:
            assert not allowed, f"{change} by {who} was refused"
            return False
        assert allowed, f"{change} by {who} was let through"
        self.seen += 1
        self.older.append(form)
        return True

    def send(self, form: tuple[Change, str, int, str]) -> Room:
        change, who, version, key = form
        changed: Room = self.run(change_room(self.database, self.room.code, change, {hashed(who)}, version, key))
        return changed

    def referee(self) -> Referee:
        referee = Referee(len(self.holders))
        for jump in self.heats[-1]:
            referee.move(jump)
        return referee

    def pawns(self) -> list[str]:
        """The pawns in the opening queue of the heat being played."""
        return list(self.holders)[:: -1 if len(self.heats) == 2 else 1]

    def jumpers(self) -> list[str]:
        """Whose pawn made each jump of this heat."""
        referee, jumpers = Referee(len(self.holders)), []
        for jump in self.heats[-1]:
            assert referee.lowest is not None
            jumpers.append(self.pawns()[referee.spaces[referee.lowest][0]])
            referee.move(jump)
        return jumpers

    @rule(who=st.sampled_from(PEOPLE))
    def sits_down(self, who: str) -> None:
        if self.press(TakeSeat(who, hashed(who)), who, not self.heats and who not in self.holders):
            self.holders[who] = who

    @precondition(lambda self: self.holders)
    @rule(who=person, data=st.data())
    def frees_a_seat(self, who: str, data: st.DataObject) -> None:
        pawn = data.draw(st.sampled_from(list(self.holders)))
        key = next(seat.key for seat in self.room.seats if seat.name == pawn)
        allowed = self.holders[pawn] is not None and who in ("host", self.holders[pawn])
        if self.press(FreeSeat(key), who, allowed):
            if self.heats:
                self.holders[pawn] = None
            else:
                del self.holders[pawn]

    @precondition(lambda self: self.holders)
    @rule(who=st.sampled_from(PEOPLE), data=st.data())
    def takes_a_seat_over(self, who: str, data: st.DataObject) -> None:
        pawn = data.draw(st.sampled_from(list(self.holders)))
        key = next(seat.key for seat in self.room.seats if seat.name == pawn)
        if self.press(TakeOver(key, hashed(who)), who, self.holders[pawn] is None):
            self.holders[pawn] = who

    @rule(who=person)
    def starts(self, who: str) -> None:
        if self.press(Start(), who, who == "host" and not self.heats and bool(self.holders)):
            self.heats = [[]]

    @rule(who=person, on=st.booleans())
    def lets_others_move(self, who: str, on: bool) -> None:
        if self.press(LetOthersMove(on), who, who == "host"):
            self.others_may_move = on

    @precondition(lambda self: self.heats)
    @rule(who=person, jump=st.sampled_from((1, 2, 3, 3, 3)), late=st.booleans())
    def jumps(self, who: str, jump: int, late: bool) -> None:
        referee = self.referee()
        allowed = not late and referee.lowest is not None and jump in referee.allowed
        if referee.lowest is not None:
            pawn = self.pawns()[referee.spaces[referee.lowest][0]]
            helper = who == "host" or who in self.holders.values()
            allowed = allowed and (self.holders[pawn] == who or (self.others_may_move and helper))
        if self.press(MakeJump(jump), who, allowed, self.seen - late):
            self.heats[-1].append(jump)

    @precondition(lambda self: self.heats)
    @rule(data=st.data(), jumps=st.integers(1, 12))
    def plays_on(self, data: st.DataObject, jumps: int) -> None:
        """Whoever's turn it is jumps, again and again: or no heat would ever end here."""
        for _ in range(jumps):
            referee = self.referee()
            if referee.lowest is None:
                return
            holder = self.holders[self.pawns()[referee.spaces[referee.lowest][0]]]
            if holder is None:
                return
            self.jumps(holder, referee.allowed[-1], late=False)

    @precondition(lambda self: self.heats)
    @rule(who=person)
    def takes_back(self, who: str) -> None:
        jumpers = self.jumpers()
        close = len(self.heats) == 2 and not jumpers and who == "host"
        own = bool(jumpers) and who in ("host", self.holders[jumpers[-1]])
        if self.press(TakeBack(), who, close or own):
            if jumpers:
                self.heats[-1].pop()
            else:
                self.heats.pop()

    @precondition(lambda self: self.heats)
    @rule(who=person)
    def opens_the_second_heat(self, who: str) -> None:
        over = len(self.heats) == 1 and self.referee().lowest is None
        if self.press(SecondHeat(), who, over and (who == "host" or who in self.holders.values())):
            self.heats.append([])

    @precondition(lambda self: self.older)
    @rule(data=st.data())
    def presses_an_old_form_again(self, data: st.DataObject) -> None:
        assert self.send(data.draw(st.sampled_from(self.older))) == self.room

    @rule()
    def the_server_is_restarted(self) -> None:
        self.run(self.database.__aexit__())
        self.open()

    @invariant()
    def the_room_on_disk_is_what_the_paper_says(self) -> None:
        room = self.run(read_room(self.database, self.room.code))
        assert room == self.room
        assert room.version == self.seen
        assert [seat.name for seat in room.seats] == list(self.holders)
        assert [seat.holder for seat in room.seats] == [who and hashed(who) for who in self.holders.values()]
        if self.heats:
            assert room.playing().jumps == tuple("".join(map(str, jumps)) for jumps in self.heats)
            spaces = [(pawn.space, pawn.seat) for pawn in room.playing().heat.queue]
            assert spaces == self.referee().order


RoomMachine.TestCase.settings = settings(max_examples=25, stateful_step_count=30, deadline=None)
TestRooms = RoomMachine.TestCase
