"""What pages and API do with bots, hints and reviews, and that nobody waits for a thought."""

import gc
import re
import threading
import time
import weakref
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from starlette.testclient import TestClient

from botq.oracle import solved as real_solved
from botq.review import review as real_review
from botq.web import api, create_app, heats, reviews
from botq.web.thinking import WAITING

THREE = "standard/Jo,Kit,Ada/3123311213133122211"


@pytest.fixture(scope="module")
def web() -> Iterator[TestClient]:
    with TestClient(create_app(), follow_redirects=False) as client:
        until_ready(client, "/api/v1/solve?fare=standard&seats=2")  # compiled once, here
        yield client


def until_ready(client: TestClient, path: str) -> Any:
    """The answer once it is neither thought about (a page that comes again) nor put off (503)."""
    for _ in range(120):
        answer = client.get(path)
        if answer.status_code != 503 and 'http-equiv="refresh"' not in answer.text:
            return answer
        time.sleep(0.5)
    raise AssertionError(f"{path} never answered")


def text(html: str) -> str:
    return " ".join(re.sub(r"<[^>]*>", "", html).split())


def link_of(html: str, ident: str) -> str | None:
    found = re.search(rf'id="{ident}" href="([^"]*)"', html)
    return found[1] if found else None


# Bots on the shared phone


def test_where_a_bot_is_to_jump_the_page_redirects_to_the_link_with_its_jump(web: TestClient) -> None:
    answer = until_ready(web, "/heat/standard/Ada:longest,Kit/")
    assert (answer.status_code, answer.headers["location"]) == (303, "/heat/standard/Ada:longest,Kit/3")


def test_one_redirect_holds_one_jump_while_a_person_plays(web: TestClient) -> None:
    answer = until_ready(web, "/heat/standard/Ada:shortest,Lu:shortest,Kit/11")
    assert answer.status_code == 200  # Kit's turn
    answer = until_ready(web, "/heat/standard/Ada:shortest,Lu:shortest,Kit/113")
    assert answer.headers["location"] == "/heat/standard/Ada:shortest,Lu:shortest,Kit/1131"


def test_the_link_seeds_the_bot_so_that_the_same_link_leads_to_the_same_jump(web: TestClient) -> None:
    links = [f"/heat/express/Ada:random,{name}/" for name in ("Jo", "Kit", "Lu", "Max", "Sam", "Zoe", "Al", "Bo")]
    first, second = ([until_ready(web, link).headers["location"] for link in links] for _ in range(2))
    assert first == second
    assert len({link[-1] for link in first}) > 1


def test_where_only_bots_play_the_page_redirects_to_the_end_of_the_heat(web: TestClient) -> None:
    answer = until_ready(web, "/heat/standard/Ada:longest,Lu:longest/")
    assert answer.headers["location"] == "/heat/standard/Ada:longest,Lu:longest/33333333"
    page = until_ready(web, answer.headers["location"])
    assert page.status_code == 200
    assert link_of(page.text, "undo") is None


def test_undo_goes_back_to_the_last_jump_of_a_person_and_tells_what_bots_answered(web: TestClient) -> None:
    page = web.get("/heat/standard/Ada:longest,Kit,Lu:longest/321332").text  # Kit 2, then Ada... to Kit's next turn
    page = web.get("/heat/express/Ada:shortest,Kit,Lu:longest/1231").text
    assert link_of(page, "undo") == "/heat/express/Ada:shortest,Kit,Lu:longest/1"
    assert "Jump 4: Ada jumps 1 to space 2" in text(page)
    assert "Before that: Kit 2, Lu 3." in text(page)
    story = re.search(r'<ol class="story">(.*?)</ol>', page, re.DOTALL)[1]  # type: ignore[index]  # None would fail the test
    assert re.findall(r'href="([^"]*)"', story) == ["/heat/express/Ada:shortest,Kit,Lu:longest/1"]


def test_nothing_can_be_undone_before_a_person_has_jumped(web: TestClient) -> None:
    assert link_of(web.get("/heat/express/Ada:shortest,Kit/1").text, "undo") is None


