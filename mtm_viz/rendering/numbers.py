"""Numbers as the player writes them (format.js)."""

from __future__ import annotations

import math

_SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_SUBSCRIPT = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def superscript(n: int) -> str:
    """
    >>> superscript(-12)
    '⁻¹²'
    """
    return str(n).translate(_SUPERSCRIPT)


def scientific(x: float) -> str:
    """
    >>> scientific(3.2e-9)
    '3.2·10⁻⁹'
    """
    digits, exponent = f"{x:.1e}".split("e")
    return f"{digits}·10{superscript(int(exponent))}"


def radians(x: float) -> str:
    """
    >>> radians(1.23456), radians(0.0), radians(4e-9)
    ('1.235', '0', '4.0·10⁻⁹')
    """
    if not math.isfinite(x):
        return "–"
    if x == 0:
        return "0"
    return scientific(x) if x < 1e-3 else f"{x:.3f}"


def phase_title(name: str) -> str:
    """
    >>> phase_title("undo-gather")
    'gather, undone'
    """
    return f"{name.removeprefix('undo-')}, undone" if name.startswith("undo-") else name
