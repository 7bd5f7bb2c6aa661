"""The atoms as a table: typed, pasted, sorted, deleted."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from mtm_viz.errors import InputError
from mtm_viz.measures.measure import Measure
from mtm_viz.measures.readers.columns import measure_of_columns, roles_of
from mtm_viz.measures.readers.limits import Limits
from mtm_viz.measures.readers.rows import coordinate_names
from mtm_viz.ui import desk, state
from mtm_viz.ui.arrange import EMPTY
from mtm_viz.ui.draft import canonical, digest
from mtm_viz.ui.drawing import said_of
from mtm_viz.ui.words import sentence


def atoms_table(measure: Measure | None) -> None:
    """An editor of rows; what cannot be read is said beneath and changes nothing."""
    globe = state.draft().dimension == 3 and st.segmented_control(
        "Columns", ["lon, lat", "x, y, z"], default="lon, lat", required=True, label_visibility="collapsed", key="columns"
    ) == "lon, lat"  # fmt: skip
    shown = table_of(measure, state.draft().dimension, globe)
    order = st.selectbox("Sorted by", ["as drawn", *shown.columns], key=f"order-{globe}", help="For looking only; the measure has no order.")  # fmt: skip
    if order != "as drawn":
        shown = shown.sort_values(order, kind="stable")
    # Named after what it shows, so that edits of an older table are never applied to a newer one.
    name = digest(canonical(said_of(measure))) if measure else "empty"
    changed = st.data_editor(
        shown.reset_index(drop=True),
        num_rows="dynamic",
        height=330,
        hide_index=True,
        key=f"atoms-{name}-{globe}-{order}",
        column_config={column: st.column_config.NumberColumn(format="%.6g", required=True) for column in shown.columns},
    )
    if changed.equals(shown.reset_index(drop=True)):
        return
    try:
        found = edited_measure(changed, measure, shown)
    except InputError as problem:
        st.error(sentence(str(problem)), icon=":material/error:")
        return
    desk.edit_measure(EMPTY if found is None else said_of(found))
    st.rerun()


def table_of(measure: Measure | None, dimension: int, globe: bool) -> pd.DataFrame:
    """Longitude, latitude in degrees or coordinates, and weights beside 1; the index is the atom's number."""
    if measure is None:
        names = ("lon", "lat") if globe else coordinate_names(dimension)
        return pd.DataFrame({name: np.empty(0) for name in (*names, "weight")})
    if globe:
        x, y, z = measure.points.T
        columns = {"lon": np.rad2deg(np.arctan2(y, x)), "lat": np.rad2deg(np.arctan2(z, np.hypot(x, y)))}
    else:
        columns = dict(zip(coordinate_names(dimension), measure.points.T, strict=True))
    return pd.DataFrame(columns | {"weight": measure.weights * len(measure)})


def edited_measure(changed: pd.DataFrame, before: Measure | None, shown: pd.DataFrame) -> Measure | None:
    """The table as a measure; rows that were not touched keep every bit of their atom. None: no row is left.

    Raises InputError naming row and column.
    """
    changed = changed.dropna(how="all")
    if changed.empty:
        return None
    changed = changed.assign(weight=changed["weight"].fillna(1.0))
    for column in changed.columns:
        missing = np.flatnonzero(changed[column].isna())
        if len(missing):
            raise InputError(f"row {missing[0] + 1}, column {column} is empty: give a number or delete the row")
    roles = roles_of(list(changed.columns))
    columns = [changed.iloc[:, k].to_numpy(dtype=float) for k in roles.used]
    found = measure_of_columns(roles, columns, limits=Limits())
    if before is None:
        return found
    atoms = {row.tobytes(): k for row, k in zip(shown.iloc[:, :-1].to_numpy(), shown.index, strict=True)}
    points = found.points.copy()
    for j, row in enumerate(changed.iloc[:, :-1].to_numpy(dtype=float)):
        k = atoms.get(row.tobytes())
        if k is not None:
            points[j] = before.points[k]
    return Measure(points, columns[-1])
