"""A problem made of generators as text short enough for a link, and back; a link is hostile until read."""

from __future__ import annotations

import base64
import binascii
import zlib
from typing import Any

from mtm_viz.errors import InputError
from mtm_viz.files import load_json
from mtm_viz.problem import Problem
from mtm_viz.ui.draft import canonical, refuse_too_large

#: The longest text put into a link, and the largest problem read out of one.
MOST_TEXT = 8_000
MOST_JSON = 64_000


def pack(said: dict[str, Any]) -> str | None:
    """The problem as URL-safe text, or None where it would make the link too long."""
    text = base64.urlsafe_b64encode(zlib.compress(canonical(said).encode(), 9)).decode().rstrip("=")
    return text if len(text) <= MOST_TEXT else None


def unpack(text: str) -> dict[str, Any]:
    """The problem in a link, checked. Raises InputError for anything else, without unpacking more than it should."""
    if len(text) > MOST_TEXT:
        raise InputError("the link is longer than this app writes")
    try:
        packed = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        inflate = zlib.decompressobj()
        content = inflate.decompress(packed, MOST_JSON)
        if inflate.unconsumed_tail or not inflate.eof:
            raise InputError("the link is damaged or holds more than this app puts into one")
    except (binascii.Error, ValueError, zlib.error) as problem:
        if isinstance(problem, InputError):
            raise
        raise InputError("the link is damaged") from problem
    said = load_json(content)
    refuse_too_large(said)
    return Problem.from_json(said).to_json()
