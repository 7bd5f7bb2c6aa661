from __future__ import annotations

import io
import json

import numpy as np
import pytest

from mtm_viz.dynamics.schedule import Schedule, Segment
from mtm_viz.errors import InputError
from mtm_viz.export import export, suffixes, writer
from mtm_viz.problem import Problem
from mtm_viz.rendering.options import Options
from mtm_viz.run import Run
from mtm_viz.sphere import boost
from tests.dynamics.test_schedule_file import assert_same

ZERO = np.zeros((3, 3))


def small_run() -> Run:
    """Two pairs under one boost, in closed form: nothing is solved."""
    toward = np.eye(3)[0]
    segment = Segment(1.0, ZERO, ZERO, np.outer(toward, np.ones(3)) / 3, ZERO, np.ones(3), "gather")
    starts = (np.eye(3)[1:], np.array([[0.0, 0.6, 0.8]]))
    times = np.array([0.0, 0.5, 1.0])
    trajectories = tuple(np.array([boost(x, toward, t) for t in times]) for x in starts)
    pairs = [
        {"name": f"pair {i}", "input": {"points": x.tolist()}, "target": {"points": path[-1].tolist()}}
        for i, (x, path) in enumerate(zip(starts, trajectories, strict=True))
    ]
    return Run(
        problem=Problem.from_json({"format": "mtm-problem", "version": 1, "dimension": 3, "pairs": pairs}),
        schedule=Schedule((segment,)),
        times=times,
        segment=np.array([0, 0, 0]),
        display=times,
        trajectories=trajectories,
        weights=(np.full(2, 0.5), np.ones(1)),
        targets=tuple(path[-1] for path in trajectories),
        target_weights=(np.full(2, 0.5), np.ones(1)),
        w2=(np.array([0.9, 0.4, 0.0]), np.array([0.8, 0.4, 0.0])),
        certificate={"passed": True, "pairs": [{"name": "pair 0", "w2": 0.0, "reachable": 0.0, "passed": True}]},
    )


def assert_same_run(one: Run, other: Run) -> None:
    ours, theirs = one.arrays(), other.arrays()
    assert set(ours) == set(theirs)
    for key, value in ours.items():
        np.testing.assert_array_equal(value, theirs[key])


def test_round_trip_is_exact(tmp_path):
    run = small_run()
    run.save(tmp_path / "run.npz")
    assert_same_run(Run.load(tmp_path / "run.npz"), run)
    assert Run.load(tmp_path / "run.npz").names == ("pair 0", "pair 1")


def test_a_run_is_read_from_a_stream():
    run, stream = small_run(), io.BytesIO()
    run.write(stream)
    stream.seek(0)
    assert_same_run(Run.load(stream), run)


def changed(**entries) -> dict[str, np.ndarray]:
    return {key: value for key, value in (small_run().arrays() | entries).items() if value is not None}


def said(value: object) -> np.ndarray:
    return np.array(json.dumps(value))


@pytest.mark.parametrize(
    ("arrays", "sentence"),
    [
        (changed(problem=None), "holds no interpolation run"),
        (changed(certificate=None), "holds no interpolation run"),
        (changed(problem=np.array("{")), "is not JSON"),
        (changed(problem=np.array(7)), 'it needs "format": "mtm-problem"'),
        (changed(certificate=said([])), "certificate is not an object"),
        (changed(U=None), 'the schedule lacks "U"'),
        (changed(times=None), 'the run lacks "times"'),
        (changed(w2_1=None), 'the run lacks "w2_1"'),
        (changed(times=np.zeros(0)), '"times" of the run has shape (0,) and not (any)'),
        (changed(times=np.zeros((3, 1))), '"times" of the run has shape (3, 1)'),
        (changed(display=np.zeros(2)), '"display" of the run has shape (2,) and not (3)'),
        (changed(segment=np.array([0, 0, 1])), "whole numbers from 0 to 0"),
        (changed(segment=np.array([0, -1, 0])), "whole numbers from 0 to 0"),
        (changed(segment=np.zeros(3)), "whole numbers from 0 to 0"),
        (
            changed(trajectory_0=np.zeros((3, 2, 4))),
            '"trajectory_0" of the run has shape (3, 2, 4) and not (3, any, 3)',
        ),
        (changed(trajectory_1=np.full((3, 1, 3), np.nan)), '"trajectory_1" of the run holds something'),
        (changed(weights_0=np.ones(3)), '"weights_0" of the run has shape (3,) and not (2)'),
        (changed(target_weights_1=np.ones(2)), '"target_weights_1" of the run has shape (2,) and not (1)'),
        (changed(w2_0=np.array(["a", "b", "c"])), '"w2_0" of the run holds something'),
    ],
)
def test_arrays_that_are_no_run_are_refused_by_name(tmp_path, arrays, sentence):
    path = tmp_path / "run.npz"
    np.savez(path, **arrays)
    with pytest.raises(InputError) as caught:
        Run.load(path)
    assert str(caught.value).startswith("run.npz: ") and sentence in str(caught.value)


def test_a_schedule_of_another_dimension_is_refused():
    other = json.loads(str(small_run().arrays()["problem"])) | {
        "dimension": 4,
        "pairs": [{"input": {"generator": "uniform"}, "target": {"generator": "uniform"}}],
    }
    with pytest.raises(InputError, match="the schedule has dimension 3 but its problem 4"):
        Run.from_arrays(changed(problem=said(other)))


@pytest.mark.parametrize("suffix", suffixes())
def test_every_export_writes_a_whole_file(tmp_path, suffix):
    path = tmp_path / f"out{suffix}"
    notes = export(small_run(), path, Options(size=(160, 120), frames=3))
    assert path.stat().st_size > 100
    # What stands beside it is said; nothing half-written is left.
    beside = {entry.name for entry in tmp_path.iterdir()} - {path.name}
    assert beside == {note.removeprefix("beside it: ") for note in notes if note.startswith("beside it: ")}


@pytest.mark.parametrize("suffix", [".npz", ".json"])
def test_an_exported_schedule_is_the_runs(tmp_path, suffix):
    from mtm_viz.dynamics.schedule_file import load_schedule

    export(small_run(), tmp_path / f"theta{suffix}")
    assert_same(load_schedule(tmp_path / f"theta{suffix}"), small_run().schedule)


def test_an_unknown_export_lists_the_known_ones(tmp_path):
    with pytest.raises(InputError, match=r"^out\.xyz: the format '\.xyz' is not written: use one of .*\.json, .*\.npz"):
        writer(tmp_path / "out.xyz")
