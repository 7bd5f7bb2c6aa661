"""The theme is the player's, and every text on it can be read (WCAG AA)."""

import tomllib
from pathlib import Path

import pytest

from mtm_viz.rendering import style
from mtm_viz.ui.widgets.thumbnail import SYMBOL_PATHS

CONFIG = tomllib.loads((Path(__file__).parents[2] / ".streamlit" / "config.toml").read_text())
THEMES = [("light", style.LIGHT), ("dark", style.DARK)]


def luminance(colour: str) -> float:
    channels = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a: str, b: str) -> float:
    """WCAG 2 contrast ratio: 21 for black on white."""
    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def mixed(ink: str, page: str, share: float) -> str:
    """What color-mix(in srgb, ink share, transparent) shows on the page."""
    pairs = [(int(ink[k : k + 2], 16), int(page[k : k + 2], 16)) for k in (1, 3, 5)]
    return "#" + "".join(f"{round(share * a + (1 - share) * b):02x}" for a, b in pairs)


@pytest.mark.parametrize(("name", "colours"), THEMES)
def test_the_theme_wears_the_players_colours(name, colours):
    theme = CONFIG["theme"][name]
    assert theme["backgroundColor"] == colours["page"]
    assert theme["secondaryBackgroundColor"] == colours["panel"]
    assert theme["textColor"] == colours["ink"]
    assert theme["primaryColor"] == colours["accent"]
    assert theme["borderColor"] == colours["line"]
    assert theme["sidebar"]["backgroundColor"] == colours["panel"]


@pytest.mark.parametrize(("name", "colours"), THEMES)
def test_text_can_be_read(name, colours):
    for page in (colours["page"], colours["panel"]):
        assert contrast(colours["ink"], page) >= 7
        assert contrast(mixed(colours["ink"], page, 0.78), page) >= 4.5
        assert contrast(colours["accent"], page) >= 4.5
    # The text of a primary button takes the page's colour.
    assert contrast(colours["page"], colours["accent"]) >= 4.5


def test_every_symbol_of_the_player_is_drawn_in_the_cards():
    assert set(style.SYMBOLS) == set(SYMBOL_PATHS)


def test_nothing_is_sent_to_streamlit():
    assert CONFIG["browser"]["gatherUsageStats"] is False
