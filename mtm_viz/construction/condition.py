"""Condition: the largest singular value of d(output)/d(input), of each stage and of the whole map, atoms coupled by attention included."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.linalg import expm
from scipy.sparse.linalg import LinearOperator, svds

from mtm_viz.construction.journey import Carried
from mtm_viz.construction.stage import Cloud, Clouds, Stage
from mtm_viz.dynamics.exact import Boost, ClosedForm, Gate, Gates, MeanField, Rotation
from mtm_viz.sphere import angle

#: RK4 steps of a piece of the linearised mean field: two digits of a singular value need no more.
STEPS = 16
#: Relative accuracy of a largest singular value: several that are nearly equal keep Lanczos's method from round-off.
DIGITS = 1e-6


@dataclass(frozen=True)
class Conditions:
    """whole: of the map from all atoms of one input to their images, worst pair; stages: of each stage alone."""

    whole: float
    stages: tuple[float, ...]


@dataclass(frozen=True, eq=False)
class Differential:
    """d(flow) at n atoms: blocks (n, d, d) of each atom alone, plus left @ right, (n d, r) (r, n d), by which attention
    couples them. Never formed as an (n d, n d) matrix: it is applied in O(n).
    """

    blocks: np.ndarray
    left: np.ndarray | None = None
    right: np.ndarray | None = None

    def __matmul__(self, v: np.ndarray) -> np.ndarray:
        """The image of v (n d,)."""
        own = np.einsum("nab,nb->na", self.blocks, v.reshape(self.blocks.shape[::2])).ravel()
        return own if self.left is None or self.right is None else own + self.left @ (self.right @ v)

    def adjoint(self, v: np.ndarray) -> np.ndarray:
        """The transposed differential, applied to v (n d,)."""
        own = np.einsum("nab,na->nb", self.blocks, v.reshape(self.blocks.shape[:2])).ravel()
        return own if self.left is None or self.right is None else own + self.right.T @ (self.left.T @ v)


def conditions(
    stages: tuple[Stage, ...], journeys: tuple[Carried, ...], inputs: Clouds, tick: Callable[[], None]
) -> Conditions:
    """The largest singular values along the atoms' paths, restricted to tangent vectors of the sphere."""
    clouds = inputs
    chains: list[list[Differential]] = [[tangent(cloud)] for cloud in clouds]
    each = []
    for stage in stages:
        worst = 1.0
        if stage.phase == "match":
            blocks = _match_blocks(clouds, journeys)
            for chain, block in zip(chains, blocks, strict=True):
                chain.append(Differential(block))
            worst = max([worst, *(float(np.linalg.norm(block, 2, axis=(1, 2)).max()) for block in blocks)])
            clouds = _matched(clouds, journeys)
        for form in stage.forms if stage.phase != "match" else ():
            for chain, cloud in zip(chains, clouds, strict=True):
                tick()
                factors = differentials(form, cloud)
                chain += factors
                worst = max(worst, largest_singular_value([tangent(cloud), *factors]))
            clouds = tuple(Cloud(form.flow(*cloud), cloud.weights) for cloud in clouds)
        each.append(worst)
    tick()
    return Conditions(max(largest_singular_value(chain) for chain in chains), tuple(each))


def tangent(cloud: Cloud) -> Differential:
    """The projection to the tangent spaces, which leaves out what no perturbation on the sphere can do."""
    x = cloud.points
    return Differential(np.eye(x.shape[1]) - x[:, :, None] * x[:, None, :])


