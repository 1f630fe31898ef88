"""Bots in the seats, hints and the review, in a real browser."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

Open = Callable[..., Page]


def play_out(page: Page) -> None:
    """Jumps until the scores are there, bots answering."""
    for _ in range(40):
        expect(page.locator(".choice:enabled, table.scores").first).to_be_visible()
        if page.get_by_role("table", name="Scores").count():
            return
        announced = page.get_by_role("status").inner_text()
        page.locator(".choice:enabled").first.click()
        expect(page.get_by_role("status")).not_to_have_text(announced)
    pytest.fail("the heat never ended")


@pytest.mark.parametrize("javascript", [True, False])
def test_a_family_plays_against_a_bot_from_the_start_page_to_the_review(open_page: Open, javascript: bool) -> None:
    page = open_page("/", java_script_enabled=javascript)
    page.get_by_label("Who plays for Kit").select_option("hard")
    page.get_by_role("button", name="Start").last.click()
    page.wait_for_url("**/heat/standard/Jo,Kit:hard/")
    play_out(page)
    page.get_by_role("link", name="Where was it won?").click()
    page.wait_for_url("**/review/standard/Jo,Kit:hard/*")
    expect(page.get_by_role("table", name="The jumps")).to_be_visible()
    picture = page.locator("figure img")
    expect(picture).to_have_js_property("complete", True) if javascript else expect(picture).to_be_visible()
    page.get_by_role("link", name="Play on from before jump 3").click()
    page.wait_for_url(re.compile(r"/heat/standard/Jo,Kit:hard/\d\d+$"))


def test_the_bots_jumps_are_announced_and_undo_skips_them(open_page: Open) -> None:
    page = open_page("/heat/express/Ada:shortest,Kit,Lu:longest/")
    expect(page.get_by_role("status")).to_contain_text("Jump 1: Ada jumps 1 to space 1")
    page.keyboard.press("2")
    expect(page.get_by_role("status")).to_contain_text("Jump 4: Ada jumps 1 to space 2")
    expect(page.get_by_role("status")).to_contain_text("Before that: Kit 2, Lu 3.")
    page.keyboard.press("u")
    expect(page.get_by_role("status")).to_contain_text("Jump 1: Ada")
    page.reload()
    expect(page.get_by_role("status")).to_contain_text("Jump 1: Ada")
    page.go_back()
    expect(page.get_by_role("status")).to_contain_text("Jump 4: Ada")


def test_one_tap_shows_the_hint_and_the_next_hides_it(open_page: Open) -> None:
    page = open_page("/heat/standard/Jo,Kit/")
    page.get_by_role("link", name="Hint").click()
    expect(page.get_by_role("button", name="Jump 1")).to_contain_text("wins")
    expect(page.get_by_role("region", name="Hint")).to_contain_text("Jump 1 is best")
    page.get_by_role("button", name="Jump 1").click()
    expect(page.get_by_role("region", name="Hint")).to_contain_text("All jumps are worth the same")
    page.get_by_role("link", name="Hint off").click()
    expect(page.get_by_role("region", name="Hint")).to_have_count(0)
    page.wait_for_url("**/heat/standard/Jo,Kit/1")


def test_the_three_choices_stay_on_a_phone_with_the_hint_on(open_page: Open) -> None:
    page = open_page("/heat/standard/Jo,Kit,Ada/31?hint=on")
    for jump in (1, 2, 3):
        box = page.get_by_role("button", name=f"Jump {jump}").bounding_box()
        assert box
        assert box["y"] + box["height"] <= 640
