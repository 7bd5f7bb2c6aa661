"""The law of motion: model, beta, V and B for everybody; the rest in a fold."""

from __future__ import annotations

from typing import Any

import streamlit as st

from mtm_viz.dynamics.law import PLACEMENTS
from mtm_viz.dynamics.law_file import DEFAULTS
from mtm_viz.dynamics.models import models
from mtm_viz.ui import explore
from mtm_viz.ui.slots import Slots
from mtm_viz.ui.widgets.matrix_control import matrix_control

V_HELP = "What is done to the mean that attention finds: I pulls towards it, −I pushes away."
B_HELP = "How likeness is measured: particles x and y count by exp(β⟨Bx, y⟩)."
PLACED = {"sphere": "On the sphere", "post-ln": "Post-LN", "pre-ln": "Pre-LN", "peri-ln": "Peri-LN", "none": "None"}
MOST_HEADS_SHOWN = 4


def law_controls(
    law: dict[str, Any], segments: list[dict[str, Any]], dimension: int, key: str, slots: Slots
) -> dict[str, Any]:
    """Model, beta, V and B of a law with one head; of several heads, or where every segment has its own, the model alone."""
    kinds = models()
    now = law.get("model", DEFAULTS["model"])
    chosen = st.selectbox(
        "Model", list(kinds), list(kinds).index(now) if now in kinds else 0,
        format_func=lambda name: kinds[name].label, key=f"{key}/model",
        help="How particles feel each other.\n\n" + "\n\n".join(f"**{kind.label}**: {kind.help}" for kind in kinds.values()),
    )  # fmt: skip
    slots.here("model")
    changed = law | {"model": chosen}
    if law.get("heads") is not None:
        st.caption(f"{len(law['heads'])} heads: their β, V and B stand under Everything.")
        return changed
    if segments and all("V" in segment or segment.get("heads") for segment in segments):
        st.caption("β, V, B, W, U and b change with time: see the segments below the picture.")
        return changed
    return changed | _head(changed, dimension, key, slots)


def _head(head: dict[str, Any], dimension: int, key: str, slots: Slots) -> dict[str, Any]:
    said = {"beta": _beta(head.get("beta", DEFAULTS["beta"]), key, slots)}
    left, right = st.columns(2, gap="small")
    with left:
        said["V"] = matrix_control("V", head.get("V", DEFAULTS["V"]), dimension, key, slots, V_HELP)
    with right:
        said["B"] = matrix_control("B", head.get("B", DEFAULTS["B"]), dimension, key, slots, B_HELP)
    return said


def _beta(beta: float, key: str, slots: Slots) -> float:
    """A slider for the usual, and a number beside it for the rest; beyond what can be, the number stays and is named."""
    top, count = explore.top(), explore.typed()
    at = min(max(float(beta), -top), top)
    left, right = st.columns([5, 2], gap="small", vertical_alignment="bottom")
    moved = left.slider(
        "β", -top if explore.is_signed() else 0.0, top, at, step=0.1 if top <= 40 else 1.0, format="%g", key=f"{key}/beta/{count}",
        help="Inverse temperature: at 0 everybody counts alike, the larger it is the more only the nearest count.",
    )  # fmt: skip
    said = beta if moved == at else moved
    typed = right.number_input(
        "β as a number", value=float(said), step=None, format="%g", key=f"{key}/beta/as/{said}/{count}",
        label_visibility="collapsed",
    )  # fmt: skip
    slots.here("beta")
    if typed == said:
        return said
    explore.widen(typed)
    explore.note_typed()
    return typed


def more_law_controls(law: dict[str, Any], dimension: int, key: str, slots: Slots) -> dict[str, Any]:
    """The perceptron, heads, residual, mask, noise, normalisation and layers, in groups of what belongs together."""
    changed = dict(law)
    _group("What pulls")
    changed = _heads(changed, dimension, key, slots)
    changed |= _perceptron(law, dimension, key, slots)
    changed["residual"] = _number("Residual", law.get("residual", 0.0), f"{key}/residual",
                                  "Strength of a term c x in the drift; on the sphere it moves nothing.")  # fmt: skip
    slots.here("residual")
    _group("Who is felt, and what shakes")
    changed["causal"] = st.toggle(
        "Causal mask", bool(law.get("causal", False)), key=f"{key}/causal",
        help="Particle i feels only particles 1 to i, in the order in which they were made.",
    )  # fmt: skip
    slots.here("causal")
    left, right = st.columns(2, gap="small")
    with left:
        changed["noise"] = _number("Noise σ", law.get("noise", 0.0), f"{key}/noise",
                                   "Brownian motion on the sphere, a different one for each particle.")  # fmt: skip
    with right:
        changed["common_noise"] = _number("Common noise", law.get("common_noise", 0.0), f"{key}/common",
                                          "One Brownian motion of R^d, felt by all particles.")  # fmt: skip
    slots.here("noise", "common_noise")
    _group("Layers")
    now = law.get("placement", "sphere")
    changed["placement"] = st.selectbox(
        "Normalisation", PLACEMENTS, PLACEMENTS.index(now) if now in PLACEMENTS else 0, format_func=PLACED.__getitem__, key=f"{key}/placement",
        help="Where the layer normalisation stands. Under Pre-LN and Peri-LN, and without any, particles live in R^d and their directions are shown.",
    )  # fmt: skip
    slots.here("placement")
    step = law.get("layers")
    discrete = st.toggle("Discrete layers", step is not None, key=f"{key}/discrete",
                         help="Attention, then perceptron, each with a step, instead of continuous time.")  # fmt: skip
    changed["layers"] = (
        _number("Step of a layer", step or 0.1, f"{key}/layers", "Layers = horizon / step.") if discrete else None
    )
    slots.here("layers")
    return changed


