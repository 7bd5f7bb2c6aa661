"""The pairs at the left: which measure is on the desk, who is sent to whom, in which order."""

from __future__ import annotations

from typing import Any

from mtm_viz.errors import InputError
from mtm_viz.ui import cached, desk, state
from mtm_viz.ui.arrange import duplicated, reordered, retargeted, turned_round
from mtm_viz.ui.components.board import board
from mtm_viz.ui.draft import SIDES, DraftPair
from mtm_viz.ui.widgets.look import colour, symbol
from mtm_viz.ui.widgets.thumbnail import measure_svg, symbol_svg


def choose_measure() -> None:
    """The board of pairs: click a measure to edit it, drag a target to another pair, a handle to another place."""
    chosen, side = desk.edited()
    rows = [_row(k, pair) for k, pair in enumerate(state.draft().pairs)]
    board(rows, chosen={"uid": chosen.uid, "side": side}, key="board", on_act=act)


def act(said: dict[str, Any]) -> None:
    """Do what the board asks; what it asks about a pair that is gone is let pass."""
    draft = state.draft()
    uids = [pair.uid for pair in draft.pairs]
    uid, do = said.get("uid"), said.get("do")
    if not isinstance(uid, int) or uid not in uids:
        return
    if do == "choose" and said.get("side") in SIDES:
        desk.choose_edited(uid, said["side"])
    elif do == "move" and isinstance(said.get("to"), int):
        state.edit(reordered(draft, uid, said["to"]))
    elif do == "swap" and said.get("other") in uids:
        state.edit(retargeted(draft, uid, said["other"]))
    elif do == "turn":
        state.edit(turned_round(draft, uid))
    elif do == "copy":
        state.edit(duplicated(draft, uid))
    elif do == "rename" and isinstance(said.get("name"), str) and said["name"].strip():
        state.edit(draft.edited(uid, name=said["name"].strip()[:60]))
    elif do == "remove" and len(uids) > 1:
        state.edit(draft.without(uid))


def _row(k: int, pair: DraftPair) -> dict[str, Any]:
    sides = {}
    for side in SIDES:
        try:
            measure = cached.measure(getattr(pair, side), state.draft().dimension)
            sides[side] = {"svg": measure_svg(measure, colour(k), 64, hollow=side == "target"), "n": len(measure)}
        except InputError as problem:
            sides[side] = {"svg": "", "n": 0, "wrong": str(problem)}
    return {
        "uid": pair.uid,
        "name": pair.name,
        "marker": symbol_svg(symbol(k), colour(k), 13),
        "symbol": symbol(k),
        **sides,
    }
