"""Playing in the terminal: what is shown, what is asked, and how one leaves."""

import io
import os
import pty
import select
import signal
import subprocess
import sys
import time
from collections.abc import Sequence

import pytest
from rich.cells import cell_len
from rich.console import Console

from botq import Match
from botq.cli import main
from botq.terminal import fitting, page

Captured = pytest.CaptureFixture[str]
FIRST_HEAT = "standard/Jo,Kit/3131311133121"
LONG_NAMES = ",".join(f"{letter * 19}{letter.lower()}" for letter in "JKLMNO")


def shown(notation: str, width: int = 80) -> list[str]:
    """The page of a match as lines of text."""
    console = Console(file=io.StringIO(), width=width, markup=False, emoji=False, highlight=False)
    console.print(page(Match.parse(notation), width))
    assert isinstance(console.file, io.StringIO)
    return [line.rstrip() for line in console.file.getvalue().splitlines()]


def typed(monkeypatch: pytest.MonkeyPatch, capsys: Captured, arguments: Sequence[str], keys: str) -> str:
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{key}\n" for key in keys)))
    assert main(["play", *arguments]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert isinstance(out, str)
    return out


# The page


def test_the_page_shows_fare_track_stamps_tickets_scores_and_what_each_jump_brings() -> None:
    assert shown("standard/Jo,Kit/3131") == [
        "Standard: ABC 5, AA 1  (heat 1, jump 5)",
        "                             ●J",
        "front                       ▸■K",
        "space    0    1    2    3    4    5    6    7    8    9   10   11   12",
        "stamp         ×    ○    ×    ×    ○    ○    ○    ○    ○    ○    ○",
        "",
        "   queue on A B C stamps score receipt",
        "▸■ Kit    4 1 0 1      2     2 no sets, A and C left over",
        " ● Jo     4 1 0 1      1     1 no sets, A and C left over",
        "Jump 4: Jo jumps 1 to space 4, takes ticket A. Kit is next.",
        "1  to 5: ticket A, stamp; then Jo",
        "2  to 6: ticket B, stamp; then Jo",
        "3  to 7: ticket C, stamp; then Jo",
    ]


def test_near_the_end_a_jump_past_12_says_so() -> None:
    assert shown("standard/Jo/3332")[-3:] == ["1  to 12: ticket A; the heat is over", "2  passes 12", "3  passes 12"]


def test_a_finished_heat_shows_the_scores_highest_first_and_the_winner() -> None:
    assert shown(FIRST_HEAT) == [
        "Standard: ABC 5, AA 1  (heat 1, over)",
        "Scores",
        "   player on A B C stamps score receipt",
        " ● Jo     12 4 1 2      3     9 ABC 5 + AA 1, A and C left over",
        " ■ Kit    12 3 0 3      5     6 AA 1, A and 3 C left over",
        "Jump 13: Kit jumps 1 to space 12, takes ticket A. The heat is over.",
        "Jo wins.",
    ]


def test_a_shared_win_names_everybody_who_shares_it() -> None:
    assert shown("CCCC1/Jo,Kit/321321321321")[-1] == "Jo and Kit share the win."


def test_the_second_heat_shows_the_first_ones_scores_beside_its_own() -> None:
    lines = shown(FIRST_HEAT + "/11")
    assert lines[-7].split() == ["queue", "on", "A", "B", "C", "stamps", "score", "heat", "1", "receipt"]
    assert lines[-6].split()[:9] == ["▸■", "Kit", "1", "1", "0", "0", "1", "1", "6"]


def test_after_two_heats_their_scores_stand_beside_each_other_and_are_never_added_up() -> None:
    assert shown(FIRST_HEAT + "/33333333")[-3:] == [
        "        heat 1  heat 2",
        "●  Jo      ★ 9       0",
        "■  Kit       6     ★ 3",
    ]


@pytest.mark.parametrize("jumps", ["", "333333", "3333331111112222221", "3" * 18 + "2" * 6])
@pytest.mark.parametrize("names", ["6", LONG_NAMES])
def test_six_players_fit_on_80_by_24(names: str, jumps: str) -> None:
    """Two lines are kept for a refusal and the question."""
    for before in ("", "3" * 24 + "/"):
        lines = shown(f"ABC99-AAB99-BBC99-CCA99-AA99-BB99-CC99-C98/{names}/{before}{jumps}")
        assert len(lines) <= 22
        assert max(map(cell_len, lines)) <= 80


@pytest.mark.parametrize("width", [40, 80, 200])
def test_nothing_is_wider_than_the_terminal(width: int) -> None:
    for notation in ("local/6/312132", f"express/{LONG_NAMES}/{'3' * 24}/121", FIRST_HEAT, "standard/Jo,Kit/"):
        assert max(map(cell_len, shown(notation, width))) <= width


def test_on_a_narrow_terminal_the_receipts_move_below_the_table() -> None:
    lines = shown("standard/Jo,Kit/1111", 40)
    assert "● AA 1" in lines
    assert [line for line in lines if line.startswith(" 0  1")] == [" 0  1  2  3  4  5  6  7  8  9 10 11 12"]


@pytest.mark.parametrize("name", ["[red]", "[/]", ":smile:", "李小龙", "<script>", "\\[b]", "{}"])
def test_names_are_shown_and_never_obeyed(name: str) -> None:
    match = Match.opening(Match.parse("standard/1/").fare, name.replace("/", "%2F").replace(":", "%3A"))
    assert any(f"▸● {name} " in line for line in shown(match.notation))


def test_a_name_that_runs_right_to_left_keeps_its_line_in_order() -> None:
    assert fitting("אבא") == "\u2068אבא\u2069"
    assert fitting("Jo\u202eKit\u200f") == "JoKit"
    assert fitting("Jo") == "Jo"


def test_a_long_name_is_cut_by_the_room_it_takes() -> None:
    assert fitting("李小龙的长长的名字", 12) == "李小龙的长…"
    assert cell_len(fitting("x" * 20, 12)) == 12


# Playing


def test_a_match_is_played_by_its_numbers_and_left_with_its_notation(
    monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    out = typed(monkeypatch, capsys, ["local", "Jo,Kit"], "31q")
    assert out.endswith("\nbotq play local/Jo,Kit/31\n")
    assert "Jump 2: Kit jumps 1 to space 1, takes ticket A and the stamp. Kit is next." in out


def test_a_match_left_can_be_taken_up_again(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    assert typed(monkeypatch, capsys, ["local/Jo,Kit/31"], "2q").endswith("\nbotq play local/Jo,Kit/312\n")


def test_standard_is_used_first_and_two_play(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    assert typed(monkeypatch, capsys, [], "q").endswith("\nbotq play standard/2/\n")


def test_u_takes_a_jump_back(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    assert typed(monkeypatch, capsys, ["standard/2/31"], "uuq").endswith("\nbotq play standard/2/\n")


def test_a_question_mark_tells_the_rules(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("?\n\n2\nq\n"))
    main(["play"])
    out = capsys.readouterr().out
    assert "Whoever is furthest behind acts" in " ".join(out.split())
    assert out.endswith("\nbotq play standard/2/2\n")


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ("9", "'9' is none of the keys: 1, 2 or 3 jumps, u undoes, ? tells the rules, q leaves"),
        ("u", "there is no jump to undo"),
        ("s", "heat 2 opens when heat 1 is over, but Player 1 still has to jump in heat 1"),
    ],
)
def test_a_wrong_key_loses_nothing(monkeypatch: pytest.MonkeyPatch, capsys: Captured, keys: str, said: str) -> None:
    out = typed(monkeypatch, capsys, ["standard", "2"], keys + "3q")
    assert said in " ".join(out.split())
    assert out.endswith("\nbotq play standard/2/3\n")


def test_a_jump_past_12_is_refused_and_asked_again(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    out = typed(monkeypatch, capsys, ["standard/Jo/3332"], "21q")
    assert "jump 5: Jo is on 11: only a jump of 1 fits, not 2" in out
    assert out.endswith("\nbotq play standard/Jo/33321\n")


def test_the_second_heat_is_offered_at_the_end_and_starts_reversed(
    monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    out = typed(monkeypatch, capsys, ["standard/Jo,Kit/3333333"], "3s3q")
    assert "s plays the second heat" in out
    assert "Jump 1: Kit jumps 3 to space 3, takes ticket C and the stamp. Jo is next." in out
    assert out.endswith("\nbotq play standard/Jo,Kit/33333333/3\n")


def test_lots_can_be_drawn_for_the_opening_queue(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    monkeypatch.setattr("botq.notation.draw_lots", lambda players: tuple(reversed(players)))
    assert typed(monkeypatch, capsys, ["local", "Jo,Kit,Lu", "--lots"], "q").endswith("botq play local/Lu,Kit,Jo/\n")


def test_an_unknown_bot_is_refused_with_those_there_are(capsys: Captured) -> None:
    assert main(["play", "express", "Ada:perfekt,Jo"]) == 2
    assert capsys.readouterr().err == (
        "Ada is to be played by 'perfekt', but the bots are "
        "random, shortest, longest, greedy, easy, medium, hard and perfect\n"
    )


def test_bots_answer_at_the_table_and_undo_goes_back_to_the_last_jump_of_a_person(
    monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    players = "Ada:shortest,Kit,Lu:longest"
    out = typed(monkeypatch, capsys, ["express", players], "2q")  # Ada 1, Kit 2, Lu 3, Ada 1 to 2 behind Kit
    assert out.endswith(f"\nbotq play express/{players}/1231\n")
    assert "The jumps before the last: Kit 2 and Lu 3." in out
    assert typed(monkeypatch, capsys, [f"express/{players}/1231"], "uq").endswith(f"play express/{players}/1\n")
    assert "there is no jump to undo" in typed(monkeypatch, capsys, [f"express/{players}/1"], "uq")


def test_where_only_bots_play_the_whole_heat_is_shown(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    out = typed(monkeypatch, capsys, ["local/A:longest,B:longest/"], "q")
    assert out.endswith("\nbotq play local/A:longest,B:longest/33333333\n")


# Leaving


@pytest.mark.parametrize("stdin", ["</dev/null", "<&-", "<<< 3"])
def test_an_stdin_that_ends_or_was_never_there_leaves_with_the_notation(stdin: str) -> None:
    command = ["bash", "-c", f'"$0" -m botq play local Jo,Kit {stdin}', sys.executable]
    left = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    assert left.stderr == ""
    assert left.stdout.endswith(f"\nbotq play local/Jo,Kit/{'3' if '3' in stdin else ''}\n")


def test_typing_bytes_that_are_no_text_is_a_wrong_key() -> None:
    played = subprocess.run(
        [sys.executable, "-m", "botq", "play"], input=b"\xff\xfe\n3\n", capture_output=True, timeout=60, check=True
    )
    assert played.stderr == b""
    assert played.stdout.endswith(b"\nbotq play standard/2/3\n")


def test_piped_output_has_no_escape_codes() -> None:
    played = subprocess.run(
        [sys.executable, "-m", "botq", "play"], input=b"3\n", capture_output=True, timeout=60, check=True
    )
    assert b"\x1b" not in played.stdout


def _sit_down() -> None:
    """Makes the terminal that a process was given its own, so that Ctrl-C reaches it, whoever runs the tests."""
    os.close(os.open(os.ttyname(0), os.O_RDWR))
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # ignored in what a script has put in the background


def in_a_terminal(keys: Sequence[bytes], **environment: str) -> tuple[int, str]:
    """Runs `botq play` on a terminal of its own, types, and returns its exit status and all it showed."""
    outside, inside = pty.openpty()
    playing = subprocess.Popen(
        [sys.executable, "-m", "botq", "play", "standard", "Jo,Kit"],
        stdin=inside,
        stdout=inside,
        stderr=inside,
        start_new_session=True,
        preexec_fn=_sit_down,
        env={**os.environ, "TERM": "xterm-256color", "COLUMNS": "80", "LINES": "24", **environment},
    )
    os.close(inside)
    seen, patience = b"", time.monotonic() + 30
    waiting = list(keys)
    while time.monotonic() < patience:
        if not select.select([outside], [], [], 0.1)[0]:
            continue
        try:
            new = os.read(outside, 65536)
        except OSError:  # what Linux says when the other end is closed
            break
        seen += new
        if waiting and seen.rstrip().endswith(b"leave):"):
            os.write(outside, waiting.pop(0))
            seen += b"\n"
    os.close(outside)
    return playing.wait(10), seen.decode()


def test_ctrl_c_leaves_with_the_notation() -> None:
    status, seen = in_a_terminal([b"3\n", b"\x03"])
    assert status == 0
    assert "Traceback" not in seen
    assert seen.rstrip().endswith("botq play standard/Jo,Kit/3")


def test_colours_are_shown_in_a_terminal_and_left_out_when_asked() -> None:
    colour, plain = in_a_terminal([b"q\n"])[1], in_a_terminal([b"q\n"], NO_COLOR="1")[1]
    assert "\x1b[1;94m" in colour
    assert "\x1b[1;94m" not in plain
