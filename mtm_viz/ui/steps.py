"""What a remedy changed, to be undone and done again: nothing the person made is lost by a click."""

from __future__ import annotations

from dataclasses import dataclass, replace

from mtm_viz.ui import state
from mtm_viz.ui.choice import Choice
from mtm_viz.ui.draft import Draft, DraftPair


@dataclass(frozen=True)
class Step:
    """What was done, in the words of its button, and how everything stood on the other side of it."""

    label: str
    draft: Draft
    preset: str | None
    choice: Choice


def take(label: str, draft: Draft, choice: Choice) -> None:
    """Change the problem or how it is solved, so that it can be undone."""
    _past().append(_now(label))
    _ahead().clear()
    state.edit(_drawn_anew(draft))
    state.choose(choice, by_program=True)


def undo() -> None:
    """Back to before the last step; what was changed since waits in `redo`."""
    _go(_past(), _ahead())


def redo() -> None:
    _go(_ahead(), _past())


def undoable() -> str | None:
    """What `undo` would take back."""
    return _past()[-1].label if _past() else None


def redoable() -> str | None:
    """What `redo` would do again: as long as nothing was changed since it was undone."""
    ahead = _ahead()
    if ahead and state.wanted() != state.kept("steps")["undone"]:
        ahead.clear()
    return ahead[-1].label if ahead else None


def _go(back: list[Step], forth: list[Step]) -> None:
    step = back.pop()
    forth.append(_now(step.label))
    state.keep("draft", _drawn_anew(step.draft))
    state.keep("preset", step.preset)
    state.forget_failure()
    state.choose(step.choice, by_program=True)
    state.kept("steps")["undone"] = state.wanted()


def _drawn_anew(draft: Draft) -> Draft:
    """The draft with new controls for every pair that differs from the present one: the old ones would say what they held."""
    now = {pair.uid: pair for pair in state.draft().pairs}
    pairs = (
        pair if pair == now.get(pair.uid) else DraftPair(pair.name, pair.input, pair.target) for pair in draft.pairs
    )
    return replace(draft, pairs=tuple(pairs))


def _now(label: str) -> Step:
    return Step(label, state.draft(), state.preset(), state.choice())


def _past() -> list[Step]:
    return state.kept("steps").setdefault("past", [])


def _ahead() -> list[Step]:
    return state.kept("steps").setdefault("ahead", [])
