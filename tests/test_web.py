"""The pages and the API, without a browser: what they say, and what they refuse."""

import re
from collections.abc import Iterator
from urllib.parse import quote, urlencode

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from botq.notation import Match
from botq.web import create_app
from botq.web.heats import link
from botq.web.safety import LARGEST_BODY

EVERY_PAGE = (
    "/",
    "/rules",
    "/print",
    "/heat/standard/Jo,Kit/",
    "/heat/local/Jo,Kit,Ada/3121",
    "/heat/express/Jo/3333",
    "/heat/express/Jo/3333/3333",
    "/heat/local/Jo,Kit:hard/?hint=on",
    "/review/standard/Jo,Kit/312",
    "/heat/standard/Jo",
    "/nowhere",
)


@pytest.fixture(scope="module")
def web() -> Iterator[TestClient]:
    with TestClient(create_app(), follow_redirects=False) as client:
        yield client


def text(html: str) -> str:
    """What is read on a page, in one line."""
    return " ".join(re.sub(r"<[^>]*>", "", html).split())


def choices(html: str) -> list[str]:
    return [text(one) for one in re.findall(r"<button class=\"choice.*?</button>", html, re.DOTALL)]


def test_a_choice_says_where_it_lands_which_ticket_and_stamp_it_takes_and_who_is_next(web: TestClient) -> None:
    page = web.get("/heat/standard/Jo,Kit/313").text  # the rule sheet's example: Jo on 3, Kit on 4
    assert choices(page) == [
        "Jump 1 to space 4, ticket A, no stamp, then Kit",
        "Jump 2 to space 5, ticket B + stamp, then Kit",
        "Jump 3 to space 6, ticket C + stamp, then Kit",
    ]


def test_a_jump_past_twelve_is_shown_disabled_with_the_reason(web: TestClient) -> None:
    page = web.get("/heat/standard/Jo/3332").text
    assert choices(page)[1:] == ["Jump 2 passes 12", "Jump 3 passes 12"]
    assert len(re.findall(r"<button[^>]* disabled", page)) == 2


def test_what_just_happened_is_announced(web: TestClient) -> None:
    page = web.get("/heat/standard/Jo,Kit/3131").text
    status = re.search(r'role="status">(.*?)</p>', page, re.DOTALL)
    assert status
    assert text(status[1]) == "Jump 4: Jo jumps 1 to space 4, takes ticket A. Kit is next."


def test_a_tap_answers_with_a_link_that_is_one_jump_longer(web: TestClient) -> None:
    answer = web.post("/heat/standard/Jo,Kit/313", data={"jump": "1"})
    assert (answer.status_code, answer.headers["location"]) == (303, "/heat/standard/Jo,Kit/3131")


def test_undo_is_a_shorter_link(web: TestClient) -> None:
    page = web.get("/heat/standard/Jo,Kit/313").text
    assert re.search(r'id="undo" href="([^"]*)"', page)[1] == "/heat/standard/Jo,Kit/31"  # type: ignore[index]  # None would fail the test


def test_any_number_of_jumps_can_be_undone_at_once(web: TestClient) -> None:
    page = web.get("/heat/standard/Jo,Kit/313").text
    story = re.search(r'<ol class="story">(.*?)</ol>', page, re.DOTALL)[1]  # type: ignore[index]  # None would fail the test
    assert re.findall(r'href="([^"]*)"', story) == [f"/heat/standard/Jo,Kit/{jumps}" for jumps in ("", "3", "31")]


def test_a_finished_heat_shows_a_table_captioned_scores_and_offers_the_second_reversed(web: TestClient) -> None:
    page = web.get("/heat/standard/Jo/3333").text
    assert "<caption>Scores</caption>" in page
    assert 'href="/heat/standard/Jo/3333/"' in page


def test_both_heats_stand_side_by_side_when_the_second_is_over(web: TestClient) -> None:
    page = web.get("/heat/standard/Jo,Kit/33333333/222222222222").text
    assert page.count("<caption>Scores</caption>") == 2
    assert "Heat 1" in page
    assert "Heat 2" in page


def test_a_player_keeps_the_pawn_in_the_second_heat(web: TestClient) -> None:
    page = web.get("/heat/standard/Jo,Kit/33333333/").text
    marks = re.findall(r'<path class="(\w+)"[^>]*/><text class="mark"[^>]*>(\w)', page)
    assert {("circle", "J"), ("square", "K")} == set(marks)


def test_the_start_page_leads_to_the_unplayed_heat(web: TestClient) -> None:
    answer = web.get("/?name=Zoë&name=Kit&fare=express&do=start")
    assert (answer.status_code, answer.headers["location"]) == (303, "/heat/express/Zo%C3%AB,Kit/")


def test_a_spelled_card_can_be_played(web: TestClient) -> None:
    answer = web.get("/?name=Jo&fare=own&spelled=cc7-ab2&do=start")
    assert answer.headers["location"] == "/heat/CC7-AB2/Jo/"


