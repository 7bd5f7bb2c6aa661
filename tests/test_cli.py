from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

from mtm_viz import cli
from mtm_viz.dynamics.schedule import Schedule
from mtm_viz.dynamics.schedule_file import load_schedule, save_schedule
from mtm_viz.run import Run

CASES = Path(__file__).parent / "cases"
TINY = {
    "format": "mtm-problem",
    "version": 1,
    "dimension": 3,
    "pairs": [
        {
            "name": "cap to ring",
            "input": {"generator": "cap", "params": {"center": [1, 0, 0], "radius_deg": 15}, "n": 4},
            "target": {"generator": "ring", "params": {"center": [0, 1, 0], "radius_deg": 20}, "n": 4},
        },
        {
            "name": "ring to cap",
            "input": {"generator": "ring", "params": {"center": [0, 0, 1], "radius_deg": 20}, "n": 4},
            "target": {"generator": "cap", "params": {"center": [1, 0, 0], "radius_deg": 15}, "n": 4, "seed": 1},
        },
    ],
}


@pytest.fixture
def problem(tmp_path) -> Path:
    path = tmp_path / "tiny.json"
    path.write_text(json.dumps(TINY))
    return path


@pytest.fixture(scope="session")
def solved(tmp_path_factory) -> Path:
    """The run of the tiny problem, solved once by the command itself."""
    folder = tmp_path_factory.mktemp("solved")
    (folder / "tiny.json").write_text(json.dumps(TINY))
    assert cli.main(["interpolate", str(folder / "tiny.json"), "-o", str(folder / "run.npz")]) == 0
    return folder / "run.npz"


