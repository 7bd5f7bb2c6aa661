"""Progress of long work on a stream: a bar on a terminal, plain lines elsewhere."""

from __future__ import annotations

import time
from types import TracebackType
from typing import Self, TextIO

from tqdm import tqdm


class Progress:
    """Call it with (sentence, fraction). A new sentence is a new line; on a terminal it moves a bar that leaves no trace.

    Off a terminal nothing is said in the first `patience` seconds, so that short work stays quiet.
    """

    def __init__(self, stream: TextIO, patience: float = 0.0) -> None:
        self._stream = stream
        self._quiet_until = time.monotonic() + patience
        self._said = ""
        self._bar = None
        if stream.isatty():
            self._bar = tqdm(
                total=1.0, file=stream, leave=False, bar_format="{percentage:3.0f}% |{bar}| {elapsed} {desc}"
            )

    def __call__(self, sentence: str, fraction: float) -> None:
        is_new = sentence != self._said
        if self._bar is None and time.monotonic() < self._quiet_until:
            return
        self._said = sentence
        if self._bar is not None:
            self._bar.set_description_str(sentence, refresh=is_new)
            self._bar.update(fraction - self._bar.n)
        elif is_new:
            print(f"{fraction:4.0%} {sentence}", file=self._stream, flush=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.close()
