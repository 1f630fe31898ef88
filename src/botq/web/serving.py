"""Runs the web app, and says where it is."""

import os
import socket
import threading
import webbrowser

import segno
import uvicorn
from fastapi import FastAPI

from botq.rules import Refused
from botq.words import shown

EVERYWHERE = "0.0.0.0"  # noqa: S104  (asked for with --lan)


class _Server(uvicorn.Server):
    """A server that ends the streams of the rooms before it waits for every answer to end."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        house = getattr(self.config.app.state, "house", None)  # type: ignore[union-attr]  # always our app
        if house:
            house.live.close()
        await super().shutdown(sockets)


def serve(
    app: FastAPI, host: str, port: int, *, lan: bool = False, open_page: bool = False, proxies: str | None = None
) -> None:
    """Serves until Ctrl-C; prints the address, with `lan` also as a QR code for the phones in the room.

    `proxies` lists the addresses whose `X-Forwarded-For` and `-Proto` are believed; without it, nobody's.
    """
    listening = listen(EVERYWHERE if lan else host, port)
    port = listening.getsockname()[1]
    shown = own_address() if lan else host
    address = f"http://{f'[{shown}]' if ':' in shown else shown}:{port}/"
    print(f"Back of the Queue is at {address} (Ctrl-C stops it)", flush=True)
    if lan:
        segno.make(address, error="m").terminal(compact=True)
        print("Everybody on this network can open it.", flush=True)
    if open_page:
        # The socket listens already, so the page waits for the server; a browser in the terminal must not hold it up.
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
    try:
        config = uvicorn.Config(
            app,
            log_level="warning",
            server_header=False,
            proxy_headers=proxies is not None,
            forwarded_allow_ips=proxies,
            timeout_graceful_shutdown=5,
        )
        _Server(config).run(sockets=[listening])
    except KeyboardInterrupt:
        print("Stopped.")


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens there, on a free port for 0; raises `Refused`."""
    if not 0 <= port <= 65535:
        raise Refused(f"a port is 0 to 65535, not {port}")
    if not host.strip() or not host.isprintable():  # without an address it would listen everywhere, unasked
        raise Refused(f"{shown(host)} is no address to listen on: --lan listens on the local network")
    try:
        listening = socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except (OSError, UnicodeError) as trouble:
        why = os.strerror(trouble.errno) if isinstance(trouble, OSError) and trouble.errno else trouble
        raise Refused(f"cannot listen on {host} port {port}: {why}") from None
    # Connections inherit it.  Without it, every answer but the first on one waits 40 ms for the browser's receipt.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening


def own_address() -> str:
    """This machine's address on the local network, as the way to a far one would leave it; nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address kept for documentation
            return str(probe.getsockname()[0])
        except OSError:
            return socket.gethostname()
