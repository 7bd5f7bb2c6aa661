"""Which measure is on the drawing desk, who made it last, and what waits to be accepted."""

from __future__ import annotations

from typing import Any

from mtm_viz.ui import state
from mtm_viz.ui.arrange import side_of
from mtm_viz.ui.draft import DraftPair, Side, canonical, digest
from mtm_viz.ui.intake import Proposal


def edited() -> tuple[DraftPair, Side]:
    """The measure on the desk: its pair and its side."""
    uid, side = side_of(state.draft(), *state.kept("edited"))
    return next(pair for pair in state.draft().pairs if pair.uid == uid), side


def choose_edited(uid: int, side: Side) -> None:
    """Put another measure on the desk."""
    state.keep("edited", (uid, side))
    state.keep("proposal", None)


def edit_measure(said: dict[str, Any]) -> None:
    """Replace the measure on the desk."""
    pair, side = edited()
    state.edit(state.draft().edited(pair.uid, **{side: said}))


def source_of(said: dict[str, Any], maker: str) -> str:
    """A name that changes whenever the measure on the desk has come from elsewhere than this maker of measures."""
    known, count = state.kept("makers").get(maker, ("", 0))
    now = digest(canonical(said))
    if now != known:
        count += 1
        state.kept("makers")[maker] = (now, count)
    return str(count)


def made(said: dict[str, Any], maker: str) -> None:
    """This maker, the brush or the shape's controls, left the measure on the desk like this."""
    _, count = state.kept("makers").get(maker, ("", 0))
    state.kept("makers")[maker] = (digest(canonical(said)), count)
    edit_measure(said)


def is_news(component: str, number: Any) -> bool:
    """Whether this message of a component comes after all that were dealt with; from now on it has been, too.

    The numbers of a component's messages grow. Where script runs follow each other fast, Streamlit may bring an old
    message again after a newer one.
    """
    if not isinstance(number, int | float) or not number > state.kept("heard").get(component, 0):
        return False
    state.kept("heard")[component] = number
    return True


def proposal() -> Proposal | None:
    return state.kept("proposal")


def propose(found: Proposal | None) -> None:
    """Hold a measure up for acceptance; None withdraws it."""
    state.keep("proposal", found)
