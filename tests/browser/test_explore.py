"""The page Explore in a real browser: turn a knob, see the run, take its link elsewhere."""

from __future__ import annotations

import re
import time

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser

#: The first simulation of a fresh environment waits for its loops to be compiled.
LONG = 120_000
#: What the pictures show: a digest of every trajectory that the players hold, as they were sent.
DIGEST = """() => [...document.querySelectorAll('.mtm-player')].map(({player}) => [player.run.frames,
  ...player.run.measures.map((m) => m.trajectory.reduce((h, v) => (Math.imul(h, 31) + v) | 0, m.trajectory.length))])"""


def settled(page: Page) -> Page:
    """The player plays the whole run and the curves stand beside it."""
    expect(page.locator(".mtm-player[data-ready=true] canvas").first).to_be_visible(timeout=LONG)
    expect(page.get_by_test_id("stStatusWidget")).to_have_count(0, timeout=LONG)
    expect(page.get_by_role("button", name="Cancel")).to_have_count(0, timeout=LONG)
    expect(page.get_by_text("A first look")).to_have_count(0, timeout=LONG)
    page.wait_for_function(
        "() => [...document.querySelectorAll('.mtm-player')].every((one) => one.player?.run)", timeout=LONG
    )
    return page


def changed(page: Page, act) -> None:
    """Do something that makes another run, and wait until it is there."""
    before = page.url
    act()
    page.wait_for_function("(before) => location.href !== before", arg=before, timeout=LONG)
    settled(page)


def shown(page: Page) -> dict:
    """Everything that makes up the page's state for the person in front of it, once it has stopped changing."""
    before, now = None, look(settled(page))
    until = time.monotonic() + LONG / 1000
    while now != before:  # numbers, curves and picture arrive one after the other
        assert time.monotonic() < until
        page.wait_for_timeout(700)
        before, now = now, look(settled(page))
    return now


def look(page: Page) -> dict:
    return {
        "title": page.get_by_role("heading").first.inner_text(),
        "pictures": page.evaluate(DIGEST),
        "readings": page.locator("[class*=st-key-observable-] p").all_inner_texts(),
        "sliders": page.locator("[data-testid=stSlider]").all_inner_texts(),
        "choices": page.locator("[data-testid=stSelectbox] input").evaluate_all("(all) => all.map((one) => one.value)"),
        "switches": page.locator("[data-testid=stCheckbox] input").evaluate_all("(all) => all.map((one) => one.checked)"),
        "numbers": page.locator("[data-testid=stNumberInput] input").evaluate_all("(all) => all.map((one) => one.value)"),
    }  # fmt: skip


def open_everything(page: Page) -> None:
    page.get_by_text("Everything", exact=True).click()
    expect(page.get_by_text("Causal mask", exact=True)).to_be_visible()


def choose(page: Page, label: str, option: str) -> None:
    field = page.locator("[data-testid=stSelectbox]").filter(has=page.get_by_text(label, exact=True)).first
    field.scroll_into_view_if_needed()
    page.wait_for_timeout(300)  # a list closes when what it hangs on is scrolled
    field.locator("input").click()
    page.get_by_role("option", name=option, exact=True).click()


def type_number(page: Page, label: str, value: str) -> None:
    field = page.get_by_role("spinbutton", name=label, exact=True)
    field.fill(value)
    field.press("Enter")


#: States by what is clicked: each makes another run, and the clicks build on the example before them.
STATES = {
    "model, matrix and more curves": [
        lambda page: choose(page, "Model", "Unnormalised (USA)"),
        lambda page: choose(page, "V", "Random symmetric"),
        lambda page: type_number(page, "β as a number", "2.5"),
        lambda page: page.get_by_text("Entropy", exact=True).first.click(),
        lambda page: page.get_by_text("Enclosing cap", exact=True).first.click(),
        lambda page: page.get_by_text("Attention matrix", exact=True).first.click(),
    ],
    "noise, mask and heads": [
        lambda page: type_number(page, "Noise σ", "0.3"),
        lambda page: type_number(page, "Run seed", "7"),
        lambda page: page.get_by_text("Causal mask", exact=True).click(),
        lambda page: type_number(page, "Heads", "2"),
    ],
    "dimension, perceptron, placement and layers": [
        lambda page: type_number(page, "Dimension d", "4"),
        lambda page: page.get_by_text("Perceptron").click(),
        lambda page: choose(page, "Normalisation", "Pre-LN"),
        lambda page: page.get_by_text("Discrete layers").click(),
    ],
}


