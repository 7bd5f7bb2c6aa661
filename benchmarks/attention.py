"""Mean-field attention beside what else computes it, on this machine: one command, interleaved in one run.

    python -m benchmarks.attention [--sizes 256 4096 16384] [--betas 0 4 100] [--limit 10] [--plot assets/readme/attention]

The others are chunked NumPy (0.5M logits at a time), PyTorch's scaled_dot_product_attention, JAX jit and PyKeOps, each where it
is installed (benchmarks/requirements.txt), and on a CUDA machine CuPy and PyTorch's flash and memory-efficient attention.
Every round calls every contestant once, so that whatever else the machine does hits all of them; a ratio is the median
over rounds of NumPy's time divided by the contestant's in the same round, by the clock and in CPU time (all threads
together), which says more where the machine is shared. A contestant that would need more than --limit
seconds, judged by its last size, is left out. Errors are against float64 sums written out here, at 64 of the queries.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from mtm_viz.dynamics.attention import attend, compiled
from mtm_viz.sphere import normalise

Call = Callable[[], np.ndarray]
Prepare = Callable[[np.ndarray, np.ndarray], Call]
CHUNK = 500_000
SAMPLE = 64


def numpy_chunked(x: np.ndarray, B: np.ndarray) -> Call:
    """The baseline: logits in chunks, the largest taken off, exponentials, two products."""
    rows = max(1, CHUNK // len(x))

    def call() -> np.ndarray:
        found = np.empty_like(x)
        for start in range(0, len(x), rows):
            logits = (x[start : start + rows] @ B.T) @ x.T
            logits -= logits.max(axis=1, keepdims=True)
            np.exp(logits, out=logits)
            found[start : start + rows] = (logits @ x) / logits.sum(axis=1, keepdims=True)
        return found

    return call


def ours(method: str, dtype: type = np.float64, numba: bool = True) -> Prepare:
    def prepare(x: np.ndarray, B: np.ndarray) -> Call:
        points, weights = x, np.full(len(x), 1.0 / len(x))
        rtol = 1e-10 if dtype is np.float64 else 1e-2

        def call() -> np.ndarray:
            usable = compiled.usable
            compiled.usable = usable if numba else lambda: False
            try:
                return attend(points, weights, B, method=method, rtol=rtol).values
            finally:
                compiled.usable = usable

        return call

    return prepare


def torch_sdpa(dtype: str, device: str = "cpu", kernel: str = "") -> Prepare:
    def prepare(x: np.ndarray, B: np.ndarray) -> Call:
        import torch
        from torch.nn.attention import SDPBackend, sdpa_kernel

        kind = getattr(torch, dtype)
        # The fused CUDA kernels want heads of at least 8 numbers: zeros beside the coordinates change nothing.
        width = 8 if kernel else x.shape[1]
        wide = np.zeros((len(x), width))
        wide[:, : x.shape[1]] = x
        asked = np.zeros((len(x), width))
        asked[:, : x.shape[1]] = x @ B.T
        k = torch.tensor(wide, dtype=kind, device=device)[None, None]
        q = torch.tensor(asked, dtype=kind, device=device)[None, None]

        def call() -> np.ndarray:
            if kernel:
                with sdpa_kernel(getattr(SDPBackend, kernel)):
                    found = torch.nn.functional.scaled_dot_product_attention(q, k, k, scale=1.0)
            else:
                found = torch.nn.functional.scaled_dot_product_attention(q, k, k, scale=1.0)
            if device != "cpu":
                torch.cuda.synchronize()
            return found[0, 0, :, : x.shape[1]].double().cpu().numpy()

        return call

    return prepare


def jax_jit(dtype: str) -> Prepare:
    def prepare(x: np.ndarray, B: np.ndarray) -> Call:
        import jax

        jax.config.update("jax_enable_x64", True)
        import jax.numpy as jnp

        y, z = jnp.asarray(x, dtype=dtype), jnp.asarray(x @ B.T, dtype=dtype)
        rows = max(1, CHUNK // len(x))
        padded = jnp.pad(z, ((0, -len(x) % rows), (0, 0))).reshape(-1, rows, x.shape[1])

        @jax.jit
        def all_rows(padded, y):
            return jax.lax.map(lambda block: jax.nn.softmax(block @ y.T, axis=1) @ y, padded)

        return lambda: np.asarray(all_rows(padded, y).block_until_ready()).reshape(-1, x.shape[1])[: len(x)]

    return prepare


def keops(x: np.ndarray, B: np.ndarray) -> Call:
    from pykeops.numpy import LazyTensor

    z, y = np.ascontiguousarray(x @ B.T), np.ascontiguousarray(x)
    logits = (LazyTensor(z[:, None, :]) * LazyTensor(y[None, :, :])).sum(-1)
    return lambda: logits.sumsoftmaxweight(LazyTensor(y[None, :, :]), axis=1)


def cupy_attention(method: str) -> Prepare:
    def prepare(x: np.ndarray, B: np.ndarray) -> Call:
        from mtm_viz.backend import to_backend, to_host

        points, matrix = to_backend(x, "cupy"), to_backend(B, "cupy")
        weights = to_backend(np.full(len(x), 1.0 / len(x)), "cupy")
        return lambda: to_host(attend(points, weights, matrix, method=method).values)

    return prepare


def contestants() -> dict[str, Prepare]:
    """Who is there on this machine, the baseline first."""
    there: dict[str, Prepare] = {"NumPy chunked": numpy_chunked, "mtm_viz auto, array code": ours("auto", numba=False)}
    if compiled.installed():
        there |= {
            "mtm_viz auto": ours("auto"),
            "mtm_viz tiled": ours("tiled"),
            "mtm_viz tiled f32": ours("tiled32", np.float32),
        }
    if importlib.util.find_spec("torch"):
        there |= {"torch SDPA": torch_sdpa("float64"), "torch SDPA f32": torch_sdpa("float32")}
        import torch

        if torch.cuda.is_available():
            there["torch flash f16 (CUDA)"] = torch_sdpa("float16", "cuda", "FLASH_ATTENTION")
            there["torch efficient f32 (CUDA)"] = torch_sdpa("float32", "cuda", "EFFICIENT_ATTENTION")
    if importlib.util.find_spec("jax"):
        there |= {"JAX jit": jax_jit("float64"), "JAX jit f32": jax_jit("float32")}
    if importlib.util.find_spec("pykeops"):
        there["PyKeOps"] = keops
    from mtm_viz.backend import cupy_device

    if cupy_device():
        there |= {"mtm_viz auto (CUDA)": cupy_attention("auto"), "mtm_viz kernel (CUDA)": cupy_attention("kernel")}
    return there


def exact(x: np.ndarray, B: np.ndarray, chosen: np.ndarray) -> np.ndarray:
    """The definition in float64 at the chosen queries."""
    found = []
    for i in chosen:
        logits = x @ (B @ x[i])
        kernel = np.exp(logits - logits.max())
        found.append(kernel @ x / kernel.sum())
    return np.array(found)


def measure(
    n: int, beta: float, there: dict[str, Prepare], rounds: int, last: dict[str, tuple[int, float]], limit: float
) -> list[dict[str, Any]]:
    """Times, ratios and errors of everyone who can afford this size; `last` remembers (size, seconds) of each."""
    rng = np.random.default_rng(n)
    x = normalise(rng.standard_normal((n, 3)))
    B = beta * np.eye(3)
    chosen = rng.choice(n, min(n, SAMPLE), replace=False)
    expected = exact(x, B, chosen)
    calls: dict[str, Call] = {}
    errors: dict[str, float] = {}
    for name, prepare in there.items():
        if name in last:
            before, seconds = last[name]
            power = 1 if "auto" in name else 2
            if seconds * (n / before) ** power > limit:
                continue
        try:
            calls[name] = prepare(x, B)
            errors[name] = float(np.linalg.norm(calls[name]()[chosen] - expected, axis=1).max())
        except (RuntimeError, MemoryError, ValueError) as problem:
            print(f"    {name}: {str(problem).splitlines()[0][:90]}")
            calls.pop(name, None)
    times: dict[str, list[float]] = {name: [] for name in calls}
    work: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(rounds):
        for name, call in calls.items():
            if sum(times[name]) > limit:
                continue
            start, busy = time.perf_counter(), time.process_time()
            call()
            times[name].append(time.perf_counter() - start)
            work[name].append(time.process_time() - busy)
    rows = []
    for name, spent in times.items():
        last[name] = (n, min(spent))
        row = {"n": n, "beta": beta, "who": name, "seconds": min(spent), "cpu": min(work[name]), "error": errors[name]}
        for key, kept in (("ratio", times), ("cpu_ratio", work)):
            base = kept.get("NumPy chunked")
            row[key] = base and float(np.median([b / max(s, 1e-9) for b, s in zip(base, kept[name], strict=False)]))
        rows.append(row)
    return rows


def exponent(rows: list[dict[str, Any]], who: str, beta: float, least: int = 10_000) -> float | None:
    """Slope of log CPU time against log n from `least` on."""
    kept = [(row["n"], row["cpu"]) for row in rows if row["who"] == who and row["beta"] == beta and row["n"] >= least]
    return float(np.polyfit(*np.log(np.array(kept).T), 1)[0]) if len(kept) > 1 else None


def plot(rows: list[dict[str, Any]], beta: float, stem: Path) -> None:
    """CPU seconds, all threads together, against n for everyone, one beta; PNG and SVG."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(figsize=(7.2, 4.2), constrained_layout=True)
    for who in dict.fromkeys(row["who"] for row in rows):
        kept = [(row["n"], row["cpu"]) for row in rows if row["who"] == who and row["beta"] == beta]
        if not kept:
            continue
        is_ours = who.startswith("mtm_viz auto")
        axes.loglog(*zip(*kept, strict=True), "o-" if is_ours else ".--", lw=2.5 if is_ours else 1.2, label=who)
    axes.set(
        xlabel="particles n",
        ylabel="CPU seconds an evaluation, all threads",
        title=f"Attention among n particles on the sphere, beta = {beta:g}",
    )
    axes.grid(alpha=0.3)
    axes.legend(fontsize=8, frameon=False)
    for suffix in (".png", ".svg"):
        figure.savefig(stem.with_suffix(suffix), dpi=150, metadata={"Date": None} if suffix == ".svg" else None)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--sizes", type=int, nargs="+", default=[256, 1024, 4096, 16384, 65536, 262144, 1_000_000])
    parser.add_argument("--betas", type=float, nargs="+", default=[0, 1, 4, 30, 100])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--limit", type=float, default=10.0, help="seconds one contestant may take at one size")
    parser.add_argument("--plot", type=Path, help="where the picture goes, without suffix")
    parser.add_argument("--json", type=Path, help="where all numbers go")
    said = parser.parse_args()
    there = contestants()
    print(
        f"{compiled.cores()} cores, load {os.getloadavg()[0]:.1f}, BLAS threads {os.environ.get('OPENBLAS_NUM_THREADS', 'all')}"
    )
    rows: list[dict[str, Any]] = []
    for beta in said.betas:
        last: dict[str, tuple[int, float]] = {}
        for n in sorted(said.sizes):
            found = measure(n, beta, there, said.rounds, last, said.limit)
            rows += found
            print(f"\nbeta = {beta:g}, n = {n}")
            for row in found:
                ratio = f"{row['ratio']:8.1f} x NumPy, {row['cpu_ratio']:.1f} x in CPU time" if row["ratio"] else ""
                spent = f"{1e3 * row['seconds']:10.2f} ms, CPU {1e3 * row['cpu']:10.2f} ms"
                print(f"    {row['who']:26s} {spent}  error {row['error']:.1e} {ratio}", flush=True)
        for who in ("mtm_viz auto", "mtm_viz auto, array code"):
            slope = exponent(rows, who, beta)
            if slope is not None:
                print(f"    {who}: cost grows like n^{slope:.2f} from n = 10,000 on")
    if said.json:
        said.json.write_text(json.dumps(rows, indent=1))
    if said.plot:
        plot(rows, 4.0 if 4.0 in said.betas else said.betas[-1], said.plot)


if __name__ == "__main__":
    main()
