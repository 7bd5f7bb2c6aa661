"""What the page Explore holds: the scenario as edited, the last good simulation, and the one being computed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mtm_viz.errors import InputError
from mtm_viz.scenario import Scenario
from mtm_viz.simulation import Simulation
from mtm_viz.ui import cached, jobs, state
from mtm_viz.ui.draft import canonical
from mtm_viz.ui.examples import FIRST, Example
from mtm_viz.ui.jobs import Done, Failed, Job
from mtm_viz.ui.observing import measured, names
from mtm_viz.ui.scenario_link import pack_scenario, unpack_scenario

#: Largest error of a particle in a step: a thousandth of a pixel, and several times faster than a file's.
RTOL = 1e-6
#: How long a change may hold the page before progress is shown instead, in seconds.
PATIENCE = 0.8

EXAMPLE, SCENARIO = "example", "scenario"


def begin() -> None:
    """Once a script run: in the page's first, what the link says."""
    if _held():
        return
    examples = cached.examples()
    try:
        packed, name = state.asked(SCENARIO), state.asked(EXAMPLE) or FIRST
        if packed:
            take(unpack_scenario(packed))
        elif name in examples:
            take_example(examples[name])
        else:
            raise InputError(f'it names an example "{name[:40]}" that does not exist')
    except InputError as problem:
        take_example(examples[FIRST])
        _held()["notice"] = f"This link could not be used ({problem}), so here is the first example."


def write_link() -> None:
    """Make the address restore this scenario: by example, or packed; one of too many points has its file only."""
    name = example()
    state.answer({EXAMPLE: name, SCENARIO: None if name else pack_scenario(said())})


def said() -> dict[str, Any]:
    """The scenario as it is edited, JSON; it may not be valid."""
    return _held()["said"]


def example() -> str | None:
    """The name of the example it still equals, or None."""
    return _held()["example"]


def source() -> int:
    """Counts how often the scenario came from elsewhere than its controls, which are then drawn anew."""
    return _held()["source"]


def top() -> float:
    """Where the slider of beta ends: wide enough for what came in, and the same while it is moved."""
    return _held()["top"]


def notice() -> str:
    return _held()["notice"]


def edit(changed: dict[str, Any]) -> None:
    """Take over what the controls say."""
    if canonical(changed) != canonical(said()):
        _held().update(said=changed, example=None, notice="")


def take(scenario: dict[str, Any]) -> None:
    """Replace the scenario by one that has been read and checked."""
    held = _held()
    held |= {"said": scenario, "example": None, "source": held.get("source", 0) + 1, "notice": "", "failure": None}
    held["top"] = max(30.0, 2.0 * abs(float(scenario["dynamics"].get("beta", 1.0))))
    held.setdefault("shown", None)
    held.setdefault("job", None)


def take_example(chosen: Example) -> None:
    take(chosen.scenario)
    _held()["example"] = chosen.name


def shown() -> Simulation | None:
    """The last good simulation."""
    return _held()["shown"]


def failure() -> str:
    """Why the scenario at the left has no picture, or ""."""
    failed: Failed | None = _held()["failure"]
    return failed.sentence if failed else ""


def running() -> Job | None:
    return _held()["job"]


def cancel() -> None:
    """Stop computing; the last good picture stays."""
    if running() is not None:
        running().cancel()  # pyright: ignore[reportOptionalMemberAccess]
    _held()["job"], _held()["failure"] = None, Failed("stopped: change a control, or press Compute, to try again")


def again() -> None:
    """Forget why it failed, so that it is tried again."""
    _held()["failed_text"] = ""


def follow(scenario: Scenario) -> None:
    """Show this scenario: at once where it is known or quick; otherwise its job runs on and the last good picture stays."""
    held, text = _held(), canonical(scenario.to_json())
    known = cached.explored().get(text)
    if known is not None:
        _stop()
        held |= {"shown": known, "failure": None}
        return
    if held.get("failed_text") == text and held["failure"] is not None:
        return
    job: Job | None = held["job"]
    if job is None or job.key != text:
        _stop()
        held |= {"failure": None, "failed_text": text}
        job = held["job"] = jobs.start(cached.pool(), text, _work(scenario))
        job.wait(PATIENCE)
    outcome = job.outcome
    if isinstance(outcome, Done):
        cached.explored().put(text, outcome.value)
        held |= {"shown": outcome.value, "job": None}
    elif isinstance(outcome, Failed):
        held |= {"failure": outcome, "job": None}


def _work(scenario: Scenario) -> Callable[[jobs.Progress], Simulation]:
    def work(report: jobs.Progress) -> Simulation:
        from mtm_viz.simulate import simulate  # imported here: the page does not wait for the kernels

        found = simulate(scenario, backend="numpy", rtol=RTOL, progress=report)
        for name in names():
            report("measuring", 1.0)
            measured(found, name)
        return found

    return work


def _stop() -> None:
    job: Job | None = _held()["job"]
    if job is not None:
        job.cancel()
    _held()["job"] = None


def _held() -> dict[str, Any]:
    return state.kept("explore")
