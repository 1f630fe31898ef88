"""The pages of a live room, without a browser: who may do what, and what is never given away."""

import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from botq.store import StoreDown
from botq.web import create_app
from botq.web import pace as pace_page
from load.players import Player, version_of

Join = Callable[[], Player]


@pytest.fixture
def app(tmp_path: Path) -> Iterator[TestClient]:
    with TestClient(create_app(f"sqlite:///{tmp_path / 'botq.db'}")) as client:
        yield client


@pytest.fixture
def browser(app: TestClient) -> Join:
    """Another browser: the same server, cookies of its own."""
    return lambda: Player(TestClient(app.app))


@pytest.fixture
def host(browser: Join) -> Player:
    return browser().make_room()


@pytest.fixture
def kit(browser: Join, host: Player) -> Player:
    """Kit, in the room beside the host, who is Jo; Jo jumps first."""
    kit = browser().visit(host.room)
    host.press("seat", name="Jo")
    kit.press("seat", name="Kit")
    host.look().press("start")
    return kit.look()


def test_the_start_page_makes_a_room_with_a_link_and_a_qr_code(host: Player) -> None:
    assert re.fullmatch("/room/[2-9A-HJ-NP-Z]{8}", host.room)
    assert f"http://testserver{host.room}" in host.page
    assert re.search('<svg [^>]*class="qr"', host.page)


def test_a_server_without_a_database_offers_no_rooms() -> None:
    with TestClient(create_app()) as client:
        assert "several phones" not in client.get("/").text
        assert client.post("/room", data={"key": "k" * 22}).status_code == 503


def test_opening_a_link_takes_no_seat(host: Player, browser: Join) -> None:
    preview = browser().visit(host.room)
    for what in ("seat", "start", "jump"):
        assert preview.client.get(f"{host.room}/{what}").status_code == 200  # it is led back to the room
    assert host.look().version == 1


def test_two_phones_play_a_jump_each(host: Player, kit: Player) -> None:
    assert host.may_jump
    assert not kit.may_jump
    host.press("jump", jump="3")
    assert host.status == "Jump 1: Jo jumps 3 to space 3, takes ticket C and the stamp. Kit is next."
    kit.look().press("jump", jump="1")
    assert kit.status.startswith("Jump 2: Kit jumps 1 to space 1")


def test_neither_a_watcher_nor_another_seat_can_jump(host: Player, kit: Player, browser: Join) -> None:
    form = host.form("jump")
    watcher = browser().visit(host.room)
    for thief in (kit, watcher):
        answer = thief.send("jump", {**form, "jump": "1"})
        assert answer.status_code == 403
        assert thief.wrong == "It is the turn of Jo."
    assert host.look().may_jump


def test_a_doubled_tap_is_one_jump_and_another_button_of_the_old_page_is_stale(host: Player, kit: Player) -> None:
    old = host.form("jump")
    assert [host.send("jump", {**old, "jump": "3"}).status_code for _ in range(2)] == [200, 200]
    assert "Jump 1: Jo jumps 3" in host.status
    answer = host.send("jump", {**old, "jump": "2"})
    assert answer.status_code == 409
    assert "has changed since" in host.wrong
    assert "Jump 1: Jo jumps 3" in host.status


def test_of_two_tabs_the_second_is_shown_the_board_as_it_is(host: Player, kit: Player) -> None:
    tabs = [host.look().form("jump"), host.look().form("jump")]
    assert host.send("jump", {**tabs[0], "jump": "1"}).status_code == 200
    assert host.send("jump", {**tabs[1], "jump": "1"}).status_code == 409
    assert version_of(host.page) == kit.look().version


def test_a_seat_whose_answer_was_lost_is_held_after_all(host: Player, browser: Join) -> None:
    lost = browser().visit(host.room)
    form = {**lost.form("seat"), "name": "Kit"}
    lost.client.post(f"{host.room}/seat", data=form)
    lost.client.cookies.clear()  # the answer never came, so neither did the cookie
    lost.send("seat", form)
    assert "Another seat on this phone" in lost.page
    assert host.look().page.count("<bdi>Kit</bdi>") == 1


