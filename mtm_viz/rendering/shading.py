"""The sphere itself: body, rim, graticule, caps and halo, pixel by pixel, as the player's fragment shader paints them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from mtm_viz.rendering.camera import Camera

#: The halo ends at this many radii; the light stands at the viewer's upper left.
HALO = 1.26
LIGHT = np.array([-0.45, 0.62, 0.64]) / np.linalg.norm([-0.45, 0.62, 0.64])
#: How solid the body is and how strong the halo, in the light theme and in the dark.
BODY_ALPHA = {False: 0.72, True: 0.74}
GLOW = {False: 0.16, True: 0.34}
#: Strength of graticule lines, and of what is seen through the body.
GRATICULE, THROUGH = 0.42, 0.55
#: A gate's cap: its tint and its edge.
CAP_FILL, CAP_EDGE = 0.22, 0.9
Color = tuple[int, int, int]


def rgb(color: str) -> Color:
    """#rrggbb as three bytes."""
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)


def smooth(low: float, high: float, x: np.ndarray) -> np.ndarray:
    """GLSL's smoothstep."""
    t = np.clip((x - low) / (high - low), 0, 1)
    return t * t * (3 - 2 * t)


@dataclass(frozen=True, eq=False)
class Cap:
    """An open gate as shown: {<a, x> > tau} on the 2-sphere."""

    a: np.ndarray
    tau: float
    color: str


@dataclass(frozen=True, eq=False)
class Rays:
    """Where the ray of every pixel of a box meets the sphere, in the viewer's axes (right, up, toward the viewer).

    These stay the same while the viewer walks round the sphere, and so does all that is computed from them.
    box (left, top, width, height); near, far (h, w, 3): first and second meeting; miss (h, w): distance of the ray from
    the centre; facing (h, w): cosine between the normal at `near` and the ray; pixel: a pixel's size in radii.
    """

    box: tuple[int, int, int, int]
    near: np.ndarray
    far: np.ndarray
    miss: np.ndarray
    facing: np.ndarray
    pixel: float

    @property
    def cover(self) -> np.ndarray:
        """How much of each pixel the sphere covers."""
        return np.clip((1 - self.miss) / self.pixel + 0.5, 0, 1)


def cast(camera: Camera, width: int, height: int) -> Rays:
    """Rays through all pixels of the picture that the sphere or its halo reaches."""
    x0, y0 = camera.centre
    r = camera.radius * HALO + 2
    left, top = max(0, int(x0 - r)), max(0, int(y0 - r))
    right, bottom = max(left + 1, min(width, int(x0 + r) + 2)), max(top + 1, min(height, int(y0 + r) + 2))
    # The plane through the centre is seen at focal / distance pixels a radius.
    scale = np.float32(camera.distance / camera.focal)
    across, up = np.meshgrid(
        (np.arange(left, right, dtype=np.float32) + np.float32(0.5 - x0)) * scale,
        -(np.arange(top, bottom, dtype=np.float32) + np.float32(0.5 - y0)) * scale,
    )
    far = np.float32(camera.distance)
    if camera.lens == "orthographic":
        start = np.stack([across, up, np.full_like(across, far)], axis=-1)
        ray = np.zeros_like(start)
        ray[..., 2] = -1
    else:
        start = np.zeros((*across.shape, 3), dtype=np.float32)
        start[..., 2] = far
        ray = np.stack([across, up, np.full_like(across, -far)], axis=-1)
        ray /= np.linalg.norm(ray, axis=-1, keepdims=True)
    along = -(start * ray).sum(axis=-1)
    miss = np.linalg.norm(start + ray * along[..., None], axis=-1)
    half = np.sqrt(np.maximum(1 - miss**2, 0))
    near = start + ray * (along - half)[..., None]
    back = start + ray * (along + half)[..., None]
    near /= np.maximum(np.linalg.norm(near, axis=-1, keepdims=True), 1e-9)
    back /= np.maximum(np.linalg.norm(back, axis=-1, keepdims=True), 1e-9)
    facing = np.clip(-(near * ray).sum(axis=-1), 0, 1)
    return Rays((left, top, right - left, bottom - top), near, back, miss, facing, 1 / camera.radius)


def shade(rays: Rays, theme: dict[str, Any]) -> tuple[np.ndarray, np.ndarray]:
    """The body of the sphere and its halo: colours (h, w, 3) in 0..255 and opacity (h, w) in 0..1, lines apart."""
    facing, cover = rays.facing, rays.cover
    light = np.array(LIGHT, np.float32)
    sphere, shadow, rim = (
        np.array(rgb(theme[name]), np.float32) / 255 for name in ("sphere", "sphere_shadow", "sphere_rim")
    )
    lit = rays.near @ light
    mix = smooth(0.08, 0.86, lit * 0.5 + 0.5)[..., None]
    body = shadow * (1 - mix) + sphere * mix
    share = ((1 - facing) ** 3.5 * 0.75)[..., None]
    body = body * (1 - share) + rim * share
    # The surface gleams where reflected light meets the viewer's ray.
    mirrored = 2 * lit * rays.near[..., 2] - light[2]
    body = np.clip(body + (np.maximum(mirrored, 0) ** 26 * 0.10)[..., None], 0, 1)
    solid = BODY_ALPHA[theme["dark"]]
    alpha = (solid + (1 - solid) * (1 - facing) ** 4) * cover
    away = np.clip((rays.miss - 1) / (HALO - 1), 0, 1)
    halo = (1 - away) ** 4 * GLOW[theme["dark"]] * (1 - cover)
    # Body over halo, premultiplied, then divided out again.
    whole = alpha + halo * (1 - alpha)
    color = body * alpha[..., None] + rim * (halo * (1 - alpha))[..., None]
    return 255 * color / np.maximum(whole, 1e-6)[..., None], whole


def grained(values: np.ndarray) -> np.ndarray:
    """0..255 as bytes, rounded with a fixed grain that hides the steps of slow gradients."""
    grain = np.random.default_rng(0).random(values.shape, dtype=np.float32)
    return np.clip(np.floor(values + grain), 0, 255).astype(np.uint8)


def graticule_lines() -> list[tuple[np.ndarray, np.ndarray, float]]:
    """Meridians every 30 degrees, parallels at 30 and 60, the equator: points (n, 3), strength a piece, width in CSS pixels."""
    turn = np.linspace(0, 2 * np.pi, 121)
    zero = np.zeros_like(turn)
    lines = []
    for k in range(6):
        a = k * np.pi / 6
        points = np.stack([np.cos(turn) * np.cos(a), np.cos(turn) * np.sin(a), np.sin(turn)], axis=1)
        middle = np.abs(np.sin((turn[1:] + turn[:-1]) / 2))
        lines.append((points, 0.75 * smooth(0.995, 0.93, middle), 1.0))
    for z in (0.5, -0.5, 0.8660254, -0.8660254, 0.0):
        r = np.sqrt(1 - z * z)
        points = np.stack([r * np.cos(turn), r * np.sin(turn), zero + z], axis=1)
        strength, width = (1.0, 1.6) if z == 0 else (0.75, 1.0)
        lines.append((points, np.full(len(turn) - 1, strength), width))
    return lines
