"""Solved games as Parquet files: read back without this package's help."""

import importlib.util
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from numpy.typing import NDArray
from open_spiel.python.algorithms.minimax_solver import MinimaxSolver

import botq.adapters.openspiel  # noqa: F401  (registers the game)
from botq.adapters.parquet import export
from botq.cli import main
from botq.rules import Pawn, Queue, Refused, Tickets, legal_jumps, play
from botq.solver import solve

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def margins(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("tables") / "local.parquet"
    export(path, "local", 2, "margin")
    return path


def test_every_two_seat_position_has_the_value_openspiels_minimax_finds(margins: Path) -> None:
    """36,901 positions before the end, each found and valued by a solver that is not ours."""
    solver = MinimaxSolver("python_back_of_the_queue(fare=local,utility=margin)")
    theirs = {text: entry.value for text, entry in solver.solve().items()}
    ours = {_as_openspiel_tells_it(row["queue"]): row for row in pq.read_table(margins).to_pylist()}
    assert len(ours) == 43_556
    assert len(theirs) == 36_901
    for text, value in theirs.items():
        row = ours[text]
        head = row["queue"][0]
        assert row["values"][head] == pytest.approx(value)
        jumps = {n + 1: worth for n, worth in enumerate(row["jump_values"]) if worth is not None}
        assert max(jumps.values()) == pytest.approx(value)
        assert row["best"] == [jump for jump, worth in jumps.items() if worth == pytest.approx(value)]


def test_finished_heats_have_their_margin_and_no_jumps(margins: Path) -> None:
    finished = [row for row in pq.read_table(margins).to_pylist() if row["queue"][1] == 12]
    assert len(finished) == 43_556 - 36_901
    assert all(row["best"] == [] and row["jump_values"] == [None] * 3 for row in finished)
    for row in finished:
        scores = {}
        for seat, _, a, b, c, stamps in (row["queue"][:6], row["queue"][6:]):
            scores[seat] = 4 * min(a // 2, b) + 3 * (c // 2) + stamps  # Local: AAB pays 4, CC pays 3
        assert row["values"] == [scores[0] - scores[1], scores[1] - scores[0]]


def test_the_file_says_what_it_holds(margins: Path) -> None:
    told = {key.decode(): value.decode() for key, value in pq.read_schema(margins).metadata.items()}
    assert told["fare"] == "AAB4-CC3"
    assert (told["seats"], told["objective"]) == ("2", "margin")
    assert told["queue"] == "seat space A B C stamps"
    page = (ROOT / "docs" / "tables.md").read_text(encoding="utf-8")
    assert all(f"`{column}`" in page for column in pq.read_schema(margins).names)


@pytest.mark.parametrize(
    ("seats", "count", "drawn"),
    [(1, 102, 102), (2, 43_556, 500), pytest.param(3, 13_357_681, 5000, marks=pytest.mark.soak)],
)
def test_a_whole_game_stands_in_its_file_once_and_is_worth_what_the_solver_says(
    seats: int, count: int, drawn: int, tmp_path: Path
) -> None:
    assert export(tmp_path / "whole.parquet", "standard", seats) == count
    table = pq.read_table(tmp_path / "whole.parquet")
    queues, values, after = (
        table[name].combine_chunks().flatten().to_numpy(zero_copy_only=False).reshape(count, -1)
        for name in ("queue", "values", "jump_values")
    )
    numbers = _numbered(queues)
    order = np.argsort(numbers)
    assert len(np.unique(numbers)) == count
    heads, spaces = queues[:, 0], queues[:, 1::6].sum(1, dtype=int)
    assert (np.diff(spaces) <= 0).all()  # what can follow stands above
    assert not spaces[-1]
    unfinished = spaces < 12 * seats
    assert (values >= 0).all()
    assert values.sum(1) == pytest.approx(1)
    best = np.fmax.reduce(after[unfinished], 1)
    assert np.abs(values[unfinished, heads[unfinished]] - best).max() < 1e-8
    solution = solve("standard", seats)
    for n in np.random.default_rng(1).choice(count, drawn, replace=False).tolist():
        queue, worth = _queue(queues[n]), solution.at(_queue(queues[n]))
        assert values[n] == pytest.approx(worth.values)
        assert tuple(table["best"][n].as_py()) == worth.best
        assert np.flatnonzero(~np.isnan(after[n])).tolist() == [jump - 1 for jump in legal_jumps(queue)]
        led = {jump: _row_of(play(queue, jump), numbers, order) for jump in legal_jumps(queue)}
        assert [after[n, jump - 1] for jump in led] == [values[row, queue[0].seat] for row in led.values()]
        if worth.best:
            assert values[n] == pytest.approx(np.mean([values[led[jump]] for jump in worth.best], 0))


def test_more_seats_are_told_by_the_positions_random_heats_meet(tmp_path: Path) -> None:
    written = export(tmp_path / "three.parquet", "standard", 3, heats=20)
    rows = pq.read_table(tmp_path / "three.parquet").to_pylist()
    opening = next(row for row in rows if not any(row["queue"][1::6]))
    assert len(rows) == written > 200
    assert opening["values"] == pytest.approx([0.771274704, 0.228725296, 0], abs=1e-9)
    export(tmp_path / "again.parquet", "standard", 3, heats=20)
    assert (tmp_path / "three.parquet").read_bytes() == (tmp_path / "again.parquet").read_bytes()


def test_a_file_is_not_written_over_unless_asked(tmp_path: Path) -> None:
    path = tmp_path / "mine.parquet"
    path.write_text("mine")
    with pytest.raises(Refused, match="is there already"):
        export(path, "standard", 1)
    assert path.read_text() == "mine"
    assert export(path, "standard", 1, force=True) == 102  # a lone pawn gets every stamp but the last


def test_nothing_is_left_where_writing_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(pq.ParquetWriter, "write_table", full)
    with pytest.raises(Refused, match="cannot be written: No space left on device"):
        export(tmp_path / "some.parquet", "standard", 1)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["standard", "--seats", "4"], "4 seats have too many positions"),
        (["gold"], "there is no fare card 'gold'"),
        (["--heats", "0"], "positions are met in 1 to 1000000 random heats, not 0"),
        (["--objective", "luck"], "luck"),
    ],
)
def test_what_cannot_be_exported_is_refused_on_one_line(
    arguments: list[str], says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["tables", "export", *arguments, "-o", str(tmp_path / "x.parquet")]) == 2
    refusal = capsys.readouterr().err
    assert says in refusal
    assert refusal.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_a_table_learns_by_playing_itself(tmp_path: Path) -> None:
    """The example of docs/research.md, cut short: what its jumps give away falls to a tenth and less."""
    export(tmp_path / "truth.parquet", "standard", 2)
    spec = importlib.util.spec_from_file_location("tabular", ROOT / "examples" / "tabular.py")
    assert spec
    assert spec.loader
    tabular = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tabular)
    curve = list(tabular.learn(str(tmp_path / "truth.parquet"), steps=400, tell_every=20))
    assert curve[-1][0] == 400 * 4096
    assert curve[-1][1] < curve[0][1] / 10
    assert curve[-1][2] < 0.01 < curve[0][2]
    assert curve[-1][3] < curve[0][3]


