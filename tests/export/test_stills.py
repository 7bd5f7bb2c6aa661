from __future__ import annotations

import re
import shutil
import subprocess
import xml.etree.ElementTree as ElementTree
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from mtm_viz.export import export
from mtm_viz.rendering.options import Options
from mtm_viz.rendering.raster import Raster
from tests.rendering.synthetic import synthetic_run

EVERYTHING = frozenset({"caption", "legend", "timeline", "curve", "targets", "segment", "trails"})
TITLE = "Ωμέγα <&> “quotes” — Žluťoučký ∫ x²"
SVG = "{http://www.w3.org/2000/svg}"


def test_a_png_is_the_frame_at_the_moment_asked_for(run, tmp_path):
    for at in (0.0, 1.0):
        export(run, tmp_path / f"{at}.png", Options(size=(321, 201), at=at, title=TITLE))
    with Image.open(tmp_path / "0.0.png") as first, Image.open(tmp_path / "1.0.png") as last:
        assert first.size == (321, 201) and first.mode == "RGB"
        assert first.text["Title"] == TITLE
        assert np.abs(np.asarray(first, int) - np.asarray(last, int)).max() > 50


@pytest.mark.parametrize("theme", ["light", "dark", "transparent", "transparent-dark"])
@pytest.mark.parametrize("suffix", [".svg", ".pdf", ".png"])
def test_every_theme_with_every_part_in_every_format(run, tmp_path, suffix, theme):
    path = tmp_path / f"still{suffix}"
    export(run, path, Options(size=(600, 400), at=0.5, theme=theme, show=EVERYTHING, title=TITLE))
    assert path.stat().st_size > 5_000


def test_an_svg_is_whole_says_what_it_shows_and_carries_its_fonts(run, tmp_path):
    export(run, tmp_path / "still.svg", Options(show=EVERYTHING, title=TITLE, at=0.4))
    text = (tmp_path / "still.svg").read_text(encoding="utf-8")
    root = ElementTree.fromstring(text)
    assert root.find(f"{SVG}title").text == TITLE
    assert "layer time" in root.find(f"{SVG}desc").text
    uses = root.findall(f"{SVG}use")
    assert len(uses) == 2 * 3 * 12, "one marker an atom, one a target"
    assert "@font-face" in text and not re.search(r"(href|src)=.?https?:", text)
    assert TITLE in [element.text for element in root.iter(f"{SVG}text")]


def test_the_markers_of_an_svg_stand_where_the_camera_puts_them(run, tmp_path):
    options = Options(size=(800, 600), at=0.5, show=frozenset())
    export(run, tmp_path / "still.svg", options)
    root = ElementTree.fromstring((tmp_path / "still.svg").read_text(encoding="utf-8"))
    places = [
        re.match(r"translate\(([-\d.]+) ([-\d.]+)\)", u.get("transform")).groups() for u in root.findall(f"{SVG}use")
    ]
    raster = Raster(run, options, (800, 600), frozenset())
    camera = raster.camera((0.86, 1.1, 0.6))
    expected = raster.scene.atoms(0.5, camera)
    both = np.concatenate([expected.side(False).xy, expected.side(True).xy])
    np.testing.assert_allclose(np.array(places, float), both, atol=0.006)


def test_a_pdf_opens_and_its_fonts_are_inside(run, tmp_path):
    if shutil.which("pdftoppm") is None:
        pytest.skip("no pdftoppm was found: install the package poppler-utils")
    path = tmp_path / "still.pdf"
    export(run, path, Options(show=EVERYTHING, title=TITLE, at=0.4))
    fonts = subprocess.run(["pdffonts", path], capture_output=True, text=True, check=True).stdout
    assert fonts.count("TrueType") == 3 and fonts.count("yes yes yes") == 3
    text = subprocess.run(["pdftotext", path, "-"], capture_output=True, text=True, check=True).stdout
    assert TITLE in text and "layer time" in text
    subprocess.run(["pdftoppm", "-r", "60", "-png", path, tmp_path / "page"], check=True)
    with Image.open(next(tmp_path.glob("page*.png"))) as page:
        assert page.size == (390, 293)
        assert len(page.convert("RGB").getcolors(100_000)) > 1000


def test_a_pdfs_table_of_objects_is_right(run, tmp_path):
    export(run, tmp_path / "still.pdf", Options())
    content = (tmp_path / "still.pdf").read_bytes()
    table = int(content.rsplit(b"startxref\n", 1)[1].split()[0])
    assert content[table:].startswith(b"xref\n0 ")
    places = re.findall(rb"(\d{10}) 00000 n ", content[table:])
    for number, place in enumerate(places, start=1):
        assert content[int(place) :].startswith(b"%d 0 obj\n" % number)


@pytest.mark.parametrize("suffix", [".svg", ".pdf"])
def test_five_thousand_points_are_less_than_two_megabytes(tmp_path, suffix):
    crowd = synthetic_run(1, 1)
    rng = np.random.default_rng(0)
    points = rng.standard_normal((5000, 3))
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    weights = (np.full(5000, 1 / 5000),)
    frames = np.repeat(points[None], len(crowd.times), axis=0)
    crowd = replace(crowd, trajectories=(frames,), weights=weights, targets=(points,), target_weights=weights)
    export(crowd, tmp_path / f"still{suffix}", Options())
    assert (tmp_path / f"still{suffix}").stat().st_size < 2_000_000


def test_the_same_still_twice_is_the_same_file(run, tmp_path):
    for suffix in (".svg", ".pdf", ".png"):
        for name in "ab":
            export(run, tmp_path / f"{name}{suffix}", Options(size=(300, 200)))
        assert (tmp_path / f"a{suffix}").read_bytes() == (tmp_path / f"b{suffix}").read_bytes()


@pytest.mark.parametrize("suffix", [".svg", ".pdf", ".png"])
def test_above_dimension_three_the_projection_is_said(in_five_dimensions, tmp_path, suffix):
    notes = export(in_five_dimensions, tmp_path / f"a{suffix}", Options(size=(400, 300)))
    assert notes == ["the picture shows S⁴ seen through coordinates 1, 2, 3"]
    notes = export(in_five_dimensions, tmp_path / f"b{suffix}", Options(size=(400, 300), axes="spread"))
    assert notes == ["the picture shows S⁴ seen through the three directions of largest spread"]


def test_letters_that_no_font_draws_are_named(run, tmp_path):
    notes = export(run, tmp_path / "still.png", Options(size=(400, 300), title="ok \U000f0123"))
    assert notes == ["no font on this machine draws \U000f0123: install one that does, such as Noto"]
