"""Progress of long work on a stream: a bar on a terminal, plain lines elsewhere."""

from __future__ import annotations

import re
import time
from types import TracebackType
from typing import Self, TextIO

from tqdm import tqdm

#: A sentence that differs from the last in its numbers only is said again no sooner than this, in seconds.
_PAUSE = 2.0


class Progress:
    """Call it with (sentence, fraction). On a terminal it moves a bar that leaves no trace.

    Elsewhere a sentence with new words is a new line ("atom 7 of 60" after "atom 6 of 60" has none and waits).
    Nothing is said in the first `patience` seconds, so that short work stays quiet.
    """

    def __init__(self, stream: TextIO, patience: float = 0.0) -> None:
        self._stream = stream
        self._quiet_until = time.monotonic() + patience
        self._said = ""
        self._last_line = -_PAUSE
        self._bar = None
        if stream.isatty():
            self._bar = tqdm(
                total=1.0, file=stream, leave=False, bar_format="{percentage:3.0f}% |{bar}| {elapsed} {desc}"
            )

    def __call__(self, sentence: str, fraction: float) -> None:
        if self._bar is not None:
            self._bar.set_description_str(sentence, refresh=False)
            self._bar.update(fraction - self._bar.n)
            return
        now = time.monotonic()
        has_new_words = _words(sentence) != _words(self._said)
        is_due = sentence != self._said and now >= self._last_line + _PAUSE
        if now >= self._quiet_until and (has_new_words or is_due):
            print(f"{fraction:4.0%} {sentence}", file=self._stream, flush=True)
            self._said, self._last_line = sentence, now

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.close()


def _words(sentence: str) -> str:
    return re.sub(r"\d+", "", sentence)
