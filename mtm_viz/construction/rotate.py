"""Rotate: rigid rotations, free of error and with condition 1."""

from __future__ import annotations

import numpy as np
from scipy.linalg import logm

from mtm_viz.construction.stage import Clouds, Stage
from mtm_viz.dynamics.exact import Rotation
from mtm_viz.sphere import angle, rotation_between, tangent_basis


def rotate(start: np.ndarray, end: np.ndarray) -> Stage:
    """Carry the unit vector `start` to `end` along the geodesic; nothing where they agree."""
    e, phi = rotation_between(start, end)
    claim = "the cap's centre lies this far from the pole (rad)"
    if phi < 1e-9:
        return Stage("rotate", (), claim, float(angle(start, end)))
    form = Rotation.in_plane(start, e, phi)
    return Stage("rotate", (form,), claim, float(angle(form.flow(start[None, :])[0], end)))


def align(clouds: Clouds, others: Clouds, pole: np.ndarray) -> Stage:
    """Turn `clouds` about the pole so that each lies, as far as one rotation can, on the meridian of its partner.

    The proper rotation of the equator's space that maximises sum_i <R h_i, k_i>, h and k the horizontal parts of
    the clouds' and their partners' means (Kabsch). Then most atoms need one gate instead of two.
    """
    basis = tangent_basis(pole)
    here = np.array([cloud.points.mean(axis=0) for cloud in clouds]) @ basis.T
    there = np.array([cloud.points.mean(axis=0) for cloud in others]) @ basis.T
    left, _, right = np.linalg.svd(there.T @ here)
    proper = np.eye(len(basis))
    proper[-1, -1] = np.sign(np.linalg.det(left @ right))
    turn = left @ proper @ right
    generator = np.real(logm(turn))
    generator = basis.T @ ((generator - generator.T) / 2) @ basis
    claim = "the largest difference in meridian between a cloud and its partner is this (rad)"
    flat = there / np.maximum(np.linalg.norm(there, axis=1, keepdims=True), 1e-300)
    moved = here @ turn.T
    moved = moved / np.maximum(np.linalg.norm(moved, axis=1, keepdims=True), 1e-300)
    value = float(angle(flat, moved).max())
    # A half turn has no unique generator; a round-off one that is not a rotation must not be trusted.
    if np.abs(generator).max() < 1e-9 or not np.allclose(Rotation(generator, 1.0).flow(basis), basis.T.dot(turn).T):
        return Stage("rotate", (), claim, value)
    size = float(np.linalg.norm(generator, 2))
    return Stage("rotate", (Rotation(generator / size, size),), claim, value)
