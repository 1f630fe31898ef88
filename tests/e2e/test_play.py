"""Families play whole matches on one phone, by tapping and by keyboard."""

import re
from collections.abc import Callable
from itertools import cycle

import pytest
from playwright.sync_api import Page, expect

from botq.notation import Match

from .conftest import FRIEND

Open = Callable[..., Page]
NAMES = ["Jo", "Kit", "Ada", "Sam", "Lee", "Max"]


def tap(page: Page, jump: int) -> None:
    page.get_by_role("button", name=re.compile(f"^Jump {jump}\\b")).click()


def press(page: Page, jump: int) -> None:
    page.keyboard.press(str(jump))


@pytest.mark.parametrize("finger", [True, False], ids=["finger", "mouse"])
def test_the_second_tap_of_a_double_tap_makes_no_second_jump(open_page: Open, finger: bool) -> None:
    page = open_page("/heat/standard/Jo,Kit/", reduced_motion="reduce", has_touch=finger)
    page.clock.install()
    box = page.get_by_role("button", name=re.compile("^Jump 1")).bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def tap_again(count: int = 1) -> None:
        if finger:
            page.touchscreen.tap(x, y)
        else:
            page.mouse.move(x, y)
            page.mouse.down(click_count=count)
            page.mouse.up(click_count=count)

    page.clock.pause_at("2099-01-01")
    tap_again()
    page.clock.run_for(1)
    at(page, Match.parse("standard/Jo,Kit/1"))
    tap_again(2)
    page.clock.run_for(100)
    page.evaluate("() => fetch('/healthz')")  # by then a second jump would have been asked for
    at(page, Match.parse("standard/Jo,Kit/1"))
    page.clock.run_for(400)
    tap_again()
    at(page, Match.parse("standard/Jo,Kit/11"))


def add_players(page: Page, seats: int) -> None:
    names = page.get_by_role("textbox", name=re.compile("^Name of"))
    for seat in range(names.count() + 1, seats + 1):
        page.get_by_role("button", name="Add a player").click()
        expect(names).to_have_count(seat)


def at(page: Page, match: Match) -> None:
    """The page shows this match, in its link and in what it announces."""
    page.wait_for_url("**/heat/" + match.notation)
    if match.heat.jumps:
        expect(page.get_by_role("status")).to_have_text(str(match.heat.story[-1]))


def play_heat(page: Page, match: Match, way: Callable[[Page, int], None], jumps: str) -> Match:
    for wish in cycle(map(int, jumps)):
        if match.heat.over:
            break
        jump = min(wish, match.heat.legal[-1])
        way(page, jump)
        match = match.jump(jump)
        at(page, match)
    return match


def expect_scores(page: Page, match: Match) -> None:
    tables = page.get_by_role("table", name="Scores")
    expect(tables).to_have_count(len(match.heats))
    for number, heat in enumerate(match.heats):
        names = tables.nth(number).locator("tbody th bdi").all_inner_texts()
        sums = tables.nth(number).locator("tbody td:last-child").all_inner_texts()
        shown = dict(zip(names, map(int, sums), strict=True))
        assert shown == heat.scores


@pytest.mark.parametrize("seats", [2, 3, 6])
@pytest.mark.parametrize("fare", ["standard", "express", "local"])
def test_a_whole_match_of_two_heats(open_page: Open, fare: str, seats: int) -> None:
    page = open_page("/", reduced_motion="reduce")
    add_players(page, seats)
    page.get_by_label(fare.capitalize()).check()
    page.get_by_role("button", name="Start", exact=True).click()
    match = Match.parse(f"{fare}/{','.join(NAMES[:seats])}/")
    at(page, match)
    match = play_heat(page, match, tap, "33231")
    expect_scores(page, match)
    page.get_by_role("link", name=re.compile("^Second heat")).click()
    match = match.second_heat()
    at(page, match)
    expect(page.get_by_role("table").get_by_role("row").nth(1)).to_contain_text(NAMES[seats - 1])
    match = play_heat(page, match, press, "23313")
    expect_scores(page, match)
    page.get_by_role("link", name="Play again").click()
    at(page, Match.parse(f"{fare}/{','.join(NAMES[:seats])}/"))


def test_reload_and_the_back_button_in_the_middle_of_a_heat(open_page: Open) -> None:
    page = open_page("/heat/standard/Jo,Kit/")
    tap(page, 3)
    at(page, Match.parse("standard/Jo,Kit/3"))
    tap(page, 1)
    at(page, Match.parse("standard/Jo,Kit/31"))
    page.reload()
    at(page, Match.parse("standard/Jo,Kit/31"))
    page.go_back()
    at(page, Match.parse("standard/Jo,Kit/3"))
    page.go_forward()
    at(page, Match.parse("standard/Jo,Kit/31"))
    page.go_back()
    at(page, Match.parse("standard/Jo,Kit/3"))
    tap(page, 2)
    at(page, Match.parse("standard/Jo,Kit/32"))


def test_any_number_of_jumps_is_undone(open_page: Open) -> None:
    page = open_page("/heat/standard/Jo,Kit/31313")
    page.get_by_role("link", name="Undo").click()
    at(page, Match.parse("standard/Jo,Kit/3131"))
    page.keyboard.press("u")
    at(page, Match.parse("standard/Jo,Kit/313"))
    page.get_by_text("More").click()
    page.get_by_role("link", name="Kit jumps 1 to 1, stamp").click()
    at(page, Match.parse("standard/Jo,Kit/3"))
    page.keyboard.press("U")
    at(page, Match.parse("standard/Jo,Kit/"))
    expect(page.get_by_role("status")).to_have_text("Jo is at the front of the queue and jumps first.")
    expect(page.get_by_role("link", name="Undo")).to_have_count(0)


