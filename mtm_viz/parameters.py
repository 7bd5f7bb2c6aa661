"""What a person may set: one Parameter a dataclass field, from which values are checked and widgets are made."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, field, fields
from typing import Any

from mtm_viz.errors import InputError


@dataclass(frozen=True)
class Parameter(ABC):
    """A field's label, its range (None: open) and unit, and a sentence of help.

    `read` turns what JSON or a widget gave into the field's value, or raises InputError with a sentence
    that continues the field's name; `write` turns the value back into JSON.
    """

    label: str
    help: str
    min: float | None = None
    max: float | None = None
    unit: str = ""

    @abstractmethod
    def read(self, said: Any) -> Any: ...

    def write(self, value: Any) -> Any:
        return value

    def field(self, default: Any) -> Any:
        """The dataclass field this parameter describes."""
        return field(default=default, metadata={"parameter": self})


@dataclass(frozen=True)
class Number(Parameter):
    """A finite number in [min, max]."""

    def read(self, said: Any) -> float:
        value = _finite(said)
        low, high = self.min, self.max
        if value is None or (low is not None and value < low) or (high is not None and value > high):
            raise InputError(f"is {_short(said)}: give a number {_span(low, high)}".rstrip())
        return value


@dataclass(frozen=True)
class Direction(Parameter):
    """A vector of R^d that is not zero, of any length; None: the last axis, north. Stored as a tuple."""

    def read(self, said: Any) -> tuple[float, ...] | None:
        if said is None:
            return None
        numbers = [_finite(x) for x in said] if isinstance(said, list | tuple) else []
        kept = tuple(x for x in numbers if x is not None)
        if len(kept) < 2 or len(kept) < len(numbers) or not any(kept):
            raise InputError(f"is {_short(said)}: give a direction such as [0, 0, 1]")
        return kept

    def write(self, value: tuple[float, ...] | None) -> list[float] | None:
        return None if value is None else list(value)


@dataclass(frozen=True)
class Words(Parameter):
    """A line of text of at least one and at most `max` characters."""

    def read(self, said: Any) -> str:
        most = math.inf if self.max is None else self.max
        if not isinstance(said, str) or not said.strip() or not said.isprintable() or len(said) > most:
            raise InputError(f"is {_short(said)}: give one line of 1 to {most:g} characters")
        return said


@dataclass(frozen=True)
class Choice(Parameter):
    """One of a few words."""

    among: tuple[str, ...] = ()

    def read(self, said: Any) -> str:
        if said not in self.among:
            raise InputError(f"is {_short(said)}: give one of {', '.join(self.among)}")
        return said


@dataclass(frozen=True)
class Whole(Parameter):
    """A whole number in [min, max]."""

    def read(self, said: Any) -> int:
        low, high = self.min, self.max
        whole = isinstance(said, int) and not isinstance(said, bool)
        if not whole or (low is not None and said < low) or (high is not None and said > high):
            raise InputError(f"is {_short(said)}: give a whole number {_span(low, high)}".rstrip())
        return said


@dataclass(frozen=True)
class Flag(Parameter):
    """Yes or no."""

    def read(self, said: Any) -> bool:
        if not isinstance(said, bool):
            raise InputError(f"is {_short(said)}: give true or false")
        return said


def parameters(kind: type) -> dict[str, Parameter]:
    """The parameters of a dataclass by field name, in order."""
    return {f.name: f.metadata["parameter"] for f in fields(kind) if "parameter" in f.metadata}


def check(instance: Any) -> None:
    """Read every parameter of a frozen dataclass instance in place. Raises InputError naming the field."""
    for name, parameter in parameters(type(instance)).items():
        try:
            object.__setattr__(instance, name, parameter.read(getattr(instance, name)))
        except InputError as problem:
            raise InputError(f'"{name}" {problem}') from problem


def _finite(said: Any) -> float | None:
    if isinstance(said, bool) or not isinstance(said, int | float):
        return None
    try:
        value = float(said)
    except OverflowError:  # a whole number beyond float64
        return None
    return value if math.isfinite(value) else None


def _span(low: float | None, high: float | None) -> str:
    if low is not None and high is not None:
        return f"from {low:g} to {high:g}"
    if low is not None:
        return f"of at least {low:g}"
    return "" if high is None else f"of at most {high:g}"


def _short(said: Any) -> str:
    text = repr(said)
    return text if len(text) <= 60 else text[:57] + "..."
