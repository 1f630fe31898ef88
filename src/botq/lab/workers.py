"""Who does the work of a search: processes of this machine, or a Dask cluster."""

from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from os import cpu_count
from pathlib import Path
from typing import Any

from botq.lab.scores import Line
from botq.lab.search import Lost, Watch, search
from botq.lab.space import Space
from botq.rules import Refused

TRIES = 3  # that often a broken pool of processes is made anew
SECONDS_TO_ANSWER = 10


def search_with(
    space: Space, output: Path, depth: str, jobs: int | None, scheduler: str | None, watch: Watch
) -> list[Line]:
    """The search, on the cluster of this scheduler or on so many processes; raises `Refused`.

    Where a process is ended from outside, its pool is made anew and the search goes on.
    """
    if jobs is not None and jobs < 1:
        raise Refused(f"{jobs} processes can do no work: 1 is the fewest")
    if scheduler is not None:
        with cluster(scheduler) as executor:
            return search(space, executor, output, depth, watch)
    for tries in range(1, TRIES + 1):
        # spawned, not forked: a forked process may inherit a lock that some thread held
        with ProcessPoolExecutor(jobs or cpu_count(), get_context("spawn")) as executor:
            try:
                return search(space, executor, output, depth, watch)
            except Lost:
                if tries == TRIES:
                    raise
            except BaseException:
                executor.shutdown(wait=False, cancel_futures=True)
                raise
    raise AssertionError("the last try returns or raises")


@contextmanager
def cluster(address: str) -> Iterator[Executor]:
    """The workers of a Dask scheduler; raises `Refused` where there is none, and `Lost` where it goes away.

    Dask itself gives the work of a lost worker to another.
    """
    try:
        import distributed
    except ImportError:
        raise Refused("a cluster needs the extra: pip install 'botq[dask]'") from None
    dask: Any = distributed  # untyped
    try:
        client = dask.Client(address, timeout=SECONDS_TO_ANSWER)
    except (OSError, ValueError, TypeError) as fault:
        raise Refused(f"no Dask scheduler answers at {address}: {fault or type(fault).__name__}") from None
    from concurrent.futures import CancelledError

    with client:
        try:
            yield client.get_executor(pure=False, retries=TRIES)
        except (OSError, CancelledError) as fault:
            raise Lost(
                f"the cluster at {address} went away ({type(fault).__name__}): the same command goes on"
            ) from None
