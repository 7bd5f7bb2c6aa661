"""A Run or a Simulation as one compact binary: what the player shows, and nothing else.

Layout: b"MTM1", header length (uint32, little-endian), header (JSON, UTF-8), body (zlib). The header's "sections" name
the arrays of the body: dtype, shape, byte offset (multiples of 8, after inflating). Points on the sphere are int16 with
step 1/32767 (3e-5 rad, a fiftieth of a pixel); trajectories hold differences from the frame before, modulo 2^16, so
that an atom at rest costs nothing once compressed.
"""

from __future__ import annotations

import json
import struct
import zlib
from dataclasses import replace
from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment

from mtm_viz import sphere
from mtm_viz.diagnostics.phases import DEFINITION
from mtm_viz.dynamics.law import Law
from mtm_viz.dynamics.models.sa import Softmax
from mtm_viz.dynamics.stages import PLAIN, Stage
from mtm_viz.rendering.sentences import phase_sentence
from mtm_viz.run import Run
from mtm_viz.simulation import Simulation

MAGIC = b"MTM1"
STEP = 32767.0
#: Up to this many atoms a measure the optimal assignment is found in a fraction of a second.
MOST_ASSIGNED = 1000


def encode(run: Run | Simulation) -> bytes:
    """The player's payload of a run; a simulation has one law throughout, and neither targets nor W2."""
    return _encode_run(run) if isinstance(run, Run) else _encode_simulation(run)


def _encode_simulation(simulation: Simulation) -> bytes:
    body, scenario = _Body(), simulation.scenario
    stages, d = _stretches(simulation), scenario.dimension
    body.add("times", simulation.times.astype("<f8"))
    body.add("display", simulation.display.astype("<f8"))
    body.add("duration", np.array([stage.end - stage.start for stage in stages], "<f8"))
    # One head of softmax attention and a perceptron is the model of the matrices, glyphs and field; others are played.
    plain = all(len(s.law.heads) == 1 and isinstance(s.law.model, Softmax) and s.law.residual == 0 for s in stages)
    width = max(1 if stage.law.b is None else len(stage.law.b) for stage in stages) if plain else 1
    theta = [_theta(stage.law, d, width) if plain else _theta(None, d, 1) for stage in stages]
    for name in "VBWUb":
        body.add(name, np.array([each[name] for each in theta], "<f4"))
    for i, trajectory in enumerate(simulation.trajectories):
        body.add(f"trajectory_{i}", _differences(quantise(trajectory)))
        body.add(f"weights_{i}", simulation.weights[i].astype("<f4"))
    header = {
        "version": 1,
        "kind": "simulation",
        "dimension": d,
        "names": list(simulation.names),
        "phases": _stage_phases(simulation, stages),
        "numbers": {},
        "hides": ["curves", "numbers"] + ([] if plain else ["matrices"]),
        "sections": body.sections,
    }
    return pack(header, body.content())


def _theta(law: Law | None, d: int, width: int) -> dict[str, np.ndarray]:
    """V, B, W, U, b of a law with one head, padded to `width` units; zeros without one."""
    shapes = {"V": (d, d), "B": (d, d), "W": (d, width), "U": (width, d), "b": (width,)}
    theta = {name: np.zeros(shape) for name, shape in shapes.items()}
    if law is not None:
        theta |= {"V": law.heads[0].V, "B": law.heads[0].B}
        if law.W is not None and law.U is not None and law.b is not None:
            p = len(law.b)
            theta["W"][:, :p], theta["U"][:p], theta["b"][:p] = law.W, law.U, law.b
    return theta


def _stretches(simulation: Simulation) -> tuple[Stage, ...]:
    """The stages; one law alone is cut where a plateau of its clusters starts and ends, so that these are bands."""
    stages = simulation.scenario.stages
    if simulation.scenario.schedule:
        return stages
    (whole,), times = stages, simulation.times
    cuts: list[Stage] = []
    for plateau in simulation.plateaus:
        start, end = float(times[plateau.first]), float(times[plateau.last])
        before = cuts[-1].end if cuts else whole.start
        if start > before:
            cuts.append(replace(whole, start=before, end=start))
        cuts.append(replace(whole, start=start, end=end, phase=plateau.said))
    before = cuts[-1].end if cuts else whole.start
    return (*cuts, replace(whole, start=before)) if before < whole.end else tuple(cuts)


def _stage_phases(simulation: Simulation, stages: tuple[Stage, ...]) -> list[dict[str, Any]]:
    """Consecutive stages of one phase; of one law alone the plateaus, and between them its model's name."""
    if simulation.scenario.schedule:
        return _grouped([stage.phase for stage in stages])
    model = stages[0].law.model
    return [
        {"name": model.label, "first": k, "last": k, "says": model.help}
        if stage.phase == PLAIN
        else {"name": stage.phase, "first": k, "last": k, "says": DEFINITION, "like": "cluster"}
        for k, stage in enumerate(stages)
    ]


