"""Everybody can play: small screens, large text, light and dark, no mouse."""

from collections.abc import Callable
from itertools import combinations, pairwise

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

Open = Callable[..., Page]
SIX = "Jo,Kit,Ada,Sam,Lee,Maximilian%20the%20Third"
PAGES = {
    "start": "/",
    "start with a mistake": "/?name=Jo&name=jo&fare=own&spelled=ABC5&do=start",
    "opening": f"/heat/standard/{SIX}/",
    "middle": f"/heat/local/{SIX}/22133123121",
    "long fare": "/heat/A1-B2-C3-AB4-AC5-BC6-AAA7-BBB8/Jo,Kit/31",
    "near the end": "/heat/express/Jo,Kit/33333321",
    "over": "/heat/standard/Jo,Kit/33333333",
    "both over": "/heat/standard/Jo,Maximilian%20the%20Third/33333333/222222222222",
    "rules": "/rules",
    "print": "/print?paper=a4&fare=standard&seats=2",
    "start with a bot": "/?name=Jo&by=&name=Ada&by=perfect",
    "hint": f"/heat/local/{SIX.replace('Kit', 'Kit:greedy')}/2213?hint=on",
    "hint for three": "/heat/standard/Jo,Kit,Maximilian%20the%20Third:hard/2?hint=on",
    "review": "/review/standard/Jo,Kit,Maximilian%20the%20Third/3123311213133122211",
    "review of two heats": "/review/local/Jo,Kit/3131311133121/32",
    "counted": "/rules?fare=standard&a=4&b=1&c=2&stamps=3",
    "bad link": "/heat/standard/Jo,Kit/4",
    "lab": "/lab",
    "lab with a mistake": "/lab?fare=standard&with=ABC",
    "nowhere": "/nowhere",
}
STATUS = {"start with a mistake": 400, "lab with a mistake": 400, "bad link": 400, "nowhere": 404}


@pytest.fixture(params=PAGES)
def opened(request: pytest.FixtureRequest, open_page: Open) -> Callable[..., Page]:
    def at(**options: object) -> Page:
        return open_page(PAGES[request.param], expect_status=STATUS.get(request.param, 200), **options)

    return at


def test_axe_finds_nothing_in_the_light_or_the_dark(opened: Callable[..., Page]) -> None:
    page = opened()
    if page.locator("#menu").count():
        page.get_by_text("More").click()
    light = Axe().run(page)
    page.emulate_media(color_scheme="dark")
    dark = Axe().run(page, options={"runOnly": ["color-contrast"]})  # nothing else differs
    for found in (light, dark):
        assert found.violations_count == 0, found.generate_report()


def sideways(page: Page) -> int:
    """How many pixels the page is wider than the screen."""
    return int(page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"))


def test_nothing_scrolls_sideways_at_320_pixels_or_with_text_twice_as_large(opened: Callable[..., Page]) -> None:
    page = opened(viewport={"width": 320, "height": 568})
    assert sideways(page) == 0
    page.set_viewport_size({"width": 360, "height": 640})
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert sideways(page) == 0


@pytest.mark.parametrize("path", [PAGES["middle"], PAGES["both over"]])
def test_with_text_twice_as_large_nothing_is_cut_off_or_covered(open_page: Open, path: str) -> None:
    page = open_page(path, viewport={"width": 360, "height": 640})
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    words = page.locator(
        ".brand, .heat-number, .tool, thead th > *, thead th:not(:has(*)), .name, td, .then, caption:not(.heard)"
    )
    assert words.count() > 20
    cut = "word => word.scrollWidth > word.clientWidth + 1 && getComputedStyle(word).overflow != 'visible'"
    assert [word.inner_text() for word in words.all() if word.evaluate(cut)] == []
    boxes = [box for word in words.all() if (box := word.bounding_box())]
    for one, other in combinations(boxes, 2):
        apart = any(
            one[at] + one[size] <= other[at] + 1 or other[at] + other[size] <= one[at] + 1
            for at, size in (("x", "width"), ("y", "height"))
        )
        assert apart, (one, other)


@pytest.mark.parametrize("jumps", ["", "111111", "22133123121", "333333222222111111"])
def test_a_phone_held_upright_shows_the_whole_game_of_six(open_page: Open, jumps: str) -> None:
    page = open_page(f"/heat/standard/{SIX}/{jumps}")
    assert page.evaluate("document.documentElement.scrollHeight") <= 640
    shown = page.locator("svg.track, .status, .fare, .standings tbody tr, .choice")
    boxes = [box.bounding_box() for box in shown.all()]
    assert len(boxes) == 1 + 1 + 1 + 6 + 3
    for box in boxes:
        assert box
        assert box["height"] > 20
        assert box["x"] >= 0
        assert box["y"] >= 0
        assert box["x"] + box["width"] <= 360
        assert box["y"] + box["height"] <= 640


def test_no_part_of_the_game_covers_another(open_page: Open) -> None:
    page = open_page(f"/heat/standard/{SIX}/22133123121")
    tops = [
        (box["y"], box["y"] + box["height"])
        for part in ("header", "svg.track", ".status", ".fare", ".standings", ".choices")
        if (box := page.locator(part).bounding_box())
    ]
    assert len(tops) == 6
    for (_, bottom), (top, _) in pairwise(tops):
        assert bottom <= top + 0.5


@pytest.mark.parametrize("path", ["/", f"/heat/standard/{SIX}/22133123121", "/heat/standard/Jo,Kit/33333333"])
def test_what_a_thumb_needs_is_44_pixels(open_page: Open, path: str) -> None:
    page = open_page(path)
    targets = page.locator("main button:not(.default), a.button, a.tool, summary.tool, main input:not([type])")
    targets = targets.filter(visible=True)
    assert targets.count() >= 4
    for target in targets.all():
        box = target.bounding_box()
        assert box
        assert min(box["width"], box["height"]) >= 44, target.inner_text()


def test_the_whole_page_can_be_reached_by_keyboard(open_page: Open) -> None:
    page = open_page("/heat/standard/Jo,Kit/31")
    reached = []
    for _ in range(7):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("document.activeElement.id || document.activeElement.textContent.trim()"))
    assert reached[:4] == ["Back of the Queue", "hint", "undo", "More"]
    assert {"jump-1", "jump-2", "jump-3"} <= set(reached)
