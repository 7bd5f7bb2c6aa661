"""Parameters that change with time: all segments in a table, one of them in words and numbers, and what can be done to it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from mtm_viz.dynamics.stages import PLAIN, Stage
from mtm_viz.errors import InputError
from mtm_viz.scenario import Scenario
from mtm_viz.ui import explore, segments, state
from mtm_viz.ui.matrix_words import typed, written
from mtm_viz.ui.words import number, sentence

ROWS = 9  # of the table, before it scrolls
PARTS = {"V": "V", "beta": "β", "B": "B", "W": "W", "U": "U", "b": "b"}


def segments_bench(scenario: Scenario | None, fault: str) -> None:
    """The schedule's bench; where the scenario cannot be run, what stands in its way, and the way back."""
    said = explore.said()["schedule"]
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="segments-head"):
        lasts = sum(float(one["duration"]) for one in said)
        st.markdown(
            f"**Schedule** {len(said)} segment{'s' if len(said) > 1 else ''}, layer time {number(lasts)}",
            width="stretch",
        )
        edited = said != explore.original()["schedule"]
        solved = all(one.get("phase", PLAIN) != PLAIN for one in explore.original()["schedule"])
        st.button(
            "Undo", icon=":material/undo:", disabled=not explore.past(), key="segments-undo", on_click=explore.undo
        )
        st.button("Back to the solved one" if solved else "Back to how it came", icon=":material/restore:", disabled=not edited,
                  key="segments-restore", on_click=explore.back_to_original, help="Every segment as it was opened; Undo brings the edits back.")  # fmt: skip
        st.button("One law again", key="segments-unite", on_click=explore.unite,
                  help="Leaves the schedule: what stands at the left then holds throughout.")  # fmt: skip
    if fault:
        st.error(sentence(fault), icon=":material/error:")
    left, right = st.columns(2, gap="medium")
    stages = scenario.stages if scenario is not None and len(scenario.stages) == len(said) else None
    with left:
        _table(said, stages)
    with right:
        _one(said, stages, explore.chosen())


def _table(said: segments.Segments, stages: tuple[Stage, ...] | None) -> None:
    rows = [
        {"#": k + 1, "phase": one.get("phase", "segment"), "lasts": number(float(one["duration"]))}
        | ({} if stages is None else {"does": segments.kind(stages[k]), "‖V‖": _norm(stages[k], "V"), "‖W‖": _norm(stages[k], "W")})
        for k, one in enumerate(said)
    ]  # fmt: skip
    key = _table_key()
    narrow = st.column_config.TextColumn(width=64)
    st.dataframe(
        pd.DataFrame(rows), hide_index=True, height=35 * (min(len(rows), ROWS) + 1) + 3, key=key, selection_mode="single-row",
        on_select=lambda: _choose_row(key), column_config={"#": st.column_config.NumberColumn(width=40), "‖V‖": narrow, "‖W‖": narrow},
    )  # fmt: skip
    st.caption("Click the mark at the left of a row to choose it.")


def _table_key() -> str:
    return f"segments-{explore.source()}-{len(explore.said()['schedule'])}"


def _choose_row(key: str) -> None:
    rows = state.kept(key)["selection"]["rows"]
    if rows and key == _table_key():  # a browser may still send what was chosen in the table before
        explore.choose_segment(rows[0])


def _norm(stage: Stage, name: str) -> str:
    law = stage.law
    if name == "W":
        return number(0.0 if law.W is None else float(np.linalg.norm(law.W, 2)))
    return number(max(float(np.linalg.norm(head.V, 2)) for head in law.heads))


def _one(said: segments.Segments, stages: tuple[Stage, ...] | None, k: int) -> None:
    """The chosen segment. Widgets are named by what they show, so that each is drawn anew once that has changed."""
    now, dynamics = said[k], explore.said()["dynamics"]
    name = f"bench/{explore.source()}/{k}/{len(said)}/{explore.typed()}"
    first, second = st.columns([2, 3], gap="small", vertical_alignment="bottom")
    lasts = float(now["duration"])
    place = int(first.number_input("Segment", 1, len(said), k + 1, key=f"{name}/place"))
    duration = second.number_input(
        "lasts (layer time)", value=lasts, step=None, format="%.6g", key=f"{name}/lasts/{lasts}"
    )
    if duration != lasts:
        _change(k, duration=duration)
    if place != k + 1:
        explore.choose_segment(place - 1)
    if duration != lasts or place != k + 1:
        explore.note_typed()
        st.rerun()
    if stages is not None:
        st.markdown(f"**{now.get('phase', 'segment').capitalize()}.** {segments.in_words(stages[k])}")
        with st.container(horizontal=True, gap="small", vertical_alignment="center"):
            for formula in formulas(stages[k]):
                st.latex(formula, width="content")
    _part(now, dynamics, k, name)
    with st.container(horizontal=True, gap="small", key="segment-order"):
        last = len(said) - 1
        st.button(
            "Duplicate",
            icon=":material/content_copy:",
            key="segment-duplicate",
            on_click=lambda: _order(segments.duplicated(said, k), k + 1),
        )
        st.button(
            "Delete",
            icon=":material/delete:",
            disabled=last == 0,
            key="segment-delete",
            on_click=lambda: _order(segments.without(said, k), k),
        )
        st.button(
            "Earlier",
            icon=":material/arrow_upward:",
            disabled=k == 0,
            key="segment-earlier",
            on_click=lambda: _order(segments.moved(said, k, k - 1), k - 1),
        )
        st.button(
            "Later",
            icon=":material/arrow_downward:",
            disabled=k == last,
            key="segment-later",
            on_click=lambda: _order(segments.moved(said, k, k + 1), k + 1),
        )


