"""A run as a Plotly figure for a notebook: the sphere with a slider over display time, or W2 against layer time.

The app and the exported page use the player instead, which is faster and keeps its camera.
"""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from mtm_viz.errors import InputError
from mtm_viz.rendering.style import LIGHT
from mtm_viz.run import Run

#: Symbols that Plotly draws in three dimensions, in the player's order.
SYMBOLS = ("circle", "diamond", "square", "cross", "x")


def sphere_figure(run: Run, frames: int = 60) -> go.Figure:
    """Particles on the sphere at `frames` moments evenly spaced in display time, with a slider and a Play button.

    Above dimension 3 the first three coordinates are shown. Raises InputError for fewer than one frame.
    """
    if frames < 1:
        raise InputError(f"{frames} frames: give at least 1")
    chosen = np.searchsorted(run.display, np.linspace(0, 1, frames)).clip(max=len(run.times) - 1)
    figure = go.Figure(
        data=[*_sphere(), *_targets(run), *_particles(run, int(chosen[0]))],
        frames=[
            go.Frame(
                data=_particles(run, int(f)),
                name=str(k),
                traces=list(range(2 + len(run.names), 2 + 2 * len(run.names))),
            )
            for k, f in enumerate(chosen)
        ],
    )
    steps = [
        {
            "label": f"{run.times[f]:.3f}",
            "method": "animate",
            "args": [[str(k)], {"mode": "immediate", "frame": {"redraw": True, "duration": 0}}],
        }
        for k, f in enumerate(chosen)
    ]
    hidden = {"visible": False, "range": [-1.05, 1.05]}
    return figure.update_layout(
        scene={"xaxis": hidden, "yaxis": hidden, "zaxis": hidden, "aspectmode": "cube"},
        sliders=[{"steps": steps, "currentvalue": {"prefix": "layer time "}}],
        updatemenus=[
            {
                "type": "buttons",
                "buttons": [{"label": "Play", "method": "animate", "args": [None, {"frame": {"duration": 60}}]}],
            }
        ],
        paper_bgcolor=LIGHT["page"],
        font={"color": LIGHT["ink"]},
        margin={"l": 0, "r": 0, "t": 0, "b": 0},
    )


def w2_figure(run: Run) -> go.Figure:
    """W2 of every pair to its target, radians on a log scale, against layer time."""
    return go.Figure(
        data=[
            go.Scatter(x=run.times, y=np.maximum(curve, 1e-16), name=name, line={"color": _colour(i)})
            for i, (name, curve) in enumerate(zip(run.names, run.w2, strict=True))
        ]
    ).update_layout(
        xaxis={"title": {"text": "layer time"}},
        yaxis={"title": {"text": "W2 to the target (rad)"}, "type": "log", "exponentformat": "power"},
        plot_bgcolor=LIGHT["panel"],
        font={"color": LIGHT["ink"]},
    )


def _colour(i: int) -> str:
    return LIGHT["measures"][i % len(LIGHT["measures"])]


def _sphere() -> list[go.Surface | go.Scatter3d]:
    """A coarse ball a little smaller than the sphere, so that no marker sinks in it, and its graticule."""
    lon, lat = np.meshgrid(np.linspace(0, 2 * np.pi, 37), np.linspace(-np.pi / 2, np.pi / 2, 19))
    x, y, z = np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)
    shades = [[0, LIGHT["sphere_shadow"]], [1, LIGHT["sphere"]]]
    ball = go.Surface(
        x=0.97 * x, y=0.97 * y, z=0.97 * z, surfacecolor=z, colorscale=shades, showscale=False, hoverinfo="skip"
    )
    gap = np.full((1, x.shape[1]), np.nan)
    lines = [np.r_[part[::3], gap].T[::3].ravel() for part in (x, y, z)]
    return [
        ball,
        go.Scatter3d(
            x=lines[0],
            y=lines[1],
            z=lines[2],
            mode="lines",
            line={"color": LIGHT["graticule"], "width": 1},
            hoverinfo="skip",
            showlegend=False,
        ),
    ]


def _targets(run: Run) -> list[go.Scatter3d]:
    return [
        _cloud(points, {"size": 4, "color": _colour(i), "symbol": "circle-open", "opacity": 0.6}, f"{name}, target")
        for i, (name, points) in enumerate(zip(run.names, run.targets, strict=True))
    ]


def _particles(run: Run, frame: int) -> list[go.Scatter3d]:
    return [
        _cloud(trajectory[frame], {"size": 4, "color": _colour(i), "symbol": SYMBOLS[i % len(SYMBOLS)]}, name)
        for i, (name, trajectory) in enumerate(zip(run.names, run.trajectories, strict=True))
    ]


def _cloud(points: np.ndarray, marker: dict[str, object], name: str) -> go.Scatter3d:
    return go.Scatter3d(x=points[:, 0], y=points[:, 1], z=points[:, 2], mode="markers", marker=marker, name=name)
