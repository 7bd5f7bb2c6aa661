"""SVG: its shapes are drawn as ink. No entity is expanded, nothing is fetched, no script or style sheet is run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from xml.etree.ElementTree import Element, ParseError

import numpy as np
from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring
from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.path import Path as Outline
from matplotlib.transforms import IdentityTransform
from svgelements import Circle, Color, Ellipse, Matrix, Move, Path, Polygon, Polyline, Rect, SimpleLine

from mtm_viz.errors import InputError
from mtm_viz.measures.measure import Measure
from mtm_viz.measures.readers.format import Format
from mtm_viz.measures.readers.ink import FINEST, Ink, measure_of_ink
from mtm_viz.measures.readers.limits import Watch

SHAPES = {
    "path": Path, "rect": Rect, "circle": Circle, "ellipse": Ellipse, "line": SimpleLine,
    "polyline": Polyline, "polygon": Polygon,
}  # fmt: skip
#: Kept in the file for others, drawn nowhere by themselves.
_HIDDEN = ("defs", "symbol", "clipPath", "mask", "marker", "pattern", "metadata", "title", "desc", "style", "script")
_LEFT_OUT = ("text", "image", "use", "foreignObject")
_INHERITED = ("fill", "stroke", "stroke-width", "fill-rule", "visibility")
_LENGTHS = ("x", "y", "width", "height", "rx", "ry", "cx", "cy", "r", "x1", "y1", "x2", "y2")
_UNITS = {"px": 1.0, "pt": 4 / 3, "pc": 16.0, "mm": 96 / 25.4, "cm": 96 / 2.54, "in": 96.0}
MOST_SHAPES = 5_000
#: Characters of one path: a longer one is a drawing that should be simplified.
MOST_IN_A_SHAPE = 1_000_000
_DEEPEST = 200
_STEPS_A_CURVE = 12
_BROKEN = (
    ValueError,
    TypeError,
    KeyError,
    IndexError,
    AttributeError,
    ZeroDivisionError,
    OverflowError,
    RecursionError,
)


@dataclass
class _Drawing:
    """What has been met on the way: outlines in the file's own units, and kinds of elements that were left out."""

    inked: list[tuple[Outline, float | None, tuple[float, float] | None]] = field(default_factory=list)
    left_out: set[str] = field(default_factory=set)


def read_svg(content: bytes, options: Ink, watch: Watch) -> Measure:
    try:
        root = fromstring(content, forbid_dtd=False, forbid_entities=True, forbid_external=True)
    except DefusedXmlException as problem:
        raise InputError("the SVG declares entities, which are never expanded: save it as plain SVG") from problem
    except (ParseError, ValueError, LookupError) as problem:
        raise InputError(f"this is no SVG ({_short(problem)}): save the drawing as plain SVG") from problem
    watch.check()
    if _name(root) != "svg":
        raise InputError(f"its outermost element is <{_name(root)[:30]}>: save the drawing as plain SVG")
    drawing = _Drawing()
    for element, matrix, style in _walk(root, Matrix(), {}, 0):
        watch.check()
        name = _name(element)
        if name in _LEFT_OUT:
            drawing.left_out.add(name)
        elif name in SHAPES:
            if len(drawing.inked) >= MOST_SHAPES:
                raise InputError(f"the SVG has more than {MOST_SHAPES:,} shapes: simplify the drawing")
            _ink(element, matrix, style, drawing, watch)
    if not drawing.inked:
        named = (
            f": <{sorted(drawing.left_out)[0]}> is not drawn, turn it into paths"
            if drawing.left_out
            else ": add a path"
        )
        raise InputError(f"the SVG draws no shape{named}")
    measure = measure_of_ink(_drawn(drawing, watch), options)
    if not drawing.left_out:
        return measure
    said = ", ".join(f"<{name}>" for name in sorted(drawing.left_out))
    return Measure(measure.points, measure.weights, (*measure.notes, f"not drawn: {said}"))


def _name(element: Element) -> str:
    return element.tag.rsplit("}", 1)[-1] if isinstance(element.tag, str) else ""


def _walk(
    element: Element, matrix: Matrix, style: dict[str, str], depth: int
) -> Iterator[tuple[Element, Matrix, dict[str, str]]]:
    """Every element that may draw, with its transformation and the style it inherits."""
    if depth > _DEEPEST:
        raise InputError(f"the SVG nests more than {_DEEPEST} groups: flatten them")
    said = {key: element.attrib[key] for key in ("display", "opacity", *_INHERITED) if key in element.attrib}
    for rule in element.attrib.get("style", "").split(";"):
        key, _, value = rule.partition(":")
        said[key.strip()] = value.strip()
    if said.get("display") == "none" or _name(element) in _HIDDEN:
        return
    try:
        matrix = Matrix(element.attrib.get("transform", "")) * matrix
    except _BROKEN as problem:
        shown = element.attrib["transform"][:40]
        raise InputError(
            f'<{_name(element)}> has the transform "{shown}", which cannot be read: correct it'
        ) from problem
    style = style | {key: said[key] for key in _INHERITED if key in said}
    yield element, matrix, style
    for child in element:
        yield from _walk(child, matrix, style, depth + 1)


