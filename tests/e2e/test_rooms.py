"""Friends on several phones at one room, in real browsers, through everything that phones do."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from load.players import Server

HIDE = "hidden => { Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });"
HIDE += " document.dispatchEvent(new Event('visibilitychange')) }"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(f"sqlite:///{tmp_path_factory.mktemp('rooms') / 'botq.db'}") as server:
        yield server


class Phones:
    """Browsers that share nothing but the link."""

    def __init__(self, browser: Browser, address: str) -> None:
        self.browser, self.address = browser, address
        self.contexts: list[BrowserContext] = []
        self.complaints: list[str] = []

    def phone(self, path: str = "/", **options: bool) -> Page:
        context = self.browser.new_context(viewport={"width": 360, "height": 640}, **options)
        self.contexts.append(context)
        return self.tab(context, path)

    def tab(self, context: BrowserContext, path: str) -> Page:
        page = context.new_page()
        page.set_default_timeout(10_000)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", lambda said: "Security Policy" in said.text and self.complaints.append(said.text))
        page.goto(self.address + path)
        return page


@pytest.fixture
def phones(browser: Browser, server: Server) -> Iterator[Phones]:
    phones = Phones(browser, server.address)
    yield phones
    for context in phones.contexts:
        context.close()
    assert not phones.complaints


def make_room(phones: Phones) -> tuple[Page, str]:
    host = phones.phone()
    host.get_by_role("button", name="Play on several phones").click()
    host.wait_for_url("**/room/*")
    return host, "/room/" + host.url.rpartition("/")[2]


def sit(page: Page, name: str) -> None:
    page.locator("#name").fill(name)
    page.get_by_role("button", name="Take a seat").click()
    expect(page.get_by_role("listitem").filter(has_text=re.compile(f"{name}.*you"))).to_be_visible()


def jump(page: Page, length: int) -> None:
    page.wait_for_timeout(450)  # a finger, too, takes that long between two taps
    page.get_by_role("button", name=f"Jump {length}").click()


def start(phones: Phones, *others: str) -> tuple[Page, list[Page], str]:
    """The host, who is Jo, and the others, in a match that has begun."""
    host, room = make_room(phones)
    sit(host, "Jo")
    pages = []
    for name in others:
        pages.append(phones.phone(room))
        sit(pages[-1], name)
    expect(host.locator(".players li")).to_have_count(1 + len(others))
    with host.expect_response(lambda answer: answer.ok and answer.url.endswith(room)):  # beside what the stream brings
        host.get_by_role("button", name="Start").click()
    for page in (host, *pages):
        told(page, "The match starts")
    return host, pages, room


def told(page: Page, text: str) -> None:
    expect(page.get_by_role("status")).to_contain_text(text)


def test_two_play_two_heats_while_somebody_watches_and_then_again_on_another_fare(phones: Phones) -> None:
    host, (kit,), room = start(phones, "Kit")
    watcher = phones.phone(room)
    for heat, order in enumerate(((host, kit), (kit, host)), 1):
        for number in range(4):
            for page in order:
                jump(page, 3)
                told(watcher, f"Jump {2 * number + 1 + (page is order[1])}:")
        for page in (host, kit, watcher):
            expect(page.get_by_role("table", name="Scores")).to_have_count(heat)
        if heat == 1:
            expect(watcher.get_by_role("button", name="Second heat")).to_have_count(0)
            kit.get_by_role("button", name="Second heat").click()
            told(host, "The second heat starts, the queue reversed: Kit is next.")
    host.get_by_text("Rematch", exact=True).first.click()
    host.get_by_label("Local").check()
    host.get_by_role("button", name="Rematch").click()
    told(watcher, "A rematch on Local: take your seats.")
    host.get_by_role("button", name="Start").click()
    expect(kit.get_by_role("region", name="Fare card", exact=True)).to_contain_text("Local")
    expect(kit.locator("#game.on")).to_be_visible()


def test_a_jump_is_undone_by_its_player_and_by_the_host(phones: Phones) -> None:
    host, (kit, lou), _ = start(phones, "Kit", "Lou")
    jump(host, 2)
    told(kit, "Jump 1: Jo jumps 2")
    expect(kit.get_by_role("button", name="Undo")).to_have_count(0)
    jump(kit, 1)
    told(lou, "Jump 2: Kit jumps 1")
    kit.get_by_role("button", name="Undo").click()
    told(lou, "Kit takes back jump 2. Kit is next.")
    host.get_by_role("button", name="Undo").click()
    told(lou, "Jo takes back jump 1. Jo is next.")


def test_moving_for_another_once_the_host_allows_it(phones: Phones) -> None:
    host, (kit,), _ = start(phones, "Kit")
    expect(kit.get_by_text("Move for Jo")).to_have_count(0)
    host.locator("#menu summary").click()
    host.get_by_role("button", name="Let everybody move for another").click()
    told(kit, "Any seat may now move for another.")
    kit.wait_for_timeout(300)  # a person reads that first
    kit.get_by_text("Move for Jo").click()
    jump(kit, 2)
    told(host, "Kit moves for Jo. Jump 1: Jo jumps 2")


def test_a_bot_is_seated_and_jumps_by_itself(phones: Phones) -> None:
    host, room = make_room(phones)
    sit(host, "Jo")
    host.get_by_label("Which bot").select_option("longest")
    host.get_by_role("button", name="Seat a bot").click()
    told(host, "Longest, a bot, takes a seat.")
    watcher = phones.phone(room)
    host.get_by_role("button", name="Start").click()
    jump(host, 1)
    told(watcher, "Jump 2: Longest jumps 3")
    expect(host.get_by_role("button", name="Jump 1")).to_be_enabled()


def test_a_seat_moves_to_a_tablet(phones: Phones) -> None:
    host, (kit,), _ = start(phones, "Kit")
    kit.locator("#menu summary").click()
    kit.get_by_role("button", name="Move to another device").click()
    address = kit.locator("#address").inner_text()
    tablet = phones.phone(address.removeprefix(phones.address))
    tablet.get_by_role("button", name="Move it here").click()
    kit.get_by_role("link", name="Back to the room").click()
    jump(host, 3)
    jump(tablet, 1)
    told(kit, "Jump 2: Kit jumps 1")
    expect(kit.get_by_text("You watch.")).to_be_visible()


def test_a_phone_that_slept_shows_the_board_as_it_is(phones: Phones) -> None:
    host, (kit,), _ = start(phones, "Kit")
    kit.evaluate(HIDE, True)
    jump(host, 1)  # Jo is in front on 1 now, Kit on 0
    told(host, "Jump 1")
    host.get_by_role("button", name="Undo").click()
    jump(host, 2)
    told(host, "Jo jumps 2")
    told(kit, "The match starts")  # no stream reaches a page that is hidden
    kit.evaluate(HIDE, False)
    told(kit, "Jo jumps 2 to space 2")
    expect(kit.get_by_role("button", name="Jump 1")).to_be_enabled()


def test_a_dead_network_is_shown_and_got_over(phones: Phones) -> None:
    host, (kit,), _ = start(phones, "Kit")
    kit.context.set_offline(True)
    expect(kit.get_by_text("Reconnecting…")).to_be_visible()
    jump(host, 3)
    told(host, "Jump 1")
    kit.context.set_offline(False)
    told(kit, "Jump 1: Jo jumps 3")
    expect(kit.get_by_text("Reconnecting…")).to_have_count(0)


def test_the_server_is_restarted_in_the_middle_of_a_heat(phones: Phones, server: Server) -> None:
    host, (kit,), _ = start(phones, "Kit")
    jump(host, 3)
    told(kit, "Jump 1")
    server.kill()
    expect(kit.get_by_text("Reconnecting…")).to_be_visible()
    server.start()
    jump(kit, 1)
    told(host, "Jump 2: Kit jumps 1")


def test_two_tabs_of_one_phone_show_the_same(phones: Phones) -> None:
    host, (kit,), room = start(phones, "Kit")
    second = phones.tab(host.context, room)
    expect(second.get_by_role("button", name="Jump 3")).to_be_visible()
    jump(host, 3)
    told(second, "Jump 1")
    expect(second.get_by_role("button", name="Jump 3")).to_have_count(0)
    jump(kit, 1)
    told(second, "Jump 2")


def test_a_double_tap_jumps_once_even_where_the_same_player_is_next(phones: Phones) -> None:
    host, (kit,), _ = start(phones, "Kit")
    jump(host, 3)
    kit.get_by_role("button", name="Jump 1").dblclick()  # from 0 to 1: Kit is next again
    told(host, "Jump 2: Kit jumps 1")
    host.wait_for_timeout(600)
    told(host, "Jump 2")
    expect(kit.get_by_role("button", name="Jump 1")).to_be_enabled()


def test_a_name_half_typed_survives_what_others_do(phones: Phones) -> None:
    host, room = make_room(phones)
    kit = phones.phone(room)
    kit.locator("#name").fill("Ki")
    sit(host, "Jo")
    told(kit, "Jo takes a seat.")
    expect(kit.locator("#name")).to_have_value("Ki")
    kit.locator("#name").press("End")
    kit.keyboard.type("t")
    kit.keyboard.press("Enter")
    told(host, "Kit takes a seat.")


def test_without_javascript_a_match_is_played_by_reloading(phones: Phones) -> None:
    host, room = make_room(phones)
    sit(host, "Jo")
    plain = phones.phone(room, java_script_enabled=False)
    plain.locator("#name").fill("Kit")
    plain.get_by_role("button", name="Take a seat").click()
    told(host, "Kit takes a seat.")
    host.get_by_role("button", name="Start").click()
    jump(host, 3)
    told(host, "Jump 1")
    plain.goto(phones.address + room)
    plain.get_by_role("button", name="Jump 1").click()
    told(plain, "Jump 2: Kit jumps 1")
    told(host, "Jump 2: Kit jumps 1")
