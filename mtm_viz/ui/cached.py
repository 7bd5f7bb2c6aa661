"""What all sessions share. The only file that uses st.cache_data and st.cache_resource."""

from __future__ import annotations

import gc
import threading
import time
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import streamlit as st

from mtm_viz.backend import cupy_device
from mtm_viz.dynamics.attention import warm
from mtm_viz.files import load_json
from mtm_viz.measures.measure import Measure
from mtm_viz.measures.resample import resampled as resample
from mtm_viz.measures.source import source_from_json
from mtm_viz.measures.transform import nudged as nudge
from mtm_viz.problem import Problem
from mtm_viz.run import Run
from mtm_viz.simulation import Simulation
from mtm_viz.ui.choice import Choice
from mtm_viz.ui.examples import Example, load_examples
from mtm_viz.ui.jobs import WORKERS
from mtm_viz.ui.presets import Preset, load_presets

if TYPE_CHECKING:
    from mtm_viz.interpolate import Prediction

R = TypeVar("R", Run, Simulation)
#: Seconds that the first page has for itself before kernels are loaded.
AFTER_FIRST_PAGE = 2.0
#: Runs kept for whoever asks for the same problem again, a reload most of all.
KEPT_RUNS = 16


@st.cache_resource
def pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(WORKERS, thread_name_prefix="job")


@st.cache_resource(show_spinner=False)
def settling() -> threading.Thread:
    """Behind the first page: loads attention's compiled kernels, or compiles them where this machine never has, and
    then takes all that is imported out of the garbage collector's sight.

    Streamlit collects after every script run, of a fragment that polls too. Walking through 400,000 objects that stay
    takes 0.2 s each time, for which a solver in the next thread stands still.
    """
    thread = threading.Thread(target=_settle, args=(warm(AFTER_FIRST_PAGE),), name="settle", daemon=True)
    thread.start()
    return thread


def _settle(kernels: threading.Thread | None) -> None:
    if kernels is None:
        time.sleep(AFTER_FIRST_PAGE)
    else:
        kernels.join()
    gc.collect()
    gc.freeze()


@st.cache_resource(show_spinner=False)
def device() -> str | None:
    """The name of the CUDA device, or None."""
    return cupy_device()


@st.cache_resource
def presets() -> dict[str, Preset]:
    return load_presets()


@st.cache_resource
def examples() -> dict[str, Example]:
    return load_examples()


@st.cache_resource(max_entries=64, show_spinner=False)
def problem(text: str) -> Problem:
    """The problem of a canonical text, its measures drawn. Raises InputError where they do not fit."""
    return Problem.from_json(load_json(text.encode()))


@st.cache_resource(max_entries=256, show_spinner=False)
def measure(said: dict[str, Any], dimension: int) -> Measure:
    """One measure drawn from its JSON. Raises InputError where it cannot be."""
    return source_from_json(said, "this measure").measure(dimension)


#: Above this many pairs of atoms W2 is measured on an even sample of each: seconds, not minutes.
MOST_COSTS = 400_000


def _bytes_of(measure: Measure) -> tuple[bytes, bytes]:
    return measure.points.tobytes(), measure.weights.tobytes()


@st.cache_resource(max_entries=32, show_spinner=False, hash_funcs={Measure: _bytes_of})
def resampled(measure: Measure, way: str, n: int, seed: int) -> Measure:
    """Another measure of n atoms that stands for this one."""
    return resample(measure, way, n, seed)


@st.cache_resource(max_entries=32, show_spinner=False, hash_funcs={Measure: _bytes_of})
def nudged(measure: Measure, apart: float, seed: int) -> Measure:
    """The measure with its atoms at least `apart` radians from each other."""
    return nudge(measure, apart, seed)


@st.cache_data(max_entries=64, show_spinner=False, hash_funcs={Measure: _bytes_of})
def distance(a: Measure, b: Measure) -> tuple[float, bool]:
    """(W2 in radians, whether it is exact or between samples)."""
    from mtm_viz.diagnostics.wasserstein import w2

    if a is b:
        return 0.0, True
    exact = len(a) * len(b) <= MOST_COSTS
    if not exact:
        a, b = (m if len(m) <= 600 else resample(m, "even", 600, 0) for m in (a, b))
    return w2(a.points, a.weights, b.points, b.weights), exact


@st.cache_resource(max_entries=16, show_spinner=False)
def shipped_run(name: str) -> Run | None:
    """The run that came with a preset, or None where none did."""
    path = presets()[name].run_path
    return Run.load(path) if path.exists() else None


@st.cache_data(max_entries=64, show_spinner=False)
def prediction(text: str, choice: Choice) -> Prediction:
    """What a problem will cost and can reach in this way. Raises Refusal where it will not be solved."""
    from mtm_viz.interpolate import predict  # imported here: the first picture does not wait for the solver's libraries

    return predict(problem(text), **choice.arguments())


class Kept(Generic[R]):
    """Runs by text, the least recently used forgotten first. Shared by threads, hence the lock."""

    def __init__(self) -> None:
        self._runs: OrderedDict[str, R] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, text: str) -> R | None:
        with self._lock:
            if text in self._runs:
                self._runs.move_to_end(text)
            return self._runs.get(text)

    def put(self, text: str, run: R) -> None:
        with self._lock:
            self._runs[text] = run
            self._runs.move_to_end(text)
            while len(self._runs) > KEPT_RUNS:
                self._runs.popitem(last=False)


@st.cache_resource
def solved() -> Kept[Run]:
    return Kept()


@st.cache_resource
def ablated() -> Kept[Run]:
    """The same runs replayed without attention."""
    return Kept()


@st.cache_resource
def explored() -> Kept[Simulation]:
    """Simulations by their scenario's text."""
    return Kept()


def known_run(text: str) -> Run | None:
    """A run for this problem, to be solved in this way, that needs no solving: shipped with a preset, or solved since the server began."""
    for name, preset in presets().items():
        if preset.key == text:
            shipped = shipped_run(name)
            if shipped is not None:
                return shipped
    return solved().get(text)
