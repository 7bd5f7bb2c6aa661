"""Style, types and layers, as tests: what `pytest` says is all there is to say."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PYTHON = Path(sys.executable)
TOOLS = {
    "style": [PYTHON, "-m", "ruff", "check", "--no-cache", "."],
    "format": [PYTHON, "-m", "ruff", "format", "--no-cache", "--check", "."],
    "types": [PYTHON, "-m", "pyright", "--pythonpath", PYTHON],
    "layers": [PYTHON.with_name("lint-imports"), "--no-cache"],
}


@pytest.mark.parametrize("tool", TOOLS)
def test_it_has_nothing_to_say(tool):
    said = subprocess.run(TOOLS[tool], cwd=ROOT, capture_output=True, text=True)
    assert said.returncode == 0, said.stdout + said.stderr
