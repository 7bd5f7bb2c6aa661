"""Segments whose flow is known in closed form: boost, rotation, one gate or several, mean field with B = 0."""

from __future__ import annotations

from mtm_viz.dynamics.exact.boost import Boost
from mtm_viz.dynamics.exact.gate import Gate
from mtm_viz.dynamics.exact.gates import Gates
from mtm_viz.dynamics.exact.mean_field import MeanField
from mtm_viz.dynamics.exact.rotation import Rotation
from mtm_viz.dynamics.schedule import Segment

ClosedForm = Boost | Rotation | Gate | Gates | MeanField

__all__ = ["Boost", "ClosedForm", "Gate", "Gates", "MeanField", "Rotation", "recognise"]


def recognise(segment: Segment) -> ClosedForm | None:
    """The closed form of a segment's flow, read off its parameters alone; None where none is known."""
    for kind in (Gate, Rotation, Boost, MeanField, Gates):
        form = kind.of(segment)
        if form is not None:
            return form
    return None
