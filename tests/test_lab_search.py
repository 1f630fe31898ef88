"""Better cards looked for: the space, the aims, and a search that survives whatever happens to it."""

import csv
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from pathlib import Path
from random import Random
from time import monotonic, sleep
from typing import Any

import pytest

from botq import FARES, Fare
from botq.cli import main
from botq.lab import HouseRules, Space, search
from botq.lab.scores import ALL, MARGIN, SHARES, aims, as_good_as, front, line, needed
from botq.lab.search import Lost
from botq.lab.space import numbers
from botq.lab.workers import cluster
from botq.rules import Refused

SMALL = Space(sets=(1,), letters=(2,), points=(1, 2), compensation=(0, 1))  # 12 cards under 2 house rules


class AtOnce(Executor):
    """Does each piece as it is handed over; `fails_after` so many, its worker is gone."""

    def __init__(self, fails_after: int | None = None) -> None:
        self.pieces, self.fails_after = 0, fails_after

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        if self.pieces == self.fails_after:
            future.set_exception(BrokenProcessPool())
        else:
            future.set_result(fn(*args, **kwargs))
            self.pieces += 1
        return future


def test_a_space_holds_every_card_once_under_every_house_rule() -> None:
    space = Space(sets=(1, 2), letters=(1, 2), points=(1, 2, 3), stamps=(0, 1), compensation=(0, 2))
    cards = list(space.some(range(space.size)))
    assert space.size == len(cards) == (9 * 3 + 36 * 9) * 2 * 2  # 9 sets of one letter or two, in pairs 36
    assert len({(frozenset(fare.sets), rules) for fare, rules in cards}) == len(cards)
    assert {rules for _, rules in cards} == {HouseRules(stamp, (0, later)) for stamp in (0, 1) for later in (0, 2)}


def test_standard_and_local_are_in_the_space_that_is_searched_unless_another_is_named() -> None:
    space = Space()
    cards = {fare for fare, _ in space.some(range(space.size))}
    assert len(cards) == space.size == 4320  # 16 sets of two letters or three, in pairs 120, at 6 x 6 prices
    assert {FARES["standard"], FARES["local"], FARES["express"]} <= cards


def test_a_sample_is_drawn_by_its_seed() -> None:
    assert Space(sample=5, seed=1).numbers() == Space(sample=5, seed=1).numbers() != Space(sample=5, seed=2).numbers()
    assert list(Space(sample=10**9).numbers()) == list(range(Space().size))


@pytest.mark.parametrize(
    ("space", "why"),
    [
        ({"sets": (9,)}, "1 to 8 sets"),
        ({"letters": (13,)}, "1 to 12 letters a set"),
        ({"points": (0,)}, "1 to 99 points a set"),
        ({"stamps": (21,)}, "0 to 20 points a stamp"),
        ({"seats": 7}, "1 to 6 seats, not 7"),
        ({"sample": 0}, "at least 1 card"),
    ],
)
def test_a_space_of_what_no_card_can_have_is_refused(space: dict[str, Any], why: str) -> None:
    with pytest.raises(Refused, match=why):
        Space(**space)


@pytest.mark.parametrize("text", ["", "a", "1-", "3-1", "-2", "1,,2", "9" * 8, "1.5"])
def test_what_is_no_list_of_numbers_is_refused(text: str) -> None:
    with pytest.raises(Refused, match="--points reads"):
        numbers(text, "--points")


def test_the_front_is_what_nothing_else_beats() -> None:
    chosen = aims(["fair", "deep"]).values()
    lines = [
        {"spread": spread, "depth.greedy.share": deep} for spread, deep in ((0, 0.5), (0, 0.6), (1, 0.9), (1, 0.6))
    ]
    assert front(lines, chosen) == [lines[1], lines[2]]
    assert front([], chosen) == []
    assert front([lines[0], dict(lines[0])], chosen) == [lines[0], lines[0]]  # neither beats the other


def test_as_good_as_standard_is_fairer_and_nowhere_worse_by_more_than_a_twentieth() -> None:
    chosen = aims(["fair", "deep", "open"]).values()

    def card(spread: float, deep: float, open_: float) -> dict[str, Any]:
        return {"spread": spread, "depth.greedy.share": deep, "medium.decided_before_end": open_}

    good, shallow, early, unfair = card(0.5, 0.77, 2.0), card(0, 0.75, 2), card(0, 0.9, 2.2), card(1, 1, 1)
    assert as_good_as(card(1, 0.8, 2.0), [good, shallow, early, unfair], chosen) == [good]


