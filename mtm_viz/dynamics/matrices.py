"""Matrices by name: what a person chooses for V and B without typing numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from mtm_viz.errors import InputError

#: Entries larger than this are taken for a mistake.
LARGEST = 1e4

_Make = Callable[[int, np.random.Generator], np.ndarray]


def _rotation(d: int, _: np.random.Generator) -> np.ndarray:
    """A quarter turn in the plane of the first two axes, the other axes kept."""
    turn = np.eye(d)
    turn[:2, :2] = [[0.0, -1.0], [1.0, 0.0]]
    return turn


def _orthogonal(d: int, rng: np.random.Generator) -> np.ndarray:
    """Uniform (Haar) on O(d): the QR factor of a Gaussian matrix, its signs fixed (Mezzadri, Notices AMS 54 (2007))."""
    q, r = np.linalg.qr(rng.standard_normal((d, d)))
    return q * np.sign(np.diag(r))


def _symmetric(d: int, rng: np.random.Generator) -> np.ndarray:
    a = rng.standard_normal((d, d)) / np.sqrt(d)
    return (a + a.T) / np.sqrt(2.0)


NAMED: dict[str, _Make] = {
    "identity": lambda d, _: np.eye(d),
    "minus-identity": lambda d, _: -np.eye(d),
    "zero": lambda d, _: np.zeros((d, d)),
    "rotation": _rotation,
    "line": lambda d, _: np.diag(np.eye(d)[0]),
    "random-symmetric": _symmetric,
    "random-orthogonal": _orthogonal,
    "random-gaussian": lambda d, rng: rng.standard_normal((d, d)) / np.sqrt(d),
}


def read_matrix(said: Any, name: str, rows: int, columns: int, seed: int = 0, most: float = LARGEST) -> np.ndarray:
    """A matrix (rows, columns) as a file gives it: rows of numbers, a number c for c I, a name, or {"name", "seed"}.

    most: the largest entry. Raises InputError naming the matrix.
    """
    if isinstance(said, dict):
        unknown = sorted(set(said) - {"name", "seed"})
        seed = said.get("seed", seed)
        if unknown or isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < 2**63:
            raise InputError(f'"{name}" must be {{"name": ..., "seed": whole number}}: correct it')
        said = said.get("name")
    if isinstance(said, str):
        if said not in NAMED or rows != columns:
            raise InputError(f'"{name}" is "{said[:40]}": use a matrix, or one of {", ".join(NAMED)}')
        return NAMED[said](rows, np.random.default_rng(seed))
    if isinstance(said, int | float) and not isinstance(said, bool):
        if rows != columns:
            raise InputError(f'"{name}" is a number: give a {rows} x {columns} matrix')
        return _checked(float(_float(said)) * np.eye(rows), name, most)
    return _checked(_array(said, name, (rows, columns)), name, most)


def read_vector(said: Any, name: str, length: int, most: float = LARGEST) -> np.ndarray:
    """A list of `length` numbers. Raises InputError naming it."""
    return _checked(_array(said, name, (length,)), name, most)


def _array(said: Any, name: str, shape: tuple[int, ...]) -> np.ndarray:
    wanted = " x ".join(map(str, shape))
    try:
        array = np.array(said, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as problem:
        raise InputError(f'"{name}" holds something that is not a number: give {wanted} numbers') from problem
    if array.shape != shape:
        found = " x ".join(map(str, array.shape)) or "no list"
        raise InputError(f'"{name}" is {found} and must be {wanted}: give as many rows and columns')
    return array


def _checked(array: np.ndarray, name: str, most: float) -> np.ndarray:
    if not np.isfinite(array).all():
        raise InputError(f'"{name}" holds a number that is not finite: correct it')
    if np.abs(array).max(initial=0.0) > most:
        raise InputError(f'"{name}" holds a number beyond {most:g}: make it smaller')
    return array


def _float(said: int | float) -> float:
    try:
        return float(said)
    except OverflowError:
        return float("inf")
