"""Numbers as a person reads them."""

from __future__ import annotations

import math
import re

_SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def number(x: float) -> str:
    """Two or three digits, with a power of ten where plain digits would be long.

    >>> number(3.14159), number(0.0), number(2.5e-9), number(1e-4), number(12345.0)
    ('3.14', '0', '2.5 × 10⁻⁹', '10⁻⁴', '12,345')
    """
    if x == 0 or not math.isfinite(x):
        return "0" if x == 0 else "∞" if x > 0 else "−∞" if x < 0 else "undefined"
    if 0.01 <= abs(x) < 1000:
        return f"{x:.3g}"
    if 1000 <= abs(x) < 1e6:
        return f"{x:,.0f}"
    digits, exponent = f"{x:.1e}".split("e")
    power = f"10{str(int(exponent)).translate(_SUPERSCRIPT)}"
    return power if digits == "1.0" else f"{digits} × {power}"


def powers(text: str) -> str:
    """A text with its numbers in exponential form as a person reads them.

    >>> powers("turned by 3.0e-04 rad")
    'turned by 3.0 × 10⁻⁴ rad'
    """
    return re.sub(r"\d(\.\d+)?e[+-]\d+", lambda found: number(float(found[0])), text)


def degrees(radians: float) -> str:
    """An angle given in radians, as a number of degrees.

    >>> degrees(math.pi / 2)
    '90'
    """
    return number(math.degrees(radians))


def seconds(s: float) -> str:
    """A duration, no finer than a person waits.

    >>> seconds(0.3), seconds(4.4), seconds(150)
    ('under 1 s', '4 s', '2.5 min')
    """
    if s < 1:
        return "under 1 s"
    return f"{s:.0f} s" if s < 90 else f"{s / 60:.1f} min"


def listed(names: list[str]) -> str:
    """Names in a sentence.

    >>> listed(["a", "b", "c"])
    'a, b and c'
    """
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]


def sentence(text: str) -> str:
    """An error's text as a sentence: capital first, full stop last.

    >>> sentence('n is 0: give 1 or more')
    'N is 0: give 1 or more.'
    """
    text = text.strip()
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")