def test_only_as_much_is_measured_as_the_aims_need() -> None:
    assert [needed(aims([name]).values()) for name in ("fair", "level", "deep")] == [SHARES, MARGIN, ALL]
    with pytest.raises(Refused, match="there is no aim 'pretty': name fair, level"):
        aims(["pretty"])


def test_a_line_says_with_every_depth_the_same_of_what_it_has() -> None:
    whole = line(FARES["local"], 2, HouseRules(2, (0, 1)), ALL)
    for depth in (SHARES, MARGIN):
        part = line(FARES["local"], 2, HouseRules(2, (0, 1)), depth)
        assert part == {key: whole[key] for key in part}
    assert (whole["fare"], whole["stamp"], whole["compensation"]) == ("AAB4-CC3", 2, "0,1")


def test_a_search_writes_what_it_found_and_cleans_up(tmp_path: Path) -> None:
    lines = search(SMALL, AtOnce(), tmp_path / "cards.csv", MARGIN, piece=5)
    assert len(lines) == SMALL.size == 24
    with (tmp_path / "cards.csv").open(newline="") as file:
        assert [row["fare"] for row in csv.DictReader(file)] == [one["fare"] for one in lines]
    assert [path.name for path in tmp_path.iterdir()] == ["cards.csv"]


def test_parquet_holds_the_same_lines(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    lines = search(SMALL, AtOnce(), tmp_path / "cards.parquet", SHARES)
    assert parquet.read_table(tmp_path / "cards.parquet").to_pylist() == lines


def test_a_search_whose_workers_die_goes_on_without_doing_anything_twice(tmp_path: Path) -> None:
    whole = search(SMALL, AtOnce(), tmp_path / "whole.csv", MARGIN, piece=5)
    with pytest.raises(Lost, match="what was done is kept"):
        search(SMALL, AtOnce(fails_after=2), tmp_path / "cards.csv", MARGIN, piece=5)
    rest = AtOnce()
    assert search(SMALL, rest, tmp_path / "cards.csv", MARGIN, piece=5) == whole
    assert rest.pieces == 3  # of five
    assert (tmp_path / "cards.csv").read_bytes() == (tmp_path / "whole.csv").read_bytes()


def test_a_search_of_another_space_does_not_go_on_from_this_one(tmp_path: Path) -> None:
    with pytest.raises(Lost):
        search(SMALL, AtOnce(fails_after=1), tmp_path / "cards.csv", MARGIN, piece=5)
    with pytest.raises(Refused, match="holds a search with other points"):
        search(
            Space(sets=(1,), letters=(2,), points=(1, 3), compensation=(0, 1)),
            AtOnce(),
            tmp_path / "cards.csv",
            MARGIN,
            piece=5,
        )


def test_an_output_that_is_there_or_cannot_be_is_refused(tmp_path: Path) -> None:
    (tmp_path / "cards.csv").write_text("mine")
    for output, why in (
        (tmp_path / "cards.csv", "is there already"),
        (tmp_path / "cards.txt", "should end in .csv or"),
    ):
        with pytest.raises(Refused, match=why):
            search(SMALL, AtOnce(), output)
    with pytest.raises(Refused, match=r"cannot be written: No such file"):
        search(SMALL, AtOnce(), tmp_path / "nowhere" / "cards.csv")


COMMAND = [sys.executable, "-m", "botq", "lab", "search", "--aim", "level", "--json"]
A_SPACE = ["--sets", "2", "--letters", "2", "--points", "1-4", "--compensation", "0-1"]  # 480 cards, 8 pieces


def killed_and_resumed(folder: Path, space: list[str], dice: Random) -> None:
    """A search by two processes, killed at a random moment and started again, writes what one process writes."""
    whole, cut = folder / "whole.csv", folder / "cut.csv"
    said = subprocess.run([*COMMAND, *space, "--jobs", "1", "-o", str(whole)], capture_output=True, check=True).stdout
    command = [*COMMAND, *space, "--jobs", "2", "-o", str(cut)]
    with subprocess.Popen(command, start_new_session=True, stdout=subprocess.DEVNULL) as run:
        parts, began = folder / "cut.csv.parts", monotonic()
        while not (parts.exists() and len(list(parts.glob("*.json"))) > 1) and monotonic() < began + 60:
            sleep(0.005)
        sleep(dice.random() * 0.05)
        os.killpg(run.pid, signal.SIGKILL)
    again = subprocess.run(command, capture_output=True, check=True).stdout
    assert json.loads(again) == json.loads(said)
    assert cut.read_bytes() == whole.read_bytes()
    assert sorted(path.name for path in folder.iterdir()) == ["cut.csv", "whole.csv"]


def test_a_search_killed_and_started_again_equals_one_run_through(tmp_path: Path) -> None:
    killed_and_resumed(tmp_path, A_SPACE, Random(1))


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(10))
def test_a_search_killed_at_any_moment_equals_one_run_through(tmp_path: Path, seed: int) -> None:
    killed_and_resumed(tmp_path, ["--points", "1-4", "--letters", "2-3"], Random(seed))


