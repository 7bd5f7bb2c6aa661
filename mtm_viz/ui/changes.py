"""What changed between two scenarios, in words."""

from __future__ import annotations

from typing import Any

import numpy as np

from mtm_viz.dynamics.law_file import DEFAULTS
from mtm_viz.measures.generators import generators
from mtm_viz.ui.matrix_words import NAMES

#: How a key of the law is called, and how its values are where they are not numbers or matrices.
LAW = {
    "model": "model", "beta": "β", "V": "V", "B": "B", "W": "W", "U": "U", "b": "b", "causal": "causal mask", "noise": "noise",
    "common_noise": "common noise", "residual": "residual", "placement": "normalisation", "layers": "layers' step",
}  # fmt: skip
WATCHED = {
    "dimension": "dimension",
    "horizon": "horizon",
    "frames": "frames",
    "seed": "seed",
    "integrator": "integrator",
}
#: Changes of segments said one by one; beyond, they are counted.
MOST_SEGMENTS = 3


def changes(a: dict[str, Any], b: dict[str, Any]) -> list[str]:
    """What b has instead of what a has, most important first; [] where they are the same.

    >>> whole = {"dimension": 3, "initial": {"generator": "uniform", "n": 50}, "dynamics": {"beta": 4}, "horizon": 5.0}
    >>> changes(whole, whole | {"dynamics": {"beta": 9, "V": "rotation"}})
    ['β 4 → 9', 'V I → Quarter turn']
    """
    said = _law(a.get("dynamics", {}), b.get("dynamics", {}))
    said += _segments(a.get("schedule") or [], b.get("schedule") or [])
    said += _measures(a["initial"], b["initial"])
    for key, name in WATCHED.items():
        if a.get(key) != b.get(key) and key in a and key in b:
            said.append(f"{name} {_value(a[key])} → {_value(b[key])}")
    return said


def _law(a: dict[str, Any], b: dict[str, Any], whole: dict[str, Any] = DEFAULTS) -> list[str]:
    """Changes of a law's keys; what neither says is what `whole` says."""
    said = []
    if a.get("heads") or b.get("heads"):
        before, after = _heads(a), _heads(b)
        if len(before) != len(after):
            said.append(f"heads {len(before)} → {len(after)}")
        for k, (one, other) in enumerate(zip(before, after, strict=False), start=1):
            said += [f"head {k}: {change}" for change in _law(one, other)]
        rest = ("V", "B", "beta", "heads")
        a, b = ({key: value for key, value in law.items() if key not in rest} for law in (a, b))
    for key, name in LAW.items():
        before, after = a.get(key, whole.get(key)), b.get(key, whole.get(key))
        if before != after:
            said.append(_change(name, before, after))
    return said


def _change(name: str, before: Any, after: Any) -> str:
    if isinstance(before, bool):
        return f"{name} {'on' if after else 'off'}"
    if name in ("W", "U", "b") and after is None:
        return f"{name} taken away"
    if _is_numbers(before) and _is_numbers(after):
        factor = _factor(before, after)
        if factor is not None:
            return f"{name} times {factor:g}"
    return f"{name} {_value(before)} → {_value(after)}"


def _heads(law: dict[str, Any]) -> list[dict[str, Any]]:
    return law.get("heads") or [{key: law[key] for key in ("V", "B", "beta") if key in law}]


