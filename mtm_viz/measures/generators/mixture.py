"""A mixture of other generators."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, final

import numpy as np

from mtm_viz.errors import InputError
from mtm_viz.measures.generator import Generator
from mtm_viz.parameters import Parameter


@final
@dataclass(frozen=True)
class Parts(Parameter):
    """A list of generator objects {"generator": name, "params": {...}?}, none of them a mixture itself."""

    def read(self, said: Any) -> tuple[Generator, ...]:
        if not isinstance(said, list | tuple) or not 1 <= len(said) <= 64:
            raise InputError('must be a list of 1 to 64 objects such as {"generator": "uniform"}')
        return tuple(self._part(k, part) for k, part in enumerate(said, start=1))

    def write(self, value: tuple[Generator, ...]) -> list[dict[str, Any]]:
        return [{"generator": type(part).__module__.rsplit(".", 1)[-1], "params": part.to_params()} for part in value]

    def _part(self, k: int, part: Any) -> Generator:
        from mtm_viz.measures.generators import generator

        if not isinstance(part, Generator):
            params = part.get("params", {}) if isinstance(part, dict) else None
            if not isinstance(params, dict) or not isinstance(part.get("generator"), str):
                raise InputError(f'has no generator at place {k}: give an object such as {{"generator": "uniform"}}')
            extra = sorted(set(part) - {"generator", "params"})
            if extra:
                raise InputError(f'has "{extra[0]}" in part {k}: a part has "generator" and "params" only')
            if part["generator"] == "mixture":
                raise InputError(f"has a mixture as part {k}: list its parts here instead")
            part = generator(part["generator"], params)
        return part


@final
@dataclass(frozen=True)
class Shares(Parameter):
    """Positive numbers, one a part, of any sum; None: equal shares."""

    def read(self, said: Any) -> tuple[float, ...] | None:
        if said is None:
            return None
        if not isinstance(said, list | tuple) or not all(_is_positive(share) for share in said):
            raise InputError(f"is {said!r}: give one positive number a part")
        return tuple(float(share) for share in said)

    def write(self, value: tuple[float, ...] | None) -> list[float] | None:
        return None if value is None else list(value)


def _is_positive(share: Any) -> bool:
    return isinstance(share, int | float) and not isinstance(share, bool) and 0 < share < 1e300


@final
@dataclass(frozen=True)
class Mixture(Generator):
    """Each atom belongs to part k with probability shares[k].

    Where every part is random the atoms are i.i.d., so the parts' sizes are random too; where one is evenly
    spaced each part has its share of n, rounded by largest remainders.
    """

    label: ClassVar[str] = "Mixture"
    help: ClassVar[str] = "Several generators together, each with its share of the mass."

    parts: tuple[Generator, ...] = Parts("Parts", "The generators that are mixed.").field(({"generator": "uniform"},))
    shares: tuple[float, ...] | None = Shares("Shares", "The mass of each part; they need not sum to 1.").field(None)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.shares is not None and len(self.shares) != len(self.parts):
            raise InputError(
                f'there are {len(self.parts)} "parts" and {len(self.shares)} "shares": give one share a part'
            )

    @property
    def is_random(self) -> bool:
        return any(part.is_random for part in self.parts)

    def require_dimension(self, dimension: int) -> None:
        for part in self.parts:
            part.require_dimension(dimension)

    def points(self, n: int, dimension: int, rng: np.random.Generator) -> np.ndarray:
        shares = np.array(self.shares or (1.0,) * len(self.parts))
        shares /= shares.max()  # first, so that shares of 1e299 do not sum to infinity
        shares /= shares.sum()
        every = all(part.is_random for part in self.parts)
        sizes = rng.multinomial(n, shares) if every else _largest_remainders(n * shares)
        sampled = [part.points(int(k), dimension, rng) for part, k in zip(self.parts, sizes, strict=True) if k]
        return np.concatenate(sampled)


def _largest_remainders(quota: np.ndarray) -> np.ndarray:
    """Whole numbers with the same sum as `quota`, each within 1 of it; ties go to the earlier part."""
    sizes = np.floor(quota).astype(int)
    left = round(float(quota.sum())) - int(sizes.sum())
    sizes[np.argsort(sizes - quota, kind="stable")[:left]] += 1
    return sizes
