"""The brush as a Streamlit component: a sphere to draw one measure on, the others shown as ghosts."""

from __future__ import annotations

from mtm_viz.ui.components.brush.component import Ghost, brush

__all__ = ["Ghost", "brush"]
