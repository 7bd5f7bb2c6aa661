"""The gate x' = (<a, x> - tau)_+ P_x omega: nothing outside its cap moves, points inside slide to omega.

In the plane of (omega, x), x = cos(theta) omega + sin(theta) e obeys

    theta' = -(A cos(theta) + B sin(theta) - tau) sin(theta),   A = <a, omega>, B = <a, e>,

so the time between two angles is the integral of a rational function of w = tan(theta/2):

    (1 + w^2) / (w Q(w)) dw,   Q(w) = (A - tau) + 2 B w - (A + tau) w^2 = 1/(A-tau) 1/w + (beta w + gamma) / Q.

(Lemma B.2 of arXiv 2411.04551, with the gate open INSIDE the ball.)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from mtm_viz.backend import beside, namespace
from mtm_viz.dynamics.schedule import Segment
from mtm_viz.sphere import norm, normalise, project_tangent

#: Below this size of A - tau or A + tau the partial fractions lose more than three digits.
DEGENERATE = 1e-3


@dataclass(frozen=True, eq=False)
class Gate:
    """Open on the cap {<a, x> > tau} of the unit vector a; drift to the unit vector omega for `duration`.

    A negative duration runs it backwards.
    """

    a: np.ndarray
    tau: float
    omega: np.ndarray
    duration: float

    def inside(self, points: Any) -> Any:
        return points @ beside(self.a, points) > self.tau

    def travel_time(self, start: Any, end: Any, e: Any) -> Any:
        """Time from angle `start` to angle `end` (both from omega, on the half circles toward rows e)."""
        xp = namespace(start, end, e)
        A, B = float(self.a @ self.omega), e @ beside(self.a, e)
        return _antiderivative(xp.tan(start / 2), A, B, self.tau) - _antiderivative(xp.tan(end / 2), A, B, self.tau)

    def travel_time_along(self, start: float, end: float, B: float) -> float:
        """The same on one half circle, given by B = <a, e> alone."""
        A, w = float(self.a @ self.omega), np.tan(np.array([start, end]) / 2)
        there = _antiderivative(w, A, np.array([B, B]), self.tau)
        return float(there[0] - there[1])

    def flow(self, points: Any, weights: Any = None) -> Any:
        xp = namespace(points)
        moving = self.inside(points)
        if not bool(xp.any(moving)):
            return xp.asarray(points, copy=True)
        if isinstance(points, np.ndarray):
            result = points.copy()
            result[moving] = self._slid(points[moving])
            return result
        # Every point's row among the moving ones: what namespaces without masked assignment can do.
        slid = self._slid(xp.take(points, xp.nonzero(moving)[0], axis=0))
        row = xp.where(moving, xp.cumulative_sum(xp.astype(moving, xp.int64)) - 1, 0)
        return xp.where(moving[:, None], xp.take(slid, row, axis=0), points)

    def _slid(self, x: Any) -> Any:
        """Where the rows x, all inside the cap, are after `duration`."""
        xp = namespace(x)
        theta, e = self._polar(x)
        final = self._angle_after(theta, e)[:, None]
        slid = normalise(xp.cos(final) * beside(self.omega, x) + xp.sin(final) * e)
        return xp.where(xp.sin(theta)[:, None] > 1e-15, slid, x)

    def _polar(self, x: Any) -> tuple[Any, Any]:
        xp = namespace(x)
        omega = beside(self.omega, x)
        e = project_tangent(xp.broadcast_to(omega, x.shape), x)
        length = norm(e)
        theta = 2 * xp.atan2(norm(x - omega), norm(x + omega))[:, 0]
        return theta, e / xp.where(length > 0, length, xp.ones_like(length))

    def _angle_after(self, theta: Any, e: Any) -> Any:
        """Solve travel_time(theta, result) = duration by Newton's method kept inside a bracket."""
        xp = namespace(theta, e)
        A, B = float(self.a @ self.omega), e @ beside(self.a, e)
        near, far = self._reach(theta, A, B)
        low, high = (near, theta) if self.duration > 0 else (theta, far)
        target = _antiderivative(xp.tan(theta / 2), A, B, self.tau) - self.duration
        now = (low + high) / 2
        for _ in range(100):
            excess = _antiderivative(xp.tan(now / 2), A, B, self.tau) - target
            low, high = xp.where(excess < 0, now, low), xp.where(excess > 0, now, high)
            rate = (A * xp.cos(now) + B * xp.sin(now) - self.tau) * xp.sin(now)
            with np.errstate(invalid="ignore"):
                newton = now - excess * rate  # NaN at the rim, where the excess is infinite: then bisect
            kept = (newton > low) & (newton < high)
            now, before = xp.where(kept, newton, (low + high) / 2), now
            if float(xp.max(xp.abs(now - before))) <= 1e-15:
                break
        return now

    def _reach(self, theta: Any, A: float, B: Any) -> tuple[Any, Any]:
        """The arc of angles in [0, pi] around theta on which the gate is open: its ends are never reached."""
        xp = namespace(theta, B)
        height = xp.full_like(B, A)
        centre, size = xp.atan2(B, height), xp.hypot(height, B)
        half = xp.acos(xp.clip(self.tau / size, -1.0, 1.0))
        turn = 2 * np.pi * xp.round((theta - centre) / (2 * np.pi))
        # A circle that never leaves the cap is open all the way round.
        half = xp.where(self.tau <= -size, 2 * np.pi, half)
        zero = xp.zeros_like(theta)
        return xp.maximum(zero, centre + turn - half), xp.minimum(zero + np.pi, centre + turn + half)

    def stretch(self, points: np.ndarray) -> np.ndarray:
        """The largest singular value of the differential at each point, by central differences of the flow."""
        moving = self.inside(points)
        result = np.ones(len(points))
        h = 1e-6
        for j in np.flatnonzero(moving):
            basis = project_tangent(points[j], np.eye(points.shape[1]))
            # Stay well inside the cap, where the flow is smooth.
            step = min(h, 0.1 * float(points[j] @ self.a - self.tau))
            ends = self.flow(normalise(np.r_[points[j] + step * basis, points[j] - step * basis]))
            half = len(basis)
            result[j] = np.linalg.norm((ends[:half] - ends[half:]) / (2 * step), 2)
        return result

    def segment(self, phase: str, width: int | None = None) -> Segment:
        """U = 1 a^T, b = -tau 1, W = omega 1^T / p."""
        d = len(self.a)
        p = width or d
        zero = np.zeros((d, d))
        sign = 1.0 if self.duration > 0 else -1.0
        W = sign * np.outer(self.omega, np.ones(p)) / p
        return Segment(abs(self.duration), zero, zero, W, np.tile(self.a, (p, 1)), np.full(p, -self.tau), phase)

    @classmethod
    def of(cls, segment: Segment) -> Gate | None:
        lengths = np.linalg.norm(segment.U, axis=1)
        if segment.uses_attention or not lengths.all():
            return None
        directions, offsets = segment.U / lengths[:, None], segment.b / lengths
        drift = segment.W @ lengths
        speed = float(np.linalg.norm(drift))
        same = np.ptp(directions, axis=0).max() <= 1e-15 and np.ptp(offsets) <= 1e-15
        if not same or speed == 0 or abs(offsets[0]) >= 1:
            return None
        gate = cls(directions[0], -float(offsets[0]), drift / speed, speed * segment.duration)
        A = float(gate.a @ gate.omega)
        return gate if min(abs(A - gate.tau), abs(A + gate.tau)) > DEGENERATE else None


