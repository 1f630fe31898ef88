"""A designer looks at two cards, on a phone and on a large screen, and takes one to the table."""

from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

Open = Callable[..., Page]


@pytest.mark.parametrize("width", [320, 1280])
def test_two_cards_are_compared_and_one_is_played(open_page: Open, width: int) -> None:
    page = open_page("/lab", viewport={"width": width, "height": 720})
    page.get_by_label("Fare card", exact=True).fill("bb4-cca5")
    page.get_by_label("Compare with").fill("standard")
    page.get_by_role("button", name="Look at it").click()
    sections = page.locator("section")
    expect(sections).to_have_count(2, timeout=60_000)  # the first card of a server waits for the compiler
    expect(sections.first.get_by_role("heading")).to_have_text("BB4-ACC5")
    for picture in page.locator("img.plot").all():
        picture.scroll_into_view_if_needed()
        expect(picture).to_have_js_property("complete", True)
        assert picture.evaluate("picture => picture.naturalWidth") > 0
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") == 0
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    sections.first.get_by_role("link", name="Play it").click()
    expect(page.get_by_label("your own", exact=False).last).to_be_visible()
    page.get_by_role("button", name="Start").click()
    assert "/heat/BB4-ACC5/" in page.url
