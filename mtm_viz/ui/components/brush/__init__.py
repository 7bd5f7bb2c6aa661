"""The brush as a Streamlit component: a sphere to draw one measure on, the others shown as ghosts."""

from __future__ import annotations

from mtm_viz.ui.components.brush.component import Ghost, brush
from mtm_viz.ui.components.brush.stroke import Stroke

__all__ = ["Ghost", "Stroke", "brush"]
