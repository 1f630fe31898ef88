"""How often one client may do what could be abused: make rooms, join them, guess their codes."""

import ipaddress
import math
import time

from limits import RateLimitItem, parse
from limits.aio.storage import MemoryStorage
from limits.aio.strategies import MovingWindowRateLimiter
from starlette.requests import Request

from botq.rules import Refused

ALLOWED: dict[str, RateLimitItem] = {
    "make": parse("20/10minutes"),
    "join": parse("60/minute"),
    "guess": parse("20/minute"),  # codes that lead to no room; at that rate 40 bits last a hundred thousand years
    "keep": parse("20/10minutes"),
    "change": parse("240/minute"),  # a whole family behind one address, jumping fast
}


class TooOften(Refused):
    """This client did that too often lately."""

    def __init__(self, wait: int) -> None:
        super().__init__(f"that was too often: try again in {wait} seconds")
        self.wait = wait


class Pace:
    """What each client did lately, in the memory of this process."""

    def __init__(self) -> None:
        self._limiter = MovingWindowRateLimiter(MemoryStorage())

    async def hit(self, what: str, request: Request) -> None:
        """Counts one doing; raises `TooOften`."""
        if not await self._limiter.hit(ALLOWED[what], what, client(request)):
            raise await self._too_often(what, request)

    async def test(self, what: str, request: Request) -> None:
        """Raises `TooOften` where one more would be too many, without counting."""
        if not await self._limiter.test(ALLOWED[what], what, client(request)):
            raise await self._too_often(what, request)

    async def _too_often(self, what: str, request: Request) -> TooOften:
        over, _ = await self._limiter.get_window_stats(ALLOWED[what], what, client(request))
        return TooOften(max(1, math.ceil(over - time.time())))


def client(request: Request) -> str:
    """Who asks: an IPv4 address, or the /64 of an IPv6 one, which is what one household has."""
    host = request.client.host if request.client else ""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped:
            return str(address.ipv4_mapped)
        return str(ipaddress.ip_network((address, 64), strict=False).network_address)
    return host
