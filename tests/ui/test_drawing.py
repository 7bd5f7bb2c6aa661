"""Strokes, links, arrangement and intake as pure functions: what a browser cannot be trusted to test for us."""

from __future__ import annotations

import base64
import io

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from mtm_viz.errors import InputError
from mtm_viz.measures.measure import Measure
from mtm_viz.measures.readers import Limits
from mtm_viz.problem import Problem
from mtm_viz.sphere import angle
from mtm_viz.ui import link
from mtm_viz.ui.arrange import EMPTY, duplicated, is_empty, reordered, retargeted, side_of, turned_round
from mtm_viz.ui.components.memory import recalled
from mtm_viz.ui.draft import MOST_PAIRS, Draft, DraftPair, canonical
from mtm_viz.ui.drawing import drawn, duplicates, said_of, shares
from mtm_viz.ui.intake import joined, read_file, read_paste
from mtm_viz.ui.packing import MOST_PACKED, pack_points, snap, unpack_points
from mtm_viz.ui.stroke import Stroke, packed
from mtm_viz.ui.widgets import choose_measure
from mtm_viz.ui.widgets.atoms_table import edited_measure, table_of
from mtm_viz.ui.widgets.easing import FEWER, fewer, replaced
from tests.strategies import point_sets

AXES = Measure([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [1, 2, 1])


def cloud(n: int, seed: int = 0) -> np.ndarray:
    x = np.random.default_rng(seed).standard_normal((n, 3))
    return x / np.linalg.norm(x, axis=1, keepdims=True)


def draft(*names: str) -> Draft:
    return Draft(
        3, tuple(DraftPair(name, {"points": [[1, 0, k]]}, {"points": [[0, 1, k]]}) for k, name in enumerate(names))
    )


# --- the link ---


@given(points=point_sets(most=20))
def test_snapping_moves_by_less_than_an_eye_sees_and_is_packed_exactly(points):
    snapped = snap(points)
    assert np.rad2deg(angle(snapped, points)).max() < 0.006
    text = pack_points(snapped)
    if text is not None:  # a point on the octahedron's own edges may round either way, and then the browser keeps it
        np.testing.assert_array_equal(unpack_points(text), snapped)


def test_nearly_all_drawings_fit_their_grid_and_a_problem_of_them_a_link():
    fits = [pack_points(snap(cloud(300, seed))) is not None for seed in range(20)]
    assert all(fits)
    pairs = [
        {
            "name": str(k),
            "input": said_of(Measure(snap(cloud(350, k)))),
            "target": said_of(Measure(snap(cloud(350, k + 9)))),
        }
        for k in range(2)
    ]
    problem = {"format": "mtm-problem", "version": 1, "dimension": 3, "pairs": pairs}
    text = link.pack(problem)
    assert text is not None and len(text) <= 8_000
    assert canonical(link.unpack(text)) == canonical(problem)


def test_points_off_the_grid_too_many_or_of_another_sphere_are_not_packed():
    assert pack_points(cloud(3)) is None
    assert pack_points(snap(cloud(MOST_PACKED + 1))) is None
    assert pack_points(np.eye(4)) is None
    off = {
        "format": "mtm-problem",
        "version": 1,
        "dimension": 3,
        "pairs": [{"input": AXES.to_json(), "target": {"points": cloud(2).tolist()}}],
    }
    assert link.pack(off) is None


@pytest.mark.parametrize("text", ["", "!", "AAA", "AAAAA", "A" * 10_000])
def test_damaged_packed_points_are_refused(text):
    with pytest.raises(InputError, match="packed points are"):
        unpack_points(text)


@given(
    st.recursive(
        st.none() | st.integers() | st.text(max_size=4),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.sampled_from(["pairs", "input", "target", "packed", "points", "x"]), inner, max_size=4)
        ),
    )
)
def test_any_link_is_a_problem_or_an_input_error(said):
    import json
    import zlib

    text = base64.urlsafe_b64encode(zlib.compress(json.dumps(said).encode())).decode().rstrip("=")
    with pytest.raises(InputError):
        link.unpack(text)


def test_what_a_browser_kept_is_checked_like_any_file():
    said = {
        "format": "mtm-problem",
        "version": 1,
        "dimension": 3,
        "pairs": [{"name": "a", "input": AXES.to_json(), "target": AXES.to_json()}],
    }
    assert canonical(recalled(canonical(said))) == canonical(Problem.from_json(said).to_json())
    for text in (
        "",
        "{}",
        "[" * 99_999,
        '{"format": "mtm-problem", "version": 1, "dimension": 3, "pairs": [{"input": {"file": "/etc/passwd"}, "target": {"points": [[1,0,0]]}}]}',
        "\ud800",
    ):
        with pytest.raises(InputError):
            recalled(text)
    with pytest.raises(InputError, match="longer than this app saves"):
        recalled(" " * 10_000_001)