def test_somebody_else_cannot_send_that_form_with_another_name(host: Player, browser: Join) -> None:
    kit = browser().visit(host.room)
    form = kit.form("seat")
    kit.send("seat", {**form, "name": "Kit"})
    assert kit.send("seat", {**form, "name": "Lou"}).status_code == 409


def test_seat_tokens_are_128_bits_in_cookies_of_this_room_alone_and_hashed_on_disk(
    host: Player, kit: Player, tmp_path: Path
) -> None:
    cookies = list(host.client.cookies.jar)
    assert {(cookie.name, cookie.path) for cookie in cookies} == {
        ("botq-host", host.room),
        ("botq-seat-0", host.room),
    }
    kept = b"".join(file.read_bytes() for file in tmp_path.glob("botq.db*"))
    for cookie in cookies:
        assert re.fullmatch(r"[\w-]{22}", cookie.value or "")
        assert cookie.has_nonstandard_attr("HttpOnly")
        assert cookie.get_nonstandard_attr("SameSite") == "lax"
        assert not cookie.secure
        for shown in (host.page.encode(), kit.look().page.encode(), str(host.export()).encode(), kept):
            assert (cookie.value or "").encode() not in shown


def test_behind_https_the_cookie_never_travels_in_the_clear(app: TestClient) -> None:
    player = Player(TestClient(app.app, base_url="https://testserver")).make_room()
    assert all(cookie.secure for cookie in player.client.cookies.jar)


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "https://testserver"},  # another scheme is another origin
    ],
)
def test_another_sites_page_can_send_nothing(host: Player, kit: Player, headers: dict[str, str]) -> None:
    form = {**host.form("jump"), "jump": "1"}
    assert host.client.post(f"{host.room}/jump", data=form, headers=headers).status_code == 403
    assert host.client.post("/room", data={"key": "k" * 22}, headers=headers).status_code == 403
    assert host.look().may_jump


@pytest.mark.parametrize("headers", [{"Sec-Fetch-Site": "same-origin"}, {"Origin": "http://testserver"}])
def test_our_own_pages_can(host: Player, kit: Player, headers: dict[str, str]) -> None:
    form = {**host.form("jump"), "jump": "1"}
    assert host.client.post(f"{host.room}/jump", data=form, headers=headers).status_code == 200


def test_a_seat_moves_to_another_device_once(host: Player, kit: Player, browser: Join) -> None:
    shown = kit.client.post(f"{kit.room}/device", data=kit.form("device"))
    address = re.search(r'id="address">([^<]+)<', shown.text)
    assert address
    tablet, thief = browser(), browser()
    path = address[1].removeprefix("http://testserver")
    for device, status in ((tablet, 200), (thief, 400)):
        page = device.client.get(path)
        key = re.search(r'name="key" value="([^"]+)"', page.text)
        assert device.client.post(path, data={"key": key[1] if key else "k" * 22}).status_code == status
    host.look().press("jump", jump="3")
    assert tablet.visit(host.room).may_jump
    assert not kit.look().may_jump
    assert "Kit has moved to another device." in kit.page


def test_nobody_moves_the_seat_of_another(host: Player, kit: Player) -> None:
    for form in ({"seat": "0"}, {}):
        answer = kit.client.post(f"{kit.room}/device", data={**form, "key": "k" * 22})
        assert answer.status_code == 403
        assert "arrive" not in answer.text


def test_a_freed_seat_has_lost_its_old_holder_and_is_taken_by_another(host: Player, kit: Player, browser: Join) -> None:
    host.send("free", {**host.form("free", 'value="1"'), "seat": "1"})
    host.press("jump", jump="3")
    assert not kit.look().may_jump
    lou = browser().visit(host.room)
    assert lou.press("over").status_code == 200
    assert lou.may_jump
    assert not kit.look().may_jump


def test_moving_for_another_is_told_to_all(host: Player, kit: Player) -> None:
    host.press("others", on="on")
    kit.look().press("jump", jump="2")
    assert host.look().status.startswith("Kit moves for Jo. Jump 1: Jo jumps 2")


