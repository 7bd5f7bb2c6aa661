"""What the page Explore holds: the scenario as edited, the runs of it and of the one it is compared with, and the way back."""

from __future__ import annotations

from typing import Any

from mtm_viz.errors import InputError
from mtm_viz.run import Run
from mtm_viz.ui import cached, state
from mtm_viz.ui.examples import FIRST, Example
from mtm_viz.ui.replaying import scenario_of
from mtm_viz.ui.scenario_link import pack_scenario, read_scenario, unpack_scenario
from mtm_viz.ui.watching import Watched

#: Names in the address: an example, a preset whose solved schedule is replayed, a scenario, and the one beside it.
EXAMPLE, SOLVED, SCENARIO, BESIDE = "example", "solved", "scenario", "beside"
#: The slider of beta ends here at the most; a number beyond it is typed.
WIDEST = 1_000.0


def begin() -> None:
    """Once a script run: in the page's first, what the link says."""
    if _held():
        return
    try:
        _open(state.asked(SCENARIO), state.asked(EXAMPLE), state.asked(SOLVED), state.asked(BESIDE))
    except InputError as problem:
        take_example(_example(FIRST))
        _held()["notice"] = f"This link could not be used ({problem}), so here is the first example."


def _open(packed: str | None, name: str | None, solved: str | None, compared: str | None) -> None:
    """What the address says: where it came from, and what it is now where that is something else."""
    said = unpack_scenario(packed) if packed else None
    before = unpack_scenario(compared) if compared else None
    if solved:
        take_solved(solved)
    elif name or said is None:
        take_example(_example(name or FIRST))
    if said is not None:
        kept = {key: _held()[key] for key in ("title", "origin", "original")} if name or solved else {}
        take(said)
        if kept and ("schedule" in kept["original"]) == ("schedule" in said):
            _held().update(kept)
    if before is not None:
        _held()["beside"] = (before, Watched())


def _example(name: str) -> Example:
    found = cached.examples().get(name)
    if found is None:
        raise InputError(f'it names an example "{name[:40]}" that does not exist')
    return found


def write_link() -> None:
    """Make the address restore this page: by example, by preset, or packed; what is too long for it has its file only."""
    kind, name = _held()["origin"] or ("", "")
    beside = compared_with()
    state.answer({
        EXAMPLE: name if kind == EXAMPLE else None, SOLVED: name if kind == SOLVED else None,
        SCENARIO: None if name and said() == original() else pack_scenario(said()),
        BESIDE: None if beside is None else pack_scenario(beside),
    })  # fmt: skip


def fits_link() -> bool:
    """Whether the address brings back what is shown."""
    beside = compared_with()
    whole = (_held()["origin"] and said() == original()) or pack_scenario(said()) is not None
    return whole and (beside is None or pack_scenario(beside) is not None)


def said() -> dict[str, Any]:
    """The scenario as it is edited, JSON; it may not be valid."""
    return _held()["said"]


def example() -> str | None:
    """The name of the example it still equals, or equals again, or None."""
    kind, name = _held()["origin"] or ("", None)
    return name if kind == EXAMPLE and said() == original() else None


def title() -> str:
    """What it came from, for the heading."""
    return _held()["title"]


def source() -> int:
    """Counts how often the scenario came from elsewhere than its controls, which are then drawn anew."""
    return _held()["source"]


def top() -> float:
    """Where the slider of beta ends: wide enough for what came in or was typed, and the same while it is moved."""
    return _held()["top"]


def is_signed() -> bool:
    """Whether the slider of beta reaches below 0."""
    return _held()["is_signed"]


def notice() -> str:
    return _held()["notice"]


def edit(changed: dict[str, Any]) -> None:
    """Take over what the controls say."""
    if changed != said():  # 14 and 14.0 are the same
        _held().update(said=changed, notice="")


def widen(beta: float) -> None:
    """Let the slider of beta reach this."""
    _held()["top"], _held()["is_signed"] = max(top(), _top(beta)), is_signed() or beta < 0


def note_typed() -> None:
    """Count a number that was typed beside a control that shows it too: both are drawn anew after this script run.

    Such numbers are read from what the widget returns, never in an on_change: a browser may send the state of a widget
    that is no longer drawn, and Streamlit then calls the callback of that one.
    """
    _held()["typed"] += 1


def typed() -> int:
    """How often that was; in the names of the widgets, so that none comes back."""
    return _held()["typed"]


