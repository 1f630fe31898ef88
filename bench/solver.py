"""How long exact solutions take, and how much memory; each in a process of its own, on all cores.

python bench/solver.py [SEATS ...]     2, 3 and 4 unless others are named; 5 takes minutes and 9 GB
"""

import resource
import subprocess  # the program timed is this one
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time


def first_run() -> None:
    """What a user waits for once: the loops compiled, in a folder for compiled code that is empty."""
    with TemporaryDirectory() as empty:
        for run in ("first run, all compiled", "second run"):
            began, before = perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
            code = "from botq.solver import solve; solve('standard', 2, keep=False)"
            subprocess.run([sys.executable, "-c", code], check=True, env={"NUMBA_CACHE_DIR": empty})  # noqa: S603  (ours)
            spent = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
            print(f"{run:32} {perf_counter() - began:10.2f} s to the answer, {spent:.2f} s of processor time")


def one(fare: str, seats: int) -> None:
    """Solves once to warm up, where that is quick, and then for the clock."""
    from botq.solver import solve

    rounds = {1: 20, 2: 20, 3: 5, 4: 2}.get(seats, 1)
    solve(fare, min(seats, 3), keep=False)
    before = process_time()
    seconds = [solve(fare, seats, keep=False).seconds for _ in range(rounds)]
    spent = (process_time() - before) / rounds  # what all cores did, whoever else kept them busy
    solution = solve(fare, seats, keep=False) if seats < 4 else None
    positions = f"{solution.positions:,} positions" if solution else ""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{fare:10} {seats} seats {min(seconds):18.4f} s at best, {spent:8.4f} s of CPU, {peak:6.0f} MB  {positions}")


def many() -> None:
    """How many cards a second the lab can value."""
    from botq import FARES
    from botq.kernel import card_points
    from botq.solver import opening_values

    for seats, cards in ((2, 1000), (3, 30)):
        pile = [card_points(fare) for fare in FARES.values()] * (cards // 3)
        opening_values(pile[:3], seats)
        began = perf_counter()
        opening_values(pile, seats)
        print(f"{'many cards':10} {seats} seats {len(pile) / (perf_counter() - began):18.0f} cards a second")


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["one", fare, seats]:
            one(fare, int(seats))
        case named:
            first_run()
            for seats in map(int, named or ("2", "3", "4")):
                for fare in ("standard", "express", "local"):
                    subprocess.run([sys.executable, Path(__file__), "one", fare, str(seats)], check=True)  # noqa: S603
            many()
