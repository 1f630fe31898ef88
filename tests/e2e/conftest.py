"""A real browser and a real server.  Without Chromium these tests are skipped, loudly; under CI they fail."""

import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
import uvicorn
from playwright.sync_api import Browser, Page, sync_playwright

from botq.web import create_app

CHROMIUM = shutil.which("chromium") or "/usr/bin/chromium"
FRIEND = "phone.test"  # this server under a name that, like an address on the local network, no browser trusts
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    f"--host-resolver-rules=MAP {FRIEND} 127.0.0.1",
]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "e2e" in item.path.parts:
            item.add_marker(pytest.mark.e2e)


@pytest.fixture(scope="package")  # not longer: an open browser keeps an event loop running
def base() -> Iterator[str]:
    """The address of a running server."""
    server = uvicorn.Server(uvicorn.Config(create_app(), host="127.0.0.1", port=0, log_level="warning"))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        assert thread.is_alive(), "the server did not start"
        time.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    yield f"http://127.0.0.1:{port}"
    server.should_exit = True
    thread.join()


@pytest.fixture(scope="package")  # not longer: an open browser keeps an event loop running
def browser() -> Iterator[Browser]:
    if not os.path.exists(CHROMIUM):
        missing = "NO CHROMIUM: the browser tests did not run (Debian: apt-get install chromium)"
        if os.environ.get("CI") == "true":
            pytest.fail(missing)
        pytest.skip(missing)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def open_page(browser: Browser, base: str) -> Iterator[Callable[..., Page]]:
    """Opens a path on a phone (or what the options of a Playwright context say).

    Whatever the test does, at its end no request has left the server and the console has
    complained of nothing, which it would of anything the security policy stops.
    """
    contexts = []
    complaints: list[str] = []

    def note(request: Any) -> None:
        if urlsplit(request.url).port != urlsplit(base).port:
            complaints.append(f"request to {request.url}")

    def opened(path: str, *, expect_status: int = 200, host: str = "127.0.0.1", **options: Any) -> Page:
        context = browser.new_context(**{"viewport": {"width": 360, "height": 640}, **options})
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(8_000)
        page.on("request", note)
        page.on("pageerror", lambda error: complaints.append(f"error {error}"))
        page.on("dialog", lambda dialog: complaints.append(f"dialog {dialog.message}"))
        page.on("console", lambda message: message.type == "error" and complaints.append(f"console {message.text}"))
        answer = page.goto(base.replace("127.0.0.1", host) + path)
        assert answer is not None
        assert answer.status == expect_status
        if expect_status != 200:
            complaints.clear()  # the console tells the status, too
        return page

    yield opened
    for context in contexts:
        context.close()
    assert not complaints
