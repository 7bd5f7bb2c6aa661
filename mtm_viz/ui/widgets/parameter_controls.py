"""A control for each kind of parameter a dataclass field may declare, so that a new generator needs no new widget."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import streamlit as st

from mtm_viz.errors import InputError
from mtm_viz.parameters import Choice, Direction, Flag, Number, Parameter, Whole, Words
from mtm_viz.ui.words import sentence


def parameter_control(parameter: Parameter, value: Any, key: str, dimension: int) -> Any:
    """Draw the control and return the value now set, as JSON; `value` itself where what was typed cannot be read."""
    match parameter:
        case Number():
            return _number(parameter, value, key)
        case Direction():
            return _direction(parameter, value, key, dimension)
        case Words():
            return _checked(
                parameter,
                value,
                st.text_input(parameter.label, value, max_chars=_whole(parameter.max), key=key, help=parameter.help),
            )
        case Choice():
            return st.selectbox(
                parameter.label, parameter.among, parameter.among.index(value), key=key, help=parameter.help
            )
        case Whole():
            low, high = _whole(parameter.min), _whole(parameter.max)
            return int(st.number_input(parameter.label, low, high, int(value), 1, key=key, help=parameter.help))
        case Flag():
            return st.checkbox(parameter.label, value, key=key, help=parameter.help)
        case _:
            return _as_json(parameter, value, key)


def _number(parameter: Number, value: float, key: str) -> float:
    unit = {"deg": "°", "": ""}.get(parameter.unit, f" {parameter.unit}")
    label = f"{parameter.label} ({unit.strip()})" if unit else parameter.label
    low = None if parameter.min is None else float(parameter.min)
    high = None if parameter.max is None else float(parameter.max)
    step = 1.0 if high is None or high >= 10 else 0.1
    return st.number_input(label, low, high, float(value), step=step, format="%g", key=key, help=parameter.help)


def _direction(parameter: Direction, value: list[float] | None, key: str, dimension: int) -> list[float] | None:
    """Longitude and latitude on the sphere of R^3, coordinates elsewhere. The vector is kept as given until one is changed."""
    vector = [0.0] * (dimension - 1) + [1.0] if value is None else [float(x) for x in value]
    if dimension == 3 and len(vector) == 3:
        longitude, latitude = lon_lat(vector)
        st.markdown(parameter.label, help=parameter.help)
        left, right = st.columns(2, gap="small")
        lon = left.number_input("Longitude (°)", -180.0, 180.0, longitude, 5.0, "%g", key=f"{key}/lon")
        lat = right.number_input("Latitude (°)", -90.0, 90.0, latitude, 5.0, "%g", key=f"{key}/lat")
        return value if (lon, lat) == (longitude, latitude) else direction_at(lon, lat)
    text = st.text_input(
        f"{parameter.label} ({dimension} numbers)", ", ".join(f"{x:g}" for x in vector), key=key, help=parameter.help
    )
    try:
        typed = [float(x) for x in text.replace(";", ",").split(",")]
    except ValueError:
        st.error(f"Give {dimension} numbers with commas between them.")
        return value
    if len(typed) != dimension:
        st.error(f"That is {len(typed)} numbers: the dimension is {dimension}.")
        return value
    # Compared as shown, so that an untouched field never rounds the vector behind it.
    return value if [f"{x:g}" for x in typed] == [f"{x:g}" for x in vector] else _checked(parameter, value, typed)


def lon_lat(vector: list[float]) -> tuple[float, float]:
    """Longitude and latitude in degrees of a vector of R^3, to a hundredth.

    >>> lon_lat([0.0, 2.0, 0.0])
    (90.0, 0.0)
    """
    x, y, z = vector
    return (
        round(float(np.rad2deg(np.arctan2(y, x))), 2) + 0.0,
        round(float(np.rad2deg(np.arctan2(z, np.hypot(x, y)))), 2) + 0.0,
    )


def direction_at(longitude: float, latitude: float) -> list[float]:
    """The unit vector there, rounded to what a link needs to carry."""
    lon, lat = np.deg2rad([longitude, latitude])
    return [round(float(x), 6) + 0.0 for x in (np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat))]


def _as_json(parameter: Parameter, value: Any, key: str) -> Any:
    text = st.text_area(f"{parameter.label} (JSON)", json.dumps(value), key=key, help=parameter.help, height=90)
    try:
        said = json.loads(text)
    except ValueError:
        st.error("This is not JSON yet: check brackets, commas and quotes.")
        return value
    return _checked(parameter, value, said)


def _checked(parameter: Parameter, value: Any, said: Any) -> Any:
    try:
        parameter.read(said)
    except InputError as problem:
        st.error(sentence(f"{parameter.label} {problem}"))
        return value
    return said


def _whole(x: float | None) -> int | None:
    return None if x is None else int(x)
