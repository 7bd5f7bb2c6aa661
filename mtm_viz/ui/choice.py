"""How a problem is to be solved, beside what it is: kept with the draft, in the link, and in the key of every run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from mtm_viz.errors import InputError
from mtm_viz.ui.draft import canonical

SEPARATION, CELLS = "separation", "cells"
STRATEGIES = (SEPARATION, CELLS)
#: As many cells as a link may ask for: no measure on the page has more atoms.
MOST_CELLS = 2_000


@dataclass(frozen=True)
class Choice:
    """The strategy; cells: slices an input with strategy `cells`, None for one a target atom."""

    strategy: str = SEPARATION
    cells: int | None = None

    def key(self, text: str) -> str:
        """The name of the run that solves the problem `text` in this way; where nothing is chosen, the text itself.

        >>> Choice().key("{}"), Choice("cells", 9).key("{}")
        ('{}', '{}\\n{"cells":9,"strategy":"cells"}')
        """
        said = {name: value for name, value in self.arguments().items() if value != getattr(Choice(), name)}
        return f"{text}\n{canonical(said)}" if said else text

    def arguments(self) -> dict[str, Any]:
        """What `interpolate` and `predict` take."""
        return {"strategy": self.strategy, "cells": self.cells}

    def in_link(self, usual: Choice | None = None) -> dict[str, str | None]:
        """The address's words for it; None where there is nothing to say beside what is usual for the problem."""
        if self == (usual or Choice()):
            return {"strategy": None, "cells": None}
        return {"strategy": self.strategy, "cells": str(self.cells) if self.strategy == CELLS and self.cells else None}


#: The address's names for it.
IN_LINK = tuple(Choice().in_link())


def from_link(said: dict[str, str | None]) -> Choice:
    """The choice an address names. Raises InputError for one that does not exist."""
    strategy, cells = said.get("strategy") or SEPARATION, said.get("cells")
    if strategy not in STRATEGIES:
        raise InputError(f'it names a strategy "{strategy[:40]}" that does not exist')
    if cells is None:
        return Choice(strategy)
    if strategy != CELLS or not cells.isdecimal() or not 1 <= int(cells[:9]) <= MOST_CELLS:
        raise InputError(f'it asks for "{cells[:40]}" cells: give 1 to {MOST_CELLS:,}, with strategy cells')
    return Choice(strategy, int(cells))


def problem_of(key: str) -> str:
    """The text of the problem in a run's key."""
    return key.partition("\n")[0]
