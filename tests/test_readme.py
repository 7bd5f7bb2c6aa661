"""The README's numbers are those of the shipped runs, and its ten lines of Python run."""

import re
from pathlib import Path

import pytest

from mtm_viz.run import Run

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")


def rows() -> dict[str, list[str]]:
    table = TEXT.split("| preset |")[1].split("\n\n")[0].splitlines()[2:]
    cells = [[cell.strip() for cell in row.strip("| ").split("|")] for row in table]
    return {row[0]: row[1:] for row in cells}


def presets() -> list[Path]:
    return sorted((ROOT / "assets" / "presets").glob("*.json"))


def test_every_preset_is_in_the_table() -> None:
    assert len(rows()) == len(presets()) >= 8


@pytest.mark.parametrize("path", presets(), ids=lambda path: path.stem)
def test_the_table_says_what_the_certificate_says(path: Path) -> None:
    title = re.search(r'"title": "(.*?)"', path.read_text(encoding="utf-8"))
    assert title is not None
    run = Run.load(path.parent / "runs" / f"{path.stem}.npz")
    said = run.certificate
    worst = max(pair["w2"] for pair in said["pairs"])
    assert rows()[title[1].encode().decode("unicode_escape") if "\\u" in title[1] else title[1]] == [
        f"{len(run.names)} x {max(len(weights) for weights in run.weights)}",
        str(said["switches"]),
        str(said["paper_bound"]),
        f"{said['gates']['mean']:.2f}",
        f"{worst:.0e}",
        f"{said['sup_norm'] / said['gates']['total']:.1f}",
        f"{said['condition']:.0f}",
    ]


def test_the_ten_lines_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    code = TEXT.split("```python\n")[1].split("```")[0]
    monkeypatch.chdir(tmp_path)
    exec(compile(code, "README.md", "exec"), {})  # the README's own words
    assert "True" in capsys.readouterr().out
    assert Run.load(tmp_path / "run.npz").certificate["passed"]
