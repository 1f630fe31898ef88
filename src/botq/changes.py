"""What can be asked of a live room, each change told once: who may, when, and what everybody hears.

A change is asked of a room by somebody, and gives the room after it and the sentence that tells
everybody; or it raises `Refused`.
"""

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from typing import ClassVar

from botq.fares import Fare
from botq.heat import Player
from botq.notation import Match
from botq.room import Room, Seat, Who
from botq.rules import MAX_SEATS, Refused
from botq.words import shown


class NotYours(Refused):
    """Whoever asked for this holds neither the seat nor the room."""


Told = tuple[Room, str]  # the room after a change, and the sentence that tells everybody


class Change:
    """Something asked of a room; `strict` ones are refused as stale unless the asker saw this very version."""

    strict: ClassVar[bool] = True

    def applied(self, room: Room, who: Who) -> Told:
        raise NotImplementedError


@dataclass(frozen=True)
class TakeSeat(Change):
    """Somebody sits down at the back of the queue under a name."""

    strict: ClassVar[bool] = False
    name: str
    holder: str = field(repr=False)

    def applied(self, room: Room, who: Who) -> Told:
        if not room.seating:
            raise Refused("the match has started: you can watch, or take a seat that is free")
        seat = Seat(room.next_key(), Player(self.name.strip()), self.holder)
        return room.seated(*room.seats, seat), f"{seat.name} takes a seat."


@dataclass(frozen=True)
class TakeOver(Change):
    """Somebody takes a free seat and plays its pawn on."""

    strict: ClassVar[bool] = False
    key: int
    holder: str = field(repr=False)

    def applied(self, room: Room, who: Who) -> Told:
        seat = room.seat(self.key)
        if not seat.free:
            raise Refused(f"the seat of {seat.name} is taken")
        return room.reseated(seat._replace(holder=self.holder)), f"The seat of {seat.name} is taken again."


@dataclass(frozen=True)
class FreeSeat(Change):
    """A seat is given up by its player or freed by the host; before the start it goes altogether."""

    strict: ClassVar[bool] = False
    key: int

    def applied(self, room: Room, who: Who) -> Told:
        seat = room.seat(self.key)
        if not (who.host or seat.key in who.seats):
            raise NotYours(f"only {seat.name} or the host can free this seat")
        if room.seating:
            return room.seated(*(other for other in room.seats if other != seat)), f"{seat.name} leaves."
        if seat.player.bot or seat.free:
            raise Refused(f"nobody sits there: {seat.name} is {'a bot' if seat.player.bot else 'free already'}")
        return room.reseated(seat._replace(holder=None)), f"The seat of {seat.name} is free: anybody may take it."


@dataclass(frozen=True)
class MoveSeat(Change):
    """A seat, or the hosting where `key` is None, goes to another device; the old one loses it."""

    strict: ClassVar[bool] = False
    key: int | None
    holder: str = field(repr=False)

    def applied(self, room: Room, who: Who) -> Told:
        if self.key is None:
            return replace(room, host=self.holder), "The host has moved to another device."
        seat = room.seat(self.key)
        if seat.holder is None:
            raise Refused(f"nobody sits there: the seat of {seat.name} has been freed since")
        return room.reseated(seat._replace(holder=self.holder)), f"{seat.name} has moved to another device."


class HostsChange(Change):
    """What only the host may ask for, and only while the seats are being taken."""

    def applied(self, room: Room, who: Who) -> Told:
        hosted(who)
        if not room.seating:
            raise Refused("the match has started: this is settled before the start")
        return self.settled(room)

    def settled(self, room: Room) -> Told:
        raise NotImplementedError


@dataclass(frozen=True)
class SeatBot(HostsChange):
    """A bot sits down at the back of the queue; the caller knows that there is such a bot."""

    strict: ClassVar[bool] = False
    bot: str

    def settled(self, room: Room) -> Told:
        taken = {seat.name.casefold() for seat in room.seats}
        names = (self.bot.capitalize() + (f" {n}" if n > 1 else "") for n in range(1, MAX_SEATS + 2))
        name = next(name for name in names if name.casefold() not in taken)
        return room.seated(*room.seats, Seat(room.next_key(), Player(name, self.bot))), f"{name}, a bot, takes a seat."


@dataclass(frozen=True)
class Forward(HostsChange):
    """A seat changes places with the one before it in the queue."""

    key: int

    def settled(self, room: Room) -> Told:
        seats = list(room.seats)
        at = seats.index(room.seat(self.key))
        if at == 0:
            raise Refused(f"{seats[0].name} is at the front already")
        seats[at - 1 : at + 1] = seats[at], seats[at - 1]
        return room.seated(*seats), f"{seats[at - 1].name} moves up to place {at}."