def _antiderivative(w: Any, A: float, B: Any, tau: float) -> Any:
    """Antiderivative of (1 + w^2) / (w Q(w)), up to a constant, where Q > 0; see the module's head.

    Q has real roots where the great circle crosses the cap's rim (A^2 + B^2 > tau^2); a circle that lies within a
    cap larger than a hemisphere does not, and the logarithms of the roots become an arctangent.
    """
    xp = namespace(w, B)
    q0, q2 = A - tau, -(A + tau)
    beta, gamma = 1.0 - q2 / q0, -2.0 * B / q0
    squared = A * A + B * B - tau * tau
    root = xp.sqrt(xp.abs(squared)) + 1e-300
    # The root of Q that is a difference of near-equal numbers comes from the product r1 r2 = q0 / q2.
    large = xp.where(B >= 0, B + root, B - root)
    r1, r2 = large / (A + tau), -q0 / large
    with np.errstate(divide="ignore", invalid="ignore"):
        real = ((beta * r1 + gamma) * xp.log(xp.abs(w - r1)) - (beta * r2 + gamma) * xp.log(xp.abs(w - r2))) / (
            q2 * (r1 - r2)
        )
        Q = q0 + 2 * B * w + q2 * w * w
        complex_pair = (
            beta / (2 * q2) * xp.log(xp.abs(Q)) + (gamma - beta * B / q2) * xp.atan((q2 * w + B) / root) / root
        )
        return xp.log(w) / q0 + xp.where(squared > 0, real, complex_pair)