@pytest.mark.parametrize("state", STATES)
def test_a_state_reached_by_clicks_is_reproduced_by_its_link(page: Page, app_url: str, state: str):
    page.goto(f"{app_url}/explore?example=rotation")
    settled(page)
    open_everything(page)
    changed(page, lambda: type_number(page, "Particles n as a number", "30"))
    for act in STATES[state]:
        changed(page, lambda act=act: act(page))
    before = shown(page)
    other = page.context.browser.new_context(viewport=page.viewport_size).new_page()
    other.goto(page.url)
    settled(other)
    open_everything(other)
    assert shown(other) == before
    other.context.close()


def test_an_example_is_changed_and_its_link_reproduces_it(page: Page, app_url: str):
    page.goto(f"{app_url}/explore")
    settled(page)
    page.get_by_role("button", name="Clustering").click()
    changed(page, lambda: page.get_by_role("button", name="Repulsion").click())
    expect(page).to_have_url(re.compile("example=repulsion"))
    expect(page.get_by_role("heading", name="Repulsion")).to_be_visible()
    page.get_by_role("slider", name="β").focus()
    changed(page, lambda: page.keyboard.press("ArrowLeft"))
    before = shown(page)
    assert before["title"] == "Repulsion, changed" and len(before["readings"]) >= 5
    page.reload()
    assert shown(settled(page)) == before


def test_a_new_run_keeps_camera_and_clock_and_compares_side_by_side(page: Page, app_url: str):
    page.goto(f"{app_url}/explore?example=metastability")
    settled(page)
    player = page.locator(".mtm-player").first
    player.evaluate("({player}) => { player.seek(0.4); player.stage.camera.set({eye: {x: 0.3, y: 1.4, z: 0.9}}); }")
    seen = "({player}) => [player.clock.at, player.clock.playing, player.stage.camera.get().eye]"
    before = player.evaluate(seen)
    changed(page, lambda: type_number(page, "Particles n as a number", "900"))
    assert player.evaluate(seen) == before, "through a first look, too"
    changed(page, lambda: page.get_by_role("button", name="Compare").click())
    changed(page, lambda: choose(page, "V", "Quarter turn"))
    expect(page.get_by_text("From A to B: V I → Quarter turn.")).to_be_visible()
    expect(page.locator(".mtm-player")).to_have_count(2)
    left, right = (page.locator(".mtm-player").nth(k).evaluate(seen) for k in (0, 1))
    assert left == right and left[0] == before[0]
    assert all(abs(left[2][axis] - before[2][axis]) < 1e-6 for axis in "xyz")
    now = shown(page)
    other = page.context.new_page()
    other.goto(page.url)
    assert shown(settled(other)) == now
    other.close()


def test_a_solved_schedule_is_opened_edited_and_brought_back(page: Page, app_url: str):
    page.goto(f"{app_url}/?preset=shared-atoms")
    expect(page.locator(".mtm-player[data-ready=true]")).to_be_visible(timeout=LONG)
    page.get_by_role("button", name="Open in Explore").click()
    expect(page).to_have_url(re.compile("explore.*solved=shared-atoms"), timeout=LONG)
    before = shown(page)["pictures"]
    type_number(page, "times", "0.5")
    page.get_by_role("button", name="Multiply").click()
    expect(page.get_by_text("Changed: segment 1: V times 0.5.")).to_be_visible(timeout=LONG)
    assert shown(page)["pictures"] != before
    page.get_by_role("button", name="Back to the solved one").click()
    expect(page.get_by_text("Changed:")).to_have_count(0, timeout=LONG)
    assert shown(page)["pictures"] == before
