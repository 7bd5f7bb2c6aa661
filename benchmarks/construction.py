"""How long a problem takes from file to certified run, and how large it grows, on this machine.

    python -m benchmarks.construction [--large]

Every row is solved in a process of its own, so that its peak memory is its own. CPU seconds are those of all threads;
W2 is the worst pair's, by the independent integrator. Read them on an idle machine.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from mtm_viz import Problem, interpolate

CASES = Path(__file__).parents[1] / "tests" / "cases"


def cloud(mean: list[float], n: int, seed: int) -> dict[str, Any]:
    return {"generator": "von_mises_fisher", "params": {"mean": mean, "kappa": 8}, "n": n, "seed": seed}


def ring(center: list[float], radius: float, n: int) -> dict[str, Any]:
    return {"generator": "ring", "params": {"center": center, "radius_deg": radius}, "n": n}


def spiral(center: list[float], n: int) -> dict[str, Any]:
    return {"generator": "spiral", "params": {"center": center, "radius_deg": 40, "turns": 3}, "n": n}


def problem(pairs: list[tuple[dict[str, Any], dict[str, Any]]]) -> dict[str, Any]:
    named = [{"name": str(k), "input": start, "target": end} for k, (start, end) in enumerate(pairs)]
    return {"format": "mtm-problem", "version": 1, "dimension": 3, "pairs": named}


def problems(large: bool) -> dict[str, dict[str, Any]]:
    rows = {path.stem: json.loads(path.read_text()) for path in sorted(CASES.glob("p*.json"))}
    rows = {name: said for name, said in rows.items() if name[:3] not in ("p09", "p12", "p18")}
    centres = ([0, 1, 0.3], [0, -1, 0], [0, 0.3, 1])
    rows["3 x 200"] = problem(
        [(cloud([1, 0.2 * k, 0], 200, k), ring(c, 30 + 5 * k, 200)) for k, c in enumerate(centres)]
    )
    rows["2 x 400"] = problem(
        [(cloud([1, 0, 0], 400, 1), spiral([0, 1, 0], 400)), (cloud([1, 0.4, 0], 400, 2), spiral([0, -1, 0.4], 400))]
    )
    if large:
        rows["2 x 1000"] = problem(
            [
                (cloud([1, 0, 0], 1000, 1), spiral([0, 1, 0], 1000)),
                (cloud([1, 0.4, 0], 1000, 2), spiral([0, -1, 0.4], 1000)),
            ]
        )
    return rows


def one(said: dict[str, Any]) -> None:
    start, cpu = time.perf_counter(), time.process_time()
    run = interpolate(Problem.from_json(said))
    found = run.certificate
    print(
        json.dumps(
            {
                "wall": time.perf_counter() - start,
                "cpu": time.process_time() - cpu,
                "build": found["seconds"]["construction"],
                "w2": max(pair["w2"] - pair["reachable"] for pair in found["pairs"]),
                "segments": len(run.schedule),
                "paper": found["paper_bound"],
                "gates": found["gates"],
                "sup": found["sup_norm"] / found["gates"]["total"],
                "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6,
            }
        )
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--large", action="store_true", help="also 2 x 1000 atoms")
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    said = parser.parse_args()
    if said.one:
        one(json.load(sys.stdin))
        return
    print(
        f"{'problem':34}{'wall s':>8}{'cpu s':>8}{'build s':>9}{'W2 - reach':>12}{'segments':>10}{'paper':>8}{'gates/atom':>12}{'most':>6}{'sup/gate':>10}{'GB':>6}"
    )
    for name, what in problems(said.large).items():
        answer = subprocess.run(
            [sys.executable, "-m", "benchmarks.construction", "--one"],
            input=json.dumps(what),
            capture_output=True,
            text=True,
            check=True,
        )
        row = json.loads(answer.stdout)
        print(
            f"{name:34}{row['wall']:8.1f}{row['cpu']:8.1f}{row['build']:9.1f}{row['w2']:12.1e}{row['segments']:10}{row['paper']:8}"
            f"{row['gates']['mean']:12.2f}{row['gates']['most']:6}{row['sup']:10.1f}{row['memory']:6.2f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
