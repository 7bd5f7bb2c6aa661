"""Errors beside the control they are about: a control reserves a place under its key, a sentence finds it by the key it quotes."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from mtm_viz.ui.words import sentence


@dataclass
class Slots:
    """Places for sentences, by the key of the scenario file that the control above each sets."""

    places: dict[str, DeltaGenerator] = field(default_factory=dict)

    def here(self, *keys: str) -> None:
        """Reserve the place just below what was last drawn."""
        place = st.container()
        for key in keys:
            self.places.setdefault(key, place)

    def show(self, fault: str) -> None:
        """Put the sentence beneath the control whose key it quotes first, or where this is called.

        A sentence that begins with "head 2: " is about the keys named like "head 2/V".
        """
        part = re.match(r"(?:segment \d+: )?((?:head|initial measure) \d+): ", fault)
        said = re.findall(r'"(\w+)"', fault)
        wanted = [f"{part[1]}/{key}" for key in said] if part else []
        quoted = [key for key in (*wanted, *said) if key in self.places]
        place = self.places[quoted[0]] if quoted else st.container()
        place.error(sentence(fault), icon=":material/error:")
