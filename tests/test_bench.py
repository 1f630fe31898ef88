"""The benchmark: what it does with figures; the figures themselves are nobody's promise here."""

import json
from collections.abc import Callable

import pytest

from botq import bench
from botq.bench import Absent, Measurement, Target, report
from botq.cli import main
from botq.rules import Refused


def counting(name: str, unit: str, figures: list[float], *, once: bool = False) -> Measurement:
    left = iter(figures)
    return Measurement(name, unit, lambda: next(left), "numpy", once)


@pytest.fixture
def pretend(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    def measured(*things: Measurement | Absent) -> None:
        monkeypatch.setattr(bench, "everything", lambda: iter(things))
        monkeypatch.setattr(bench, "targets", lambda: [Target("ours", "theirs", 10), Target("ours", "nobody's", 2)])

    return measured


def test_the_first_figure_does_not_count_and_the_median_is_told_with_its_spread(pretend: Callable[..., None]) -> None:
    pretend(counting("ours", "heats/s", [1, 500, 100, 900]))
    (timed,) = bench.take(3).timed
    assert timed.figures == (500, 100, 900)
    assert timed.as_json() | {"package": ""} == {
        "name": "ours",
        "unit": "heats/s",
        "package": "",
        "median": 500,
        "low": 100,
        "high": 900,
        "figures": [500, 100, 900],
    }


def test_figures_are_taken_in_turns() -> None:
    order: list[str] = []

    def noted(name: str) -> Measurement:
        return Measurement(name, "s", lambda: order.append(name) or 1.0)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bench, "everything", lambda: iter([noted("a"), noted("b")]))
        bench.take(2)
    assert order == ["a", "b"] * 3


def test_what_takes_long_is_measured_once(pretend: Callable[..., None]) -> None:
    pretend(counting("slow", "s", [7], once=True), counting("ours", "s", [1, 2, 3, 4]))
    assert [timed.figures for timed in bench.take(3).timed] == [(7,), (2, 3, 4)]


@pytest.mark.parametrize(("unit", "ours", "theirs"), [("heats/s", 1200, 100), ("s", 0.5, 6)])
def test_a_ratio_says_how_many_times_faster_ours_was(
    unit: str, ours: float, theirs: float, pretend: Callable[..., None]
) -> None:
    pretend(counting("ours", unit, [0, ours]), counting("theirs", unit, [0, theirs]))
    assert [(target.peer, measured) for target, measured in bench.take(1).ratios] == [("theirs", 12)]


def test_the_page_names_the_machine_and_what_was_not_measured(pretend: Callable[..., None]) -> None:
    pretend(counting("ours", "heats/s", [0, 1234567]), Absent("theirs", "pgx not installed"))
    page = report.page(bench.take(1))
    assert "1,234,567" in page
    assert f"{bench.machine()['cores']} cores" in page
    assert "Not measured: theirs (pgx not installed)." in page


def test_everything_that_is_timed_has_a_name_of_its_own_and_every_target_a_measurement() -> None:
    names = [one.name for one in bench.everything()]
    assert len(names) == len(set(names))
    assert {name for target in bench.targets() for name in (target.ours, target.peer)} <= set(names)


def test_one_measurement_runs_from_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--only", "botq rules.py", "--rounds", "1", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    (measured,) = told["measurements"]
    assert measured["median"] > 0
    assert told["machine"]["processor"]


def test_a_run_that_cannot_be_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--only", "chess"]) == 2
    assert capsys.readouterr().err == "nothing that is timed here has 'chess' in its name\n"
    assert main(["bench", "--only", "botq rules.py", "--rounds", "1", "--page", "/nowhere/page.md"]) == 2
    assert capsys.readouterr().err == "/nowhere/page.md cannot be written: No such file or directory\n"
    for rounds in (0, 101, -1):
        with pytest.raises(Refused, match=f"not {rounds}"):
            bench.take(rounds)
