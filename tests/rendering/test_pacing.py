"""Every segment can be watched, and display time never runs back."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtm_viz.pacing import pace


def framed(frames_per_segment):
    """times, segment labels and the owner of each interval, for the given number of intervals in each segment."""
    owner = np.repeat(np.arange(len(frames_per_segment)), frames_per_segment)
    return np.linspace(0, 1, len(owner) + 1), np.insert(owner, 0, owner[0]), owner


def test_a_phase_of_many_segments_does_not_take_the_film():
    phases = ["gather", "rotate", "disentangle"] + ["match"] * 600 + ["undo-disentangle", "undo-gather"]
    times, segment, owner = framed([4, 4, 30] + [1] * 600 + [30, 4])
    display = pace(times, segment, phases)
    spent = np.bincount(owner, weights=np.diff(display))
    match = spent[3:603]
    assert 0.3 < match.sum() < 0.7
    assert np.allclose(match, match[0])
    assert min(spent[:3].min(), spent[603:].min()) > 0.08


@given(st.lists(st.integers(1, 5), min_size=1, max_size=30), st.lists(st.sampled_from("abc"), min_size=30, max_size=30))
def test_monotone_from_0_to_1_and_every_segment_is_seen(frames, names):
    phases = names[: len(frames)]
    times, segment, owner = framed(frames)
    display = pace(times, segment, phases)
    assert display[0] == 0 and display[-1] == 1
    assert (np.diff(display) > 0).all()
    spent = np.bincount(owner, weights=np.diff(display), minlength=len(phases))
    # A phase never gets less than half of an even share, and its segments the same each.
    bands = [list(group) for _, group in itertools.groupby(range(len(phases)), key=lambda k: phases[k])]
    for band in bands:
        assert np.allclose(spent[band], spent[band[0]])
        assert spent[band].sum() >= 0.5 / len(bands) - 1e-12


def test_boundary_frames_labelled_with_the_segment_that_starts_are_understood():
    display = pace(np.array([0.0, 0.1, 0.9, 1.0]), np.array([0, 1, 2, 2]), ["gather", "match", "undo-gather"])
    assert np.allclose(np.diff(display), 1 / 3)


def test_segments_too_short_for_their_times_to_differ_are_still_seen():
    times = np.array([0.0, 0.5, 0.5, 0.5, 1.0])
    display = pace(times, np.array([0, 0, 1, 1, 2]), ["gather", "match", "undo-gather"])
    assert (np.diff(display) > 0).all()


def test_one_frame_and_wrong_shapes():
    assert pace(np.zeros(1), np.zeros(1, dtype=int), ["match"]).tolist() == [0.0]
    with pytest.raises(ValueError, match="one a frame"):
        pace(np.zeros(3), np.zeros(2, dtype=int), ["match"])
    with pytest.raises(ValueError, match="sort the frames"):
        pace(np.array([0.0, 0.5, 0.2]), np.zeros(3, dtype=int), ["match"])
    with pytest.raises(ValueError, match="at least one"):
        pace(np.zeros(0), np.zeros(0, dtype=int), [])
