"""One PDF page from a drawing: paths, radial gradients with opacity, markers as form objects, text in embedded fonts."""

from __future__ import annotations

import itertools

import numpy as np

from mtm_viz.export._pdf_file import PdfFile, PdfFont
from mtm_viz.export.svg import faded
from mtm_viz.rendering.lettering import FACES, face_for, width_of
from mtm_viz.rendering.shading import rgb
from mtm_viz.rendering.shapes import Box, Icon, Path, Text, outline
from mtm_viz.rendering.sprites import Look
from mtm_viz.rendering.vector import Disc, Drawing, Item, Marks, Stop, polygons

#: Control points of a quarter circle.
QUARTER = 0.5522847498


class PdfPage:
    """Items are added from back to front; `scale`: points (1/72 inch) per pixel."""

    def __init__(self, drawing: Drawing, scale: float) -> None:
        self.drawing = drawing
        self.file = PdfFile()
        self.lines = [f"{scale:.6f} 0 0 {-scale:.6f} 0 {drawing.height * scale:.4f} cm"]
        self.box = (drawing.width * scale, drawing.height * scale)
        self.fonts: dict[str, PdfFont] = {}
        self.names: dict[str, dict[str, int]] = {"ExtGState": {}, "XObject": {}, "Shading": {}, "Font": {}}
        self._faint: dict[float, str] = {}
        halves = [item.half for item in drawing.items if isinstance(item, Marks) and len(item.half)]
        half = float(np.median(np.concatenate(halves))) if halves else 1.0
        for k, look in enumerate(drawing.looks):
            self.names["XObject"][f"M{k}"] = self._marker(look, half)

    def add(self, item: Item) -> None:
        if isinstance(item, Marks):
            rows = zip(item.look.tolist(), item.xy.tolist(), item.half.tolist(), strict=True)
            self.lines += [f"q {h:.3f} 0 0 {h:.3f} {x:.2f} {y:.2f} cm /M{look} Do Q" for look, (x, y), h in rows]
        elif isinstance(item, Disc):
            self._disc(item)
        elif isinstance(item, Box):
            self._painted(_rectangle(item), item.color, item.alpha)
        elif isinstance(item, Path) and item.width == 0:
            self._painted(_polygon(item.points), item.color, item.alpha)
        elif isinstance(item, Path):
            pieces = [(item.points, item.alpha)] if item.alphas is None else faded(item)
            cap = 1 if item.alphas is None else 0
            for points, alpha in pieces:
                pen = f"{_color(item.color, 'RG')} {item.width:.2f} w {cap} J 1 j"
                self.lines.append(f"q {self._opacity(alpha)} {pen} {_line(points)} S Q")
        elif isinstance(item, Text):
            self._words(item)
        elif isinstance(item, Icon):
            self._painted(_polygon(outline(item.symbol) * item.size / 2 + [item.x, item.y]), item.color, 1.0)

    def content(self) -> bytes:
        """The whole file."""
        for name, font in self.fonts.items():
            self.names["Font"][name] = font.written(self.file)
        resources = " ".join(
            f"/{kind} << {' '.join(f'/{name} {number} 0 R' for name, number in table.items())} >>"
            for kind, table in self.names.items()
        )
        content = self.file.stream("", "\n".join(self.lines).encode())
        return self.file.page(self.box, resources, content, self.drawing.title, self.drawing.description)

    def _painted(self, path: str, color: str, alpha: float) -> None:
        self.lines.append(f"q {self._opacity(alpha)} {_color(color, 'rg')} {path} f Q")

    def _opacity(self, alpha: float) -> str:
        """The operator that sets an opacity."""
        alpha = round(min(alpha, 1.0), 3)
        if alpha not in self._faint:
            name = self._faint[alpha] = f"A{len(self._faint)}"
            self.names["ExtGState"][name] = self.file.add(f"<< /ca {alpha} /CA {alpha} >>")
        return f"/{self._faint[alpha]} gs"

    def _marker(self, look: Look, half: float) -> int:
        """A form object in half-diameters."""
        if look.hollow:
            width = look.hollow / half
            shape = _polygon(outline(look.symbol, width / 2))
            faint = self.file.add(f"<< /CA {look.alpha} >>")
            paint = f"/A gs {_bytes(look.color)} RG {width:.3f} w {shape} S"
            resources = f"/ExtGState << /A {faint} 0 R >>"
        else:
            paint = "\n".join(f"{_bytes(color)} rg {_polygon(points)} f" for points, color in polygons(look, half))
            resources = ""
        head = f"/Type /XObject /Subtype /Form /BBox [-1.2 -1.2 1.2 1.2] /Resources << {resources} >>"
        return self.file.stream(head, paint.encode())

    def _disc(self, disc: Disc) -> None:
        x, y, r = disc.at
        where = f"/ShadingType 3 /Coords [{x:.3f} {y:.3f} 0 {x:.3f} {y:.3f} {r:.3f}] /Extend [true true]"
        colors = [tuple(c / 255 for c in rgb(color)) for _, color, _ in disc.stops]
        shading = self.file.add(f"<< {where} /ColorSpace /DeviceRGB /Function {_function(disc.stops, colors)} >>")
        name = f"S{len(self.names['Shading'])}"
        self.names["Shading"][name] = shading
        alphas = [stop[2] for stop in disc.stops]
        if max(alphas) - min(alphas) < 1e-6:
            state = self._opacity(alphas[0])
        else:
            state = self._mask(
                f"<< {where} /ColorSpace /DeviceGray /Function {_function(disc.stops, [(a,) for a in alphas])} >>", disc
            )
        clip = f"{_circle(disc.x, disc.y, disc.radius)} {_circle(disc.x, disc.y, disc.hole) if disc.hole else ''} W* n"
        self.lines.append(f"q {clip} {state} /{name} sh Q")

    def _mask(self, shading: str, disc: Disc) -> str:
        """Opacity that varies: the brightness of a grey gradient."""
        grey = self.file.add(shading)
        left, top, right, low = disc.x - disc.radius, disc.y - disc.radius, disc.x + disc.radius, disc.y + disc.radius
        head = (
            f"/Type /XObject /Subtype /Form /BBox [{left:.2f} {top:.2f} {right:.2f} {low:.2f}]"
            f" /Group << /S /Transparency /CS /DeviceGray >> /Resources << /Shading << /S {grey} 0 R >> >>"
        )
        form = self.file.stream(head, b"/S sh")
        name = f"K{len(self.names['ExtGState'])}"
        self.names["ExtGState"][name] = self.file.add(f"<< /SMask << /S /Luminosity /G {form} 0 R >> >>")
        return f"/{name} gs"

    def _words(self, text: Text) -> None:
        if not text.text:
            return
        shift = {"left": 0.0, "middle": 0.5, "right": 1.0}[text.anchor] * width_of(text.text, text.size, text.weight)
        x, y = text.x - shift, text.y
        path = face_for(text.text, text.weight)
        if path != FACES[text.weight]:
            self.lines.append(
                f"q {self._opacity(text.alpha)} {_color(text.color, 'rg')} {_outlined(text, path, x, y)} f Q"
            )
            return
        font = self.fonts.setdefault(f"F{list(FACES).index(text.weight)}", PdfFont(path))
        name = next(key for key, value in self.fonts.items() if value is font)
        place = f"/{name} {text.size:.3f} Tf 1 0 0 -1 {x:.3f} {y:.3f} Tm"
        if text.halo:
            pen = f"{_color(text.halo, 'RG')} {text.size * 0.2:.2f} w 1 j 1 Tr"
            self.lines.append(f"q {self._opacity(text.alpha)} {pen} BT {place} {font.shown(text.text)} ET Q")
        self.lines.append(
            f"q {self._opacity(text.alpha)} {_color(text.color, 'rg')} BT {place} {font.shown(text.text)} ET Q"
        )