def test_a_match_without_javascript(open_page: Open) -> None:
    page = open_page("/", java_script_enabled=False)
    page.get_by_label("Name of player 1").fill("Zoë")
    page.get_by_role("button", name="Add a player").click()
    page.get_by_role("button", name="Remove Kit").click()
    page.get_by_role("button", name="Draw lots").click()
    expect(page.get_by_text("The lots are drawn")).to_be_visible()
    page.get_by_label("Name of player 1").fill("Zoë")
    page.get_by_label("Name of player 2").fill("Ada")
    page.get_by_label("Name of player 2").press("Enter")
    match = Match.parse("standard/Zoë,Ada/")
    at(page, match)
    match = play_heat(page, match, tap, "33123")
    expect_scores(page, match)
    page.get_by_role("link", name="Undo").click()
    at(page, match.undone())
    page.get_by_text("More").click()
    expect(page.get_by_text("The jumps so far")).to_be_visible()


def test_a_phone_on_the_local_network_can_send_a_form_over_plain_http(open_page: Open) -> None:
    page = open_page("/heat/standard/Jo,Kit/", host=FRIEND, java_script_enabled=False)
    tap(page, 2)  # the browser tells only an `Origin` here, and the server has to know it for its own
    at(page, Match.parse("standard/Jo,Kit/2"))


def test_the_keys_can_be_switched_off(open_page: Open) -> None:
    page = open_page("/heat/standard/Jo,Kit/")
    page.get_by_text("More").click()
    page.get_by_label("Keys 1, 2, 3 jump").uncheck()
    page.get_by_text("More").click()
    page.keyboard.press("3")
    page.reload()
    page.keyboard.press("3")
    page.get_by_text("More").click()
    expect(page.get_by_label("Keys 1, 2, 3 jump")).not_to_be_checked()
    assert page.url.endswith("/heat/standard/Jo,Kit/")
    page.get_by_label("Keys 1, 2, 3 jump").check()
    page.keyboard.press("Escape")
    page.keyboard.press("3")
    at(page, Match.parse("standard/Jo,Kit/3"))


def test_focus_stays_on_the_choice_that_was_made(open_page: Open) -> None:
    page = open_page("/heat/standard/Jo,Kit/")
    page.locator("#jump-2").focus()
    for jumps in ("2", "22"):
        page.keyboard.press("Enter")
        at(page, Match.parse(f"standard/Jo,Kit/{jumps}"))
        assert page.evaluate("document.activeElement.id") == "jump-2"


def test_focus_goes_on_to_a_choice_that_is_left_and_then_to_the_result(open_page: Open) -> None:
    page = open_page("/heat/standard/Jo/333")
    page.locator("#jump-2").focus()
    page.keyboard.press("Enter")
    at(page, Match.parse("standard/Jo/3332"))
    assert page.evaluate("document.activeElement.id") == "jump-1"
    page.keyboard.press("Enter")
    at(page, Match.parse("standard/Jo/33321"))
    assert page.evaluate("document.activeElement.id") == "headline"


def test_a_jump_is_announced_in_an_element_that_stays(open_page: Open) -> None:
    page = open_page("/heat/standard/Jo,Kit/313")
    page.evaluate("document.querySelector('[role=status]').stays = true")
    press(page, 1)
    at(page, Match.parse("standard/Jo,Kit/3131"))
    assert page.evaluate("document.querySelector('[role=status]').stays")
    assert page.get_by_role("status").text_content() == "Jump 4: Jo jumps 1 to space 4, takes ticket A. Kit is next."


def test_jumps_are_animated_unless_motion_is_not_wanted(open_page: Open) -> None:
    for motion in ("no-preference", "reduce"):
        page = open_page("/heat/standard/Jo,Kit/", reduced_motion=motion)
        page.evaluate("Element.prototype.animate = function () { window.moved = this.id; }")
        press(page, 3)
        at(page, Match.parse("standard/Jo,Kit/3"))
        page.wait_for_function("document.querySelector('#track-pawn-0').getAttribute('transform').includes('97')")
        moved = page.evaluate("window.moved")
        assert moved == ("track-pawn-0" if motion == "no-preference" else None)


def test_the_start_page_offers_to_continue(open_page: Open) -> None:
    page = open_page("/")
    expect(page.get_by_role("link", name="Continue")).to_have_count(0)
    page.goto(page.url + "heat/local/Jo,Kit/31")
    press(page, 2)
    at(page, Match.parse("local/Jo,Kit/312"))
    page.get_by_role("link", name="Back of the Queue").click()
    page.get_by_role("link", name="Continue: Jo, Kit on Local, jump 4").click()
    at(page, Match.parse("local/Jo,Kit/312"))


def test_names_that_look_like_code_are_only_names(open_page: Open) -> None:
    page = open_page("/")
    hostile = ["<script>alert(1)</sc", '"><img onerror=a()>', "دانا", "👩‍👩‍👧", "a/b,c:d%"]
    add_players(page, 5)
    for seat, name in enumerate(hostile, 1):
        page.get_by_label(f"Name of player {seat}").fill(name)
    page.get_by_role("button", name="Draw lots").click()
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_url("**/heat/**")
    assert sorted(page.locator(".standings bdi.name").all_inner_texts()) == sorted(hostile)
    press(page, 2)
    expect(page.get_by_role("status")).to_contain_text("jumps 2 to space 2, takes ticket B and the stamp.")
    assert page.locator("img").count() == 0