# --- strokes ---


def stroke(points: np.ndarray, weights=None) -> Stroke:
    w = np.ones(len(points)) if weights is None else np.asarray(weights, dtype=float)
    return Stroke.from_message(
        {"subject": "1/input", "points": packed(points), "weights": packed(w), "what": "drawn"}, 2000
    )


def test_a_stroke_keeps_old_atoms_to_the_bit_and_snaps_new_ones():
    old, new = cloud(5), cloud(4, seed=1)
    said = drawn(stroke(np.concatenate([old, new])), Measure(old))
    points = np.array(said["points"])
    np.testing.assert_array_equal(points[:5], Measure(old).points)
    np.testing.assert_array_equal(points[5:], snap(new))
    assert "weights" not in said


def test_a_stroke_weighs_and_an_erased_measure_is_empty():
    said = drawn(stroke(cloud(3), [1, 1, 2]), None)
    np.testing.assert_allclose(said["weights"], [0.25, 0.25, 0.5])
    assert canonical(said) == canonical(said_of(Measure(said["points"], said["weights"]))), (
        "a link or a file changes nothing"
    )
    assert is_empty(drawn(stroke(np.empty((0, 3))), AXES))
    assert drawn(stroke(cloud(2), [0, 0]), None) == EMPTY


GOOD = {"subject": "1/input", "points": packed(cloud(2)), "weights": packed(np.ones(2)), "what": "x"}


@pytest.mark.parametrize(
    "changes",
    [
        {"points": 7},
        {"points": "@@@"},
        {"points": packed(np.ones(5))},
        {"points": packed(np.array([1, 0, np.nan] * 2))},
        {"weights": packed(np.ones(3))},
        {"points": "A" * 500_000},
        {"subject": None},
    ],
)
def test_what_a_brush_would_not_send_is_refused(changes):
    with pytest.raises(InputError, match="drawing"):
        Stroke.from_message(GOOD | changes, 2000)
    with pytest.raises(InputError, match="drawing"):
        Stroke.from_message(None, 2000)


# --- pairs ---


def test_pairs_are_reordered_retargeted_turned_and_copied():
    three = draft("a", "b", "c")
    a, b, c = three.pairs
    assert [p.name for p in reordered(three, c.uid, 0).pairs] == ["c", "a", "b"]
    assert [p.name for p in reordered(three, a.uid, 9).pairs] == ["b", "c", "a"]
    swapped = retargeted(three, a.uid, c.uid).pairs
    assert (swapped[0].target, swapped[2].target) == (c.target, a.target)
    assert [p.input for p in swapped] == [p.input for p in three.pairs]
    assert retargeted(three, a.uid, 10**9) == three
    turned = turned_round(three, b.uid).pairs[1]
    assert (turned.input, turned.target) == (b.target, b.input)
    copied = duplicated(three, a.uid)
    assert [p.name for p in copied.pairs] == ["a", "a copy", "b", "c"]
    assert copied.pairs[1].uid not in {a.uid, b.uid, c.uid}
    full = draft(*"abcdefgh")
    assert len(full.pairs) == MOST_PAIRS and duplicated(full, full.pairs[0].uid) == full


def test_the_measure_in_hand_falls_back_to_the_first_input():
    two = draft("a", "b")
    assert side_of(two, two.pairs[1].uid, "target") == (two.pairs[1].uid, "target")
    assert side_of(two, None, "target") == side_of(two, 10**9, "target") == (two.pairs[0].uid, "input")


def test_what_the_board_asks_is_done_and_nonsense_is_let_pass(monkeypatch):
    two = draft("a", "b")
    a, b = two.pairs
    edits: list[Draft] = []
    chosen: list[tuple] = []
    monkeypatch.setattr(choose_measure.state, "draft", lambda: two)
    monkeypatch.setattr(choose_measure.state, "edit", edits.append)
    monkeypatch.setattr(choose_measure.desk, "choose_edited", lambda *place: chosen.append(place))
    for nonsense in (
        {}, {"do": "remove"}, {"do": "remove", "uid": -1}, {"do": "remove", "uid": "1"}, {"do": "fly", "uid": a.uid},
        {"do": "swap", "uid": a.uid}, {"do": "swap", "uid": a.uid, "other": -1}, {"do": "move", "uid": a.uid, "to": "up"},
        {"do": "choose", "uid": a.uid, "side": "middle"}, {"do": "rename", "uid": a.uid, "name": "  "}, {"do": "rename", "uid": a.uid, "name": 7},
    ):  # fmt: skip
        choose_measure.act(nonsense)
    assert edits == [] and chosen == []
    choose_measure.act({"do": "choose", "uid": b.uid, "side": "target"})
    assert chosen == [(b.uid, "target")]
    asked = (
        {"do": "move", "to": 1},
        {"do": "swap", "other": b.uid},
        {"do": "turn"},
        {"do": "copy"},
        {"do": "rename", "name": " new "},
        {"do": "remove"},
    )
    for said in asked:
        choose_measure.act(said | {"uid": a.uid})
    assert [[p.name for p in e.pairs] for e in edits] == [
        ["b", "a"],
        ["a", "b"],
        ["a", "b"],
        ["a", "a copy", "b"],
        ["new", "b"],
        ["b"],
    ]
    assert edits[1].pairs[0].target == b.target and edits[2].pairs[0].input == a.target


