"""What every generator of measures is: a few fields and a way to place n points on S^{d-1}."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from mtm_viz.errors import InputError
from mtm_viz.parameters import check, parameters


@dataclass(frozen=True)
class Generator(ABC):
    """A named family of measures; each final class is one file of mtm_viz/measures/generators.

    Its fields are parameters (see mtm_viz.parameters), checked on construction. `label` and `help` name it
    for people; dimensions below `least_dimension` or above `most_dimension` are refused.
    """

    label: ClassVar[str]
    help: ClassVar[str]
    random: ClassVar[bool] = True
    least_dimension: ClassVar[int] = 2
    most_dimension: ClassVar[int | None] = None

    def __post_init__(self) -> None:
        check(self)

    @abstractmethod
    def points(self, n: int, dimension: int, rng: np.random.Generator) -> np.ndarray:
        """n unit rows, shape (n, dimension): i.i.d. draws from `rng`, or evenly spaced where not `random`."""

    @property
    def is_random(self) -> bool:
        """Whether another seed gives another sample."""
        return self.random

    def require_dimension(self, dimension: int) -> None:
        """Raises InputError where this family has no meaning on S^{dimension-1}."""
        least, most = self.least_dimension, self.most_dimension
        if dimension < least or (most is not None and dimension > most):
            need = f"{least}" if least == most else f"{least} or more"
            raise InputError(f"it needs dimension {need} and the dimension is {dimension}: choose another generator")

    def to_params(self) -> dict[str, Any]:
        """The parameters as JSON values; from_params reads them back."""
        return {name: parameter.write(getattr(self, name)) for name, parameter in parameters(type(self)).items()}

    @classmethod
    def from_params(cls, params: dict[str, Any]) -> Self:
        """Read JSON values; what is left out takes its default. Raises InputError naming the parameter."""
        known = parameters(cls)
        unknown = [name for name in params if name not in known]
        if unknown:
            raise InputError(f'"{unknown[0]}" is no parameter of it: use {", ".join(known) or "none"}')
        return cls(**params)
