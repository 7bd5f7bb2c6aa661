"""Ink becomes mass: where it lies, how much of it, and pictures made to harm."""

from __future__ import annotations

import io
import struct
import time
import zlib

import numpy as np
import pytest
from PIL import Image, PngImagePlugin

from mtm_viz.errors import InputError
from mtm_viz.measures.readers import measure_from_bytes
from mtm_viz.sphere import angle


def png(array, **kw) -> bytes:
    stream = io.BytesIO()
    Image.fromarray(np.asarray(array)).save(stream, "PNG", **kw)
    return stream.getvalue()


def paper(rows=40, columns=40):
    return np.full((rows, columns), 255, np.uint8)


def header_of(width: int, height: int) -> bytes:
    """A whole PNG that promises this size and holds next to nothing."""
    chunks = (
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)),
        (b"IDAT", zlib.compress(bytes(99))),
        (b"IEND", b""),
    )
    said = (
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body)) for kind, body in chunks
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(said)


def test_a_patch_is_upright_and_reads_from_outside():
    """A dot at the upper right of a patch about (1, 0, 0) lies to the north and to the east (toward +y)."""
    picture = paper()
    picture[2:6, 34:38] = 0
    points = measure_from_bytes("a.png", png(picture), {"n": 50}).points
    assert (points[:, 1] > 0.2).all() and (points[:, 2] > 0.2).all() and (points[:, 0] > 0.5).all()


def test_size_and_centre_place_the_patch():
    black = np.zeros((30, 60), np.uint8)
    points = measure_from_bytes("a.png", png(black), {"n": 2000, "size_deg": 40, "center": [0, 1, 0]}).points
    east = np.rad2deg(np.arctan2(-points[:, 0], points[:, 1]))
    np.testing.assert_allclose([east.min(), east.max()], [-20, 20], atol=0.6)
    np.testing.assert_allclose(np.rad2deg(np.arcsin(points[:, 2])).max(), 10, atol=0.4)


def test_a_black_world_is_uniform_and_does_not_crowd_the_poles():
    points = measure_from_bytes("a.png", png(np.zeros((64, 128), np.uint8)), {"n": 20_000, "placement": "world"}).points
    # z is uniform on [-1, 1] by Archimedes; longitude is uniform.
    counts = np.histogram(points[:, 2], bins=20, range=(-1, 1))[0]
    np.testing.assert_allclose(counts, 1000, rtol=0.03)
    np.testing.assert_allclose(np.histogram(np.arctan2(points[:, 1], points[:, 0]), bins=16)[0], 1250, rtol=0.05)


def test_a_black_patch_is_uniform_in_area():
    """On a patch 160 degrees wide the share within r of the middle is that of the cap: (1 - cos r) over the whole."""
    picture = np.full((400, 400), 255, np.uint8)
    yy, xx = np.mgrid[:400, :400] + 0.5 - 200
    picture[np.hypot(xx, yy) < 200] = 0
    points = measure_from_bytes("a.png", png(picture), {"n": 20_000, "size_deg": 160}).points
    away = angle(points, np.array([1.0, 0, 0]))
    for r in (20, 40, 60):
        share = (1 - np.cos(np.deg2rad(r))) / (1 - np.cos(np.deg2rad(80)))
        np.testing.assert_allclose((away < np.deg2rad(r)).mean(), share, atol=0.01)


def test_longitude_zero_is_the_middle_of_the_map_and_north_its_top():
    picture = paper(90, 180)
    picture[10:14, 133:137] = 0  # latitude 80 to 76, longitude 86 to 94
    points = measure_from_bytes("a.png", png(picture), {"n": 30, "placement": "world"}).points
    assert (np.rad2deg(np.arcsin(points[:, 2])) > 61).all()
    lon = np.rad2deg(np.arctan2(points[:, 1], points[:, 0]))
    assert ((lon > 85) & (lon < 95)).all()


def test_twice_the_ink_is_twice_the_mass():
    picture = paper(10, 20)
    picture[:, :10], picture[:, 10:] = 0, 127
    y = measure_from_bytes("a.png", png(picture), {"n": 3000, "size_deg": 10}).points[:, 1]
    np.testing.assert_allclose((y < 0).mean(), 2 / 3, atol=0.01)


def test_the_seed_shifts_the_atoms_and_nothing_else_does():
    content = png(np.zeros((9, 9), np.uint8))
    one, same, other = (measure_from_bytes("a.png", content, {"seed": s}).points for s in (1, 1, 2))
    np.testing.assert_array_equal(one, same)
    assert not np.array_equal(one, other)


