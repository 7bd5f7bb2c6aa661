"""What the export panel offers, and a person's choices as options: no Streamlit here."""

from __future__ import annotations

import io
import re
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from mtm_viz.export import companions, format_of, suffixes, writer
from mtm_viz.export._apart import made_apart
from mtm_viz.export._estimate import FILMS
from mtm_viz.rendering.options import Options
from mtm_viz.run import Run
from mtm_viz.ui.jobs import Progress


class Kind(NamedTuple):
    """A format as it is offered: group, ending, name, what it is good for."""

    group: str
    suffix: str
    label: str
    help: str


KINDS = (
    Kind("Film", ".mp4", "MP4 (H.264)", "Plays everywhere: slides, projectors, phones."),
    Kind("Film", ".webm", "WebM (VP9)", "For web pages; may be transparent."),
    Kind("Film", ".gif", "GIF", "Plays in mails and slides without a player; may be transparent."),
    Kind("Film", ".png.zip", "PNG frames", "Every frame as a picture, for film editors and LaTeX."),
    Kind("Film", ".html", "Player (HTML)", "This player in one file that opens offline."),
    Kind("Picture", ".png", "PNG", "A still in pixels; may be transparent."),
    Kind("Picture", ".svg", "SVG", "A still in vectors, fonts inside, for posters and the web."),
    Kind("Picture", ".pdf", "PDF", "A still in vectors, fonts inside, for LaTeX."),
    Kind("Data", ".csv", "Trajectories, CSV", "A row a particle and frame."),
    Kind("Data", ".parquet", "Trajectories, Parquet", "The same columns, typed and small."),
    Kind("Data", ".trajectories.npz", "Trajectories, NPZ", "Arrays (frames, particles, coordinates) for NumPy."),
    Kind("Data", ".npz", "Schedule, NPZ", "V, B, W, U, b and duration of every segment."),
    Kind("Data", ".json", "Schedule, JSON", "The same as nested lists."),
    Kind("Data", ".tex", "Schedule, LaTeX", "A table, a row a segment."),
    Kind("Data", ".summary.json", "Certificate, JSON", "The numbers, for a script."),
    Kind("Data", ".md", "Certificate, Markdown", "The numbers, for a report."),
    Kind("Transformer", ".safetensors", "Network and PyTorch module", "Layers as tensors, and one file of PyTorch that runs them."),
    Kind("Transformer", ".zip", "Everything, to reproduce it", "Problem, run, certificate, versions, command and picture."),
)  # fmt: skip
GROUPS = ("Film", "Picture", "Data", "Transformer")
SIZES = {"HD, 1280 × 720": (1280, 720), "Full HD, 1920 × 1080": (1920, 1080), "4K, 3840 × 2160": (3840, 2160),
         "Square, 600 × 600": (600, 600), "Square, 1080 × 1080": (1080, 1080), "Upright, 1080 × 1920": (1080, 1920)}  # fmt: skip
TRANSPARENT = (".webm", ".gif", ".png", ".png.zip", ".svg", ".pdf")


@dataclass(frozen=True)
class Made:
    """A file ready to be fetched. key: the choices it was made from."""

    key: tuple[object, ...]
    name: str
    mime: str
    content: bytes
    notes: tuple[str, ...]


def kinds_of(group: str) -> list[Kind]:
    """The formats of a group that are written here."""
    known = suffixes()
    return [kind for kind in KINDS if kind.group == group and kind.suffix in known]


def make(run: Run, kind: Kind, stem: str, options: Options, key: tuple[object, ...], report: Progress) -> Made:
    """The whole of an export job. A file that has companions comes with them in one archive."""
    out = io.BytesIO()
    path = Path(f"{stem}{kind.suffix}")
    if kind.suffix in FILMS:
        content, notes = made_apart(run, path.name, options, report)
        return Made(key, path.name, format_of(kind.suffix).MIME_TYPE, content, tuple(notes))
    notes = writer(path)(run, out, options, report)
    beside = companions(run, path, options)
    if not beside:
        return Made(key, path.name, format_of(kind.suffix).MIME_TYPE, out.getvalue(), tuple(notes))
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(path.name, out.getvalue())
        for name, content in beside.items():
            archive.writestr(name, content)
    return Made(key, f"{stem}{kind.suffix}.zip", "application/zip", whole.getvalue(), tuple(notes))


def file_stem(said: str) -> str:
    """A name that every file system takes.

    >>> file_stem("cloud / ring: 2"), file_stem("???")
    ('cloud-ring-2', 'run')
    """
    return re.sub(r"[^\w-]+", "-", said, flags=re.UNICODE).strip("-")[:80] or "run"


def size_in_words(count: float) -> str:
    """
    >>> size_in_words(850), size_in_words(34_000), size_in_words(2_345_678), size_in_words(3.2e9)
    ('under 1 kB', '34 kB', '2.3 MB', '3.2 GB')
    """
    if count < 1000:
        return "under 1 kB"
    if count < 1e6:
        return f"{count / 1e3:.0f} kB"
    return f"{count / 1e6:.1f} MB" if count < 1e9 else f"{count / 1e9:.1f} GB"
