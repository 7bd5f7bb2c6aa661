"""What the command line understands by a number: argument types that refuse in words."""

from __future__ import annotations

import argparse
import math


def positive(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 < value < math.inf:
        raise argparse.ArgumentTypeError(f"'{text}' is not a positive number")
    return value


def count(text: str) -> int:
    if not text.isdecimal() or not 0 < int(text) < 2**31:
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number of at least 1")
    return int(text)


def direction(text: str) -> list[float]:
    try:
        return [float(x) for x in text.split(",")]
    except ValueError as problem:
        raise argparse.ArgumentTypeError(f"'{text}' is no direction such as 1,0,0") from problem


def seed(text: str) -> int:
    if not text.isdecimal() or int(text) >= 2**63:
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number of at least 0")
    return int(text)
