"""Reverse: a phase run backwards, (V, W) -> (-V, -W) and the order of its segments turned."""

from __future__ import annotations

from dataclasses import replace

from mtm_viz.construction.stage import Stage
from mtm_viz.dynamics.exact import Boost, ClosedForm, Gate, Gates, MeanField, Rotation
from mtm_viz.dynamics.schedule import UNDO


def reverse(stages: tuple[Stage, ...]) -> tuple[Stage, ...]:
    """The stages that undo `stages`, in the order in which they must run."""
    return tuple(
        replace(
            stage,
            phase=UNDO + stage.phase,
            forms=tuple(reversed_form(form) for form in reversed(stage.forms)),
            claim=f"before it {stage.claim}",
        )
        for stage in reversed(stages)
    )


def reversed_form(form: ClosedForm) -> ClosedForm:
    """The closed form of the inverse segment."""
    match form:
        case Boost(omega, duration):
            return Boost(-omega, duration)
        case Rotation(generator, duration):
            return Rotation(-generator, duration)
        case Gate(a, tau, omega, duration):
            return Gate(a, tau, omega, -duration)
        case Gates():
            return replace(form, duration=-form.duration)
        case MeanField(V, drift, duration):
            return MeanField(-V, -drift, duration)
