"""Whatever is sent to the API and the forms, the answer is never a 500."""

import threading
import time
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest
import requests
import schemathesis
import uvicorn
from hypothesis import HealthCheck, given, settings

from botq.web import create_app
from botq.web.pace import Pace
from botq.web.rooms import CHANGES
from load.players import Player

WORD = {"type": "string", "maxLength": 60}
NUMBER = {"anyOf": [{"type": "integer", "minimum": -2, "maximum": 12}, WORD]}
FIELDS = {
    "version": NUMBER,
    "key": {"anyOf": [{"type": "string", "pattern": "^[A-Za-z0-9_-]{22}$"}, WORD]},
    "seat": NUMBER,
    "name": WORD,
    "jump": NUMBER,
    "bot": WORD,
    "fare": {"anyOf": [{"enum": ["standard", "own"]}, WORD]},
    "spelled": WORD,
    "on": WORD,
    "sure": WORD,
    "notation": {"anyOf": [{"enum": ["standard/Jo/3333", "standard/Jo,Kit/3"]}, WORD]},
    "heat": NUMBER,
}
TOGETHER = settings(
    max_examples=12, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck), database=None
)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    async def patient(*_: object) -> None:
        """Fuzzing is fast: a client that were slowed down would test little."""

    with pytest.MonkeyPatch.context() as during:
        during.setattr(Pace, "hit", patient)
        during.setattr(Pace, "test", patient)
        app = create_app(f"sqlite:///{tmp_path_factory.mktemp('fuzz') / 'botq.db'}")
        server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="critical"))
        thread = threading.Thread(target=server.run)
        thread.start()
        while not server.started:
            time.sleep(0.01)
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
        server.should_exit = True
        thread.join()


@pytest.fixture(scope="module")
def api(address: str) -> Any:
    return schemathesis.openapi.from_url(f"{address}/api/v1/openapi.json")


@pytest.fixture(scope="module")
def forms(address: str) -> Any:
    """The forms of a room in play, described as OpenAPI would; the codes are the room's and made-up ones."""
    host = Player(httpx2.Client(base_url=address)).make_room()
    for name in ("Jo", "Kit"):
        host.press("seat", name=name)
    host.press("start")
    code = {"anyOf": [{"enum": [host.room.removeprefix("/room/")]}, {"type": "string", "maxLength": 12}]}
    host.client.close()
    cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in host.client.cookies.jar)
    form = {"application/x-www-form-urlencoded": {"schema": {"type": "object", "properties": FIELDS}}}

    def described(*path: str) -> dict[str, Any]:
        parameters = [
            {"name": name, "in": "path", "required": True, "schema": code if name == "code" else WORD} for name in path
        ]
        parameters.append(
            {"name": "Cookie", "in": "header", "required": True, "schema": {"enum": [cookies, "botq-seat-0=x"]}}
        )
        answers = {"default": {"description": "a page"}}
        return {"post": {"parameters": parameters, "requestBody": {"content": form}, "responses": answers}}

    whats = [*CHANGES, "device"]
    paths = {f"/room/{{code}}/{what}": described("code") for what in whats}
    paths |= {
        "/room": described(),
        "/stats/keep": described(),
        "/room/{code}/arrive/{token}": described("code", "token"),
    }
    schema = {"openapi": "3.1.0", "info": {"title": "forms", "version": "1"}, "paths": paths}
    return schemathesis.openapi.from_dict(schema)


@pytest.fixture(scope="module")
def session() -> Iterator[requests.Session]:
    with requests.Session() as session:
        yield session


def hammer(schema: Any, address: str, session: requests.Session) -> int:
    """Sends every operation of the schema what it does and does not expect; is how many operations there are."""
    operations = [found.ok() for found in schema.get_all_operations()]
    for operation in operations:

        @TOGETHER
        @given(case=operation.as_strategy())
        def never_breaks(case: schemathesis.Case) -> None:
            answer = case.call(base_url=address, session=session)
            assert answer.status_code < 500, f"{case.as_curl_command()}: {answer.text}"

        never_breaks()
    return len(operations)


def test_the_api_never_breaks(api: Any, address: str, session: requests.Session) -> None:
    assert hammer(api, address, session) >= 2


def test_no_form_breaks(forms: Any, address: str, session: requests.Session) -> None:
    assert hammer(forms, address, session) == len(CHANGES) + 4
