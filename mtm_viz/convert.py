"""The command `convert`: any accepted measure file in; JSON, CSV, NPZ or GeoJSON out."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np

from mtm_viz.arguments import count, direction, positive, seed
from mtm_viz.errors import InputError
from mtm_viz.files import named, require_writable, written_whole
from mtm_viz.parameters import parameters

#: Options of `convert` that only a picture has.
PICTURE_OPTIONS = ("placement", "center", "size_deg", "n", "seed", "invert")


def add_to(commands: Any) -> None:
    """Add the command and its options to the parser of commands."""
    read = commands.add_parser("convert", help="read any accepted measure file, check it and write it, by OUT's suffix")
    read.add_argument("file", metavar="FILE", help=".csv .tsv .txt .parquet .npy .npz .geojson .json .png .jpg .svg")
    read.add_argument("-o", metavar="MEASURE.json", required=True, help=".json, .csv, .npz or .geojson")
    read.add_argument("--most-mb", type=positive, default=25.0, help="refuse larger files (default: %(default)s)")
    read.add_argument("--most-atoms", type=count, default=200_000, help="refuse more atoms (default: %(default)s)")
    read.add_argument(
        "--nudge", type=positive, metavar="RAD", help="move atoms that lie nearer than this until they are as far apart"
    )
    laid = read.add_argument_group("pictures", "how ink is laid on the sphere")
    laid.add_argument("--placement", help="patch (default) or world, an equirectangular map")
    laid.add_argument("--center", type=direction, metavar="X,Y,Z", help="the middle of a patch (default: 1,0,0)")
    laid.add_argument("--size-deg", type=float, metavar="DEG", help="the longer side of a patch (default: 60)")
    laid.add_argument("--n", type=count, help="atoms drawn from the ink (default: 200)")
    laid.add_argument("--seed", type=seed, help="shifts the atoms, or nudges them elsewhere (default: 0)")
    laid.add_argument("--invert", action="store_true", default=None, help="light is ink")
    read.set_defaults(run=convert)


def convert(said: argparse.Namespace) -> int:
    from mtm_viz.measures.readers import format_of, read_measure
    from mtm_viz.measures.readers.limits import Limits
    from mtm_viz.measures.transform import nudged
    from mtm_viz.measures.writers import writer_of
    from mtm_viz.sphere import angle

    out = Path(said.o)
    writer = writer_of(said.o)
    require_writable(out)
    path = Path(said.file)
    with named(path.name):
        known = parameters(format_of(path.name).options)
    asked = {name: getattr(said, name) for name in PICTURE_OPTIONS if getattr(said, name) is not None}
    turn = said.seed or 0
    if said.nudge and "seed" not in known:
        asked.pop("seed", None)  # which is the nudge's
    for name in asked:
        if name not in known:
            raise InputError(f"{path.name}: --{name.replace('_', '-')} is for pictures only: leave it out")
    measure = read_measure(path, asked, Limits(bytes=int(said.most_mb * 1e6), atoms=said.most_atoms))
    notes = list(measure.notes)
    if said.nudge:
        before = measure
        with named(path.name):
            measure = nudged(before, said.nudge, turn)
        moves = angle(before.points, measure.points)
        notes.append(
            f"{np.count_nonzero(moves > 0)} atoms moved by up to {moves.max():.3g} rad, "
            f"W2 at most {np.sqrt(measure.weights @ moves**2):.3g} rad"
        )
    content = writer.write(measure)
    with written_whole(out) as stream:
        stream.write(content)
    print(f"wrote {out}: {len(measure)} atoms in dimension {measure.dimension}")
    for note in (*notes, *([writer.loss] if writer.loss else [])):
        print(f"note: {note}")
    return 0
