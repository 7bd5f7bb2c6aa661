"""One server and one Chromium for all browser tests; every test gets a page of its own."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.conftest import chromium

ROOT = Path(__file__).parents[2]
CLOSED = {
    "WebSocketClosedError",
    "StreamClosedError",
    "ConnectionClosed",
    "ConnectionClosedError",
    "ClientDisconnected",
    "WebSocketDisconnect",
}
#: A script for Streamlit to run, not a module to import.
collect_ignore = ["player_app.py"]
# What a person waits for may take a busy machine a while; no test asserts a time here.
expect.set_options(timeout=30_000)
#: WebGL in software, and nothing that a browser does for itself in the background.
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
ARGUMENTS += ["--use-angle=swiftshader", "--enable-unsafe-swiftshader"]


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=1) as reply:
            return reply.status == 200
    except (urllib.error.URLError, OSError):
        return False


@pytest.fixture(scope="session")
def app_url(tmp_path_factory) -> Iterator[str]:
    """The address of the app, served for this session only."""
    port = _free_port()
    log = tmp_path_factory.mktemp("server") / "log"
    command = [
        sys.executable,
        "-m",
        "streamlit",
        "run",
        "app.py",
        "--server.port",
        str(port),
        "--server.address",
        "127.0.0.1",
    ]
    with log.open("wb") as written:
        server = subprocess.Popen(command, cwd=ROOT, stdout=written, stderr=subprocess.STDOUT, env=os.environ)
        url = f"http://127.0.0.1:{port}"
        until = time.monotonic() + 60
        while not _answers(f"{url}/_stcore/health"):
            assert server.poll() is None, log.read_text()
            assert time.monotonic() < until, log.read_text()
            time.sleep(0.05)
        yield url
        server.terminate()
        server.wait(timeout=10)
    # A socket that a page closes while the server writes to it is no fault; every other error in the server's log is.
    raised = re.findall(
        r"^(?:[\w.]+\.)?(\w+(?:Error|Exception|Closed|Disconnect\w*))\b.*$", log.read_text(), re.MULTILINE
    )
    assert set(raised) <= CLOSED, log.read_text()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        yield launched
        launched.close()


@contextmanager
def fresh_page(browser: Browser, motion: bool) -> Iterator[Page]:
    """A fresh session at 1280 x 800; a JavaScript error fails the test."""
    context = browser.new_context(
        viewport={"width": 1280, "height": 800},
        accept_downloads=True,
        reduced_motion="no-preference" if motion else "reduce",
    )
    opened = context.new_page()
    errors: list[str] = []
    opened.on("pageerror", lambda error: errors.append(str(error)))
    yield opened
    context.close()
    assert errors == []


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """For a person who asked for less motion: nothing plays by itself, and drawing leaves the processor to the rest."""
    with fresh_page(browser, motion=False) as opened:
        yield opened