def _part(now: dict[str, Any], dynamics: dict[str, Any], k: int, name: str) -> None:
    """One parameter of the segment: multiplied, or typed anew."""
    chosen = st.segmented_control(
        "Change",
        list(PARTS),
        default="V",
        required=True,
        format_func=PARTS.__getitem__,
        key=f"bench/{explore.source()}/part",
    )
    whole = explore.said()
    value = segments.part(dynamics, now, chosen)
    if value is None:
        st.caption("This segment has no perceptron: type its W, then U and b where they are not I and 0.")
    left, right = st.columns([5, 4], gap="small", vertical_alignment="bottom")
    text, factor = f"{name}/text/{chosen}/{value}", f"{name}/factor/{chosen}/{value}"
    with left:
        st.text_area(
            f"{PARTS[chosen]} of segment {k + 1}", _shown(value, whole["dimension"]), height=110, key=text,
            help="Rows of numbers, one a line; one number c for c I; or a name such as identity, rotation or random-symmetric.",
        )  # fmt: skip
    with right:
        st.number_input("times", value=1.0, step=0.1, format="%g", key=factor, disabled=value is None)  # fmt: skip
    # Buttons, not the fields' own changes: a browser that draws a field anew may send what stood in the one before.
    with left:
        st.button("Replace", key="segment-replace", on_click=lambda: _replace(k, chosen, state.kept(text)))
    with right:
        st.button(
            "Multiply",
            key="segment-multiply",
            disabled=value is None,
            on_click=lambda: _scale(k, chosen, value, float(state.kept(factor))),
        )
    if explore.bench_fault():
        st.error(sentence(explore.bench_fault()), icon=":material/error:")


def _shown(value: Any, dimension: int) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list) and not any(isinstance(row, list) for row in value):
        return " ".join(f"{x:.12g}" for x in value)
    return "" if value is None else written(value, dimension)


def _change(k: int, **said: Any) -> None:
    explore.change_schedule(segments.changed(explore.said()["schedule"], k, **said))


def _order(changed: segments.Segments, k: int) -> None:
    explore.change_schedule(changed)
    explore.choose_segment(k)


def _replace(k: int, name: str, text: str) -> None:
    try:
        said = typed(text, PARTS[name])
        if name == "b":
            said = [x for row in said for x in row] if isinstance(said, list) else [said]
        if name == "beta" and not isinstance(said, int | float):
            raise InputError('"beta" must be one number: give it alone')
    except InputError as problem:
        explore.complain(str(problem))
        return
    _change(k, **{name: said})


def _scale(k: int, name: str, value: Any, c: float) -> None:
    whole = explore.said()
    try:
        _change(k, **{name: segments.scaled(value, name, c, whole["dimension"], whole["seed"])})
    except InputError as problem:
        explore.complain(str(problem))


def formulas(stage: Stage) -> list[str]:
    """V, B (times beta), W, U, b as small matrices in LaTeX; what is zero is left out, what is large is only named."""
    law, said = stage.law, []
    found = [("V", law.heads[0].V), (r"\beta B", law.heads[0].B)] if law.uses_attention and len(law.heads) == 1 else []
    if law.W is not None:
        found += [("W", law.W), ("U", law.U), ("b", np.asarray(law.b)[:, None])]
    for name, array in found:
        array = np.asarray(array)
        if not array.any():
            said.append(f"{name} = 0")
        elif max(array.shape) > 4:
            said.append(rf"{name} \in \mathbb{{R}}^{{{array.shape[0]} \times {array.shape[1]}}}")
        else:
            rows = r" \\ ".join(" & ".join(_short(x) for x in row) for row in array.tolist())
            said.append(rf"{name} = \begin{{pmatrix}} {rows} \end{{pmatrix}}")
    return [rf"\small {one}" for one in said]


def _short(x: float) -> str:
    return "0" if abs(x) < 5e-4 else f"{x:.0f}" if abs(x) >= 100 else f"{x:.3g}"
