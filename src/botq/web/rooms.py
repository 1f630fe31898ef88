"""Live rooms: a page a room, forms that ask for a change, and the stream that shows every change."""

from collections.abc import AsyncIterator, Awaitable, Callable
from functools import lru_cache, partial
from typing import Any

import segno
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from botq.changes import (
    Change,
    Choose,
    DrawLots,
    Forward,
    FreeSeat,
    LetOthersMove,
    MakeJump,
    NotYours,
    Rematch,
    SeatBot,
    SecondHeat,
    Start,
    TakeBack,
    TakeOver,
    TakeSeat,
    known_bot,
)
from botq.fares import FARES, Fare
from botq.heat import LONGEST_NAME, draw_lots
from botq.hints import advice, hints
from botq.room import Room, Who
from botq.rules import MAX_SEATS, Refused
from botq.store.care import delete_room, export_room
from botq.store.rooms import NoSuchRoom, Stale, change_room, hashed, make_room, read_live
from botq.web.heats import HeatView
from botq.web.house import House, give, held, house, take
from botq.web.keys import checked_key, new_key, token_from
from botq.web.live import KEY
from botq.web.pace import client
from botq.web.pages import bdi, page, part
from botq.web.reviews import PREFIX as REVIEW
from botq.web.thinking import takes_long, thinking

OWN = "own"  # the fare that is spelled out
STALE, NOT_YOURS, BAD = 409, 403, 400
NEWLY = {"Cache-Control": "no-store"}  # a page holds the keys of its forms, and what one seat sees
BIGGEST = 10**9  # versions and seats are smaller; a database would choke on more


class Form(dict[str, str]):
    """The fields of a form as they were sent; reading one that cannot be raises `Refused`."""

    @classmethod
    async def of(cls, request: Request) -> "Form":
        async with request.form(max_files=0, max_fields=12) as fields:
            return cls((name, value) for name, value in fields.items() if isinstance(value, str))

    def number(self, name: str) -> int:
        typed = self.get(name, "")
        if not (typed.isascii() and typed.isdigit()) or int(typed[:12]) > BIGGEST:
            raise Refused(f"the form lacks its {name}: load the page again")
        return int(typed[:12])

    @property
    def key(self) -> str:
        return checked_key(self.get("key", ""))

    @property
    def holder(self) -> str:
        """The hash of the token that taking a seat with this form gives."""
        return hashed(token_from(self.key))

    @property
    def fare(self) -> str:
        """The name or spelling of the card that was chosen; raises `Refused`."""
        typed = self.get("fare", "")
        return Fare.parse(self.get("spelled", "").strip() if typed == OWN else typed).notation


CHANGES: dict[str, Callable[[Form, House, Room], Change]] = {
    "seat": lambda form, house, room: TakeSeat(form.get("name", "").strip(), form.holder),
    "over": lambda form, house, room: TakeOver(form.number("seat"), form.holder),
    "free": lambda form, house, room: FreeSeat(form.number("seat")),
    "bot": lambda form, house, room: SeatBot(known_bot(form.get("bot", ""), house.bots.bots)),
    "forward": lambda form, house, room: Forward(form.number("seat")),
    "lots": lambda form, house, room: DrawLots(draw_lots([seat.key for seat in room.seats])),
    "choose": lambda form, house, room: Choose(form.fare, form.get("hints") == "on"),
    "start": lambda form, house, room: Start(),
    "others": lambda form, house, room: LetOthersMove(form.get("on") == "on"),
    "jump": lambda form, house, room: MakeJump(form.number("jump")),
    "undo": lambda form, house, room: TakeBack(),
    "heat": lambda form, house, room: SecondHeat(),
    "rematch": lambda form, house, room: Rematch(form.fare),
}
JOINING = ("seat", "over")
Read = Callable[[str], Awaitable[tuple[Room, list[str]]]]


async def make(request: Request) -> Response:
    """A new room; whoever made it is its host."""
    home, form = house(request), await Form.of(request)
    await home.pace.hit("make", request)
    room = await make_room(home.database, FARES["standard"], form.holder, form.key)
    response = RedirectResponse(f"/room/{room.code}", 303)
    give(response, request, room.code, None, token_from(form.key))
    return response


async def show(request: Request) -> Response:
    """The room as this viewer may see it."""
    code = request.path_params["code"]
    if code != code.upper():
        return RedirectResponse(f"/room/{code.upper()}", 303)
    room, news = await look(request, code)
    return _page(request, room, news)


async def stream(request: Request) -> Response:
    """The same board after every change, as server-sent events whose id is the room's version."""
    home, code = house(request), request.path_params["code"]
    tokens = held(request)

    def board(room: Room, news: list[str]) -> str:
        home.bots.look(room)
        return part("_room.html", **_context(request, room, news, room.who(tokens), key=KEY))

    place = (frozenset(tokens), str(request.base_url))
    seen = request.headers.get("last-event-id", "")
    events = _counted(request, code, home.live.stream(code, board, place, seen))
    await anext(events)  # too many, or no such room, are refused here, before the answer begins
    headers = {**NEWLY, "X-Accel-Buffering": "no"}
    return StreamingResponse(events, media_type="text/event-stream", headers=headers)


