"""The certificate as Markdown, for a README, an issue or a notebook."""

from __future__ import annotations

from typing import Any, BinaryIO

from mtm_viz.export.summary_json import summary
from mtm_viz.rendering.numbers import phase_title
from mtm_viz.run import Run

MIME_TYPE = "text/markdown"


def write_md(run: Run, stream: BinaryIO) -> None:
    stream.write(markdown(run).encode())


def markdown(run: Run) -> str:
    """W2 of every pair before and after, the phases with what was checked, and how it was measured."""
    said, certificate = summary(run), run.certificate
    schedule = said["schedule"]
    lines = [f"# One Transformer: {_cell(', '.join(run.names))}", ""]
    lines += ["| pair | atoms | W2 before (rad) | W2 after (rad) |", "|---|--:|--:|--:|"]
    lines += [f"| {_cell(p['name'])} | {p['atoms']} | {p['w2_before']:.6g} | {p['w2']:.6g} |" for p in said["pairs"]]
    lines += [
        "",
        "## The schedule",
        "",
        "| phase | segments | duration | claim | value | condition |",
        "|---|--:|--:|---|--:|--:|",
    ]
    claims = [c for c in certificate.get("phases", []) if isinstance(c, dict)]
    for phase in schedule["phases"]:
        claim = next((c for c in claims if c.get("phase") == phase["phase"]), {})
        if claim:
            claims.remove(claim)
        numbers = " | ".join(_number(claim.get(key)) for key in ("value", "condition"))
        lines.append(
            f"| {phase_title(phase['phase'])} | {phase['segments']} | {phase['duration']:.6g} | {_cell(str(claim.get('claim', '')))} | {numbers} |"
        )
    bound = certificate.get("paper_bound")
    lines += ["", f"- {schedule['switches']} switches" + (f" (the paper's bound: {bound})" if bound else "")]
    lines.append(f"- largest spectral norm of V and W at total time 1: {schedule['sup_norm']:.6g}")
    if certificate.get("condition"):
        lines.append(f"- condition number: {_number(certificate['condition'])}")
    how = certificate.get("integrator", {})
    if how:
        lines.append(f"- integrated from the raw inputs by {how.get('method')} at rtol {how.get('rtol')}")
    if certificate.get("transport"):
        lines.append(f"- W2: {certificate['transport']}")
    if certificate.get("versions"):
        lines.append("- versions: " + ", ".join(f"{k} {v}" for k, v in certificate["versions"].items()))
    return "\n".join(lines) + "\n"


def _cell(text: str) -> str:
    """Text that cannot end a table's cell."""
    return " ".join(text.split()).replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;")


def _number(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, int | float) and not isinstance(value, bool) else ""
