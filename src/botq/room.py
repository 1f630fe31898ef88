"""A live room as a value: who sits where, the match so far, and who may change what.

Nothing here knows of a server or a database; what can be asked of a room is in `changes`.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from botq.fares import Fare
from botq.heat import Player, check_names
from botq.notation import Match
from botq.rules import MAX_SEATS, Refused


class Seat(NamedTuple):
    """A place in the opening queue; `key` stays its own when the queue is reordered."""

    key: int
    player: Player
    holder: str | None = None  # hash of the token that plays it; None for a bot and for a free seat

    @property
    def name(self) -> str:
        return self.player.name

    @property
    def free(self) -> bool:
        return self.holder is None and self.player.bot is None


class Who(NamedTuple):
    """What somebody holds in a room: some seats, by their keys, and perhaps the room itself."""

    seats: frozenset[int] = frozenset()
    host: bool = False

    @property
    def watches(self) -> bool:
        return not self.seats and not self.host


@dataclass(frozen=True)
class Room:
    """A room at one version; immutable, every change gives a new one.

    `seats` stand in opening order, front of the queue first.  While `seating`, they are still
    being taken for the next match and `match` is the one before, if there was one; otherwise
    `match` is being played, its players in the order of the seats.  `matches` counts the starts.
    """

    code: str
    fare: Fare
    host: str  # hash of the host's token
    version: int = 1
    seats: tuple[Seat, ...] = ()
    seating: bool = True
    matches: int = 0
    match: Match | None = None
    others_may_move: bool = False
    hints: bool = False

    def who(self, held: Collection[str]) -> Who:
        """What the holder of tokens with these hashes holds here."""
        return Who(frozenset(seat.key for seat in self.seats if seat.holder in held), self.host in held)

    def seat(self, key: int) -> Seat:
        """The seat with this key; raises `Refused`."""
        for seat in self.seats:
            if seat.key == key:
                return seat
        raise Refused("that seat is not there any more")

    @cached_property
    def turn(self) -> Seat | None:
        """The seat whose pawn jumps next; None while seats are taken and after the end of a heat."""
        if self.seating or self.match is None:
            return None
        return next((seat for seat in self.seats if seat.name == self.match.heat.turn), None)

    @property
    def bot(self) -> str | None:
        """The name of the bot that is to move, or None."""
        return self.turn.player.bot if self.turn else None

    def may_jump(self, who: Who) -> bool:
        """Whether they may make the next jump, be it for another."""
        if not self.turn or self.bot:
            return False
        return self.turn.key in who.seats or (self.others_may_move and not who.watches)

    @cached_property
    def last_jump(self) -> tuple[int, Seat] | None:
        """Number and seat of the last jump that a person made in this heat, or None.

        Bots answer at once, so what they jumped since does not count as somebody's jump.
        """
        if self.seating or self.match is None:
            return None
        seats = {seat.name: seat for seat in self.seats}
        by_people = ((jump.number, seats[jump.name]) for jump in reversed(self.match.heat.story))
        return next(((number, seat) for number, seat in by_people if not seat.player.bot), None)

    def may_undo(self, who: Who) -> bool:
        """Whether they may take back the last jump, or close a second heat that no person jumped in."""
        if self.last_jump:
            return who.host or self.last_jump[1].key in who.seats
        return who.host and self._second_heat_untouched

    @property
    def _second_heat_untouched(self) -> bool:
        return not self.seating and self.match is not None and len(self.match.jumps) == 2 and not self.last_jump

    def playing(self) -> Match:
        """The match being played; raises `Refused` while seats are taken."""
        if self.seating or self.match is None:
            raise Refused("the match has not started yet")
        return self.match

    def seated(self, *seats: Seat) -> "Room":
        """The room with these seats, if they can sit together; raises `Refused`."""
        if len(seats) > MAX_SEATS:
            raise Refused(f"all {MAX_SEATS} seats are taken: you can watch")
        if seats:
            check_names([seat.name for seat in seats])
        return replace(self, seats=seats)

    def reseated(self, changed: Seat) -> "Room":
        return replace(self, seats=tuple(changed if seat.key == changed.key else seat for seat in self.seats))

    def next_key(self) -> int:
        return max((seat.key for seat in self.seats), default=-1) + 1

    def name_of(self, who: Who) -> str:
        """How everybody is told who did something."""
        return next(
            (seat.name for seat in self.seats if seat.key in who.seats), "The host" if who.host else "A watcher"
        )
