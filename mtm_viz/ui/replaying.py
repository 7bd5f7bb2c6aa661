"""From an interpolation, or a schedule's file, to a scenario that replays it."""

from __future__ import annotations

import io
from typing import Any

from mtm_viz.dynamics.schedule import Schedule
from mtm_viz.dynamics.schedule_file import load_arrays, read_schedule
from mtm_viz.dynamics.stages import segments_said
from mtm_viz.errors import InputError
from mtm_viz.run import Run

#: Moments of the film, beside one at every boundary.
FRAMES = 240


def scenario_of(run: Run) -> dict[str, Any]:
    """A scenario in which the run's inputs go through its schedule."""
    return _scenario(run.schedule, [pair.input.to_json() for pair in run.problem.pairs])


def scenario_of_file(content: bytes, name: str, initial: Any, dimension: int) -> dict[str, Any]:
    """The scenario of a run's file, or of a schedule's with the measures at hand. Raises InputError for anything else."""
    if name.lower().endswith(".npz"):
        arrays = load_arrays(io.BytesIO(content))
        if "problem" in arrays:
            return scenario_of(Run.from_arrays(arrays))
        schedule = read_schedule(content, ".npz")
    else:
        schedule = read_schedule(content, ".json")
    if schedule.dimension != dimension:
        raise InputError(
            f"the schedule is for dimension {schedule.dimension} and the measures at hand for {dimension}: "
            f"set the dimension to {schedule.dimension} first"
        )
    return _scenario(schedule, initial)


def _scenario(schedule: Schedule, initial: Any) -> dict[str, Any]:
    if isinstance(initial, list) and len(initial) == 1:
        initial = initial[0]
    said = {"format": "mtm-scenario", "version": 1, "dimension": schedule.dimension, "initial": initial}
    said |= {"dynamics": {"model": "sa"}, "schedule": segments_said(schedule)}
    return said | {"frames": FRAMES, "integrator": "auto", "seed": 0}
