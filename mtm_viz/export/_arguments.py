"""The options of `export` on the command line."""

from __future__ import annotations

import argparse
import re

from mtm_viz.errors import InputError
from mtm_viz.rendering.layout import PARTS
from mtm_viz.rendering.options import DITHERS, LOOPS, SIZES, THEMES, Options, parse_size

FORMATS = (
    ".html: a page that opens offline; .mp4 .webm .gif: films; .png .svg .pdf: stills; .png.zip: a film's frames; "
    ".csv .parquet .trajectories.npz: trajectories; .npz .json: the schedule; .tex: its table; .summary.json .md: the "
    "certificate; .safetensors: the Transformer, with a PyTorch module; .zip: all that reproduces the run"
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Only what is given is set; the rest is the format's own choice."""
    add = parser.add_argument
    add("--size", metavar="WxH", help=f"pixels, or one of {', '.join(SIZES)} (default: 1920x1080; .gif 600x600)")
    add("--frames", type=int, metavar="F", help="how many frames (default: as long as the player's film)")
    add("--fps", type=float, metavar="R", help="frames a second (default: 30; .gif 12.5)")
    add("--at", type=float, metavar="T", help="moment of a still: display time from 0 to 1 (default: 1)")
    add(
        "--camera", metavar="PATH", help="fixed, turn, turn:DEGREES, follow:MEASURE, or x,y,z, the eye of a copied link"
    )
    add("--lens", choices=("perspective", "orthographic"), help="how depth shows (default: perspective)")
    add("--zoom", type=float, metavar="Z", help="times larger (default: 1)")
    add(
        "--axes", metavar="I,J,K", help="what is shown above dimension 3: three coordinates, or spread (default: 1,2,3)"
    )
    add("--theme", choices=THEMES, help="colours (default: light)")
    add("--title", metavar="TEXT", help="a line at the top")
    add(
        "--show",
        metavar="PARTS",
        help=f"what is in the picture, separated by commas: {', '.join(PARTS)}; none: atoms alone",
    )
    add("--loop", choices=LOOPS, help="once, loop (default), or pingpong: there and back")
    add("--dither", choices=DITHERS, help="of a GIF's colours (default: bayer)")
    add("--max-size", metavar="SIZE", help="make a GIF smaller until it fits, as in 6MB")
    add("--layers", type=int, metavar="L", help="layers of the .safetensors network (default: 40 a segment)")


def options_from(said: argparse.Namespace, command: str = "") -> Options:
    """The options given. Raises InputError for what they cannot be."""
    plain = ("frames", "fps", "at", "camera", "lens", "zoom", "axes", "theme", "title", "loop", "dither", "layers")
    given = {name: getattr(said, name) for name in plain if getattr(said, name) is not None}
    if said.size is not None:
        given["size"] = parse_size(said.size)
    if said.show is not None:
        given["show"] = frozenset(word.strip() for word in said.show.split(",") if word.strip() not in ("", "none"))
    if said.max_size is not None:
        given["most_bytes"] = parse_bytes(said.max_size)
    return Options(**given, command=command)


def parse_bytes(said: str) -> int:
    """`6MB`, `800 kB` or a number of bytes.

    >>> parse_bytes("6MB"), parse_bytes("1.5 kb"), parse_bytes("100")
    (6000000, 1500, 100)
    """
    found = re.fullmatch(r"(\d{1,12}(?:\.\d{1,6})?)\s*([kmg]?)b?", said.strip().lower())
    if not found:
        raise InputError(f"the size '{said}' is not known: write it as 6MB, 800kB or a number of bytes")
    return int(float(found[1]) * {"": 1, "k": 10**3, "m": 10**6, "g": 10**9}[found[2]])
