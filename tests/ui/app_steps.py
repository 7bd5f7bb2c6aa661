"""What a person does on the page and sees there, in AppTest's terms."""

import json
import time
from pathlib import Path

from mtm_viz.ui.draft import canonical
from mtm_viz.ui.presets import FIRST, load_presets

PRESETS = load_presets()
ROOT = Path(__file__).parents[2]


def labelled(elements, label):
    return next(e for e in elements if e.label == label)


def settle(app):
    """Rerun as the polling fragment does until no job is left; Cancel stands there as long as one runs."""
    until = time.monotonic() + 10
    while any(b.key == "cancel" for b in app.button):
        assert time.monotonic() < until
        time.sleep(0.02)
        app.run()
    return app


def texts(app):
    return " ".join(e.value for kind in (app.header, app.markdown, app.caption, app.error, app.info) for e in kind)


def html(app):
    return " ".join(e.value for e in app.html)


def open_problem(app, content, name="mine.json"):
    app.file_uploader[0].upload(name, content, "application/json")
    return app.run()


def own_problem(**changes):
    said = json.loads(canonical(PRESETS[FIRST].problem))
    said["pairs"] = said["pairs"][:2]
    said["pairs"][0]["name"] = "mine"
    return json.dumps(said | changes).encode()
