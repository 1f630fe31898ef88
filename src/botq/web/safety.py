"""What every answer says to the browser about safety, and how much a request may send."""

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LARGEST_BODY = 64 * 1024  # bytes; the longest form here needs a tenth of it

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; "
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "same-origin",  # a link holds the names; with "no-referrer" a form tells no origin either
    "X-Content-Type-Options": "nosniff",
}


class SafetyHeaders:
    """Puts `HEADERS` on every answer, refusals and files included."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        await self.app(scope, receive, send_safely)


class SmallBodies:
    """Refuses (413) a body over `LARGEST_BODY` as soon as it gets that far, whatever its length was said to be."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        got = 0

        async def receive_small() -> Message:
            nonlocal got
            message = await receive()
            got += len(message.get("body", b""))
            if got > LARGEST_BODY:
                raise HTTPException(413, "That is more than a page of this game ever sends.")
            return message

        await self.app(scope, receive_small, send)


class OwnFormsOnly:
    """Refuses (403) what another site's page would have this browser send.

    Browsers tell where a request comes from in `Sec-Fetch-Site`; over plain http on a local network
    they leave that out, and `Origin` tells.  A program that sends neither is no browser, and has
    nobody's cookies.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["method"] not in ("GET", "HEAD", "OPTIONS"):
            headers = Headers(scope=scope)
            site, origin = headers.get("sec-fetch-site"), headers.get("origin")
            own = f"{scope['scheme']}://{headers.get('host')}"
            if site not in ("same-origin", "none") if site else origin not in (None, own):
                await PlainTextResponse("Only a page of this game can send that.", 403)(scope, receive, send)
                return
        await self.app(scope, receive, send)
