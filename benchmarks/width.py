"""Width against depth: segments of the schedule for a problem, for every width of the perceptron.

    python -m benchmarks.width [PROBLEM ...] [--plot assets/readme/width]

One solve a problem tells all widths; default: three cases of tests/cases.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from mtm_viz import Problem, interpolate

CASES = ("p14_four_share_half", "p02_letters", "p01_three_clouds_to_rings")


def plot(found: list[tuple[str, list[list[int]]]], stem: Path) -> None:
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(figsize=(7.2, 4.2), constrained_layout=True)
    for (name, depths), colour, mark in zip(found, ("#0072B2", "#D55E00", "#009E73"), "osD", strict=False):
        axes.loglog(*zip(*depths, strict=True), mark + "-", color=colour, lw=2.5, label=name, base=2)
    axes.set(
        xlabel="width p (units of the perceptron)", ylabel="depth (segments)", title="A wider network is shallower"
    )
    axes.xaxis.set_major_formatter("{x:g}")
    axes.yaxis.set_major_formatter("{x:g}")
    axes.grid(alpha=0.3)
    axes.legend(fontsize=10, frameon=False)
    for suffix in (".png", ".svg"):
        figure.savefig(stem.with_suffix(suffix), dpi=150, metadata={"Date": None} if suffix == ".svg" else None)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    cases = [Path("tests/cases") / f"{name}.json" for name in CASES]
    parser.add_argument("problem", nargs="*", type=Path, default=cases, help="mtm-problem files")
    parser.add_argument("--plot", type=Path, help="where the picture goes, without suffix")
    given = parser.parse_args()
    found = []
    for path in given.problem:
        depths = interpolate(Problem.load(path)).certificate["depths"]
        found.append((path.stem.partition("_")[2].replace("_", " ") or path.stem, depths))
        print(f"{path.stem}: " + ", ".join(f"{segments} at width {width}" for width, segments in depths))
    if given.plot:
        plot(found, given.plot)


if __name__ == "__main__":
    main()
