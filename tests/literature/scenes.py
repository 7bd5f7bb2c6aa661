"""Scenarios that several tests of this folder start from."""

from __future__ import annotations

import numpy as np

from mtm_viz import Scenario


def scenario(**said) -> Scenario:
    whole = {"format": "mtm-scenario", "version": 1, "dimension": 3, "frames": 5, "horizon": 2.0}
    return Scenario.from_json(whole | {"initial": {"generator": "uniform", "n": 30}} | said)


def equiangular(n: int, **said) -> Scenario:
    """n orthonormal particles."""
    return scenario(dimension=n, initial={"points": np.eye(n).tolist()}, **said)


def on_circle(angles: np.ndarray, weights: np.ndarray | None = None, **said) -> Scenario:
    initial = {"points": np.c_[np.cos(angles), np.sin(angles)].tolist()}
    if weights is not None:
        initial["weights"] = weights.tolist()
    return scenario(dimension=2, initial=initial, **said)
