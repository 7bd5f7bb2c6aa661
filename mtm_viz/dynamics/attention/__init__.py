"""Mean-field attention A_B[mu](x) = int e^{<Bx,y>} y mu(dy) / int e^{<Bx,y>} mu(dy), at any size."""

from mtm_viz.dynamics.attention.attend import Attended, attend, attention
from mtm_viz.dynamics.attention.choice import METHODS
from mtm_viz.dynamics.attention.compiled import warm

__all__ = ["METHODS", "Attended", "attend", "attention", "warm"]
