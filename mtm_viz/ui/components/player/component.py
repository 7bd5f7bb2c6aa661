"""Mounts the player. Payloads are served as media files; a rerun sends only their addresses and the style."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from weakref import WeakKeyDictionary

from streamlit.components import v2
from streamlit.components.v2.component_manager import BidiComponentManager
from streamlit.components.v2.manifest_scanner import ComponentConfig, ComponentManifest
from streamlit.runtime import Runtime, get_instance

import mtm_viz
from mtm_viz.rendering.payload import encode
from mtm_viz.rendering.style import style
from mtm_viz.run import Run
from mtm_viz.simulation import Simulation

ASSETS = Path(__file__).parent / "assets"
NAME = "mtm-viz.player"

_payloads: WeakKeyDictionary[Run | Simulation, bytes] = WeakKeyDictionary()


def player(
    run: Run | Simulation,
    *,
    key: str,
    height: int = 640,
    beside: Run | Simulation | None = None,
    titles: Sequence[str] = (),
    hide: Sequence[str] = (),
) -> None:
    """Show `run`, `height` CSS pixels tall; camera, time and layers survive every rerun under the same `key`.

    beside: a second run, shown to the right with the same clock and camera; titles: one line over each.
    hide: parts left out, of timeline, matrices, curves, controls, legend, caption, numbers.

    The page's own address may say more (the player's "copy link" writes it, lessons and embeds use it):
    at=0.25 or frame=120, speed=2, eye=1,1,0.5, show=targets,trails and hide=timeline,matrices. What is not
    understood is named in a sentence and left at its default.
    """
    runs = [run] if beside is None else [run, beside]
    if beside is not None:
        hide = [*hide, "matrices", "numbers"]
    data = {
        "payloads": [_serve(each, f"{key}-{k}") for k, each in enumerate(runs)],
        "titles": list(titles),
        "hide": list(hide),
        "height": height,
        "style": style(),
    }
    _component()(key=key, data=data)


def _serve(run: Run | Simulation, key: str) -> str:
    """The address of the run's payload (it contains a hash), kept by Streamlit as long as this session shows it."""
    payload = _payloads.get(run)
    if payload is None:
        payload = _payloads[run] = encode(run)
    return get_instance().media_file_mgr.add(payload, "application/octet-stream", f"mtm-player-{key}")


def _component():
    """The component, its assets served from this package's own folder.

    Streamlit finds asset folders by scanning installed distributions. We hand it the same manifest ourselves, so that
    a checkout that was never installed, an editable install and a wheel all serve the files that lie beside this one.
    """
    manager = Runtime.instance().bidi_component_registry
    if manager.get_component_asset_root(NAME) != ASSETS.resolve():
        _declare(manager)
    return v2.component(NAME, js="main.js", css="player.css", isolate_styles=False)


def _declare(manager: BidiComponentManager) -> None:
    root = Path(mtm_viz.__file__).parent
    folder = ASSETS.relative_to(root).as_posix()
    manifest = ComponentManifest("mtm-viz", "1", [ComponentConfig("player", folder)])
    manager.register_from_manifest(manifest, root)
