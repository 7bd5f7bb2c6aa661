"""What a session holds. The only file that touches st.session_state and st.query_params.

Values under these keys survive reruns, errors and page changes, since no widget owns them; widgets are drawn from them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import streamlit as st

from mtm_viz.errors import InputError
from mtm_viz.run import Run
from mtm_viz.ui import link
from mtm_viz.ui.arrange import is_empty
from mtm_viz.ui.choice import IN_LINK, Choice, from_link
from mtm_viz.ui.draft import Draft, digest
from mtm_viz.ui.jobs import Done, Failed, Job
from mtm_viz.ui.presets import FIRST, Preset

View = Literal["on", "off", "both"]

#: The one table of defaults. Each is made anew for each session.
DEFAULTS: dict[str, Callable[[], Any]] = {
    "draft": lambda: None,  # Draft; None only until the link has been read
    "preset": lambda: FIRST,  # name of the preset the draft still equals, or None
    "choice": Choice,  # how it is to be solved
    "usual": Choice,  # how the preset is solved where nothing else is said
    "choice_resets": lambda: 0,  # counts the times the program, not the person, changed the choice
    "steps": dict,  # by "past" and "ahead": what remedies changed; see mtm_viz.ui.steps
    "run": lambda: None,  # the Run last solved or loaded, kept whatever happens after
    "run_text": lambda: "",  # the key of that run: the problem it solves, and how
    "certified": dict,  # by problem and strategy: the certificates of runs shown in this session
    "ablation": lambda: None,  # the same schedule replayed with V = 0
    "view": lambda: "on",
    "view_resets": lambda: 0,  # counts the times the program, not the person, changed the view
    "job": lambda: None,  # the session's one running Job
    "job_kind": lambda: "",  # "solve" or "ablate"
    "wish": lambda: False,  # Solve was pressed and not yet acted on
    "failure": lambda: None,  # Failed: shown beside Solve until the next try
    "notice": lambda: "",  # one kind sentence about a link or a file that could not be used
    "edited": lambda: (None, "input"),  # uid and side of the measure that is drawn or imported
    "makers": dict,  # by "brush" and "shape": the edited measure as it left it, and how often it came from elsewhere
    "heard": dict,  # by component: the last of its messages that was dealt with
    "proposal": lambda: None,  # a measure read from a file or a paste, not yet accepted
    "awaited": lambda: "",  # the work that the link names and the browser is asked for
    "making": dict,  # by "job" and "made": the file being made from a run, and the one made last
    "explore": dict,  # what the page Explore holds: see mtm_viz.ui.explore
    "upload": lambda: 0,  # counts uploads, so that the uploader comes back empty
}

PRESET, PROBLEM, WORK = "preset", "problem", "work"


def begin(presets: dict[str, Preset]) -> None:
    """Once a script run: fill in what is missing; in a session's first run, what the link says."""
    for key, make in DEFAULTS.items():
        if key not in st.session_state:
            st.session_state[key] = make()
    if draft() is None:
        try:
            chosen = from_link({name: asked(name) for name in IN_LINK})
            _follow_link(presets)
            if any(asked(name) for name in IN_LINK):
                choose(chosen, by_program=True)
        except InputError as problem:
            take_preset(presets[FIRST])
            say(f"This link could not be used ({problem}), so here is the first preset.")


def _follow_link(presets: dict[str, Preset]) -> None:
    if PROBLEM in st.query_params:
        take_problem(link.unpack(st.query_params[PROBLEM]))
        return
    if WORK in st.query_params:
        st.session_state["awaited"] = st.query_params[WORK][:40]
        take_preset(presets[FIRST])
        return
    name = st.query_params.get(PRESET, FIRST)
    if name not in presets:
        raise InputError(f'it names a preset "{name[:40]}" that does not exist')
    take_preset(presets[name])


def write_link() -> None:
    """Make the address restore this problem: by preset, by generators and packed points, or by its name in the browser."""
    if awaited() or any(is_empty(side) for pair in draft().pairs for side in (pair.input, pair.target)):
        return
    name, packed = preset(), None if preset() else link.pack(draft().to_json())
    work = None if name or packed else digest(draft().text)
    usual = st.session_state["usual"] if name else Choice()
    answer({PRESET: name, PROBLEM: packed, WORK: work, **choice().in_link(usual)})


def asked(name: str) -> str | None:
    """What the address says under `name`; for the pages that keep their own state in it."""
    return st.query_params.get(name)


def answer(said: dict[str, str | None]) -> None:
    """Make the address say this and no other problem; None takes a name away."""
    for key, value in (dict.fromkeys((PRESET, PROBLEM, WORK, *IN_LINK)) | said).items():
        if value is None:
            st.query_params.pop(key, None)
        elif st.query_params.get(key) != value:
            st.query_params[key] = value


def too_large_for_link() -> bool:
    """Whether the browser's own store has to keep this work."""
    return WORK in st.query_params and not awaited()


