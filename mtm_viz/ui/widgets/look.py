"""The page's own style sheet and colours; the theme itself is .streamlit/config.toml."""

from __future__ import annotations

from typing import Any

import streamlit as st

from mtm_viz.rendering import style

#: Rules for what Streamlit's theme has no setting for. Greys are mixed from the text colour, so both themes are served.
CSS = """
<style>
[data-testid="stMainBlockContainer"] { padding: 4.1rem 2rem 3rem; }
[data-testid="stHeader"] { background: color-mix(in srgb, PAGE 92%, transparent); }
[data-testid="stBaseButton-primary"] { color: PAGE; }
[data-testid="stBaseButton-primary"]:hover { color: PAGE; }
/* The player takes what the window has beneath the heading, so that its timeline is in sight without scrolling. */
.stApp .mtm-player:not(:fullscreen) { height: max(580px, calc(100vh - 12.5rem)); }
[class*="st-key-edit-"] button { padding: .25rem; min-height: 2.25rem; }
[class*="st-key-edit-"] button [data-testid="stIconMaterial"]:nth-of-type(2), [class*="st-key-edit-"] button > div + div { display: none; }
.st-key-gallery [class*="st-key-preset-"] { position: relative; padding: .6rem .6rem .2rem; border-radius: .6rem; height: 100%; }
.st-key-gallery [class*="st-key-preset-"]:hover { background: color-mix(in srgb, currentColor 6%, transparent); }
.st-key-gallery [class*="st-key-preset-"] button { text-align: left; justify-content: flex-start; }
.st-key-gallery [class*="st-key-preset-"] button::after { content: ""; position: absolute; inset: 0; }
.st-key-gallery [class*="st-key-preset-"] [data-testid="stElementContainer"],
.st-key-gallery [class*="st-key-preset-"] .stButton,
.st-key-gallery [class*="st-key-preset-"] button { position: static; }
.page-quiet { color: color-mix(in srgb, currentColor 78%, transparent); }
.page-pair { display: grid; grid-template-columns: auto auto auto 1fr; gap: .45rem; align-items: center; line-height: 1.25; }
.page-pair .name { display: flex; gap: .4rem; align-items: center; font-weight: 600; overflow-wrap: anywhere; }
.page-pair img { display: block; flex: none; }
.page-pair .arrow { opacity: .6; }
table.sheet { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; line-height: 1.35; font-size: .95rem; }
table.sheet caption { text-align: left; padding-bottom: .35rem; color: color-mix(in srgb, currentColor 78%, transparent); }
table.sheet th { text-align: left; font-weight: 600; vertical-align: top; }
table.sheet thead th { font-weight: 500; color: color-mix(in srgb, currentColor 78%, transparent); border-bottom: 1px solid color-mix(in srgb, currentColor 30%, transparent); }
table.sheet td, table.sheet th { padding: .42rem .8rem .42rem 0; border-bottom: 1px solid color-mix(in srgb, currentColor 13%, transparent); }
table.sheet tbody tr:last-child > * { border-bottom: 0; }
table.sheet td { white-space: nowrap; }
table.sheet td.number { text-align: right; }
table.sheet td:last-child { padding-right: 0; }
table.sheet thead th.number { text-align: right; white-space: nowrap; }
table.sheet .symbol { display: inline-block; vertical-align: -.1em; margin-right: .5rem; }
table.sheet small { display: block; font-weight: 400; color: color-mix(in srgb, currentColor 78%, transparent); }
</style>
"""


def css() -> str:
    """The style sheet for the theme the person sees: text on a primary button takes the page's colour, to be read on both accents."""
    return CSS.replace("PAGE", palette()["page"])


def palette() -> dict[str, Any]:
    """The colours of the theme the person sees."""
    return style.DARK if st.context.theme.type == "dark" else style.LIGHT


def wordmark() -> str:
    """The app's name as an SVG in the theme's ink, for the head of the sidebar."""
    ink, accent = palette()["ink"], palette()["measures"]
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" width="220" height="32" viewBox="0 0 220 32">'
        f'<circle cx="16" cy="16" r="12.5" fill="none" stroke="{ink}" stroke-opacity=".55" stroke-width="1.3"/>'
        f'<g fill="{accent[0]}"><circle cx="9.5" cy="19" r="2.2"/><circle cx="12.5" cy="23.5" r="2.2"/>'
        '<circle cx="7.5" cy="13.5" r="2.2"/></g>'
        f'<g fill="none" stroke="{accent[1]}" stroke-width="1.6"><circle cx="21" cy="10.5" r="2.2"/>'
        '<circle cx="24.5" cy="15.5" r="2.2"/><circle cx="16.5" cy="7" r="2.2"/></g>'
        f'<text x="40" y="21.5" font-family="Georgia, \'DejaVu Serif\', serif" font-size="16" fill="{ink}">'
        "measure to measure</text></svg>"
    )


def colour(k: int) -> str:
    """The colour of pair k, as in the player."""
    colours = palette()["measures"]
    return colours[k % len(colours)]


def symbol(k: int) -> str:
    """The symbol of pair k, as in the player."""
    return style.SYMBOLS[k % len(style.SYMBOLS)]
