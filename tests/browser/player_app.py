"""The page the player's browser tests open: a player, a slider elsewhere, a text field, a button for a new run."""

import streamlit as st

from mtm_viz.ui.components.player import player
from tests.rendering.synthetic import synthetic_run


@st.cache_resource
def run(seed: int, n: int, pairs: int, dimension: int):
    return synthetic_run(n=n, pairs=pairs, dimension=dimension, seed=seed)


asked = st.query_params
st.set_page_config(layout="wide")
seed = st.number_input("seed", 0, 9, 0)
st.slider("elsewhere", 0, 10, 3)
st.text_input("a text field")
shape = (int(asked.get("n", 12)), int(asked.get("pairs", 3)), int(asked.get("dimension", 3)))
if st.toggle("side by side", asked.get("mode") == "beside"):
    player(run(seed, *shape), key="player", height=520, beside=run(seed + 1, *shape), titles=["A", "B"])
else:
    player(run(seed, *shape), key="player", height=520)