@dataclass(frozen=True)
class DrawLots(HostsChange):
    """The seats stand in an order drawn by the caller."""

    order: tuple[int, ...] = field(repr=False)

    def settled(self, room: Room) -> Told:
        if sorted(self.order) != sorted(seat.key for seat in room.seats):
            raise Refused("somebody sat down or left while the lots were drawn: draw again")
        seats = [room.seat(key) for key in self.order]
        return room.seated(*seats), f"Lots are drawn: {', '.join(seat.name for seat in seats)}."


@dataclass(frozen=True)
class Choose(HostsChange):
    """The fare card of the next match, and whether hints are shown to all."""

    fare: str
    hints: bool

    def settled(self, room: Room) -> Told:
        fare = Fare.parse(self.fare)
        hints = "Hints are on for all." if self.hints else "No hints."
        return replace(room, fare=fare, hints=self.hints), f"The fare is {fare.title}. {hints}"


@dataclass(frozen=True)
class Start(HostsChange):
    """The match begins with the seats as they stand."""

    def settled(self, room: Room) -> Told:
        if not any(seat.holder for seat in room.seats):
            raise Refused("nobody has taken a seat yet")
        match = Match(room.fare, tuple(seat.player for seat in room.seats))
        after = replace(room, seating=False, matches=room.matches + 1, match=match)
        return after, f"The match starts: {match.fare.title}, {match.heat.turn} is next."


@dataclass(frozen=True)
class LetOthersMove(Change):
    """Whether any seat may move for another, at the other's word."""

    strict: ClassVar[bool] = False
    on: bool

    def applied(self, room: Room, who: Who) -> Told:
        hosted(who)
        may = "Any seat may now move for another." if self.on else "Everybody moves their own pawn."
        return replace(room, others_may_move=self.on), may


@dataclass(frozen=True)
class MakeJump(Change):
    """The pawn at the head of the queue jumps."""

    length: int

    def applied(self, room: Room, who: Who) -> Told:
        match = room.playing()
        if room.turn is None:
            raise Refused("the heat is over: no jump is left")
        if not room.may_jump(who):
            raise NotYours(f"it is the turn of {room.turn.name}")
        after = match.jump(self.length)
        by = "" if room.turn.key in who.seats else f"{room.name_of(who)} moves for {room.turn.name}. "
        return replace(room, match=after), f"{by}{after.heat.story[-1]}"


@dataclass(frozen=True)
class BotJump(Change):
    """The bot whose turn it is jumps; nobody can ask for this from outside."""

    length: int

    def applied(self, room: Room, who: Who) -> Told:
        if not room.bot:
            raise Refused("no bot is to move")
        after = room.playing().jump(self.length)
        return replace(room, match=after), str(after.heat.story[-1])


@dataclass(frozen=True)
class TakeBack(Change):
    """The last jump a person made is undone, with what bots answered to it."""

    def applied(self, room: Room, who: Who) -> Told:
        match = room.playing()
        if not room.may_undo(who):
            if room.last_jump:
                raise NotYours("only the player who jumped last can undo it, or the host")
            raise Refused("there is no jump to undo")
        if not room.last_jump:
            while len(match.jumps) == 2:  # with what bots jumped in it
                match = match.undone()
            return replace(room, match=match), "The host closes the second heat again."
        number, seat = room.last_jump
        while len(match.heat.jumps) >= number:
            match = match.undone()
        by = seat.name if seat.key in who.seats else "The host"
        return replace(room, match=match), f"{by} takes back jump {number}. {seat.name} is next."


@dataclass(frozen=True)
class SecondHeat(Change):
    """The second heat opens, the queue reversed."""

    def applied(self, room: Room, who: Who) -> Told:
        match = room.playing()
        if who.watches:
            raise NotYours("only somebody with a seat can open the second heat")
        if not match.heat.over:
            raise Refused(f"the second heat opens when the first is over, but {match.heat.turn} still has to jump")
        after = match.second_heat()
        return replace(room, match=after), f"The second heat starts, the queue reversed: {after.heat.turn} is next."


@dataclass(frozen=True)
class Rematch(Change):
    """The seats open again for another match, on this or another fare."""

    fare: str

    def applied(self, room: Room, who: Who) -> Told:
        match = room.playing()
        hosted(who)
        if not match.heat.over:
            raise Refused(f"a rematch follows a finished heat, but {match.heat.turn} still has to jump")
        fare = Fare.parse(self.fare)
        stay = tuple(seat for seat in room.seats if not seat.free)
        return replace(room, seating=True, fare=fare, seats=stay), f"A rematch on {fare.title}: take your seats."


def hosted(who: Who) -> None:
    if not who.host:
        raise NotYours("only the host can do this")


def known_bot(bot: str, bots: Collection[str]) -> str:
    """The name of a bot that can be seated; raises `Refused`."""
    if bot not in bots:
        raise Refused(f"there is no bot {shown(bot)}" + ("" if bots else ": no bots can be seated yet"))
    return bot
