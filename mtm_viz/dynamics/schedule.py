"""A Transformer as a schedule: piecewise-constant theta = (V, B, W, U, b) over layer time (arXiv 2411.04551, Section 1.1)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from mtm_viz.errors import InputError

PHASES = ("gather", "rotate", "unbalance", "isolate", "disentangle", "cluster", "match")
UNDO = "undo-"


@dataclass(frozen=True, eq=False)
class Segment:
    """theta constant for `duration`: V, B (d, d), W (d, p), U (p, d), b (p,)."""

    duration: float
    V: np.ndarray
    B: np.ndarray
    W: np.ndarray
    U: np.ndarray
    b: np.ndarray
    phase: str

    def __post_init__(self) -> None:
        d, p = self.W.shape
        shapes = (self.V.shape, self.B.shape, self.U.shape, self.b.shape)
        if shapes != ((d, d), (d, d), (p, d), (p,)):
            raise InputError(f"segment shapes V, B, U, b = {shapes} do not fit W of shape {(d, p)}")
        if not (np.isfinite(self.duration) and self.duration > 0):
            raise InputError(f"a segment's duration is {self.duration}: it must be positive and finite")
        if self.phase.removeprefix(UNDO) not in PHASES:
            raise InputError(f"phase '{self.phase}' is unknown: use one of {', '.join(PHASES)} or undo-<one>")

    @property
    def strength(self) -> float:
        """max(||V||, ||W||), spectral norms: what a rescaling of time trades against duration."""
        return float(max(np.linalg.norm(self.V, 2), np.linalg.norm(self.W, 2)))

    @property
    def uses_attention(self) -> bool:
        return bool(np.any(self.V))

    def inverse(self) -> Segment:
        """The segment whose solution map undoes this one: V -> -V, W -> -W. Its phase is undo-<phase>."""
        undone = self.phase.removeprefix(UNDO) if self.phase.startswith(UNDO) else UNDO + self.phase
        return replace(self, V=-self.V, W=-self.W, phase=undone)

    def split(self, share: float) -> tuple[Segment, Segment]:
        """The same flow in two pieces, the first for `share` of the duration."""
        return replace(self, duration=share * self.duration), replace(self, duration=(1 - share) * self.duration)

    def rescaled(self, duration: float) -> Segment:
        """The same map in another time: (T, V, W) -> (T/c, cV, cW)."""
        c = self.duration / duration
        return replace(self, duration=duration, V=c * self.V, W=c * self.W)

    def gauged(self) -> Segment:
        """The same field with unit rows of U (rows of zeros: unit |b|), scaling W's columns to match.

        (u, b, w) -> (c u, c b, w / c) changes nothing for c > 0, since (.)_+ is positively homogeneous.
        A column whose row never opens (u = 0, b <= 0) is set to zero.
        """
        scale = np.linalg.norm(self.U, axis=1)
        closed = (scale == 0) & (self.b <= 0)
        scale = np.where(scale > 0, scale, np.where(self.b > 0, self.b, 1.0))
        W = np.where(closed, 0.0, self.W * scale)
        return replace(self, U=self.U / scale[:, None], b=np.where(closed, 0.0, self.b / scale), W=W)


@dataclass(frozen=True, eq=False)
class Schedule:
    """A list of segments; a switch is a boundary between consecutive ones."""

    segments: tuple[Segment, ...]

    def __post_init__(self) -> None:
        if not self.segments:
            raise InputError("a schedule needs at least one segment")
        if len({segment.W.shape for segment in self.segments}) > 1:
            raise InputError("all segments of a schedule must have the same dimension and width")

    def __len__(self) -> int:
        return len(self.segments)

    def __iter__(self) -> Iterator[Segment]:
        return iter(self.segments)

    def __add__(self, other: Schedule) -> Schedule:
        """First this schedule, then the other."""
        return Schedule(self.segments + other.segments)

    @property
    def dimension(self) -> int:
        return self.segments[0].W.shape[0]

    @property
    def width(self) -> int:
        return self.segments[0].W.shape[1]

    @property
    def switches(self) -> int:
        return len(self.segments) - 1

    @property
    def duration(self) -> float:
        return float(sum(segment.duration for segment in self.segments))

    @cached_property
    def boundaries(self) -> np.ndarray:
        """Times of the segment boundaries, 0 first, the total duration last, shape (S + 1,)."""
        return np.concatenate([[0.0], np.cumsum([segment.duration for segment in self.segments])])

    @property
    def sup_norm(self) -> float:
        """||theta||_inf: the largest spectral norm of V and W over all segments (B apart)."""
        return max(segment.strength for segment in self.segments)

    def inverse(self) -> Schedule:
        """The schedule whose solution map undoes this one."""
        return Schedule(tuple(segment.inverse() for segment in reversed(self.segments)))

    def normalised(self) -> Schedule:
        """The same map, gauged, with total duration 1 and durations proportional to T_k max(||V_k||, ||W_k||).

        This is the division of time with the least sup norm.
        """
        gauged = [segment.gauged() for segment in self.segments]
        effort = np.array([segment.duration * segment.strength for segment in gauged])
        if not effort.any():
            raise InputError("a schedule whose V and W are all zero moves nothing: give it one segment that does")
        # A segment at rest keeps a sliver of time, since durations are positive.
        share = np.maximum(effort / effort.sum(), 1e-9)
        share /= share.sum()
        return Schedule(tuple(segment.rescaled(float(t)) for segment, t in zip(gauged, share, strict=True)))
