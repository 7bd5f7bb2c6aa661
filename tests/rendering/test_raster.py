from __future__ import annotations

import io
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from mtm_viz.export import writer
from mtm_viz.rendering.camera import HOME
from mtm_viz.rendering.layout import PARTS, lay_out
from mtm_viz.rendering.lettering import fitted, lines_of, undrawable, width_of
from mtm_viz.rendering.lines import runs_of
from mtm_viz.rendering.options import THEMES, Options
from mtm_viz.rendering.paint import lifted, paint
from mtm_viz.rendering.raster import Raster
from mtm_viz.rendering.scene import Markers
from mtm_viz.rendering.shading import rgb
from mtm_viz.rendering.shapes import Box, outline
from mtm_viz.rendering.sprites import MOST_STEPS, PLACES, SHAPES, SIZE_STEP, Look, Sprites
from mtm_viz.rendering.style import LIGHT, SYMBOLS
from tests.rendering.synthetic import synthetic_run

ALL = frozenset(PARTS)


@pytest.fixture(scope="module")
def run():
    return synthetic_run(8)


def pixels(picture):
    return np.asarray(picture).astype(int)


def test_every_symbol_has_its_outline_where_its_distance_is_zero():
    for symbol in SYMBOLS:
        for inset in (0.0, 0.1):
            points = outline(symbol, inset)
            distance = SHAPES[symbol](points[:, 0], -points[:, 1])
            # Corners lie on the outline; an inset one keeps its distance along the sides.
            assert np.abs(distance).max() < 0.03 if inset == 0 else (distance < 0.01).all(), symbol


def test_a_sprite_is_centred_where_it_is_placed():
    sprites = Sprites([Look("circle", (10, 20, 30), (255, 255, 255))])
    for x in range(PLACES):
        _, mask, reach, extent = sprites[(MOST_STEPS * 0 + round(12 / SIZE_STEP)) * PLACES * PLACES + x * PLACES + 2]
        weights = np.asarray(Image.Image()._new(mask)).astype(float)
        assert weights.shape == (extent, extent)
        at = (weights.sum(axis=0) @ (np.arange(extent) + 0.5)) / weights.sum() - reach
        assert at == pytest.approx(x / PLACES, abs=0.02)


def test_atoms_wear_their_measures_colours_in_front_and_are_dim_behind(run):
    raster = Raster(run, Options(show=frozenset()), (900, 900), frozenset())
    picture, camera = pixels(raster.picture(1.0, HOME)), raster.camera(HOME)
    atoms = raster.scene.atoms(1.0, camera)
    apart = np.linalg.norm(atoms.xy[:, None] - atoms.xy[None], axis=-1) + 1e3 * np.eye(len(atoms.xy))
    # Apart from others, and from the limb, beyond which markers float a hair above the surface.
    alone = (apart.min(axis=1) > 25) & (np.linalg.norm(atoms.xy - camera.centre, axis=1) < 0.93 * camera.radius)
    atoms = Markers(atoms.xy[alone], atoms.px[alone], atoms.look[alone], atoms.front[alone])
    assert len(atoms.side(True).xy) > 2 and len(atoms.side(False).xy) > 2, "there is something to look at"
    for side, strongest in ((True, 60), (False, 400)):
        chosen = atoms.side(side)
        for (x, y), look in zip(chosen.xy.astype(int).tolist(), chosen.look.tolist(), strict=True):
            color = np.array(rgb(LIGHT["measures"][look]))
            near = picture[max(0, y - 2) : y + 3, max(0, x - 2) : x + 3].reshape(-1, 3)
            distance = np.abs(near - color).sum(axis=1).min()
            if side:
                assert distance < strongest
            else:
                assert 40 < distance < strongest, "seen through the body"


