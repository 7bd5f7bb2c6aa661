"""One HTML file: the player and a run, opening from disk with no network."""

from __future__ import annotations

import base64
import html
import json
from typing import BinaryIO

from mtm_viz.rendering.bundle import ASSETS, bundle
from mtm_viz.rendering.payload import encode
from mtm_viz.rendering.style import style
from mtm_viz.run import Run
from mtm_viz.simulation import Simulation

SUFFIX = ".html"
MIME_TYPE = "text/html"

# Nothing may be fetched: the page carries what it shows. Plotly compiles small functions, hence unsafe-eval.
POLICY = "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline'; img-src data: blob:; font-src data:"

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<title>{title}</title>
<style>
{css}
body {{ margin: 0; background: {light}; }}
@media (prefers-color-scheme: dark) {{ body {{ background: {dark}; }} }}
main {{ max-width: 1760px; margin: 0 auto; padding: 18px 22px; --mtm-height: calc(100vh - 36px); }}
@media (max-width: 800px) {{ main {{ padding: 14px; --mtm-height: auto; }} }}
</style>
</head>
<body>
<main><section id="player" aria-label="{title}"></section></main>
<noscript>This page shows an animation and needs JavaScript; it asks nothing of the network.</noscript>
<script>{plotly}</script>
<script id="payload" type="text/plain">{payload}</script>
<script>
{player}
mtmPlayer.showAlone(document.getElementById("player"), {{
  style: {style}, plotly: window.Plotly, payload: document.getElementById("payload").textContent,
}}).catch((error) => {{ document.getElementById("player").textContent = `The player could not start: ${{error.message}}`; }});
</script>
</body>
</html>
"""


def write_html(run: Run | Simulation, stream: BinaryIO) -> None:
    """Write `run` with its player as one self-contained page."""
    colors = style()
    page = PAGE.format(
        policy=POLICY,
        title=html.escape("One Transformer: " + ", ".join(run.names)),
        css=(ASSETS / "player.css").read_text(encoding="utf-8"),
        light=colors["light"]["page"],
        dark=colors["dark"]["page"],
        plotly=_inside_script((ASSETS / "plotly-gl3d.min.js").read_text(encoding="utf-8")),
        payload=base64.b64encode(encode(run)).decode("ascii"),
        player=_inside_script(bundle("standalone.js", "mtmPlayer")),
        style=_inside_script(json.dumps(colors)),
    )
    stream.write(page.encode("utf-8"))


def _inside_script(text: str) -> str:
    """Text that cannot end the script element it stands in."""
    return text.replace("</script", "<\\/script").replace("<!--", "<\\!--")
