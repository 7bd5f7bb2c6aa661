"""The certificate says what was measured, passed or not, and lets no name write HTML."""

import pytest

from mtm_viz.run import Run
from mtm_viz.ui.presets import load_presets
from mtm_viz.ui.widgets.certificate import facts_table, pairs_table, phases_table
from mtm_viz.ui.widgets.fresh import fresh_table

PRESETS = load_presets()
MARKERS = [("circle", "#0072b2"), ("diamond", "#d55e00")]


def said(**changes):
    pair = {"name": "a", "w2": 2e-9, "reachable": 0.0, "passed": True, "fresh": None}
    integrator = {"method": "dop853", "rtol": 1e-10}
    whole = {"passed": True, "eps": 1e-4, "integrator": integrator, "pairs": [pair], "common_map": None, "phases": []}
    return whole | {"switches": 1234, "paper_bound": 5678, "condition": 12.5, "sup_norm": 3400.0} | changes


def test_a_pair_that_arrives():
    text = pairs_table(said(), MARKERS)
    assert "Every pair arrives" in text
    assert "2.0 × 10⁻⁹" in text
    assert "1.1 × 10⁻⁷" in text  # degrees
    assert "✓ passed" in text
    assert "DOP853, rtol 10⁻¹⁰" in text


def test_a_pair_that_does_not_is_not_painted_over():
    late = {"name": "a", "w2": 0.3, "reachable": 0.1, "passed": False, "fresh": None}
    text = pairs_table(said(passed=False, pairs=[late]), MARKERS)
    assert "Not every pair arrives" in text
    assert "✗ not reached" in text
    assert "passed</td>" not in text


def test_a_name_cannot_write_html():
    evil = {"name": "<img src=x onerror=alert(1)>", "w2": 0.0, "reachable": 0.0, "passed": True, "fresh": None}
    fresh = {"w2": 0.5, "before": 1.0, "seed": 1, "n": 9}
    text = pairs_table(said(pairs=[evil]), MARKERS) + fresh_table(said(pairs=[evil | {"fresh": fresh}]), None, MARKERS)
    assert "<img src=x" not in text
    assert "&lt;img src=x" in text


def test_shared_atoms_show_what_any_common_map_could_reach():
    text = facts_table(said(common_map={"w2": 0.41, "ours": 3e-8, "shared_atoms": 20}))
    assert "W₂ 0.41 rad or more" in text
    assert "3.0 × 10⁻⁸" in text


def test_without_attention_each_pair_says_where_it_ends():
    assert "0.37" in pairs_table(said(), MARKERS, [0.37])


@pytest.mark.parametrize("name", PRESETS)
def test_every_shipped_certificate_can_be_shown(name):
    run = Run.load(PRESETS[name].run_path)
    markers = [("circle", "#0072b2")] * len(run.names)
    text = pairs_table(run.certificate, markers) + facts_table(run.certificate) + phases_table(run.certificate)
    text += fresh_table(run.certificate, None, [("circle", "#0072b2")] * len(run.names))
    assert text.count("✓ passed") == len(run.names)
    assert all(phase["phase"] in text for phase in run.certificate["phases"])
    assert "nan" not in text.replace("dominant", "")


def sampled(strategy, *ends):
    pairs = [
        {"name": name, "w2": 0.0, "reachable": 0.0, "passed": True, "fresh": None if end is None else
         {"w2": end, "before": 1.4, "yardstick": 0.21, "seed": 7, "n": 400}}
        for name, end in zip("ab", ends, strict=True)
    ]  # fmt: skip
    return said(pairs=pairs, strategy=strategy)


def test_a_fresh_sample_stands_beside_where_it_started_and_its_yardstick():
    text = fresh_table(sampled("separation", 0.2, 0.64), None, MARKERS)
    assert "n = 400, seed 7" in text
    for value in ("1.4", "0.64", "0.21"):
        assert f'<td class="number">{value}</td>' in text
    assert 'alt="W₂ in radians: before 1.4, after 0.64, two samples apart 0.21"' in text
    assert "Choose Cells" in text


@pytest.mark.parametrize("shown", ["separation", "cells"])
def test_both_strategies_side_by_side_teach_the_lesson_whichever_is_shown(shown):
    certificates = {"separation": sampled("separation", 0.2, 0.64), "cells": sampled("cells", 0.1, 0.17)}
    one = certificates.pop(shown)
    text = fresh_table(one, certificates.popitem()[1], MARKERS)
    assert "0.64 rad from the target atom by atom, 0.17 in cells: gates built for" in text
    assert "After, in cells" in text
    assert "After, by atoms" in text


def test_no_lesson_is_taught_that_the_numbers_do_not_show():
    text = fresh_table(sampled("cells", 0.7, 0.7), sampled("separation", 0.6, 0.64), MARKERS)
    assert "0.64 rad from the target atom by atom, 0.7 in cells." in text
    assert "gates built for" not in text


def test_only_random_inputs_have_fresh_samples():
    assert fresh_table(sampled("separation", None, None), None, MARKERS) == ""
    assert fresh_table(sampled("separation", 0.3, None), None, MARKERS).count('<th scope="row">') == 1
