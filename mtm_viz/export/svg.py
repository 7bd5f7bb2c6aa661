"""A vector still for papers and posters: points, outlines, graticule and captions as SVG, its fonts inside the file."""

from __future__ import annotations

import base64
import itertools
from html import escape
from typing import BinaryIO

import numpy as np

from mtm_viz.export._fonts import subset
from mtm_viz.rendering.film import Progress, still
from mtm_viz.rendering.lettering import FACES, FAMILIES, characters
from mtm_viz.rendering.options import Options
from mtm_viz.rendering.shapes import Box, Icon, Path, Text, outline
from mtm_viz.rendering.sprites import Look
from mtm_viz.rendering.vector import Disc, Drawing, Item, Marks, compose, polygons
from mtm_viz.run import Run

MIME_TYPE = "image/svg+xml"

ANCHORS = {"left": "start", "middle": "middle", "right": "end"}
WEIGHTS = {"regular": "400", "semibold": "600", "symbol": "600"}


def write_svg(run: Run, stream: BinaryIO, options: Options, progress: Progress) -> list[str]:
    progress("drawing", 0.0)
    made = still(run, options, (1200, 900))
    drawing = compose(made)
    page = _Page(drawing)
    for k, item in enumerate(drawing.items):
        progress("writing", k / len(drawing.items))
        page.add(item)
    stream.write(page.text().encode())
    return made.remarks


class _Page:
    """The elements of one SVG, as text."""

    def __init__(self, drawing: Drawing) -> None:
        self.drawing = drawing
        self.defs: list[str] = []
        self.body: list[str] = []
        # One symbol a look, sized by the median marker; others are scaled.
        half = _usual_half(drawing)
        for k, look in enumerate(drawing.looks):
            self.defs.append(f'<g id="m{k}">{_symbol(look, half)}</g>')

    def add(self, item: Item) -> None:
        if isinstance(item, Marks):
            rows = zip(item.look.tolist(), item.xy.tolist(), item.half.tolist(), strict=True)
            self.body += [
                f'<use href="#m{look}" transform="translate({x:.2f} {y:.2f})scale({half:.3g})"/>'
                for look, (x, y), half in rows
            ]
        elif isinstance(item, Disc):
            self._disc(item)
        elif isinstance(item, Box):
            corner = f' rx="{item.round:.2f}"' if item.round else ""
            self.body.append(
                f'<rect x="{item.x:.2f}" y="{item.y:.2f}" width="{item.w:.2f}" height="{item.h:.2f}"{corner}'
                f' fill="{item.color}"{_faint(item.alpha, "fill")}/>'
            )
        elif isinstance(item, Path):
            self._path(item)
        elif isinstance(item, Text):
            self._words(item)
        elif isinstance(item, Icon):
            points = outline(item.symbol) * item.size / 2 + [item.x, item.y]
            self.body.append(f'<path d="{_d(points)}Z" fill="{item.color}"/>')

    def _disc(self, disc: Disc) -> None:
        name = f"g{len(self.defs)}"
        x, y, r = disc.at
        stops = "".join(
            f'<stop offset="{o:.4f}" stop-color="{color}" stop-opacity="{alpha:.4f}"/>'
            for o, color, alpha in disc.stops
        )
        units = f'gradientUnits="userSpaceOnUse" cx="{x:.2f}" cy="{y:.2f}" r="{r:.2f}"'
        self.defs.append(f'<radialGradient id="{name}" {units}>{stops}</radialGradient>')
        self.body.append(f'<circle cx="{disc.x:.2f}" cy="{disc.y:.2f}" r="{disc.radius:.2f}" fill="url(#{name})"/>')

    def _path(self, path: Path) -> None:
        if path.width == 0:
            self.body.append(f'<path d="{_d(path.points)}Z" fill="{path.color}"{_faint(path.alpha, "fill")}/>')
            return
        pen = f'fill="none" stroke="{path.color}" stroke-width="{path.width:.2f}" stroke-linecap="round" stroke-linejoin="round"'
        if path.alphas is None:
            self.body.append(f'<path d="{_d(path.points)}" {pen}{_faint(path.alpha, "stroke")}/>')
            return
        # Butt ends, so that neighbouring pieces of a fading line do not darken each other.
        pen = pen.replace('linecap="round"', 'linecap="butt"')
        for points, alpha in faded(path):
            self.body.append(f'<path d="{_d(points)}" {pen}{_faint(alpha, "stroke")}/>')

    def _words(self, text: Text) -> None:
        if not text.text:
            return
        halo = (
            f' stroke="{text.halo}" stroke-width="{text.size * 0.2:.2f}" paint-order="stroke" stroke-linejoin="round"'
            if text.halo
            else ""
        )
        style = ' font-style="italic"' if text.weight == "symbol" else ""
        self.body.append(
            f'<text x="{text.x:.2f}" y="{text.y:.2f}" font-family="{FAMILIES[text.weight]}, sans-serif" font-size="{text.size:.2f}"'
            f' font-weight="{WEIGHTS[text.weight]}"{style} text-anchor="{ANCHORS[text.anchor]}" fill="{text.color}"'
            f"{_faint(text.alpha, 'fill')}{halo}>{escape(text.text)}</text>"
        )

    def text(self) -> str:
        w, h = self.drawing.width, self.drawing.height
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {w} {h}" width="{w}" height="{h}" role="img">\n'
            f"<title>{escape(self.drawing.title)}</title>\n<desc>{escape(self.drawing.description)}</desc>\n"
            f"<style>{self._faces()}</style>\n<defs>{''.join(self.defs)}</defs>\n" + "\n".join(self.body) + "\n</svg>\n"
        )

    def _faces(self) -> str:
        """The letters used, of each font used, as @font-face."""
        rules = []
        for weight, path in FACES.items():
            used = {ord(c) for t in self.drawing.items if isinstance(t, Text) and t.weight == weight for c in t.text}
            if used & characters(path):
                data = base64.b64encode(subset(path, used)).decode()
                slant = "font-style:italic;" if weight == "symbol" else ""
                rules.append(
                    f'@font-face{{font-family:"{FAMILIES[weight]}";font-weight:{WEIGHTS[weight]};{slant}'
                    f"src:url(data:font/ttf;base64,{data})}}"
                )
        return "".join(rules)


