"""A free exploration: measures let go under a chosen law of motion. The mtm-scenario file format, version 1."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from mtm_viz.dynamics.law import Law
from mtm_viz.dynamics.law_file import number, read_law
from mtm_viz.dynamics.stages import LONGEST, Stage, read_stages, total_duration
from mtm_viz.errors import InputError
from mtm_viz.files import load_json, named, read_bytes, written_whole
from mtm_viz.measures.measure import Measure
from mtm_viz.measures.source import Source, source_from_json
from mtm_viz.pacing import segment_shares

MOST_MEASURES = 16
MOST_FRAMES = 10_000
MOST_LAYERS = 1_000_000
#: Numbers a run may hold: 1 GB of float32, the most that is read back.
MOST_NUMBERS = 240_000_000
INTEGRATORS = ("auto", "dopri54", "bs32")
_KEYS = ("format", "version", "dimension", "initial", "dynamics", "schedule", "horizon", "frames", "integrator", "seed")


@dataclass(frozen=True, eq=False)
class Scenario:
    """Measures on S^{d-1}, a law of motion as its file says it, and how long to watch: never results.

    schedule: segments, each with its duration and what its law says in place of `dynamics`; or (), one law throughout.
    horizon: where there is a schedule, the sum of its durations.
    """

    dimension: int
    initial: tuple[Source, ...]
    dynamics: dict[str, Any]
    horizon: float = 20.0
    frames: int = 200
    integrator: str = "auto"
    seed: int = 0
    schedule: tuple[dict[str, Any], ...] = ()

    @cached_property
    def measures(self) -> tuple[Measure, ...]:
        """The initial measures, drawn."""
        found = []
        for k, source in enumerate(self.initial, start=1):
            try:
                found.append(source.measure(self.dimension))
            except InputError as problem:
                raise InputError(f"initial measure {k}: {problem}") from problem
        return tuple(found)

    @cached_property
    def law(self) -> Law:
        """What `dynamics` says; segments of a schedule may say otherwise."""
        return read_law(self.dynamics, self.dimension, self.seed)

    @cached_property
    def stages(self) -> tuple[Stage, ...]:
        """The laws one after another; one alone without a schedule."""
        if not self.schedule:
            return (Stage(self.law, 0.0, self.horizon),)
        return read_stages(self.dynamics, self.schedule, self.dimension, self.seed)

    @cached_property
    def segment(self) -> np.ndarray:
        """Index of the stage that each frame ends or lies in, (F,): every boundary is a frame, and each stage gets
        its share of `frames`, at least one; F = `frames` where there is no schedule."""
        if not self.schedule:
            return np.zeros(self.frames, dtype=int)
        shares = segment_shares([stage.phase for stage in self.stages], np.arange(len(self.stages)))
        pieces = np.maximum(1, np.rint((self.frames - 1) * shares).astype(int))
        return np.concatenate([[0], np.repeat(np.arange(len(pieces)), pieces)])

    @cached_property
    def times(self) -> np.ndarray:
        """Layer time of each frame, (F,), from 0 to the horizon; at equal times within a stage."""
        if not self.schedule:
            return np.linspace(0.0, self.horizon, self.frames)
        pieces = np.bincount(self.segment[1:])
        inside = [np.linspace(s.start, s.end, m + 1)[1:] for s, m in zip(self.stages, pieces, strict=True)]
        return np.concatenate([[0.0], *inside])

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(f"measure {k + 1}" for k in range(len(self.initial)))

    def seeded(self, seed: int) -> Scenario:
        """The same scenario with another seed for its noise and its random matrices."""
        return replace(self, seed=seed)

    def to_json(self) -> dict[str, Any]:
        sources = [source.to_json() for source in self.initial]
        lasts = {"schedule": list(self.schedule)} if self.schedule else {"horizon": self.horizon}
        return {
            "format": "mtm-scenario",
            "version": 1,
            "dimension": self.dimension,
            "initial": sources[0] if len(sources) == 1 else sources,
            "dynamics": self.dynamics,
            **lasts,
            "frames": self.frames,
            "integrator": self.integrator,
            "seed": self.seed,
        }

    @classmethod
    def from_json(cls, said: Any, folder: Path | None = None) -> Scenario:
        """Read a decoded mtm-scenario. Raises InputError naming the place and the remedy."""
        if not isinstance(said, dict) or said.get("format") != "mtm-scenario":
            raise InputError('this is not a scenario: it needs "format": "mtm-scenario"')
        if said.get("version") != 1:
            raise InputError(f"scenario version {said.get('version')!r} is not known: this program reads version 1")
        unknown = sorted(set(said) - set(_KEYS))
        if unknown:
            raise InputError(f'"{unknown[0][:40]}" is not known in a scenario: use {", ".join(_KEYS[2:])}')
        given = said.get("initial")
        listed = given if isinstance(given, list) else [given]
        if not 1 <= len(listed) <= MOST_MEASURES:
            raise InputError(f'"initial" must be a measure or a list of 1 to {MOST_MEASURES} measures')
        integrator = said.get("integrator", "auto")
        if integrator not in INTEGRATORS:
            raise InputError(f'"integrator" is {str(integrator)[:40]!r}: use one of {", ".join(INTEGRATORS)}')
        schedule = said.get("schedule")
        if schedule is not None and "horizon" in said:
            raise InputError('"horizon" stands beside "schedule", whose segments say how long they last: leave it out')
        horizon = (
            number(said.get("horizon", 20.0), "horizon", 1e-6, LONGEST)
            if schedule is None
            else total_duration(schedule)
        )
        scenario = cls(
            dimension=_whole(said, "dimension", 2, 64, None),
            initial=tuple(
                source_from_json(one, f"initial measure {k}" if len(listed) > 1 else "the initial measure", folder)
                for k, one in enumerate(listed, start=1)
            ),
            dynamics=said.get("dynamics", {}),
            horizon=horizon,
            frames=_whole(said, "frames", 2, MOST_FRAMES, 200),
            integrator=integrator,
            seed=_whole(said, "seed", 0, 2**53, 0),
            schedule=tuple(schedule or ()),
        )
        scenario._check()
        return scenario

    def _check(self) -> None:
        """Every measure is drawn and the law read before anything is promised."""
        layers = self.stages[0].law.layers
        if layers is not None and self.horizon / layers + len(self.stages) > MOST_LAYERS:
            raise InputError(
                f'"layers" {layers:g} makes more than {MOST_LAYERS} layers: use a larger step or a shorter horizon'
            )
        atoms = sum(len(measure) for measure in self.measures)
        if atoms * len(self.segment) * self.dimension > MOST_NUMBERS:
            most = MOST_NUMBERS // (atoms * self.dimension)
            remedy = f"give at most {most} frames" if most >= 2 else "give fewer particles"
            raise InputError(f"{atoms} particles at {len(self.segment)} frames are more than a file holds: {remedy}")

    @classmethod
    def from_bytes(cls, content: bytes, folder: Path | None = None) -> Scenario:
        """Read a scenario file's content."""
        return cls.from_json(load_json(content), folder)

    @classmethod
    def load(cls, path: str | Path) -> Scenario:
        """Read a scenario file; its {"file": ...} measures are looked for beside it."""
        path = Path(path)
        with named(path.name):
            return cls.from_bytes(read_bytes(path), path.parent)

    def save(self, path: str | Path) -> None:
        with written_whole(path) as stream:
            stream.write(json.dumps(self.to_json()).encode() + b"\n")


def _whole(said: dict[str, Any], name: str, low: int, high: int, default: int | None) -> int:
    value = said.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise InputError(f'"{name}" is {str(value)[:40]}: give a whole number from {low} to {high}')
    return value
