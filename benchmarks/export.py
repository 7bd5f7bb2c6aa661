"""How fast films are made, against plotly's to_image by kaleido: `python -m benchmarks.export [PYTHON_WITH_KALEIDO]`.

The other Python needs kaleido, plotly and numpy (they are no dependency of this project) and a Chromium; without it the
ratio is left out. Both draw the same 5,000 atoms at 1920 x 1080. Times are wall clock, memory is the peak of this process
and of ffmpeg.
"""

from __future__ import annotations

import io
import json
import os
import resource
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np

from mtm_viz.export import writer
from mtm_viz.rendering.film import film
from mtm_viz.rendering.options import Options
from mtm_viz.run import Run
from mtm_viz.sphere import normalise
from tests.rendering.synthetic import synthetic_run

KALEIDO = """
import json, sys, time
import numpy as np
import plotly.graph_objects as go
import plotly.io as pio
rng = np.random.default_rng(0)
u, v = np.mgrid[0:2*np.pi:40j, 0:np.pi:20j]
def figure(k):
    data = [go.Surface(x=np.cos(u)*np.sin(v), y=np.sin(u)*np.sin(v), z=np.cos(v), opacity=0.5, showscale=False)]
    for m in range(4):
        x = rng.standard_normal((1250, 3)); x /= np.linalg.norm(x, axis=1, keepdims=True)
        data.append(go.Scatter3d(x=x[:, 0], y=x[:, 1], z=x[:, 2], mode="markers", marker=dict(size=3)))
    return go.Figure(data)
import kaleido
kaleido.start_sync_server(silence_warnings=True)
figure(0).to_image("png", width=1920, height=1080)
times = []
for k in range(3):
    began = time.perf_counter(); figure(k).to_image("png", width=1920, height=1080); times.append(time.perf_counter() - began)
kaleido.stop_sync_server(silence_warnings=True)
print(json.dumps(times))
"""


def crowd(n: int, measures: int = 4) -> Run:
    """A run of n atoms that all move."""
    small = synthetic_run(20, measures)
    rng = np.random.default_rng(0)

    def more(frames: np.ndarray) -> np.ndarray:
        chosen = rng.integers(0, frames.shape[1], n // measures)
        return normalise((frames[:, chosen] + 0.15 * rng.standard_normal((n // measures, 3))).reshape(-1, 3)).reshape(
            len(frames), -1, 3
        )

    trajectories = tuple(more(x) for x in small.trajectories)
    weights = tuple(np.full(x.shape[1], 1 / x.shape[1]) for x in trajectories)
    targets = tuple(x[-1] for x in trajectories)
    return replace(small, trajectories=trajectories, weights=weights, targets=targets, target_weights=weights)


def timed(run: Run, suffix: str, **options: object) -> tuple[float, int]:
    """Seconds and bytes of one export."""
    out, began = io.BytesIO(), time.perf_counter()
    writer(Path(f"x{suffix}"))(run, out, Options(**options))  # type: ignore[arg-type]
    return time.perf_counter() - began, out.tell()


def kaleido_frame(python: str) -> float | None:
    """Seconds a frame by to_image, or None where it cannot be measured."""
    environment = os.environ | {"BROWSER_PATH": "/usr/bin/chromium", "KALEIDO_NO_SANDBOX": "1"}
    try:
        done = subprocess.run([python, "-c", KALEIDO], capture_output=True, text=True, timeout=240, env=environment)
    except (OSError, subprocess.TimeoutExpired) as problem:
        print(f"kaleido: not measured ({problem})")
        return None
    if done.returncode != 0:
        print(f"kaleido: not measured ({done.stderr.strip().splitlines()[-1:]})")
        return None
    return float(np.median(json.loads(done.stdout.strip().splitlines()[-1])))


def main() -> None:
    load = os.getloadavg()[0]
    print(f"load of the machine before: {load:.1f} on {os.cpu_count()} cores")
    five = crowd(5000)
    made = film(five, Options(frames=24), size=(1920, 1080), fps=30)
    pictures = made.pictures(lambda *_: None)
    next(pictures)
    began, cpu = time.perf_counter(), time.process_time()
    count = sum(1 for _ in pictures)
    frame, used = (time.perf_counter() - began) / count, (time.process_time() - cpu) / count
    print(f"one 1080p frame of 5,000 atoms: {1000 * frame:.0f} ms ({1000 * used:.0f} ms of CPU)")
    for name, run, suffix, options in (
        ("1080p MP4, 5,000 atoms x 240 frames", lambda: five, ".mp4", {"size": (1920, 1080), "frames": 240}),
        (
            "1080p MP4, 5,000 atoms x 240 frames, turning",
            five,
            ".mp4",
            {"size": (1920, 1080), "frames": 240, "camera": "turn"},
        ),
        ("1080p WebM, 5,000 atoms x 240 frames", lambda: five, ".webm", {"size": (1920, 1080), "frames": 240}),
        ("600 px GIF, 1,000 atoms x 120 frames", lambda: crowd(1000), ".gif", {"size": (600, 600), "frames": 120}),
        ("SVG still, 5,000 atoms", lambda: five, ".svg", {"at": 0.5}),
        ("PDF still, 5,000 atoms", lambda: five, ".pdf", {"at": 0.5}),
        ("4K PNG, 200,000 atoms", lambda: crowd(200_000), ".png", {"size": (3840, 2160), "at": 0.5}),
    ):
        seconds, size = timed(run(), suffix, **options)
        peaks = [resource.getrusage(who).ru_maxrss / 1e3 for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        print(
            f"{name}: {seconds:.1f} s, {size / 1e6:.2f} MB; peak memory so far {peaks[0]:.0f} MB, ffmpeg {peaks[1]:.0f} MB",
            flush=True,
        )
    other = kaleido_frame(sys.argv[1]) if len(sys.argv) > 1 else None
    if other is not None:
        print(f"one 1080p frame of 5,000 atoms by kaleido: {1000 * other:.0f} ms, {other / frame:.0f} times as long")


if __name__ == "__main__":
    main()