def test_the_start_page_seats_bots_and_keeps_them_in_their_seats(web: TestClient) -> None:
    seats = "name=Jo&by=&name=Ada&by=perfect&name=Lu&by=easy"
    answer = web.get(f"/?{seats}&fare=local&do=start")
    assert answer.headers["location"] == "/heat/local/Jo,Ada:perfect,Lu:easy/"
    page = web.get(f"/?{seats}&do=forward-2").text
    assert re.findall(r'<option value="(\w*)" selected', page) == ["easy", "perfect"]
    assert re.findall(r'<input name="name"[^>]* value="([^"]*)"', page) == ["Jo", "Lu", "Ada"]
    assert "never gives away any part of the win" in page


def test_an_unknown_bot_on_the_start_page_is_refused_and_the_names_stay(web: TestClient) -> None:
    page = web.get("/?name=Jo&by=&name=Ada&by=hal&do=start")
    assert page.status_code == 400
    assert "the bots are random" in page.text
    assert 'value="Ada"' in page.text


def test_playing_again_seats_the_same_bots(web: TestClient) -> None:
    page = web.get("/heat/standard/Jo,Lu:longest/33333333").text
    assert 'href="/?name=Jo&amp;by=&amp;name=Lu&amp;by=longest&amp;fare=standard"' in page
    assert link_of(page, "review") == "/review/standard/Jo,Lu:longest/33333333"


# Thinking


def test_a_page_says_that_a_bot_is_thinking_and_carries_on_when_it_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    thought = threading.Event()

    def slowly(match: Any) -> Any:
        thought.wait(30)
        return match.jump(2)

    monkeypatch.setattr(heats, "moved_by_bot", slowly)
    monkeypatch.setattr(heats, "PATIENCE", 0.01)
    with TestClient(create_app(), follow_redirects=False) as web:
        page = web.get("/heat/standard/Ada:perfect,Kit/")
        assert page.status_code == 200
        assert "Ada is thinking." in text(page.text)
        assert '<noscript><meta http-equiv="refresh"' in page.text
        assert 'class="choice' not in page.text
        assert web.get("/heat/standard/Jo,Kit/").status_code == 200  # others play on meanwhile
        thought.set()
        assert (
            until_ready(web, "/heat/standard/Ada:perfect,Kit/").headers["location"]
            == "/heat/standard/Ada:perfect,Kit/2"
        )


def test_a_link_waits_for_its_bot_and_a_script_looks_again(monkeypatch: pytest.MonkeyPatch) -> None:
    thought = threading.Event()

    def slowly(match: Any) -> Any:
        thought.wait(30)
        return match.jump(2)

    monkeypatch.setattr(heats, "moved_by_bot", slowly)
    monkeypatch.setattr(heats, "MOMENT", 0.01)
    monkeypatch.setattr(heats, "PATIENCE", 30)
    with TestClient(create_app(), follow_redirects=False) as web:
        scripted = web.get("/heat/standard/Ada:perfect,Kit/", headers={"HX-Request": "true"})
        assert "Ada is thinking." in text(scripted.text)
        threading.Timer(1, thought.set).start()  # later than a moment
        link = web.get("/heat/standard/Ada:perfect,Kit/")
        assert (link.status_code, link.headers["location"]) == (303, "/heat/standard/Ada:perfect,Kit/2")


