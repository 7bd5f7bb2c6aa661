"""A scenario as text short enough for a link, and back; a link is hostile until read."""

from __future__ import annotations

from typing import Any

from mtm_viz.errors import InputError
from mtm_viz.files import load_json
from mtm_viz.scenario import Scenario
from mtm_viz.ui.draft import canonical
from mtm_viz.ui.packing import deflated, inflated

#: Particles and frames the page lets go live; the command line has no such bound.
MOST_PARTICLES = 3_000
MOST_FRAMES = 1_000
MOST_POSITIONS = 1_000_000


def pack_scenario(said: dict[str, Any]) -> str | None:
    """The scenario as URL-safe text, or None where that would be too long for a link."""
    return deflated(canonical(said).encode())


def unpack_scenario(text: str) -> dict[str, Any]:
    """The scenario in a link, checked. Raises InputError for anything else, without unpacking more than it should."""
    return read_scenario(load_json(inflated(text))).to_json()


def read_scenario(said: Any) -> Scenario:
    """The scenario of decoded JSON, small enough to be shown live. Raises InputError before anything large is drawn."""
    if isinstance(said, dict):
        _refuse_too_large(said)
    scenario = Scenario.from_json(said)
    particles = sum(len(measure) for measure in scenario.measures)
    if particles * len(scenario.segment) > MOST_POSITIONS:
        raise InputError(
            f'"frames" {len(scenario.segment)} of {particles:,} particles are more than the page shows: '
            f"give at most {MOST_POSITIONS // particles:,}"
        )
    return scenario


def _refuse_too_large(said: dict[str, Any]) -> None:
    initial = said.get("initial")
    listed = initial if isinstance(initial, list) else [initial]
    n = 0
    for measure in (one for one in listed if isinstance(one, dict)):
        points, count = measure.get("points"), measure.get("n", 200)
        n += len(points) if isinstance(points, list) else count if isinstance(count, int) else 0
    if n > MOST_PARTICLES:
        raise InputError(
            f'"n" makes {n:,} particles and this page shows at most {MOST_PARTICLES:,}: '
            "use fewer, or run `python -m mtm_viz simulate`"
        )
    frames = said.get("frames", 200)
    if isinstance(frames, int) and frames > MOST_FRAMES:
        raise InputError(f'"frames" is {frames:,} and this page shows at most {MOST_FRAMES:,}: use fewer')