class Addresses(HTMLParser):
    """What the tags of a page would fetch."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value or "" for key, value in attrs if key == "src" or (key == "href" and tag != "a")]


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def command(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "mtm_viz", *map(str, arguments)]


# --- what is refused ----------------------------------------------------------------------------------------------

REFUSED = {
    "no command": ([], "arguments are required: COMMAND"),
    "unknown command": (["solve"], "invalid choice: 'solve'"),
    "unknown option": (["interpolate", "{problem}", "-o", "{out}.npz", "--fast"], "unrecognised argument --fast"),
    "no output": (["interpolate", "{problem}"], "arguments are required: -o"),
    "output of another kind": (["interpolate", "{problem}", "-o", "{out}.txt"], "is not a .npz file"),
    "output in no folder": (["interpolate", "{problem}", "-o", "{out}/deep/run.npz"], "choose another folder"),
    "summary in no folder": (
        ["interpolate", "{problem}", "-o", "{out}.npz", "--json", "{out}/deep/s.json"],
        "choose another folder",
    ),
    "page of another kind": (["interpolate", "{problem}", "-o", "{out}.npz", "--html", "{out}.pdf"], "is not a .html"),
    "eps of zero": (["interpolate", "{problem}", "-o", "{out}.npz", "--eps", "0"], "'0' is not a positive number"),
    "eps in words": (["verify", "{problem}", "--eps", "small"], "'small' is not a positive number"),
    "eps not finite": (["verify", "{problem}", "--eps", "inf"], "'inf' is not a positive number"),
    "seed below zero": (["interpolate", "{problem}", "-o", "{out}.npz", "--seed", "-1"], "'-1' is not a whole number"),
    "unknown backend": (
        ["interpolate", "{problem}", "-o", "{out}.npz", "--backend", "jax"],
        "choose auto, numpy or cupy",
    ),
    "unknown strategy": (["interpolate", "{problem}", "-o", "{out}.npz", "--strategy", "luck"], "luck"),
    "no such problem": (["interpolate", "absent.json", "-o", "{out}.npz"], "absent.json: the file cannot be read"),
    "not a problem": (
        ["interpolate", "{files}/truncated.json", "-o", "{out}.npz"],
        "truncated.json: line 1, column 25",
    ),
    "same inputs": (["interpolate", "{cases}/p09_impossible_same_input.json", "-o", "{out}.npz"], "p09_impossible"),
    "circle": (["interpolate", "{cases}/p12_circle.json", "-o", "{out}.npz"], "p12_circle.json: "),
    "same inputs, for a script": (
        ["interpolate", "{cases}/p09_impossible_same_input.json", "-o", "{out}.npz", "--json", "-"],
        "p09_impossible",
    ),
    "run of objects": (["verify", "{files}/object_array.npz"], "object_array.npz: this is not an NPZ file"),
    "no such run": (["verify", "absent.npz"], "absent.npz: the file cannot be read"),
    "problem for a schedule": (["verify", "{problem}"], 'tiny.json: this holds no schedule: "format" must be'),
    "export of no run": (["export", "{files}/ok_float32.npz", "-o", "{out}.html"], "holds no interpolation run"),
    "export to no format": (["export", "absent.npz", "-o", "{out}.xyz"], "the format '.xyz' is not written"),
    "measure that is none": (["convert", "{files}/truncated.json", "-o", "{out}.json"], "truncated.json: line 1"),
    "measure to no format": (["convert", "{files}/truncated.json", "-o", "{out}.xlsx"], "is not a .csv or .geojson or"),
    "picture options for a table": (
        ["convert", "{files}/ok_xyz_header_case.csv", "-o", "{out}.json", "--placement", "world"],
        "ok_xyz_header_case.csv: --placement is for pictures only",
    ),
    "a placement that is none": (
        ["convert", "absent.png", "-o", "{out}.json", "--placement", "moon"],
        "absent.png: ",
    ),
    "more atoms than allowed": (
        ["convert", "{files}/ok_xyz_header_case.csv", "-o", "{out}.json", "--most-atoms", "2"],
        "ok_xyz_header_case.csv: the file holds more than 2 atoms",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_bad_input_is_one_line_on_stderr_and_exit_2(case, problem, tmp_path, capfd):
    arguments, sentence = REFUSED[case]
    places = {"problem": problem, "out": tmp_path / "out", "cases": CASES, "files": CASES / "files"}
    assert cli.main([argument.format(**places) for argument in arguments]) == 2
    out, err = capfd.readouterr()
    assert err.startswith("mtm_viz: ") and sentence in err
    assert err.count("\n") == 1 and err.endswith("\n")
    assert "wrote" not in out
    assert names(tmp_path) == ["tiny.json"], "nothing is written, and nothing half-written left"


def test_a_name_with_line_breaks_stays_in_one_line(tmp_path, capfd):
    bad = TINY | {"pairs": [TINY["pairs"][0] | {"name": "two\nlines\r\n", "input": {"generator": "blob"}}]}
    (tmp_path / "bad.json").write_text(json.dumps(bad))
    assert cli.main(["interpolate", str(tmp_path / "bad.json"), "-o", str(tmp_path / "run.npz")]) == 2
    assert len(capfd.readouterr().err.splitlines()) == 1


def test_the_module_refuses_as_the_function_does(tmp_path):
    said = subprocess.run(
        command("interpolate", "absent.json", "-o", tmp_path / "r.npz"), capture_output=True, text=True
    )
    assert (said.returncode, said.stdout) == (2, "")
    assert said.stderr.count("\n") == 1 and "Traceback" not in said.stderr


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["interpolate", "--help"], ["verify", "--help"]])
def test_help_is_help_and_exit_0(arguments, capfd):
    with pytest.raises(SystemExit) as ended:
        cli.main(arguments)
    assert ended.value.code == 0
    assert "mtm_viz" in capfd.readouterr().out


# --- interpolate --------------------------------------------------------------------------------------------------


def test_interpolate_says_what_was_reached_and_writes_a_run(problem, tmp_path, capfd):
    assert cli.main(["interpolate", str(problem), "-o", str(tmp_path / "run.npz"), "--seed", "3"]) == 0
    out, err = capfd.readouterr()
    assert err == ""
    assert "reached cap to ring: W2 = " in out and "reached ring to cap: W2 = " in out
    assert any(line.lstrip()[0].isdigit() and "%" in line for line in out.splitlines()), "progress in plain lines"
    run = Run.load(tmp_path / "run.npz")
    assert run.names == ("cap to ring", "ring to cap")
    assert names(tmp_path) == ["run.npz", "tiny.json"]
    assert max(float(w2[-1]) for w2 in run.w2) < 1e-6


def test_json_on_stdout_is_nothing_but_json(problem, tmp_path, capfd):
    assert cli.main(["interpolate", str(problem), "-o", str(tmp_path / "run.npz"), "--json", "-"]) == 0
    certificate = json.loads(capfd.readouterr().out)
    assert certificate == Run.load(tmp_path / "run.npz").certificate
    assert [pair["name"] for pair in certificate["pairs"]] == ["cap to ring", "ring to cap"]


def test_summary_and_page_are_written_beside_the_run(problem, tmp_path, capfd):
    arguments = ["-o", tmp_path / "run.npz", "--json", tmp_path / "s.json", "--html", tmp_path / "run.html"]
    assert cli.main(["interpolate", str(problem), *map(str, arguments)]) == 0
    assert names(tmp_path) == ["run.html", "run.npz", "s.json", "tiny.json"]
    assert json.loads((tmp_path / "s.json").read_text())["passed"] is True
    assert "<html" in (tmp_path / "run.html").read_text()[:1_000].lower()


def test_what_misses_is_written_told_and_exit_1(problem, tmp_path, capfd):
    """No computation in float64 comes within 1e-300 of its target."""
    arguments = ["interpolate", str(problem), "-o", str(tmp_path / "run.npz"), "--eps", "1e-300"]
    assert cli.main(arguments) == 1
    out, err = capfd.readouterr()
    assert "MISSED" in out and err == ""
    assert Run.load(tmp_path / "run.npz").certificate["passed"] is False


def test_the_seed_decides(problem, tmp_path):
    for name in ("one.npz", "two.npz"):
        assert cli.main(["interpolate", str(problem), "-o", str(tmp_path / name), "--seed", "5"]) == 0
    one, two = (load_schedule(tmp_path / name) for name in ("one.npz", "two.npz"))
    assert len(one) == len(two)
    for a, b in zip(one, two, strict=True):
        np.testing.assert_array_equal(a.W, b.W)
        np.testing.assert_array_equal(a.V, b.V)


def test_an_interrupt_is_exit_130_and_leaves_nothing(tmp_path):
    """Interrupted as a person would, once it says that it is at work."""
    problem = CASES / "p14_four_share_half.json"
    with subprocess.Popen(
        command("interpolate", problem, "-o", tmp_path / "run.npz"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        first = process.stdout.readline()
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert "%" in first, err
    assert process.returncode == 130
    assert err == "mtm_viz: interrupted, nothing was written\n"
    assert names(tmp_path) == []


# --- verify, export, convert, app ---------------------------------------------------------------------------------


def test_verify_passes_what_interpolate_found(solved, capfd):
    assert cli.main(["verify", str(solved)]) == 0
    found = json.loads(capfd.readouterr().out)
    assert found["passed"] is True
    assert [pair["name"] for pair in found["pairs"]] == ["cap to ring", "ring to cap"]
    assert all(pair["w2"] < 1e-6 for pair in found["pairs"])


@pytest.mark.parametrize("suffix", [".json", ".npz"])
def test_verify_takes_a_bare_schedule_with_its_problem(solved, tmp_path, capfd, suffix):
    theta = tmp_path / f"theta{suffix}"
    assert cli.main(["export", str(solved), "-o", str(theta)]) == 0
    assert cli.main(["verify", str(theta)]) == 2
    assert "add --problem PROBLEM" in capfd.readouterr().err
    assert cli.main(["verify", str(theta), "--problem", str(solved.with_name("tiny.json"))]) == 0
    assert json.loads(capfd.readouterr().out)["passed"] is True


def test_verify_fails_a_schedule_that_lacks_its_last_segment(solved, tmp_path, capfd):
    shortened = Schedule(load_schedule(solved).segments[:-1])
    save_schedule(shortened, tmp_path / "short.npz")
    assert cli.main(["verify", str(tmp_path / "short.npz"), "--problem", str(solved.with_name("tiny.json"))]) == 1
    found = json.loads(capfd.readouterr().out)
    assert found["passed"] is False
    assert max(pair["w2"] for pair in found["pairs"]) > 1e-2


def test_verify_refuses_a_schedule_of_another_dimension(solved, capfd):
    problem = CASES / "p11_dimension_5.json"
    assert cli.main(["verify", str(solved), "--problem", str(problem)]) == 2
    err = capfd.readouterr().err
    assert "dimension" in err and err.count("\n") == 1


def test_export_writes_a_page_that_asks_nobody(solved, tmp_path, capfd):
    assert cli.main(["export", str(solved), "-o", str(tmp_path / "run.html")]) == 0
    page = (tmp_path / "run.html").read_text()
    tags = Addresses()
    tags.feed(page)
    assert [address for address in tags.found if not address.startswith(("#", "data:"))] == []
    assert len(page) > 100_000, "the drawing library is inside"


def test_convert_projects_normalises_and_tells(tmp_path, capfd):
    (tmp_path / "cloud.json").write_text('{"points": [[2, 0, 0], [0, 0, 1]], "weights": [3, 1]}')
    assert cli.main(["convert", str(tmp_path / "cloud.json"), "-o", str(tmp_path / "measure.json")]) == 0
    out = capfd.readouterr().out
    assert "2 atoms in dimension 3" in out
    assert "note: 1 of 2 points were projected" in out and "note: weights were divided by their sum 4" in out
    said = json.loads((tmp_path / "measure.json").read_text())
    assert said == {"points": [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]], "weights": [0.75, 0.25]}


def test_app_hands_its_options_to_streamlit(monkeypatch):
    called = []
    monkeypatch.setattr(cli.subprocess, "call", lambda said: called.append(said) or 7)
    assert cli.main(["app", "--server.port", "8600"]) == 7
    (said,) = called
    assert said[1:4] == ["-m", "streamlit", "run"] and Path(said[4]).name == "app.py"
    assert said[5:] == ["--server.port", "8600"]


def test_a_reader_that_leaves_is_no_defect(tmp_path):
    (tmp_path / "cloud.json").write_text("[[1, 0, 0]]")
    with subprocess.Popen(
        command("convert", tmp_path / "cloud.json", "-o", tmp_path / "m.json"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.close()
        err = process.stderr.read()
    assert err == b""
    assert process.returncode == 1
    assert (tmp_path / "m.json").exists()


def test_the_console_command_is_installed():
    script = shutil.which("mtm-viz", path=str(Path(sys.executable).parent))
    assert script is not None
    assert subprocess.run([script, "--version"], capture_output=True, text=True).stdout.startswith("mtm_viz ")
