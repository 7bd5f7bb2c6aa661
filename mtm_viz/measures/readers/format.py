"""What a reader is: its suffixes, its options, and a function from bytes to a Measure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from mtm_viz.errors import InputError
from mtm_viz.measures.measure import Measure
from mtm_viz.measures.readers.limits import Watch
from mtm_viz.parameters import check, parameters


@dataclass(frozen=True)
class Options:
    """Reader options: the fields are parameters, checked on construction. This one has none."""

    def __post_init__(self) -> None:
        check(self)


@dataclass(frozen=True)
class Format:
    """One module of this folder. `read(content, options, watch)` raises InputError and nothing else."""

    label: str
    suffixes: tuple[str, ...]
    read: Callable[[bytes, Any, Watch], Measure]
    options: type[Options] = field(default=Options)

    def with_options(self, said: dict[str, Any]) -> Options:
        """The options as read; what is left out takes its default. Raises InputError naming the option."""
        known = parameters(self.options)
        unknown = [name for name in said if name not in known]
        if unknown:
            raise InputError(f'"{unknown[0]}" is no option of {self.label}: use {", ".join(known) or "none"}')
        return self.options(**said)
