from __future__ import annotations

import json
import re

import numpy as np
import pyarrow.csv
import pyarrow.parquet
import pytest

from mtm_viz.dynamics.schedule_file import load_schedule
from mtm_viz.export import export
from mtm_viz.export.tex import escaped
from mtm_viz.rendering.options import Options

COLUMNS = ["pair", "particle", "frame", "time", "x1", "x2", "x3", "weight"]


def table_of(path):
    return pyarrow.csv.read_csv(path) if path.suffix == ".csv" else pyarrow.parquet.read_table(path)


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_a_table_has_a_row_a_particle_and_frame_and_the_exact_values(solved, tmp_path, suffix):
    path = tmp_path / f"t{suffix}"
    export(solved, path)
    table = table_of(path)
    assert table.column_names == COLUMNS
    assert len(table) == 2 * 5 * len(solved.times)
    rows = table.to_pydict()
    assert set(rows["pair"]) == set(solved.names)
    for i, name in enumerate(solved.names):
        mine = np.array(rows["pair"]) == name
        points = np.stack([np.array(rows[f"x{k}"])[mine] for k in (1, 2, 3)], axis=1)
        np.testing.assert_array_equal(points.reshape(-1, 5, 3), solved.trajectories[i])
        np.testing.assert_array_equal(np.array(rows["time"])[mine].reshape(-1, 5)[:, 0], solved.times)
        np.testing.assert_array_equal(np.array(rows["weight"])[mine][:5], solved.weights[i])


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_fewer_frames_keep_both_ends(solved, tmp_path, suffix):
    export(solved, tmp_path / f"t{suffix}", Options(frames=3))
    frames = sorted(set(table_of(tmp_path / f"t{suffix}")["frame"].to_pylist()))
    assert len(frames) == 3 and frames[0] == 0 and frames[-1] == len(solved.times) - 1


def test_five_coordinates_have_five_columns(in_five_dimensions, tmp_path):
    export(in_five_dimensions, tmp_path / "t.parquet")
    names = table_of(tmp_path / "t.parquet").column_names
    assert names == ["pair", "particle", "frame", "time", "x1", "x2", "x3", "x4", "x5", "weight"]


def test_trajectories_as_arrays(solved, tmp_path):
    export(solved, tmp_path / "t.trajectories.npz", Options(frames=4))
    with np.load(tmp_path / "t.trajectories.npz", allow_pickle=False) as arrays:
        assert arrays["names"].tolist() == list(solved.names)
        np.testing.assert_array_equal(arrays["trajectory_1"], solved.trajectories[1][arrays["frame"]])
        np.testing.assert_array_equal(arrays["w2_0"][-1], solved.w2[0][-1])


@pytest.mark.parametrize("suffix", [".npz", ".json"])
def test_the_schedule_reads_back(solved, tmp_path, suffix):
    export(solved, tmp_path / f"theta{suffix}")
    schedule = load_schedule(tmp_path / f"theta{suffix}")
    assert len(schedule) == len(solved.schedule)
    np.testing.assert_array_equal(schedule.segments[-1].W, solved.schedule.segments[-1].W)


def test_the_summary_is_plain_json_with_the_certificate(solved, tmp_path):
    export(solved, tmp_path / "s.summary.json")
    said = json.loads((tmp_path / "s.summary.json").read_text(encoding="utf-8"))
    assert said["certificate"] == json.loads(json.dumps(solved.certificate))
    assert [pair["name"] for pair in said["pairs"]] == list(solved.names)
    assert said["pairs"][0]["w2"] == solved.w2[0][-1]
    assert sum(phase["segments"] for phase in said["schedule"]["phases"]) == len(solved.schedule)
    assert sum(phase["duration"] for phase in said["schedule"]["phases"]) == pytest.approx(1)


def test_markdown_keeps_its_tables_whole_whatever_a_pair_is_called(solved, tmp_path):
    export(solved, tmp_path / "s.md")
    lines = (tmp_path / "s.md").read_text(encoding="utf-8").splitlines()
    row = next(line for line in lines if line.startswith("| ring"))
    assert row.startswith("| ring \\| to cap | 5 | ") and len(re.findall(r"(?<!\\)\|", row)) == 5


def test_the_latex_table_has_a_row_a_segment_and_no_bare_specials(solved, tmp_path):
    export(solved, tmp_path / "s.tex")
    text = (tmp_path / "s.tex").read_text(encoding="utf-8")
    rows = [line for line in text.splitlines() if re.match(r"\d+ & ", line)]
    assert len(rows) == len(solved.schedule) and all(row.count(" & ") == 6 for row in rows)
    assert text.count("{") == text.count("}")
    assert escaped("a_b & 50%") == r"a\_b \& 50\%"
