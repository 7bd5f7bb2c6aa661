"""The command line. It reads files, calls the library, writes files; it computes nothing.

Exit codes: 0 done; 1 the result does not meet what was asked; 2 bad input, one line on stderr; 130 interrupted.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

import mtm_viz
from mtm_viz import convert
from mtm_viz.arguments import count, positive, seed
from mtm_viz.backend import resolve
from mtm_viz.errors import InputError
from mtm_viz.export._arguments import FORMATS, add_arguments, options_from
from mtm_viz.files import named, require_writable, written_whole
from mtm_viz.progress import Progress

DONE, MISSED, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130

#: Where stdout carries JSON, progress goes to stderr, but late, so that a refusal stays its only line.
_PATIENCE = 2.0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    try:
        parser = _parser()
        said, rest = parser.parse_known_args(arguments)
        if rest and said.run is not _app:
            parser.error(f"unrecognised argument {rest[0]}")
        said.rest = rest
        code = said.run(said)
        sys.stdout.flush()
        return code
    except InputError as problem:
        return _complain(str(problem), BAD_INPUT)
    except MemoryError:
        return _complain("this machine has too little memory for it: use fewer atoms", MISSED)
    except KeyboardInterrupt:
        return _complain("interrupted, nothing was written", INTERRUPTED)
    except BrokenPipeError:
        # Whoever read our output has left; point stdout at nothing, so that closing it does not complain too.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return MISSED


def _complain(sentence: str, code: int) -> int:
    # One line, whatever line breaks a name inside the sentence may hold.
    print("mtm_viz:", " ".join(sentence.split()), file=sys.stderr)
    return code


def _interpolate(said: argparse.Namespace) -> int:
    from mtm_viz.interpolate import interpolate
    from mtm_viz.problem import Problem

    out = _output(said.o, ".npz")
    page = _output(said.html, ".html") if said.html else None
    summary = Path(said.json) if said.json and said.json != "-" else None
    if summary is not None:
        require_writable(summary)
    if resolve(said.backend) == "cupy" and said.backend == "cupy":
        print("note: construction and certificate run on the host; the device serves simulate", file=sys.stderr)
    problem = Problem.load(said.problem)
    with named(Path(said.problem).name), _progress(said.json == "-") as progress:
        run = interpolate(
            problem,
            strategy=said.strategy,
            cells=said.cells,
            width=said.width,
            eps=said.eps,
            seed=said.seed,
            progress=progress,
        )
    run.save(out)
    if page is not None:
        from mtm_viz.export import export

        export(run, page)
    text = json.dumps(run.certificate, indent=2)
    if said.json == "-":
        print(text)
    else:
        if summary is not None:
            with written_whole(summary) as stream:
                stream.write(text.encode() + b"\n")
        _tell(run.certificate, out)
    return DONE if run.certificate["passed"] else MISSED


def _simulate(said: argparse.Namespace) -> int:
    from mtm_viz.scenario import Scenario
    from mtm_viz.simulate import simulate

    out = _output(said.o, ".npz")
    resolve(said.backend)
    scenario = Scenario.load(said.scenario)
    if said.seed is not None:
        scenario = scenario.seeded(said.seed)
    with named(Path(said.scenario).name), _progress(json_on_stdout=False) as progress:
        found = simulate(scenario, backend=said.backend, progress=progress)
    found.save(out)
    record = found.record
    for note in record["notes"]:
        print(note)
    if record["equilibrium"] is not None:
        print(f"at rest from time {record['equilibrium']:.4g}")
    count, steps = sum(len(w) for w in found.weights), record["integrator"]["steps"]
    print(
        f"{count} particles, {steps} steps, attention {', '.join(sorted(set(record['attention'])))}, {record['seconds']:.1f} s"
    )
    print(f"wrote {out}")
    return DONE


def _verify(said: argparse.Namespace) -> int:
    from mtm_viz.dynamics.schedule_file import load_arrays, load_schedule, schedule_from_arrays
    from mtm_viz.problem import Problem
    from mtm_viz.run import Run
    from mtm_viz.verify import verify

    path = Path(said.file)
    problem = Problem.load(said.problem) if said.problem else None
    reachable = bundled = None
    if path.suffix.lower() == ".zip":
        from mtm_viz.export.zip import read_bundle

        run, bundled = read_bundle(path)
        schedule, problem = run.schedule, problem or run.problem
        reachable = [pair["reachable"] for pair in run.certificate["pairs"]]
    elif path.suffix.lower() == ".json":
        schedule = load_schedule(path)
    else:
        with named(path.name):
            arrays = load_arrays(path)
            schedule = schedule_from_arrays(arrays)
            if problem is None and "problem" in arrays:
                run = Run.from_arrays(arrays)
                problem, reachable = run.problem, [pair["reachable"] for pair in run.certificate["pairs"]]
    if problem is None:
        raise InputError(f"{path.name}: a schedule alone does not say what it should do: add --problem PROBLEM")
    with named(path.name), _progress(json_on_stdout=True) as progress:
        found = verify(schedule, problem, eps=said.eps, reachable=reachable, progress=progress)
    if bundled is not None:
        from mtm_viz.export.zip import reproduced

        found["reproduced"] = reproduced(found, bundled)
        found["passed"] = found["passed"] and found["reproduced"]["all"]
    print(json.dumps(found, indent=2))
    return DONE if found["passed"] else MISSED


def _export(said: argparse.Namespace) -> int:
    from mtm_viz.export import export, load, writer

    out = Path(said.o)
    writer(out)
    require_writable(out)
    options = options_from(said)
    run = load(Path(said.file))
    with _progress(json_on_stdout=False) as progress:
        notes = export(run, out, options, progress)
    print(f"wrote {out}")
    for note in notes:
        print(f"note: {note}")
    return DONE


def _app(said: argparse.Namespace) -> int:
    page = Path(mtm_viz.__file__).parent.parent / "app.py"
    if not page.is_file():
        raise InputError(
            f"{page} does not exist: run the page from a clone of the project, installed with pip install -e ."
        )
    return subprocess.call([sys.executable, "-m", "streamlit", "run", str(page), *said.rest])


def _progress(json_on_stdout: bool) -> Progress:
    if sys.stderr.isatty():
        return Progress(sys.stderr)
    return Progress(sys.stderr, _PATIENCE) if json_on_stdout else Progress(sys.stdout)


def _tell(certificate: dict[str, Any], out: Path) -> None:
    for pair in certificate["pairs"]:
        verdict = "reached" if pair["passed"] else "MISSED"
        print(f"{verdict} {pair['name']}: W2 = {pair['w2']:.3g} rad (reachable {pair['reachable']:.3g})")
    print(f"wrote {out}")


def _output(said: str, suffix: str) -> Path:
    """The path to write, checked before the work that fills it."""
    path = Path(said)
    if path.suffix.lower() != suffix:
        raise InputError(f"{said} is not a {suffix} file: name the output with that suffix")
    require_writable(path)
    return path


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise InputError(f"{message}: see `{self.prog} --help`")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="mtm_viz", description=mtm_viz.__doc__.splitlines()[0] if mtm_viz.__doc__ else None)
    parser.add_argument("--version", action="version", version=f"mtm_viz {mtm_viz.__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)

    solve = commands.add_parser("interpolate", help="find one schedule for all pairs of a problem")
    solve.add_argument("problem", metavar="PROBLEM", help="an mtm-problem file")
    solve.add_argument("-o", metavar="RUN.npz", required=True, help="where the run goes")
    solve.add_argument("--strategy", default="separation", help="separation or cells (default: %(default)s)")
    solve.add_argument("--cells", metavar="K", type=count, help="slices of equal mass an input, with strategy cells")
    solve.add_argument(
        "--width", metavar="P", type=count, help="units of the perceptron: wider is shallower (default: the dimension)"
    )
    _eps(solve)
    solve.add_argument("--seed", type=seed, default=0, help="for every random choice (default: %(default)s)")
    solve.add_argument(
        "--backend",
        default="auto",
        help="auto, numpy or cupy (default: %(default)s); separation itself computes on the host",
    )
    solve.add_argument("--json", metavar="SUMMARY.json", help="where the certificate goes; - is stdout")
    solve.add_argument("--html", metavar="OUT.html", help="also write a standalone page")
    solve.set_defaults(run=_interpolate)

    explore = commands.add_parser("simulate", help="let measures go under a chosen law of motion")
    explore.add_argument("scenario", metavar="SCENARIO", help="an mtm-scenario file")
    explore.add_argument("-o", metavar="RUN.npz", required=True, help="where the trajectories go")
    explore.add_argument("--seed", type=seed, help="in place of the scenario's, for noise and random matrices")
    explore.add_argument("--backend", default="auto", help="auto, numpy or cupy (default: %(default)s)")
    explore.set_defaults(run=_simulate)

    check = commands.add_parser("verify", help="integrate a schedule independently and measure W2")
    check.add_argument("file", metavar="RUN.npz|SCHEDULE", help="a run, or an mtm-schedule in .npz or .json")
    check.add_argument("--problem", metavar="PROBLEM", help="what it should do; needed for a bare schedule")
    _eps(check)
    check.set_defaults(run=_verify)

    write = commands.add_parser("export", help="write a run in another format, by the ending of OUT", epilog=FORMATS)
    write.add_argument("file", metavar="RUN.npz", help="a run")
    write.add_argument("-o", metavar="OUT", required=True, help="where to, its ending says the format (see below)")
    add_arguments(write)
    write.set_defaults(run=_export)

    convert.add_to(commands)

    page = commands.add_parser("app", help="open the page; further options go to Streamlit")
    page.set_defaults(run=_app)
    return parser


def _eps(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--eps", type=positive, default=1e-4, help="allowed W2 beyond the reachable, in radians (default: %(default)s)"
    )