def ink_of(content: bytes, name="a.png", **options) -> np.ndarray:
    return measure_from_bytes(name, content, {"n": 400, **options}).points


def test_light_on_dark_and_transparency_and_sixteen_bits():
    dark = 255 - paper()
    dark[:, 20:] = 255  # light on the right
    assert (ink_of(png(dark), invert=True)[:, 1] > -1e-9).all()
    assert any("light is ink" in note for note in measure_from_bytes("a.png", png(np.zeros((9, 9), np.uint8))).notes)
    clear = np.zeros((40, 40, 4), np.uint8)
    clear[:, 20:, 3] = 255  # black where opaque
    assert (ink_of(png(clear))[:, 1] > -1e-9).all()
    deep = np.full((40, 40), 65535, np.uint16)
    deep[:, 20:] = 0
    assert (ink_of(png(deep))[:, 1] > -1e-9).all()
    colours = np.full((40, 40, 3), 255, np.uint8)
    colours[:, 20:] = (10, 0, 60)
    stream = io.BytesIO()
    Image.fromarray(colours).save(stream, "JPEG", quality=95)
    assert (ink_of(stream.getvalue(), "a.JPG")[:, 1] > -0.05).all()


#: A JPEG up to its height and width (start of frame, 8 bits), and what follows them: one grey component.
JPEG_HEAD, JPEG_TAIL = (
    b"\xff\xd8\xff\xc0\x00\x0b\x08",
    b"\x01\x01\x11\x00\xff\xda\x00\x08\x01\x01\x00\x00\x3f\x00\xff\xd9",
)

