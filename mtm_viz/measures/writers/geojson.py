"""GeoJSON (RFC 7946): one Point an atom, longitude and latitude in degrees, its weight a property."""

from __future__ import annotations

import json

import numpy as np

from mtm_viz.errors import InputError
from mtm_viz.measures.measure import Measure
from mtm_viz.measures.writers import Writer


def write_geojson(measure: Measure) -> bytes:
    if measure.dimension != 3:
        raise InputError(f"GeoJSON holds points of S^2 only and the dimension is {measure.dimension}: save CSV or NPZ")
    x, y, z = measure.points.T
    lon, lat = np.rad2deg(np.arctan2(y, x)), np.rad2deg(np.arctan2(z, np.hypot(x, y)))
    features = [
        {
            "type": "Feature",
            "properties": {"weight": weight},
            "geometry": {"type": "Point", "coordinates": [longitude, latitude]},
        }
        for longitude, latitude, weight in zip(lon.tolist(), lat.tolist(), measure.weights.tolist(), strict=True)
    ]
    return json.dumps({"type": "FeatureCollection", "features": features}).encode() + b"\n"


WRITER = Writer(
    "GeoJSON",
    ".geojson",
    "application/geo+json",
    write_geojson,
    loss="points come back to 1e-15, since degrees are rounded; weights to the last bit",
)
