"""Everything to reproduce a run, in one archive: problem, run, certificate, versions, command line, picture."""

from __future__ import annotations

import io
import json
import platform
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO

from mtm_viz.errors import InputError
from mtm_viz.export.md import markdown
from mtm_viz.export.png import write_png
from mtm_viz.files import load_json, named, read_bytes
from mtm_viz.rendering.film import Progress
from mtm_viz.rendering.options import Options
from mtm_viz.run import Run
from mtm_viz.verify import versions

MIME_TYPE = "application/zip"

MOST_BYTES = 1_000_000_000
#: The numbers count as reproduced where every W2 differs by less, in radians.
SAME = 1e-6

README = """# A run of mtm_viz

| file | holds |
|---|---|
| problem.json | what was to be interpolated (mtm-problem) |
| run.npz | the schedule found, trajectories, W2 and certificate |
| certificate.json | the certificate alone |
| versions.json | what computed it |
| command.txt | how it was made, and how to check it |
| picture.png | the run at its end |

To check every number from the raw inputs: `python -m mtm_viz verify` and the name of this archive.

"""


def write_zip(run: Run, stream: BinaryIO, options: Options, progress: Progress) -> None:
    """The same run gives the same bytes: entries carry no date."""
    progress("drawing the picture", 0.0)
    picture, arrays = io.BytesIO(), io.BytesIO()
    write_png(run, picture, replace(options, theme="light" if options.transparent else options.theme), progress)
    progress("packing the run", 0.5)
    run.write(arrays)
    used = {
        "made with": run.certificate.get("versions", {}),
        "packed with": versions() | {"machine": platform.platform()},
    }
    command = options.command or f"python -m mtm_viz interpolate problem.json -o run.npz{_arguments(run)}"
    content = {
        "README.md": (README + markdown(run)).encode(),
        "problem.json": _json(run.problem.to_json()),
        "certificate.json": _json(run.certificate),
        "versions.json": _json(used),
        "command.txt": f"{command}\npython -m mtm_viz verify run.npz\n".encode(),
        "run.npz": arrays.getvalue(),
        "picture.png": picture.getvalue(),
    }
    with zipfile.ZipFile(stream, "w") as archive:
        for name, data in content.items():
            kind = zipfile.ZIP_STORED if name.endswith((".png", ".npz")) else zipfile.ZIP_DEFLATED
            archive.writestr(zipfile.ZipInfo(name), data, kind)


def read_bundle(path: Path) -> tuple[Run, dict[str, Any]]:
    """The run and the certificate of a bundle. Raises InputError where it is none, or where its parts disagree."""
    with named(path.name):
        content = read_bytes(path, MOST_BYTES)
        try:
            with zipfile.ZipFile(io.BytesIO(content)) as archive:
                if sum(entry.file_size for entry in archive.infolist()) > MOST_BYTES:
                    raise InputError(f"the archive unpacks to more than {MOST_BYTES // 1_000_000} MB: make it smaller")
                run_bytes, said, problem = (
                    archive.read(name) for name in ("run.npz", "certificate.json", "problem.json")
                )
        except KeyError as missing:
            raise InputError(
                f"the archive is no bundle of a run ({missing.args[0]}): write one with `export`"
            ) from missing
        except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError) as broken:
            raise InputError("this is not an archive that this program wrote: write one with `export`") from broken
        run = Run.load(io.BytesIO(run_bytes), "run.npz")
        certificate = load_json(said, MOST_BYTES)
        if not isinstance(certificate, dict):
            raise InputError("certificate.json is no object: write the bundle again with `export`")
        if load_json(problem, MOST_BYTES) != json.loads(json.dumps(run.problem.to_json())):
            raise InputError(
                "problem.json is not the problem that run.npz solves: write the bundle again with `export`"
            )
        return run, certificate


def reproduced(found: dict[str, Any], certificate: dict[str, Any]) -> dict[str, Any]:
    """How far the W2 measured now are from those the certificate says: {"all", "largest_difference", "pairs"}."""
    said = {pair.get("name"): pair.get("w2") for pair in certificate.get("pairs", []) if isinstance(pair, dict)}
    pairs = []
    for pair in found["pairs"]:
        before = said.get(pair["name"])
        known = isinstance(before, int | float) and not isinstance(before, bool)
        pairs.append(
            {
                "name": pair["name"],
                "said": before,
                "measured": pair["w2"],
                "difference": abs(pair["w2"] - before) if known else None,
            }
        )
    gaps = [pair["difference"] for pair in pairs]
    largest = None if None in gaps else max(gaps)
    return {"all": largest is not None and largest <= SAME, "largest_difference": largest, "pairs": pairs}


def _arguments(run: Run) -> str:
    """The options that the certificate remembers."""
    known = {"strategy": "--strategy", "eps": "--eps", "seed": "--seed"}
    return "".join(f" {option} {run.certificate[key]}" for key, option in known.items() if key in run.certificate)


def _json(said: Any) -> bytes:
    return json.dumps(said, indent=2, ensure_ascii=False).encode() + b"\n"