def _ink(element: Element, matrix: Matrix, style: dict[str, str], drawing: _Drawing, watch: Watch) -> None:
    name = _name(element)
    if max((len(value) for value in element.attrib.values()), default=0) > MOST_IN_A_SHAPE:
        raise InputError(f"a <{name}> is longer than {MOST_IN_A_SHAPE:,} characters: simplify the drawing")
    fill = None if name in ("line",) else _darkness(style.get("fill", "black"))
    stroke = _darkness(style.get("stroke", "none"))
    if style.get("visibility") in ("hidden", "collapse") or (fill is None and stroke is None):
        return
    try:
        given: dict[str, Any] = {key: _pixels(value) for key, value in element.attrib.items() if key in _LENGTHS}
        given |= {key: value for key, value in element.attrib.items() if key in ("d", "points")}
        shape = Path(given["d"]) if name == "path" else Path(SHAPES[name](given)) if _has_size(name, given) else None
        if shape is None:
            return
        outline = _outline(shape, matrix, watch)
        scale = abs(matrix.a * matrix.d - matrix.b * matrix.c) ** 0.5
        width = scale * _pixels(style.get("stroke-width", "1"))
    except InputError:
        raise
    except _BROKEN as problem:
        raise InputError(f"a <{name}> cannot be read ({_short(problem)}): correct or remove it") from problem
    if outline is not None and np.isfinite(outline.vertices).all() and np.isfinite(width):
        drawing.inked.append((outline, fill, None if stroke is None or width <= 0 else (stroke, width)))


def _pixels(said: str) -> float:
    """A length with or without its unit, in CSS pixels."""
    number = said.strip()
    unit = next((unit for unit in _UNITS if number.endswith(unit)), "")
    return float(number.removesuffix(unit)) * _UNITS.get(unit, 1.0)


def _has_size(name: str, given: dict[str, Any]) -> bool:
    return name not in ("polyline", "polygon") or bool(str(given.get("points", "")).strip())


def _darkness(paint: str) -> float | None:
    """How dark a paint is, 1 for black; None for no paint. A gradient counts as half dark."""
    paint = paint.strip()
    if paint in ("none", "transparent", ""):
        return None
    if paint.startswith("url("):
        return 0.5
    try:
        colour: Any = Color(paint)
        if colour.value is None:
            return 1.0
        bright = 0.2126 * colour.red + 0.7152 * colour.green + 0.0722 * colour.blue
        return (1.0 - bright / 255.0) * colour.alpha / 255.0
    except _BROKEN:
        return 1.0


def _outline(shape: Any, matrix: Matrix, watch: Watch) -> Outline | None:
    """Curves cut into short lines."""
    vertices: list[tuple[float, float]] = []
    codes: list[Any] = []
    t = np.linspace(0.0, 1.0, _STEPS_A_CURVE + 1)[1:]
    for k, piece in enumerate(shape):
        if k % 512 == 0:
            watch.check()
        end: Any = piece.end
        if isinstance(piece, Move) or not vertices:
            vertices.append((end.x, end.y))
            codes.append(Outline.MOVETO)
        elif type(piece).__name__ in ("Line", "Close"):
            if end is not None:
                vertices.append((end.x, end.y))
                codes.append(Outline.LINETO)
        else:
            points: list[Any] = [piece.point(step) for step in t]
            vertices += [(p.x, p.y) for p in points]
            codes += [Outline.LINETO] * len(points)
    if len(vertices) < 2:
        return None
    a, b, c, d, e, f = matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f
    x, y = np.array(vertices, dtype=float).T
    return Outline(np.stack([a * x + c * y + e, b * x + d * y + f], axis=1), codes)


def _drawn(drawing: _Drawing, watch: Watch) -> np.ndarray:
    """The outlines' bounding box as a picture, black on white: the drawing fills it, whatever the page's size was."""
    corners = np.concatenate([np.asarray(outline.vertices) for outline, _, _ in drawing.inked])
    low, high = corners.min(axis=0), corners.max(axis=0)
    pen = max((stroke[1] for _, _, stroke in drawing.inked if stroke), default=0.0)
    low, high = low - pen / 2, high + pen / 2
    extent = float((high - low).max())
    if not 0 < extent < 1e12:
        raise InputError("the SVG's shapes have no size: give them width and height")
    scale = (FINEST - 2) / extent
    width, height = (np.ceil((high - low) * scale).astype(int) + 2).clip(min=2)
    canvas = RendererAgg(int(width), int(height), 72)
    for outline, fill, stroke in drawing.inked:
        watch.check()
        x, y = np.asarray(outline.vertices).T
        xy = np.stack([1 + (x - low[0]) * scale, height - 1 - (y - low[1]) * scale], axis=1)
        path = Outline(xy, outline.codes)
        context = canvas.new_gc()
        # Greys are painted as they come, a later shape over an earlier one, as a browser does.
        if fill is not None:
            context.set_linewidth(0)
            canvas.draw_path(context, path, IdentityTransform(), (1 - fill, 1 - fill, 1 - fill, 1.0))
        if stroke is not None:
            context.set_linewidth(max(1.0, stroke[1] * scale))
            context.set_foreground((1 - stroke[0], 1 - stroke[0], 1 - stroke[0]))
            canvas.draw_path(context, path, IdentityTransform(), None)
    seen = np.asarray(canvas.buffer_rgba(), dtype=np.float64) / 255.0
    return seen[..., 3] * (1.0 - seen[..., 0])


def _short(problem: Exception) -> str:
    return " ".join(str(problem).split())[:80] or type(problem).__name__


FORMAT = Format("an SVG drawing", (".svg",), read_svg, Ink)
