"""Ways from place to place by stops in the free belt between sources and targets."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from mtm_viz.construction.frontier import cap_directions, waypoints

#: Among how many stops either of two is sought.
SHORTLIST = 12


class Routes:
    """Candidate caps <directions_k, x> > tau and candidate stops, and how high stops and targets reach in every direction.

    A hop between two places is open where some direction sees both above everything that rests.
    """

    def __init__(self, pole: np.ndarray, targets: np.ndarray, seed: int) -> None:
        self.directions = cap_directions(pole, len(targets), seed)
        self.stops = waypoints(pole, seed)
        self.at_stops = self.directions @ self.stops.T
        self.at_targets = self.directions @ targets.T

    def ways(self, start: np.ndarray, target: int, everything: np.ndarray) -> Iterator[list[int]]:
        """Stops from `start` to the target: none, the best one, the best two, as far as each is open.

        everything: the height in every direction of what rests.
        """
        at_start, at_target = self.directions @ start, self.at_targets[:, target]
        if (np.minimum(at_start, at_target) - everything).max() > 0:
            yield []
        rows, arriving = np.flatnonzero(at_start > everything), np.flatnonzero(at_target > everything)
        if len(rows) == 0 or len(arriving) == 0:
            return
        at = self.at_stops
        first = np.minimum(at_start[rows, None], at[rows]) - everything[rows, None]
        last = (np.minimum(at_target[arriving, None], at[arriving]) - everything[arriving, None]).max(axis=0)
        both = np.minimum(first.max(axis=0), last)
        if both.max() > 0:
            yield [int(both.argmax())]
        _, between = self.two_stops(rows, first, last, everything)
        if between is not None:
            yield between

    def two_stops(
        self, rows: np.ndarray, first: np.ndarray, last: np.ndarray, everything: np.ndarray
    ) -> tuple[int, list[int] | None]:
        """(row, two stops) with the largest least margin over the shortlists of first and last stops.

        first (len(rows), stops): margins of the hops from the start in the directions `rows`; last (stops,): of the
        hops to the target.
        """
        leaving = np.argsort(-first.max(axis=0))[:SHORTLIST]
        arriving = np.argsort(-last)[:SHORTLIST]
        at = self.at_stops
        middle = np.array(
            [(np.minimum(at[:, [g]], at[:, arriving]) - everything[:, None]).max(axis=0) for g in leaving]
        )
        margin = np.minimum(np.minimum(first.max(axis=0)[leaving][:, None], middle), last[arriving])
        i, j = np.unravel_index(int(margin.argmax()), margin.shape)
        row = int(rows[first[:, leaving[i]].argmax()])
        return row, [int(leaving[i]), int(arriving[j])] if margin[i, j] > 0 else None
