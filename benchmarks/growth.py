"""How the cost of a construction grows with the number of atoms, by both strategies.

    python -m benchmarks.growth [--most 1000] [--plot assets/readme/growth] [--json FILE]

Two overlapping clouds of n atoms each go to two spirals of n atoms (`separation`), or to two spirals of 100 atoms by
100 cells (`cells`). CPU seconds, all threads together: of the construction with its comparisons and its condition, and
of everything, certificate included. Every row is solved in a process of its own.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.construction import cloud, problem, spiral
from mtm_viz import Problem, interpolate

SIZES = (25, 50, 100, 200, 400, 1000)
CELLS = 100


def one(strategy: str, n: int) -> dict[str, Any]:
    """Solve one problem here and say what it took."""
    places = n if strategy == "separation" else CELLS
    said = problem(
        [
            (cloud([1, 0, 0], n, 1), spiral([0, 1, 0], places)),
            (cloud([1, 0.4, 0], n, 2), spiral([0, -1, 0.4], places)),
        ]
    )
    spent: dict[str, float] = {}

    def progress(sentence: str, _: float) -> None:
        if sentence.startswith("checking") and "built" not in spent:
            spent["built"] = time.process_time() - began

    wall, began = time.perf_counter(), time.process_time()
    run = interpolate(
        Problem.from_json(said),
        strategy=strategy,
        cells=CELLS if strategy == "cells" else None,
        progress=progress,
    )
    pairs = run.certificate["pairs"]
    return {
        "strategy": strategy,
        "n": n,
        "built": spent["built"],
        "cpu": time.process_time() - began,
        "wall": time.perf_counter() - wall,
        "w2": max(pair["w2"] for pair in pairs),
        "segments": len(run.schedule),
        "condition": run.certificate["condition"],
    }


def plot(rows: list[dict[str, Any]], stem: Path) -> None:
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(figsize=(7.2, 4.2), constrained_layout=True)
    for strategy, colour, mark in (("separation", "#0072B2", "o"), ("cells", "#D55E00", "s")):
        mine = [row for row in rows if row["strategy"] == strategy]
        n = [row["n"] for row in mine]
        axes.loglog(
            n, [row["built"] for row in mine], mark + "-", color=colour, lw=2.5, label=f"{strategy}: construction"
        )
        axes.loglog(
            n, [row["cpu"] for row in mine], mark + "--", color=colour, lw=1.2, label=f"{strategy}: with certificate"
        )
    axes.set(
        xlabel="atoms n of each of two inputs",
        ylabel="CPU seconds, all threads",
        title="The cost of one schedule for two measures",
    )
    axes.grid(alpha=0.3)
    axes.legend(fontsize=9, frameon=False)
    for suffix in (".png", ".svg"):
        figure.savefig(stem.with_suffix(suffix), dpi=150, metadata={"Date": None} if suffix == ".svg" else None)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--most", type=int, default=400, help="the largest n; 1000 takes minutes")
    parser.add_argument("--plot", type=Path, help="where the picture goes, without suffix")
    parser.add_argument("--json", type=Path, help="where all numbers go")
    parser.add_argument("--one", nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        print(json.dumps(one(given.one[0], int(given.one[1]))))
        return
    rows = []
    for strategy in ("separation", "cells"):
        for n in SIZES:
            if n > given.most or (strategy == "cells" and n < 2 * CELLS):
                continue
            command = [sys.executable, "-m", "benchmarks.growth", "--one", strategy, str(n)]
            rows.append(json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout))
            print(
                "  ".join(
                    f"{key} {value:.3g}" if isinstance(value, float) else f"{key} {value}"
                    for key, value in rows[-1].items()
                ),
                flush=True,
            )
        mine = [row for row in rows if row["strategy"] == strategy and row["n"] >= 100]
        if len(mine) > 1:
            slope = np.polyfit(np.log([row["n"] for row in mine]), np.log([row["built"] for row in mine]), 1)[0]
            print(f"{strategy}: construction grows like n^{slope:.2f} from n = {mine[0]['n']} on", flush=True)
    if given.json:
        given.json.write_text(json.dumps(rows, indent=1))
    if given.plot:
        plot(rows, given.plot)


if __name__ == "__main__":
    main()
