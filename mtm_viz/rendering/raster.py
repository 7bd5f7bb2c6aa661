"""Frames as pictures: what stands still is painted once, atoms are pasted as sprites in depth order, the rest in between.

Layers from back to front, as in the player: page and ghosts behind the sphere, atoms behind it, the sphere, the running
gate's cap, lines, ghosts and atoms in front, panels.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from PIL import Image, ImageChops

from mtm_viz.rendering.camera import Camera
from mtm_viz.rendering.glyphs import LIFT
from mtm_viz.rendering.layout import lay_out
from mtm_viz.rendering.lines import cap_edge_shapes, glyph_shapes, graticule_shapes, label_shapes
from mtm_viz.rendering.options import Options
from mtm_viz.rendering.paint import Tile, lay, lifted, paint, segments, tiles
from mtm_viz.rendering.panels import Panels
from mtm_viz.rendering.paths import Eye
from mtm_viz.rendering.scene import Markers, Scene, seen_through
from mtm_viz.rendering.shading import CAP_FILL, THROUGH, Cap, Rays, cast, grained, rgb, shade
from mtm_viz.rendering.sprites import MOST_STEPS, PLACES, SIZE_STEP, Sprites
from mtm_viz.run import Run


@dataclass(frozen=True, eq=False)
class Ball:
    """The sphere from one distance, whatever the side: body with halo (RGBA) and its corner; how much of each pixel is
    sphere (L); the points seen first and second, at half the resolution, in the viewer's axes."""

    corner: tuple[int, int]
    body: Image.Image
    cover: Image.Image
    near: np.ndarray
    far: np.ndarray

    @classmethod
    def made(cls, rays: Rays, theme: dict[str, Any]) -> Ball:
        color, alpha = shade(rays, theme)
        whole = np.concatenate([grained(color), grained(255 * alpha)[..., None]], axis=-1)
        near, far = (np.ascontiguousarray(points[::2, ::2]) for points in (rays.near, rays.far))
        cover = Image.fromarray((255 * rays.cover).astype(np.uint8), "L")
        return cls(rays.box[:2], Image.fromarray(whole, "RGBA"), cover, near, far)

    @property
    def box(self) -> tuple[int, int, int, int]:
        return (*self.corner, self.corner[0] + self.body.width, self.corner[1] + self.body.height)

    def inside(self, a: np.ndarray, tau: float, front: bool, strength: float) -> Image.Image:
        """Where <a, x> > tau on one side of the sphere (a in the viewer's axes), `strength` strong, as a mask."""
        points = self.near if front else self.far
        inside = (points.reshape(-1, 3) @ a.astype(np.float32)).reshape(points.shape[:2]) > tau
        mask = Image.fromarray(inside.view(np.uint8) * np.uint8(round(255 * strength)), "L")
        # Its steps of two pixels lie under the edge line.
        whole = mask.resize((2 * mask.width, 2 * mask.height), Image.Resampling.NEAREST)
        return ImageChops.multiply(whole.crop((0, 0, *self.cover.size)), self.cover)


@dataclass(frozen=True, eq=False)
class Stills:
    """What one camera sees that never moves: ghosts behind, the sphere with its graticule, ghosts before."""

    behind: list[Tile]
    sphere: Image.Image
    before: list[Tile]