def test_one_phone_holds_two_seats(host: Player) -> None:
    host.press("seat", name="Jo")
    host.press("seat", name="Kit")
    host.press("start")
    for jump in "31":
        assert host.press("jump", jump=jump).status_code == 200
    assert host.status.startswith("Jump 2: Kit")


def test_two_heats_and_a_rematch(host: Player) -> None:
    host.press("seat", name="Jo")
    host.press("seat", name="Kit")
    host.press("start")
    for _ in range(8):
        host.press("jump", jump="3")
    assert "<caption>Scores</caption>" in host.page
    host.press("heat")
    assert host.status == "The second heat starts, the queue reversed: Kit is next."
    for _ in range(8):
        host.press("jump", jump="3")
    assert '/review/standard/Jo,Kit/33333333/33333333"' in host.page
    host.press("rematch", fare="own", spelled="abc7")
    assert host.status == "A rematch on ABC7: take your seats."
    host.press("start")
    assert "/heat/ABC7/Jo,Kit/" not in host.page  # nothing to look back on yet
    assert host.may_jump


def test_a_bot_nobody_knows_is_refused_plainly(host: Player) -> None:
    answer = host.send("bot", {**host.form("seat"), "bot": "nobody"})
    assert answer.status_code == 400
    assert "there is no bot" in host.wrong.lower()


