"""The certificate and what it is about, as JSON."""

from __future__ import annotations

import json
from typing import Any, BinaryIO

from mtm_viz.run import Run

MIME_TYPE = "application/json"


def write_summary_json(run: Run, stream: BinaryIO) -> None:
    stream.write(json.dumps(summary(run), indent=2, ensure_ascii=False).encode() + b"\n")


def summary(run: Run) -> dict[str, Any]:
    """Sizes, W2 before and after for every pair, the schedule in numbers, and the certificate itself."""
    pairs = [
        {
            "name": name,
            "atoms": int(run.trajectories[i].shape[1]),
            "target_atoms": len(run.targets[i]),
            "w2_before": float(run.w2[i][0]),
            "w2": float(run.w2[i][-1]),
        }
        for i, name in enumerate(run.names)
    ]
    phases: list[dict[str, Any]] = []
    for segment in run.schedule:
        if not phases or phases[-1]["phase"] != segment.phase:
            phases.append({"phase": segment.phase, "segments": 0, "duration": 0.0})
        phases[-1]["segments"] += 1
        phases[-1]["duration"] += segment.duration
    return {
        "format": "mtm-summary",
        "version": 1,
        "dimension": run.schedule.dimension,
        "pairs": pairs,
        "schedule": {
            "segments": len(run.schedule),
            "switches": run.schedule.switches,
            "width": run.schedule.width,
            "duration": run.schedule.duration,
            "sup_norm": run.schedule.sup_norm,
            "phases": phases,
        },
        "certificate": run.certificate,
    }