def _group(name: str) -> None:
    st.caption(f"**{name}**")


def unsaid(changed: dict[str, Any], law: dict[str, Any]) -> dict[str, Any]:
    """The law without defaults that the earlier one did not say either, so that looking at it changes nothing."""
    return {name: value for name, value in changed.items() if name in law or value != DEFAULTS[name]}


def _perceptron(law: dict[str, Any], dimension: int, key: str, slots: Slots) -> dict[str, Any]:
    has = st.toggle("Perceptron", law.get("W") is not None, key=f"{key}/perceptron",
                    help="Adds W (Ux + b)₊ to the drift, the same for all particles.")  # fmt: skip
    if not has:
        return {"W": None, "U": None, "b": None}
    left, right = st.columns(2, gap="small")
    W, U = law.get("W"), law.get("U")
    with left:
        said = {
            "W": matrix_control("W", "identity" if W is None else W, dimension, key, slots, "What an open unit does.")
        }
    with right:
        said["U"] = matrix_control(
            "U", "identity" if U is None else U, dimension, key, slots, "What the units look at."
        )
    width = (
        len(said["W"][0]) if isinstance(said["W"], list) and said["W"] and isinstance(said["W"][0], list) else dimension
    )
    now = law.get("b") or [0.0] * width
    shown = ", ".join(f"{x:g}" for x in now)
    b = st.text_input("b", shown, key=f"{key}/b", help="A threshold for each unit, or one number for all.")
    slots.here("b")
    if b == shown and law.get("b") is not None:
        return said | {"b": now}  # so that an untouched field never rounds the numbers behind it
    try:
        typed = [float(x) for x in b.replace(",", " ").split()]
        said["b"] = typed * width if len(typed) == 1 else typed
    except ValueError:
        slots.show('"b" holds something that is not a number: give numbers with commas between them')
        said["b"] = now
    return said


def _heads(law: dict[str, Any], dimension: int, key: str, slots: Slots) -> dict[str, Any]:
    given = law.get("heads")
    now = len(given) if isinstance(given, list) else 1
    count = int(st.number_input("Heads", 1, max(MOST_HEADS_SHOWN, now), now, key=f"{key}/heads",
                                help="Several attentions whose pulls are added, each with its own V, B and β."))  # fmt: skip
    slots.here("heads")
    rest = {name: value for name, value in law.items() if name not in ("heads", "V", "B", "beta")}
    single = {name: law.get(name, DEFAULTS[name]) for name in ("V", "B", "beta")}
    if count == 1:
        return rest | (given[0] if now > 1 and given else single)
    heads = list(given) if given else [single]
    heads += [{"V": "identity", "B": "identity", "beta": 1.0}] * (count - len(heads))
    return rest | {"heads": [_one_head(k, head, dimension, key, slots) for k, head in enumerate(heads[:count])]}


def _one_head(k: int, head: dict[str, Any], dimension: int, key: str, slots: Slots) -> dict[str, Any]:
    st.markdown(f"**Head {k + 1}**")
    place, key = f"head {k + 1}", f"{key}/head{k}"
    said = {"beta": _number("β", head.get("beta", 1.0), f"{key}/beta", B_HELP)}
    slots.here(f"{place}/beta")
    left, right = st.columns(2, gap="small")
    with left:
        said["V"] = matrix_control("V", head.get("V", "identity"), dimension, key, slots, V_HELP, place)
    with right:
        said["B"] = matrix_control("B", head.get("B", "identity"), dimension, key, slots, B_HELP, place)
    return said


def _number(label: str, value: Any, key: str, help: str) -> float:
    """A number without bounds: what it may be is said beside it in a sentence, by what reads the scenario."""
    return float(st.number_input(label, value=float(value), step=0.1, format="%g", key=key, help=help))
