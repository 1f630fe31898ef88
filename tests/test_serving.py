"""`botq serve`: it says where it is, answers there, and leaves cleanly."""

import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.request import urlopen

import pytest

from botq.cli import main
from botq.web.serving import listen

SERVE = [sys.executable, "-m", "botq", "serve", "--port", "0"]


@contextmanager
def serving(*options: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server and the first line it prints."""
    with subprocess.Popen([*SERVE, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        assert server.stdout
        try:
            yield server, server.stdout.readline()
        finally:
            server.kill()


def test_it_prints_its_address_answers_there_and_stops_cleanly_on_ctrl_c() -> None:
    with serving() as (server, line):
        found = re.search(r"http://127\.0\.0\.1:\d+/", line)
        assert found
        with urlopen(found[0] + "healthz") as answer:  # noqa: S310  (our own server)
            assert answer.status == 200
        server.send_signal(signal.SIGINT)
        _, complaints = server.communicate(timeout=10)
        assert (server.returncode, complaints) == (0, "")


def test_an_answer_never_waits_for_the_receipt_of_the_one_before() -> None:
    with listen("127.0.0.1", 0) as listening, socket.create_connection(listening.getsockname()):
        connection, _ = listening.accept()
        with connection:
            assert connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_for_the_local_network_it_prints_a_qr_code() -> None:
    with serving("--lan") as (server, line):
        assert re.search(r"http://[\w.-]+:\d+/", line)
        assert server.stdout
        assert "█" in "".join(server.stdout.readline() for _ in range(6))


def test_a_port_that_is_taken_is_refused_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["serve", "--port", str(port)]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    assert f"cannot listen on 127.0.0.1 port {port}" in printed.err


@pytest.mark.parametrize(
    "options",
    [
        ["--port", "70000"],
        ["--port", "-1"],
        ["--port", "x"],
        ["--host", "no such host"],
        ["--host", "\udcff"],
        ["--host", "x" * 300],
        ["--host", ""],
        ["--host", " "],
    ],
)
def test_where_nobody_can_listen_is_refused_in_one_line(options: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", *options]) == 2
    assert capsys.readouterr().err.count("\n") == 1
