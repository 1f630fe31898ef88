"""The stream of a room: the whole board after every change, and never a word to those it is not for."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from starlette.exceptions import HTTPException

from botq.changes import FreeSeat, TakeSeat
from botq.fares import FARES
from botq.room import Room
from botq.store import Database
from botq.store.care import delete_room
from botq.store.rooms import change_room, hashed, make_room
from botq.web import live as live_page
from botq.web.live import KEY, MOST_A_CLIENT, MOST_A_ROOM, Live
from load.players import events

pytestmark = pytest.mark.anyio


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    async with Database(f"sqlite:///{tmp_path / 'botq.db'}") as database:
        yield database


@pytest.fixture
async def room(database: Database) -> Room:
    return await make_room(database, FARES["standard"], hashed("host"), "form")


def show(room: Room, news: list[str]) -> str:
    return f"{[seat.name for seat in room.seats]}\n{KEY}"


async def hear(stream: AsyncIterator[bytes]) -> dict[str, str]:
    """The next event."""
    async with asyncio.timeout(5):
        text = (await anext(stream)).decode()
    return next(iter(events(iter(text.splitlines()))))


async def sits(database: Database, room: Room, name: str) -> Room:
    return await change_room(database, room.code, TakeSeat(name, hashed(name)), set(), room.version)


async def test_every_change_brings_the_whole_board_with_the_version_as_id(database: Database, room: Room) -> None:
    stream = Live(database).stream(room.code, show, "me", "")
    assert await hear(stream) == {"retry": "1000"}
    assert (await hear(stream))["data"].startswith("[]")
    after = await sits(database, room, "Jo")
    event = await hear(stream)
    assert event["data"].startswith("['Jo']")
    assert event["id"] == str(after.version)


async def test_a_page_that_comes_while_the_last_one_goes_is_shown_the_room_as_it_is(
    database: Database, room: Room
) -> None:
    live = Live(database)
    first, second = live.stream(room.code, show, "me", ""), live.stream(room.code, show, "me", "")
    with live.counted("phone", room.code):
        await hear(first)
        await hear(first)
        await first.aclose()
        after = await sits(database, room, "Jo")
        await hear(second)
        assert (await hear(second))["id"] == str(after.version)


async def test_the_room_is_read_afresh_by_who_did_not_hear_of_a_change(database: Database, room: Room) -> None:
    live = Live(database)
    first, second = live.stream(room.code, show, "me", ""), live.stream(room.code, show, "me", "")
    await hear(first)
    await hear(first)
    await first.aclose()  # now nobody listens
    after = await sits(database, room, "Jo")
    await hear(second)
    assert (await hear(second))["id"] == str(after.version)


async def test_who_goes_in_the_middle_of_a_reading_lets_it_end(
    database: Database, room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, go, ended = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def slow(*asked: Any) -> tuple[Room, list[str]]:
        begun.set()
        await go.wait()
        ended.set()
        return room, []

    monkeypatch.setattr(live_page, "read_live", slow)
    watching = asyncio.create_task(Live(database).look(room.code))
    async with asyncio.timeout(5):
        await begun.wait()
        watching.cancel()
        with pytest.raises(asyncio.CancelledError):
            await watching
        go.set()
        await ended.wait()


async def test_missing_any_number_of_changes_is_harmless(database: Database, room: Room) -> None:
    stream = Live(database).stream(room.code, show, "me", "")
    await hear(stream), await hear(stream)
    for name in ("Jo", "Kit", "Lou"):
        room = await sits(database, room, name)
    assert (await hear(stream))["data"].startswith("['Jo', 'Kit', 'Lou']")


async def test_whoever_comes_back_with_the_newest_version_is_sent_nothing_again(
    database: Database, room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_page, "BEAT", 0.05)
    for seen, said in ((str(room.version), "beat"), ("0", None), ("nonsense", None)):
        stream = Live(database).stream(room.code, show, "me", seen)
        await hear(stream)
        assert (await hear(stream)).get("event") == said


async def test_a_quiet_stream_says_that_it_is_alive_and_at_which_version(
    database: Database, room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_page, "BEAT", 0.05)
    stream = Live(database).stream(room.code, show, "me", "")
    await hear(stream), await hear(stream)
    assert await hear(stream) == {"event": "beat", "id": "1", "data": "1"}


async def test_an_announcement_that_got_lost_is_made_good(
    database: Database, room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_page, "BEAT", 0.05)
    monkeypatch.setattr(database.announcer, "announce", lambda code: None)
    stream = Live(database).stream(room.code, show, "me", "")
    await hear(stream), await hear(stream)
    await sits(database, room, "Jo")
    heard = [await hear(stream) for _ in range(3)]
    assert any(event["data"].startswith("['Jo']") for event in heard)


async def test_viewers_share_a_board_but_never_the_keys_of_its_forms(database: Database, room: Room) -> None:
    live, drawn = Live(database), []

    def draw(room: Room, news: list[str]) -> str:
        drawn.append(room)
        return KEY

    streams = [live.stream(room.code, draw, "watchers", "") for _ in range(3)]
    for stream in streams:
        await hear(stream)
    keys = {(await hear(stream))["data"] for stream in streams}
    assert len(keys) == 3
    assert KEY not in keys
    assert len(drawn) == 1


async def test_each_place_has_its_own_board_after_a_change_too(database: Database, room: Room) -> None:
    live = Live(database)
    mine = live.stream(room.code, lambda *_: "mine", "me", "")
    yours = live.stream(room.code, lambda *_: "yours", "you", "")
    for _ in range(2):
        heard = []
        for stream in (mine, yours):
            event = await hear(stream)
            heard.append((event if "data" in event else await hear(stream))["data"])
        assert heard == ["mine", "yours"]
        room = await sits(database, room, f"Jo {room.version}")


async def test_a_deleted_room_ends_its_streams(database: Database, room: Room) -> None:
    stream = Live(database).stream(room.code, show, "me", "")
    await hear(stream), await hear(stream)
    await delete_room(database, room.code)
    assert (await hear(stream))["event"] == "gone"
    with pytest.raises(StopAsyncIteration):
        await anext(stream)


async def test_a_server_that_stops_ends_its_streams(database: Database, room: Room) -> None:
    live = Live(database)
    stream = live.stream(room.code, show, "me", "")
    await hear(stream), await hear(stream)
    live.close()
    with pytest.raises(StopAsyncIteration):
        await anext(stream)


async def test_a_room_nobody_watches_any_more_is_forgotten(database: Database, room: Room) -> None:
    live = Live(database)
    with live.counted("192.0.2.1", room.code):
        stream = live.stream(room.code, show, "me", "")
        await hear(stream), await hear(stream)
        await stream.aclose()  # type: ignore[attr-defined]  # an async generator, said to be its base
    assert not live._read
    assert not live._open
    await sits(database, room, "Jo")
    assert not database.announcer._heard


async def test_the_streams_of_a_client_and_of_a_room_are_bounded(database: Database) -> None:
    live = Live(database)
    for bound, name in ((MOST_A_CLIENT, lambda n: ("one", f"{n}")), (MOST_A_ROOM, lambda n: (f"{n}", "one"))):
        held = [live.counted(*name(n)) for n in range(bound)]
        for one in held:
            one.__enter__()
        with pytest.raises(HTTPException) as refused, live.counted(*name(bound)):
            pass
        assert refused.value.status_code == 429
        for one in held:
            one.__exit__(None, None, None)
        with live.counted(*name(bound)):
            pass


async def test_whoever_lost_a_seat_is_shown_the_board_of_a_watcher(database: Database, room: Room) -> None:
    seated = await sits(database, room, "Jo")
    held = {hashed("Jo")}
    stream = Live(database).stream(room.code, lambda room, _: "plays" if room.who(held).seats else "watches", "jo", "")
    await hear(stream)
    assert (await hear(stream))["data"] == "plays"
    await change_room(database, room.code, FreeSeat(0), {hashed("host")}, seated.version)
    assert (await hear(stream))["data"] == "watches"
