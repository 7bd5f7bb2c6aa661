"""The player as a Streamlit component: `player(run, key="...")` shows a Run; the camera survives every rerun."""

from __future__ import annotations

from mtm_viz.ui.components.player.component import player

__all__ = ["player"]
