"""Dynamics keep to the array standard, so that they run on CuPy: closed forms, the field, laws and their integrator."""

from __future__ import annotations

from typing import Any

import array_api_strict
import numpy as np
import pytest

from mtm_viz.backend import beside, row_dot, to_backend, to_host
from mtm_viz.dynamics.evolve import adaptive_frames
from mtm_viz.dynamics.exact import Boost, Gate, MeanField, Rotation
from mtm_viz.dynamics.law import PLACEMENTS
from mtm_viz.dynamics.law_file import read_law
from mtm_viz.dynamics.models import models
from mtm_viz.sphere import normalise

RNG = np.random.default_rng(1)
POINTS, WEIGHTS = normalise(RNG.standard_normal((40, 3))), RNG.dirichlet(np.ones(40))
NORTH, EAST = np.eye(3)[2], np.eye(3)[0]
FORMS = {
    "boost": Boost(normalise(np.array([1.0, 2, 3])), 0.7),
    "rotation": Rotation.in_plane(NORTH, EAST, 0.3),
    "gate": Gate(NORTH, 0.2, EAST, 0.9),
    "gate backwards": Gate(NORTH, -0.2, EAST, -0.9),
    "gate that holds nothing": Gate(NORTH, 0.999999, EAST, 0.9),
    "mean field": MeanField(RNG.standard_normal((3, 3)), np.array([0.1, 0.2, 0.3]), 0.5),
}
STRICT = array_api_strict.asarray
DEVICE = pytest.param(lambda x: to_backend(x, "cupy"), id="cupy", marks=pytest.mark.gpu)
PLACES = pytest.mark.parametrize("there", [pytest.param(STRICT, id="strict"), DEVICE])


@PLACES
@pytest.mark.parametrize("form", FORMS)
def test_closed_forms(there, form):
    found = FORMS[form].flow(there(POINTS), there(WEIGHTS))
    assert type(found) is type(there(POINTS))
    np.testing.assert_allclose(to_host(found), FORMS[form].flow(POINTS, WEIGHTS), atol=1e-12)


@PLACES
@pytest.mark.parametrize(
    ("model", "placement"), [*((name, "sphere") for name in models()), *(("sa", name) for name in PLACEMENTS[1:])]
)
def test_laws(there, model, placement):
    said = {"model": model, "beta": 2, "W": "random-gaussian", "placement": placement, "residual": 0.3}
    x, w = POINTS[:10], WEIGHTS[:10]
    for causal in (False, True):
        law = read_law(said | {"causal": causal}, 3, 0)
        velocity = law.velocity(there(x), there(w), 1e-10)
        np.testing.assert_allclose(to_host(velocity(there(x))), law.velocity(x, w, 1e-10)(x), atol=1e-12)
        layer = law.layer(there(x), there(w), 1e-10, 0.1)(there(x))
        np.testing.assert_allclose(to_host(layer), law.layer(x, w, 1e-10, 0.1)(x), atol=1e-12)


@PLACES
def test_frames(there):
    law = read_law({"beta": 2, "V": "rotation"}, 3, 0)

    def frames(x: Any, w: Any) -> np.ndarray:
        kept: dict[int, np.ndarray] = {}
        adaptive_frames(
            law.velocity(x, w, 1e-10),
            x,
            np.linspace(0.0, 0.5, 4),
            lambda f, state: kept.update({f: to_host(state)}),
            on_sphere=True,
            rtol=1e-7,
        )
        return np.array([kept[f] for f in range(4)])

    x, w = POINTS[:10], WEIGHTS[:10]
    np.testing.assert_allclose(frames(there(x), there(w)), frames(x, w), atol=1e-9)


@PLACES
def test_rows(there):
    np.testing.assert_allclose(to_host(row_dot(there(POINTS), there(POINTS))), 1.0, atol=1e-15)
    assert type(beside(NORTH, there(POINTS))) is type(there(POINTS))
