"""The certificate of a run as a small table: what the independent integrator reached, and what it cost."""

from __future__ import annotations

from html import escape
from typing import Any

import streamlit as st

from mtm_viz.run import Run
from mtm_viz.ui.widgets.look import colour, symbol
from mtm_viz.ui.widgets.thumbnail import image, symbol_svg
from mtm_viz.ui.words import degrees, number


def certificate(run: Run) -> None:
    """Two tables side by side: each pair's W2, and the whole schedule's numbers."""
    left, right = st.columns([6, 5], gap="large")
    left.html(pairs_table(run.certificate, [(symbol(k), colour(k)) for k in range(len(run.names))]))
    with left.expander("What each phase promises"):
        st.html(phases_table(run.certificate))
    right.html(facts_table(run.certificate))


def pairs_table(said: dict[str, Any], markers: list[tuple[str, str]]) -> str:
    """One row a pair: W2 in radians and degrees, the least any exact map allows, passed or not."""
    rows = []
    for k, pair in enumerate(said["pairs"]):
        marker = image(symbol_svg(*markers[k], 12), markers[k][0])
        rows.append(
            f'<tr><th scope="row"><span class="symbol">{marker}</span>{escape(pair["name"])}</th>'
            f'<td class="number">{number(pair["w2"])}</td><td class="number">{degrees(pair["w2"])}</td>'
            f'<td class="number">{number(pair["reachable"])}</td>'
            f"<td>{'✓ passed' if pair['passed'] else '✗ not reached'}</td></tr>"
        )
    verdict = "Every pair arrives" if said["passed"] else "Not every pair arrives"
    caption = (
        f"<b>{verdict}.</b> Distance from the target at the end, found by an independent integrator "
        f"({escape(integrator(said['integrator']))}) from the raw inputs; passed below reachable + {number(said['eps'])}."
    )
    return (
        f'<table class="mtm"><caption>{caption}</caption><thead><tr><th scope="col">Pair</th><th scope="col" class="number">W₂, rad</th>'
        f'<th scope="col" class="number">W₂, degrees</th><th scope="col" class="number">Reachable</th><th scope="col">Verdict</th></tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table>"
    )


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
    row = _fresh(said["pairs"])
    if row:
        rows.append(row)
    return f'<table class="mtm"><caption>One schedule, all pairs.</caption><tbody>{"".join(rows)}</tbody></table>'


def phases_table(said: dict[str, Any]) -> str:
    """One row a phase: the inequality it promises, the value reached, how much it can magnify an error."""
    rows = [
        f'<tr><th scope="row">{escape(phase["phase"])}<small>{escape(phase["claim"])}</small></th>'
        f'<td class="number">{number(phase["value"])}</td><td class="number">{phase["segments"]}</td>'
        f'<td class="number">{number(phase["condition"])}</td></tr>'
        for phase in said["phases"]
    ]
    heads = "".join(f'<th scope="col" class="number">{head}</th>' for head in ("Value", "Segments", "Condition"))
    return f'<table class="mtm"><thead><tr><th scope="col">Phase</th>{heads}</tr></thead><tbody>{"".join(rows)}</tbody></table>'


def _fresh(pairs: list[dict[str, Any]]) -> str:
    """The worst pair on a fresh sample of its input, said as it is."""
    fresh = [(pair["fresh"], pair["name"]) for pair in pairs if pair.get("fresh")]
    if not fresh:
        return ""
    said, name = max(fresh, key=lambda entry: entry[0]["w2"])
    return _row(
        "Fresh sample",
        f"W₂ {number(said['w2'])}",
        f"this strategy does not generalise: it carries these very atoms. New draws of “{escape(name)}” start "
        f"{number(said['before'])} rad from the target and end {number(said['w2'])} away",
    )


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