class Raster:
    """Pictures of one run. `walks`: the camera moves, so nothing is kept from frame to frame but the body's shading."""

    def __init__(
        self, run: Run, options: Options, size: tuple[int, int], parts: frozenset[str], walks: bool = False
    ) -> None:
        self.options, self.size, self.walks = options, size, walks
        self.theme = options.colors
        self.layout = lay_out(*size, parts, options.title)
        self.moments, self.note = seen_through(run, options.axes)
        self.scene = Scene(self.moments, self.theme, self.layout.unit, self.layout.parts)
        self.panels = Panels(self.moments, self.layout, self.theme, self.note)
        self._sprites = Sprites(self.scene.looks)
        self._balls: dict[float, Ball] = {}
        self._stills: tuple[Camera, Stills] | None = None

    def camera(self, eye: Eye) -> Camera:
        options, layout = self.options, self.layout
        return Camera.filling(eye, layout.centre, layout.radius(options.zoom), options.lens)

    def picture(self, at: float, eye: Eye) -> Image.Image:
        """The frame at display time `at`, seen from `eye`: RGB, or RGBA where the theme is transparent."""
        camera = self.camera(eye)
        if self.options.transparent:
            return lifted(self.size, lambda page: self._draw(page, at, camera))
        page = Image.new("RGB", self.size, rgb(self.theme["page"]))
        self._draw(page, at, camera)
        return page

    def _draw(self, page: Image.Image, at: float, camera: Camera) -> None:
        stills = None if self.walks else self._kept(camera)
        ball, unit = self._ball(camera), self.layout.unit
        glyphs, atoms = self.scene.glyphs(at), self.scene.atoms(at, camera)
        ghosts = self.scene.ghosts(camera) if stills is None else None

        def points(front: bool) -> None:
            if stills is None:
                assert ghosts is not None
                self._paste(page, ghosts.side(front))
            else:
                lay(page, stills.before if front else stills.behind)
            self._paste(page, atoms.side(front))

        def lines(front: bool) -> None:
            for cap in glyphs.caps:
                self._tint(page, cap, camera, front)
                paint(page, cap_edge_shapes(cap, camera, front, self.theme, unit))
            self._trails(page, at, camera, front)
            paint(page, glyph_shapes(glyphs, camera, front, unit))

        points(False)
        lines(False)
        if stills is None:
            self._sphere(page, camera)
        else:
            page.paste(stills.sphere, ball.corner, stills.sphere)
        lines(True)
        points(True)
        paint(page, label_shapes(glyphs, camera, unit, self.theme))
        lay(page, self._panels)
        paint(page, self.panels.moving(at))

    @cached_property
    def _panels(self) -> list[Tile]:
        shapes = self.panels.still()
        return tiles(lifted(self.size, lambda page: paint(page, shapes))) if shapes else []

    def _kept(self, camera: Camera) -> Stills:
        if self._stills is None or self._stills[0] != camera:
            ghosts = self.scene.ghosts(camera)
            behind, before = (
                tiles(lifted(self.size, lambda page, m=m: self._paste(page, m))) if len(m.xy) else []
                for m in (ghosts.side(False), ghosts.side(True))
            )
            box = self._ball(camera).box
            self._stills = (
                camera,
                Stills(behind, lifted(self.size, lambda page: self._sphere(page, camera), box), before),
            )
        return self._stills[1]

    def _ball(self, camera: Camera) -> Ball:
        key = round(camera.distance, 6)
        if key not in self._balls:
            self._balls = {key: Ball.made(cast(camera, *self.size), self.theme)}
        return self._balls[key]

    def _sphere(self, page: Image.Image, camera: Camera) -> None:
        ball = self._ball(camera)
        paint(page, graticule_shapes(camera, False, self.theme, self.layout.unit))
        page.paste(ball.body, ball.corner, ball.body)
        paint(page, graticule_shapes(camera, True, self.theme, self.layout.unit))

    def _paste(self, page: Image.Image, markers: Markers) -> None:
        """Sprites in the given order, each at a quarter of a pixel."""
        place = np.rint(markers.xy * PLACES).astype(int)
        pixel, part = place // PLACES, place % PLACES
        sizes = np.rint(markers.px / SIZE_STEP).astype(int)
        keys = ((markers.look * MOST_STEPS + np.minimum(sizes, MOST_STEPS - 1)) * PLACES + part[:, 0]) * PLACES + part[
            :, 1
        ]
        paste, sprites = page.im.paste, self._sprites
        for key, x, y in zip(keys.tolist(), pixel[:, 0].tolist(), pixel[:, 1].tolist(), strict=True):
            picture, mask, reach, extent = sprites[key]
            x -= reach
            y -= reach
            paste(picture, (x, y, x + extent, y + extent), mask)

    def _tint(self, page: Image.Image, cap: Cap, camera: Camera, front: bool) -> None:
        """The inside of an open gate, on one side of the sphere; see Ball.inside."""
        ball = self._ball(camera)
        mask = ball.inside(camera.axes @ cap.a, cap.tau, front, CAP_FILL * (1.0 if front else THROUGH))
        page.paste(rgb(cap.color), ball.corner, mask)

    def _trails(self, page: Image.Image, at: float, camera: Camera, front: bool) -> None:
        for near, far, i, strength in self.scene.trails(at):
            chosen = (camera.fronted(near) > 0) == front
            if chosen.any():
                ends = np.stack([camera.project(x[chosen] * LIFT)[0] for x in (near, far)], axis=1)
                color = self.theme["measures"][i % len(self.theme["measures"])]
                segments(page, ends, color, 2.0 * self.layout.unit, strength * (1 if front else 0.38))
