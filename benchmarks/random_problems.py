"""What becomes of random problems: solved, reached but not to 1e-6, missed, or refused with a reason.

    python -m benchmarks.random_problems [--count 500] [--first 1] [--workers 2] [--json FILE]

Problem k is drawn with seed k: dimension 3-5, 1-6 pairs of 1-40 atoms a side, in caps, over the whole sphere, on
rings, in antipodal pairs, with near-duplicates at 1e-3 to 1e-8; some inputs share half of their atoms, some measures
have Dirichlet weights. A run is judged by W2 - reachable of its worst pair, by the independent integrator: at most
1e-6 is solved, at most eps = 1e-4 passes. Every problem that does not pass is printed with its seed.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from mtm_viz import Problem, interpolate
from mtm_viz.errors import Refusal
from mtm_viz.measures.measure import Measure
from mtm_viz.measures.source import Points
from mtm_viz.problem import Pair
from mtm_viz.sphere import normalise

KINDS = ("cap", "sphere", "ring", "antipodes", "near-duplicates")
OUTCOMES = ("solved to 1e-6", "passed (1e-4)", "missed", "refused", "crashed")


def atoms(rng: np.random.Generator, kind: str, n: int, d: int) -> np.ndarray:
    centre = normalise(rng.normal(size=d))
    if kind == "sphere":
        return normalise(rng.normal(size=(n, d)))
    if kind == "antipodes":
        half = normalise(rng.normal(size=((n + 1) // 2, d)))
        return np.concatenate([half, -half])[:n]
    if kind == "ring":
        frame = np.linalg.qr(np.c_[centre, rng.normal(size=(d, 2))])[0]
        turn, radius = 2 * np.pi * np.arange(n) / n, rng.uniform(0.1, 1.5)
        across = np.outer(np.cos(turn), frame[:, 1]) + np.outer(np.sin(turn), frame[:, 2])
        return normalise(np.cos(radius) * centre + np.sin(radius) * across)
    points = normalise(centre + rng.uniform(0.1, 1.0) * rng.normal(size=(n, d)))
    if kind == "near-duplicates":
        k = n // 2
        points[:k] = normalise(points[n - k :] + 10.0 ** rng.uniform(-8, -3) * rng.normal(size=(k, d)))
    return points


def draw(seed: int) -> tuple[Problem, str]:
    """(problem, what is remarkable about it)."""
    rng = np.random.default_rng(seed)
    d, pairs, n = int(rng.integers(3, 6)), int(rng.integers(1, 7)), int(rng.integers(1, 41))
    kinds = KINDS if rng.random() < 0.4 else KINDS[:-1]
    equal, weighted, share = rng.random() < 0.4, rng.random() < 0.4, rng.random() < 0.4
    common = atoms(rng, "cap", n // 2, d)
    drawn, met = [], set()
    for k in range(pairs):
        kind, goal = (str(x) for x in rng.choice(kinds, size=2))
        met |= {kind, goal}
        x = atoms(rng, kind, n, d)
        if share:
            x[: n // 2] = common
        m = n if equal else int(rng.integers(1, 41))
        y = atoms(rng, goal, m, d)
        heavy = [rng.dirichlet(np.ones(len(z))) if weighted and rng.random() < 0.6 else None for z in (x, y)]
        drawn.append(Pair(str(k + 1), Points(Measure(x, heavy[0])), Points(Measure(y, heavy[1]))))
    marks = [
        word
        for word, holds in (
            ("near-duplicates", "near-duplicates" in met),
            ("shared atoms", share and n > 1 and pairs > 1),
            ("weights", weighted),
            ("n != m", not equal),
        )
        if holds
    ]
    return Problem(d, tuple(drawn)), ", ".join(marks) or "plain"


def outcome(seed: int) -> dict[str, Any]:
    problem, marks = draw(seed)
    size = f"d={problem.dimension} N={len(problem.pairs)} n={len(problem.inputs[0])}"
    said: dict[str, Any] = {"seed": seed, "marks": marks, "size": size}
    began = time.process_time()
    try:
        found = interpolate(problem).certificate
    except Refusal as reason:
        return said | {"outcome": "refused", "why": str(reason), "cpu": time.process_time() - began}
    except Exception as error:  # noqa: BLE001 - a benchmark reports what should not happen
        return said | {"outcome": "crashed", "why": repr(error), "cpu": time.process_time() - began}
    over = max(pair["w2"] - pair["reachable"] for pair in found["pairs"])
    name = OUTCOMES[0] if over <= 1e-6 else OUTCOMES[1] if found["passed"] else OUTCOMES[2]
    return said | {
        "outcome": name,
        "over": over,
        "condition": found["condition"],
        "gates": found["gates"],
        "cpu": time.process_time() - began,
    }


def table(rows: list[dict[str, Any]]) -> str:
    lines = [f"{'':44}" + "".join(f"{name:>16}" for name in OUTCOMES) + f"{'all':>6}"]
    for marks in [*sorted({row["marks"] for row in rows}), None]:
        mine = [row for row in rows if marks in (None, row["marks"])]
        count = Counter(row["outcome"] for row in mine)
        label = "all" if marks is None else marks
        lines.append(f"{label:44}" + "".join(f"{count[name]:16}" for name in OUTCOMES) + f"{len(mine):6}")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    rows = []
    with ProcessPoolExecutor(given.workers) as pool:
        for row in pool.map(outcome, range(given.first, given.first + given.count)):
            rows.append(row)
            if row["outcome"] not in OUTCOMES[:2]:
                print(*(f"{key}: {value}" for key, value in row.items()), sep="  ", flush=True)
    print(table(rows))
    spent = np.array([row["cpu"] for row in rows])
    print(f"CPU seconds a problem: median {np.median(spent):.1f}, most {spent.max():.1f}")
    if given.json:
        given.json.write_text(json.dumps(rows, indent=1))


if __name__ == "__main__":
    sys.exit(main())
