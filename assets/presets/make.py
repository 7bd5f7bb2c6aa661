"""Remake the preset files of this folder: `python assets/presets/make.py`. Runs are remade by `runs.py` beside it.

Positions are given as (longitude, latitude) in degrees, as a person places them; the files hold unit vectors.
Cities come from assets/data/cities.csv (GeoNames, CC BY 4.0, see the README there).
"""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).parent
CITIES = HERE.parent / "data" / "cities.csv"
GEONAMES = "City positions and populations: GeoNames (geonames.org), CC BY 4.0; 3,000 largest cities, resampled to equal weights."

Json = dict[str, Any]


def at(longitude: float, latitude: float) -> list[float]:
    """The unit vector at (longitude, latitude), rounded to what a file needs."""
    lon, lat = np.deg2rad([longitude, latitude])
    return [round(float(x), 6) for x in (np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat))]


def made(generator: str, n: int, seed: int = 0, **params: Any) -> Json:
    return {"generator": generator, "params": params, "n": n, "seed": seed}


def cloud(where: list[float], kappa: float, n: int, seed: int) -> Json:
    return made("von_mises_fisher", n, seed, mean=where, kappa=kappa)


def ring(where: list[float], radius: float, n: int) -> Json:
    return made("ring", n, center=where, radius_deg=radius)


def text(words: str, where: list[float], size: float, n: int) -> Json:
    return made("text", n, text=words, center=where, size_deg=size)


def rings(n: int, *parts: tuple[list[float], float]) -> Json:
    """Several rings of equally many atoms: a measure that shares a whole ring with another shares its atoms."""
    return made("mixture", n, parts=[{"generator": "ring", "params": {"center": c, "radius_deg": r}} for c, r in parts])


def preset(
    title: str,
    sentence: str,
    *pairs: tuple[str, Json, Json],
    dimension: int = 3,
    attribution: str = "",
    solve: Json | None = None,
) -> Json:
    said: Json = {"title": title, "sentence": sentence}
    if attribution:
        said["attribution"] = attribution
    if solve:
        said["solve"] = solve
    listed = [{"name": name, "input": start, "target": end} for name, start, end in pairs]
    return said | {"problem": {"format": "mtm-problem", "version": 1, "dimension": dimension, "pairs": listed}}


def citizens(n: int, seed: int, chosen: Any) -> list[list[float]]:
    """n equally weighted atoms for the cities where `chosen(row)` holds, their population as mass.

    Systematic resampling keeps every city's share to within one atom; the atoms of a city that gets several
    are set down about a degree apart, since a measure merges atoms that coincide.
    """
    with CITIES.open(encoding="utf-8") as lines:
        rows = [row for row in csv.DictReader(lines) if chosen(row)]
    rng = np.random.default_rng(seed)
    people = np.array([float(row["population"]) for row in rows])
    where = np.array([at(float(row["longitude"]), float(row["latitude"])) for row in rows])
    share = np.cumsum(people) / people.sum()
    picked = where[np.searchsorted(share, (np.arange(n) + rng.random()) / n)]
    moved = picked + np.deg2rad(1.0) * rng.standard_normal(picked.shape)
    moved /= np.linalg.norm(moved, axis=1, keepdims=True)
    return np.round(moved, 6).tolist()


def continent(code: str, n: int, seed: int) -> Json:
    return {"points": citizens(n, seed, lambda row: row["continent"] == code)}


def country(codes: str, n: int, seed: int) -> Json:
    return {"points": citizens(n, seed, lambda row: row["country"] in codes.split())}


