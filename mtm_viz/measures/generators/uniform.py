"""The uniform measure on the sphere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from mtm_viz.measures.generator import Generator
from mtm_viz.sphere import normalise


@final
@dataclass(frozen=True)
class Uniform(Generator):
    """Standard normal vectors, normalised: rotation invariance makes their direction uniform."""

    label: ClassVar[str] = "Uniform"
    help: ClassVar[str] = "Every place on the sphere is equally likely."

    def points(self, n: int, dimension: int, rng: np.random.Generator) -> np.ndarray:
        return normalise(rng.standard_normal((n, dimension)))
