"""Matching in slices: what is looked up is what would be computed."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.random_problems import draw
from mtm_viz import Problem, interpolate
from mtm_viz.construction.match import CLEAR, Matcher


@pytest.mark.parametrize("strategy", ["cells", "separation"])
def test_the_reach_of_what_rests_is_looked_up_as_it_would_be_computed(monkeypatch, strategy) -> None:
    asked = []
    look_up = Matcher._reach

    def checked(self: Matcher, label: int, leaving: int) -> np.ndarray:
        found = look_up(self, label, leaving)
        rests = self.remaining.copy()
        own = np.flatnonzero(self.source_label == label)
        taken = self.taken.get(label, 0)
        rests[own[self.slicings[label].order[taken : taken + leaving]]] = False
        strays = () if self.strays is None else self.strays[:, rests]
        resting = np.concatenate([self.sources[rests], *strays])
        computed = (self.routes.directions @ resting.T).max(axis=1, initial=-1.0)
        np.testing.assert_allclose(found, computed, atol=1e-14)
        asked.append(label)
        return found

    monkeypatch.setattr(Matcher, "_reach", checked)
    places = {"b": [[1.0, 0, 0], [0, 0.2, 1]], "c": [[0.8, 0.6, 0], [0, -1, 0.1]]}
    cloud = {"generator": "von_mises_fisher", "n": 24}
    pairs = [
        {
            "name": name,
            "input": cloud | {"params": {"mean": start, "kappa": 9}, "seed": seed},
            "target": cloud | {"params": {"mean": end, "kappa": 9}, "seed": seed + 9, "n": 6},
        }
        for seed, (name, (start, end)) in enumerate(places.items())
    ]
    if strategy == "separation":  # beside them, single atoms, which leave in no order known before
        few = {"input": {"points": [[0.1, 1, 1], [0.3, 1, 1]]}, "target": {"points": [[0, 1, -1], [0.4, 1, -1]]}}
        pairs.append({"name": "d"} | few)
    problem = Problem.from_json({"format": "mtm-problem", "version": 1, "dimension": 3, "pairs": pairs})
    interpolate(problem, strategy=strategy, cells=6 if strategy == "cells" else None)
    assert len(set(asked)) >= 2


def test_a_slice_out_of_turn_is_not_cut_between_atoms_that_tie() -> None:
    problem, _ = draw(496)  # symmetric inputs of 28 atoms, slices of 1 to 10
    found = interpolate(problem).certificate
    assert found["passed"]
    assert min(phase["value"] for phase in found["phases"] if phase["phase"] == "match") >= CLEAR
