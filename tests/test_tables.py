"""A table on disk is as it was written, or it is not used: the answer is right either way."""

import errno
import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from botq import solve, tables
from botq.cli import main
from botq.solver import Solution

ANSWER = (0.771274704, 0.228725296, 0)  # three seats on Standard, as others found


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tables.folder()


@pytest.fixture
def file(folder: Path) -> Path:
    """The file of a table solved and kept."""
    solve("standard", 3)
    (file,) = folder.iterdir()
    return file


def is_right(solution: Solution) -> bool:
    return solution.values == pytest.approx(ANSWER, abs=1e-9)


def solved_anew(monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """How often a table was written since."""
    written = []
    write = tables.write
    monkeypatch.setattr(tables, "write", lambda *what: written.append(what) or write(*what))
    return lambda: len(written)


def test_a_table_solved_once_is_read_the_next_time(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    anew = solved_anew(monkeypatch)
    again = solve("standard", 3)
    assert is_right(again)
    assert anew() == 0
    assert again.worth == solve("standard", 3).worth
    again.check()


def flip(at: int) -> Callable[[bytes], bytes]:
    return lambda whole: whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :]


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(flip(0), id="another mark at its start"),
        pytest.param(flip(12), id="another length of its label"),
        pytest.param(flip(40), id="another version"),
        pytest.param(flip(100_000), id="a bit of a key flipped"),
        pytest.param(flip(-1_000), id="a bit of a value flipped"),
        pytest.param(flip(-1), id="a bit of its seal flipped"),
        pytest.param(lambda whole: whole[:-1], id="cut short by a byte"),
        pytest.param(lambda whole: whole[: len(whole) // 2], id="half of it"),
        pytest.param(lambda whole: whole[:5], id="five bytes of it"),
        pytest.param(lambda whole: b"", id="empty"),
        pytest.param(lambda whole: whole + b"\0", id="a byte more"),
        pytest.param(lambda whole: b"PK\3\4" + os.urandom(5000), id="something else"),
    ],
)
def test_a_damaged_table_is_noticed_and_made_anew(
    damage: Callable[[bytes], bytes], file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sound = file.read_bytes()
    file.write_bytes(damage(sound))
    anew = solved_anew(monkeypatch)
    assert is_right(solve("standard", 3))
    assert anew() == 1
    assert file.read_bytes() == sound


def test_a_sound_table_of_another_card_under_this_name_is_not_believed(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    solve("local", 3)
    (other,) = set(file.parent.iterdir()) - {file}
    file.write_bytes(other.read_bytes())
    anew = solved_anew(monkeypatch)
    assert is_right(solve("standard", 3))
    assert anew() == 1


def test_tables_nobody_asked_for_make_room_for_newer_ones(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fares = ["ABC5-AA2", "ABC5-AA3", "ABC5-AA4"]
    solve("express", 2, keep=True)
    for fare in fares:
        solve(fare, 2)
        for file in folder.glob("*.table"):  # an hour passes
            os.utime(file, (file.stat().st_atime, file.stat().st_mtime - 3600))
    solve(fares[0], 2)  # used again
    monkeypatch.setattr(tables, "LIMIT", sum(file.bytes for file in tables.kept() if not file.asked))
    solve("standard", 2)
    assert {file.about["fare"] for file in tables.kept()} == {"express", "standard", fares[0], fares[2]}


def test_a_table_of_another_version_of_the_code_is_left_alone(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "VERSION", "another")
    assert [kept.about for kept in tables.kept()] == [{}]
    anew = solved_anew(monkeypatch)
    assert is_right(solve("standard", 3))
    assert anew() == 1


@pytest.mark.parametrize("fault", [errno.ENOSPC, errno.EROFS, errno.EACCES])
def test_a_folder_that_is_full_or_locked_is_done_without(
    fault: int, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(descriptor: int) -> None:
        raise OSError(fault, os.strerror(fault))

    monkeypatch.setattr(os, "fsync", refuse)
    assert is_right(solve("standard", 3))
    assert list(folder.iterdir()) == []


def test_a_file_where_the_folder_should_be_is_done_without(folder: Path) -> None:
    folder.parent.mkdir(parents=True)
    folder.write_text("not a folder")
    assert is_right(solve("standard", 3))


def test_stopping_while_a_table_is_written_leaves_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(descriptor: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", stop)
    with pytest.raises(KeyboardInterrupt):
        solve("standard", 3)
    assert list(folder.iterdir()) == []


def test_other_cards_objectives_and_house_rules_have_tables_of_their_own(folder: Path) -> None:
    solve("standard", 2)
    solve("local", 2)
    solve("standard", 2, objective="margin")
    solve("standard", 2, stamp=2)
    solve("standard", 2, start=(0, 1))
    assert len(list(folder.iterdir())) == 5


def test_a_late_position_is_kept_only_when_asked(folder: Path) -> None:
    solve("standard", 3, "12")
    assert not folder.exists()
    kept = solve("standard", 3, "12", keep=True)
    assert [file.about["house"] for file in tables.kept()] == ["after 12"]
    assert solve("standard", 3, "12").worth == kept.worth


def test_the_list_says_what_is_kept_and_clearing_frees_it(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (file.parent / "broken.unfinished").write_bytes(b"left by a crash")
    assert main(["tables", "list", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["folder"] == str(file.parent)
    assert [(t["file"], t["usable"]) for t in told["tables"]] == [("broken.unfinished", False), (file.name, True)]
    size = file.stat().st_size
    assert (
        told["tables"][1] | {"fare": "standard", "seats": 3, "objective": "share", "bytes": size} == told["tables"][1]
    )
    assert main(["tables", "list"]) == 0
    assert file.name in capsys.readouterr().out
    assert main(["tables", "clear", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"freed": size + 15}
    assert list(file.parent.iterdir()) == []


def test_a_value_that_does_not_follow_the_rule_is_found() -> None:
    solution = solve("express", 2)
    assert solution.table is not None
    solution.check()
    layer = next(n for n, values in enumerate(solution.table.values) if len(values) > 100)
    solution.table.values[layer][7] += 0.25
    with pytest.raises(RuntimeError, match="positions do not follow the rule"):
        solution.check()


def test_a_jump_that_leads_elsewhere_is_found() -> None:
    solution = solve("express", 2)
    assert solution.table is not None
    layer = next(n for n, nexts in enumerate(solution.table.nexts) if len(nexts) > 100)
    row = next(row for row in solution.table.nexts[layer] if min(row) > 0)
    row[0] -= 1
    with pytest.raises(RuntimeError, match="positions do not follow the rule"):
        solution.check()