def test_a_name_that_cannot_be_is_refused_and_everything_typed_stays(web: TestClient) -> None:
    page = web.get("/?name=Jo&name=jo&fare=own&spelled=CC7&do=start")
    assert page.status_code == 400
    assert "Seats 1 and 2 are both named" in page.text
    assert page.text.count('value="jo"') == page.text.count('value="Jo"') == page.text.count('value="CC7"') == 1


@pytest.mark.parametrize(
    ("do", "names"),
    [
        ("add", ["Jo", "Kit", "Ada", "Sam"]),
        ("remove-1", ["Jo", "Ada"]),
        ("forward-2", ["Jo", "Ada", "Kit"]),
        ("forward-0", ["Jo", "Kit", "Ada"]),
        ("nonsense", ["Jo", "Kit", "Ada"]),
    ],
)
def test_the_queue_is_changed_without_javascript(web: TestClient, do: str, names: list[str]) -> None:
    page = web.get("/", params={"name": ["Jo", "Kit", "Ada"], "do": do}).text
    assert re.findall(r'<input name="name"[^>]* value="([^"]*)"', page) == names


def test_lots_are_drawn_so_that_every_order_comes_up(web: TestClient) -> None:
    asked = (web.get("/?name=Jo&name=Kit&name=Ada&do=lots").text for _ in range(120))
    orders = {tuple(re.findall(r'<input name="name"[^>]* value="([^"]*)"', page)) for page in asked}
    assert len(orders) == 6  # misses one of six once in 10^9 runs


def test_an_unknown_bot_is_refused_with_those_there_are(web: TestClient) -> None:
    page = web.get("/heat/standard/Jo,Kit:perfekt/")
    assert page.status_code == 400
    assert "the bots are random, shortest, longest, greedy, easy, medium, hard and perfect" in page.text


def test_names_are_shown_and_never_executed(web: TestClient) -> None:
    name = "<b onx='1'>\"&"
    match = Match.parse("standard/%3Cb%20onx%3D%271%27%3E%22%26,Kit/31")
    assert match.heat.names[0] == name
    for page in (web.get(link(match)).text, web.get("/", params={"name": [name, "Kit"]}).text):
        assert "&lt;b onx=" in page
        assert "<b onx=" not in page


def test_a_name_with_a_comma_or_a_slash_is_one_name(web: TestClient) -> None:
    page = web.get("/heat/standard/J%2Co,K%2Fit/3")
    assert page.status_code == 200
    assert "<bdi>K/it</bdi>" in page.text


@pytest.mark.parametrize(
    "path", ["xx", "", "standard", "standard/Jo/9", "standard/Jo/%0A", "standard/J%ZZ/", "a/b/c/d/e"]
)
def test_a_bad_link_says_what_is_wrong_and_links_home(web: TestClient, path: str) -> None:
    page = web.get("/heat/" + path)
    assert page.status_code == 400
    assert "That does not work" in page.text
    assert 'href="/"' in page.text


@pytest.mark.parametrize("length", [5_000, 60_000])
def test_a_link_of_any_length_gets_a_clean_page(web: TestClient, length: int) -> None:
    page = web.get("/heat/standard/" + "J" * length + "/")
    assert page.status_code == 400
    assert len(page.text) < 3_000


@pytest.mark.parametrize("path", EVERY_PAGE)
def test_every_page_forbids_scripts_and_styles_from_anywhere_else_and_uses_none_inline(
    web: TestClient, path: str
) -> None:
    page = web.get(path)
    policy = page.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert page.headers["x-content-type-options"] == "nosniff"
    assert not re.search(
        r"\sstyle=|<style|\son\w+=|<script(?![^>]* src=\"/static/)|//(?!www.w3.org/2000/svg)", page.text
    )


def test_files_are_kept_by_the_browser_until_they_change(web: TestClient) -> None:
    links = re.findall(r'"(/static/[^"]+)"', web.get("/").text)
    assert len(links) >= 4
    for one in links:
        answer = web.get(one)
        assert answer.status_code == 200
        assert "immutable" in answer.headers["cache-control"]
    assert "immutable" not in web.get("/static/botq.css").headers.get("cache-control", "")


def test_a_body_that_is_too_large_is_refused(web: TestClient) -> None:
    form = {"content-type": "application/x-www-form-urlencoded"}
    page = web.post("/heat/standard/Jo/", content=b"jump=1&x=" + b"y" * LARGEST_BODY, headers=form)
    assert page.status_code == 413


@pytest.mark.parametrize(
    ("path", "status"), [("/nowhere", 404), ("/api/v1/nowhere", 404), ("/docs", 404), ("/redoc", 404)]
)
def test_what_is_not_there_is_404(web: TestClient, path: str, status: int) -> None:
    assert web.get(path).status_code == status