def _function(stops: tuple[Stop, ...], values: list[tuple[float, ...]]) -> str:
    """Linear between the stops, as a stitching of exponential functions."""
    offsets = [max(0.0, min(1.0, stop[0])) for stop in stops]
    if offsets[0] > 0:
        offsets, values = [0.0, *offsets], [values[0], *values]
    offsets[-1] = 1.0

    def row(v: tuple[float, ...]) -> str:
        return "[" + " ".join(f"{c:.4f}" for c in v) + "]"

    pairs = itertools.pairwise(values)
    pieces = " ".join(f"<< /FunctionType 2 /Domain [0 1] /C0 {row(a)} /C1 {row(b)} /N 1 >>" for a, b in pairs)
    bounds, ends = " ".join(f"{o:.5f}" for o in offsets[1:-1]), " ".join("0 1" for _ in values[1:])
    return f"<< /FunctionType 3 /Domain [0 1] /Functions [{pieces}] /Bounds [{bounds}] /Encode [{ends}] >>"


def _color(color: str, operator: str) -> str:
    return f"{_bytes(rgb(color))} {operator}"


def _bytes(color: tuple[int, int, int]) -> str:
    return " ".join(f"{c / 255:.4g}" for c in color)


def _line(points: np.ndarray) -> str:
    (x, y), *rest = points.tolist()
    return f"{x:.2f} {y:.2f} m " + " ".join(f"{a:.2f} {b:.2f} l" for a, b in rest)


