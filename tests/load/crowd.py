"""How many streams one server process holds, and how long a jump takes to reach the screens.

    python tests/load/crowd.py                     # growing crowds, until half the jumps take over 100 ms
    python tests/load/crowd.py --rooms 20 --watchers 10

In every room two seats play and the rest watch, each with a stream of its own.  The watchers run in
client processes of their own on this machine.  A jump's time runs from pressing its button to the
moment a watcher has read the board that shows it.  The first seconds are not counted: a server that
has just started still loads what it needs.
"""

import argparse
import asyncio
import multiprocessing
import random
import sys
import tempfile
import time
from collections import ChainMap
from concurrent.futures import ThreadPoolExecutor
from itertools import repeat
from pathlib import Path
from statistics import quantiles
from typing import Any

import httpx2

sys.path.insert(0, str(Path(__file__).parents[1]))

from load.players import Player, Server, version_of

CLIENTS = 3  # processes the watchers are spread over
LIMIT = 100.0  # milliseconds
SECONDS = 20
WARMING = 3
TABLES = 8  # threads that press buttons


async def _watch(address: str, room: str, local: str, seen: list[tuple[str, int, float]], ready: Any) -> None:
    transport = httpx2.AsyncHTTPTransport(local_address=local)
    async with (
        httpx2.AsyncClient(base_url=address, transport=transport, timeout=None) as client,
        client.stream("GET", f"{room}/events") as answer,
    ):
        answer.raise_for_status()
        first = True
        async for line in answer.aiter_lines():
            if 'id="game"' not in line:
                continue
            seen.append((room, version_of(line), time.monotonic()))
            if first:
                first = False
                with ready.get_lock():
                    ready.value += 1


def _client(address: str, rooms: list[tuple[str, str]], ready: Any, over: Any, results: Any) -> None:
    """A process of watchers, until it is over; puts (room, version, moment) of every board it read."""
    seen: list[tuple[str, int, float]] = []

    async def watch() -> None:
        tasks = [asyncio.create_task(_watch(address, room, local, seen, ready)) for room, local in rooms]
        await asyncio.to_thread(over.wait)
        for task in tasks:
            task.cancel()

    asyncio.run(watch())
    results.put(seen)


def _memory(server: Server) -> int:
    """The resident memory of the server, in bytes."""
    assert server.process
    lines = Path(f"/proc/{server.process.pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmRSS"))


def _started(server: Server, number: int) -> Player:
    """The host of a new room in which two are seated and the match has begun; every host has an address of its own."""
    transport = httpx2.HTTPTransport(local_address=f"127.1.{number // 200}.{1 + number % 200}")
    host = Player(httpx2.Client(base_url=server.address, transport=transport, timeout=60)).make_room()
    for name in ("Jo", "Kit"):
        host.press("seat", name=name)
    host.press("start")
    return host


def measure(rooms: int, watchers: int) -> tuple[float, float]:
    """Plays and watches so many rooms for a while; prints what it found, and is p50 and p95 in milliseconds."""
    with tempfile.TemporaryDirectory() as path, Server(f"sqlite:///{path}/botq.db") as server:
        hosts = [_started(server, number) for number in range(rooms)]
        empty = _memory(server)
        places = [(host.room, f"127.2.{n // 50}.{1 + n % 50}") for n, host in enumerate(hosts) for _ in range(watchers)]
        ready, over, results = multiprocessing.Value("i", 0), multiprocessing.Event(), multiprocessing.Queue()
        clients = [
            multiprocessing.Process(
                target=_client, args=(server.address, places[n::CLIENTS], ready, over, results), daemon=True
            )
            for n in range(CLIENTS)
        ]
        for client in clients:
            client.start()
        until = time.monotonic() + 25
        while ready.value < len(places) and time.monotonic() < until:
            time.sleep(0.1)
        held = ready.value
        each = (_memory(server) - empty) / max(1, held)
        _play(hosts, WARMING)
        pressed = _play(hosts, SECONDS)
        time.sleep(1)
        over.set()
        seen = [one for _ in clients for one in results.get(timeout=120)]
        times = sorted(1000 * (at - pressed[room, version]) for room, version, at in seen if (room, version) in pressed)
        if len(times) < 2:
            print(f"{rooms} rooms × {watchers} streams: too much, nothing arrived")
            return float("inf"), float("inf")
        cuts = quantiles(times, n=100)
        p50, p95, p99 = cuts[49], cuts[94], cuts[98]
        print(
            f"{rooms:4} rooms × {watchers:3} streams = {held:5} held, {len(pressed) / SECONDS:5.1f} jumps/s: "
            f"jump to screen p50 {p50:6.1f}  p95 {p95:6.1f}  p99 {p99:6.1f} ms, {each / 1024:5.1f} KiB a stream",
            flush=True,
        )
        return p50, p95


def _play(hosts: list[Player], seconds: float) -> dict[tuple[str, int], float]:
    """One jump about every two seconds in each room, at random moments; when each version's button was pressed."""
    with ThreadPoolExecutor(TABLES) as tables:
        shares = [hosts[n::TABLES] for n in range(min(TABLES, len(hosts)))]
        return dict(ChainMap(*tables.map(_play_in_turns, shares, repeat(seconds))))


def _play_in_turns(hosts: list[Player], seconds: float) -> dict[tuple[str, int], float]:
    pressed: dict[tuple[str, int], float] = {}
    began, turn = time.monotonic(), 0
    pause = 2 / len(hosts)
    time.sleep(random.random() * pause)
    while time.monotonic() < began + seconds:
        host = hosts[turn % len(hosts)]
        over = "<caption>Scores</caption>" in host.page
        at = time.monotonic()
        if over and 'id="second"' in host.page:
            host.press("heat")
        elif over:
            host.press("rematch", fare="standard", spelled="")
            host.press("start")
        else:
            host.press("jump", jump="1")
            pressed[host.room, version_of(host.page)] = at
        turn += 1
        time.sleep(max(0.0, began + (turn + random.random()) * pause - time.monotonic()))
    return pressed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rooms", type=int, default=0)
    parser.add_argument("--watchers", type=int, default=10, help="streams a room")
    asked = parser.parse_args()
    if asked.rooms:
        measure(asked.rooms, asked.watchers)
        return
    passed = False
    for rooms in (1, 5, 10, 20, 40, 60, 80, 100, 120, 160):
        p50, p95 = measure(rooms, asked.watchers)
        if p95 > LIMIT and not passed:
            passed = True
            print(f"p95 passes {LIMIT:.0f} ms at {rooms} rooms, {rooms * asked.watchers} streams")
        if p50 > LIMIT:
            return


if __name__ == "__main__":
    main()