def test_the_same_question_is_thought_about_once_and_too_many_are_sent_away(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, thought = [], threading.Event()

    def slowly(match: Any) -> Any:
        asked.append(match.notation)
        thought.wait(30)
        return real_review(match)

    monkeypatch.setattr(reviews, "review", slowly)
    monkeypatch.setattr(reviews, "PATIENCE", 0.01)
    with TestClient(create_app()) as web:
        for _ in range(3):
            assert "being worked out" in web.get("/review/standard/2/1").text
        assert asked == ["standard/2/1"]
        sent = [web.get(f"/review/standard/Jo,Kit{number}/1") for number in range(WAITING + 3)]
        assert [answer.status_code for answer in sent[:3]] == [200] * 3
        assert sent[-1].status_code == 503
        assert int(sent[-1].headers["retry-after"]) > 0
        thought.set()
        assert "Jo" in until_ready(web, "/review/standard/Jo,Kit0/1").text


def test_pages_answer_while_the_solver_works(web: TestClient) -> None:
    """Counted, not timed: a page asked for during a solve is there before the solve is."""
    order: list[str] = []

    def ask(path: str) -> None:
        assert web.get(path).status_code == 200
        order.append(path)

    with ThreadPoolExecutor(2) as pool:
        long = pool.submit(ask, "/api/v1/solve?fare=AB3-BC7-AC2&seats=3")
        time.sleep(0.005)
        pool.submit(ask, "/heat/standard/Jo,Kit/").result()
        long.result()
    assert order[0] == "/heat/standard/Jo,Kit/"


def test_four_seats_being_worked_out_keep_nobody_with_two_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    done = threading.Event()
    monkeypatch.setattr(api, "PATIENCE", 0.01)
    monkeypatch.setattr(
        api, "solved", lambda fare, seats, *rest: real_solved(fare, seats, *rest) if seats < 4 else done.wait(30)
    )
    with TestClient(create_app()) as web:
        for after in range(WAITING):
            assert web.get(f"/api/v1/solve?fare=standard&seats=4&after={after}").status_code == 503
        monkeypatch.setattr(api, "PATIENCE", 60)
        assert web.get("/api/v1/solve?fare=standard&seats=2").status_code == 200
        assert not done.is_set()
        done.set()


def test_an_answer_is_remembered_without_the_table_it_came_from(
    web: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    solutions: list[weakref.ref[Any]] = []

    def watched(*asked: Any) -> Any:
        solutions.append(weakref.ref(solution := real_solved(*asked)))
        return solution

    monkeypatch.setattr(api, "solved", watched)
    assert [web.get("/api/v1/solve?fare=express&seats=2&after=12").status_code for _ in range(2)] == [200, 200]
    gc.collect()
    assert [solution() for solution in solutions] == [None]


def test_the_api_spells_a_card_as_it_was_asked_for(web: TestClient) -> None:
    asked = ["BC4-AAA2", "AAA2-BC4"]
    told = [web.get(f"/api/v1/solve?fare={fare}&seats=2").json()["fare"]["spelling"] for fare in asked]
    assert told == asked


# Hints


def test_hints_are_off_until_asked_for_and_stay_on_from_jump_to_jump(web: TestClient) -> None:
    off = web.get("/heat/standard/Jo,Kit/").text
    assert 'class="badge' not in off
    assert link_of(off, "hint") == "/heat/standard/Jo,Kit/?hint=on"
    on = until_ready(web, "/heat/standard/Jo,Kit/?hint=on").text
    assert link_of(on, "hint") == "/heat/standard/Jo,Kit/"
    assert 'hx-get="/heat/standard/Jo,Kit/2?hint=on"' in on
    posted = web.post("/heat/standard/Jo,Kit/?hint=on", data={"jump": "1"})
    assert posted.headers["location"] == "/heat/standard/Jo,Kit/1?hint=on"
    assert until_ready(web, "/heat/standard/Ada:longest,Kit/?hint=on").headers["location"].endswith("/3?hint=on")


def test_a_hint_marks_each_jump_by_its_value_in_words_and_signs_too(web: TestClient) -> None:
    page = until_ready(web, "/heat/standard/Jo,Kit/?hint=on").text
    badges = re.findall(r"<button class=\"choice.*?(<span class=\"badge.*?)</button>", page, re.DOTALL)
    assert [text(badge) for badge in badges] == [
        "★. Hint: best, wins", "✕. Hint: blunder, loses", "✕. Hint: blunder, loses",
    ]  # fmt: skip
    assert "Jump 1 is best: it wins if you go on playing well." in text(page)
    assert "Kit is next and can get the stamp on 2 or 3." in text(page)


def test_names_in_a_hint_are_shown_and_never_executed(web: TestClient) -> None:
    page = until_ready(web, "/heat/standard/%3Cb%3E,%3Ci%3E/1?hint=on").text
    assert "<bdi>&lt;b&gt;</bdi> is next" in page
    assert "<b>," not in page
    assert "<i>" not in page


# Reviews


def test_a_review_shows_every_jump_the_turning_point_and_the_way_back_into_the_game(web: TestClient) -> None:
    page = until_ready(web, f"/review/{THREE}").text
    assert "The turning point was jump 7, where Kit jumped 1 to space 5" in text(page)
    rows = re.findall(r"<tr[^>]*>\s*<th scope=\"row\"><span class=\"who\">.*?</tr>", page, re.DOTALL)
    assert len(rows) == 19
    assert "✕ blunder77 % →, then 0 % lost 77 %, best: 1" in text(rows[0])
    assert 'href="/heat/standard/Jo,Kit,Ada/312331"' in rows[6]


def test_a_review_has_its_numbers_as_a_table_and_its_picture_as_a_file(web: TestClient) -> None:
    page = until_ready(web, f"/review/{THREE}").text
    assert "77.1 %" in page
    picture = re.search(r'<img src="([^"]*)"', page)[1]  # type: ignore[index]  # None would fail the test
    for look in ("light", "dark"):
        drawn = until_ready(web, picture.replace("light", look))
        assert drawn.headers["content-type"].startswith("image/svg+xml")
        assert drawn.text.count("<use") >= 3 * 20  # a mark for each seat at the opening and after each jump
    assert drawn.text == until_ready(web, picture.replace("light", "dark")).text


def test_what_is_too_far_from_the_end_is_said_to_be(web: TestClient) -> None:
    page = until_ready(web, "/review/standard/6/123")
    assert "too far from the end to be worked out exactly" in text(page.text)
    assert "not worked out" in page.text
    assert until_ready(web, "/shares/light/0/standard/6/123").status_code == 200


@pytest.mark.parametrize("path", ["/review/standard/Jo,Kit/4", "/shares/light/0/standard/Jo,Kit/4"])
def test_a_review_of_what_cannot_be_is_refused(web: TestClient, path: str) -> None:
    assert web.get(path).status_code == 400


@pytest.mark.parametrize("path", ["/shares/light/1/standard/Jo,Kit/1", "/shares/blue/0/standard/Jo,Kit/1"])
def test_a_picture_that_there_is_not_is_not_found(web: TestClient, path: str) -> None:
    assert web.get(path).status_code == 404


# The API


def test_the_api_solves_the_known_opening_of_three(web: TestClient) -> None:
    told = until_ready(web, "/api/v1/solve?fare=standard&seats=3").json()
    assert told["values"] == pytest.approx([0.771274704, 0.228725296, 0], abs=1e-9)
    assert [jump["jump"] for jump in told["jumps"] if jump["best"]] == [1]
    assert (told["after"], told["over"], told["turn"], told["objective"]) == ("", False, 0, "share")


def test_the_api_solves_for_margin_and_after_jumps_and_knows_the_end(web: TestClient) -> None:
    assert until_ready(web, "/api/v1/solve?fare=local&seats=2&objective=margin").json()["values"] == [3, -3]
    told = until_ready(web, "/api/v1/solve?fare=local&seats=2&after=33333333").json()
    assert (told["over"], told["turn"], told["jumps"]) == (True, None, [])


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("fare=standard&seats=6", "about"),
        ("fare=standard&seats=9", "6 seats"),
        ("fare=nonsense&seats=2", "there is no fare card"),
        ("fare=standard&seats=3&objective=margin", "margin"),
        ("fare=standard&seats=2&objective=luck", "luck"),
        ("fare=standard&seats=2&after=4", "jump 1"),
        ("fare=standard&seats=6&after=x", "jump 1"),
    ],
)
def test_the_api_refuses_what_it_cannot_solve_and_says_why(web: TestClient, asked: str, answer: str) -> None:
    refused = until_ready(web, f"/api/v1/solve?{asked}")
    assert refused.status_code == 400
    assert answer in refused.json()["detail"]


def test_the_api_reviews_as_the_command_does(web: TestClient) -> None:
    told = until_ready(web, f"/api/v1/review?notation={THREE}").json()
    assert told["notation"] == THREE
    assert told["heats"][0]["jumps"][6]["label"] == "blunder"
    assert web.get("/api/v1/review?notation=standard/2/4").status_code == 400
