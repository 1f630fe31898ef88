"""The playtest log: every finished heat that was really played, without names."""

import csv
import io
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Any

from sqlalchemy import insert, select
from sqlalchemy.exc import IntegrityError

from botq.heat import Heat, Player
from botq.notation import Match
from botq.rules import Refused
from botq.store import tables as t
from botq.store.database import Database
from botq.store.rooms import hashed


@dataclass(frozen=True)
class Playtest:
    """A finished heat as it was played; its players are named by number, and bots keep their kind.

    `seconds` holds one entry a jump, None where nobody watched the clock; the first counts from
    the opening of the heat.  `opened` is in UTC milliseconds since 1970, or None.
    """

    heat: Heat
    number: int  # 1 or 2: the second heat of a match starts with the queue reversed
    opened: int | None
    seconds: tuple[float | None, ...]

    @property
    def minutes(self) -> float | None:
        """How long the heat took, None where nobody watched the clock."""
        known = [second for second in self.seconds if second is not None]
        return sum(known) / 60 if known and len(known) == len(self.seconds) else None

    @property
    def among_people(self) -> bool:
        return not any(player.bot for player in self.heat.players)

    def as_json(self) -> dict[str, Any]:
        """What `botq playtests export` writes of it."""
        return {
            "fare": self.heat.fare.notation,
            "seats": len(self.heat.players),
            "heat": self.number,
            "bots": [player.bot for player in self.heat.players],
            "jumps": self.heat.jumps,
            "scores": list(self.heat.scores.values()),
            "winners": [seat for seat, name in enumerate(self.heat.names) if name in self.heat.winners],
            "opened": self.opened,
            "seconds": list(self.seconds),
        }


async def keep_heat(database: Database, match: Match, number: int, key: str) -> None:
    """Keeps a finished heat of the shared phone, once for each key; raises `Refused`."""
    heat = checked_over(match, number)
    with suppress(IntegrityError):  # pressed twice, and the other press was quicker
        await _keep(database, match, number, heat, key)


async def _keep(database: Database, match: Match, number: int, heat: Heat, key: str) -> None:
    async with database.writing() as connection:
        if (await connection.execute(select(t.heat.c.id).where(t.heat.c.kept_with == hashed(key)))).scalar():
            return
        values = {"number": number, "fare": match.fare.notation, "players": nameless(match).spelled_players}
        kept = insert(t.heat).values(kept_with=hashed(key), opened=None, **values).returning(t.heat.c.id)
        new = (await connection.execute(kept)).scalar_one()
        jumps = [{"heat": new, "ply": ply, "length": int(jump)} for ply, jump in enumerate(heat.jumps, 1)]
        await connection.execute(insert(t.jump), jumps)


def checked_over(match: Match, number: int) -> Heat:
    """This heat of a match, 1 or 2, if it is over; raises `Refused`."""
    if number > len(match.heats) or not match.heats[number - 1].over:
        raise Refused("a heat is kept when it is over")
    return match.heats[number - 1]


async def read_playtests(database: Database) -> list[Playtest]:
    """Every finished heat, oldest first."""
    rows = select(t.heat, t.jump.c.length, t.jump.c.made).join(t.jump).order_by(t.heat.c.id, t.jump.c.ply)
    async with database.reading() as connection:
        found = (await connection.execute(rows)).all()
    heats = (_playtest(list(rows)) for _, rows in groupby(found, key=lambda row: row.id))
    return [heat for heat in heats if heat.heat.over]


def as_csv(heats: Iterable[Playtest]) -> str:
    """A table with one line a heat; lists of numbers or bots are joined by spaces, `-` stands for none."""
    lines = io.StringIO(newline="")
    table = csv.writer(lines)
    columns = ("fare", "seats", "heat", "bots", "jumps", "scores", "winners", "opened", "seconds")
    table.writerow(columns)
    for heat in heats:
        facts = heat.as_json()
        table.writerow([_cell(facts[column]) for column in columns])
    return lines.getvalue()


def _cell(fact: Any) -> str:
    facts = fact if isinstance(fact, list) else [fact]
    return " ".join("-" if one is None else str(one) for one in facts)


def nameless(match: Match) -> Match:
    """The unplayed match with every name replaced by its number in the queue; bots keep their kind."""
    return Match(match.fare, tuple(Player(f"Player {n}", player.bot) for n, player in enumerate(match.players, 1)))


def _playtest(rows: list[Any]) -> Playtest:
    one = rows[0]
    match = nameless(Match.parse(f"{one.fare}/{one.players}/"))
    players = match.players if one.number == 1 else match.players[::-1]
    moments = (one.opened, *(row.made for row in rows))
    seconds = tuple(None if a is None or b is None else (b - a) / 1000 for a, b in pairwise(moments))
    heat = Heat(match.fare, players, "".join(str(row.length) for row in rows))
    return Playtest(heat, one.number, one.opened, seconds)
