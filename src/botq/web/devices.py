"""Moving a seat, or the hosting, to another device: a QR code here, a question there."""

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from botq.room import Room
from botq.store.invitations import accept, invite, read_invitation
from botq.web.house import give, held, house
from botq.web.keys import new_key, token_from
from botq.web.pages import page
from botq.web.rooms import Form, look, private, qr


async def move_seat(request: Request) -> Response:
    """A QR code by which another device takes this seat, or the hosting; good once, for ten minutes."""
    home, code, form = house(request), request.path_params["code"], await Form.of(request)
    await home.pace.hit("change", request)
    await look(request, code)
    seat = form.number("seat") if form.get("seat") else None
    token = token_from(form.key)
    room = await invite(home.database, code, seat, held(request), token)
    to = f"{request.base_url}room/{code}/arrive/{token}"
    return private(page(request, "room_move.html", room=room, seat=_seat_name(room, seat), to=to, qr=qr(to)))


async def arrive(request: Request) -> Response:
    """Asks whether to take the seat to this device; a link preview takes nothing."""
    home, (code, token) = house(request), (request.path_params["code"], request.path_params["token"])
    room, _ = await look(request, code)
    if request.method != "POST":
        await home.pace.test("guess", request)
        seat = await read_invitation(home.database, code, token)
        name = _seat_name(room, seat)
        return private(page(request, "room_arrive.html", room=room, seat=name, token=token, key=new_key()))
    form = await Form.of(request)
    await home.pace.hit("join", request)
    _, seat = await accept(home.database, code, token, form.holder, form.key)
    response = RedirectResponse(f"/room/{code}", 303)
    give(response, request, code, seat, token_from(form.key))
    return response


def _seat_name(room: Room, seat: int | None) -> str | None:
    return None if seat is None else room.seat(seat).name


routes = (
    Route("/room/{code}/device", move_seat, methods=["POST"]),
    Route("/room/{code}/arrive/{token}", arrive, methods=["GET", "POST"]),
)
