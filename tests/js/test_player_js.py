"""Runs node's test runner on the player's pure parts; the payload it decodes there is written here."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from mtm_viz.rendering.payload import encode
from tests.rendering.synthetic import synthetic_run

HERE = Path(__file__).parent


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_the_players_pure_parts(tmp_path):
    run = synthetic_run(n=8)
    payload = tmp_path / "run.mtm"
    payload.write_bytes(encode(run))
    expected = {
        "frames": len(run.times),
        "names": list(run.names),
        "count": 8,
        "last": run.trajectories[1][-1, -1].tolist(),
    }
    environment = os.environ | {"MTM_PAYLOAD": str(payload), "MTM_EXPECTED": json.dumps(expected)}
    files = sorted(str(path) for path in HERE.glob("*.test.mjs"))
    done = subprocess.run(
        ["node", "--test", *files], env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
