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
    title: str, sentence: str, *pairs: tuple[str, Json, Json], dimension: int = 3, attribution: str = ""
) -> Json:
    said: Json = {"title": title, "sentence": sentence}
    if attribution:
        said["attribution"] = attribution
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
    """Every preset by name."""
    s = 60
    return {
        "three-clouds": preset(
            "Three clouds become three rings",
            "The clouds overlap, yet one Transformer must send each to its own ring. Watch attention pull them apart "
            "first; then gates open one by one and land every atom.",
            ("first cloud", cloud(at(-10, 6), 14, s, 11), ring(at(75, 42), 20, s)),
            ("second cloud", cloud(at(12, 4), 14, s, 12), ring(at(100, -8), 20, s)),
            ("third cloud", cloud(at(0, -14), 14, s, 13), ring(at(55, -42), 20, s)),
        ),
        "mu-to-nu": preset(
            "μ becomes ν",
            "The theorem's own letters: measures μ₁ and μ₂ lie across each other, and one schedule writes ν₁ and ν₂.",
            ("μ₁ to ν₁", text("μ₁", at(-8, 5), 46, 80), text("ν₁", at(85, 26), 42, 80)),
            ("μ₂ to ν₂", text("μ₂", at(10, -9), 46, 80), text("ν₂", at(85, -26), 42, 80)),
        ),
        "shared-atoms": preset(
            "The same point, two destinations",
            "Both inputs hold the ring in the middle, atom for atom. Without attention a point can go to one place only; "
            "switch attention off to see it fail.",
            ("left", rings(60, (at(0, 0), 14), (at(-38, 6), 14)), ring(at(70, 30), 24, 60)),
            ("right", rings(60, (at(0, 0), 14), (at(36, -10), 14)), ring(at(70, -30), 24, 60)),
        ),
        "rings-swap": preset(
            "Concentric rings trade places",
            "Two rings about one centre have the same barycentre, so attention sees no difference at first. "
            "One gate unbalances them; then they can be told apart.",
            ("inner to outer", ring(at(15, 10), 18, 48), ring(at(15, 10), 42, 48)),
            ("outer to inner", ring(at(15, 10), 42, 48), ring(at(15, 10), 18, 48)),
        ),
        "continents": preset(
            "Three continents move one place on",
            "Every atom is an equal share of a continent's city dwellers. Africa, Europe and South America "
            "each take the next one's place, at the same time.",
            ("Africa to Europe", continent("AF", s, 1), continent("EU", s, 2)),
            ("Europe to South America", continent("EU", s, 3), continent("SA", s, 4)),
            ("South America to Africa", continent("SA", s, 5), continent("AF", s, 6)),
            attribution=GEONAMES,
        ),
        "cities-trade": preset(
            "India and China change places",
            "A billion city dwellers each way, across the Himalaya. The clouds touch, so each must pass without taking "
            "any of the other along.",
            ("India to China", country("IN PK BD", 70, 7), country("CN", 70, 8)),
            ("China to India", country("CN", 70, 9), country("IN PK BD", 70, 10)),
            attribution=GEONAMES,
        ),
        "fills-the-sphere": preset(
            "A measure that fills the sphere",
            "One input covers the whole sphere, so no hemisphere is free of it. It gathers into a ring while a cap "
            "opens out over the whole sphere.",
            ("sphere to ring", made("fibonacci", 64), ring(at(20, 20), 30, 64)),
            ("cap to sphere", made("cap", 64, 5, center=at(60, 55), radius_deg=32), made("uniform", 64, 3)),
        ),
        "four-share": preset(
            "Four measures share a core",
            "Four petals with one common core, atom for atom. Each core atom must reach four places at once: "
            "in four prompts, under one schedule.",
            *(
                (
                    name,
                    rings(40, (at(0, 0), 10), (at(lon, lat), 11)),
                    ring(at(lon * 1.9 + 65, lat * 1.35), 13, 40),
                )
                for name, lon, lat in (("east", 30, 2), ("north", -2, 30), ("west", -30, -3), ("south", 3, -30))
            ),
        ),
        "spirals": preset(
            "Two galaxies unwind",
            "Spirals wound through each other turn into a circle around the world and a sunflower.",
            (
                "to a sunflower",
                made("spiral", 72, center=at(0, 0), radius_deg=46, turns=2.5),
                made("spiral", 72, center=at(95, -18), radius_deg=34, turns=8),
            ),
            (
                "to a circle",
                made("spiral", 72, center=at(9, 5), radius_deg=46, turns=1.5),
                made("great_circle", 72, normal=at(10, 55)),
            ),
        ),
        "letters": preset(
            "Four letters from one cloud",
            "Four clouds that lie on top of one another come apart into the word ONCE.",
            *(
                (letter, cloud(at(dx, dy), 16, 40, seed), text(letter, at(75 + 30 * k, 4), 25, 40))
                for k, (letter, dx, dy, seed) in enumerate(
                    (("O", -9, 8, 21), ("N", 9, 7, 22), ("C", 8, -9, 23), ("E", -8, -8, 24))
                )
            ),
        ),
        "four-dimensions": preset(
            "In four dimensions",
            "The theorem holds on any sphere. Here it is S³, of which the picture shows three coordinates.",
            ("cloud to circle", cloud([1, 0.25, 0.1, 0.2], 14, 48, 31), ring([0.1, 0.9, 0.3, 0.2], 30, 48)),
            (
                "cloud to spiral",
                cloud([1, -0.2, 0.15, -0.15], 14, 48, 32),
                made("spiral", 48, center=[-0.2, 0.3, 0.9, 0.2], radius_deg=40, turns=2),
            ),
            dimension=4,
        ),
    }


if __name__ == "__main__":
    for name, said in all_presets().items():
        (HERE / f"{name}.json").write_text(json.dumps(said, ensure_ascii=False, indent=None) + "\n", encoding="utf-8")
