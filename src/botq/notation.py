"""A match as one line of text, both ways: `FARE/NAMES/HEAT1` or `FARE/NAMES/HEAT1/HEAT2`."""

import re
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any
from urllib.parse import quote, unquote_to_bytes

from botq.fares import Fare
from botq.heat import BadName, Heat, Player, draw_lots
from botq.rules import MAX_SEATS, IllegalJump, Refused
from botq.words import shown

SHAPE = "a match is written FARE/NAMES/HEAT1 or FARE/NAMES/HEAT1/HEAT2, such as standard/Jo,Kit/3121"
LONGEST = 4000  # characters; the longest match there is needs fewer


class BadNotation(Refused):
    """This does not write down a match."""


@dataclass(frozen=True)
class Match:
    """One heat, or two on the same fare, the second with the queue reversed.

    `players` stand in the opening order of heat 1; `jumps` holds one string of digits a heat;
    `numbered` says that only a number of seats was given, so that the notation keeps it.
    Raises `Refused` where a heat cannot be, or where heat 2 opens before heat 1 is over.

    >>> match = Match.parse("ABC5-AA1/Jo,Kit/3121")
    >>> match.notation, match.heats[0].turn
    ('standard/Jo,Kit/3121', 'Kit')
    """

    fare: Fare
    players: tuple[Player, ...]
    jumps: tuple[str, ...] = ("",)
    numbered: bool = False

    @classmethod
    def parse(cls, text: str) -> "Match":
        """The match this text writes down; raises `Refused` with what is wrong and where."""
        if len(text) > LONGEST:
            raise BadNotation(f"a match is at most {LONGEST} characters long, not {len(text)}")
        parts = text.split("/")
        if not 3 <= len(parts) <= 4:
            raise BadNotation(f"{shown(text)} has {len(parts)} part{'s' * (len(parts) > 1)}: {SHAPE}")
        fare, names, *jumps = parts
        players, numbered = _parse_names(names)
        return cls(Fare.parse(fare), players, tuple(jumps), numbered)

    @classmethod
    def opening(cls, fare: Fare, names: str | int) -> "Match":
        """An unplayed match: `names` as the notation spells them, or a number of seats."""
        players, numbered = _parse_names(str(names))
        return cls(fare, players, numbered=numbered)

    def __post_init__(self) -> None:
        if not 1 <= len(self.jumps) <= 2:
            raise BadNotation(f"a match has one heat or two, not {len(self.jumps)}")
        first, *rest = self.heats
        if rest and not first.over:
            raise BadNotation(f"heat 2 opens when heat 1 is over, but {first.turn} still has to jump in heat 1")

    @cached_property
    def heats(self) -> tuple[Heat, ...]:
        """The heats so far, one or two; the last is the one being played."""
        orders = (self.players, self.players[::-1])
        return tuple(self._heat(number, orders[number], jumps) for number, jumps in enumerate(self.jumps))

    @property
    def heat(self) -> Heat:
        """The heat being played."""
        return self.heats[-1]

    @property
    def notation(self) -> str:
        """The match in canonical spelling."""
        return "/".join((self.fare.notation, self.spelled_players, *self.jumps))

    @property
    def spelled_players(self) -> str:
        """The players as the notation writes them, front of the queue first."""
        return str(len(self.players)) if self.numbered else ",".join(map(_spelled, self.players))

    @property
    def over(self) -> bool:
        """Whether both heats are over."""
        return len(self.jumps) == 2 and self.heat.over

    def jump(self, length: int) -> "Match":
        """The match after a jump in the heat being played; raises `IllegalJump`."""
        return self._with_heat(self.heat.jump(length))

    def undone(self) -> "Match":
        """The match one jump back; from an unplayed heat 2 back to the end of heat 1."""
        if len(self.jumps) == 2 and not self.jumps[1]:
            return replace(self, jumps=self.jumps[:1])
        return self._with_heat(self.heat.undone())

    def second_heat(self) -> "Match":
        """The match with heat 2 opened; raises `Refused` before heat 1 is over or a second time."""
        if len(self.jumps) == 2:
            raise Refused("a match has two heats, and the second is open already")
        return replace(self, jumps=(*self.jumps, ""))

    def with_lots_drawn(self) -> "Match":
        """The match with its opening queue in a fair random order; raises `Refused` once it is under way."""
        if any(self.jumps):
            raise Refused("lots are drawn before the first jump")
        return replace(self, players=draw_lots(self.players), numbered=False)

    def as_json(self) -> dict[str, Any]:
        """The match in the shape that `botq replay --json` prints."""
        return {
            "notation": self.notation,
            "fare": self.fare.as_json(),
            "heats": [heat.as_json() for heat in self.heats],
        }

    def _with_heat(self, heat: Heat) -> "Match":
        return replace(self, jumps=(*self.jumps[:-1], heat.jumps))

    def _heat(self, number: int, players: tuple[Player, ...], jumps: str) -> Heat:
        try:
            return Heat(self.fare, players, jumps)
        except IllegalJump as wrong:
            raise IllegalJump(f"heat {number + 1}, {wrong}") from None


def _parse_names(text: str) -> tuple[tuple[Player, ...], bool]:
    """The players, and whether only their number was given."""
    if re.fullmatch("[0-9]+", text):
        return _numbered_players(text), True
    names = text.split(",")
    if len(names) > MAX_SEATS:
        raise BadName(f"a heat has 1 to {MAX_SEATS} seats, not {len(names)}")
    return tuple(_parse_player(name, seat) for seat, name in enumerate(names, 1)), False


def _numbered_players(text: str) -> tuple[Player, ...]:
    if text not in map(str, range(1, MAX_SEATS + 1)):
        raise BadName(f"the number of seats is 1 to {MAX_SEATS}, not {shown(text)}")
    return tuple(Player(f"Player {seat}") for seat in range(1, int(text) + 1))


def _parse_player(text: str, seat: int) -> Player:
    name, colon, bot = text.partition(":")
    player = Player(_decoded(name, seat).strip(), _decoded(bot, seat) if colon else None)
    if player.bot is not None and not re.fullmatch(r"[\w-]{1,20}", player.bot):
        raise BadName(
            f"the bot of seat {seat} reads {shown(player.bot)}: after the colon comes one word, such as perfect"
        )
    return player


def _decoded(text: str, seat: int) -> str:
    """Percent-encoded UTF-8 read back; letters that were left as they are stay."""
    if stray := re.search("%(?![0-9A-Fa-f]{2}).{0,2}", text):
        raise BadName(f"the name of seat {seat} holds {shown(stray[0])}: a % is written %25")
    try:
        return unquote_to_bytes(text).decode("utf-8")
    except UnicodeError:
        raise BadName(f"the name of seat {seat} is not UTF-8: {shown(text)}") from None


def _spelled(player: Player) -> str:
    return ":".join(quote(word, safe="") for word in player if word is not None)
