"""The certificate of a run as a small table: what the independent integrator reached, and what it cost."""

from __future__ import annotations

from html import escape
from typing import Any

import streamlit as st

from mtm_viz.run import Run
from mtm_viz.ui.widgets.fresh import fresh_samples
from mtm_viz.ui.widgets.look import colour, symbol
from mtm_viz.ui.widgets.thumbnail import image, symbol_svg
from mtm_viz.ui.words import degrees, number, powers, sentence


def certificate(run: Run, ablated: Run | None) -> None:
    """Each pair's W2, with what is left without attention; beside it the schedule's numbers; beneath, another sample."""
    left, right = st.columns([6, 5], gap="large")
    markers = [(symbol(k), colour(k)) for k in range(len(run.names))]
    off = None if ablated is None else [float(w2[-1]) for w2 in ablated.w2]
    left.html(pairs_table(run.certificate, markers, off))
    with left.expander("What each phase promises"):
        st.html(phases_table(run.certificate))
    right.html(facts_table(run.certificate))
    fresh_samples(run)


def pairs_table(said: dict[str, Any], markers: list[tuple[str, str]], off: list[float] | None = None) -> str:
    """One row a pair: W2 in radians and degrees, the least the map allows, W2 without attention, passed or not."""
    rows = []
    for k, pair in enumerate(said["pairs"]):
        marker = image(symbol_svg(*markers[k], 12), markers[k][0])
        values = [number(pair["w2"]), degrees(pair["w2"]), number(pair["reachable"])]
        rows.append(
            f'<tr><th scope="row"><span class="symbol">{marker}</span>{escape(pair["name"])}'
            f"{_notes(pair)}</th>{_cells(values)}<td>{'✓ passed' if pair['passed'] else '✗ not reached'}</td>"
            f"{_cells([number(off[k])] if off else [])}</tr>"
        )
    verdict = "Every pair arrives" if said["passed"] else "Not every pair arrives"
    caption = (
        f"<b>{verdict}.</b> Distance from the target at the end, found by an independent integrator "
        f"({escape(integrator(said['integrator']))}) from the raw inputs; passed below reachable + {number(said['eps'])}."
    )
    heads = '<th scope="col">Pair</th>' + _heads("W₂, rad", "W₂, degrees", "Reachable") + '<th scope="col">Verdict</th>'
    if off:
        heads += _heads("W₂ if V = 0")
    return (
        f'<table class="sheet"><caption>{caption}</caption><thead><tr>{heads}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table>"
    )


def _notes(pair: dict[str, Any]) -> str:
    """What was done to the pair's measures, and why its target may not be reached exactly."""
    return "".join(f"<small>{escape(sentence(powers(note)))}</small>" for note in pair.get("notes", []))


def _cells(values: list[str]) -> str:
    return "".join(f'<td class="number">{value}</td>' for value in values)


def _heads(*names: str) -> str:
    return "".join(f'<th scope="col" class="number">{name}</th>' for name in names)


def facts_table(said: dict[str, Any]) -> str:
    """The schedule's cost beside the paper's bound, how errors grow, and where this strategy ends."""
    rows = [
        _row("Switches", f"{said['switches']:,}", f"the paper's proof allows {said['paper_bound']:,.0f}"),
        _row("Condition", number(said["condition"]), "the most an error in the input can grow on the way"),
        _row("Sup norm of θ", number(said["sup_norm"]), "largest spectral norm of V and W at total time 1"),
    ]
    common = said.get("common_map")
    if common:
        rows.append(
            _row(
                "Shared atoms",
                f"{common['shared_atoms']:,}",
                f"any one map common to all prompts ends at W₂ {number(common['w2'])} rad or more; "
                f"attention ends at {number(common['ours'])}",
            )
        )
    return f'<table class="sheet"><caption>One schedule, all pairs.</caption><tbody>{"".join(rows)}</tbody></table>'


def phases_table(said: dict[str, Any]) -> str:
    """One row a phase: the inequality it promises, the value reached, how much it can magnify an error."""
    rows = [
        f'<tr><th scope="row">{escape(phase["phase"])}<small>{escape(phase["claim"])}</small></th>'
        f"{_cells([number(phase['value']), str(phase['segments']), number(phase['condition'])])}</tr>"
        for phase in said["phases"]
    ]
    heads = '<th scope="col">Phase</th>' + _heads("Value", "Segments", "Condition")
    return f'<table class="sheet"><thead><tr>{heads}</tr></thead><tbody>{"".join(rows)}</tbody></table>'


def integrator(said: Any) -> str:
    """The integrator's name and tolerance in a few words.

    >>> integrator({"method": "dop853", "rtol": 1e-10})
    'DOP853, rtol 10⁻¹⁰'
    """
    if not isinstance(said, dict):
        return str(said)
    words = [str(said["method"]).upper()] if "method" in said else []
    words += [f"{key} {number(said[key])}" for key in ("rtol", "atol") if key in said]
    return ", ".join(words) or "general purpose"


def _row(what: str, value: str, why: str) -> str:
    return f'<tr><th scope="row">{what}<small>{why}</small></th><td class="number">{value}</td></tr>'
