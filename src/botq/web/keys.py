"""Keys of forms: a form pressed twice is known to be one wish, and taking a seat gives one token."""

import base64
import hashlib
import re
import secrets

from botq.rules import Refused

_KEY = re.compile(r"[A-Za-z0-9_-]{22}")


def new_key() -> str:
    """A key for one form: 128 bits, so that pressing it twice is known to be the same wish."""
    return secrets.token_urlsafe(16)


def checked_key(key: str) -> str:
    """The key, if it can be one of ours; raises `Refused`."""
    if not _KEY.fullmatch(key):
        raise Refused("this form was not made here: load the page again")
    return key


def token_from(key: str) -> str:
    """The token of the seat that was taken with the form of this key, 128 bits.

    It follows from the key, so that a form pressed again because the answer was lost brings the
    same seat.  The key itself is kept only as a hash, so nobody can follow it from the database.
    """
    return base64.urlsafe_b64encode(hashlib.sha256(b"seat " + key.encode()).digest()[:16]).rstrip(b"=").decode()
