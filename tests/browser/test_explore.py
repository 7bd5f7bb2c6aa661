"""The page Explore in a real browser: turn a knob, see the run, take its link elsewhere."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser

#: The first simulation of a fresh environment waits for its loops to be compiled.
LONG = 120_000


def ready(page: Page) -> None:
    """The player plays and the curves stand beside it."""
    expect(page.locator(".mtm-player canvas").first).to_be_visible(timeout=LONG)
    expect(page.get_by_text(re.compile(r"^Energy [\d.]+ → [\d.]+"))).to_be_visible(timeout=LONG)


def readings(page: Page) -> list[str]:
    return page.locator("[class*=st-key-observable-] p").all_inner_texts()


def test_an_example_is_changed_and_its_link_reproduces_it(page: Page, app_url: str):
    page.goto(f"{app_url}/explore")
    ready(page)
    expect(page.get_by_role("heading", name="Clustering")).to_be_visible()
    page.get_by_role("button", name="Clustering").click()
    page.get_by_role("button", name="Repulsion").click()
    expect(page.get_by_role("heading", name="Repulsion")).to_be_visible(timeout=LONG)
    expect(page).to_have_url(re.compile("example=repulsion"), timeout=LONG)
    page.get_by_role("slider", name="β").focus()
    page.keyboard.press("ArrowLeft")
    expect(page).to_have_url(re.compile("scenario="), timeout=LONG)
    expect(page.get_by_test_id("stStatusWidget")).to_have_count(0, timeout=LONG)
    expect(page.get_by_role("button", name="Cancel")).to_have_count(0, timeout=LONG)
    before = readings(page)
    assert len(before) == 5
    other = page.context.new_page()
    other.goto(page.url)
    ready(other)
    assert readings(other) == before
    other.close()