def _usual_half(drawing: Drawing) -> float:
    halves = [item.half for item in drawing.items if isinstance(item, Marks) and len(item.half)]
    return float(np.median(np.concatenate(halves))) if halves else 1.0


def _symbol(look: Look, half: float) -> str:
    """A marker in half-diameters; a ghost is a line inside its border."""
    if look.hollow:
        width = look.hollow / half
        shape = outline(look.symbol, width / 2)
        color = "#{:02x}{:02x}{:02x}".format(*look.color)
        return f'<path d="{_d(shape, 3)}Z" fill="none" stroke="{color}" stroke-width="{width:.3f}" stroke-opacity="{look.alpha}"/>'
    return "".join(
        f'<path d="{_d(points, 3)}Z" fill="#{r:02x}{g:02x}{b:02x}"/>' for points, (r, g, b) in polygons(look, half)
    )


def faded(path: Path) -> list[tuple[np.ndarray, float]]:
    """A line whose strength changes, as pieces of one strength each, in steps of a twentieth."""
    assert path.alphas is not None
    steps = np.rint(path.alphas * 20).astype(int)
    cuts = [0, *(np.flatnonzero(np.diff(steps)) + 1).tolist(), len(steps)]
    return [(path.points[a : b + 1], float(path.alphas[a:b].mean())) for a, b in itertools.pairwise(cuts) if steps[a]]


def _d(points: np.ndarray, digits: int = 2) -> str:
    return "M" + "L".join(f"{x:.{digits}f} {y:.{digits}f}" for x, y in points.tolist())


def _faint(alpha: float, what: str) -> str:
    return "" if alpha >= 0.999 else f' {what}-opacity="{alpha:.3f}"'
