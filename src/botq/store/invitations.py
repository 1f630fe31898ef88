"""Links that move a seat, or the hosting, to another device: good once, and for ten minutes."""

from collections.abc import Collection

from sqlalchemy import delete, insert, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from botq.changes import MoveSeat, NotYours
from botq.room import Room, Who
from botq.rules import Refused
from botq.store import tables as t
from botq.store.database import Database
from botq.store.rooms import Stale, apply_change, asked_with, hashed, load_room, now

GOOD_FOR = 10 * 60 * 1000  # milliseconds


async def invite(database: Database, code: str, seat: int | None, held: Collection[str], token: str) -> Room:
    """The room, once a seat (or the hosting) may be moved to another device with this token.

    Raises `Refused` for a token that moves another seat already.
    """
    try:
        async with database.writing() as connection:
            room = await load_room(connection, code, for_change=True)
            who = room.who(held)
            if not (who.host if seat is None else seat in who.seats):
                raise NotYours("only whoever holds the seat can move it to another device")
            mine = t.invitation.c.room == code
            await connection.execute(delete(t.invitation).where(mine, t.invitation.c.seat.is_not_distinct_from(seat)))
            await connection.execute(
                insert(t.invitation).values(token=hashed(token), room=code, seat=seat, until=now() + GOOD_FOR)
            )
            return room
    except IntegrityError:
        raise Refused("this form has moved another seat already: load the page again") from None


async def read_invitation(database: Database, code: str, token: str) -> int | None:
    """The key of the seat this token moves, None for the hosting; raises `Refused`."""
    async with database.reading() as connection:
        return await _invited(connection, code, token)


async def accept(database: Database, code: str, token: str, holder: str, key: str) -> tuple[Room, int | None]:
    """The room, and which seat, after it has moved to the device whose new token has this hash."""
    async with database.writing() as connection:
        room = await load_room(connection, code, for_change=True)
        if asked := await asked_with(connection, code, key):
            moved = next((seat.key for seat in room.seats if seat.holder == holder), None)
            if not asked.startswith(MoveSeat.__name__) or (moved is None and room.host != holder):
                raise Stale(room)
            return room, moved
        seat = await _invited(connection, code, token)
        after = await apply_change(database, connection, room, MoveSeat(seat, holder), Who(), key)
        await connection.execute(delete(t.invitation).where(t.invitation.c.token == hashed(token)))
    database.announcer.announce(code)
    return after, seat


async def _invited(connection: AsyncConnection, code: str, token: str) -> int | None:
    query = select(t.invitation).where(t.invitation.c.token == hashed(token), t.invitation.c.room == code)
    found = (await connection.execute(query)).one_or_none()
    if found is None or found.until < now():
        raise Refused("this link to move a seat is used up or too old: ask for a new one")
    seat: int | None = found.seat
    return seat
