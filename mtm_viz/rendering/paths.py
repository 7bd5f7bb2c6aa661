"""Where the viewer stands during a film: fixed, slowly turning, following a measure, or where someone said."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from mtm_viz.errors import InputError
from mtm_viz.rendering.camera import CUBE, HOME
from mtm_viz.rendering.moments import Moments

Eye = tuple[float, float, float]
#: How far a viewer may stand, in units of the player's cube (validCamera of camera.js), and the sphere's own radius there.
NEAREST, FARTHEST = 1.02 / CUBE, 20.0


@dataclass(frozen=True)
class CameraPath:
    """kind: fixed; turn (`degrees` in all, about the third axis); follow (measure number `measure`, counted from 0)."""

    kind: Literal["fixed", "turn", "follow"] = "fixed"
    eye: Eye = HOME
    degrees: float = 360.0
    measure: int = 0

    @classmethod
    def parse(cls, said: str, names: tuple[str, ...]) -> CameraPath:
        """`fixed`, `turn`, `turn:90`, `follow:2`, `follow:NAME` or `x,y,z`. Raises InputError saying what is possible."""
        word, _, rest = said.strip().partition(":")
        try:
            if word == "fixed" and not rest:
                return cls()
            if word == "turn":
                turn = float(rest) if rest else 360.0
                if abs(turn) <= 36000:
                    return cls("turn", degrees=turn)
            elif word == "follow":
                return cls("follow", measure=_measure(rest, names))
            elif "," in said:
                return cls(eye=checked_eye(tuple(float(x) for x in said.split(","))))
        except ValueError as problem:
            if isinstance(problem, InputError):
                raise
        raise InputError(
            f"the camera '{said}' is not known: use fixed, turn, turn:DEGREES, follow:MEASURE, or x,y,z (the eye of a copied link)"
        )

    def eyes(self, moments: Moments, moments_at: np.ndarray) -> list[Eye]:
        """The viewer's place at each display time (F,)."""
        if self.kind == "turn":
            # The last frame stops one step before the first, so that a film of a whole turn loops.
            angles = np.radians(self.degrees) * np.arange(len(moments_at)) / max(len(moments_at), 1)
            return [_turned(self.eye, a) for a in angles]
        if self.kind == "follow":
            return _followed(moments, self.measure, moments_at, float(np.linalg.norm(self.eye)))
        return [self.eye] * len(moments_at)


def checked_eye(eye: tuple[float, ...]) -> Eye:
    """Three finite numbers outside the sphere and not too far."""
    if len(eye) != 3 or not np.isfinite(eye).all() or not NEAREST < np.linalg.norm(eye) < FARTHEST:
        raise InputError(
            f"the camera's eye must be three numbers x,y,z between {NEAREST:.2f} and {FARTHEST:.0f} from the centre, "
            "as in a link that the player copies"
        )
    return (float(eye[0]), float(eye[1]), float(eye[2]))


def _measure(said: str, names: tuple[str, ...]) -> int:
    if said in names:
        return names.index(said)
    if said.isdecimal() and 1 <= int(said) <= len(names):
        return int(said) - 1
    raise InputError(f"the camera cannot follow '{said}': name a measure, or its number from 1 to {len(names)}")


def _turned(eye: Eye, angle: float) -> Eye:
    x, y, z = eye
    c, s = float(np.cos(angle)), float(np.sin(angle))
    return (c * x - s * y, s * x + c * y, z)


def _followed(moments: Moments, i: int, at: np.ndarray, far: float) -> list[Eye]:
    """Over the measure's barycentre, calmed by an average over a twelfth of the film; never straight above a pole."""
    weights = moments.run.weights[i]
    means = np.array([weights @ moments.positions(i, float(t)) for t in at])
    calm = max(1, len(at) // 12)
    kernel = np.hanning(2 * calm + 3)[1:-1]
    padded = np.pad(means, ((calm, calm), (0, 0)), mode="edge")
    smooth = np.stack([np.convolve(padded[:, k], kernel / kernel.sum(), mode="valid") for k in range(3)], axis=1)
    eyes: list[Eye] = []
    before = np.asarray(HOME) / np.linalg.norm(HOME)
    for mean in smooth:
        size = float(np.linalg.norm(mean))
        # A measure whose mean is the centre points nowhere: stay.
        before = mean / size if size > 0.05 else before
        flat = float(np.hypot(before[0], before[1]))
        level = np.clip(np.arctan2(before[2], flat), -1.2, 1.2)
        turn = np.arctan2(before[1], before[0])
        eye = far * np.array([np.cos(level) * np.cos(turn), np.cos(level) * np.sin(turn), np.sin(level)])
        eyes.append((float(eye[0]), float(eye[1]), float(eye[2])))
    return eyes
