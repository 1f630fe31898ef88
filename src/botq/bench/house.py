"""The rest of the house: a page over the network of this machine, the printed pack, many fare cards."""

import subprocess
import sys
from collections.abc import Iterator
from functools import cache, partial
from http.client import HTTPConnection
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from time import sleep

from botq.bench import Absent, Measurement, duration, rate
from botq.fares import FARES

PAGE = "/heat/standard/Jo,Kit,Ada/312113"
GETS = 20  # of a page, for one figure


def measurements() -> Iterator[Measurement | Absent]:
    """Seconds a page and a pack, and fare cards valued a second, every core at work."""
    yield Measurement("botq serve, the page of a heat, 3 seats", "s", _page)
    yield Measurement("botq print, the whole pack, from the command line", "s", _pack)
    for seats, copies in ((2, 100), (3, 1)):
        name = f"botq opening values of fare cards, {seats} seats"
        yield Measurement(name, "cards/s", partial(rate, partial(_cards, seats, copies)))


@cache
def _port() -> int:
    """Where a server of ours listens for as long as the benchmark runs."""
    import uvicorn

    from botq.web import create_app

    server = uvicorn.Server(uvicorn.Config(create_app(), host="127.0.0.1", port=0, log_level="error"))
    Thread(target=server.run, daemon=True).start()
    while not server.started:
        sleep(0.01)
    port: int = server.servers[0].sockets[0].getsockname()[1]
    return port


def _page() -> float:
    connection = HTTPConnection("127.0.0.1", _port())

    def get_all() -> None:
        for _ in range(GETS):
            connection.request("GET", PAGE)
            connection.getresponse().read()

    taken = duration(get_all)
    connection.close()
    return taken / GETS


def _pack() -> float:
    """As somebody waits for it: a fresh process, since Typst remembers what it has set once."""
    with TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "botq", "print", "-o", str(Path(folder, "pack.pdf"))]
        return duration(partial(subprocess.run, command, check=True, capture_output=True))


def _cards(seats: int, copies: int) -> int:
    import numpy as np

    from botq.kernel import card_points
    from botq.solver import opening_values

    cards = np.array([card_points(fare) for fare in FARES.values()] * copies)
    opening_values(cards, seats)
    return len(cards)
