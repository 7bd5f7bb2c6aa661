"""Another sample of the same measures through the same schedule: does it know the measure, or only its atoms?"""

from __future__ import annotations

from html import escape
from typing import Any

import streamlit as st

from mtm_viz.run import Run
from mtm_viz.ui import state
from mtm_viz.ui.choice import CELLS, SEPARATION, problem_of
from mtm_viz.ui.widgets.look import colour, palette, symbol
from mtm_viz.ui.widgets.thumbnail import SYMBOL_PATHS, image, symbol_svg
from mtm_viz.ui.words import listed, number

WIDTH, HEIGHT, MARGIN = 300, 26, 10
#: What is not this run's mark: dark or light enough for both themes.
GREY = "rgb(128,132,140)"
OTHER = {SEPARATION: CELLS, CELLS: SEPARATION}


def fresh_samples(run: Run) -> None:
    """A row a pair with a random input; the other strategy's figures beside, where this session has seen them."""
    known = state.kept("certified").setdefault(problem_of(state.run_text()), {})
    known[strategy_of(run.certificate)] = run.certificate
    other = known.get(OTHER.get(strategy_of(run.certificate), ""))
    markers = [(symbol(k), colour(k)) for k in range(len(run.names))]
    table = fresh_table(run.certificate, other, markers, palette()["ink"])
    if table:
        st.html(table)


def fresh_table(
    said: dict[str, Any], other: dict[str, Any] | None, markers: list[tuple[str, str]], ink: str = GREY
) -> str:
    """W2 to the target of new draws before and after, in a picture and in radians; "" where no input is random."""
    fresh = [(k, pair) for k, pair in enumerate(said["pairs"]) if pair.get("fresh")]
    if not fresh:
        return ""
    beside = {} if other is None else {k: pair["fresh"] for k, pair in enumerate(other["pairs"]) if pair.get("fresh")}
    rows = []
    scale = max(max(p["fresh"]["before"], p["fresh"]["w2"], p["fresh"].get("yardstick", 0)) for _, p in fresh)
    scale = max(scale, *(f["w2"] for f in beside.values())) if beside else scale
    for k, pair in fresh:
        one, two = pair["fresh"], beside.get(k)
        values = [one["before"], one["w2"], *([two["w2"] if two else None] if beside else []), one.get("yardstick")]
        cells = "".join(f'<td class="number">{"" if value is None else number(value)}</td>' for value in values)
        marker = image(symbol_svg(*markers[k], 12), markers[k][0])
        rows.append(
            f'<tr><th scope="row"><span class="symbol">{marker}</span>{escape(pair["name"])}</th>'
            f"<td>{_picture(one, two, scale, markers[k], ink)}</td>{cells}</tr>"
        )
    heads = ["Before", _after(said), *([_after(other)] if beside and other else []), "Two samples apart"]
    columns = "".join(f'<th scope="col" class="number">{head}</th>' for head in heads)
    cross = f" × {_after(other).lower()}," if beside and other else ""
    legend = f"W₂ to the target, 0 at the left: ○ before, filled {_after(said).lower()},{cross} | two samples apart."
    return (
        f'<table class="sheet"><caption>{_caption(said, other if beside else None, fresh)}<br>{legend}</caption>'
        f'<thead><tr><th scope="col">Pair</th><th scope="col">W₂, rad</th>{columns}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table>"
    )


def strategy_of(said: dict[str, Any]) -> str:
    return said.get("strategy", SEPARATION)


def _caption(said: dict[str, Any], other: dict[str, Any] | None, fresh: list[tuple[int, dict[str, Any]]]) -> str:
    """What was done, and the lesson in the numbers at hand."""
    seeds, sizes = ({pair["fresh"][key] for _, pair in fresh} for key in ("seed", "n"))
    drawn = f"n = {listed([f'{n:,}' for n in sorted(sizes)])}, seed{'s' if len(seeds) > 1 else ''} "
    drawn += listed([str(seed) for seed in sorted(seeds)])
    text = f"<b>Another sample, the same θ.</b> New draws of each random input ({drawn}) go through this schedule. "
    if other is None:
        return text + ALONE[strategy_of(said)]
    ends = {strategy_of(c): max(p["fresh"]["w2"] for p in c["pairs"] if p.get("fresh")) for c in (said, other)}
    atoms, cells = ends[SEPARATION], ends[CELLS]
    text += f"At worst they end {number(atoms)} rad from the target atom by atom, {number(cells)} in cells"
    return text + (LESSON if cells < atoms else ".")


ALONE = {
    SEPARATION: "It was built for other atoms; where these end is left to chance. Choose Cells, solve, and compare.",
    CELLS: "It carries slices, with whatever lies in them. Choose Atoms, solve, and compare.",
}
LESSON = ": gates built for single atoms pass others by; cells take along whatever lies in them."


def _after(said: dict[str, Any]) -> str:
    return "After, in cells" if strategy_of(said) == CELLS else "After, by atoms"


def _picture(one: dict[str, Any], two: dict[str, Any] | None, scale: float, marker: tuple[str, str], ink: str) -> str:
    """The distances as marks on a line."""

    def at(distance: float) -> float:
        return MARGIN + (WIDTH - 2 * MARGIN) * distance / scale if scale > 0 else MARGIN

    y = HEIGHT / 2
    marks = [f'<path d="M{MARGIN} {y}H{at(scale)}" stroke="{GREY}" stroke-opacity=".5"/>']
    marks.append(f'<path d="M{MARGIN} {y - 4}V{y + 4}" stroke="{GREY}"/>')
    said = [f"before {number(one['before'])}", f"after {number(one['w2'])}"]
    marks.append(f'<circle cx="{at(one["before"]):.1f}" cy="{y}" r="5" fill="none" stroke="{ink}" stroke-width="1.5"/>')
    if "yardstick" in one:
        marks.append(f'<path d="M{at(one["yardstick"]):.1f} {y - 10}v20" stroke="{ink}" stroke-width="2"/>')
        said.append(f"two samples apart {number(one['yardstick'])}")
    if two is not None:
        x = at(two["w2"])
        marks.append(f'<path d="M{x - 4:.1f} {y - 4}l8 8m0-8l-8 8" stroke="{ink}" stroke-width="2" fill="none"/>')
        said.append(f"the other strategy {number(two['w2'])}")
    path = SYMBOL_PATHS[marker[0]]
    marks.append(f'<path transform="translate({at(one["w2"]):.1f} {y}) scale(6)" fill="{marker[1]}" d="{path}"/>')
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}">{"".join(marks)}</svg>'
    return image(svg, "W₂ in radians: " + ", ".join(said), "display:block")
