"""How large a file will be and how long it will take, before it is made: fitted to benchmarks/export.py on two cores."""

from __future__ import annotations

from dataclasses import dataclass

from mtm_viz.export._table import kept_frames
from mtm_viz.export.safetensors import default_layers
from mtm_viz.rendering.film import film
from mtm_viz.rendering.options import Options
from mtm_viz.run import Run

FILMS = {".mp4": ((1920, 1080), 30.0, None), ".webm": ((1920, 1080), 30.0, None), ".gif": ((600, 600), 12.5, 120),
         ".png.zip": ((1920, 1080), 30.0, 120)}  # fmt: skip
#: Bytes a frame: by pixel, and by atom that moves.
WEIGHT = {".mp4": (0.0035, 6.0), ".webm": (0.005, 8.0), ".gif": (0.03, 8.0), ".png.zip": (0.35, 40.0)}
#: Microseconds a frame: by pixel, and by atom.
WORK = {".mp4": (0.028, 7.0), ".webm": (0.045, 7.0), ".gif": (0.05, 7.0), ".png.zip": (0.12, 7.0)}


@dataclass(frozen=True)
class Estimate:
    """Bytes, seconds, and of a film its frames and the seconds it lasts (0 for other files)."""

    size: float
    seconds: float
    frames: int = 0
    lasts: float = 0.0


def estimate(run: Run, suffix: str, options: Options) -> Estimate:
    """Right to a factor of about two; the contents of a film decide the rest."""
    atoms = sum(x.shape[1] for x in run.trajectories)
    d, width = run.schedule.dimension, run.schedule.width
    segments = len(run.schedule)
    if suffix in FILMS:
        size, fps, frames = FILMS[suffix]
        made = film(run, options, size=size, fps=fps, frames=frames)
        pixels, count = made.size[0] * made.size[1], len(made)
        still = 0.25 * pixels  # the first frame
        by_pixel, by_atom = WEIGHT[suffix]
        turning = 2.0 if made.walks else 1.0
        bytes_of = still + count * (by_pixel * pixels + by_atom * min(atoms, pixels / 40)) * turning
        slow, each = WORK[suffix]
        work = 0.6 + count * (slow * pixels * turning + each * atoms) * 1e-6
        if options.most_bytes is not None:
            bytes_of = min(bytes_of, options.most_bytes)
        return Estimate(bytes_of, work, count, count / made.fps)
    if suffix in (".csv", ".parquet", ".trajectories.npz"):
        rows = atoms * len(kept_frames(run, options))
        row = {".csv": 40 + 19 * (d + 1), ".parquet": 3 * d, ".trajectories.npz": 3 * d}[suffix]
        return Estimate(rows * row, 0.1 + rows * 4e-7)
    if suffix == ".safetensors":
        layers = options.layers or default_layers(run)
        return Estimate(8 * layers * (2 * d * d + 2 * d * width + width), 0.5 + layers * 3e-4)
    theta = segments * (2 * d * d + 2 * d * width + width)
    sizes = {
        ".json": 20 * theta, ".npz": 2 * theta + 2000, ".tex": 110 * segments + 800, ".md": 1500, ".summary.json": 5000,
        ".png": 500_000, ".svg": 60_000 + 140 * atoms, ".pdf": 45_000 + 25 * atoms,
        ".html": 1_900_000 + 0.5 * atoms * len(run.times) * d,
        ".zip": 600_000 + 3 * atoms * len(run.times) * d,
    }  # fmt: skip
    return Estimate(sizes.get(suffix, 10_000), 1.0 if suffix in (".png", ".svg", ".pdf", ".zip", ".html") else 0.1)
