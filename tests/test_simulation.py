"""What a simulation says of itself: its attention, and the plateaus of all its measures."""

from __future__ import annotations

import numpy as np

from mtm_viz import Scenario, simulate
from mtm_viz.diagnostics.observables.clusters import cluster_of


def let_go(initial, dynamics: dict, horizon: float = 20.0, **said):
    whole = {"format": "mtm-scenario", "version": 1, "dimension": 2, "frames": 81, "horizon": horizon}
    return simulate(Scenario.from_json(whole | {"initial": initial, "dynamics": dynamics} | said), rtol=1e-6)


def test_attention_is_in_blocks_where_particles_are_clusters():
    found = let_go({"generator": "uniform", "n": 60, "seed": 2}, {"beta": 30})
    P, rows = found.attention_at(80, 0, 40)
    labels = cluster_of(found.trajectories[0][80][rows])
    assert P.shape == (40, 40) and len(set(rows)) == 40
    assert len(set(labels)) == 1 + np.count_nonzero(np.diff(labels)), "clusters stand together"
    sizes = [np.count_nonzero(labels == label) for label in dict.fromkeys(labels)]
    assert sizes == sorted(sizes, reverse=True)
    same = labels[:, None] == labels[None]
    assert P[~same].max() < 1e-2 * P[same].min()
    start, _ = found.attention_at(0, 0, 40)
    np.testing.assert_allclose(start.sum(axis=1), 1.0)


def test_attention_at_a_frame_is_that_of_its_segment():
    schedule = [{"duration": 1.0, "beta": 0}, {"duration": 1.0, "beta": 20}]
    whole = {"format": "mtm-scenario", "version": 1, "dimension": 3, "frames": 21, "dynamics": {"V": 0.01}}
    found = simulate(Scenario.from_json(whole | {"initial": {"generator": "uniform", "n": 9}, "schedule": schedule}))
    np.testing.assert_allclose(found.attention_at(3, 0, 9)[0], 1 / 9)
    assert np.diag(found.attention_at(len(found.times) - 1, 0, 9)[0]).min() > 0.2
    frames, energy = found.observed("energy")[0]
    assert energy[found.segment[frames] == 0].min() > 1 - 1e-12 and energy[found.segment[frames] == 1].max() < 0.6


def test_plateaus_of_two_measures_are_where_both_are_on_one():
    starts = [{"generator": "uniform", "n": 60, "seed": s} for s in (0, 3)]
    both = let_go(starts, {"beta": 20}, 40.0)
    each = [let_go(start, {"beta": 20}, 40.0) for start in starts]
    assert both.plateaus
    for p in both.plateaus:
        assert len(p.clusters) == 2 and p.last > p.first
        for k, alone in enumerate(each):
            assert any(
                q.first <= p.first and p.last <= q.last and q.clusters == p.clusters[k : k + 1] for q in alone.plateaus
            )


def test_a_plateau_ends_where_clusters_merge_and_none_is_seen_before_they_form():
    angles = np.deg2rad(np.repeat([0.0, 40.0, 120.0, 164.0], 3)) + np.tile([-0.01, 0, 0.01], 4)
    found = let_go({"points": np.c_[np.cos(angles), np.sin(angles)].tolist()}, {"beta": 30}, 400.0)
    for p in found.plateaus:
        for f in (p.first, p.last):
            assert (cluster_of(found.trajectories[0][f]).max() + 1,) == p.clusters
    ends = [found.times[p.last] for p in found.plateaus]
    starts = [found.times[p.first] for p in found.plateaus]
    assert all(a < b for a, b in zip(ends, starts[1:], strict=False))
    # A full circle is one connected component long before it is one cluster.
    ring = let_go({"generator": "uniform", "n": 400}, {"beta": 0}, 40.0)
    assert ring.plateaus[0].clusters == (1,) and ring.times[ring.plateaus[0].first] > 3


def test_particles_that_spread_out_are_no_clusters():
    found = let_go({"generator": "uniform", "n": 60}, {"beta": 3, "V": -1}, 30.0, dimension=3)
    assert found.plateaus == []
