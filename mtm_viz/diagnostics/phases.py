"""Phases of a flow, found by themselves: metastable plateaus, on which clusters stand still before some of them merge."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from mtm_viz.diagnostics.observables.clusters import ANGLE_DEG, cluster_of
from mtm_viz.sphere import angle, normalise

#: A plateau lasts at least this share of the run.
SHORTEST = 0.05
#: The energy, 1 for one cluster, changes by at most this much on a plateau.
FLAT = 0.02

DEFINITION = (
    f"A plateau is a stretch of at least {SHORTEST:.0%} of the run on which the number of clusters does not change, "
    f"there are at most half as many clusters as particles, each narrower than {ANGLE_DEG:g}°, and the energy changes by at most {FLAT:g}."
)


@dataclass(frozen=True)
class Plateau:
    """From frame `first` to frame `last`, both included, each measure shows its number of `clusters`."""

    first: int
    last: int
    clusters: tuple[int, ...]

    @property
    def said(self) -> str:
        """
        >>> Plateau(0, 4, (1,)).said, Plateau(2, 9, (3, 1)).said
        ('1 cluster', '3 + 1 clusters')
        """
        return " + ".join(map(str, self.clusters)) + (" cluster" if self.clusters == (1,) else " clusters")


def plateaus(
    times: np.ndarray,
    frames: np.ndarray,
    clusters: np.ndarray,
    energy: np.ndarray,
    points_at: Callable[[int], np.ndarray],
) -> list[Plateau]:
    """The plateaus of one measure, in order, as DEFINITION says.

    times (F,): of all frames; frames (m,): those looked at, where clusters (m,) and energy (m,) were measured; points_at(frame):
    its particles of weight (n, d). Source: metastability, arXiv 2410.06833; arXiv 2410.23228.
    """
    least = SHORTEST * float(times[-1] - times[0])
    found: list[Plateau] = []
    start = 0
    while start < len(frames):
        end = start + int(np.argmin(np.append(clusters[start:] == clusters[start], False)))
        first = start
        while first < end and times[frames[end - 1]] - times[frames[first]] >= least:
            flat = np.abs(energy[first:end] - np.minimum.accumulate(energy[first:end])) <= FLAT
            flat &= np.abs(energy[first:end] - np.maximum.accumulate(energy[first:end])) <= FLAT
            last = first + int(np.argmin(np.append(flat, False))) - 1
            long = times[frames[last]] - times[frames[first]] >= least
            if long and _are_clusters(points_at(int(frames[first]))):
                found.append(Plateau(int(frames[first]), int(frames[last]), (int(clusters[start]),)))
                first = last + 1
            else:
                first += 1
        start = end
    return found


def common(of_each: list[list[Plateau]]) -> list[Plateau]:
    """Where every measure is on a plateau of its own: the intersections, in order."""
    found = of_each[0]
    for others in of_each[1:]:
        found = [
            Plateau(max(p.first, q.first), min(p.last, q.last), p.clusters + q.clusters)
            for p in found
            for q in others
            if min(p.last, q.last) > max(p.first, q.first)
        ]
    return found


def _are_clusters(points: np.ndarray) -> bool:
    """Whether they are narrow, and more than single particles that happen to be apart."""
    labels = cluster_of(points)
    means = np.zeros((labels.max() + 1, points.shape[1]))
    np.add.at(means, labels, points)
    if 2 * len(means) > len(points) or (np.linalg.norm(means, axis=1) < 1e-12).any():
        return False
    return float(np.rad2deg(angle(points, normalise(means)[labels]).max())) <= ANGLE_DEG