@pytest.fixture
def scheduler() -> Iterator[str]:
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs="CRITICAL"
    ) as local:
        yield local.scheduler_address


@pytest.mark.filterwarnings("ignore")  # Dask's own, on its way up and down
def test_processes_and_a_dask_cluster_of_two_workers_give_the_same_rows(tmp_path: Path, scheduler: str) -> None:
    with ProcessPoolExecutor(2, get_context("spawn")) as processes:
        one = search(SMALL, processes, tmp_path / "processes.csv", MARGIN, piece=4)
    with cluster(scheduler) as workers:
        other = search(SMALL, workers, tmp_path / "cluster.csv", MARGIN, piece=4)
    assert one == other
    assert (tmp_path / "processes.csv").read_bytes() == (tmp_path / "cluster.csv").read_bytes()


@pytest.mark.soak
@pytest.mark.filterwarnings("ignore")
def test_a_worker_killed_in_the_middle_is_made_up_for_and_nothing_counts_twice(tmp_path: Path, scheduler: str) -> None:
    import distributed

    space, killed = Space(points=(1, 2, 3)), False
    with ProcessPoolExecutor(2, get_context("spawn")) as processes:
        whole = search(space, processes, tmp_path / "processes.csv", MARGIN, piece=16)

    def kill(done: int, of: int) -> None:
        nonlocal killed
        if done > of / 3 and not killed:
            killed = True
            with distributed.Client(scheduler) as client:
                os.kill(next(iter(client.run(os.getpid).values())), signal.SIGKILL)

    with cluster(scheduler) as workers:
        assert search(space, workers, tmp_path / "cluster.csv", MARGIN, kill, piece=16) == whole
    assert killed


def test_a_scheduler_that_is_away_is_said_to_be(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr("botq.lab.workers.SECONDS_TO_ANSWER", 0.2)
    for address in ("tcp://127.0.0.1:9", "nonsense://"):
        with pytest.raises(Refused, match=f"no Dask scheduler answers at {address}"), cluster(address):
            pass


ONE_CARD = ["--sets", "1", "--letters", "1", "--points", "1", "--sample", "1", "--jobs", "1"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["search", "-o", "x.csv", "--points", "1-99"], "that is 1,176,120 cards: say --yes, or take a --sample"),
        (
            ["search", "-o", "x.csv", "--sets", "3", "--points", "1-99", "--yes"],
            "the space holds 543,367,440 cards, and",
        ),
        (["search", "-o", "x.csv", "--aim", "pretty"], "there is no aim 'pretty'"),
        (["search", "-o", "x.csv", "--like", "XYZ"], "there is no fare card 'XYZ'"),
        (["search", "-o", "x.csv", "--jobs", "0", "--sample", "1"], "0 processes can do no work"),
        (["search", "-o", "x.csv", "--seats", "5", *ONE_CARD], "cards are scored with 2 to 4 seats, not 5"),
        (["search", "-o", "x.csv", "--seats", "1", *ONE_CARD], "cards are scored with 2 to 4 seats, not 1"),
        (["search", "-o", "x.csv", "--seats", "4", *ONE_CARD], "with 4 seats a card is scored for the aim fair alone"),
        (["report", "standard", "--seats", "5"], "a card is reported on with 2 to 4 seats, not 5"),
        (["report", "standard", "--compensation", "1,x"], "--compensation reads '1,x'"),
        (["report", "standard", "--compensation", "1,2,3", "--seats", "2"], "2 seats need 2 starting scores, not 3"),
        (["report", "standard", "--playtests", "missing.json"], "missing.json cannot be read: No such file"),
        (["report", "standard", "--seats", "2", "-o", "/nowhere/r.html"], "/nowhere/r.html cannot be written"),
    ],
)
def test_botq_lab_refuses_in_one_line(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["lab", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(said)
    assert err.count("\n") == 1
    assert not list(tmp_path.iterdir())  # nothing half done stays behind


def test_spelled_fares_of_a_search_can_be_played(tmp_path: Path) -> None:
    for one in search(Space(sample=20, sets=(3,)), AtOnce(), tmp_path / "cards.csv", SHARES):
        assert Fare.parse(one["fare"]).spelling == one["fare"]