def _segments(a: list[dict[str, Any]], b: list[dict[str, Any]]) -> list[str]:
    """Segments changed, added, taken away or moved, told apart by the longest stretch that both begin and end with."""
    if a == b:
        return []
    if not a or not b:
        return [f"a schedule of {len(b)} segments" if b else f"one law instead of {len(a)} segments"]
    first = next((k for k, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    after = 0
    while after < min(len(a), len(b)) - first and a[-1 - after] == b[-1 - after]:
        after += 1
    before, now = a[first : len(a) - after], b[first : len(b) - after]
    if len(before) == len(now):
        if len(now) > 1 and sorted(map(repr, before)) == sorted(map(repr, now)):
            return [f"segments {first + 1} to {first + len(now)} in another order"]
        said = [_segment(first + k + 1, x, y) for k, (x, y) in enumerate(zip(before, now, strict=True)) if x != y]
        return said if len(said) <= MOST_SEGMENTS else [f"{len(said)} segments, from segment {first + 1} on"]
    if not before:
        twice = len(now) == 1 and first > 0 and now[0] == b[first - 1]
        return [f"segment {first} twice"] if twice else [f"{_count(len(now))} added at {first + 1}"]
    if not now:
        return [
            f"segment {first + 1} taken away"
            if len(before) == 1
            else f"segments {first + 1} to {first + len(before)} taken away"
        ]
    return [f"segments {first + 1} to {first + len(before)} replaced by {len(now)} others"]


def _segment(k: int, a: dict[str, Any], b: dict[str, Any]) -> str:
    said = [] if a["duration"] == b["duration"] else [f"lasts {_value(a['duration'])} → {_value(b['duration'])}"]
    said += _law(*({key: one[key] for key in one if key not in ("duration", "phase")} for one in (a, b)))
    if a.get("phase") != b.get("phase"):
        said.append(f"is called {b.get('phase', 'segment')}")
    return f"segment {k}: {', '.join(said)}"


def _count(n: int) -> str:
    return "a segment" if n == 1 else f"{n} segments"


def _measures(a: Any, b: Any) -> list[str]:
    before, after = (one if isinstance(one, list) else [one] for one in (a, b))
    if len(before) != len(after):
        return [f"{len(before)} measure{'s' if len(before) > 1 else ''} → {len(after)}"]
    said = []
    for k, (one, other) in enumerate(zip(before, after, strict=True), start=1):
        name = "start" if len(before) == 1 else f"start {k}"
        said += [f"{name}: {change}" for change in _measure(one, other)]
    return said


def _measure(a: dict[str, Any], b: dict[str, Any]) -> list[str]:
    if a == b:
        return []
    if "generator" not in a or "generator" not in b or a["generator"] != b["generator"]:
        return [f"{_shape(a)} → {_shape(b)}"]
    said = []
    if a.get("n", 200) != b.get("n", 200):
        said.append(f"n {a.get('n', 200):,} → {b.get('n', 200):,}")
    before, after = a.get("params", {}), b.get("params", {})
    said += [
        f"{key.replace('_deg', ' (°)').replace('_', ' ')} {_value(before.get(key))} → {_value(after.get(key))}"
        for key in sorted(set(before) | set(after))
        if before.get(key) != after.get(key)
    ]
    if a.get("seed", 0) != b.get("seed", 0):
        said.append("another sample")
    return said


def _shape(measure: dict[str, Any]) -> str:
    if "generator" in measure:
        kind = generators().get(measure["generator"])
        return kind.label if kind is not None else str(measure["generator"])
    return f"{len(measure.get('points', []))} given points"


def _is_numbers(said: Any) -> bool:
    return isinstance(said, list) and bool(said) and all(isinstance(x, int | float) or _is_numbers(x) for x in said)


def _flat(said: Any) -> list[float]:
    return [x for row in said for x in _flat(row)] if isinstance(said, list) else [float(said)]


def _factor(a: Any, b: Any) -> float | None:
    """c where b = c a, entry by entry; None elsewhere, and for c = 1."""
    x, y = _flat(a), _flat(b)
    at = max(range(len(x)), key=lambda k: abs(x[k]))
    if len(x) != len(y) or x[at] == 0:
        return None
    c = y[at] / x[at]
    near = all(abs(v - c * u) <= 1e-12 * abs(c * x[at]) for u, v in zip(x, y, strict=True))
    return round(c, 9) if near and c != 0 else None


def _value(said: Any) -> str:
    """A value in a change: a number, a matrix by its name, what it does or its rows, a list of numbers.

    >>> _value("identity"), _value(0.5), _value([[1, 0], [0, 2.5]]), _value([[0, -1.0], [1, 0]]), _value(None)
    ('I', '0.5', '[1 0; 0 2.5]', 'rotation by 90°', 'none')
    """
    if said is None:
        return "none"
    if isinstance(said, bool):
        return "on" if said else "off"
    if isinstance(said, int | float):
        return f"{said:g}"
    if isinstance(said, dict):
        return NAMES.get(said.get("name", ""), str(said))
    if isinstance(said, str):
        return NAMES.get(said, said)
    if _is_numbers(said):
        known = (
            _known(np.array(said, dtype=float))
            if isinstance(said[0], list) and len({len(row) for row in said}) == 1
            else ""
        )
        if known:
            return known
        rows = (
            [" ".join(f"{x:.3g}" for x in _flat(row)) for row in said]
            if isinstance(said[0], list)
            else [" ".join(f"{x:.3g}" for x in said)]
        )
        text = f"[{'; '.join(rows)}]"
        return text if len(text) <= 60 else f"{len(rows)} rows of numbers"
    return "others"


def _known(A: np.ndarray) -> str:
    """A matrix that has a name: c I, or the rotation of one plane; "" for any other."""
    d = len(A)
    if A.shape != (d, d) or d < 2:
        return ""
    eye = np.eye(d)
    if np.allclose(A, A[0, 0] * eye, atol=1e-9):
        c = A[0, 0]
        return "0" if c == 0 else "I" if c == 1 else "−I" if c == -1 else f"{c:g} I"
    # To the digits that a person types: cos 30 as 0.866.
    turns = (
        np.allclose(A @ A.T, eye, atol=2e-3) and np.linalg.det(A) > 0 and np.linalg.matrix_rank(A - eye, tol=1e-2) == 2
    )
    if not turns:
        return ""
    angle = np.rad2deg(np.arctan2(np.linalg.norm(A - A.T) / 8**0.5, (np.trace(A) - d + 2) / 2))
    return f"rotation by {angle:.3g}°"
