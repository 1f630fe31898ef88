"""The log of real heats, and what is shown of it."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from botq.heat import Heat, Player
from botq.store.figures import Spread, figures
from botq.store.playtests import Playtest
from botq.web import create_app
from load.players import HIDDEN
from load.players import Player as Browser


def played(jumps: str, *seconds: float, names: tuple[str, ...] = ("Jo", "Kit")) -> Playtest:
    return Playtest(Heat.of("standard", names, jumps), 1, 0, seconds or (None,) * len(jumps))


BOTH_BY_THREES = "33333333"  # Jo is first on 3, 6 and 9; Kit lands behind, and neither has a set: 3 to 0


def test_wins_and_scores_are_counted_by_place_in_the_opening_queue() -> None:
    (one,) = figures([played(BOTH_BY_THREES), played(BOTH_BY_THREES)])
    assert (one.heats, one.seats, one.scores, one.wins) == (2, 2, [3, 0], [1, 0])


def test_a_shared_win_counts_half_for_each() -> None:
    # Jo stamps 3, 6 and 9, Kit 5, 8 and 10; four C and BBB CC make no set: 3 to 3.
    (one,) = figures([played("333233232"), played(BOTH_BY_THREES)])
    assert one.wins == [0.75, 0.25]


def test_minutes_and_seconds_are_told_by_quartiles_and_untimed_heats_leave_them_alone() -> None:
    (one,) = figures([played(BOTH_BY_THREES, 1, 2, 3, 4, 5, 6, 7, 8), played(BOTH_BY_THREES)])
    assert one.seconds == Spread(8, 2.75, 4.5, 6.25)
    assert one.minutes == Spread(1, 0.6, 0.6, 0.6)
    assert one.jumps == Spread(2, 8, 8, 8)


def test_cards_and_numbers_of_seats_stay_apart_and_the_order_of_sets_does_not_matter() -> None:
    other = Playtest(Heat.of("AA1-ABC5", ["Jo", "Kit"], BOTH_BY_THREES), 1, None, (None,) * 8)
    alone = Playtest(Heat.of("local", ["Jo"], "3333"), 1, None, (None,) * 4)
    assert [(one.fare.name, one.seats, one.heats) for one in figures([alone, other, played(BOTH_BY_THREES)])] == [
        ("standard", 2, 2),
        ("local", 1, 1),
    ]


def test_a_heat_with_a_bot_is_not_among_people() -> None:
    heat = Heat(Heat.of("local", ["Jo"]).fare, (Player("Jo", "longest"),), "3333")
    assert not Playtest(heat, 1, None, (None,) * 4).among_people
    assert played(BOTH_BY_THREES).among_people


@pytest.fixture
def app(tmp_path: Path) -> Iterator[TestClient]:
    with TestClient(create_app(f"sqlite:///{tmp_path / 'botq.db'}")) as client:
        yield client


def words(html: str) -> str:
    return " ".join(re.sub("<[^>]*>", " ", html).split())


def test_a_heat_of_the_shared_phone_is_kept_where_the_players_press_so(app: TestClient) -> None:
    over = app.get("/heat/standard/Jo,Kit/33333333").text
    (link,) = re.findall(r'href="(/stats/keep[^"]*)"', over)
    asked = app.get(link)
    assert "Jo wins with 3" in words(asked.text)
    for _ in range(2):  # a double tap
        kept = app.post("/stats/keep", data=dict(HIDDEN.findall(asked.text)))
    assert "The result is kept." in kept.text
    assert "Jo" not in kept.text
    assert "1 finished heat among people" in words(kept.text)
    assert "1, the front 3.0 100 %" in words(kept.text)
    assert "Minutes a heat not timed" in words(kept.text)


def test_beside_the_wins_stands_what_perfect_play_expects(app: TestClient) -> None:
    asked = app.get("/stats/keep?notation=standard/Jo/3333")
    kept = app.post("/stats/keep", data=dict(HIDDEN.findall(asked.text)))
    assert "1 3.0 100 % 100.0 %" in words(kept.text)  # whoever plays alone wins
    for seats, said in ((2, False), (4, True)):
        names = ",".join("ABCD"[:seats])
        asked = app.get(f"/stats/keep?notation=standard/{names}/{'3' * 4 * seats}")
        kept = app.post("/stats/keep", data=dict(HIDDEN.findall(asked.text)))
        assert ("not solved" in kept.text) == said


def test_a_heat_played_in_a_room_is_counted_by_itself(app: TestClient) -> None:
    host = Browser(TestClient(app.app)).make_room()
    host.press("seat", name="Jo")
    host.press("start")
    assert "Nobody has finished a heat yet" in app.get("/stats?bots=with").text
    for _ in range(4):
        host.press("jump", jump="3")
    page = words(app.get("/stats").text)
    assert "Standard, 1 seat" in page
    assert "Jumps a heat 4 (4 to 4)" in page


@pytest.mark.parametrize(
    "query", ["notation=standard/Jo,Kit/3", "notation=standard/Jo/3333/33", "notation=", "notation=x", ""]
)
def test_only_a_finished_heat_can_be_kept(app: TestClient, query: str) -> None:
    assert app.get(f"/stats/keep?{query}").status_code == 400
    fields = {"notation": query.partition("=")[2], "heat": "2", "key": "k" * 22}
    assert app.post("/stats/keep", data=fields).status_code == 400
