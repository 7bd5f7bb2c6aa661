"""The schedule as a Transformer of finitely many layers: Lie-Trotter steps of every segment, and how W2 falls with depth.

A layer maps every token cloud by attention, then by the perceptron, each step tangent and each followed by normalisation:

    x <- N(x + h P_x V A_B[mu](x)),   x <- N(x + h P_x W (U x + b)_+),   N(x) = x / |x|,   P_x = I - x x^T.

With h = T / m for the m layers of a segment of duration T this is its Lie-Trotter splitting with Euler steps (arXiv
2411.04551, (1.2) and Section 1.1), of first order in h. A gate moves its atoms along great circles and so does its Euler
step, hence h can be tuned until the atoms land where the flow lands them, for every gate of a segment by itself: gates are then
exact at any depth.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.optimize import minimize_scalar

from mtm_viz.diagnostics.wasserstein import w2
from mtm_viz.dynamics.attention import attention
from mtm_viz.dynamics.schedule import Segment
from mtm_viz.errors import InputError
from mtm_viz.run import Run
from mtm_viz.sphere import angle, normalise

Progress = Callable[[str, float], None]
#: An atom that a segment moves less than this, in radians, is at rest.
STILL = 1e-9
#: More layers than this are not tried when a depth is searched.
MOST_LAYERS = 100_000


@dataclass(frozen=True, eq=False)
class Network:
    """L layers: V, B (L, d, d), W (L, d, p), U (L, p, d), b (L, p); V and W include the step h. segment (L,): which it steps."""

    V: np.ndarray
    B: np.ndarray
    W: np.ndarray
    U: np.ndarray
    b: np.ndarray
    segment: np.ndarray

    def __len__(self) -> int:
        return len(self.segment)

    def __call__(self, points: np.ndarray, weights: np.ndarray) -> np.ndarray:
        """The images of a cloud, points (n, d), weights (n,)."""
        x = points
        for k in range(len(self)):
            x = layer(x, weights, self.V[k], self.B[k], self.W[k], self.U[k], self.b[k])
        return x


@dataclass(frozen=True)
class Depth:
    """W2 of every pair after a network of so many layers, in radians."""

    layers: int
    w2: tuple[float, ...]


def layer(
    x: np.ndarray, weights: np.ndarray, V: np.ndarray, B: np.ndarray, W: np.ndarray, U: np.ndarray, b: np.ndarray
) -> np.ndarray:
    """Attention, then the perceptron; x (n, d), unit rows. V and W include the step."""
    if V.any():
        x = _stepped(x, attention(x, weights, B) @ V.T)
    if W.any():
        x = _stepped(x, np.maximum(x @ U.T + b, 0) @ W.T)
    return x


def discretise(run: Run, layers: int) -> Network:
    """The run's schedule as about `layers` layers, never fewer than one a segment.

    Half of the layers go to the gates evenly, half to the segments that move every atom, in proportion to the root of
    (how far its farthest atom moves) x (its duration x norms), which shares the error of Euler's method evenly among them.
    Raises InputError for fewer than one layer.
    """
    return _discretised(run, layers)[0]


def _discretised(run: Run, layers: int) -> tuple[Network, list[np.ndarray]]:
    """The network, and where it sends the run's inputs: known on the way, since gates are tuned one after another."""
    if layers < 1:
        raise InputError(f"{layers} layers: ask for at least 1")
    marks = _boundaries(run)
    segments = run.schedule.segments
    moved = [[angle(x[a], x[b]) > STILL for x in run.trajectories] for a, b in itertools.pairwise(marks)]
    gates = np.array(
        [not s.uses_attention and not all(m.all() for m in each) for s, each in zip(segments, moved, strict=True)]
    )
    counts = np.maximum(1, np.rint(_shares(run, marks, gates) * layers)).astype(int)
    state = [x[0] for x in run.trajectories]
    steps, columns = [], []
    for k, (segment, m) in enumerate(zip(segments, counts.tolist(), strict=True)):
        h = segment.duration / m
        if not segment.uses_attention:
            ends = [x[marks[k + 1]] for x in run.trajectories]
            factors = _landing(segment, h, m, state, ends, moved[k])
            segment = replace(segment, W=segment.W * factors)
        steps.append(h)
        columns.append(segment.W)
        state = [_through(segment, h, m, x, w) for x, w in zip(state, run.weights, strict=True)]
    owner = np.repeat(np.arange(len(segments)), counts)
    h = np.array(steps)[owner][:, None, None]
    each = {key: np.array([getattr(s, key) for s in segments])[owner] for key in "VBUb"}
    return Network(h * each["V"], each["B"], h * np.array(columns)[owner], each["U"], each["b"], owner), state


def _shares(run: Run, marks: np.ndarray, gates: np.ndarray) -> np.ndarray:
    """The part of all layers each segment gets, (S,)."""
    farthest = [max(float(angle(x[a], x[b]).max()) for x in run.trajectories) for a, b in itertools.pairwise(marks)]
    effort = np.array([s.duration * s.gauged().strength for s in run.schedule])
    need = np.where(gates, 1.0, np.sqrt(np.array(farthest) * effort) + 1e-9)
    shares = np.zeros(len(need))
    for kind in (gates, ~gates):
        if kind.any():
            shares[kind] = (0.5 if kind.any() and not kind.all() else 1.0) * need[kind] / need[kind].sum()
    return shares


