"""What came out of a scenario: trajectories at equal times, and a record of how they were computed."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from mtm_viz.diagnostics.between import w2_between
from mtm_viz.diagnostics.observables import observed
from mtm_viz.diagnostics.observables.clusters import Clusters, cluster_of
from mtm_viz.diagnostics.phases import Plateau, common, plateaus
from mtm_viz.diagnostics.thinning import thinned
from mtm_viz.dynamics.schedule_file import MOST_BYTES, load_arrays
from mtm_viz.errors import InputError
from mtm_viz.files import load_json, named, written_whole
from mtm_viz.pacing import pace
from mtm_viz.run import stored_array
from mtm_viz.scenario import Scenario

#: Above this many numbers the trajectories are written as they are: compression would take longer than the simulation.
COMPRESSED = 4_000_000


@dataclass(frozen=True, eq=False)
class Simulation:
    """F frames in layer time [0, horizon], see `Scenario.times`; beside a Run it has no targets or certificate.

    times (F,): layer time; segment (F,): the running segment, zeros where one law holds throughout; display (F,): paced
    display time in [0, 1], times / horizon for one law;
    trajectories: one (F, n_i, d) a measure, unit rows, float64, or float32 where they would be large;
    radii: one (F, n_i) a measure where the state is not on the sphere (pre-ln, peri-ln, none), or empty;
    weights: one (n_i,) a measure; record: model, integrator, attention, mass, equilibrium, backend, versions.
    """

    scenario: Scenario
    times: np.ndarray
    trajectories: tuple[np.ndarray, ...]
    weights: tuple[np.ndarray, ...]
    record: dict[str, Any]
    radii: tuple[np.ndarray, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        return self.scenario.names

    @property
    def display(self) -> np.ndarray:
        if not self.scenario.schedule:
            return self.times / self.times[-1]
        return pace(self.times, self.segment, [stage.phase for stage in self.scenario.stages])

    @property
    def segment(self) -> np.ndarray:
        return self.scenario.segment

    def observed(self, name: str) -> list[tuple[np.ndarray, np.ndarray]]:
        """(frames (m,), values (m,)) of an observable for every measure, measured once; of several heads, the first B counts.

        Raises InputError for an unknown observable.
        """
        if name not in self._measured:
            stages = self.scenario.stages
            B = np.array([stage.law.heads[0].B for stage in stages])
            B = B[0] if len(stages) == 1 else B[self.segment]
            pairs = zip(self.trajectories, self.weights, strict=True)
            self._measured[name] = [observed(name, x, w, B) for x, w in pairs]
        return self._measured[name]

    def w2_between(self, i: int, j: int) -> tuple[np.ndarray, np.ndarray]:
        """(frames (m,), W2 (m,) in radians) between measures i and j, measured once; see `diagnostics.between`."""
        if (i, j) not in self._apart:
            x, y = self.trajectories[i], self.trajectories[j]
            self._apart[i, j] = w2_between(x, self.weights[i], y, self.weights[j])
        return self._apart[i, j]

    def attention_at(self, frame: int, measure: int, most: int) -> tuple[np.ndarray, np.ndarray]:
        """(P (m, m), rows (m,)): the attention matrix of the first head at a frame, of at most `most` particles.

        rows: which particles, ordered by cluster, the heaviest first. Source: arXiv 2411.04551, (1.2).
        """
        law = self.scenario.stages[int(self.segment[frame])].law
        rows, w = thinned(self.weights[measure], most)
        x = np.asarray(self.trajectories[measure][frame][rows], dtype=float)
        labels = cluster_of(x)
        order = np.lexsort((np.arange(len(rows)), labels, -np.bincount(labels, w)[labels]))
        P = law.model.matrix(x, w, law.heads[0].B, causal=law.causal)
        return P[np.ix_(order, order)], rows[order]

    @cached_property
    def _measured(self) -> dict[str, list[tuple[np.ndarray, np.ndarray]]]:
        return {}

    @cached_property
    def _apart(self) -> dict[tuple[int, int], tuple[np.ndarray, np.ndarray]]:
        return {}

    @cached_property
    def plateaus(self) -> list[Plateau]:
        """Metastable plateaus of all measures at once, see `diagnostics.phases`."""
        of_each = []
        for k, (x, w) in enumerate(zip(self.trajectories, self.weights, strict=True)):
            rows, w = thinned(w, Clusters.most_particles or len(w))
            rows = rows[w > 0]
            (frames, clusters), energy = self.observed("clusters")[k], self.observed("energy")[k]
            flatness = np.interp(frames, *energy)
            of_each.append(plateaus(self.times, frames, clusters, flatness, lambda f, x=x, rows=rows: x[f][rows]))
        return common(of_each)

    def arrays(self) -> dict[str, np.ndarray]:
        """Everything as named arrays, the layout of the NPZ file."""
        said = {
            "scenario": np.array(json.dumps(self.scenario.to_json())),
            "record": np.array(json.dumps(self.record)),
            "times": self.times,
            "segment": self.segment,
            "display": self.display,
        }
        for i, (trajectory, weights) in enumerate(zip(self.trajectories, self.weights, strict=True)):
            said[f"trajectory_{i}"], said[f"weights_{i}"] = trajectory, weights
        for i, radii in enumerate(self.radii):
            said[f"radii_{i}"] = radii
        return said

    def write(self, stream: BinaryIO) -> None:
        arrays = self.arrays()
        small = sum(array.size for array in arrays.values()) <= COMPRESSED
        (np.savez_compressed if small else np.savez)(stream, **arrays)  # pyright: ignore[reportArgumentType]

    def save(self, path: str | Path) -> None:
        """Write NPZ under a temporary name, then rename: never half-written."""
        with written_whole(path) as stream:
            self.write(stream)

    @classmethod
    def load(cls, source: str | Path | BinaryIO, name: str | None = None) -> Simulation:
        """Read a simulation. Raises InputError, naming the file, for anything that is not one."""
        with named(name or (Path(source).name if isinstance(source, str | Path) else "the run")):
            return cls.from_arrays(load_arrays(source))

    @classmethod
    def from_arrays(cls, arrays: dict[str, np.ndarray]) -> Simulation:
        """The inverse of `arrays`. Raises InputError naming the array that does not fit."""
        if "scenario" not in arrays or "record" not in arrays:
            raise InputError("this NPZ holds no simulation (no scenario in it): save one with `simulate`")
        scenario = Scenario.from_json(load_json(str(arrays["scenario"]).encode(), MOST_BYTES))
        record = load_json(str(arrays["record"]).encode(), MOST_BYTES)
        if not isinstance(record, dict):
            raise InputError("the simulation's record is not an object: save it again with `simulate`")
        times = stored_array(arrays, "times", (None,), "simulate")
        if len(times) < 2 or not (np.diff(times) > 0).all():
            raise InputError('"times" of the run must rise: save it again with `simulate`')
        if len(times) != len(scenario.times):
            raise InputError(
                f'"times" of the run are {len(times)} and its scenario has {len(scenario.times)}: save it again'
            )
        count, shape = len(scenario.initial), (len(times), None, scenario.dimension)
        trajectories = tuple(stored_array(arrays, f"trajectory_{i}", shape, "simulate") for i in range(count))
        weights = tuple(
            stored_array(arrays, f"weights_{i}", (x.shape[1],), "simulate") for i, x in enumerate(trajectories)
        )
        radii = tuple(
            stored_array(arrays, f"radii_{i}", x.shape[:2], "simulate")
            for i, x in enumerate(trajectories)
            if f"radii_{i}" in arrays
        )
        return cls(scenario, times, trajectories, weights, record, radii)
