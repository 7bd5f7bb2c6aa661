"""How long to watch, in how many frames, in which dimension, and by which seed."""

from __future__ import annotations

from typing import Any

import streamlit as st

from mtm_viz.ui.slots import Slots

MOST_DIMENSION = 16


def watch_controls(said: dict[str, Any], key: str, slots: Slots) -> dict[str, Any]:
    """The scenario with these changed."""
    left, right = st.columns(2, gap="small")
    changed = dict(said)
    # Without bounds: what they may be is said beneath in a sentence, by what reads the scenario.
    with left:
        if "schedule" in said:
            st.caption("The schedule says how long the run lasts.")
        else:
            changed["horizon"] = float(st.number_input("Horizon T", value=float(said["horizon"]), step=1.0, format="%g", key=f"{key}/horizon",
                                                       help="Layer time at which the run ends."))  # fmt: skip
    with right:
        changed["frames"] = int(st.number_input("Frames", value=int(said["frames"]), step=20, key=f"{key}/frames",
                                                help="Moments kept, at equal times."))  # fmt: skip
    slots.here("horizon", "frames")
    left, right = st.columns(2, gap="small")
    with left:
        dimension = st.number_input("Dimension d", 2, max(MOST_DIMENSION, said["dimension"]), int(said["dimension"]), key=f"{key}/dimension",
                                    help="Particles live on the unit sphere of R^d. Beyond 3 their first coordinates are shown.")  # fmt: skip
    with right:
        seed = st.number_input("Run seed", 0, 999_999, int(said["seed"]), key=f"{key}/seed",
                               help="Draws the noise and the random matrices: the same seed, the same run.")  # fmt: skip
    slots.here("dimension", "seed")
    return changed | {"dimension": int(dimension), "seed": int(seed)}