def differentials(form: ClosedForm, cloud: Cloud) -> list[Differential]:
    """The differential of a closed-form flow at the atoms of a cloud, as factors in the order of application."""
    match form:
        case Boost(omega, s):
            reach = np.cosh(s) + (cloud.points @ omega) * np.sinh(s)
            image = form.flow(cloud.points)
            stretch = np.eye(len(omega)) + (np.cosh(s) - 1) * np.outer(omega, omega)
            return [Differential((stretch - np.sinh(s) * image[:, :, None] * omega) / reach[:, None, None])]
        case Rotation(generator, duration):
            turned = expm(duration * generator)
            return [Differential(np.broadcast_to(turned, (len(cloud.points), *turned.shape)))]
        case Gate():
            inside = np.flatnonzero(form.inside(cloud.points))
            blocks = np.broadcast_to(
                np.eye(cloud.points.shape[1]), (len(cloud.points),) + (cloud.points.shape[1],) * 2
            ).copy()
            images = form.flow(cloud.points[inside])
            for j, image in zip(inside, images, strict=True):
                blocks[j] = gate_differential(form, cloud.points[j], image)
            return [Differential(blocks)]
        case Gates():
            # Each atom meets one cap at most, and every gate leaves it be but that one.
            return [factor for gate in form.gates for factor in differentials(gate, cloud)]
        case MeanField(V, drift, duration):
            # In short pieces: over a long one the Lorentz matrix grows like e^t and round-off with it.
            pieces = int(np.ceil(duration * float(np.linalg.norm(V, 2) + np.linalg.norm(drift)) / 2.0))
            piece = MeanField(V, drift, duration / pieces)
            factors = []
            for _ in range(pieces):
                factors.append(mean_field_differential(piece, cloud))
                cloud = Cloud(piece.flow(*cloud), cloud.weights)
            return factors


def gate_differential(gate: Gate, x: np.ndarray, image: np.ndarray) -> np.ndarray:
    """(d, d) of the flow at one point x of the cap, `image` being where it goes.

    With F the antiderivative of 1 / (f sin), f = A cos(theta) + B sin(theta) - tau, the flow keeps
    F(theta_0, B) - F(theta_1, B) and e. So d theta_1 = f_1 sin(theta_1) (d theta_0 / (f_0 sin(theta_0)) +
    d_B [F(theta_0) - F(theta_1)] dB), dB = <a, de>, de the part of dx across the great circle over sin(theta_0).
    """
    theta = angle(np.stack([x, image]), gate.omega[None, :])
    sine, cosine = np.sin(theta), np.cos(theta)
    if sine[0] < 1e-12:
        # At omega itself the flow is a pure contraction.
        rate = float(gate.a @ gate.omega) - gate.tau
        return np.exp(-rate * gate.duration) * (np.eye(len(x)) - np.outer(x, x))
    e = (x - cosine[0] * gate.omega) / sine[0]
    e /= np.linalg.norm(e)
    A, B = float(gate.a @ gate.omega), float(gate.a @ e)
    speed = (A * cosine + B * sine - gate.tau) * sine
    h = 1e-6 * float(np.abs(speed / sine).min())
    later, sooner = (gate.travel_time_along(theta[0], theta[1], B + k * h) for k in (1.0, -1.0))
    by_b = (later - sooner) / (2 * h)
    outward = np.stack([cosine[k] * e - sine[k] * gate.omega for k in (0, 1)])  # d x / d theta at both ends
    across = np.eye(len(x)) - np.outer(gate.omega, gate.omega) - np.outer(e, e)
    turned = speed[1] * (outward[0] / speed[0] + by_b * (across @ gate.a) / sine[0])
    return np.outer(outward[1], turned) + sine[1] / sine[0] * across


