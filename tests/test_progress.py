from __future__ import annotations

import io

from mtm_viz.progress import Progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_off_a_terminal_every_new_sentence_is_one_line():
    stream = io.StringIO()
    with Progress(stream) as progress:
        for sentence, fraction in (("gathering", 0.0), ("gathering", 0.1), ("matching", 0.25), ("done", 1.0)):
            progress(sentence, fraction)
    assert stream.getvalue().splitlines() == ["  0% gathering", " 25% matching", "100% done"]


def test_short_work_stays_quiet_where_patience_is_asked():
    stream = io.StringIO()
    with Progress(stream, patience=60.0) as progress:
        progress("gathering", 0.5)
    assert stream.getvalue() == ""


def test_on_a_terminal_a_bar_moves_and_leaves_no_trace():
    stream = Terminal()
    with Progress(stream) as progress:
        progress("gathering", 0.5)
        progress("matching", 1.0)
    written = stream.getvalue()
    assert "gathering" in written and "matching" in written
    assert written.rstrip(" ").endswith("\r"), "the last thing done is to clear the line"
