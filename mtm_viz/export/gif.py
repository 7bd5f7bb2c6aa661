"""A film as GIF: plays in every mail and slide; made smaller, step by step, until it fits the size asked for."""

from __future__ import annotations

import io
from typing import BinaryIO

import numpy as np
from PIL import Image

from mtm_viz.errors import InputError
from mtm_viz.rendering.encode import encode, gif
from mtm_viz.rendering.film import Film, Progress, film
from mtm_viz.rendering.options import Options
from mtm_viz.rendering.shading import rgb
from mtm_viz.run import Run

MIME_TYPE = "image/gif"
#: Frames that the palette is taken from.
SAMPLES = 16


def write_gif(run: Run, stream: BinaryIO, options: Options, progress: Progress) -> list[str]:
    """Raises InputError where even 32 colours are more than options.most_bytes."""
    made = film(run, options, size=(600, 600), fps=12.5, frames=120)
    # A GIF counts hundredths of a second a frame, and browsers slow down below two.
    fps = 100 / max(2, round(100 / made.fps))
    notes = made.remarks
    if abs(fps - made.fps) > 0.01:
        notes.append(f"the film runs at {fps:.3g} frames a second, the nearest a GIF can")
    steps = [(options.dither, 255), ("none", 255), ("none", 128), ("none", 64), ("none", 32)]
    if options.dither == "none":
        del steps[0]
    out, colors = io.BytesIO(), 0
    for k, (dither, colors) in enumerate(steps):
        out = io.BytesIO()
        palette = palette_of(made, colors)

        def report(sentence: str, fraction: float, k: int = k) -> None:
            progress(sentence if k == 0 else f"making it smaller: {sentence}", (k + fraction) / (k + 1))

        arguments = gif(dither, options.loop != "once")
        encode(made.pictures(report), made.size, fps, arguments, ".gif", out, {"palette.png": palette})
        if options.most_bytes is None or out.tell() <= options.most_bytes:
            stream.write(out.getbuffer())
            if k:
                notes.append(
                    f"made with {colors} colours and no dithering, to stay within {options.most_bytes:,} bytes"
                )
            return notes
    raise InputError(
        f"the GIF has {out.tell():,} bytes at {colors} colours, more than {options.most_bytes:,}: ask for fewer frames or a smaller size"
    )


def palette_of(made: Film, colors: int) -> bytes:
    """One palette for all frames, a 16 x 16 PNG: from a few of them, with the measures' own colours kept."""
    raster = made.raster()
    chosen = np.unique(np.linspace(0, len(made) - 1, min(SAMPLES, len(made))).astype(int))
    sheets = [raster.picture(float(made.at[k]), made.eyes[k]).convert("RGBA") for k in chosen.tolist()]
    pixels = np.concatenate([np.asarray(sheet)[::3, ::3].reshape(-1, 4) for sheet in sheets])
    pixels = pixels[pixels[:, 3] > 127][:, :3]
    theme = made.options.colors
    own = [rgb(theme["measures"][i % len(theme["measures"])]) for i in range(len(made.run.names))]
    kept = np.array([rgb(theme["page"]), rgb(theme["ink"]), rgb(theme["outline"]), *own], dtype=np.uint8)
    rows = np.concatenate([pixels, np.repeat(kept, max(1, len(pixels) // 150), axis=0)])
    sheet = Image.fromarray(rows[None], "RGB")
    found = sheet.quantize(colors - len(kept), method=Image.Quantize.MEDIANCUT).getpalette() or []
    table = [tuple(found[k : k + 3]) for k in range(0, len(found), 3)] + [tuple(c) for c in kept.tolist()]
    picture = Image.new("RGBA", (16, 16), (0, 0, 0, 0) if made.options.transparent else (*table[0], 255))
    picture.putdata([(*color, 255) for color in table[:255]])
    out = io.BytesIO()
    picture.save(out, "png")
    return out.getvalue()
