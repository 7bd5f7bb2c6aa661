"""Mounts the player. The payload is served once as a media file; a rerun sends only its address and the style."""

from __future__ import annotations

from pathlib import Path
from weakref import WeakKeyDictionary

import streamlit as st
from streamlit.components.v2.component_manager import BidiComponentManager
from streamlit.components.v2.manifest_scanner import ComponentConfig, ComponentManifest
from streamlit.runtime import Runtime, get_instance

import mtm_viz
from mtm_viz.rendering.payload import encode
from mtm_viz.rendering.style import style
from mtm_viz.run import Run

ASSETS = Path(__file__).parent / "assets"
NAME = "mtm-viz.player"

_payloads: WeakKeyDictionary[Run, bytes] = WeakKeyDictionary()


def player(run: Run, *, key: str, height: int = 640) -> None:
    """Show `run`, `height` CSS pixels tall. `key` names this player: with it, camera and time survive every rerun."""
    data = {"payload": _serve(run, key), "style": style(), "height": height}
    _mounted()(key=key, data=data)


def _serve(run: Run, key: str) -> str:
    """The address of the run's payload, kept by Streamlit as long as this session shows it."""
    payload = _payloads.get(run)
    if payload is None:
        payload = _payloads[run] = encode(run)
    return get_instance().media_file_mgr.add(payload, "application/octet-stream", f"mtm-player-{key}")


def _mounted():
    """The component, its assets served from this package's own folder.

    Streamlit finds asset folders by scanning installed distributions. We hand it the same manifest ourselves, so that
    a checkout that was never installed, an editable install and a wheel all serve the files that lie beside this one.
    """
    manager = Runtime.instance().bidi_component_registry
    if manager.get_component_asset_root(NAME) != ASSETS:
        _declare(manager)
    return st.components.v2.component(NAME, js="main.js", css="player.css", isolate_styles=False)


def _declare(manager: BidiComponentManager) -> None:
    root = Path(mtm_viz.__file__).parent
    folder = ASSETS.relative_to(root).as_posix()
    manifest = ComponentManifest("mtm-viz", "1", [ComponentConfig("player", folder)])
    manager.register_from_manifest(manifest, root)