REFUSED = {
    "50,000 pixels a side": (
        header_of(50_000, 50_000),
        "the picture is 50,000 x 50,000 pixels: make it at most 12,000 a side",
    ),
    "50,000 pixels long": (header_of(50_000, 1), "the picture is 50,000 x 1 pixels"),
    "many pixels": (header_of(9_000, 9_000), "9,000 x 9,000 pixels"),
    "no pixels": (header_of(0, 0), "damaged or cut off"),
    "a JPEG of 60,000 pixels a side": (
        JPEG_HEAD + struct.pack(">HH", 60_000, 60_000) + JPEG_TAIL,
        "more than 40 million pixels",
    ),
    "truncated": (png(np.random.default_rng(0).integers(0, 255, (50, 50), np.uint8))[:-900], "damaged or cut off"),
    "white": (png(paper()), "the picture has no ink"),
    "GIF by another name": (b"GIF89a" + bytes(50), "no PNG or JPEG picture"),
    "TIFF by another name": (b"II*\0" + bytes(50), "no PNG or JPEG picture"),
    "EPS by another name": (b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n", "no PNG or JPEG picture"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_picture_that_is_wrong_is_refused_at_once(case):
    content, sentence = REFUSED[case]
    began = time.perf_counter()
    with pytest.raises(InputError) as caught:
        measure_from_bytes("a.png", content)
    assert sentence in str(caught.value) and "\n" not in str(caught.value)
    assert time.perf_counter() - began < 1


def test_text_chunks_that_unpack_to_gigabytes_are_refused():
    info = PngImagePlugin.PngInfo()
    info.add_text("Comment", "a" * 80_000_000, zip=True)
    with pytest.raises(InputError, match="damaged or cut off"):
        measure_from_bytes("a.png", png(np.zeros((9, 9), np.uint8), pnginfo=info))


def svg(inside: str, attributes: str = "") -> bytes:
    return f'<svg xmlns="http://www.w3.org/2000/svg" {attributes}>{inside}</svg>'.encode()


def spread(content: bytes, **options) -> np.ndarray:
    """Points in degrees to the east and north of the patch's middle."""
    points = measure_from_bytes("a.svg", content, {"n": 800, "size_deg": 20, **options}).points
    return np.rad2deg(np.stack([np.arctan2(points[:, 1], points[:, 0]), np.arcsin(points[:, 2])], axis=1))


def test_svg_shapes_fill_their_box_and_down_is_south():
    at = spread(svg('<path d="M0 0 H20 V10 H10 V20 H0 Z"/>'))
    np.testing.assert_allclose([at.min(), at.max()], [-10, 10], atol=0.3)
    assert not ((at[:, 0] > 0.2) & (at[:, 1] < -0.2)).any(), "the lower right quarter is cut out"


@pytest.mark.parametrize(
    "inside",
    [
        '<circle cx="50" cy="50" r="30"/>',
        '<ellipse cx="5" cy="5" rx="3" ry="3"/>',
        '<g transform="translate(9 9) scale(.5)"><g transform="rotate(30)"><circle r="9"/></g></g>',
        '<path d="M-9 0 A 9 9 0 1 0 9 0 A 9 9 0 1 0 -9 0 Z"/>',
        '<path style="fill:#000;stroke:none" d="M-9,0a9,9 0 1,0 18,0a9,9 0 1,0 -18,0"/>',
    ],
)
def test_these_are_all_the_same_disc(inside):
    at = spread(svg(inside))
    away = np.hypot(*at.T)
    assert away.max() < 10.1
    np.testing.assert_allclose((away < 5).mean(), 0.25, atol=0.02)


def test_strokes_are_drawn_and_hidden_things_are_not():
    frame = spread(svg('<rect width="20" height="20" fill="none" stroke="black" stroke-width="1"/>'))
    assert (np.abs(frame).max(axis=1) > 8).all()
    hidden = '<defs><rect width="99" height="9"/></defs><rect display="none" width="99" height="9"/><circle r="3"/><text>hi</text>'
    measure = measure_from_bytes("a.svg", svg(hidden), {"n": 9})
    assert "not drawn: <text>" in measure.notes
    assert np.ptp(spread(svg(hidden))[:, 1]) > 19


def test_every_basic_shape_is_drawn():
    for inside in ('<line x2="9" y2="4" stroke="#222"/>', '<polyline points="0,0 4,4 9,0"/>', '<polygon points="0 0 4 4 9 0"/>', '<rect width="5mm" height="3" rx="1"/>'):  # fmt: skip
        assert len(measure_from_bytes("a.svg", svg(inside), {"n": 40})) == 40


LAUGHS = "".join(f'<!ENTITY l{k} "{f"&l{k - 1};" * 10}">' for k in range(1, 10))

SVG_REFUSED = {
    "a billion laughs": (f'<!DOCTYPE svg [<!ENTITY l0 "ha">{LAUGHS}]><svg><text>&l9;</text></svg>'.encode(), "declares entities"),
    "an entity of the server": (b'<!DOCTYPE svg [<!ENTITY f SYSTEM "file:///etc/passwd">]><svg><text>&f;</text></svg>', "declares entities"),
    "a document type elsewhere": (b'<!DOCTYPE svg SYSTEM "http://localhost/x.dtd"><svg><path d="M0 0H1V1Z"/></svg>', None),
    "not XML": (b"<svg><path></svg>", "this is no SVG (mismatched tag"),
    "HTML": (b"<html><svg/></html>", "its outermost element is <html>"),
    "no shape": (svg(""), "the SVG draws no shape"),
    "only text": (svg("<text>hi</text>"), "<text> is not drawn, turn it into paths"),
    "only use": (svg('<defs><circle id="a" r="1"/></defs><use href="#a"/>'), "<use> is not drawn"),
    "an image of the server": (svg('<image href="file:///etc/passwd"/>'), "<image> is not drawn"),
    "white": (svg('<circle r="3" fill="white"/>'), "the picture has no ink"),
    "a point": (svg('<path d="M1 1 L1 1"/>'), "no size"),
    "deep": (svg("<g>" * 300 + "</g>" * 300), "nests more than 200 groups"),
    "many shapes": (svg('<path d="M0 0H1"/>' * 5_001), "more than 5,000 shapes"),
    "one endless path": (svg(f'<path d="M0 0{"L1 1" * 300_000}"/>'), "longer than 1,000,000 characters"),
    "a bad radius": (svg('<circle r="big"/>'), "<circle> cannot be read"),
    "a bad transform": (svg('<g transform="matrix(1 2)"><circle r="3"/></g>'), "transform"),
}  # fmt: skip


@pytest.mark.parametrize("case", SVG_REFUSED)
def test_an_svg_that_is_wrong_is_refused_within_five_seconds(case):
    content, sentence = SVG_REFUSED[case]
    began = time.perf_counter()
    if sentence is None:  # named, and never fetched
        assert len(measure_from_bytes("a.svg", content)) == 200
    else:
        with pytest.raises(InputError) as caught:
            measure_from_bytes("a.svg", content)
        assert sentence in str(caught.value) and "\n" not in str(caught.value)
    assert time.perf_counter() - began < 6
