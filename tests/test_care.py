"""Care for rooms and for the log of finished heats, at the command line."""

import asyncio
import csv
import json
from pathlib import Path

import pytest

from botq.changes import MakeJump, Start, TakeSeat
from botq.cli import main
from botq.fares import FARES
from botq.store import Database
from botq.store.rooms import change_room, hashed, make_room


@pytest.fixture
def played(tmp_path: Path) -> tuple[str, str]:
    """The address of a database where Jo has played alone, in jumps of 3, and the code of the room."""
    address = f"sqlite:///{tmp_path / 'botq.db'}"

    async def play() -> str:
        async with Database(address) as database:
            room = await make_room(database, FARES["local"], hashed("host"), "form")
            for change in (TakeSeat("Jo", hashed("jo")), Start(), *[MakeJump(3)] * 4):
                held = {hashed("host"), hashed("jo")}
                room = await change_room(database, room.code, change, held, room.version)
            return room.code

    return address, asyncio.run(play())


def test_rooms_are_listed_exported_and_deleted(played: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    address, code = played
    assert main(["rooms", "list", "--database", address]) == 0
    assert f"{code}  1 seats  1 matches" in capsys.readouterr().out
    assert main(["rooms", "export", code.lower(), "--database", address]) == 0
    export = json.loads(capsys.readouterr().out)
    assert export["seats"] == [{"name": "Jo", "bot": None}]
    assert [jump["length"] for jump in export["heats"][0]["jumps"]] == [3, 3, 3, 3]
    assert main(["rooms", "delete", code, "--database", address]) == 0
    assert main(["rooms", "export", code, "--database", address]) == 2
    assert capsys.readouterr().err == f"there is no room {code}: it may have ended\n"


def test_the_log_is_exported_without_names_even_when_the_room_is_gone(
    played: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    address, code = played
    main(["rooms", "delete", code, "--database", address])
    file = tmp_path / "heats.csv"
    assert main(["playtests", "export", "--database", address, "-o", str(file)]) == 0
    with file.open(newline="") as lines:
        (heat,) = csv.DictReader(lines)
    assert (heat["fare"], heat["jumps"], heat["scores"], heat["winners"], heat["bots"]) == (
        "local",
        "3333",
        "9",  # four C are two pairs, 3 points each, and the stamps of 3, 6 and 9
        "0",
        "-",
    )
    assert main(["playtests", "export", "--json", "--database", address]) == 0
    out = capsys.readouterr().out
    assert len(json.loads(out)["heats"]) == 1
    assert "Jo" not in out + file.read_text()


def test_the_log_writes_over_a_file_only_when_told(
    played: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mine.csv"
    file.write_text("mine")
    export = ["playtests", "export", "--database", played[0], "-o", str(file)]
    assert main(export) == 2
    assert capsys.readouterr().err == f"{file} is there already: choose another name, or --force\n"
    assert file.read_text() == "mine"
    assert main([*export, "--force"]) == 0
    assert file.read_text().startswith("fare,")


@pytest.mark.parametrize(
    "command",
    [["rooms", "list"], ["rooms", "export", "ABCDEFGH"], ["rooms", "sweep"], ["playtests", "export"]],
)
def test_looking_for_a_database_makes_none(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "none.db"
    assert main([*command, "--database", f"sqlite:///{file}"]) == 2
    assert capsys.readouterr().err == f"there is no database '{file}' yet: botq serve makes one\n"
    assert not file.exists()


def test_rooms_untouched_for_a_day_are_swept(played: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    address, _ = played
    assert main(["rooms", "sweep", "--days", "1", "--database", address]) == 0
    assert capsys.readouterr().out == "0 rooms removed\n"


def test_a_backup_is_a_database_of_its_own(
    played: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    address, code = played
    assert main(["rooms", "backup", str(tmp_path / "copy.db"), "--database", address]) == 0
    assert main(["rooms", "list", "--json", "--database", f"sqlite:///{tmp_path / 'copy.db'}"]) == 0
    assert [room["code"] for room in json.loads(capsys.readouterr().out)["rooms"]] == [code]


@pytest.mark.parametrize("address", ["nonsense", "mysql://a/b", "postgresql://nobody@127.0.0.1:1/none"])
def test_a_database_that_is_not_there_is_one_line_and_exit_2(address: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rooms", "list", "--database", address]) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize("code", ["", "\udcff", "NOSUCH", "0" * 8, "ABCDEFGHI", "ABCDEFG\0", "x" * 10_000])
@pytest.mark.parametrize("what", ["export", "delete"])
def test_what_can_be_no_code_is_refused_like_a_room_that_ended(
    what: str, code: str, played: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rooms", what, code, "--database", played[0]]) == 2
    assert capsys.readouterr().err == "there is no such room: a code has 8 letters and digits\n"


def test_a_room_is_not_kept_for_longer_than_a_database_can_count(
    played: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rooms", "sweep", "--days", "9223372036854775807", "--database", played[0]]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_backup_that_cannot_be_written_is_refused_in_one_line(
    played: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rooms", "backup", str(tmp_path / "nowhere" / "copy.db"), "--database", played[0]]) == 2
    assert capsys.readouterr().err.count("\n") == 1
