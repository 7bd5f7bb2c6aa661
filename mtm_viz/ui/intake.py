"""A measure that came in from outside, held up before it is accepted; pure functions of what was read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from mtm_viz.errors import InputError
from mtm_viz.measures.measure import Measure
from mtm_viz.measures.readers import Limits, format_of, measure_from_bytes
from mtm_viz.measures.readers.csv import pasted
from mtm_viz.measures.readers.ink import Ink
from mtm_viz.ui.drawing import duplicates, shares

#: Above this many atoms Solve takes minutes: a smaller measure is offered, with its W2.
COMFORTABLE = 400


@dataclass(frozen=True)
class Proposal:
    """What was read: from where, the measure, and for a picture how it was laid on the sphere and the bytes to lay it anew."""

    name: str
    measure: Measure
    content: bytes = b""
    options: Mapping[str, Any] | None = None

    @property
    def is_picture(self) -> bool:
        return self.options is not None

    def laid(self, options: Mapping[str, Any], limits: Limits) -> Proposal:
        """The same picture with other options."""
        if options == self.options:
            return self
        return replace(self, measure=measure_from_bytes(self.name, self.content, options, limits), options=options)

    def facts(self) -> list[str]:
        """What a person should know before accepting it, a short sentence each."""
        measure = self.measure
        said = [f"{len(measure):,} atoms in dimension {measure.dimension}, {shares(measure)}"]
        twice = duplicates(measure)
        if twice:
            said.append(f"{twice:,} of them lie on an earlier one; a solve merges those")
        return [*said, *measure.notes]


def read_file(name: str, content: bytes, limits: Limits) -> Proposal:
    """Read an uploaded file. Raises InputError naming file, place and remedy."""
    picture = format_of(name).options is Ink
    options: dict[str, Any] | None = {"n": 120} if picture else None
    measure = measure_from_bytes(name, content, options, limits)
    return Proposal(name, measure, content if picture else b"", options)


def read_paste(text: str, limits: Limits) -> Proposal:
    """Read a pasted block of numbers. Raises InputError."""
    return Proposal("the pasted block", pasted(text, limits))


def joined(before: Measure | None, more: Measure) -> Measure:
    """The atoms of both, each weighing beside the others as it did: a measure's mass goes by its number of atoms."""
    if before is None:
        return more
    if before.dimension != more.dimension:
        raise InputError(
            f"these points have {more.dimension} coordinates and the measure has {before.dimension}: replace it instead"
        )
    weights = np.concatenate([before.weights * len(before), more.weights * len(more)])
    return Measure(np.concatenate([before.points, more.points]), weights)