def _encode_run(run: Run) -> bytes:
    body = _Body()
    body.add("times", run.times.astype("<f8"))
    body.add("display", run.display.astype("<f8"))
    _add_schedule(body, run)
    for i, trajectory in enumerate(run.trajectories):
        body.add(f"trajectory_{i}", _differences(quantise(trajectory)))
        body.add(f"weights_{i}", run.weights[i].astype("<f4"))
        body.add(f"target_{i}", quantise(run.targets[i]))
        body.add(f"target_weights_{i}", run.target_weights[i].astype("<f4"))
        body.add(f"w2_{i}", run.w2[i].astype("<f4"))
        plan = optimal_assignment(trajectory[0], run.weights[i], run.targets[i], run.target_weights[i])
        if plan is not None:
            body.add(f"plan_{i}", plan)
    header = {
        "version": 1,
        "kind": "interpolation",
        "dimension": run.schedule.dimension,
        "names": list(run.names),
        "phases": _phases(run),
        "numbers": _numbers(run),
        "sections": body.sections,
    }
    return pack(header, body.content())


def pack(header: dict[str, Any], body: bytes) -> bytes:
    """Magic, header and compressed body in one."""
    said = json.dumps(header, separators=(",", ":"), allow_nan=False).encode()
    return MAGIC + struct.pack("<I", len(said)) + said + zlib.compress(body, 6)


def decode(payload: bytes) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Header and arrays of a payload, as the player decodes them: trajectories are quantised points again."""
    if payload[:4] != MAGIC:
        raise ValueError("this is not a player payload: it does not start with MTM1")
    (length,) = struct.unpack("<I", payload[4:8])
    header = json.loads(payload[8 : 8 + length])
    body = zlib.decompress(payload[8 + length :])
    arrays = {}
    for name, section in header["sections"].items():
        count = int(np.prod(section["shape"], dtype=int))
        array = np.frombuffer(body, section["dtype"], count, section["offset"]).reshape(section["shape"])
        arrays[name] = np.add.accumulate(array, axis=0, dtype=array.dtype) if name.startswith("trajectory_") else array
    return header, arrays


def quantise(points: np.ndarray) -> np.ndarray:
    """Points of the unit ball as int16 with step 1/32767."""
    return np.rint(np.clip(points, -1, 1) * STEP).astype("<i2")


def optimal_assignment(x: np.ndarray, a: np.ndarray, y: np.ndarray, b: np.ndarray) -> np.ndarray | None:
    """For each row of x the row of y that optimal transport sends it to (squared angles), int32.

    None where no plan is an assignment (different counts, different weights) or there are too many atoms.
    """
    n = len(x)
    if len(y) != n or n > MOST_ASSIGNED or np.ptp(a) > 1e-9 or np.ptp(b) > 1e-9:
        return None
    return linear_sum_assignment(sphere.angles(x, y) ** 2)[1].astype("<i4")


def _differences(steps: np.ndarray) -> np.ndarray:
    """Each frame minus the one before, modulo 2^16; the first frame is kept."""
    moved = steps.copy()
    moved[1:] -= steps[:-1]
    return moved


class _Body:
    """Arrays one after another, each starting at a multiple of 8 bytes."""

    def __init__(self) -> None:
        self.sections: dict[str, dict[str, Any]] = {}
        self._parts: list[bytes] = []
        self._length = 0

    def add(self, name: str, array: np.ndarray) -> None:
        raw = np.ascontiguousarray(array).tobytes()
        raw += bytes(-len(raw) % 8)
        self.sections[name] = {"dtype": array.dtype.str, "shape": list(array.shape), "offset": self._length}
        self._parts.append(raw)
        self._length += len(raw)

    def content(self) -> bytes:
        return b"".join(self._parts)


def _add_schedule(body: _Body, run: Run) -> None:
    segments = run.schedule.segments
    body.add("duration", np.array([segment.duration for segment in segments], "<f8"))
    for name in "VBWUb":
        body.add(name, np.array([getattr(segment, name) for segment in segments], "<f4"))


def _phases(run: Run) -> list[dict[str, Any]]:
    """Consecutive segments of one name, with what they do and the certificate's claim where there is one."""
    claims = [c for c in run.certificate.get("phases", []) if isinstance(c, dict)]
    phases = _grouped([segment.phase for segment in run.schedule])
    # Claims come in the order of the phases; a claim that fits no phase name is passed over.
    at = 0
    for phase in phases:
        rest = [j for j in range(at, len(claims)) if claims[j].get("phase") == phase["name"]]
        if rest:
            at = rest[0] + 1
            keys = ("claim", "value", "segments", "condition")
            phase["certificate"] = {key: _plain(claims[rest[0]].get(key)) for key in keys}
    return phases


def _grouped(names: list[str]) -> list[dict[str, Any]]:
    phases: list[dict[str, Any]] = []
    for k, name in enumerate(names):
        if not phases or phases[-1]["name"] != name:
            phases.append({"name": name, "first": k, "says": phase_sentence(name)})
        phases[-1]["last"] = k
    return phases


def _numbers(run: Run) -> dict[str, Any]:
    said = run.certificate
    keys = ("switches", "paper_bound", "sup_norm", "condition", "strategy", "dimension", "eps")
    numbers = {key: _plain(said[key]) for key in keys if key in said}
    return {"switches": run.schedule.switches, "sup_norm": run.schedule.sup_norm} | numbers


def _plain(value: Any) -> Any:
    """A JSON value; what is not one (a NaN, an array) becomes text or nothing."""
    if isinstance(value, (np.integer, np.floating)):
        value = value.item()
    if isinstance(value, float) and not np.isfinite(value):
        return None
    return value if value is None or isinstance(value, (bool, int, float, str)) else str(value)
