"""Rooms on disk: made, read, and changed one version at a time."""

import hashlib
import secrets
import time
from collections.abc import Collection
from dataclasses import replace
from itertools import groupby
from typing import Any

from sqlalchemy import delete, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from botq.changes import Change
from botq.fares import Fare
from botq.heat import Player
from botq.notation import Match
from botq.room import Room, Seat, Who
from botq.rules import Refused
from botq.store import tables as t
from botq.store.database import Database

ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"  # 32 signs that are not mistaken for each other
CODE_LENGTH = 8  # 40 bits: short enough to type, too many to guess at the rate that is allowed
NEWS_KEPT = 500  # changes of a room remembered; a form older than that is refused as stale


class NoSuchRoom(Refused):
    """There is no room with this code."""


class Stale(Refused):
    """Somebody was quicker: the room is not what whoever asked had seen.  Holds the room as it is."""

    def __init__(self, room: Room) -> None:
        super().__init__("the room has changed since this was shown: here it is as it stands now")
        self.room = room


def now() -> int:
    """This moment, in UTC milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def hashed(secret: str) -> str:
    """How a token or key is kept and compared: whoever reads the database cannot use it."""
    return hashlib.sha256(secret.encode()).hexdigest()


async def make_room(database: Database, fare: Fare, host: str, key: str) -> Room:
    """A new room, or the one made with this key before; `host` is the hash of the host's token."""
    made = select(t.room.c.code).where(t.room.c.made_with == hashed(key))
    try:
        async with database.writing() as connection:
            if code := (await connection.execute(made)).scalar():
                return await load_room(connection, code)
            room = Room("".join(secrets.choice(ALPHABET) for _ in range(CODE_LENGTH)), fare, host)
            once = {"code": room.code, "made_with": hashed(key), "made": now(), "touched": now()}
            await connection.execute(insert(t.room).values(**once, **_columns(room)))
            return room
    except IntegrityError:  # pressed twice, and the other press was quicker
        async with database.reading() as connection:
            return await load_room(connection, (await connection.execute(made)).scalar_one())


async def read_room(database: Database, code: str) -> Room:
    """The room with this code; raises `NoSuchRoom`."""
    async with database.reading() as connection:
        return await load_room(connection, code)


async def read_live(database: Database, code: str, most: int = 20) -> tuple[Room, list[str]]:
    """The room with this code and what happened in it, newest first; raises `NoSuchRoom`."""
    said = select(t.news.c.said).where(t.news.c.room == code).order_by(t.news.c.version.desc()).limit(most)
    async with database.reading() as connection:
        return await load_room(connection, code), list((await connection.execute(said)).scalars())


async def change_room(
    database: Database, code: str, change: Change, held: Collection[str], seen: int, key: str | None = None
) -> Room:
    """The room after a change by whoever holds these tokens' hashes; it is on disk when this returns.

    `seen` is the version they had before them and `key` names the form they pressed: pressed
    again, it changes nothing.  Raises `NoSuchRoom`, `Stale`, or whatever refuses the change.
    """
    try:
        async with database.writing() as connection:
            room = await load_room(connection, code, for_change=True)
            if key and (asked := await asked_with(connection, code, key)):
                if asked != repr(change):
                    raise Stale(room)
                return room
            if change.strict and seen != room.version:
                raise Stale(room)
            after = await apply_change(database, connection, room, change, room.who(held), key)
    except IntegrityError:  # the primary keys settle what the lock did not
        raise Stale(await read_room(database, code)) from None
    database.announcer.announce(code)
    return after


async def apply_change(
    database: Database, connection: AsyncConnection, room: Room, change: Change, who: Who, key: str | None
) -> Room:
    """The room after a change, written but not committed; the connection must hold the room's lock."""
    after, said = change.applied(room, who)
    after = replace(after, version=room.version + 1)
    await _save(connection, room, after)
    await connection.execute(
        insert(t.news).values(
            room=room.code, version=after.version, said=said, asked=repr(change), key=key and hashed(key), made=now()
        )
    )
    too_old = t.news.c.version <= after.version - NEWS_KEPT
    await connection.execute(delete(t.news).where(t.news.c.room == room.code, too_old))
    await database.announce_at_commit(connection, room.code)
    return after


def _columns(room: Room) -> dict[str, Any]:
    return {
        "version": room.version,
        "fare": room.fare.notation,
        "host": room.host,
        "seating": room.seating,
        "others_may_move": room.others_may_move,
        "hints": room.hints,
        "matches": room.matches,
    }


