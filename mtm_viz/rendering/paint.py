"""Shapes painted with Pillow, smooth at every size: each is drawn four times as large into a mask and reduced."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import groupby

import numpy as np
from PIL import Image, ImageDraw

from mtm_viz.rendering.lettering import face_for, font
from mtm_viz.rendering.shading import rgb
from mtm_viz.rendering.shapes import Box, Icon, Path, Shape, Text, outline

Rectangle = tuple[int, int, int, int]
Tile = tuple[int, int, Image.Image]

#: How much finer than a pixel masks are drawn.
FINE = 4


def paint(picture: Image.Image, shapes: Iterable[Shape]) -> None:
    """Draw shapes onto an RGB picture, one over the other; neighbouring lines of one colour are one stroke of the pen."""
    for (kind, _), group in groupby(shapes, _kin):
        if kind is Path:
            strokes(picture, [shape for shape in group if isinstance(shape, Path)])
            continue
        for shape in group:
            if isinstance(shape, Box):
                _box(picture, shape)
            elif isinstance(shape, Text):
                _text(picture, shape)
            elif isinstance(shape, Icon):
                _icon(picture, shape)


def _kin(shape: Shape) -> tuple[type, str]:
    return type(shape), shape.color


def _box(picture: Image.Image, box: Box) -> None:
    left, top = int(np.floor(box.x)), int(np.floor(box.y))
    key = (box.x - left, box.y - top, box.w, box.h, box.round, box.alpha)
    picture.paste(rgb(box.color), (left, top), _box_mask(*(round(v * FINE) / FINE for v in key[:4]), *key[4:]))


@lru_cache(maxsize=256)
def _box_mask(x: float, y: float, w: float, h: float, corner: float, alpha: float) -> Image.Image:
    """A rounded rectangle whose corner lies (x, y) beyond the mask's own."""
    wide, high = int(np.ceil(x + w)) + 1, int(np.ceil(y + h)) + 1
    mask = Image.new("L", (wide * FINE, high * FINE))
    sides = (x * FINE, y * FINE, max((x + w) * FINE - 1, x * FINE), max((y + h) * FINE - 1, y * FINE))
    draw, fill = ImageDraw.Draw(mask), round(255 * alpha)
    if corner > 0:
        draw.rounded_rectangle(sides, min(corner, w / 2, h / 2) * FINE, fill)
    else:
        draw.rectangle(sides, fill)
    return mask.reduce(FINE)


def strokes(picture: Image.Image, paths: list[Path]) -> None:
    """Polylines with round joints (polygons where width is 0), all of one colour; where they cross, the stronger shows."""
    low = np.min([p.points.min(axis=0) - p.width / 2 for p in paths], axis=0)
    high = np.max([p.points.max(axis=0) + p.width / 2 for p in paths], axis=0)
    left, top = np.maximum(np.floor(low) - 1, 0).astype(int).tolist()
    right, bottom = np.minimum(np.ceil(high) + 1, picture.size).astype(int).tolist()
    if right <= left or bottom <= top:
        return
    mask = Image.new("L", ((right - left) * FINE, (bottom - top) * FINE))
    draw = ImageDraw.Draw(mask)
    # The strongest last, since the pen covers what is there.
    for path in sorted(paths, key=lambda p: p.alpha if p.alphas is None else float(p.alphas.max())):
        _draw_path(draw, path, (path.points - [left, top]) * FINE)
    picture.paste(rgb(paths[0].color), (left, top), mask.reduce(FINE))


def _draw_path(draw: ImageDraw.ImageDraw, path: Path, at: np.ndarray) -> None:
    wide = max(1, round(path.width * FINE))
    if path.width == 0:
        draw.polygon([tuple(p) for p in at.tolist()], fill=round(255 * path.alpha))
    elif path.alphas is None:
        fill = round(255 * path.alpha)
        draw.line([tuple(p) for p in at.tolist()], fill=fill, width=wide, joint="curve")
        _dots(draw, at[[0, -1]], wide / 2, fill)
    else:
        for k in np.argsort(path.alphas, kind="stable").tolist():
            fill = round(255 * float(path.alphas[k]))
            draw.line([*at[k].tolist(), *at[k + 1].tolist()], fill=fill, width=wide)
            _dots(draw, at[[k, k + 1]], wide / 2, fill)