def all_presets() -> dict[str, Json]:
    """Every preset by name. Things lie about longitude 52 and latitude 20, which is where the player first looks."""
    s = 60
    petals = (("east", 24, 0), ("north", 0, 24), ("west", -24, 0), ("south", 0, -24))
    once = (("O", -7, 5, 21), ("N", 7, 5, 22), ("C", 6, -7, 23), ("E", -6, -6, 24))
    return {
        "three-clouds": preset(
            "Three clouds become three rings",
            "The clouds overlap, yet one Transformer must send each to its own ring. Watch attention pull them apart "
            "first; then gates open one by one and land every atom.",
            ("first cloud", cloud(at(10, 24), 16, s, 11), ring(at(60, 56), 16, s)),
            ("second cloud", cloud(at(30, 18), 16, s, 12), ring(at(98, 22), 16, s)),
            ("third cloud", cloud(at(18, 4), 16, s, 13), ring(at(78, -16), 16, s)),
        ),
        "a-measure": preset(
            "Made for a sample, good for the measure",
            "Each cloud is cut into 24 cells, and a cell travels with everything in it. So the same schedule also carries "
            "atoms that it was not made for: see other samples under the certificate.",
            ("cloud to ring", cloud(at(12, 26), 12, 240, 61), ring(at(84, 10), 35, 24)),
            (
                "cap to spiral",
                made("cap", 240, 62, center=at(-8, 4), radius_deg=38),
                made("spiral", 24, center=at(62, 66), radius_deg=38, turns=1.5),
            ),
            solve={"strategy": "cells"},
        ),
        "mu-to-nu": preset(
            "μ becomes ν",
            "The theorem's own letters: the measures μ₁ and μ₂ lie across each other, and one schedule writes ν₁ and ν₂.",
            ("μ₁ to ν₁", text("μ₁", at(18, 28), 40, 80), text("ν₁", at(92, 38), 36, 80)),
            ("μ₂ to ν₂", text("μ₂", at(30, 12), 40, 80), text("ν₂", at(84, -4), 36, 80)),
        ),
        "shared-atoms": preset(
            "The same point, two destinations",
            "Both inputs hold the ring in the middle, atom for atom. Without attention a point can go to one place only; "
            "switch attention off to see it fail.",
            ("upper", rings(60, (at(32, 4), 13), (at(12, 30), 13)), ring(at(82, 46), 20, 60)),
            ("lower", rings(60, (at(32, 4), 13), (at(40, -28), 13)), ring(at(98, 2), 20, 60)),
        ),
        "rings-swap": preset(
            "Concentric rings trade places",
            "Two rings about one centre have the same barycentre, so attention sees no difference at first. "
            "One gate unbalances them; then they can be told apart.",
            ("inner to outer", ring(at(52, 20), 18, 48), ring(at(52, 20), 42, 48)),
            ("outer to inner", ring(at(52, 20), 42, 48), ring(at(52, 20), 18, 48)),
        ),
        "continents": preset(
            "Three continents move one place on",
            "Every atom is an equal share of a continent's city dwellers. Africa, Europe and Asia "
            "each take the next one's place, all at the same time.",
            ("Africa to Europe", continent("AF", s, 1), continent("EU", s, 2)),
            ("Europe to Asia", continent("EU", s, 3), continent("AS", s, 4)),
            ("Asia to Africa", continent("AS", s, 5), continent("AF", s, 6)),
            attribution=GEONAMES,
        ),
        "cities-trade": preset(
            "India and China change places",
            "City dwellers of both sides of the Himalaya. The clouds touch, so each must pass without taking "
            "any of the other along.",
            ("India to China", country("IN PK BD", 70, 7), country("CN", 70, 8)),
            ("China to India", country("CN", 70, 9), country("IN PK BD", 70, 10)),
            attribution=GEONAMES,
        ),
        "fills-the-sphere": preset(
            "A measure that fills the sphere",
            "One input covers the whole sphere, so no hemisphere is free of it. It gathers into a ring while a cap "
            "opens out over the whole sphere.",
            ("sphere to ring", made("fibonacci", 64), ring(at(52, 20), 30, 64)),
            ("cap to sphere", made("cap", 64, 5, center=at(52, 45), radius_deg=32), made("uniform", 64, 3)),
        ),
        "four-share": preset(
            "Four measures share a core",
            "Four petals with one common core, atom for atom. Each core atom has to reach four places: "
            "one in each prompt, under one schedule.",
            *(
                (name, rings(40, (at(28, 8), 9), (at(28 + lon, 8 + lat), 9)), ring(at(86 + lon, 26 + lat), 10, 40))
                for name, lon, lat in petals
            ),
        ),
        "spirals": preset(
            "Two galaxies unwind",
            "Spirals wound through each other turn into a circle around the world and a record's groove.",
            (
                "to a groove",
                made("spiral", 72, center=at(36, 12), radius_deg=44, turns=2.5),
                made("spiral", 72, center=at(92, 4), radius_deg=32, turns=8),
            ),
            (
                "to a circle",
                made("spiral", 72, center=at(45, 17), radius_deg=44, turns=1.5),
                made("great_circle", 72, normal=at(40, 62)),
            ),
        ),
        "letters": preset(
            "Four letters from one cloud",
            "Four clouds that lie on top of one another come apart into the word ONCE.",
            *(
                (
                    letter,
                    cloud(at(52 + dx, -16 + dy), 18, 40, seed),
                    text(letter, at(13 + 26 * k, 36), 19, 40),
                )
                for k, (letter, dx, dy, seed) in enumerate(once)
            ),
        ),
        "four-dimensions": preset(
            "In four dimensions",
            "The theorem holds on any sphere. Here it is S³, of which the picture shows three coordinates.",
            ("cloud to circle", cloud([0.9, 0.5, 0.15, 0.3], 14, 48, 31), ring([0.1, 0.9, 0.1, 0.2], 30, 48)),
            (
                "cloud to spiral",
                cloud([0.9, 0.15, 0.3, -0.2], 14, 48, 32),
                made("spiral", 48, center=[0.3, 0.4, 0.9, 0.2], radius_deg=40, turns=2),
            ),
            dimension=4,
        ),
    }


if __name__ == "__main__":
    for name, said in all_presets().items():
        (HERE / f"{name}.json").write_text(json.dumps(said, ensure_ascii=False, indent=None) + "\n", encoding="utf-8")
