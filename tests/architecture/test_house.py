"""What the tools cannot see: the size of files, the promises of the README, the two lists of requirements."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

import mtm_viz

ROOT = Path(__file__).parents[2]
SOURCES = sorted((ROOT / "mtm_viz").rglob("*.py"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_file_is_one_idea(path):
    text = path.read_text()
    assert len(text.splitlines()) <= 300, "split it: one idea a file"
    if text.strip():
        assert text.lstrip().startswith(('"""', 'r"""')), "say in its first line what it is for"


def test_the_version_is_said_once():
    assert PROJECT["version"] == mtm_viz.__version__
    assert f"version: {mtm_viz.__version__}" in (ROOT / "CITATION.cff").read_text()
    assert f"## {mtm_viz.__version__}" in (ROOT / "CHANGELOG.md").read_text()


def test_requirements_and_metadata_ask_for_the_same_packages():
    lines = [line.split("#")[0].strip() for line in (ROOT / "requirements.txt").read_text().splitlines()]
    asked = {re.split(r"[<>=]", line)[0] for line in lines if line and not line.startswith("-e")}
    assert asked == {re.split(r"[<>=]", line)[0] for line in PROJECT["dependencies"]}
    assert lines[-1] == "-e ."


def test_every_requirement_says_why_it_is_there():
    for name in ("requirements.txt", "tests/requirements.txt"):
        for line in (ROOT / name).read_text().splitlines():
            assert line.startswith("-r") or "  # " in line, f"{name}: {line}"


def test_the_readmes_ten_lines_are_ten_and_run_as_far_as_the_problem():
    code = re.search(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    assert code is not None
    lines = code.group(1).splitlines()
    assert len(lines) <= 10
    compile(code.group(1), "README.md", "exec")


def test_ci_runs_what_the_readme_says():
    command = "python -m pip install -r tests/requirements.txt && python -m pytest"
    assert command in (ROOT / "README.md").read_text()
    assert command in (ROOT / ".ci" / "run").read_text()
