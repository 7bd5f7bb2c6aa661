"""Written and read again, a measure is the same: to the last bit, or to what the writer says it loses."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtm_viz import cli
from mtm_viz.errors import InputError
from mtm_viz.measures.measure import Measure
from mtm_viz.measures.readers import measure_from_bytes, read_measure
from mtm_viz.measures.writers import writer_of, writers
from mtm_viz.sphere import angle

EXACT = sorted(suffix for suffix, writer in writers().items() if not writer.loss)


@st.composite
def measures(draw: st.DrawFn, dimension: int | None = None) -> Measure:
    """Any measure: from 1 to 12 rows of any lengths, equal or unequal or vanishing weights, one atom repeated."""
    d = dimension or draw(st.integers(2, 6))
    seed, n = draw(st.integers(0, 2**32 - 1)), draw(st.integers(1, 12))
    rng = np.random.default_rng(seed)
    points = rng.standard_normal((n, d)) * 10.0 ** draw(st.integers(-200, 200))
    points[-1] = points[0]
    weights = draw(st.sampled_from([None, "any", "tiny", "some zero"]))
    if weights is None:
        return Measure(points)
    w = rng.random(n) ** (30 if weights == "tiny" else 1) + 1e-300
    if weights == "some zero":
        w[1:] *= rng.random(n - 1) < 0.5
    return Measure(points, w)


def again(measure: Measure, suffix: str) -> Measure:
    return measure_from_bytes(f"m{suffix}", writers()[suffix].write(measure))


@pytest.mark.parametrize("suffix", EXACT)
@given(measure=measures())
def test_every_bit_comes_back(suffix, measure):
    back = again(measure, suffix)
    np.testing.assert_array_equal(back.points, measure.points)
    np.testing.assert_array_equal(back.weights, measure.weights)
    assert back.notes == ()


@given(measure=measures(dimension=3))
def test_geojson_loses_what_it_says_and_no_more(measure):
    back = again(measure, ".geojson")
    np.testing.assert_allclose(back.points, measure.points, atol=1e-15)
    np.testing.assert_array_equal(back.weights, measure.weights)
    assert "1e-15" in writers()[".geojson"].loss


def test_geojson_refuses_other_dimensions():
    with pytest.raises(InputError, match=r"points of S\^2 only and the dimension is 4"):
        writers()[".geojson"].write(Measure(np.eye(4)))


def test_there_are_the_four_that_are_promised_and_three_are_exact():
    assert set(writers()) == {".csv", ".npz", ".json", ".geojson"}
    assert EXACT == [".csv", ".json", ".npz"]
    with pytest.raises(InputError, match=r"m\.xlsx is not a \.csv or \.geojson or \.json or \.npz file"):
        writer_of("m.xlsx")


@pytest.mark.parametrize("suffix", sorted(writers()))
def test_convert_writes_every_format(suffix, tmp_path, capfd):
    (tmp_path / "in.csv").write_text("x,y,z,w\n1,0,0,1\n0,.6,.8,3\n")
    out = tmp_path / f"out{suffix}"
    assert cli.main(["convert", str(tmp_path / "in.csv"), "-o", str(out)]) == 0
    said = capfd.readouterr().out
    assert ("note: points come back to 1e-15" in said) == (suffix == ".geojson")
    np.testing.assert_allclose(read_measure(out).points, [[1, 0, 0], [0, 0.6, 0.8]], atol=1e-15)
    np.testing.assert_array_equal(read_measure(out).weights, [0.25, 0.75])


def test_convert_lays_a_picture_where_it_is_told(tmp_path, capfd):
    (tmp_path / "dot.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg"><circle r="1"/></svg>')
    where = ["--center", "0,0,1", "--size-deg", "10", "--n", "33", "--seed", "4", "--placement", "patch"]
    assert cli.main(["convert", str(tmp_path / "dot.svg"), "-o", str(tmp_path / "m.json"), *where]) == 0
    measure = read_measure(tmp_path / "m.json")
    assert len(measure) == 33
    assert np.rad2deg(np.arccos(measure.points[:, 2])).max() < 5.1
    capfd.readouterr()
    assert cli.main(["convert", str(tmp_path / "dot.svg"), "-o", str(tmp_path / "m.json"), "--center", "0,0"]) == 2
    err = capfd.readouterr().err
    assert err.startswith("mtm_viz: dot.svg: ") and err.count("\n") == 1


def test_a_problem_passes_reader_options_and_refuses_unknown_ones(tmp_path):
    from mtm_viz.measures.source import source_from_json

    (tmp_path / "dot.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg"><circle r="1"/></svg>')
    said = {"file": "dot.svg", "n": 7, "placement": "world"}
    assert len(source_from_json(said, "input", tmp_path).measure(3)) == 7
    with pytest.raises(InputError, match=r'^input: dot\.svg: "colour" is no option of an SVG drawing: use placement'):
        source_from_json({"file": "dot.svg", "colour": 1}, "input", tmp_path)
    with pytest.raises(InputError, match='"file" measures are read by the command line only'):
        source_from_json(said, "input", None)


def test_convert_nudges_atoms_that_are_too_near_and_says_by_how_much(tmp_path, capfd):
    (tmp_path / "in.csv").write_text("x,y,z\n1,0,0\n1,1e-8,0\n0,0,1\n")
    out = tmp_path / "m.npz"
    assert cli.main(["convert", str(tmp_path / "in.csv"), "-o", str(out), "--nudge", "1e-3", "--seed", "4"]) == 0
    assert "1 atoms moved by up to 0.001" in capfd.readouterr().out
    points = np.load(out)["points"]
    assert angle(points[0], points[1]) >= 1e-3 * (1 - 1e-9)
    np.testing.assert_array_equal(points[2], [0, 0, 1])
    assert cli.main(["convert", str(tmp_path / "in.csv"), "-o", str(out), "--nudge", "3"]) == 2
    assert "in.csv: atoms cannot be nudged 3.0 rad apart" in capfd.readouterr().err
