"""Care of what is kept: rooms listed, exported, deleted and swept away."""

from collections.abc import Collection
from typing import Any

from sqlalchemy import delete, func, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from botq.changes import NotYours
from botq.notation import Match
from botq.rules import FINISH
from botq.store import tables as t
from botq.store.database import Database
from botq.store.playtests import nameless
from botq.store.rooms import load_room, now

DAY = 24 * 60 * 60 * 1000  # milliseconds
UNTOUCHED = 30  # days after which a room is removed


async def list_rooms(database: Database) -> list[dict[str, Any]]:
    """Every room, longest untouched first: code, version, seats, matches, touched (UTC milliseconds)."""
    seats = select(func.count()).where(t.seat.c.room == t.room.c.code).scalar_subquery().label("seats")
    columns = (t.room.c.code, t.room.c.version, seats, t.room.c.matches, t.room.c.touched)
    async with database.reading() as connection:
        return [dict(row) for row in (await connection.execute(select(*columns).order_by(t.room.c.touched))).mappings()]


async def export_room(database: Database, code: str, held: Collection[str] | None = None) -> dict[str, Any]:
    """All that is kept of a room, secrets left out; with `held`, only for the host who holds it."""
    async with database.reading() as connection:
        room = await load_room(connection, code)
        if held is not None and not room.who(held).host:
            raise NotYours("only the host can export the room")
        news = await connection.execute(
            select(t.news.c.version, t.news.c.said, t.news.c.made)
            .where(t.news.c.room == code)
            .order_by(t.news.c.version)
        )
        heats = []
        for heat in (await connection.execute(_heats_of(code))).mappings().all():
            jumps = await connection.execute(
                select(t.jump.c.length, t.jump.c.made).where(t.jump.c.heat == heat["id"]).order_by(t.jump.c.ply)
            )
            heats.append({**heat, "jumps": [dict(jump) for jump in jumps.mappings()]})
        return {
            "code": code,
            "version": room.version,
            "fare": room.fare.as_json(),
            "seats": [seat.player._asdict() for seat in room.seats],
            "others_may_move": room.others_may_move,
            "hints": room.hints,
            "heats": [{key: value for key, value in heat.items() if key != "id"} for heat in heats],
            "news": [dict(one) for one in news.mappings()],
        }


async def delete_room(database: Database, code: str, held: Collection[str] | None = None) -> None:
    """Ends a room at its host's word: every name goes, finished heats stay in the nameless log."""
    async with database.writing() as connection:
        room = await load_room(connection, code, for_change=True)
        if held is not None and not room.who(held).host:
            raise NotYours("only the host can delete the room")
        await _remove(connection, code)
        await database.announce_at_commit(connection, code)
    database.announcer.announce(code)


async def sweep(database: Database, days: int = UNTOUCHED) -> int:
    """How many rooms were removed because nobody had touched them for so many days."""
    async with database.writing() as connection:
        untouched = select(t.room.c.code).where(t.room.c.touched < now() - days * DAY).with_for_update()
        codes = list((await connection.execute(untouched)).scalars())
        for code in codes:
            await _remove(connection, code)
            await database.announce_at_commit(connection, code)
        await connection.execute(delete(t.invitation).where(t.invitation.c.until < now()))
    for code in codes:
        database.announcer.announce(code)
    return len(codes)


def _heats_of(code: str) -> Any:
    columns = (t.heat.c.id, t.heat.c.match, t.heat.c.number, t.heat.c.fare, t.heat.c.players, t.heat.c.opened)
    return select(*columns).where(t.heat.c.room == code).order_by(t.heat.c.match, t.heat.c.number)


async def _remove(connection: AsyncConnection, code: str) -> None:
    """Takes a room away; its finished heats lose their names and stay."""
    for heat in (await connection.execute(_heats_of(code))).all():
        ran = select(func.coalesce(func.sum(t.jump.c.length), 0)).where(t.jump.c.heat == heat.id)
        match = Match.parse(f"{heat.fare}/{heat.players}/")
        this = t.heat.c.id == heat.id
        if (await connection.execute(ran)).scalar_one() < FINISH * len(match.players):
            await connection.execute(delete(t.heat).where(this))
        else:
            players = nameless(match).spelled_players
            await connection.execute(update(t.heat).where(this).values(room=None, match=None, players=players))
    await connection.execute(delete(t.room).where(t.room.c.code == code))