async def change(request: Request) -> Response:
    """Asks the room for a change; answers with the way back to it, or with the board as it is and why not."""
    home, code, what = house(request), request.path_params["code"], request.url.path.rpartition("/")[2]
    if request.method != "POST":  # somebody reloads the address of a form
        return RedirectResponse(f"/room/{code}", 303)
    form = await Form.of(request)
    await home.pace.hit("join" if what in JOINING else "change", request)
    room, news = await look(request, code)
    try:
        asked = CHANGES[what](form, home, room)
        room = await change_room(home.database, code, asked, held(request), form.number("version"), form.key)
    except NoSuchRoom:
        raise
    except Refused as refusal:
        now, news = await read_live(home.database, code)
        status = STALE if isinstance(refusal, Stale) else NOT_YOURS if isinstance(refusal, NotYours) else BAD
        return _page(request, now, news, status, str(refusal))
    home.bots.look(room)
    response = RedirectResponse(f"/room/{code}", 303)
    if isinstance(asked, (TakeSeat, TakeOver)):
        for seat in room.seats:
            if seat.holder == asked.holder:
                give(response, request, code, seat.key, token_from(form.key))
    elif isinstance(asked, FreeSeat) and asked.key in room.who(held(request)).seats:
        take(response, request, code, asked.key)
    return response


async def hint(request: Request) -> Response:
    """What each jump is worth, where the host switched hints on for all before the start."""
    room, _ = await look(request, request.path_params["code"])
    heat = room.playing().heat
    if not room.hints:
        raise NotYours("hints are off in this room: the host may switch them on before the start, for all")
    weighed = await thinking(request).about(
        ("hint", room.playing().notation), partial(hints, heat, bdi), long=takes_long(heat)
    )
    return private(page(request, "room_hint.html", room=room, heat=heat, hints=weighed, advice=advice))


async def export(request: Request) -> Response:
    """All that is kept of the room, for its host."""
    code = request.path_params["code"]
    await look(request, code)
    kept = await export_room(house(request).database, code, held(request))
    headers = {**NEWLY, "Content-Disposition": f'attachment; filename="room-{code}.json"'}
    return JSONResponse(kept, headers=headers)


async def delete(request: Request) -> Response:
    """Ends the room, at its host's word."""
    home, code, form = house(request), request.path_params["code"], await Form.of(request)
    await home.pace.hit("change", request)
    await look(request, code)
    if form.get("sure") != "on":
        raise Refused("tick the box to say that you are sure")
    await delete_room(home.database, code, held(request))
    return RedirectResponse("/", 303)


async def look(request: Request, code: str, read: Read | None = None) -> tuple[Room, list[str]]:
    """The room and its news; raises `NoSuchRoom`, and counts that as a guess.

    An address that guessed too often is answered nothing any more, but for whoever sits in the room or hosts it.
    """
    home = house(request)
    try:
        room, news = await (read(code) if read else read_live(home.database, code))
    except NoSuchRoom:
        await home.pace.hit("guess", request)
        raise
    if room.who(held(request)).watches:
        await home.pace.test("guess", request)
    home.bots.look(room)
    return room, news


async def _counted(request: Request, code: str, events: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    live = house(request).live
    with live.counted(client(request), code):
        await look(request, code, live.look)  # when a server starts again, all pages ask at once: one reads for all
        yield b""
        async for event in events:
            yield event


def _page(request: Request, room: Room, news: list[str], status: int = 200, wrong: str = "") -> Response:
    context = _context(request, room, news, room.who(held(request)), wrong)
    return private(page(request, "room.html", status, **context))


def _context(request: Request, room: Room, news: list[str], who: Who, wrong: str = "", key: str = "") -> dict[str, Any]:
    """What the templates of a room read."""
    match = room.match
    views = [] if match is None else [HeatView(match, number) for number in range(len(match.heats))]
    to = f"{request.base_url}room/{room.code}"
    return {
        "room": room,
        "who": who,
        "mine": [seat for seat in room.seats if seat.key in who.seats],
        "news": news,
        "wrong": wrong,
        "match": match,
        "views": views,
        "view": views[-1] if views else None,
        "review": match and REVIEW + match.notation,
        "link": to,
        "only_here": request.url.hostname in ("localhost", "127.0.0.1", "::1"),
        "qr": qr(to),
        "key": key or new_key(),
        "bots": house(request).bots.bots,
        "own": OWN,
        "most_seats": MAX_SEATS,
        "longest_name": LONGEST_NAME,
    }


@lru_cache(maxsize=1024)
def qr(to: str) -> Markup:
    """The QR code of an address, as SVG for a page."""
    code = segno.make(to, error="m", micro=False)
    return Markup(code.svg_inline(border=2, dark="#000", light="#fff", omitsize=True, svgclass="qr", lineclass=None))  # noqa: S704  (drawn by segno)


def private(response: Response) -> Response:
    """The same answer, kept by nobody on its way."""
    response.headers.update(NEWLY)
    return response


routes = (
    Route("/room", make, methods=["POST"]),
    Route("/room/{code}", show),
    Route("/room/{code}/events", stream),
    Route("/room/{code}/export", export),
    Route("/room/{code}/hint", hint),
    Route("/room/{code}/delete", delete, methods=["POST"]),
    *(Route(f"/room/{{code}}/{what}", change, methods=["GET", "POST"], name=what) for what in CHANGES),
)
