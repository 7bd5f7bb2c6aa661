"""The three ways work can end without a result; each carries a sentence for a person."""


class InputError(ValueError):
    """What was given cannot be used. The message names what, where and the remedy, in one sentence."""


class Refusal(InputError):
    """A well-formed problem that no schedule (or not this strategy) can solve, with the reason and a remedy."""


class Cancelled(Exception):
    """Raised by a progress callback to stop long work; nothing half-done is kept."""
