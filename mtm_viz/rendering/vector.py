"""A still as a list of vector items from back to front, for SVG and PDF: the same scene, panels and order as in pixels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from mtm_viz.rendering.camera import Camera
from mtm_viz.rendering.film import Film
from mtm_viz.rendering.glyphs import LIFT, cap_circle
from mtm_viz.rendering.lines import cap_edge_shapes, glyph_shapes, graticule_shapes, label_shapes
from mtm_viz.rendering.raster import Raster
from mtm_viz.rendering.scene import Markers
from mtm_viz.rendering.shading import BODY_ALPHA, CAP_FILL, GLOW, HALO, LIGHT, THROUGH, Cap, rgb, smooth
from mtm_viz.rendering.shapes import Box, Path, Shape, outline
from mtm_viz.rendering.sprites import Look

#: (offset 0..1, colour #rrggbb, opacity)
Stop = tuple[float, str, float]


@dataclass(frozen=True)
class Disc:
    """A disc filled by a radial gradient with a centre of its own; `hole`: only outside this radius."""

    x: float
    y: float
    radius: float
    at: tuple[float, float, float]
    stops: tuple[Stop, ...]
    hole: float = 0.0


@dataclass(frozen=True, eq=False)
class Marks:
    """Markers in order: xy (n, 2), half-diameters (n,), index of the look (n,)."""

    xy: np.ndarray
    half: np.ndarray
    look: np.ndarray


Item = Shape | Disc | Marks


@dataclass(frozen=True, eq=False)
class Drawing:
    """width x height units; looks: how marks look; title and description for readers that cannot see."""

    width: int
    height: int
    looks: list[Look]
    items: list[Item]
    title: str
    description: str


def compose(made: Film) -> Drawing:
    """The drawing of a film's only frame."""
    raster = made.raster()
    at, camera = float(made.at[0]), raster.camera(made.eyes[0])
    theme, unit = raster.theme, raster.layout.unit
    glyphs, atoms, ghosts = raster.scene.glyphs(at), raster.scene.atoms(at, camera), raster.scene.ghosts(camera)
    items: list[Item] = []
    if not made.options.transparent:
        items.append(Box(0, 0, made.size[0], made.size[1], theme["page"]))
    items.append(_halo(camera, theme))
    for front in (False, True):
        if front:
            items += graticule_shapes(camera, False, theme, unit)
            items += _body(camera, theme)
            items += graticule_shapes(camera, True, theme, unit)
        else:
            items += [_marks(ghosts.side(False)), _marks(atoms.side(False))]
        for cap in glyphs.caps:
            items += _cap(cap, camera, front)
            items += cap_edge_shapes(cap, camera, front, theme, unit)
        items += _trails(raster, at, camera, front)
        items += glyph_shapes(glyphs, camera, front, unit)
    items += [_marks(ghosts.side(True)), _marks(atoms.side(True))]
    items += label_shapes(glyphs, camera, unit, theme)
    items += raster.panels.still() + raster.panels.moving(at)
    title = made.options.title or ", ".join(made.run.names)
    about = f"Measures on the sphere at layer time {raster.moments.layer_time(at):.4f}. {raster.note}".strip()
    return Drawing(*made.size, raster.scene.looks, items, title, about)


def _marks(markers: Markers) -> Marks:
    return Marks(markers.xy, markers.px / 2, markers.look)


def _body(camera: Camera, theme: dict[str, Any]) -> list[Item]:
    """The shaded ball: light from the upper left, a darker rim, a gleam; profiles of shading.shade as gradients."""
    (x, y), r = camera.centre, camera.radius
    solid = BODY_ALPHA[theme["dark"]]
    lx, ly = float(LIGHT[0]), float(-LIGHT[1])
    off = float(np.hypot(lx, ly))
    # Along the diameter through the light's foot: brightness against the distance from that foot.
    reach = 1 + off
    s = np.linspace(0, reach, 16)
    place = np.clip(off - s, -1, 1)
    lit = place * off + np.sqrt(np.maximum(0, 1 - place**2)) * float(LIGHT[2])
    mix = smooth(0.08, 0.86, lit * 0.5 + 0.5)
    light = tuple((k / 15, _mixed(theme["sphere_shadow"], theme["sphere"], float(m)), solid) for k, m in enumerate(mix))
    rho = np.array([0.0, 0.5, 0.7, 0.8, 0.87, 0.92, 0.95, 0.97, 0.985, 1.0])
    away = 1 - np.sqrt(1 - rho**2)
    rim = tuple((float(p), theme["sphere_rim"], float(a)) for p, a in zip(rho, away**3.5 * 0.75, strict=True))
    half = LIGHT + np.array([0, 0, 1.0])
    half = half / np.linalg.norm(half)
    s = np.linspace(0, 0.5, 8)
    gleam = tuple((float(t / 0.5), "#ffffff", float(0.10 * max(0.0, np.cos(2 * np.arcsin(t))) ** 26)) for t in s)
    return [
        Disc(x, y, r, (x + lx * r, y + ly * r, reach * r), light),
        Disc(x, y, r, (x, y, r), rim),
        Disc(x + half[0] * r, y - half[1] * r, 0.5 * r, (x + half[0] * r, y - half[1] * r, 0.5 * r), gleam),
    ]


