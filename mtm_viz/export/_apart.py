"""Long exports in a process of their own: the page's threads share one interpreter, a film does not have to.

`made_apart` starts `python -m mtm_viz.export._apart FOLDER NAME`, hears its progress line by line, and ends it on a cancel.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import Any

from mtm_viz.errors import InputError
from mtm_viz.export import export, load
from mtm_viz.rendering.film import Progress
from mtm_viz.rendering.options import Options
from mtm_viz.run import Run
from mtm_viz.simulation import Simulation

#: Seconds an ended process has to clear away its files.
PATIENCE = 5.0
REFUSED = 2


def made_apart(run: Run | Simulation, name: str, options: Options, progress: Progress) -> tuple[bytes, list[str]]:
    """The content of the file `name` and what should be said about it. `progress` may raise Cancelled.

    Raises InputError as `export` does; RuntimeError with the process's last words where it breaks off.
    """
    with tempfile.TemporaryDirectory(prefix="mtm-export-") as said:
        folder = Path(said)
        run.save(folder / "run.npz")
        given = asdict(options) | {"show": None if options.show is None else sorted(options.show)}
        (folder / "options.json").write_text(json.dumps(given), encoding="utf-8")
        with (folder / "words").open("w+", encoding="utf-8") as words:
            command = [sys.executable, "-m", __name__, str(folder), name]
            process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=words, text=True, encoding="utf-8")  # noqa: S603
            notes: list[str] = []
            try:
                assert process.stdout is not None
                for line in process.stdout:
                    heard = json.loads(line)
                    if "refused" in heard:
                        raise InputError(heard["refused"])
                    notes = heard.get("notes", notes)
                    if "fraction" in heard:
                        progress(heard["sentence"], heard["fraction"])
                process.wait()
            finally:
                _end(process)
            if process.returncode != 0:
                words.seek(0)
                raise RuntimeError(f"the export broke off: {words.read()[-2000:]}")
        return (folder / name).read_bytes(), notes


def _end(process: subprocess.Popen[str]) -> None:
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    if process.stdout is not None:
        process.stdout.close()


def main(folder: Path, name: str) -> int:
    """The other process: writes FOLDER/NAME from FOLDER/run.npz; progress as JSON, a line each."""

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    def tell(**said: Any) -> None:
        sys.stdout.write(json.dumps(said) + "\n")
        sys.stdout.flush()

    signal.signal(signal.SIGTERM, stop)
    try:
        said = json.loads((folder / "options.json").read_text(encoding="utf-8"))
        show, size = said.pop("show"), said.pop("size")
        options = Options(**said, show=None if show is None else frozenset(show), size=tuple(size) if size else None)
        notes = export(load(folder / "run.npz"), folder / name, options, lambda s, f: tell(sentence=s, fraction=f))
        tell(notes=notes)
    except InputError as problem:
        tell(refused=str(problem))
        return REFUSED
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2]))