def depth_study(run: Run, layers: Sequence[int], progress: Progress | None = None) -> list[Depth]:
    """W2 to the target of every pair against depth. `progress` may raise Cancelled."""
    found = []
    for k, count in enumerate(layers):
        if progress is not None:
            progress(f"a network of {count:,} layers", k / len(layers))
        found.append(_measured(run, count))
    return found


def layers_needed(
    run: Run, eps: float, progress: Progress | None = None, most: int = MOST_LAYERS
) -> tuple[Depth | None, list[Depth]]:
    """The shallowest network tried whose every W2 is within eps of the run's own, and all that were tried.

    Doubles the depth from one layer a segment until it suffices, then halves the gap four times; None beyond `most`.
    """
    if not eps > 0:
        raise InputError(f"eps is {eps}: give a positive number of radians")
    ends = [float(curve[-1]) for curve in run.w2]
    tried: list[Depth] = []

    def good(count: int) -> bool:
        if progress is not None:
            progress(f"a network of {count:,} layers", min(0.95, len(tried) / 16))
        tried.append(_measured(run, count))
        return all(x <= end + eps for x, end in zip(tried[-1].w2, ends, strict=True))

    low, high = 0, len(run.schedule)
    while not good(high):
        low, high = high, 2 * high
        if high > most:
            return None, sorted(tried, key=lambda depth: depth.layers)
    best = tried[-1]
    for _ in range(4 if low else 0):
        middle = (low + high) // 2
        if good(middle):
            high, best = middle, tried[-1]
        else:
            low = middle
    return best, sorted(tried, key=lambda depth: depth.layers)


def _measured(run: Run, layers: int) -> Depth:
    network, ends = _discretised(run, layers)
    values = zip(ends, run.weights, run.targets, run.target_weights, strict=True)
    return Depth(len(network), tuple(w2(x, a, y, b) for x, a, y, b in values))


def _stepped(x: np.ndarray, force: np.ndarray) -> np.ndarray:
    return normalise(x + force - np.sum(force * x, axis=1, keepdims=True) * x)


def _through(segment: Segment, h: float, m: int, x: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """m equal layers of one segment."""
    V, W = h * segment.V, h * segment.W
    for _ in range(m):
        x = layer(x, weights, V, segment.B, W, segment.U, segment.b)
    return x


def _landing(
    segment: Segment, h: float, m: int, state: list[np.ndarray], ends: list[np.ndarray], moved: list[np.ndarray]
) -> np.ndarray:
    """The factors on h, one a column of W (p,), that land the atoms each gate moves nearest to where the flow lands them."""
    start = np.concatenate([x[chosen] for x, chosen in zip(state, moved, strict=True)])
    end = np.concatenate([y[chosen] for y, chosen in zip(ends, moved, strict=True)])
    rows = np.c_[segment.U, segment.b]
    _, gate = np.unique(rows, axis=0, return_inverse=True)
    opens = np.stack([start @ segment.U[gate == g][0] + segment.b[gate == g][0] > 0 for g in range(gate.max() + 1)])
    # Where units are open together they make one field, with one step.
    if (opens.sum(axis=0) > 1).any():
        opens, gate = np.ones((1, len(start)), dtype=bool), np.zeros_like(gate)
    factors = np.ones(len(gate))
    for g, inside in enumerate(opens):
        if inside.any():
            alone = replace(segment, W=np.where(gate == g, segment.W, 0.0))
            factors[gate == g] = _factor(alone, h, m, start[inside], end[inside])
    return factors


def _factor(segment: Segment, h: float, m: int, start: np.ndarray, end: np.ndarray) -> float:
    """The factor on h with which m layers bring `start` nearest to `end`."""
    none = np.ones(len(start))

    def miss(log_factor: float) -> float:
        return float(np.mean(angle(_through(segment, h * np.exp(log_factor), m, start, none), end) ** 2))

    # Few steps on a gate that opens slowly miss by much: look far before looking closely.
    grid = np.linspace(-1.0, 2.5, 36)
    best = float(grid[int(np.argmin([miss(g) for g in grid.tolist()]))])
    found = minimize_scalar(miss, bounds=(best - 0.1, best + 0.1), method="bounded", options={"xatol": 1e-9})
    return float(np.exp(found.x)) if found.fun < miss(0.0) else 1.0


def _boundaries(run: Run) -> np.ndarray:
    """Index of the frame at each segment boundary, (S + 1,)."""
    at = run.times[0] + run.schedule.boundaries / run.schedule.duration * (run.times[-1] - run.times[0])
    right = (
        np.clip(np.searchsorted(run.times, at), 1, max(len(run.times) - 1, 1))
        if len(run.times) > 1
        else np.zeros(len(at), int)
    )
    left = np.maximum(right - 1, 0)
    return np.where(np.abs(run.times[left] - at) <= np.abs(run.times[right] - at), left, right)