def mean_field_differential(form: MeanField, cloud: Cloud) -> Differential:
    """The Lorentz matrix and its variation with every atom, by RK4 on both together."""
    n, d = cloud.points.shape
    rays = np.c_[cloud.points, np.ones(n)]

    def read(g: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Images (n, d) and the differentials (n, d, d + 1) of the projection at g x."""
        moved = rays @ g.T
        y = moved[:, :d] / moved[:, d:]
        return y, (np.c_[np.eye(d), np.zeros(d)] - y[:, :, None] * np.eye(d + 1)[d]) / moved[:, d, None, None]

    def generator_times(c: np.ndarray, g: np.ndarray) -> np.ndarray:
        """K(c) g for columns of c (d, m) and one g, or one c (d, 1) and columns of g (d+1, d+1, m)."""
        g = g if g.ndim == 3 else g[..., None]
        return np.concatenate([c[:, None, :] * g[d][None], (c[:, None, :] * g[:d]).sum(axis=0)[None]])

    def rate(g: np.ndarray, dg: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        y, project = read(g)
        c = (form.V @ (cloud.weights @ y) + form.drift)[:, None]
        through = np.einsum("j,jar,js->ars", cloud.weights, project, rays)
        direct = np.einsum("j,jar,rb->ajb", cloud.weights, project, g[:, :d]).reshape(d, n * d)
        dm = np.einsum("ars,rsk->ak", through, dg) + direct
        return generator_times(c, g)[..., 0], generator_times(c, dg) + generator_times(form.V @ dm, g)

    g, dg = np.eye(d + 1), np.zeros((d + 1, d + 1, n * d))
    h = form.duration / STEPS
    for _ in range(STEPS):
        k1, q1 = rate(g, dg)
        k2, q2 = rate(g + h / 2 * k1, dg + h / 2 * q1)
        k3, q3 = rate(g + h / 2 * k2, dg + h / 2 * q2)
        k4, q4 = rate(g + h * k3, dg + h * q3)
        g, dg = g + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4), dg + h / 6 * (q1 + 2 * q2 + 2 * q3 + q4)
    _, project = read(g)
    own = np.einsum("jar,rb->jab", project, g[:, :d])
    felt = (project[:, :, :, None] * rays[:, None, None, :]).reshape(n * d, (d + 1) ** 2)
    return Differential(own, felt, dg.reshape((d + 1) ** 2, n * d))


def largest_singular_value(chain: list[Differential]) -> float:
    """||J||_2 of J = the last factor @ ... @ the first, by Lanczos's method from a fixed start."""
    size = chain[0].blocks.shape[0] * chain[0].blocks.shape[1]

    def forward(v: np.ndarray) -> np.ndarray:
        v = v.ravel()
        for factor in chain:
            v = factor @ v
        return v

    def backward(v: np.ndarray) -> np.ndarray:
        v = v.ravel()
        for factor in reversed(chain):
            v = factor.adjoint(v)
        return v

    if size < 12:
        return float(np.linalg.norm(np.stack([forward(e) for e in np.eye(size)], axis=1), 2))
    start = np.random.default_rng(0).normal(size=size)
    J = LinearOperator((size, size), matvec=forward, rmatvec=backward, dtype=np.float64)  # pyright: ignore[reportCallIssue]
    found = svds(J, k=1, v0=start, tol=DIGITS, return_singular_vectors=False)  # pyright: ignore[reportArgumentType]
    return float(np.asarray(found, dtype=np.float64)[0])


def _match_blocks(clouds: Clouds, journeys: tuple[Carried, ...]) -> list[np.ndarray]:
    """Each atom's composed differential over the gates that move it; every other gate leaves it bit for bit."""
    d = clouds[0].points.shape[1]
    blocks = np.broadcast_to(np.eye(d), (sum(len(cloud.points) for cloud in clouds), d, d)).copy()
    points = np.concatenate([cloud.points for cloud in clouds])
    for carried in journeys:
        if carried.peel is not None:
            images = carried.peel.flow(points[carried.sources])
            for j, image in zip(carried.sources, images, strict=True):
                blocks[j] = gate_differential(carried.peel, points[j], image) @ blocks[j]
        for move in carried.moves:
            blocks[carried.sources] = gate_differential(move.gate, move.start, move.end) @ blocks[carried.sources]
    return np.split(blocks, np.cumsum([len(cloud.points) for cloud in clouds])[:-1])


def _matched(clouds: Clouds, journeys: tuple[Carried, ...]) -> Clouds:
    points = np.concatenate([cloud.points for cloud in clouds])
    for carried in journeys:
        points[carried.sources] = carried.moves[-1].end
    parts = np.split(points, np.cumsum([len(cloud.points) for cloud in clouds])[:-1])
    return tuple(Cloud(part, cloud.weights) for part, cloud in zip(parts, clouds, strict=True))