def _top(beta: float) -> float:
    return min(WIDEST, max(30.0, 2.0 * abs(beta)))


def take(scenario: dict[str, Any], title: str = "") -> None:
    """Replace the scenario by one that has been read and checked; what is edited from here on can be brought back to it."""
    held = _held()
    held |= {
        "said": scenario,
        "title": title,
        "origin": None,
        "notice": "",
        "past": [],
        "chosen": 0,
        "bench_fault": "",
    }
    held |= {"source": held.get("source", 0) + 1, "original": scenario}
    beta = scenario["dynamics"].get("beta", 1.0)
    beta = float(beta) if isinstance(beta, int | float) else 1.0
    held |= {"top": _top(beta), "is_signed": beta < 0}
    held.setdefault("typed", 0)
    held.setdefault("beside", None)
    held.setdefault("now", Watched()).failure = None


def take_example(chosen: Example) -> None:
    take(chosen.scenario, chosen.title)
    _held()["origin"] = (EXAMPLE, chosen.name)


def take_run(run: Run, title: str, preset: str | None = None) -> None:
    """Replay the schedule of an interpolation. Raises InputError where the page cannot show it."""
    take(read_scenario(scenario_of(run)).to_json(), title)
    _held()["origin"] = (SOLVED, preset) if preset else None


def take_solved(name: str) -> None:
    """Replay the run that came with a preset."""
    run = cached.shipped_run(name) if name in cached.presets() else None
    if run is None:
        raise InputError(f'it names a preset "{name[:40]}" that does not exist')
    take_run(run, cached.presets()[name].title, name)


def now() -> Watched:
    """The scenario at the left, as it is watched."""
    return _held()["now"]


def beside() -> Watched | None:
    """A of A | B, as it is watched, or None."""
    return _held()["beside"][1] if _held()["beside"] else None


def compared_with() -> dict[str, Any] | None:
    """The scenario that A shows, or None."""
    return _held()["beside"][0] if _held()["beside"] else None


def keep_beside() -> None:
    """Keep what is shown as A; what is changed from here on is B."""
    _held()["beside"] = (said(), now().copied())


def stop_comparing() -> None:
    watched = beside()
    if watched is not None:
        watched.stop()
    _held()["beside"] = None


def back_to_beside() -> None:
    """Make B what A is."""
    before = compared_with()
    if before is not None:
        take(before, title())


def original() -> dict[str, Any]:
    """The scenario as it came, before anything was edited."""
    return _held()["original"]


def back_to_original() -> None:
    """Undo every edit of the schedule; this can be undone too."""
    change_schedule(original()["schedule"])


def change_schedule(segments: list[dict[str, Any]]) -> None:
    """Replace the schedule and remember the one before."""
    _held()["past"].append(said()["schedule"])
    complain("")
    edit(said() | {"schedule": segments})
    choose_segment(chosen())


def undo() -> None:
    """The schedule as it was before the last change."""
    if past():
        edit(said() | {"schedule": _held()["past"].pop()})
        choose_segment(chosen())


def complain(fault: str) -> None:
    """Keep a sentence about what was typed for a segment, until the schedule changes."""
    _held()["bench_fault"] = fault


def bench_fault() -> str:
    return _held()["bench_fault"]


def past() -> int:
    """How many changes of the schedule can be undone."""
    return len(_held()["past"])


def chosen() -> int:
    """The segment being edited, from 0."""
    return _held()["chosen"]


def choose_segment(k: int) -> None:
    _held()["chosen"] = min(max(k, 0), len(said()["schedule"]) - 1)


def divide() -> None:
    """Turn one law into a schedule of two segments that say the same."""
    half = {"duration": said()["horizon"] / 2, "phase": "segment"}
    whole = {key: value for key, value in said().items() if key != "horizon"} | {"schedule": [half, half]}
    take(whole, title())


def unite() -> None:
    """One law throughout again: what the whole scenario says, for as long as the schedule lasted."""
    lasts = sum(float(segment["duration"]) for segment in said()["schedule"])
    take({key: value for key, value in said().items() if key != "schedule"} | {"horizon": lasts}, title())


def start_with(initial: list[dict[str, Any]]) -> None:
    """Let these measures go instead; the controls are drawn anew, the schedule and the way back stay."""
    edit(said() | {"initial": initial[0] if len(initial) == 1 else initial})
    _held()["source"] += 1


def _held() -> dict[str, Any]:
    return state.kept("explore")
