"""What each phase does, in one sentence for the back row."""

from __future__ import annotations

from mtm_viz.dynamics.schedule import UNDO

PHASE_SENTENCES = {
    "gather": "A drift pulls every measure into one cap, away from the emptiest direction.",
    "rotate": "A rigid rotation turns the cap to the pole.",
    "unbalance": "One gate moves part of the mass outward, so that no two barycentres are in line with the pole.",
    "isolate": "One measure is squeezed near its barycentre; all others return to where they were.",
    "disentangle": "Attention pulls each measure by its own mean: clouds that overlap come apart.",
    "cluster": "Gates collapse a slice of mass to a point.",
    "match": "Gates open one after another: the atoms inside slide to their places, all others rest.",
}
UNDO_SENTENCE = "The targets' own preparation, run backwards: "


def phase_sentence(phase: str) -> str:
    """One sentence saying what the phase does; an undo- phase says what it reverses."""
    if not phase.startswith(UNDO):
        return PHASE_SENTENCES.get(phase, "")
    forward = PHASE_SENTENCES.get(phase.removeprefix(UNDO), "")
    return UNDO_SENTENCE + forward[:1].lower() + forward[1:]
