"""Solve presets and keep their runs in `runs/`: `python assets/presets/runs.py [NAME ...]`, all of them by default."""

from __future__ import annotations

import sys

from mtm_viz.interpolate import interpolate
from mtm_viz.problem import Problem
from mtm_viz.ui.presets import load_presets

if __name__ == "__main__":
    presets = load_presets()
    for name in sys.argv[1:] or presets:
        run = interpolate(Problem.from_json(presets[name].problem), **presets[name].choice.arguments())
        presets[name].run_path.parent.mkdir(exist_ok=True)
        run.save(presets[name].run_path)
        worst = max(pair["w2"] for pair in run.certificate["pairs"])
        size = presets[name].run_path.stat().st_size / 1000
        print(f"{name}: {run.schedule.switches} switches, worst W2 {worst:.1e} rad, {size:.0f} kB")  # noqa: T201
