"""Caption, legend, timeline and W2 curve as shapes: what stands still and what moves with the film, apart."""

from __future__ import annotations

from typing import Any

import numpy as np

from mtm_viz.dynamics.schedule import UNDO
from mtm_viz.rendering.layout import Frame, Layout
from mtm_viz.rendering.lettering import fitted, lines_of, width_of
from mtm_viz.rendering.moments import Moments
from mtm_viz.rendering.numbers import phase_title, radians
from mtm_viz.rendering.sentences import phase_sentence
from mtm_viz.rendering.shapes import Box, Icon, Path, Shape, Text
from mtm_viz.rendering.style import SYMBOLS


class Panels:
    """The words and charts of one run in one layout. `note`: said in the lower right corner (a projection, say)."""

    def __init__(self, moments: Moments, layout: Layout, theme: dict[str, Any], note: str = "") -> None:
        self.moments, self.layout, self.theme, self.note = moments, layout, theme, note
        schedule = moments.run.schedule
        starts = [k for k, s in enumerate(schedule) if k == 0 or s.phase != schedule.segments[k - 1].phase]
        ends = [*starts[1:], len(schedule)]
        at = moments.segment_starts
        self.bands = [
            (schedule.segments[a].phase, a, b, float(at[a]), float(at[b])) for a, b in zip(starts, ends, strict=True)
        ]
        run = moments.run
        self.scale = value_scale(max((float(w.max()) for w in run.w2), default=1.0))
        span = run.times[-1] - run.times[0]
        self.clock = (run.times - run.times[0]) / (span if span > 0 else 1)

    def still(self) -> list[Shape]:
        """All that does not change from frame to frame."""
        shapes: list[Shape] = []
        layout, u, theme = self.layout, self.layout.unit, self.theme
        if layout.title:
            room = layout.width - 2 * layout.margin
            text = fitted(layout.title, 26 * u, room, "semibold")
            shapes.append(Text(layout.margin, layout.margin + 22 * u, text, 26 * u, theme["ink"], "semibold"))
        if layout.timeline:
            shapes += self._timeline(layout.timeline)
        if layout.curve:
            shapes += self._curves(layout.curve)
        if "legend" in layout.parts:
            shapes += self._legend()
        if self.note and layout.parts & {"caption", "legend"}:
            y = layout.stage.y + layout.stage.h - 5 * u
            shapes.append(Text(layout.stage.x + layout.stage.w, y, self.note, 13 * u, theme["quiet"], anchor="right"))
        return shapes

    def moving(self, at: float) -> list[Shape]:
        """Playhead, cursor, phase and numbers at display time `at`."""
        shapes: list[Shape] = []
        if "caption" in self.layout.parts:
            shapes += self._caption(at)
        if "legend" in self.layout.parts:
            shapes += self._legend_values(at)
        if self.layout.timeline:
            shapes += self._playhead(self.layout.timeline, at)
        if self.layout.curve:
            shapes += self._cursor(self.layout.curve, at)
        return shapes

    def _caption(self, at: float) -> list[Shape]:
        layout, u = self.layout, self.layout.unit
        phase = self.moments.run.schedule.segments[self.moments.segment(at)].phase
        title = phase_title(phase)
        x, y = layout.margin, layout.top + 17 * u
        shapes: list[Shape] = [Text(x, y, title[:1].upper() + title[1:], 22 * u, self.theme["ink"], "semibold")]
        if not layout.narrow:
            room = min(378 * u, 0.42 * layout.stage.w)
            for k, line in enumerate(lines_of(phase_sentence(phase), 14.5 * u, room, 4)):
                shapes.append(Text(x, y + (23 + 20 * k) * u, line, 14.5 * u, self.theme["quiet"]))
        return shapes

    @property
    def _rows(self) -> tuple[float, float, float, int]:
        """The legend: left, first baseline, width, how many rows fit."""
        layout, u = self.layout, self.layout.unit
        count = len(self.moments.run.names)
        fits = max(1, min(count, int(layout.stage.h * 0.5 / (25 * u))))
        widest = max(width_of(name, 14.5 * u) for name in self.moments.run.names[:fits])
        wide = min(max(168 * u, widest + 100 * u), 0.45 * layout.stage.w)
        bottom = layout.stage.y + layout.stage.h
        return layout.margin, bottom - 26 * u - 25 * u * (fits - 1), wide, fits

    def _legend(self) -> list[Shape]:
        u, theme = self.layout.unit, self.theme
        x, y, wide, fits = self._rows
        shapes: list[Shape] = []
        for k, name in enumerate(self.moments.run.names[:fits]):
            base = y + 25 * u * k
            color = theme["measures"][k % len(theme["measures"])]
            shapes.append(Icon(x + 7.5 * u, base - 5 * u, 13.5 * u, SYMBOLS[k % len(SYMBOLS)], color))
            shapes.append(Text(x + 23 * u, base, fitted(name, 14.5 * u, wide - 90 * u), 14.5 * u, theme["ink"]))
        base = y + 25 * u * (fits - 1) + 21 * u
        rest = len(self.moments.run.names) - fits
        said = f"and {rest} more" if rest else "hollow: target" if "targets" in self.layout.parts else ""
        shapes.append(Text(x, base, said, 12 * u, theme["quiet"]))
        if self.moments.run.w2:
            shapes.append(Text(x + wide, base, "W₂ rad", 12 * u, theme["quiet"], anchor="right"))
        return shapes

    def _legend_values(self, at: float) -> list[Shape]:
        u = self.layout.unit
        x, y, wide, fits = self._rows
        return [
            Text(
                x + wide, y + 25 * u * k, radians(self.moments.w2(k, at)), 14.5 * u, self.theme["quiet"], anchor="right"
            )
            for k in range(min(fits, len(self.moments.run.w2)))
        ]

    def _timeline(self, frame: Frame) -> list[Shape]:
        u, theme = self.layout.unit, self.theme
        starts = self.moments.segment_starts
        shapes: list[Shape] = []
        for phase, first, last, begin, end in self.bands:
            x, wide = frame.x + begin * frame.w, max(u, (end - begin) * frame.w - 1.5 * u)
            color = theme["phases"].get(phase.removeprefix(UNDO), theme["line"])
            shapes.append(Box(x, frame.y, wide, frame.h, color, round=min(5 * u, wide / 2)))
            if phase.startswith(UNDO):
                shapes += hatching(Frame(x, frame.y, wide, frame.h), 8 * u, 1.5 * u, theme["page"])
            inside = starts[first + 1 : last]
            apart = (end - begin) * frame.w / (len(inside) + 1)
            if len(inside):
                tall, alpha = (4, 0.25) if apart < 3 * u else (6, 0.6)
                # Where ticks would touch, no more than the eye can tell apart are written.
                every = max(1, int(np.ceil(1.0 / max(apart, 1e-6))))
                shapes += [
                    Box(
                        frame.x + t * frame.w - 0.5 * u,
                        frame.y + frame.h - tall * u,
                        u,
                        tall * u,
                        theme["quiet"],
                        alpha,
                    )
                    for t in inside[::every]
                ]
            name, size, room = phase_title(phase), 13.5 * u, wide - 10 * u
            if width_of(name, size, "semibold") > room:
                name = name.removesuffix(", undone")
            if width_of(name, size, "semibold") <= room:
                y = frame.y + frame.h / 2 + 4 * u
                shapes.append(Text(x + wide / 2, y, name, size, theme["ink"], "semibold", "middle"))
        return shapes

    def _playhead(self, frame: Frame, at: float) -> list[Shape]:
        u, x = self.layout.unit, frame.x + at * frame.w
        ink, page = self.theme["ink"], self.theme["outline"]
        top, tall = frame.y - 5 * u, frame.h + 10 * u
        return [
            Box(x - 3 * u, top - 1.5 * u, 6 * u, tall + 3 * u, page, round=3 * u),
            Box(x - 7 * u, top - 5.5 * u, 14 * u, 14 * u, page, round=7 * u),
            Box(x - 1.5 * u, top, 3 * u, tall, ink, round=1.5 * u),
            Box(x - 5.5 * u, top - 4 * u, 11 * u, 11 * u, ink, round=5.5 * u),
        ]

    def _chart(self, frame: Frame) -> Frame:
        """The curves' own rectangle within their card."""
        u = self.layout.unit
        return Frame(frame.x + 44 * u, frame.y + 44 * u, frame.w - 62 * u, frame.h - 76 * u)

    def _curves(self, frame: Frame) -> list[Shape]:
        u, theme = self.layout.unit, self.theme
        chart = self._chart(frame)
        shapes: list[Shape] = [
            Box(frame.x, frame.y, frame.w, frame.h, theme["panel"], round=10 * u),
            Text(frame.x + 14 * u, frame.y + 25 * u, "W₂ to target (rad)", 15 * u, theme["ink"], "semibold"),
        ]
        end, ticks = self.scale
        for v in ticks:
            y = chart.y + chart.h * (1 - v / end)
            shapes.append(Box(chart.x, y - 0.5 * u, chart.w, u, theme["line"]))
            shapes.append(Text(chart.x - 7 * u, y + 4 * u, f"{v:g}", 12.5 * u, theme["quiet"], anchor="right"))
        base = chart.y + chart.h + 19 * u
        shapes.append(Text(chart.x + chart.w / 2, base, "layer time", 12.5 * u, theme["quiet"], anchor="middle"))
        shapes.append(Text(chart.x, base, "0", 12.5 * u, theme["quiet"]))
        shapes.append(Text(chart.x + chart.w, base, "1", 12.5 * u, theme["quiet"], anchor="right"))
        for k, w2 in enumerate(self.moments.run.w2):
            points = np.stack([chart.x + self.clock * chart.w, chart.y + chart.h * (1 - w2 / end)], axis=1)
            color = theme["measures"][k % len(theme["measures"])]
            shapes.append(Path(thinned(points), color, 1.9 * u))
        return shapes

    def _cursor(self, frame: Frame, at: float) -> list[Shape]:
        u, chart, run = self.layout.unit, self._chart(frame), self.moments.run
        span = run.times[-1] - run.times[0]
        t = (self.moments.layer_time(at) - run.times[0]) / (span if span > 0 else 1)
        return [Box(chart.x + t * chart.w - 0.9 * u, chart.y - 2 * u, 1.8 * u, chart.h + 2 * u, self.theme["ink"])]


