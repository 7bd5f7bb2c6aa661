"""The browser's own store for work too large for a link: `memory()` saves it there and brings it back; the server keeps none."""

from __future__ import annotations

from pathlib import Path

from mtm_viz.errors import InputError
from mtm_viz.files import load_json
from mtm_viz.problem import Problem
from mtm_viz.ui import state
from mtm_viz.ui.components.served import served
from mtm_viz.ui.draft import digest, refuse_too_large

ASSETS = Path(__file__).parent / "assets"
#: The longest text taken back from a browser.
MOST_TEXT = 10_000_000
KEY = "memory"
LOST = (
    "The work this link names lies in the browser that made it, and this browser has none of it: open its file instead."
)


def memory() -> None:
    """Once a script run, after the page: save the work where the link cannot hold it, ask for what the link names."""
    save = None
    if state.too_large_for_link():
        text = state.draft().text
        save = {"name": digest(text), "text": text}
    if save is None and not state.awaited():
        return
    served("memory", ASSETS)(key=KEY, data={"save": save, "ask": state.awaited()}, on_found_change=_found)


def _found() -> None:
    message = state.sent(KEY, "found")
    if not isinstance(message, dict) or message.get("name") != state.awaited():
        return
    state.stop_waiting()
    text = message.get("text")
    if not isinstance(text, str):
        state.say(LOST)
        return
    try:
        state.take_problem(recalled(text))
    except InputError as problem:
        state.say(f"The work kept in this browser could not be used ({problem}), so here is the first preset.")


def recalled(text: str) -> dict:
    """The checked problem in a text that came back from a browser. Raises InputError."""
    if len(text) > MOST_TEXT:
        raise InputError("it is longer than this app saves")
    said = load_json(text.encode("utf-8", "replace"))
    refuse_too_large(said)
    return Problem.from_json(said).to_json()
