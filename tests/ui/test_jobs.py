import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from mtm_viz.errors import InputError, Refusal
from mtm_viz.ui import jobs
from mtm_viz.ui.jobs import Done, Failed, Stopped


@pytest.fixture
def pool():
    with ThreadPoolExecutor(jobs.WORKERS) as made:
        yield made


def until_cancelled(started):
    """Work that reports often and would never end."""

    def work(report):
        started.set()
        while True:
            report("working", 0.5)
            time.sleep(0.005)

    return work


def test_a_job_ends_with_its_value_and_has_reported(pool):
    said = []

    def work(report):
        report("half way", 0.5)
        said.append((job.sentence, job.fraction))
        return 42

    gate = threading.Event()
    job = jobs.start(pool, "k", lambda report: gate.wait(5) and work(report))
    gate.set()
    outcome = job.wait(5)
    assert isinstance(outcome, Done)
    assert outcome.value == 42
    assert said == [("half way", 0.5)]


def test_cancel_is_felt_at_once_and_the_thread_ends_within_a_second(pool):
    started = threading.Event()
    job = jobs.start(pool, "k", until_cancelled(started))
    assert started.wait(5)
    job.cancel()
    assert isinstance(job.outcome, Stopped)
    began = time.monotonic()
    assert job._future is not None
    assert isinstance(job._future.result(timeout=5), Stopped)
    assert time.monotonic() - began < 1


def test_a_running_job_never_keeps_another_waiting(pool):
    started = [threading.Event() for _ in range(8)]
    slow = [jobs.start(pool, "slow", until_cancelled(event)) for event in started]
    assert all(event.wait(5) for event in started)
    assert isinstance(jobs.start(pool, "quick", lambda report: 1).wait(5), Done)
    for job in slow:
        job.cancel()


@pytest.mark.parametrize(
    ("error", "refused"),
    [(Refusal("two inputs are the same"), True), (InputError("n is 0"), False), (KeyError("x"), False)],
)
def test_every_error_becomes_a_sentence(pool, error, refused, caplog):
    def work(report):
        raise error

    outcome = jobs.start(pool, "k", work).wait(5)
    assert isinstance(outcome, Failed)
    assert outcome.refused is refused
    assert outcome.sentence
    # A defect of ours is logged with its traceback; what a person gave is not.
    assert bool(caplog.records) is isinstance(error, KeyError)


def test_fractions_out_of_range_are_kept_in_it(pool):
    job = jobs.Job("k")
    job.report("a", 1.7)
    assert job.fraction == 1.0
    job.report("b", -1)
    assert job.fraction == 0.0