# --- intake ---


def test_a_file_is_held_up_with_what_one_should_know():
    found = read_file("towns.csv", b"x,y,z,w\n1,0,0,1\n1,0,0,1\n0,2,0,0\n", Limits())
    assert found.facts() == [
        "3 atoms in dimension 3, weights from 0.5 to 0.5, 1 of them zero",
        "1 of them lie on an earlier one; a solve merges those",
        "1 of 3 points were projected to the sphere (largest distance 1)",
        "weights were divided by their sum 2",
    ]
    assert not found.is_picture
    assert shares(AXES) == "weights from 0.25 to 0.5"
    assert duplicates(AXES) == 0


def test_a_picture_can_be_laid_anew_and_a_paste_is_read():
    stream = io.BytesIO()
    Image.fromarray(np.zeros((9, 9), np.uint8)).save(stream, "PNG")
    found = read_file("ink.png", stream.getvalue(), Limits())
    assert found.is_picture and len(found.measure) == 120
    again = found.laid({"n": 30, "placement": "world"}, Limits())
    assert len(again.measure) == 30 and np.abs(again.measure.barycentre).max() < 0.2
    assert again.laid({"n": 30, "placement": "world"}, Limits()) is again
    assert len(read_paste("1 0 0\n0 1 0", Limits()).measure) == 2
    with pytest.raises(InputError, match=r"^a\.csv: the file is larger than 1e-06 MB"):
        read_file("a.csv", b"x,y,z", Limits(bytes=1))


def test_joined_measures_weigh_by_their_numbers_of_atoms():
    both = joined(Measure(cloud(2)), Measure(cloud(6, 1)))
    assert len(both) == 8 and both.has_equal_weights
    assert joined(None, AXES) is AXES
    with pytest.raises(InputError, match="4 coordinates and the measure has 3"):
        joined(AXES, Measure(np.eye(4)))


def test_many_atoms_are_made_fewer_and_few_are_left_alone():
    pairs = [
        {"name": "a", "input": {"generator": "uniform", "params": {}, "n": 500, "seed": 0}, "target": AXES.to_json()}
    ]
    said = {"format": "mtm-problem", "version": 1, "dimension": 3, "pairs": pairs}
    lighter = replaced(Draft.from_json(said), Problem.from_json(said), lambda m: fewer(m, 400, FEWER))
    assert len(lighter.pairs[0].input["points"]) == FEWER
    assert lighter.pairs[0].target == AXES.to_json()


# --- the table ---


@pytest.mark.parametrize("globe", [True, False])
def test_rows_of_the_table_that_are_not_touched_keep_every_bit(globe):
    measure = Measure(cloud(6), np.arange(6) + 1.0)
    shown = table_of(measure, 3, globe).sort_values("weight", ascending=False)
    changed = shown.reset_index(drop=True).drop(index=2)
    changed.loc[4, changed.columns[0]] = 0.5
    changed.loc[99] = [0.1] * len(changed.columns)
    found = edited_measure(changed, measure, shown)
    assert found is not None and len(found) == 6
    kept = [row for row in found.points if any(np.array_equal(row, old) for old in measure.points)]
    assert len(kept) == 4


def test_the_table_says_what_it_cannot_read_and_an_empty_one_is_no_measure():
    shown = table_of(AXES, 3, True)
    with pytest.raises(InputError, match="row 2, column lat is empty"):
        edited_measure(shown.assign(lat=[0.0, None, 1.0]), AXES, shown)
    with pytest.raises(InputError, match="row 1, column lat is 95, beyond 90 degrees"):
        edited_measure(shown.assign(lat=[95.0, 0, 0], lon=[100.0, 0, 0]), AXES, shown)
    with pytest.raises(InputError, match="column weight is -1"):
        edited_measure(shown.assign(weight=[-1.0, 1, 1]), AXES, shown)
    assert edited_measure(shown.iloc[:0], AXES, shown) is None
    assert list(table_of(None, 4, False).columns) == ["x1", "x2", "x3", "x4", "weight"]
    new = edited_measure(
        pd.DataFrame({"x": [1.0], "y": [0.0], "z": [0.0], "weight": [None]}), None, table_of(None, 3, False)
    )
    assert new is not None and len(new) == 1
