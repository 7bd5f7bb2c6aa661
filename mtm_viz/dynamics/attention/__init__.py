"""Mean-field attention A_B[mu](x) = int e^{<Bx,y>} y mu(dy) / int e^{<Bx,y>} mu(dy)."""

from mtm_viz.dynamics.attention.dense import attention

__all__ = ["attention"]
