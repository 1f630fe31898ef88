"""The command line: what it prints, where, and how it ends."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import IO, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from botq import Match
from botq.cli import main

ROOT = Path(__file__).parent.parent
Captured = pytest.CaptureFixture[str]
BAD = [
    ["replay"],
    ["replay", "nonsense"],
    ["replay", "standard/Jo,Kit/3124"],
    ["replay", "standard/Jo,jo/"],
    ["replay", "standard/\udcff/"],
    ["replay", "x" * 100_000],
    ["replay", "standard/2/", "and", "more"],
    ["score", "luxury", "1", "1", "1"],
    ["score", "standard", "-1", "0", "0"],
    ["score", "standard", "x", "0", "0"],
    ["score", "standard", "1", "1"],
    ["score", "standard", "13", "0", "0"],
    ["score", "standard", "9" * 4000, "9" * 4000, "0"],
    ["score", "standard", "1", "1", "1", "--stamps", "12"],
    ["score", "standard", "1", "1", "1", "--stamps", "-1"],
    ["score", "standard", "1", "1", "1", "--nonsense"],
    ["play", "luxury"],
    ["play", "standard", "7"],
    ["play", "standard", ""],
    ["play", "standard/Jo,Kit/", "Jo,Kit"],
    ["play", "standard/Ada:perfekt,Jo/"],
    ["play", "--lots", "standard/2/3"],
    ["deal"],
    ["--nonsense"],
]


def botq(*arguments: str | bytes, **more: Any) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([sys.executable, "-m", "botq", *arguments], capture_output=True, timeout=60, **more)


@pytest.mark.parametrize("arguments", BAD, ids=lambda arguments: " ".join(arguments)[:50].encode("ascii", "replace"))
def test_bad_input_is_one_line_on_stderr_and_exit_2(arguments: list[str], capsys: Captured) -> None:
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.endswith("\n")
    assert len(err.splitlines()) == 1
    assert 10 < len(err) < 500


@pytest.mark.parametrize("arguments", [one for one in BAD if one[0] in ("replay", "score")], ids=lambda a: a[-1][:20])
def test_bad_input_leaves_stdout_empty_with_json_too(arguments: list[str], capsys: Captured) -> None:
    assert main([*arguments, "--json"]) == 2
    assert capsys.readouterr().out == ""


def test_a_refusal_is_said_in_the_games_words(capsys: Captured) -> None:
    main(["replay", "standard/Jo/33322"])
    assert capsys.readouterr().err == "heat 1, jump 5: Jo is on 11: only a jump of 1 fits, not 2\n"


def test_what_is_no_number_is_said_in_plain_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", "standard", "four", "0", "0"]) == 2
    assert capsys.readouterr().err == "'a' takes a whole number, such as 4\n"


@given(st.lists(st.text(st.characters(exclude_characters="\0")), max_size=4), st.sampled_from(["replay", "score"]))
def test_whatever_is_typed_the_command_ends_with_0_or_2(arguments: list[str], command: str) -> None:
    assert main([command, *arguments]) in (0, 2)


# replay


# Long for the whole of what is printed, as it is promised to scripts.
def test_replay_tells_the_match_of_the_handbook_as_json(capsys: Captured) -> None:
    """Jo jumps 3, Kit 1 and 2, Jo 1: worked out by hand on paper."""
    assert main(["replay", "standard/Jo,Kit/3121", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "notation": "standard/Jo,Kit/3121",
        "fare": {"name": "standard", "spelling": "ABC5-AA1"},
        "heats": [
            {
                "names": ["Jo", "Kit"],
                "bots": [None, None],
                "jumps": "3121",
                "over": False,
                "turn": "Kit",
                "legal": [1, 2, 3],
                "queue": ["Kit", "Jo"],
                "open_stamps": [2, 5, 6, 7, 8, 9, 10, 11],
                "pawns": [
                    {
                        "name": "Jo",
                        "space": 4,
                        "tickets": {"A": 1, "B": 0, "C": 1},
                        "stamps": 2,
                        "sets": [],
                        "ticket_points": 0,
                        "leftover": {"A": 1, "B": 0, "C": 1},
                        "score": 2,
                    },
                    {
                        "name": "Kit",
                        "space": 3,
                        "tickets": {"A": 1, "B": 1, "C": 0},
                        "stamps": 1,
                        "sets": [],
                        "ticket_points": 0,
                        "leftover": {"A": 1, "B": 1, "C": 0},
                        "score": 1,
                    },
                ],
                "winners": [],
            }
        ],
    }


def test_replay_of_two_heats_tells_each_in_its_own_order(capsys: Captured) -> None:
    assert main(["replay", "aa1-abc5/Jo,Ada:longest/3131311133121/33333333", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    first, second = told["heats"]
    assert told["notation"] == "standard/Jo,Ada:longest/3131311133121/33333333"
    assert told["fare"] == {"name": "standard", "spelling": "AA1-ABC5"}
    assert (first["names"], second["names"]) == (["Jo", "Ada"], ["Ada", "Jo"])
    assert (first["bots"], second["bots"]) == ([None, "longest"], ["longest", None])
    assert [pawn["name"] for pawn in second["pawns"]] == ["Ada", "Jo"]
    assert first["pawns"][0]["sets"] == [  # in the order of the card as it was spelled
        {"set": "AA", "count": 1, "points": 1},
        {"set": "ABC", "count": 1, "points": 5},
    ]
    assert (first["winners"], second["winners"]) == (["Jo"], ["Ada"])
    assert [(heat["over"], heat["turn"], heat["legal"], heat["queue"]) for heat in told["heats"]] == [
        (True, None, [], [])
    ] * 2


def test_json_is_one_line_of_plain_ascii_whatever_the_names(capsys: Captured) -> None:
    assert main(["replay", "local/Zoë,李/", "--json"]) == 0
    out = capsys.readouterr().out
    assert out.isascii()
    assert len(out.splitlines()) == 1
    assert json.loads(out)["heats"][0]["names"] == ["Zoë", "李"]


# score


def test_score_writes_the_receipt_of_the_worked_example(capsys: Captured) -> None:
    assert main(["score", "standard", "4", "1", "2", "--stamps", "3", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "fare": {"name": "standard", "spelling": "ABC5-AA1"},
        "sets": [{"set": "ABC", "count": 1, "points": 5}, {"set": "AA", "count": 1, "points": 1}],
        "ticket_points": 6,
        "leftover": {"A": 1, "B": 0, "C": 1},
        "stamps": 3,
        "score": 9,
    }
    assert main(["score", "standard", "4", "1", "2", "--stamps", "3"]) == 0
    assert capsys.readouterr().out == "Standard: ABC 5 + AA 1, A and C left over = 6, stamps 3, score 9\n"


def test_a_spelled_card_has_no_name(capsys: Captured) -> None:
    assert main(["score", "cb4-aaa9", "0", "1", "1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["fare"] == {"name": None, "spelling": "BC4-AAA9"}


# As a program of its own


def test_botq_alone_shows_its_commands() -> None:
    shown = botq()
    assert (shown.returncode, shown.stderr) == (2, b"Missing command.\n")
    assert all(command in shown.stdout for command in (b"replay", b"score", b"play"))


def test_bytes_that_are_no_text_are_refused_like_any_other_name() -> None:
    refused = botq("replay", b"standard/J\xff/", "--json")
    assert (refused.returncode, refused.stdout) == (2, b"")
    assert refused.stderr == rb"the name of seat 1 is not UTF-8: 'J\udcff'" + b"\n"


@pytest.mark.parametrize("locale", [{"LC_ALL": "C"}, {"PYTHONIOENCODING": "ascii"}, {"PYTHONUTF8": "0", "LC_ALL": "C"}])
def test_a_terminal_without_unicode_still_shows_the_match(locale: dict[str, str]) -> None:
    told = botq("replay", "standard/Zo%C3%AB,%D7%90%D7%91/3", env=dict(os.environ, **locale))
    assert (told.returncode, told.stderr) == (0, b"")
    assert b"Standard: ABC 5, AA 1" in told.stdout


def run_with(closed: str, *arguments: str, **streams: int | IO[bytes]) -> subprocess.CompletedProcess[bytes]:
    command = f'exec "$0" -m botq "$@" {closed}'
    return subprocess.run(["/bin/sh", "-c", command, sys.executable, *arguments], timeout=60, **streams)  # type: ignore[call-overload]  # the streams vary


def test_a_closed_stdout_is_no_traceback() -> None:
    for arguments in (["replay", "standard/2/3"], ["play", "standard", "2"], ["replay", "standard/2/", "--json"]):
        ended = run_with(">&-", *arguments, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
        assert ended.stderr == b""
        assert ended.returncode in (0, 1)


def test_a_closed_stderr_keeps_a_refusal_out_of_stdout() -> None:
    ended = run_with("2>&-", "replay", "nonsense", "--json", stdout=subprocess.PIPE)
    assert (ended.returncode, ended.stdout) == (2, b"")


def test_a_reader_who_leaves_early_is_no_traceback() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as nobody:
        ended = run_with("", "replay", "standard/2/3", stdout=nobody, stderr=subprocess.PIPE)
    assert (ended.returncode, ended.stderr) == (1, b"")


def test_starting_up_loads_nothing_heavy() -> None:
    """What decides the time of `botq --help`, counted instead of timed; bench/ times it."""
    code = "import sys, botq.cli; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert {"numpy", "numba", "fastapi", "uvicorn", "sqlalchemy", "typst", "rich", "asyncio"} & set(loaded) == set()
    assert "botq.notation" in loaded


def test_every_playthrough_can_be_replayed(capsys: Captured) -> None:
    for file in sorted((ROOT / "tests" / "playthroughs" / "matches").glob("*.txt")):
        notation = file.read_text().split("\n")[0]
        assert main(["replay", notation, "--json"]) == 0
        assert json.loads(capsys.readouterr().out) == Match.parse(notation).as_json()


def test_stopping_a_command_is_told_by_a_status_of_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(text: str) -> Match:
        raise KeyboardInterrupt

    monkeypatch.setattr(Match, "parse", stop)
    assert main(["replay", "standard/Jo,Kit/3"]) == 1
