"""Frames per second of the player beside st.plotly_chart with frames, in one headless Chromium.

    python benchmarks/player.py [--chromium /usr/bin/chromium] [--sizes 2000 10000]

Needs playwright (tests/requirements.txt) and, for the baseline only, plotly (pip install plotly).

Rows: the player with its WebGL2 layer, the player where WebGL2 is missing (a 2D canvas), and the baseline. A frame
counts when its picture was drawn. Software rendering on few cores: read the ratios, not the numbers.
"""

from __future__ import annotations

import argparse
import importlib.util
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

FRAMES = 120
LAUNCH = ["--no-sandbox", "--disable-gpu", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
NO_WEBGL2 = """const get = HTMLCanvasElement.prototype.getContext;
HTMLCanvasElement.prototype.getContext = function (kind, ...rest) { return kind === "webgl2" ? null : get.call(this, kind, ...rest); };"""
COUNT_PICTURES = """async () => {
  const { player } = document.querySelector(".mtm-player");
  player.clock.loop = true; player.clock.seek(0.02); player.clock.seconds = 20; player.clock.play();
  await new Promise((done) => setTimeout(done, 1000));
  const [from, start] = [player.pictures, performance.now()];
  await new Promise((done) => setTimeout(done, 5000));
  return (player.pictures - from) / (performance.now() - start) * 1000; }"""
COUNT_ANIMATED = """async () => {
  const plot = document.querySelector(".js-plotly-plot");
  let count = 0;
  plot.on("plotly_animatingframe", () => { count += 1; });
  document.querySelector(".updatemenu-button").dispatchEvent(new MouseEvent("click", { bubbles: true }));
  await new Promise((done) => setTimeout(done, 2000));
  const [from, start] = [count, performance.now()];
  await new Promise((done) => setTimeout(done, 8000));
  return (count - from) / (performance.now() - start) * 1000; }"""
APP = """
import sys
sys.path[:0] = [{root!r}]
import streamlit as st
from benchmarks.player import flowing_run, frames_figure
from mtm_viz.ui.components.player import player
st.set_page_config(layout="wide")
n = int(st.query_params["n"])
@st.cache_resource
def flowing(n): return flowing_run(n)
if st.query_params["what"] == "baseline":
    st.plotly_chart(frames_figure(flowing(n)), width="stretch", height=640, key="baseline")
else:
    player(flowing(n), key="player", height=640)
"""


def flowing_run(n: int):
    """n atoms in two measures, `FRAMES` frames, every atom moving in every frame: the player's hardest case."""
    sys.path.insert(0, str(Path(__file__).parents[1]))
    from mtm_viz import sphere
    from mtm_viz.dynamics.schedule import Schedule, Segment
    from mtm_viz.measures.measure import Measure
    from mtm_viz.measures.source import Points
    from mtm_viz.problem import Pair, Problem
    from mtm_viz.run import Run

    rng = np.random.default_rng(0)
    times = np.linspace(0, 1, FRAMES)
    starts = [sphere.normalise(rng.standard_normal((n // 2, 3))) for _ in range(2)]
    omegas = np.array([[1.0, 0, 0], [0, 0, 1.0]])
    paths = tuple(np.array([sphere.boost(x, w, 3 * t) for t in times]) for x, w in zip(starts, omegas, strict=True))
    zero = np.zeros((3, 3))
    schedule = Schedule((Segment(1.0, np.eye(3), zero, zero, zero, np.zeros(3), "disentangle"),))
    weights = tuple(np.full(n // 2, 2 / n) for _ in range(2))
    pairs = tuple(Pair(f"cloud {k + 1}", Points(Measure(x)), Points(Measure(x))) for k, x in enumerate(starts))
    targets = tuple(path[-1] for path in paths)
    w2 = tuple(np.sqrt((sphere.angle(p, p[-1][None]) ** 2).mean(axis=1)) for p in paths)
    return Run(
        Problem(3, pairs), schedule, times, np.zeros(FRAMES, int), times, paths, weights, targets, weights, w2, {}
    )


def frames_figure(run):
    """The usual way: go.Figure with frames, a surface for the sphere, a play button."""
    import plotly.graph_objects as go

    theta, phi = np.meshgrid(np.linspace(0, np.pi, 40), np.linspace(0, 2 * np.pi, 80))
    ball = go.Surface(
        x=np.sin(theta) * np.cos(phi), y=np.sin(theta) * np.sin(phi), z=np.cos(theta), showscale=False, opacity=0.6
    )

    def clouds(f):
        return [
            go.Scatter3d(x=p[f, :, 0], y=p[f, :, 1], z=p[f, :, 2], mode="markers", marker={"size": 2})
            for p in run.trajectories
        ]

    frames = [go.Frame(data=clouds(f), traces=[1, 2], name=str(f)) for f in range(len(run.times))]
    play = {
        "frame": {"duration": 0, "redraw": True},
        "transition": {"duration": 0},
        "fromcurrent": True,
        "mode": "immediate",
    }
    button = {"label": "Play", "method": "animate", "args": [None, play]}
    return go.Figure([ball, *clouds(0)], {"updatemenus": [{"type": "buttons", "buttons": [button]}]}, frames)


def serve(folder: str) -> tuple[subprocess.Popen, str]:
    """A Streamlit server for APP, and its address once it answers."""
    from urllib.request import urlopen

    script = Path(folder) / "bench_app.py"
    script.write_text(APP.format(root=str(Path(__file__).parents[1])))
    port = 8577
    command = [
        sys.executable,
        "-m",
        "streamlit",
        "run",
        str(script),
        "--server.port",
        str(port),
        "--server.headless",
        "true",
    ]
    server = subprocess.Popen(
        [*command, "--browser.gatherUsageStats", "false"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    address = f"http://localhost:{port}"
    for _ in range(100):
        try:
            urlopen(f"{address}/_stcore/health", timeout=1)
            return server, address
        except OSError:
            time.sleep(0.2)
    server.terminate()
    raise RuntimeError("the Streamlit server did not start")


def measure(browser, address: str, n: int, what: str) -> tuple[float, float, float]:
    """Frames per second, seconds from opening the page to the first picture, megabytes of heap after a collection."""
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    if what == "canvas":
        page.add_init_script(NO_WEBGL2)
    start = time.perf_counter()
    page.goto(f"{address}/?n={n}&what={what}")
    ready = ".updatemenu-button" if what == "baseline" else ".mtm-player[data-ready]"
    page.wait_for_selector(ready, timeout=180_000, state="attached")
    first = time.perf_counter() - start
    time.sleep(1)
    rate = page.evaluate(COUNT_ANIMATED if what == "baseline" else COUNT_PICTURES)
    session = page.context.new_cdp_session(page)
    session.send("HeapProfiler.collectGarbage")
    heap = page.evaluate("performance.memory.usedJSHeapSize") / 1e6
    page.close()
    return rate, first, heap


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--chromium", default="/usr/bin/chromium")
    parser.add_argument("--sizes", type=int, nargs="+", default=[2000, 10000])
    parser.add_argument("--what", nargs="+", default=["layer", "canvas", "baseline"])
    asked = parser.parse_args()
    if "baseline" in asked.what and importlib.util.find_spec("plotly") is None:
        print("plotly is not installed (pip install plotly): the baseline is left out")
        asked.what.remove("baseline")
    from playwright.sync_api import sync_playwright

    from mtm_viz.rendering.payload import encode

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server, address = serve(folder)
        flags = [*LAUNCH, "--enable-precise-memory-info"]
        browser = playwright.chromium.launch(executable_path=asked.chromium, args=flags)
        try:
            print(f"{'atoms':>6} {'way':>9} {'fps':>7} {'first s':>8} {'heap MB':>8} {'payload MB':>11}")
            for n in asked.sizes:
                size = len(encode(flowing_run(n))) / 1e6
                for what in asked.what:
                    rate, first, heap = measure(browser, address, n, what)
                    print(f"{n:>6} {what:>9} {rate:>7.1f} {first:>8.2f} {heap:>8.0f} {size:>11.2f}", flush=True)
        finally:
            browser.close()
            server.terminate()
            server.wait()


if __name__ == "__main__":
    main()