def value_scale(top: float) -> tuple[float, list[float]]:
    """The end of an axis from 0 that holds `top`, and the ticks to write beside it.

    >>> value_scale(2.1)
    (2.5, [0.0, 0.5, 1.0, 1.5, 2.0, 2.5])
    """
    top = max(top, 1e-12)
    step = next((s for s in (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0) if top / s <= 4.5), 1.0)
    if top < 1e-3:
        step = 10.0 ** np.floor(np.log10(top))
    count = max(1, int(np.ceil(top / step - 1e-9)))
    return float(count * step), [float(f"{k * step:.12g}") for k in range(count + 1)]


def hatching(frame: Frame, apart: float, width: float, color: str) -> list[Shape]:
    """Lines at 45 degrees inside a rectangle: an undone phase."""
    lines: list[Shape] = []
    for k in np.arange(frame.x - frame.h, frame.x + frame.w, apart):
        a, b = max(k, frame.x), min(k + frame.h, frame.x + frame.w)
        if b > a:
            ends = np.array([[a, frame.y + frame.h - (a - k)], [b, frame.y + frame.h - (b - k)]])
            lines.append(Path(ends, color, width, 0.5))
    return lines


def thinned(points: np.ndarray, finest: float = 0.2) -> np.ndarray:
    """A polyline without the points that move it by less than `finest` pixels from the last one kept."""
    kept = [0]
    for k in range(1, len(points)):
        if np.abs(points[k] - points[kept[-1]]).max() >= finest or k == len(points) - 1:
            kept.append(k)
    return points[kept]