def test_of_two_atoms_in_one_line_of_sight_the_nearer_covers(run):
    rows = synthetic_run(1, 2)
    toward = np.array(HOME) / np.linalg.norm(HOME)
    side = np.cross(toward, [0, 0, 1.0])
    aside = np.cos(0.02) * toward + np.sin(0.02) * side / np.linalg.norm(side)
    for order in ((toward, aside), (aside, toward)):
        frames = tuple(np.repeat(x[None, None], len(rows.times), axis=0) for x in order)
        raster = Raster(replace(rows, trajectories=frames), Options(), (600, 600), frozenset())
        markers = raster.scene.atoms(0.0, raster.camera(HOME))
        assert markers.look[-1] == next(k for k, x in enumerate(order) if x is toward)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("size", [(16, 16), (61, 200), (200, 61), (640, 480), (480, 640), (300, 300)])
def test_every_size_and_theme_with_every_part(run, size, theme):
    raster = Raster(
        run, Options(theme=theme, title="A title that is far too long for a picture of this size, certainly"), size, ALL
    )
    picture = raster.picture(0.55, HOME)
    assert picture.size == size and picture.mode == ("RGBA" if "transparent" in theme else "RGB")


def test_what_is_painted_on_nothing_looks_the_same_on_every_page(run):
    size = (320, 240)
    clear = Raster(run, Options(theme="transparent"), size, ALL).picture(0.4, HOME)
    solid = pixels(Raster(run, Options(), size, ALL).picture(0.4, HOME))
    page = Image.new("RGB", size, rgb(LIGHT["page"]))
    page.paste(clear, (0, 0), clear)
    assert np.abs(pixels(page) - solid).max() <= 6
    assert clear.getpixel((1, 1))[3] == 0


def test_a_walking_camera_and_a_standing_one_see_the_same(run):
    size = (320, 240)
    standing, walking = (Raster(run, Options(), size, ALL, walks=w).picture(0.4, HOME) for w in (False, True))
    assert np.abs(pixels(standing) - pixels(walking)).max() <= 6


def test_lifting_gives_back_colour_and_opacity():
    layer = lifted((40, 20), lambda page: paint(page, [Box(5, 5, 20, 10, "#204060", 0.5)]))
    assert layer.getpixel((15, 10)) == pytest.approx((0x20, 0x40, 0x60, 128), abs=3)
    assert layer.getpixel((2, 2))[3] == 0


def test_a_layout_keeps_its_parts_apart_and_inside():
    for size in ((1920, 1080), (600, 600), (1080, 1920), (240, 240), (8192, 400)):
        layout = lay_out(*size, ALL, "title")
        for frame in (layout.stage, layout.timeline, layout.curve):
            assert frame is None or (frame.w > 0 and frame.h > 0 and frame.x >= 0 and frame.x + frame.w <= size[0] + 1)
        if layout.timeline and layout.curve:
            assert layout.curve.y + layout.curve.h <= layout.timeline.y
    assert lay_out(100, 100, ALL).timeline is None, "no words in a thumbnail"


def test_lines_of_text_fit_their_room():
    text = "Gates open one after another: the atoms inside slide to their places, all others rest."
    lines = lines_of(text, 14, 180, 3)
    assert len(lines) == 3 and all(width_of(line, 14) <= 180 for line in lines)
    assert fitted(text, 14, 60).endswith("…") and fitted("a", 14, 1) == ""
    assert undrawable("Ωμέγα ≤ ⁻⁹ ₂ Žluť") == ""


def test_runs_of_truths():
    assert runs_of(np.array([False, False])) == []


def test_two_hundred_thousand_particles_are_drawn(run):
    n = 200_000
    rng = np.random.default_rng(0)
    points = rng.standard_normal((n, 3))
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    weights = np.full(n, 1 / n)
    small = synthetic_run(1, 1)
    frames = np.broadcast_to(points, (len(small.times), n, 3))
    crowd = replace(
        small, trajectories=(frames,), weights=(weights,), targets=(points[:5],), target_weights=(np.full(5, 0.2),)
    )
    began = time.perf_counter()
    out = io.BytesIO()
    writer(Path("x.png"))(crowd, out, Options(size=(640, 480), show=frozenset()))
    assert Image.open(out).size == (640, 480)
    assert time.perf_counter() - began < 20
