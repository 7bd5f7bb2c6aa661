"""The "dynamics" of an mtm-scenario read into a law of motion, every value checked."""

from __future__ import annotations

from typing import Any

import numpy as np

from mtm_viz.dynamics.law import PLACEMENTS, Head, Law
from mtm_viz.dynamics.matrices import LARGEST, read_matrix, read_vector
from mtm_viz.dynamics.models import model
from mtm_viz.errors import InputError

MOST_HEADS = 16
WIDEST = 256
#: What each key is when left out; "beta" multiplies B.
DEFAULTS: dict[str, Any] = {
    "model": "sa",
    "beta": 1.0,
    "V": "identity",
    "B": "identity",
    "W": None,
    "U": None,
    "b": None,
    "heads": None,
    "causal": False,
    "noise": 0.0,
    "common_noise": 0.0,
    "residual": 0.0,
    "placement": "sphere",
    "layers": None,
}


def read_law(said: Any, dimension: int, seed: int, most: float = LARGEST) -> Law:
    """The law that "dynamics" describes, in that dimension; random named matrices are drawn by the seed.

    most: the largest entry of a matrix.

    Raises InputError, one sentence that names the key.
    """
    if not isinstance(said, dict):
        raise InputError('"dynamics" must be an object such as {"model": "sa", "beta": 5}')
    unknown = sorted(set(said) - set(DEFAULTS))
    if unknown:
        raise InputError(f'"{unknown[0][:40]}" is not known in "dynamics": use {", ".join(DEFAULTS)}')
    given = DEFAULTS | said
    if not isinstance(given["model"], str):
        raise InputError('"model" must be a name: use sa, usa or another model')
    kind = model(given["model"])
    heads = _heads(said, dimension, seed, most)
    largest = max(float(np.linalg.norm(head.B, 2)) for head in heads)
    if largest > kind.largest:
        raise InputError(
            f'"beta" makes |B| = {largest:.4g}, and model "{given["model"]}" moves too fast beyond {kind.largest:g}: '
            "make it smaller, or use model sa"
        )
    W, U, b = _perceptron(given, dimension, seed, most)
    if not isinstance(given["causal"], bool):
        raise InputError('"causal" must be true or false')
    if given["placement"] not in PLACEMENTS:
        raise InputError(f'"placement" is {str(given["placement"])[:40]!r}: use one of {", ".join(PLACEMENTS)}')
    layers = None if given["layers"] is None else number(given["layers"], "layers", 1e-6, 1e3)
    law = Law(
        kind,
        heads,
        W,
        U,
        b,
        causal=given["causal"],
        noise=number(given["noise"], "noise", 0.0, 100.0),
        common_noise=number(given["common_noise"], "common_noise", 0.0, 100.0),
        residual=number(given["residual"], "residual", -LARGEST, LARGEST),
        placement=given["placement"],
        layers=layers,
    )
    if law.is_random and (not law.is_on_sphere or layers is not None):
        raise InputError(
            '"noise" moves particles on the sphere in continuous time: use "placement": "sphere" and no "layers"'
        )
    return law


def _heads(said: dict[str, Any], d: int, seed: int, most: float) -> tuple[Head, ...]:
    """One head from V, B and beta, or the heads listed; the k-th draws its random matrices by seed + k."""
    if said.get("heads") is None:
        return (_head(said, "", d, seed, most),)
    extra = sorted({"V", "B", "beta"} & set(said))
    if extra:
        raise InputError(f'"{extra[0]}" stands beside "heads": give it in each head instead')
    listed = said["heads"]
    if not isinstance(listed, list) or not 1 <= len(listed) <= MOST_HEADS:
        raise InputError(f'"heads" must be a list of 1 to {MOST_HEADS} objects with "V", "B" and "beta"')
    return tuple(_head(head, f"head {k + 1}: ", d, seed + k, most) for k, head in enumerate(listed))


def _head(said: Any, where: str, d: int, seed: int, most: float) -> Head:
    if not isinstance(said, dict) or (where and set(said) - {"V", "B", "beta"}):
        raise InputError(f'{where}must be an object with "V", "B" and "beta" only')
    try:
        beta = number(said.get("beta", DEFAULTS["beta"]), "beta", -LARGEST, LARGEST)
        V = read_matrix(said.get("V", DEFAULTS["V"]), "V", d, d, seed, most)
        # Another seed than V's, or a random V and a random B would be the same matrix.
        B = beta * read_matrix(said.get("B", DEFAULTS["B"]), "B", d, d, seed + MOST_HEADS, most)
    except InputError as problem:
        raise InputError(f"{where}{problem}") from problem
    return Head(V, B)


def _perceptron(given: dict[str, Any], d: int, seed: int, most: float) -> tuple[Any, Any, Any]:
    """W (d, p), U (p, d), b (p,), or None three times; W alone takes U = I and b = 0."""
    if given["W"] is None:
        alone = next((key for key in ("U", "b") if given[key] is not None), None)
        if alone:
            raise InputError(f'"{alone}" does nothing without "W": give W as well')
        return None, None, None
    W = given["W"]
    rows = W if isinstance(W, list) else [[0.0] * d]
    p = len(rows[0]) if rows and isinstance(rows[0], list) else d
    if not 1 <= p <= WIDEST:
        raise InputError(f'"W" has {p} columns: give it 1 to {WIDEST}')
    U = np.eye(p, d) if given["U"] is None else read_matrix(given["U"], "U", p, d, seed + 3 * MOST_HEADS, most)
    b = np.zeros(p) if given["b"] is None else read_vector(given["b"], "b", p, most)
    return read_matrix(W, "W", d, p, seed + 2 * MOST_HEADS, most), U, b


def number(said: Any, name: str, low: float, high: float) -> float:
    """A finite number in [low, high]. Raises InputError naming it."""
    # Compared before it is converted: a whole number may be too large for float64; NaN is in no range.
    fits = isinstance(said, int | float) and not isinstance(said, bool) and low <= said <= high
    if not fits:
        raise InputError(f'"{name}" is {str(said)[:40]}: give a number from {low:g} to {high:g}')
    return float(said)
