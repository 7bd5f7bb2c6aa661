"""A component whose files lie beside its Python: served from there in a checkout, an editable install and a wheel alike."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from streamlit.components.v2 import component
from streamlit.components.v2.manifest_scanner import ComponentConfig, ComponentManifest
from streamlit.runtime import Runtime

import mtm_viz


def served(name: str, assets: Path, css: str | None = None) -> Any:
    """What mounts the component `name`, whose main.js and style sheet are files of `assets`.

    Streamlit finds asset folders by scanning installed distributions; we hand it the same manifest ourselves.
    """
    full = f"mtm-viz.{name}"
    manager = Runtime.instance().bidi_component_registry
    if manager.get_component_asset_root(full) != assets.resolve():
        root = Path(mtm_viz.__file__).parent
        folder = assets.relative_to(root).as_posix()
        manager.register_from_manifest(ComponentManifest("mtm-viz", "1", [ComponentConfig(name, folder)]), root)
    return component(full, js="main.js", css=css)
