"""The app in Streamlit's own test harness, its solver replaced by one that a test can hold, release, break or refuse."""

from __future__ import annotations

import sys
import threading
import types
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from mtm_viz.dynamics.schedule import Schedule, Segment
from mtm_viz.errors import Refusal
from mtm_viz.problem import Problem
from mtm_viz.run import Run
from mtm_viz.ui import cached

ROOT = Path(__file__).parents[2]


def arrived(problem: Problem) -> Run:
    """A run of the right shape in which every atom jumps to its target; the page never looks closer."""
    d = problem.dimension
    eye, zero = np.eye(d), np.zeros((d, d))
    schedule = Schedule(
        tuple(Segment(0.5, eye, zero, zero, zero, np.zeros(d), phase) for phase in ("disentangle", "match"))
    )
    frames = [np.stack([a.points, a.points, b.points]) for a, b in zip(problem.inputs, problem.targets, strict=True)]
    pairs = [{"name": p.name, "w2": 3e-9, "reachable": 0.0, "passed": True, "fresh": None} for p in problem.pairs]
    certificate = {
        "passed": True,
        "eps": 1e-4,
        "strategy": "separation",
        "seed": 0,
        "integrator": {"method": "dop853", "rtol": 1e-10},
    }
    certificate |= {"pairs": pairs, "phases": [], "switches": 1, "paper_bound": 90, "sup_norm": 1.0, "condition": 2.0}
    certificate |= {"common_map": None, "seconds": 0.1, "versions": {}}
    w2 = tuple(np.array([1.0, 0.5, 3e-9]) for _ in problem.pairs)
    return Run(
        problem, schedule, np.array([0, 0.5, 1.0]), np.array([0, 1, 1]), np.array([0, 0.5, 1.0]), tuple(frames),
        tuple(m.weights for m in problem.inputs), tuple(m.points for m in problem.targets),
        tuple(m.weights for m in problem.targets), w2, certificate,
    )  # fmt: skip


@dataclass
class Solver:
    """Stands for mtm_viz.interpolate and mtm_viz.verify."""

    error: Exception | None = None
    refusal: Refusal | None = None
    held: threading.Event = field(default_factory=threading.Event)
    calls: list[str] = field(default_factory=list)
    asked: list[tuple[str, int | None]] = field(default_factory=list)
    certified: dict[str, Any] = field(default_factory=dict)
    fresh: dict[str, dict[str, Any]] = field(default_factory=dict)

    def hold(self) -> None:
        """From now on work waits, reporting, until released or cancelled."""
        self.held.set()

    def release(self) -> None:
        self.held.clear()

    def interpolate(self, problem: Problem, *, progress, strategy: str = "separation", cells: int | None = None) -> Run:
        self.calls.append("interpolate")
        self.asked.append((strategy, cells))
        progress("Matching atoms", 0.4)
        while self.held.is_set():
            progress("Matching atoms", 0.4)
            threading.Event().wait(0.005)
        if self.error is not None:
            raise self.error
        run = arrived(problem)
        run.certificate.update(self.certified, strategy=strategy, cells=cells)
        for pair in run.certificate["pairs"]:
            pair["fresh"] = self.fresh.get(strategy)
        return run

    def replay(self, problem: Problem, schedule: Schedule, *, attention: bool, progress) -> Run:
        self.calls.append("replay")
        assert attention is False
        astray = self.interpolate(problem, progress=progress)
        return replace(astray, w2=tuple(w + 0.4 for w in astray.w2))

    def predict(self, problem: Problem, *, strategy: str = "separation", cells: int | None = None):
        if self.refusal is not None:
            raise self.refusal
        n = len(problem.pairs)
        segments = 213 if strategy == "separation" else 1 + (cells or 60)
        return types.SimpleNamespace(segments=segments, seconds=4.0, atoms=180, reachable=(0.0,) * n, notes=((),) * n)


@pytest.fixture
def solver(monkeypatch) -> Iterator[Solver]:
    made = Solver()
    for name in ("interpolate", "verify"):
        module = types.ModuleType(f"mtm_viz.{name}")
        for function in ("interpolate", "replay", "predict"):
            # Looked up when called: a test may put the real one in its place.
            setattr(module, function, lambda *args, _name=function, **how: getattr(made, _name)(*args, **how))
        monkeypatch.setitem(sys.modules, f"mtm_viz.{name}", module)
    cached.solved.clear()
    cached.ablated.clear()
    cached.prediction.clear()
    yield made
    made.release()


@pytest.fixture
def app(solver, monkeypatch) -> AppTest:
    """The app, not yet run; no kernels are compiled behind it."""
    monkeypatch.setattr(cached, "warm", lambda delay: None)
    return AppTest.from_file(str(ROOT / "app.py"), default_timeout=20)