def _dots(draw: ImageDraw.ImageDraw, centres: np.ndarray, r: float, fill: int) -> None:
    if r >= 2:
        for x, y in centres.tolist():
            draw.ellipse((x - r, y - r, x + r, y + r), fill=fill)


def segments(picture: Image.Image, ends: np.ndarray, color: str, width: float, alpha: float) -> None:
    """Many straight pieces (k, 2, 2) of one strength."""
    strokes(picture, [Path(pair, color, width, alpha) for pair in ends])


def _text(picture: Image.Image, text: Text) -> None:
    if not text.text:
        return
    mask, halo, dx, dy = _text_mask(text.text, text.size, text.weight, bool(text.halo))
    shift = {"left": 0.0, "middle": 0.5, "right": 1.0}[text.anchor] * _advance(text.text, text.size, text.weight)
    place = (round(text.x - shift) + dx, round(text.y) + dy)
    if halo is not None:
        picture.paste(rgb(text.halo), place, _dimmed(halo, text.alpha))
    picture.paste(rgb(text.color), place, _dimmed(mask, text.alpha))


def _dimmed(mask: Image.Image, alpha: float) -> Image.Image:
    return mask if alpha >= 1 else mask.point(lambda v: v * alpha)


@lru_cache(maxsize=2048)
def _advance(text: str, size: float, weight: str) -> float:
    return float(font(face_for(text, weight), size).getlength(text))


@lru_cache(maxsize=2048)
def _text_mask(text: str, size: float, weight: str, haloed: bool) -> tuple[Image.Image, Image.Image | None, int, int]:
    """Letters as a mask, and the halo behind them; where the mask's corner lies from the start of the baseline."""
    letters = font(face_for(text, weight), size)
    grow = max(1, round(size * 0.14)) if haloed else 0
    left, top, right, bottom = letters.getbbox(text, anchor="ls", stroke_width=grow)
    left, top = int(np.floor(left)) - 1, int(np.floor(top)) - 1
    extent = (max(1, int(np.ceil(right)) - left + 1), max(1, int(np.ceil(bottom)) - top + 1))

    def drawn(stroke_width: int) -> Image.Image:
        mask = Image.new("L", extent)
        ImageDraw.Draw(mask).text((-left, -top), text, fill=255, font=letters, anchor="ls", stroke_width=stroke_width)
        return mask

    return drawn(0), drawn(grow) if haloed else None, left, top


def _icon(picture: Image.Image, icon: Icon) -> None:
    strokes(picture, [Path(outline(icon.symbol) * icon.size / 2 + [icon.x, icon.y], icon.color, 0)])


def lifted(size: tuple[int, int], draw: Callable[[Image.Image], None], box: Rectangle | None = None) -> Image.Image:
    """What `draw` paints, on nothing: RGBA, of the whole picture or of a box of it.

    Painted on black and on white; where the two differ by 1 - alpha the page shines through. Exact for any order of paint.
    """
    on_black, on_white = (Image.new("RGB", size, color) for color in ((0, 0, 0), (255, 255, 255)))
    for page in (on_black, on_white):
        draw(page)
    black, white = (np.asarray(page.crop(box) if box else page, dtype=np.int16) for page in (on_black, on_white))
    # Rounding tells the three channels apart by a step: the least difference is the most solid.
    alpha = 255 - np.clip((white - black).min(axis=-1), 0, 255)
    color = np.clip(np.rint(black * (255.0 / np.maximum(alpha, 1))[..., None]), 0, 255)
    return Image.fromarray(np.concatenate([color, alpha[..., None]], axis=-1).astype(np.uint8), "RGBA")


def tiles(layer: Image.Image, side: int = 160) -> list[Tile]:
    """The parts of an RGBA layer that are not empty: pasting them is cheaper than pasting it whole."""
    found: list[Tile] = []
    for y in range(0, layer.height, side):
        for x in range(0, layer.width, side):
            piece = layer.crop((x, y, min(x + side, layer.width), min(y + side, layer.height)))
            box = piece.getchannel("A").getbbox()
            if box:
                found.append((x + box[0], y + box[1], piece.crop(box)))
    return found


def lay(page: Image.Image, layer: list[Tile]) -> None:
    """Put the tiles of a layer onto a picture."""
    for x, y, piece in layer:
        page.paste(piece, (x, y), piece)