def test_the_calculator_knows_the_worked_example(web: TestClient) -> None:
    page = web.get("/rules?fare=standard&a=4&b=1&c=2&stamps=3").text
    assert "ABC 5 + AA 1, A and C left over. That is 6 for tickets and 3 for stamps: score 9." in text(page)


@pytest.mark.parametrize(
    "query", ["fare=x", "fare=standard&a=13", "fare=standard&a=-1", "fare=standard&stamps=12", "a=1.5"]
)
def test_the_calculator_refuses_what_cannot_be(web: TestClient, query: str) -> None:
    page = web.get("/rules?" + query)
    assert page.status_code == 400
    assert 'role="alert"' in page.text


def test_the_rules_page_steps_through_the_worked_example(web: TestClient) -> None:
    told = re.findall(r"<desc[^>]*>(On[^<]*?\.)(?: Stamps| No)", web.get("/rules").text)
    assert told == [
        "On space 0: Jo in front, then Kit.",
        "On space 3: Jo. On space 4: Kit.",
        "On space 4: Kit in front, then Jo.",
        "On space 4: Jo. On space 7: Kit.",
    ]


def test_the_api_tells_the_same_as_the_notation(web: TestClient) -> None:
    answer = web.get("/api/v1/replay", params={"notation": "standard/Jo,Kit/3121"})
    assert answer.json() == Match.parse("standard/Jo,Kit/3121").as_json()
    assert answer.json()["heats"][0]["turn"] == "Kit"


def test_the_api_knows_the_worked_example(web: TestClient) -> None:
    answer = web.get("/api/v1/score?fare=standard&a=4&b=1&c=2&stamps=3").json()
    assert (answer["ticket_points"], answer["score"], answer["leftover"]) == (6, 9, {"A": 1, "B": 0, "C": 1})


def test_the_api_describes_itself(web: TestClient) -> None:
    assert set(web.get("/api/v1/openapi.json").json()["paths"]) >= {"/api/v1/replay", "/api/v1/score"}


@pytest.mark.parametrize(
    "query", ["replay?notation=x", "replay", "score?fare=standard&a=x&b=0&c=0", "score?fare=x&a=0&b=0&c=0"]
)
def test_the_api_refuses_in_json(web: TestClient, query: str) -> None:
    answer = web.get("/api/v1/" + query)
    assert answer.status_code in (400, 422)
    assert answer.json()["detail"]


@pytest.mark.parametrize("number", ["1_0", "1.0", "%2B1", "١"])
def test_the_api_guesses_no_number(web: TestClient, number: str) -> None:
    answer = web.get(f"/api/v1/score?fare=standard&a={number}&b=0&c=0")
    assert answer.status_code == 422
    assert "write a whole number in digits, such as 4" in answer.text


def test_the_server_says_that_it_lives(web: TestClient) -> None:
    assert web.get("/healthz").json() == {"status": "ok"}


ANY = st.text(max_size=60) | st.sampled_from(
    ["standard", "ABC5-AA1", "Jo", "3", "-1", "99999999999999999999", "<script>"]
)
hostile = settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])


@hostile
@given(
    path=st.text(max_size=60)
    | st.from_regex(r"(standard|local|[ABC]{1,4}[0-9])/[A-Za-z,%:]{0,9}/[0-4]{0,9}(/[0-4]{0,9})?")
)
def test_no_path_breaks_the_server(web: TestClient, path: str) -> None:

    for spelled in (quote(path, safe="/,%:", errors="replace"), quote(path, safe="", errors="replace")):
        assert web.get("/heat/" + spelled).status_code in (200, 400)
        assert web.get("/" + spelled.lstrip("/")).status_code < 500


@hostile
@given(
    fields=st.lists(
        st.tuples(st.sampled_from(["name", "fare", "spelled", "do", "a", "b", "c", "stamps", "jump", "notation"]), ANY)
    )
)
def test_no_form_breaks_the_server(web: TestClient, fields: list[tuple[str, str]]) -> None:

    query = urlencode(fields, errors="replace")
    for path in ("/", "/rules", "/api/v1/replay", "/api/v1/score"):
        assert web.get(f"{path}?{query}").status_code in (200, 303, 400, 422)
    form = {"content-type": "application/x-www-form-urlencoded"}
    assert web.post("/heat/standard/Jo,Kit/3", content=query, headers=form).status_code in (303, 400)


@hostile
@given(
    body=st.binary(max_size=200),
    kind=st.sampled_from(
        [
            "application/x-www-form-urlencoded",
            "multipart/form-data; boundary=x",
            "multipart/form-data",
            "text/plain",
            "",
        ]
    ),
)
def test_no_body_breaks_the_server(web: TestClient, body: bytes, kind: str) -> None:
    assert web.post("/heat/standard/Jo,Kit/3", content=body, headers={"content-type": kind}).status_code in (303, 400)