def _as_openspiel_tells_it(queue: list[int]) -> str:
    pawns = [queue[n : n + 6] for n in range(0, len(queue), 6)]
    return "\n".join(f"player {s} on {at}: A{a} B{b} C{c}, stamps {stamps}" for s, at, a, b, c, stamps in pawns)


def _queue(columns: NDArray[np.int8]) -> Queue:
    return tuple(Pawn(seat, Tickets(*hand), stamps) for seat, _, *hand, stamps in columns.reshape(-1, 6).tolist())


def _numbered(queues: NDArray[np.int8]) -> NDArray[np.int64]:
    """One number for each queue of up to three pawns: by pawn three bits for its seat, B and C, four for stamps
    and space, which with B and C tells A."""
    numbers = np.zeros(len(queues), np.int64)
    for pawn in queues.reshape(len(queues), -1, 6).transpose(1, 2, 0).astype(np.int64):
        seat, space, _, b, c, stamps = pawn
        numbers = numbers << 17 | seat << 14 | space << 10 | b << 7 | c << 4 | stamps
    return numbers


def _row_of(queue: Queue, numbers: NDArray[np.int64], order: NDArray[np.intp]) -> int:
    columns = np.array([[(pawn.seat, pawn.space, *pawn.tickets, pawn.stamps) for pawn in queue]], np.int8)
    row = int(order[np.searchsorted(numbers, _numbered(columns), sorter=order)[0]])
    assert numbers[row] == _numbered(columns)[0]
    return row
