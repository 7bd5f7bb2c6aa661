"""Parameters that change with layer time: the "schedule" of an mtm-scenario, a law of motion for every segment."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from mtm_viz.dynamics.law import Law
from mtm_viz.dynamics.law_file import DEFAULTS, number, read_law
from mtm_viz.dynamics.schedule import Schedule, Segment
from mtm_viz.errors import InputError

MOST_SEGMENTS = 10_000
#: What a segment may say of its law; the space of the state and discrete layers are the whole scenario's.
CHANGING = tuple(key for key in DEFAULTS if key not in ("placement", "layers"))
#: Entries of a segment's matrices: time may be divided so finely that they are large.
LARGEST = 1e6
SHORTEST, LONGEST = 1e-12, 1e5
PLAIN = "segment"


@dataclass(frozen=True, eq=False)
class Stage:
    """One law from `start` to `end` in layer time; `phase` names what it is for."""

    law: Law
    start: float
    end: float
    phase: str = PLAIN


def total_duration(schedule: Any) -> float:
    """How long a list of segments lasts. Raises InputError for what is no such list, or a duration that is none."""
    if not isinstance(schedule, list | tuple) or not 1 <= len(schedule) <= MOST_SEGMENTS:
        raise InputError(
            f'"schedule" must be a list of 1 to {MOST_SEGMENTS} segments such as {{"duration": 1, "beta": 5}}'
        )
    total = 0.0
    for k, said in enumerate(schedule, start=1):
        if not isinstance(said, dict):
            raise InputError(f'segment {k} must be an object such as {{"duration": 1, "beta": 5}}')
        with _named(k):
            total += number(said.get("duration"), "duration", SHORTEST, LONGEST)
    if total > LONGEST:
        raise InputError(f'"schedule" lasts {total:g} in all: shorten its segments to at most {LONGEST:g}')
    return total


def read_stages(dynamics: Any, schedule: Any, dimension: int, seed: int) -> tuple[Stage, ...]:
    """The stages of a list of segments {"duration", "phase"?, and what its law says in place of "dynamics"}.

    Raises InputError, one sentence that names the segment, counted from 1, and the key.
    """
    total_duration(schedule)
    read_law(dynamics, dimension, seed)
    stages, start = [], 0.0
    for k, said in enumerate(schedule, start=1):
        with _named(k):
            law, phase = _law(dynamics, said, dimension, seed), _phase(said)
        duration = float(said["duration"])
        if law.layers is not None:
            # Whole layers, so that the next law starts where this one ends.
            law = replace(law, layers=duration / math.ceil(duration / law.layers * (1 - 1e-12)))
        stages.append(Stage(law, start, start + duration, phase))
        start = stages[-1].end
    return tuple(stages)


def _law(dynamics: dict[str, Any], said: dict[str, Any], dimension: int, seed: int) -> Law:
    unknown = sorted(set(said) - {"duration", "phase", *CHANGING})
    if unknown:
        raise InputError(f'"{unknown[0][:40]}" is not known in a segment: use duration, phase, {", ".join(CHANGING)}')
    return read_law(in_segment(dynamics, said), dimension, seed, LARGEST)


def _phase(said: dict[str, Any]) -> str:
    phase = said.get("phase", PLAIN)
    if not isinstance(phase, str) or not 1 <= len(phase) <= 40:
        raise InputError('"phase" must be a word of at most 40 letters')
    return phase


@contextmanager
def _named(k: int) -> Iterator[None]:
    try:
        yield
    except InputError as problem:
        raise InputError(f"segment {k}: {problem}") from problem


def in_segment(dynamics: dict[str, Any], segment: dict[str, Any]) -> dict[str, Any]:
    """The law of a segment in the words of "dynamics": what it says itself, and what it leaves to the whole.

    >>> in_segment({"beta": 2, "noise": 0.1}, {"duration": 1, "heads": [{"beta": 5}]})
    {'noise': 0.1, 'heads': [{'beta': 5}]}
    """
    own = {key: value for key, value in segment.items() if key not in ("duration", "phase")}
    # One head and a list of heads are two ways to say the same: the segment's way counts.
    replaced = (
        {"V", "B", "beta"} if own.get("heads") is not None else {"heads"} if {"V", "B", "beta"} & set(own) else set()
    )
    return {key: value for key, value in dynamics.items() if key not in replaced} | own


def segments_said(schedule: Schedule) -> list[dict[str, Any]]:
    """A Transformer's schedule as the segments of a scenario with "dynamics" {"model": "sa"}; zeros are said in a word."""
    return [_said(segment) for segment in schedule]


def _said(segment: Segment) -> dict[str, Any]:
    attention = {"V": segment.V.tolist(), "B": segment.B.tolist() if np.any(segment.B) else "zero"}
    said: dict[str, Any] = {"duration": segment.duration, "phase": segment.phase}
    said |= attention if segment.uses_attention else {"V": "zero"}
    if np.any(segment.W):
        # A unit that does nothing is left out: most gates use one of d.
        used = np.flatnonzero(np.any(segment.W != 0, axis=0))
        said |= {"W": segment.W[:, used].tolist(), "U": segment.U[used].tolist(), "b": segment.b[used].tolist()}
    return said
