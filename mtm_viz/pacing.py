"""Display time: how long each moment of a run is watched, apart from how long it lasts in layer time.

A match phase of 600 gates takes almost all switches and one attention segment almost all the thinking: neither
layer time nor segment count is a good clock for the eye. Here every phase gets a share of the film, every segment of
a phase the same part of that share, and within a segment display time follows layer time.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

# Half of the film is divided evenly among the phases, half by the square root of their number of segments.
EVEN_PART = 0.5


def pace(times: np.ndarray, segment: np.ndarray, phases: Sequence[str]) -> np.ndarray:
    """Display time of every frame, shape (F,), from 0 to 1, strictly increasing wherever layer time is.

    times (F,): layer time, nondecreasing, every segment boundary among them (so F >= S + 1 when all segments are
    framed); segment (F,): index of the running segment; a frame on a boundary carries the segment that ends there
    (the very first frame the one that starts).
    phases: the phase of each segment, length S. Consecutive segments of one name are one phase.
    """
    times = np.asarray(times, dtype=float)
    segment = np.asarray(segment, dtype=int)
    frames = len(times)
    if frames == 0:
        raise ValueError("a run without frames has no display time: give at least one")
    if len(segment) != frames:
        raise ValueError(f"{frames} times but {len(segment)} segment indices: give one a frame")
    if frames == 1:
        return np.zeros(1)
    owner = _owners(segment)
    shares = segment_shares(phases, owner)
    step = np.diff(times)
    if (step < 0).any():
        raise ValueError("times fall somewhere: sort the frames by layer time")
    # Within a segment by layer time; a segment so short that its frames share one time is divided evenly.
    lasts = np.bincount(owner, weights=step, minlength=len(phases))
    counts = np.bincount(owner, minlength=len(phases))
    still = lasts[owner] == 0
    part = np.where(still, 1.0 / counts[owner], step / np.where(still, 1.0, lasts[owner]))
    display = np.concatenate([[0.0], np.cumsum(shares[owner] * part)])
    display /= display[-1]
    display[-1] = 1.0
    return display


def segment_shares(phases: Sequence[str], framed: np.ndarray) -> np.ndarray:
    """The part of the film each segment gets, shape (S,), summing to 1 over the segments in `framed`."""
    count = len(phases)
    is_framed = np.zeros(count, dtype=bool)
    is_framed[framed] = True
    starts = [k for k in range(count) if k == 0 or phases[k] != phases[k - 1]]
    ends = [*starts[1:], count]
    sizes = np.array([is_framed[a:b].sum() for a, b in zip(starts, ends, strict=True)], dtype=float)
    shown = sizes > 0
    weight = np.sqrt(sizes)
    phase_share = EVEN_PART * shown / shown.sum() + (1 - EVEN_PART) * weight / weight.sum()
    shares = np.zeros(count)
    for a, b, size, share in zip(starts, ends, sizes, phase_share, strict=True):
        if size:
            shares[a:b] = np.where(is_framed[a:b], share / size, 0.0)
    return shares


def _owners(segment: np.ndarray) -> np.ndarray:
    """The segment each interval between two frames belongs to, shape (F - 1,): the label of its last frame.

    Unless that leaves the first segment no interval: then boundary frames carry the segment that starts there.
    """
    ending = segment[1:]
    return ending if segment[0] in ending else segment[:-1]