def test_a_bot_jumps_by_itself_and_an_undo_takes_its_answers_back(
    app: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("botq.web.botmoves.PAUSE", 0.01)
    host = Player(app).make_room()  # this client's loop runs on between requests, as a server's does
    host.press("seat", name="Jo")
    host.press("bot", bot="longest")
    host.press("start")
    host.press("jump", jump="1")  # Jo on 1; the bot leaps to 3, and Jo is next
    for _ in range(200):
        if host.look().status.startswith("Jump 2: Longest jumps 3"):
            break
        time.sleep(0.02)
    assert host.status.startswith("Jump 2: Longest jumps 3")
    host.press("undo")
    assert host.status == "Jo takes back jump 1. Jo is next."
    assert host.may_jump


def test_hints_are_shown_to_all_only_where_the_host_switched_them_on_before_the_start(host: Player) -> None:
    host.press("seat", name="Jo")
    host.press("start")
    assert host.client.get(f"{host.room}/hint").status_code == 403
    for _ in range(4):
        host.press("jump", jump="3")
    host.press("rematch", fare="standard", spelled="")
    host.press("choose", fare="standard", hints="on")
    assert "Hints are on for all." in host.page
    host.press("start")
    assert f'href="{host.room}/hint"' in host.page
    for _ in range(600):
        hint = host.client.get(f"{host.room}/hint").text
        if "being worked out" not in hint:
            break
        time.sleep(0.1)
    assert "Jump 1" in hint
    assert "Jump 3" in hint
    assert "&lt;" not in hint


@pytest.mark.parametrize(
    ("what", "fields", "said"),
    [
        ("seat", {"name": ""}, "empty"),
        ("seat", {"name": "x" * 21}, "21 characters"),
        ("jump", {"jump": "4"}, "a jump of 1, 2 or 3 fits, not 4"),
        ("jump", {"jump": "one"}, "lacks its jump"),
        ("jump", {"jump": "9" * 400}, "lacks its jump"),
        ("jump", {"jump": "1", "version": ""}, "lacks its version"),
        ("jump", {"jump": "1", "key": "guess"}, "not made here"),
        ("choose", {"fare": "gold"}, "no fare card"),
        ("start", {}, "the match has started"),
    ],
)
def test_what_cannot_be_is_refused_on_the_page_of_the_room(
    host: Player, kit: Player, what: str, fields: dict[str, str], said: str
) -> None:
    answer = host.send(what, {**host.form("jump"), **fields})
    assert answer.status_code == 400
    assert said in host.wrong or "has started" in host.wrong
    assert version_of(answer.text) == kit.look().version


def test_an_unknown_room_is_404_and_guessing_is_stopped(app: TestClient, host: Player) -> None:
    answers = [app.get(f"/room/{code}2345678"[:14]).status_code for code in "ABCDEFGHJKLMNPQRSTUVWXYZ"]
    assert answers[:20] == [404] * 20
    assert set(answers[20:]) == {429}
    assert int(app.get("/room/ABCDEFGH").headers["retry-after"]) > 0


def test_who_sits_in_a_room_plays_on_while_others_of_the_household_guess_codes(
    app: TestClient, host: Player, kit: Player, browser: Join
) -> None:
    for code in "ABCDEFGHJKLMNPQRSTUVWXYZ":
        app.get(f"/room/{code}2345678"[:14])
    assert browser().client.get(host.room).status_code == 429
    assert browser().client.get(host.room, headers={"cookie": "botq-seat-1=guessed"}).status_code == 429
    assert kit.client.get(host.room).status_code == 200
    assert host.press("jump", jump="3").status_code == 200


@pytest.mark.parametrize("what", ["device", "delete"])
def test_guessing_by_what_the_host_may_send_is_stopped_too(app: TestClient, what: str) -> None:
    form = {"key": "k" * 22, "sure": "on"}
    answers = [app.post(f"/room/{code}2345678"[:14] + f"/{what}", data=form).status_code for code in "ABCDEFGH" * 3]
    assert answers == [404] * 20 + [429] * 4


@pytest.mark.parametrize("path", ["/room/", "/room/x", "/room/%00", "/room/" + "A" * 3000, "/room/ABCDEFGH/nothing"])
def test_what_is_no_code_is_404(app: TestClient, path: str) -> None:
    assert app.get(path).status_code == 404


def test_a_code_typed_in_small_letters_finds_the_room(host: Player) -> None:
    assert host.client.get(host.room.lower()).url.path == host.room


def test_making_rooms_and_joining_them_have_a_limit(browser: Join) -> None:
    maker = browser()
    for _ in range(20):
        maker.make_room()
    assert maker.client.post("/room", data={"key": "k" * 22}).status_code == 429
    room = maker.room
    answers = [maker.client.post(f"{room}/seat", data={"key": "k"}).status_code for _ in range(61)]
    assert answers[-1] == 429


def test_every_household_has_its_own_limits() -> None:
    def at(address: str) -> str:
        scope = {"type": "http", "client": (address, 1), "headers": []}
        return pace_page.client(pace_page.Request(scope))

    assert at("192.0.2.7") != at("192.0.2.8")
    assert at("2001:db8:1:2::7") == at("2001:db8:1:2:ffff::9") != at("2001:db8:1:3::7")
    assert at("::ffff:192.0.2.7") == at("192.0.2.7")


def test_only_the_host_exports_and_deletes(host: Player, kit: Player) -> None:
    assert kit.client.get(f"{kit.room}/export").status_code == 403
    assert kit.client.post(f"{kit.room}/delete", data={"sure": "on"}).status_code == 403
    assert host.export()["seats"] == [{"name": "Jo", "bot": None}, {"name": "Kit", "bot": None}]
    assert host.client.post(f"{host.room}/delete", data={}).status_code == 400
    assert host.client.post(f"{host.room}/delete", data={"sure": "on"}).status_code == 200
    assert kit.client.get(kit.room).status_code == 404


def test_a_page_of_a_room_is_kept_by_no_cache(host: Player) -> None:
    assert host.client.get(host.room).headers["cache-control"] == "no-store"


def test_no_two_pages_share_the_key_of_a_form(host: Player, browser: Join) -> None:
    keys = {browser().visit(host.room).form("seat")["key"] for _ in range(5)}
    assert len(keys) == 5


def test_a_name_is_shown_as_it_was_typed_and_never_as_markup(host: Player) -> None:
    host.press("seat", name="<b>Jo</b>")
    assert "<b>Jo</b>" not in host.page
    assert "&lt;b&gt;Jo" in host.page


def test_a_database_that_is_away_is_told_plainly(host: Player, kit: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    async def away(*_: object, **__: object) -> None:
        raise StoreDown("no such file /secret/path")

    form = {**host.form("jump"), "jump": "1"}
    with monkeypatch.context() as during:
        during.setattr("botq.web.rooms.change_room", away)
        answer = host.send("jump", form)
        assert answer.status_code == 503
        assert "Nothing is lost" in answer.text
        assert "secret" not in answer.text
    assert host.send("jump", form).status_code == 200
