"""Arranging the pairs of a draft: order, partners, copies. Each returns a new draft; what it cannot do it leaves."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from mtm_viz.ui.draft import MOST_PAIRS, Draft, DraftPair, Side

#: A measure all of whose atoms were erased: a drawing may pass through it, a problem may not hold it.
EMPTY: dict[str, Any] = {"points": []}


def is_empty(said: dict[str, Any]) -> bool:
    return said.get("points") == []


def reordered(draft: Draft, uid: int, to: int) -> Draft:
    """The pair moved to place `to`, counted from 0; the others keep their order."""
    moving = [pair for pair in draft.pairs if pair.uid == uid]
    rest = [pair for pair in draft.pairs if pair.uid != uid]
    place = min(max(to, 0), len(rest))
    return replace(draft, pairs=(*rest[:place], *moving, *rest[place:]))


def retargeted(draft: Draft, uid: int, other: int) -> Draft:
    """Two pairs with their targets exchanged: the input of one is now sent to what was the other's target."""
    target = {pair.uid: pair.target for pair in draft.pairs}
    if uid not in target or other not in target:
        return draft
    return draft.edited(uid, target=target[other]).edited(other, target=target[uid])


def turned_round(draft: Draft, uid: int) -> Draft:
    """The pair with input and target exchanged."""
    pair = next(pair for pair in draft.pairs if pair.uid == uid)
    return draft.edited(uid, input=pair.target, target=pair.input)


def duplicated(draft: Draft, uid: int) -> Draft:
    """A copy of the pair right after it, with its own widgets."""
    if len(draft.pairs) >= MOST_PAIRS:
        return draft
    k = next(k for k, pair in enumerate(draft.pairs) if pair.uid == uid)
    pair = draft.pairs[k]
    copy = DraftPair(f"{pair.name[:55]} copy", pair.input, pair.target)
    return replace(draft, pairs=(*draft.pairs[: k + 1], copy, *draft.pairs[k + 1 :]))


def side_of(draft: Draft, uid: int | None, side: Side) -> tuple[int, Side]:
    """The same place if it still exists, the first input otherwise."""
    return (
        (uid, side)
        if any(pair.uid == uid for pair in draft.pairs) and uid is not None
        else (draft.pairs[0].uid, "input")
    )
