"""What links carry: compressed text, and points of S^2 as four bytes each, on an octahedral grid finer than any eye
(0.005 degrees) and exact once snapped."""

from __future__ import annotations

import base64
import binascii
import zlib

import numpy as np

from mtm_viz.errors import InputError
from mtm_viz.measures.measure import Measure

#: The longest text put into a link, and the most that is read out of one.
MOST_TEXT = 8_000
MOST_JSON = 64_000
_STEPS = 65_535
#: The most atoms a link carries: 8 kB of base64 hold 1,500.
MOST_PACKED = 1_500


def deflated(content: bytes) -> str | None:
    """The content as URL-safe text, or None where that would be too long for a link, or more than is read out of one."""
    text = base64.urlsafe_b64encode(zlib.compress(content, 9)).decode().rstrip("=")
    return text if len(text) <= MOST_TEXT and len(content) <= MOST_JSON else None


def inflated(text: str) -> bytes:
    """The content of a link's text. Raises InputError for anything else, without unpacking more than it should."""
    if len(text) > MOST_TEXT:
        raise InputError("the link is longer than this app writes")
    try:
        packed = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        inflate = zlib.decompressobj()
        content = inflate.decompress(packed, MOST_JSON)
        finished = inflate.eof and not inflate.unconsumed_tail
    except (binascii.Error, ValueError, zlib.error) as problem:
        raise InputError("the link is damaged") from problem
    if not finished:
        raise InputError("the link is damaged or holds more than this app puts into one")
    return content


def snap(points: np.ndarray) -> np.ndarray:
    """The nearest grid points, as a Measure keeps them, so that a link brings back every bit."""
    return Measure(_decoded(_encoded(points))).points


def pack_points(points: np.ndarray) -> str | None:
    """URL-safe text, or None where some point is off the grid or there are too many."""
    if points.ndim != 2 or points.shape[1] != 3 or not 0 < len(points) <= MOST_PACKED:
        return None
    codes = _encoded(points)
    if not np.array_equal(Measure(_decoded(codes)).points, points):
        return None
    return base64.urlsafe_b64encode(codes.astype("<u2").tobytes()).decode().rstrip("=")


def unpack_points(text: str) -> np.ndarray:
    """The inverse of pack_points. Raises InputError."""
    if not 0 < len(text) <= 6 * MOST_PACKED:
        raise InputError("packed points are too many")
    try:
        content = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        codes = np.frombuffer(content, "<u2").reshape(-1, 2)
    except (binascii.Error, ValueError) as problem:
        raise InputError("packed points are damaged") from problem
    return Measure(_decoded(codes)).points


def _encoded(points: np.ndarray) -> np.ndarray:
    """Project to the octahedron |x| + |y| + |z| = 1, fold its lower half outward, round to the grid."""
    x, y, z = (points / np.abs(points).sum(axis=1, keepdims=True)).T
    below = z < 0
    u = np.where(below, (1 - np.abs(y)) * _sign(x), x)
    v = np.where(below, (1 - np.abs(x)) * _sign(y), y)
    return np.rint((np.stack([u, v], axis=1) + 1) / 2 * _STEPS).astype(np.uint16)


def _decoded(codes: np.ndarray) -> np.ndarray:
    u, v = codes.astype(np.float64).T / _STEPS * 2 - 1
    z = 1 - np.abs(u) - np.abs(v)
    below = z < 0
    x = np.where(below, (1 - np.abs(v)) * _sign(u), u)
    y = np.where(below, (1 - np.abs(u)) * _sign(v), v)
    points = np.stack([x, y, z], axis=1)
    return points / np.linalg.norm(points, axis=1, keepdims=True)


def _sign(a: np.ndarray) -> np.ndarray:
    return np.where(a < 0, -1.0, 1.0)