def awaited() -> str:
    """The name of the work the browser is asked for, or ""."""
    return st.session_state["awaited"]


def stop_waiting() -> None:
    st.session_state["awaited"] = ""


def draft() -> Draft:
    return st.session_state["draft"]


def preset() -> str | None:
    return st.session_state["preset"]


def choice() -> Choice:
    """How the problem is to be solved."""
    return st.session_state["choice"]


def choose(chosen: Choice, by_program: bool = False) -> None:
    """Solve in another way; chosen by the program: the controls are drawn anew, so that they follow."""
    st.session_state["choice_resets"] += by_program
    if chosen != choice():
        st.session_state["choice"] = chosen
        forget_failure()


def wanted() -> str:
    """The key of the run that solves what is at the left, as it is to be solved."""
    return choice().key(draft().text)


def edit(changed: Draft) -> None:
    """Take over an edited draft; it no longer is the preset it came from."""
    if changed.text != draft().text:
        st.session_state["preset"] = None
        st.session_state["draft"] = changed
        forget_failure()


def take_preset(chosen: Preset) -> None:
    st.session_state["draft"] = Draft.from_json(chosen.problem)
    st.session_state["preset"] = chosen.name
    st.session_state["steps"].clear()
    st.session_state["usual"] = chosen.choice
    choose(chosen.choice, by_program=True)
    forget_failure()


def take_problem(said: dict[str, Any]) -> None:
    """Replace the draft by a problem that has been read and checked."""
    st.session_state["draft"] = Draft.from_json(said)
    st.session_state["preset"] = None
    st.session_state["steps"].clear()
    forget_failure()


def forget_failure() -> None:
    """Take the message beside Solve away, and the notice with it."""
    st.session_state["failure"] = None
    st.session_state["notice"] = ""


def run() -> Run | None:
    return st.session_state["run"]


def run_text() -> str:
    """The key of the shown run: which problem it solves, and how."""
    return st.session_state["run_text"]


def show(found: Run, text: str) -> None:
    """Show this run; its ablation has to be made anew."""
    if found is not run():
        st.session_state["run"] = found
        st.session_state["run_text"] = text
        st.session_state["ablation"] = None


def ablation() -> Run | None:
    return st.session_state["ablation"]


def view() -> View:
    return st.session_state["view"]


def set_view(chosen: View) -> None:
    st.session_state["view"] = chosen


def reset_view() -> None:
    """Back to the picture with attention; the switch is drawn anew, so that it follows."""
    set_view("on")
    st.session_state["view_resets"] += 1


def job(kind: str) -> Job | None:
    """The running job, if it is of this kind."""
    return st.session_state["job"] if st.session_state["job_kind"] == kind else None


def take_job(started: Job, kind: str) -> None:
    """Remember the job; a session has one at a time, so the one before is cancelled."""
    cancel()
    st.session_state["job"], st.session_state["job_kind"] = started, kind
    forget_failure()


def wish() -> None:
    """Note that Solve was pressed."""
    st.session_state["wish"] = True


def take_wish() -> bool:
    """Whether Solve was pressed since this was last asked."""
    wished = st.session_state["wish"]
    st.session_state["wish"] = False
    return wished


def cancel() -> None:
    """Stop the running job, if there is one."""
    running = st.session_state["job"]
    if running is not None:
        running.cancel()
        if st.session_state["job_kind"] == "ablate":
            reset_view()
    st.session_state["job"], st.session_state["job_kind"] = None, ""


def collect() -> None:
    """Take over what a finished job brought. Called once a script run, before anything is drawn."""
    running: Job | None = st.session_state["job"]
    if running is None or running.outcome is None:
        return
    outcome, kind = running.outcome, st.session_state["job_kind"]
    st.session_state["job"], st.session_state["job_kind"] = None, ""
    if isinstance(outcome, Failed):
        st.session_state["failure"] = outcome
        if kind == "ablate":
            reset_view()
    elif isinstance(outcome, Done) and kind == "solve":
        show(outcome.value, running.key)
    elif isinstance(outcome, Done) and running.key == run_text():
        st.session_state["ablation"] = outcome.value


def failure() -> Failed | None:
    return st.session_state["failure"]


def notice() -> str:
    return st.session_state["notice"]


def say(sentence: str) -> None:
    st.session_state["notice"] = sentence


def uploads() -> int:
    return st.session_state["upload"]


def uploaded() -> None:
    """The file has been dealt with: the next uploader is a new, empty one."""
    st.session_state["upload"] += 1


def kept(key: str) -> Any:
    """What the session holds under one of the keys above; for the modules that own a part of it."""
    return st.session_state[key]


def keep(key: str, value: Any) -> None:
    st.session_state[key] = value


def sent(key: str, name: str) -> Any:
    """What the component `key` has just sent under `name`; for its callbacks."""
    return st.session_state[key][name]
