"""Long work off the script thread: a Job reports, can be cancelled, and ends in one of three ways, all of them data."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field
from typing import Any

from mtm_viz.errors import Cancelled, InputError, Refusal

Progress = Callable[[str, float], None]

#: Enough that one session's work never waits for another's; the interpreter shares the cores among them.
WORKERS = 16


@dataclass(frozen=True)
class Done:
    """The work's result and how long it took, in seconds."""

    value: Any
    seconds: float


@dataclass(frozen=True)
class Failed:
    """Why there is no result, in one sentence; `refused` where the problem itself cannot be solved."""

    sentence: str
    refused: bool = False


@dataclass(frozen=True)
class Stopped:
    """Cancelled by the person."""


Outcome = Done | Failed | Stopped


@dataclass(eq=False)
class Job:
    """Work on a thread. `key` says what it is about; sentence and fraction say how far it is."""

    key: str
    sentence: str = "Waiting for a free place"
    fraction: float = 0.0
    started: float = field(default_factory=time.monotonic)
    _cancel: threading.Event = field(default_factory=threading.Event)
    _future: Future[Outcome] | None = None

    def report(self, sentence: str, fraction: float) -> None:
        """The progress callback the work calls; raises Cancelled once the person has had enough."""
        if self._cancel.is_set():
            raise Cancelled
        self.sentence, self.fraction = sentence, min(max(float(fraction), 0.0), 1.0)

    def cancel(self) -> None:
        """Ask the work to stop. From here on the job counts as stopped, even while its thread winds down."""
        self._cancel.set()

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.started

    @property
    def outcome(self) -> Outcome | None:
        """How it ended, or None while it runs."""
        if self._cancel.is_set():
            return Stopped()
        if self._future is None or not self._future.done():
            return None
        return self._future.result()

    def wait(self, seconds: float) -> Outcome | None:
        """Block for at most `seconds`; for tests and short work."""
        until = time.monotonic() + seconds
        while self.outcome is None and time.monotonic() < until:
            time.sleep(0.01)
        return self.outcome


def start(pool: Executor, key: str, work: Callable[[Progress], Any]) -> Job:
    """Run `work(progress)` on `pool`."""
    job = Job(key)
    job._future = pool.submit(_run, job, work)
    return job


def _run(job: Job, work: Callable[[Progress], Any]) -> Outcome:
    try:
        job.report("Starting", 0.0)
        value = work(job.report)
    except Cancelled:
        return Stopped()
    except Refusal as refusal:
        return Failed(str(refusal), refused=True)
    except InputError as problem:
        return Failed(str(problem))
    except MemoryError:
        return Failed("This machine has too little memory for so many atoms: use fewer")
    except Exception as defect:  # the thread's edge: a defect must reach the person and the log
        logging.getLogger(__name__).exception("job %s failed", job.key)
        return Failed(
            f"The solver broke off with a defect of ours ({type(defect).__name__}): your problem is kept, save it and report it"
        )
    return Done(value, job.seconds)
