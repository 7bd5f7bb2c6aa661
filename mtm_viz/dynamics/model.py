"""What a model of attention is: what a particle is pulled to, given the others."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar


class Model(ABC):
    """A way for particles to feel each other; each final class is one file of mtm_viz/dynamics/models.

    `label` and `help` name it for people. `largest`: beyond this |Bx| the model's own speed leaves float64.
    """

    label: ClassVar[str]
    help: ClassVar[str]
    largest: ClassVar[float] = float("inf")

    @abstractmethod
    def pull(self, points: Any, weights: Any, B: Any, *, causal: bool, rtol: float) -> Any:
        """What every particle is pulled to, (n, d), before V; points (n, d) unit rows, weights (n,), B (d, d).

        causal: particle i feels only j <= i. rtol: largest relative error of a row.
        """
