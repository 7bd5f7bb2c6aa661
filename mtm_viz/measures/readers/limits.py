"""How much of a file is read: bytes, atoms and seconds, each a bound that is told before and kept while reading."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from mtm_viz.errors import InputError
from mtm_viz.files import MOST_BYTES

MOST_ATOMS = 200_000
MOST_SECONDS = 5.0
#: The largest dimension of a problem, hence of a point.
MOST_COLUMNS = 64


@dataclass(frozen=True)
class Limits:
    """The bounds of one reading. `sentence` tells them to a person beforehand."""

    bytes: int = MOST_BYTES
    atoms: int = MOST_ATOMS
    seconds: float = MOST_SECONDS

    @property
    def sentence(self) -> str:
        return f"up to {self.bytes / 1e6:g} MB and {self.atoms:,} atoms a file"

    def require_bytes(self, n: int) -> None:
        if n > self.bytes:
            raise InputError(f"the file is larger than {self.bytes / 1e6:g} MB: make it smaller or raise the limit")

    def require_atoms(self, n: int) -> None:
        if n > self.atoms:
            raise InputError(f"the file holds more than {self.atoms:,} atoms: keep fewer rows or raise the limit")


@dataclass(frozen=True)
class Watch:
    """Limits with a clock that has started. Readers call `check` wherever a file decides how long they go on."""

    limits: Limits = field(default_factory=Limits)
    began: float = field(default_factory=time.monotonic)

    def check(self) -> None:
        if time.monotonic() - self.began > self.limits.seconds:
            raise InputError(
                f"reading took longer than {self.limits.seconds:g} s and was stopped: make the file simpler or smaller"
            )