def _polygon(points: np.ndarray) -> str:
    (x, y), *rest = points.tolist()
    return f"{x:.3f} {y:.3f} m " + " ".join(f"{a:.3f} {b:.3f} l" for a, b in rest) + " h"


def _circle(x: float, y: float, r: float) -> str:
    k = QUARTER * r
    turns = [(r, k, k, r, 0, r), (-k, r, -r, k, -r, 0), (-r, -k, -k, -r, 0, -r), (k, -r, r, -k, r, 0)]
    curves = " ".join(" ".join(f"{(x if i % 2 == 0 else y) + v:.3f}" for i, v in enumerate(t)) + " c" for t in turns)
    return f"{x + r:.3f} {y:.3f} m {curves} h"


def _rectangle(box: Box) -> str:
    r = min(box.round, box.w / 2, box.h / 2)
    if r <= 0:
        return f"{box.x:.2f} {box.y:.2f} {box.w:.2f} {box.h:.2f} re"
    x0, y0, x1, y1, k = box.x, box.y, box.x + box.w, box.y + box.h, r * (1 - QUARTER)
    steps = [
        f"{x0 + r:.2f} {y0:.2f} m {x1 - r:.2f} {y0:.2f} l", f"{x1 - k:.2f} {y0:.2f} {x1:.2f} {y0 + k:.2f} {x1:.2f} {y0 + r:.2f} c",
        f"{x1:.2f} {y1 - r:.2f} l", f"{x1:.2f} {y1 - k:.2f} {x1 - k:.2f} {y1:.2f} {x1 - r:.2f} {y1:.2f} c",
        f"{x0 + r:.2f} {y1:.2f} l", f"{x0 + k:.2f} {y1:.2f} {x0:.2f} {y1 - k:.2f} {x0:.2f} {y1 - r:.2f} c",
        f"{x0:.2f} {y0 + r:.2f} l", f"{x0:.2f} {y0 + k:.2f} {x0 + k:.2f} {y0:.2f} {x0 + r:.2f} {y0:.2f} c h",
    ]  # fmt: skip
    return " ".join(steps)


def _outlined(text: Text, path: object, x: float, y: float) -> str:
    """Letters of a machine's font as outlines: they need no font inside the file."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import TextPath

    shape = TextPath((0, 0), text.text, size=text.size, prop=FontProperties(fname=str(path)))
    parts = []
    last = np.zeros(2)
    for points, code in shape.iter_segments(curves=True, simplify=False):
        p = [f"{x + points[k]:.2f} {y - points[k + 1]:.2f}" for k in range(0, len(points), 2)]
        if code == 1:
            parts.append(f"{p[0]} m")
            last = points[-2:]
        elif code == 2:
            parts.append(f"{p[0]} l")
            last = points[-2:]
        elif code == 3:  # a quadratic curve, raised to a cubic
            c, e = points[:2], points[2:]
            a, b = last + 2 / 3 * (c - last), e + 2 / 3 * (c - e)
            parts.append(" ".join(f"{x + q[0]:.2f} {y - q[1]:.2f}" for q in (a, b, e)) + " c")
            last = e
        elif code == 4:
            parts.append(" ".join(p) + " c")
            last = points[-2:]
        else:
            parts.append("h")
    return " ".join(parts)
