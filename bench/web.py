"""What a page weighs and how long the server takes.  Run: python bench/web.py

Weight is what a first visit loads, page and all, gzipped as it is sent.  The time of a jump is
that of the request a tap sends, over loopback, client included.
"""

import gzip
import json
import os
import re
import statistics
import subprocess
import sys
import time
from http.client import HTTPConnection
from pathlib import Path
from urllib.request import Request, urlopen

SIX = "Jo,Kit,Ada,Sam,Lee,Max"
PAGES = {
    "start": "/",
    "heat, six seats": f"/heat/standard/{SIX}/22133123121",
    "both heats over": "/heat/standard/Jo,Kit/33333333/222222222222",
    "rules": "/rules",
}
BOTQ = Path(sys.executable).with_name("botq")


def get(address: str) -> tuple[int, str]:
    """Bytes sent and what they say."""
    with urlopen(Request(address, headers={"Accept-Encoding": "gzip"})) as answer:  # noqa: S310  (our own server)
        sent = answer.read()
        packed = answer.headers.get("Content-Encoding") == "gzip"
        return len(sent), (gzip.decompress(sent) if packed else sent).decode("utf-8", "replace")


def weight(base: str, path: str) -> int:
    """Bytes of a page with everything it loads, the font that its style sheet asks for included."""
    size, page = get(base + path)
    links = set(re.findall(r'(?:src|href)="(/static/[^"]+)"', page))
    return size + sum(get(base + link)[0] for link in links)


def jump_times(base: str, count: int = 200) -> list[float]:
    """Seconds for each of so many jumps, in a heat of six, on one connection as a browser keeps it."""
    connection, times = HTTPConnection(base.removeprefix("http://")), []
    for number in range(count):
        jumps = "22133123121"[: number % 12]
        begun = time.perf_counter()
        connection.request("GET", f"/heat/standard/{SIX}/{jumps}", headers={"Accept-Encoding": "gzip"})
        connection.getresponse().read()
        times.append(time.perf_counter() - begun)
    connection.close()
    return times


def seconds(*command: str) -> float:
    """The fastest of five runs."""

    def once() -> float:
        begun = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)  # noqa: S603  (our own command)
        return time.perf_counter() - begun

    return min(once() for _ in range(5))


def main() -> None:
    begun = time.perf_counter()
    server = subprocess.Popen(  # noqa: S603  (our own command)
        [str(BOTQ), "serve", "--port", "0"], stdout=subprocess.PIPE, text=True, env=os.environ
    )
    try:
        assert server.stdout is not None  # noqa: S101  (it is piped)
        base = re.search(r"http://[\d.:]+", server.stdout.readline())[0]  # type: ignore[index]  # it tells its address first
        get(base + "/healthz")
        ready = time.perf_counter() - begun
        jumps = jump_times(base)
        result = {
            "kilobytes": {name: round(weight(base, path) / 1024, 1) for name, path in PAGES.items()},
            "jump_ms": {
                "median": round(statistics.median(jumps) * 1000, 1),
                "p95": round(statistics.quantiles(jumps, n=20)[-1] * 1000, 1),
            },
            "help_s": round(seconds(str(BOTQ), "--help"), 2),
            "ready_s": round(ready, 2),
        }
        print(json.dumps(result, indent=2))
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    main()
