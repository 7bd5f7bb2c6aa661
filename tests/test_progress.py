from __future__ import annotations

import io
import time

from mtm_viz import progress as progress_module
from mtm_viz.progress import Progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_off_a_terminal_new_words_are_a_new_line():
    stream = io.StringIO()
    with Progress(stream) as progress:
        for sentence, fraction in (("gathering", 0.0), ("gathering", 0.1), ("matching", 0.25), ("done", 1.0)):
            progress(sentence, fraction)
    assert stream.getvalue().splitlines() == ["  0% gathering", " 25% matching", "100% done"]


def test_off_a_terminal_new_numbers_wait(monkeypatch):
    stream, clock = io.StringIO(), [100.0]
    monkeypatch.setattr(progress_module.time, "monotonic", lambda: clock[0])
    with Progress(stream) as progress:
        for k in range(10):
            progress(f"atom {k} of 10", k / 10)
            clock[0] += 0.5
    assert stream.getvalue().splitlines() == ["  0% atom 0 of 10", " 40% atom 4 of 10", " 80% atom 8 of 10"]


def test_short_work_stays_quiet_where_patience_is_asked():
    stream = io.StringIO()
    with Progress(stream, patience=60.0) as progress:
        progress("gathering", 0.5)
    assert stream.getvalue() == ""


def test_on_a_terminal_a_bar_moves_and_leaves_no_trace():
    stream = Terminal()
    with Progress(stream) as progress:
        time.sleep(0.2)  # the bar is drawn at most ten times a second
        progress("gathering", 0.5)
    written = stream.getvalue()
    assert " 50%" in written and "gathering" in written
    assert written.rstrip(" ").endswith("\r"), "the last thing done is to clear the line"
