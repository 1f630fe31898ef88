"""Our speed beside our peers', in one run: `botq bench`.

Each module of this room but `report` has a function `measurements()` that yields `Measurement`s; to be timed,
add one.  What needs a package that is not installed says so by `Absent`, and is listed as not
measured.  The runs of all are taken in turns, so that a busy machine is busy for everybody.
"""

import os
import platform
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from pkgutil import iter_modules
from statistics import median
from time import perf_counter
from typing import Any, NamedTuple

from botq.rules import Refused

MOST_ROUNDS = 100


class Measurement(NamedTuple):
    """Something that can be timed: `measure()` does it once and returns one figure in `unit`."""

    name: str
    unit: str  # "heats/s", "jumps/s", "cards/s": more is better; "s": less is better
    measure: Callable[[], float]
    package: str = "botq"  # whose version is named beside it
    once: bool = False  # too slow to be repeated: measured in the first round alone


class Absent(NamedTuple):
    """Something that could not be timed here, and why."""

    name: str
    why: str


class Target(NamedTuple):
    """How many times faster one measurement should be than another."""

    ours: str
    peer: str
    times: float


@dataclass(frozen=True)
class Timed:
    """The figures of one measurement, in the order they were taken."""

    measurement: Measurement
    figures: tuple[float, ...]

    @property
    def median(self) -> float:
        return median(self.figures)

    def times_faster(self, other: "Timed") -> float:
        """How many times as much this does in the same time, whichever way its unit counts."""
        quick, slow = (self, other) if self.measurement.unit != "s" else (other, self)
        return quick.median / slow.median

    @property
    def version(self) -> str:
        """The package and its version, such as `pgx 2.6.0`."""
        package = self.measurement.package
        try:
            return f"{package} {version(package)}"
        except PackageNotFoundError:
            return package

    def as_json(self) -> dict[str, Any]:
        return {
            "name": self.measurement.name,
            "unit": self.measurement.unit,
            "package": self.version,
            "median": self.median,
            "low": min(self.figures),
            "high": max(self.figures),
            "figures": list(self.figures),
        }


@dataclass(frozen=True)
class Run:
    """One run: what was timed, what was not, on which machine, and when."""

    timed: tuple[Timed, ...]
    absent: tuple[Absent, ...]
    machine: dict[str, str]
    load: float  # processes that wanted a core, on average over the minute before
    began: datetime

    @property
    def ratios(self) -> list[tuple[Target, float]]:
        """How many times faster ours was, for every target of which both sides were timed."""
        by_name = {timed.measurement.name: timed for timed in self.timed}
        return [
            (target, by_name[target.ours].times_faster(by_name[target.peer]))
            for target in targets()
            if target.ours in by_name and target.peer in by_name
        ]

    def as_json(self) -> dict[str, Any]:
        return {
            "began": self.began.isoformat(timespec="seconds"),
            "machine": self.machine,
            "load": self.load,
            "measurements": [timed.as_json() for timed in self.timed],
            "ratios": [{**t._asdict(), "measured": measured} for t, measured in self.ratios],
            "not_measured": [absent._asdict() for absent in self.absent],
        }


def take(rounds: int, only: str = "", tell: Callable[[str], None] = lambda line: None) -> Run:
    """Times everything whose name holds `only`, each `rounds` times in turns, after one run that does not count.

    `tell` is told what is being timed.  Raises `Refused` where nothing has such a name.
    """
    if not 1 <= rounds <= MOST_ROUNDS:
        raise Refused(f"a run has 1 to {MOST_ROUNDS} rounds, not {rounds}")
    began, load = datetime.now(UTC), os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    found = [one for one in everything() if only.lower() in one.name.lower()]
    measured = [one for one in found if isinstance(one, Measurement)]
    if not measured:
        raise Refused(f"nothing that is timed here has {only!r} in its name")
    figures: dict[str, list[float]] = {one.name: [] for one in measured}
    for number in range(rounds + 1):
        for one in measured:
            if one.once and number != 1:
                continue
            tell(f"round {number} of {rounds}: {one.name}")
            figure = one.measure()
            if number:
                figures[one.name].append(figure)
    timed = tuple(Timed(one, tuple(figures[one.name])) for one in measured)
    absent = tuple(one for one in found if isinstance(one, Absent))
    return Run(timed, absent, machine(), load, began)


def everything() -> Iterator[Measurement | Absent]:
    """What all modules of this room measure, in the order of their names."""
    for module in _modules():
        yield from module.measurements()


def targets() -> list[Target]:
    """What the modules of this room aim at, where one has `TARGETS`."""
    return [target for module in _modules() for target in getattr(module, "TARGETS", ())]


def _modules() -> Iterator[Any]:
    for module in iter_modules(__path__):
        if module.name != "report":
            yield import_module(f"{__name__}.{module.name}")


def rate(count: Callable[[], int], seconds: float = 0.5) -> float:
    """How many a second: calls what says how many it did until so many seconds have passed."""
    began, done = perf_counter(), 0
    while (taken := perf_counter() - began) < seconds:
        done += count()
    return done / taken


def duration(work: Callable[[], object]) -> float:
    """How many seconds a piece of work takes."""
    began = perf_counter()
    work()
    return perf_counter() - began


def absent(*packages: str) -> str | None:
    """Why something that needs these packages cannot be timed here, or None if it can."""
    missing = [package for package in packages if find_spec(package) is None]
    return f"{' and '.join(missing)} not installed" if missing else None


def machine() -> dict[str, str]:
    """The machine in words: processor, cores, system, Python."""
    return {
        "processor": _processor(),
        "cores": str(os.cpu_count()),
        "system": f"{platform.system()} {platform.machine()}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
    }


def _processor() -> str:
    if sys.platform == "linux":
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
