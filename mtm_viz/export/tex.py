"""The schedule as a LaTeX table, a row a segment. Needs booktabs and longtable."""

from __future__ import annotations

from typing import BinaryIO

import numpy as np

from mtm_viz.dynamics.schedule import Segment
from mtm_viz.rendering.numbers import phase_title
from mtm_viz.rendering.reading import read_segment
from mtm_viz.run import Run

MIME_TYPE = "application/x-tex"

_SPECIAL = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
}  # fmt: skip


def write_tex(run: Run, stream: BinaryIO) -> None:
    stream.write(table(run).encode())


def table(run: Run) -> str:
    """longtable with k, phase, duration, norms of V, B and W, and what the segment does."""
    names = escaped(", ".join(run.names))
    head = r"$k$ & phase & $T_k$ & $\|V\|$ & $\|B\|$ & $\|W\|$ & acts by \\"
    size = rf"$\|\theta\|_\infty = {_number(run.schedule.sup_norm)}$ at total time {_number(run.schedule.duration)}"
    counts = f"{len(run.schedule)} segments, {run.schedule.switches} switches"
    lines = [
        "% Written by mtm_viz; needs \\usepackage{booktabs,longtable,amsmath}",
        r"\begin{longtable}{rlrrrrl}",
        rf"\caption{{The schedule $\theta = (V, B, W, U, b)$ for {names}: {counts}, {size}.}}\\",
        r"\toprule", head, r"\midrule", r"\endfirsthead", r"\toprule", head, r"\midrule", r"\endhead", r"\bottomrule", r"\endfoot",
    ]  # fmt: skip
    for k, segment in enumerate(run.schedule, start=1):
        norms = " & ".join(f"${_number(float(np.linalg.norm(m, 2)))}$" for m in (segment.V, segment.B, segment.W))
        title = escaped(phase_title(segment.phase))
        lines.append(rf"{k} & {title} & ${_number(segment.duration)}$ & {norms} & {_acts(segment)} \\")
    return "\n".join([*lines, r"\end{longtable}", ""])


def _acts(segment: Segment) -> str:
    """Gate with its half-space, drift, rotation or attention, in a formula."""
    reading = read_segment(segment)
    parts = ["attention"] if reading.attends else []
    if reading.rotation is not None:
        angle = np.degrees(np.linalg.norm(reading.rotation) / np.sqrt(2) * segment.duration)
        parts.append(rf"rotation by ${angle:.1f}^\circ$")
    parts += [rf"gate $\langle {_vector(g.a)}, x\rangle > {g.tau:.3f}$" for g in reading.gates[:3]]
    if len(reading.gates) > 3:
        parts.append(f"{len(reading.gates) - 3} more gates")
    if reading.drift is not None:
        parts.append(rf"drift to ${_vector(reading.drift / np.linalg.norm(reading.drift))}$")
    return ", ".join(parts) or "rest"


def _vector(x: np.ndarray) -> str:
    inside = ",".join(f"{v:.2f}" for v in x[:4]) + (r",\dots" if len(x) > 4 else "")
    return f"({inside})"


def _number(x: float) -> str:
    r"""
    >>> _number(0.00012), _number(3.5), _number(0.0)
    ('1.20\\cdot 10^{-4}', '3.5', '0')
    """
    if x == 0:
        return "0"
    if 1e-3 <= abs(x) < 1e5:
        return f"{x:.4g}"
    digits, exponent = f"{x:.2e}".split("e")
    return rf"{digits}\cdot 10^{{{int(exponent)}}}"


def escaped(text: str) -> str:
    r"""
    >>> escaped("50% & more")
    '50\\% \\& more'
    """
    return "".join(_SPECIAL.get(c, c) for c in " ".join(text.split()))
