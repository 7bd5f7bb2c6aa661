"""The pairs as a board: `board(rows, ...)`; measures are chosen, exchanged and put in order by pointer or keyboard."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from mtm_viz.ui import state
from mtm_viz.ui.components.served import served

ASSETS = Path(__file__).parent / "assets"


def board(
    rows: list[dict[str, Any]], *, chosen: dict[str, Any], key: str, on_act: Callable[[dict[str, Any]], None]
) -> None:
    """Show the pairs. `on_act` is called with {"do": ..., "uid": ...} before the page is drawn again."""

    def heard() -> None:
        message = state.sent(key, "act")
        if isinstance(message, dict):
            on_act(message)

    served("board", ASSETS, "board.css")(key=key, data={"rows": rows, "chosen": chosen}, on_act_change=heard)
