"""Writes the example scenarios beside it. Run it with `python assets/scenarios/make.py`."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent


def cap(center: list[float], radius: float, n: int = 100, seed: int = 1) -> dict:
    return {"generator": "cap", "params": {"center": center, "radius_deg": radius}, "n": n, "seed": seed}


def uniform(n: int, seed: int = 1) -> dict:
    return {"generator": "uniform", "params": {}, "n": n, "seed": seed}


def overlapping() -> list[dict]:
    """Two measures of 60 atoms that share 30 of them, to the last bit."""
    rng = np.random.default_rng(5)

    def cloud(longitude: float, n: int) -> np.ndarray:
        lon = np.deg2rad(longitude)
        x = np.array([np.cos(lon), np.sin(lon), 0.2]) + 0.16 * rng.standard_normal((n, 3))
        return (x / np.linalg.norm(x, axis=1, keepdims=True)).round(4)

    left, middle, right = cloud(0, 30), cloud(45, 30), cloud(90, 30)
    return [{"points": np.concatenate(both).tolist()} for both in ((left, middle), (middle, right))]


EXAMPLES = [
    ("clustering", "Clustering", "Attention pulls each particle to a mean of the others, the near ones counting more: in the end all are one.",
     {"initial": uniform(200, 3), "dynamics": {"beta": 1}, "horizon": 12}),
    ("metastability", "Metastability", "At large β particles see only their neighbours: clusters form at once, and then nothing seems to happen for a long time.",
     {"initial": uniform(200, 13), "dynamics": {"beta": 20}, "horizon": 12}),
    ("staircase", "Staircase", "On the circle clusters merge one after another: between two merges the energy rests, at each it takes a step up.",
     {"dimension": 2, "initial": uniform(60, 4), "dynamics": {"beta": 6}, "horizon": 100}),
    ("sign-split", "Sign split", "V projects onto one line: only the sign of a particle's coordinate on it survives, and two poles share them all.",
     {"initial": uniform(200, 2), "dynamics": {"beta": 4, "V": "line"}, "horizon": 14}),
    ("rotation", "Rotating V", "V turns what attention sees by a quarter turn about an axis: the crowd swirls, and in the end each half stands at its pole.",
     {"initial": uniform(200, 2), "dynamics": {"beta": 2, "V": "rotation"}, "horizon": 30}),
    ("hardmax-leaders", "Hardmax leaders", "Only the best match counts, measured along one line: two leaders stand still and everybody walks to the leader of their side.",
     {"initial": uniform(150, 6), "dynamics": {"model": "hardmax", "B": "line", "layers": 0.05}, "horizon": 8}),
    ("causal", "Causal mask", "Each particle feels only those before it: the first one never moves, and it is where all the others end.",
     {"initial": uniform(120, 1), "dynamics": {"beta": 1, "causal": True}, "horizon": 16}),
    ("noise", "Noise against order", "Coupled oscillators with noise just weak enough to stay in order: raise it to 1, under Everything, and the order is lost.",
     {"dimension": 2, "initial": {"generator": "cap", "params": {"center": [0.0, 1.0], "radius_deg": 40.0}, "n": 300, "seed": 1},
      "dynamics": {"model": "kuramoto", "noise": 0.8}, "horizon": 20}),
    ("repulsion", "Repulsion", "V = −I turns attraction into repulsion: a crowd at one spot spreads until it covers the sphere.",
     {"initial": cap([0.6, 0.7, 0.4], 14, 150), "dynamics": {"beta": 4, "V": "minus-identity"}, "horizon": 30}),
    ("only-attention", "Only attention can", "The two measures share 30 particles to the last digit. A map would send those to one place; attention sends each measure to its own.",
     {"initial": overlapping(), "dynamics": {"beta": 1}, "horizon": 10}),
]  # fmt: skip


def main() -> None:
    for place, (name, title, sentence, scenario) in enumerate(EXAMPLES):
        base = {"format": "mtm-scenario", "version": 1, "dimension": 3, "frames": 161, "integrator": "auto", "seed": 0}
        said = {"title": title, "sentence": sentence, "place": place, "scenario": base | scenario}
        (HERE / f"{name}.json").write_text(json.dumps(said, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
