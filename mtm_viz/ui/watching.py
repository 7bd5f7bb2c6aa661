"""A scenario being watched: its last good run, the run being computed, a first look meanwhile, and why there is none."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from mtm_viz.scenario import Scenario
from mtm_viz.simulation import Simulation
from mtm_viz.ui import cached, jobs
from mtm_viz.ui.draft import canonical
from mtm_viz.ui.first_look import first_look, is_quick, thinned
from mtm_viz.ui.jobs import Done, Failed, Job
from mtm_viz.ui.observing import names

#: Largest error of a particle in a step: a thousandth of a pixel, and several times faster than a file's.
RTOL = 1e-6
#: How long a run, or the first look at it, may hold the page before progress is shown instead, in seconds.
PATIENCE = 0.8
#: A rough run, and the one that its curves are measured from.
Look = tuple[Simulation, Simulation]
STOPPED = Failed("stopped: change a control, or press Compute, to try again")


@dataclass
class Watched:
    """shown: what the picture shows, curves: what the curves are measured from, or None before the first run.

    is_first_look: both are rough and will be replaced; failure: why the scenario last followed has no picture.
    """

    shown: Simulation | None = None
    curves: Simulation | None = None
    is_first_look: bool = False
    failure: Failed | None = None
    failed_text: str = ""
    job: Job | None = None
    early: list[Look] = field(default_factory=list)  # where the job leaves its first look

    @property
    def has_news(self) -> bool:
        """Whether the job has brought something that is not shown yet."""
        return self.job is not None and (self.job.outcome is not None or bool(self.early))

    def follow(self, scenario: Scenario) -> None:
        """Show this scenario: at once where it is known or quick; otherwise a first look while its job runs on."""
        text = canonical(scenario.to_json())
        known = cached.explored().get(text)
        if known is not None:
            self.stop()
            self._take(known)
            return
        if self.failed_text == text and self.failure is not None:
            return
        if self.job is None or self.job.key != text:
            self.stop()
            self.failure, self.failed_text, self.early = None, text, []
            self.job = jobs.start(cached.pool(), text, _work(scenario, self.early))
            until = time.monotonic() + PATIENCE
            while not self.has_news and time.monotonic() < until:
                time.sleep(0.01)
        outcome = self.job.outcome
        if self.early:
            self._take(*self.early.pop(), first=True)
        if isinstance(outcome, Done):
            cached.explored().put(text, outcome.value)
            self._take(outcome.value)
        elif isinstance(outcome, Failed):
            self.failure = outcome
        if outcome is not None:
            self.job = None

    def _take(self, shown: Simulation, curves: Simulation | None = None, first: bool = False) -> None:
        self.shown, self.curves, self.is_first_look, self.failure = shown, curves or shown, first, None

    def stop(self) -> None:
        """Let go of the running job, if there is one."""
        if self.job is not None:
            self.job.cancel()
        self.job = None

    def cancel(self) -> None:
        """Stop computing because the person says so; the picture stays."""
        self.stop()
        self.failure = STOPPED

    def again(self) -> None:
        """Forget why it failed, so that it is tried again."""
        self.failed_text = ""

    def copied(self) -> Watched:
        """The same picture, which will go its own way."""
        return Watched(self.shown, self.curves, self.is_first_look)


def _work(scenario: Scenario, early: list[Look]) -> Callable[[jobs.Progress], Simulation]:
    """A first look, left in `early`, unless the whole is quick; then the whole. One after the other: they would share the interpreter."""

    def work(report: jobs.Progress) -> Simulation:
        from mtm_viz.simulate import simulate  # imported here: the page does not wait for the kernels

        if not is_quick(scenario):
            found = first_look(scenario, report)
            curves = thinned(found)
            _measure(curves, report)
            early.append((found, curves))
        # What the page shows is too little for a device to pay.
        found = simulate(scenario, backend="numpy", rtol=RTOL, progress=report)
        _measure(found, report)
        return found

    return work


def _measure(found: Simulation, report: jobs.Progress) -> None:
    for name in names():
        report("measuring", 1.0)
        found.observed(name)
    _ = found.plateaus  # kept with the run
