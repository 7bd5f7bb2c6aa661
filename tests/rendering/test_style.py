"""Colours: legible text, markers that stand out, no two measures alike."""

import itertools

import pytest

from mtm_viz.rendering.style import DARK, LIGHT, SYMBOLS


def luminance(color):
    parts = [int(color[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a, b):
    low, high = sorted((luminance(a), luminance(b)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_text_has_wcag_aa_contrast(theme):
    for ground in ("page", "panel"):
        for text in ("ink", "quiet"):
            assert contrast(theme[text], theme[ground]) >= 4.5, (text, ground)
    for name, band in theme["phases"].items():
        assert contrast(theme["ink"], band) >= 4.5, name
    assert contrast(theme["page"], theme["accent"]) >= 4.5


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_markers_stand_out_from_sphere_and_page(theme):
    # WCAG 1.4.11 for graphics; in light, purple alone is carried by its outline and symbol.
    for color in theme["measures"]:
        assert contrast(color, theme["sphere"]) >= 2.6, color
        assert contrast(color, theme["page"]) >= 2.6, color


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_measures_differ_in_colour_and_in_symbol(theme):
    assert len(set(theme["measures"])) == len(theme["measures"]) == len(set(SYMBOLS)) == 8
    for a, b in itertools.combinations(theme["measures"], 2):
        assert sum(abs(int(a[k : k + 2], 16) - int(b[k : k + 2], 16)) for k in (1, 3, 5)) > 60, (a, b)


def test_light_and_dark_name_the_same_things():
    assert LIGHT.keys() == DARK.keys() and LIGHT["phases"].keys() == DARK["phases"].keys()