async def load_room(connection: AsyncConnection, code: str, for_change: bool = False) -> Room:
    """The room with this code, locked until the transaction ends if it is to change; raises `NoSuchRoom`."""
    if len(code) != CODE_LENGTH or not set(code) <= set(ALPHABET):  # no database need be asked
        raise NoSuchRoom(f"there is no such room: a code has {CODE_LENGTH} letters and digits")
    query = select(t.room).where(t.room.c.code == code)
    row = (await connection.execute(query.with_for_update() if for_change else query)).one_or_none()
    if row is None:
        raise NoSuchRoom(f"there is no room {code}: it may have ended")
    seated = select(t.seat).where(t.seat.c.room == code).order_by(t.seat.c.place)
    seats = tuple(Seat(s.key, Player(s.name, s.bot), s.holder) for s in await connection.execute(seated))
    return Room(
        code=code,
        fare=Fare.parse(row.fare),
        host=row.host,
        version=row.version,
        seats=seats,
        seating=row.seating,
        matches=row.matches,
        match=await _load_match(connection, code, row.matches),
        others_may_move=row.others_may_move,
        hints=row.hints,
    )


async def _load_match(connection: AsyncConnection, code: str, number: int) -> Match | None:
    played = (
        select(t.heat.c.id, t.heat.c.fare, t.heat.c.players, t.jump.c.length)
        .outerjoin(t.jump)
        .where(t.heat.c.room == code, t.heat.c.match == number)
        .order_by(t.heat.c.number, t.jump.c.ply)
    )
    rows = (await connection.execute(played)).all()
    if not rows:
        return None
    heats = [
        "".join(str(row.length) for row in heat if row.length is not None)
        for _, heat in groupby(rows, key=lambda row: row.id)
    ]
    return Match.parse("/".join((rows[0].fare, rows[0].players, *heats)))


async def asked_with(connection: AsyncConnection, code: str, key: str) -> str | None:
    """What was asked of the room with the form of this key before, or None."""
    asked = select(t.news.c.asked).where(t.news.c.room == code, t.news.c.key == hashed(key))
    return (await connection.execute(asked)).scalar()


async def _save(connection: AsyncConnection, before: Room, after: Room) -> None:
    """Writes what differs; whoever read the room before must hold its lock."""
    await connection.execute(update(t.room).where(t.room.c.code == after.code).values(touched=now(), **_columns(after)))
    await _end_invitations(connection, before, after)
    if after.seats != before.seats:
        await connection.execute(delete(t.seat).where(t.seat.c.room == after.code))
        rows = [
            dict(room=after.code, key=seat.key, place=place, **seat.player._asdict(), holder=seat.holder)
            for place, seat in enumerate(after.seats)
        ]
        if rows:
            await connection.execute(insert(t.seat), rows)
    if after.match and after.match != before.match:
        await _save_match(connection, before, after, after.match)


async def _end_invitations(connection: AsyncConnection, before: Room, after: Room) -> None:
    """A link that moves a seat is its holder's word: it ends when another holds the seat, or the room."""
    holders = {seat.key: seat.holder for seat in after.seats}
    gone = [seat.key for seat in before.seats if holders.get(seat.key) != seat.holder]
    links = delete(t.invitation).where(t.invitation.c.room == after.code)
    if gone:
        await connection.execute(links.where(t.invitation.c.seat.in_(gone)))
    if after.host != before.host:
        await connection.execute(links.where(t.invitation.c.seat.is_(None)))


async def _save_match(connection: AsyncConnection, before: Room, after: Room, match: Match) -> None:
    had = before.match.jumps if before.match and before.matches == after.matches else ()
    mine = (t.heat.c.room == after.code, t.heat.c.match == after.matches)
    if len(match.jumps) < len(had):
        await connection.execute(delete(t.heat).where(*mine, t.heat.c.number > len(match.jumps)))
    for number, jumps in enumerate(match.jumps, 1):
        if number > len(had):
            what = {"number": number, "fare": match.fare.notation, "players": match.spelled_players}
            await connection.execute(insert(t.heat).values(room=after.code, match=after.matches, opened=now(), **what))
        elif jumps != had[number - 1]:
            find = select(t.heat.c.id).where(*mine, t.heat.c.number == number)
            await _save_jumps(connection, (await connection.execute(find)).scalar_one(), had[number - 1], jumps)


async def _save_jumps(connection: AsyncConnection, heat: int, had: str, jumps: str) -> None:
    """Jumps are appended or taken back, never altered."""
    if len(jumps) < len(had):
        await connection.execute(delete(t.jump).where(t.jump.c.heat == heat, t.jump.c.ply > len(jumps)))
    for ply in range(len(had) + 1, len(jumps) + 1):
        await connection.execute(insert(t.jump).values(heat=heat, ply=ply, length=int(jumps[ply - 1]), made=now()))