def _halo(camera: Camera, theme: dict[str, Any]) -> Disc:
    (x, y), r = camera.centre, camera.radius
    s = np.linspace(0, 1, 9)
    stops = [(0.0, theme["sphere_rim"], 0.0), (1 / HALO - 1e-4, theme["sphere_rim"], 0.0)]
    stops += [((1 + (HALO - 1) * t) / HALO, theme["sphere_rim"], float((1 - t) ** 4 * GLOW[theme["dark"]])) for t in s]
    return Disc(x, y, HALO * r, (x, y, HALO * r), tuple(stops), r)


def _mixed(a: str, b: str, share: float) -> str:
    mixed = np.rint(np.array(rgb(a)) * (1 - share) + np.array(rgb(b)) * share).astype(int)
    return "#{:02x}{:02x}{:02x}".format(*mixed)


def _cap(cap: Cap, camera: Camera, front: bool) -> list[Item]:
    """The tint of an open gate on one side of the sphere."""
    alpha = CAP_FILL * (1 if front else THROUGH)
    return [Path(points, cap.color, 0, alpha) for points in cap_polygon(cap, camera, front)]


def cap_polygon(cap: Cap, camera: Camera, front: bool) -> list[np.ndarray]:
    """What one side of the sphere shows of a cap: bounded by its circle there and by the limb within it. At most one polygon."""
    circle = cap_circle(cap.a, cap.tau, 240)[:-1]
    # The limb: where the viewer's ray touches the sphere.
    limb = cap_circle(camera.axes[2], 0.0 if camera.lens == "orthographic" else 1 / camera.distance, 240)[:-1]
    here = (camera.fronted(circle) > 0) == front
    within = limb @ cap.a > cap.tau
    if here.all():
        edge, _ = camera.project(circle)
        if not within.any():
            return [edge]
        around, _ = camera.project(limb)
        # The limb with the circle cut out: there and back along one line.
        return [np.concatenate([around, around[:1], edge[::-1], edge[-1:], around[:1]])]
    if not here.any():
        return [camera.project(limb)[0]] if within.all() else []
    edge, _ = camera.project(_rolled(circle, here))
    around, _ = camera.project(_rolled(limb, within))
    if len(around) and np.linalg.norm(around[0] - edge[-1]) > np.linalg.norm(around[-1] - edge[-1]):
        around = around[::-1]
    return [np.concatenate([edge, around])]


def _rolled(closed: np.ndarray, chosen: np.ndarray) -> np.ndarray:
    """The chosen points of a closed curve, in order, starting where the choice starts."""
    start = int(np.flatnonzero(chosen & ~np.roll(chosen, 1))[0]) if chosen.any() and not chosen.all() else 0
    return np.roll(closed, -start, axis=0)[np.roll(chosen, -start)]


def _trails(raster: Raster, at: float, camera: Camera, front: bool) -> list[Item]:
    items: list[Item] = []
    colors = raster.theme["measures"]
    for near, far, i, strength in raster.scene.trails(at):
        chosen = (camera.fronted(near) > 0) == front
        ends = np.stack([camera.project(x[chosen] * LIFT)[0] for x in (near, far)], axis=1)
        alpha = strength * (1 if front else 0.38)
        items += [Path(pair, colors[i % len(colors)], 2.0 * raster.layout.unit, alpha) for pair in ends]
    return items


def polygons(look: Look, half: float) -> list[tuple[np.ndarray, tuple[int, int, int]]]:
    """A solid marker in half-diameters: its border in the outline's colour, then its inside, a rim smaller."""
    return [(outline(look.symbol), look.outline), (outline(look.symbol, look.rim / max(half, 1e-6)), look.color)]
