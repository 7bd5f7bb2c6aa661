"""What came out: the schedule, the trajectories the independent integrator saw, W2 against layer time, the certificate."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from mtm_viz.dynamics.schedule import Schedule
from mtm_viz.dynamics.schedule_file import MOST_BYTES, load_arrays, schedule_arrays, schedule_from_arrays
from mtm_viz.errors import InputError
from mtm_viz.files import load_json, named, written_whole
from mtm_viz.problem import Problem


@dataclass(frozen=True, eq=False)
class Run:
    """An interpolation. F frames in layer time [0, 1], every segment boundary among them.

    times (F,): layer time; segment (F,): index of the running segment; display (F,): paced display time in [0, 1];
    trajectories: one (F, n_i, d) a pair; weights, targets, target_weights: one a pair;
    w2: one (F,) a pair, radians; certificate: see mtm_viz.diagnostics.certificate.
    """

    problem: Problem
    schedule: Schedule
    times: np.ndarray
    segment: np.ndarray
    display: np.ndarray
    trajectories: tuple[np.ndarray, ...]
    weights: tuple[np.ndarray, ...]
    targets: tuple[np.ndarray, ...]
    target_weights: tuple[np.ndarray, ...]
    w2: tuple[np.ndarray, ...]
    certificate: dict[str, Any]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(pair.name for pair in self.problem.pairs)

    def arrays(self) -> dict[str, np.ndarray]:
        """Everything as named arrays, the layout of the NPZ file."""
        said = schedule_arrays(self.schedule)
        said |= {
            "problem": np.array(json.dumps(self.problem.to_json())),
            "certificate": np.array(json.dumps(self.certificate)),
            "times": self.times,
            "segment": self.segment,
            "display": self.display,
        }
        for i in range(len(self.trajectories)):
            said[f"trajectory_{i}"] = self.trajectories[i]
            said[f"weights_{i}"] = self.weights[i]
            said[f"target_{i}"] = self.targets[i]
            said[f"target_weights_{i}"] = self.target_weights[i]
            said[f"w2_{i}"] = self.w2[i]
        return said

    def write(self, stream: BinaryIO) -> None:
        np.savez_compressed(stream, **self.arrays())  # pyright: ignore[reportArgumentType]

    def save(self, path: str | Path) -> None:
        """Write NPZ under a temporary name, then rename: never half-written."""
        with written_whole(path) as stream:
            self.write(stream)

    @classmethod
    def load(cls, source: str | Path | BinaryIO, name: str | None = None) -> Run:
        """Read a run. Raises InputError, naming the file, for anything that is not one."""
        with named(name or (Path(source).name if isinstance(source, str | Path) else "the run")):
            return cls.from_arrays(load_arrays(source))

    @classmethod
    def from_arrays(cls, arrays: dict[str, np.ndarray]) -> Run:
        """The inverse of `arrays`. Raises InputError naming the array that does not fit."""
        if "problem" not in arrays or "certificate" not in arrays:
            raise InputError(
                "this NPZ holds no interpolation run (no problem or certificate in it): save one with `interpolate`"
            )
        problem = Problem.from_json(load_json(str(arrays["problem"]).encode(), MOST_BYTES))
        certificate = load_json(str(arrays["certificate"]).encode(), MOST_BYTES)
        if not isinstance(certificate, dict):
            raise InputError("the run's certificate is not an object: save it again with `interpolate`")
        schedule = schedule_from_arrays(arrays)
        n, d = len(problem.pairs), problem.dimension
        if schedule.dimension != d:
            raise InputError(f"the schedule has dimension {schedule.dimension} but its problem {d}: save it again")

        def each(key: str, *shape: int | None) -> tuple[np.ndarray, ...]:
            return tuple(stored_array(arrays, f"{key}_{i}", shape) for i in range(n))

        times = stored_array(arrays, "times", (None,))
        frames = len(times)
        segment = stored_array(arrays, "segment", (frames,))
        if segment.dtype.kind not in "iu" or not ((segment >= 0) & (segment < len(schedule))).all():
            raise InputError(
                f'"segment" of the run must hold whole numbers from 0 to {len(schedule) - 1}: save it again'
            )
        trajectories = each("trajectory", frames, None, d)
        targets = each("target", None, d)
        return cls(
            problem=problem,
            schedule=schedule,
            times=times,
            segment=segment,
            display=stored_array(arrays, "display", (frames,)),
            trajectories=trajectories,
            weights=tuple(stored_array(arrays, f"weights_{i}", (x.shape[1],)) for i, x in enumerate(trajectories)),
            targets=targets,
            target_weights=tuple(stored_array(arrays, f"target_weights_{i}", (len(y),)) for i, y in enumerate(targets)),
            w2=each("w2", frames),
            certificate=certificate,
        )


def stored_array(
    arrays: dict[str, np.ndarray], key: str, shape: tuple[int | None, ...], command: str = "interpolate"
) -> np.ndarray:
    """The array `key`, of that shape (None: any length but 0) and finite; `command` is what would save it again."""
    if key not in arrays:
        raise InputError(f'the run lacks "{key}": save it again with `{command}`')
    value = arrays[key]
    fits = value.ndim == len(shape) and all(
        m == k if k is not None else m > 0 for m, k in zip(value.shape, shape, strict=True)
    )
    if not fits:
        wanted = ", ".join("any" if k is None else str(k) for k in shape)
        raise InputError(f'"{key}" of the run has shape {value.shape} and not ({wanted}): save it again')
    if value.dtype.kind not in "fiu" or not np.isfinite(value).all():
        raise InputError(f'"{key}" of the run holds something that is not a finite number: save it again')
    return value
