"""The page Draw in a real browser: strokes by mouse and keys, files, pastes and pictures, each to a solved problem."""

from __future__ import annotations

import io
import re
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import contextmanager
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from mtm_viz.ui.link import pack, unpack
from tests.browser.conftest import ROOT, _answers, _free_port

pytestmark = pytest.mark.browser

CAP = {"generator": "cap", "params": {"center": [1, 0.4, 0.3], "radius_deg": 20}, "n": 6, "seed": 0}
RING = {"generator": "ring", "params": {"center": [0.2, 1, 0.1], "radius_deg": 25}, "n": 12, "seed": 0}
SMALL = {
    "format": "mtm-problem",
    "version": 1,
    "dimension": 3,
    "pairs": [{"name": "mine", "input": CAP, "target": RING}],
}


@pytest.fixture
def desk(page: Page, app_url: str) -> Page:
    """The page Draw with a small problem, its input on the desk."""
    page.goto(f"{app_url}/draw?problem={pack(SMALL)}")
    expect(canvas(page)).to_be_visible(timeout=30_000)
    expect(count(page)).to_have_text("6 atoms")
    return page


def canvas(page: Page):
    return page.get_by_role("application", name=re.compile("Draw "))


def count(page: Page):
    return page.locator(".b-count")


def tool(page: Page, name: str) -> None:
    page.get_by_role("radio", name=re.compile(name)).click()


def at(page: Page, right: float, up: float) -> tuple[float, float]:
    """Pixels of a place on the disc, from -1 to 1 each way."""
    expect(canvas(page)).to_be_visible()  # a page that is still arriving may put it elsewhere
    box = canvas(page).bounding_box()
    assert box is not None
    radius = box["width"] / 2 / 1.07
    return box["x"] + box["width"] / 2 + right * radius, box["y"] + box["height"] / 2 - up * radius


def drag(page: Page, *places: tuple[float, float], button="left", steps: int = 6) -> None:
    page.mouse.move(*at(page, *places[0]))
    page.mouse.down(button=button)
    for place in places[1:]:
        page.mouse.move(*at(page, *place), steps=steps)
    page.mouse.up(button=button)


def settled(page: Page) -> None:
    expect(page.get_by_test_id("stStatusWidget")).to_have_count(0, timeout=20_000)


def problem_of(page: Page) -> dict:
    """What the address says."""
    return unpack(parse_qs(urlsplit(page.url).query)["problem"][0])


def points_of(page: Page, holds: Callable[[np.ndarray], bool]) -> np.ndarray:
    """The input's points, once the address has been brought to say what `holds` asks of them."""
    until = time.monotonic() + 15
    while True:
        points = np.array(problem_of(page)["pairs"][0]["input"].get("points", []))
        if holds(points):
            return points
        assert time.monotonic() < until, points
        page.wait_for_timeout(50)


def solve(page: Page) -> None:
    """Press the button; the player shows the solved problem."""
    page.get_by_role("button", name="Solve and watch").click()
    expect(page.get_by_text(re.compile(r"^Solved: [\d,]+ switches"))).to_be_visible(timeout=60_000)
    expect(page.locator("canvas").first).to_be_visible()
    expect(page.get_by_text("Every pair arrives.")).to_be_attached()


def bring(page: Page) -> None:
    page.get_by_role("tab", name="Bring in").click()
    expect(page.get_by_text("Drop a file")).to_be_visible()


def test_a_stroke_of_the_mouse_is_undone_redone_kept_and_solved(desk):
    tool(desk, "Single points")
    for place in ((0.1, 0.1), (-0.3, 0.2), (0.2, -0.4)):
        desk.mouse.click(*at(desk, *place))
    expect(count(desk)).to_have_text("9 atoms")
    tool(desk, "Great-circle arc")
    drag(desk, (-0.5, -0.2), (0.0, -0.5))
    drawn = int(count(desk).inner_text().split()[0])
    assert drawn > 9
    desk.get_by_role("button", name="Undo").click()
    expect(count(desk)).to_have_text("9 atoms")
    desk.get_by_role("button", name="Redo").click()
    expect(count(desk)).to_have_text(f"{drawn} atoms")
    expect(desk).to_have_url(re.compile("problem="))
    points_of(desk, lambda points: len(points) == drawn)
    before = problem_of(desk)
    desk.reload()
    expect(count(desk)).to_have_text(f"{drawn} atoms", timeout=30_000)
    settled(desk)
    assert problem_of(desk) == before, "every bit comes back from the address"
    solve(desk)


def test_everything_is_drawn_by_keys(desk):
    canvas(desk).focus()
    said = desk.locator(".b-said[aria-live]")
    desk.keyboard.press("p")
    desk.keyboard.press("Enter")
    expect(count(desk)).to_have_text("7 atoms")
    desk.keyboard.press("ArrowLeft")
    desk.keyboard.press("Enter")
    expect(count(desk)).to_have_text("8 atoms")
    expect(said).to_have_text("1 atoms added, 8 in all")
    desk.keyboard.press("a")
    desk.keyboard.press("Enter")
    for _ in range(4):
        desk.keyboard.press("ArrowUp")
    desk.keyboard.press("Enter")
    arc = int(count(desk).inner_text().split()[0])
    assert arc > 8
    desk.keyboard.press("o")
    for key in ("Enter", "ArrowRight", "Enter", "ArrowDown", "Enter"):
        desk.keyboard.press(key)
    desk.keyboard.press("Shift+Enter")
    filled = int(count(desk).inner_text().split()[0])
    assert filled > arc
    desk.keyboard.press("b")
    radius = desk.locator(".b-options output").first.inner_text()
    desk.keyboard.press("]")
    expect(desk.locator(".b-options output").first).not_to_have_text(radius)
    desk.keyboard.press("Control+a")
    expect(count(desk)).to_have_text(f"{filled} atoms, {filled} selected")
    desk.keyboard.press("Alt+ArrowRight")
    desk.keyboard.press("m")
    desk.keyboard.press("Delete")
    expect(count(desk)).to_have_text("0 atoms")
    for _ in range(3):
        desk.keyboard.press("Control+z")
    expect(count(desk)).to_have_text(f"{filled} atoms")
    expect(
        desk.get_by_text(re.compile(rf"input of “mine”: {filled} atoms of equal weight about longitude"))
    ).to_be_attached()
    settled(desk)
    solve(desk)


def test_a_stroke_sends_one_message_and_the_background_turns_the_sphere(page, app_url):
    sent: list[object] = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(frame)))
    page.goto(f"{app_url}/draw?problem={pack(SMALL)}")
    expect(count(page)).to_have_text("6 atoms", timeout=30_000)
    desk = page
    settled(desk)
    tool(desk, "Brush")
    desk.wait_for_timeout(500)
    sent.clear()
    drag(desk, (-0.4, 0.1), (0.1, 0.3), (0.3, -0.2), steps=30)
    expect(count(desk)).not_to_have_text("6 atoms")
    painted = count(desk).inner_text()
    points_of(desk, lambda points: f"{len(points)} atoms" == painted)
    assert len(sent) == 1
    drag(desk, (-1.02, 0.1), (-0.4, 0.1))
    drag(desk, (0.1, 0.1), (0.3, 0.3), button="right")
    assert count(desk).inner_text() == painted
    assert len(sent) == 1
    tool(desk, "Eraser")
    drag(desk, (-0.4, 0.2), (0.4, 0.2), (0.4, -0.2), (-0.4, -0.2), steps=12)
    points_of(desk, lambda points: len(points) < int(painted.split()[0]))
    assert len(sent) == 2


def test_a_selection_is_moved_and_scaled_and_a_pen_weighs(desk):
    settled(desk)
    desk.get_by_role("button", name="Start empty").click()
    expect(count(desk)).to_have_text("0 atoms")
    tool(desk, "Single points")
    for place in ((0, 0), (0.15, 0), (0, 0.15)):
        desk.mouse.click(*at(desk, *place))
    tool(desk, "Select and move")
    drag(desk, (-0.3, -0.3), (0.4, -0.3), (0.4, 0.4), (-0.3, 0.4), (-0.3, -0.2))
    expect(count(desk)).to_have_text("3 atoms, 3 selected")
    before = points_of(desk, lambda points: len(points) == 3)
    drag(desk, (0.02, 0.02), (0.4, 0.3))
    after = points_of(desk, lambda points: np.abs(points - before).max() > 0.2)
    np.testing.assert_allclose(after @ after.T, before @ before.T, atol=1e-3)
    tool(desk, "Single points")
    x, y = at(desk, -0.3, -0.3)
    pen = {
        "pointerId": 7,
        "pointerType": "pen",
        "pressure": 1.0,
        "clientX": x,
        "clientY": y,
        "bubbles": True,
        "button": 0,
        "buttons": 1,
    }
    canvas(desk).evaluate(
        "(c, e) => { c.setPointerCapture = () => {}; c.dispatchEvent(new PointerEvent('pointerdown', e)); c.dispatchEvent(new PointerEvent('pointerup', e)); }",
        pen,
    )
    expect(count(desk)).to_have_text("4 atoms")
    points_of(desk, lambda points: len(points) == 4)
    weights = problem_of(desk)["pairs"][0]["input"]["weights"]
    np.testing.assert_allclose(weights, [0.2, 0.2, 0.2, 0.4])
    expect(desk.get_by_text("Pen pressure")).to_be_visible()


def test_two_fingers_turn_the_sphere_and_one_draws(desk):
    settled(desk)
    tool(desk, "Single points")
    touch = """(c, [down, more]) => {
      c.setPointerCapture = () => {};
      const at = (id, right) => { const b = c.getBoundingClientRect();
        return { pointerId: id, pointerType: "touch", bubbles: true, button: 0, buttons: 1, clientX: b.x + b.width * (0.5 + right), clientY: b.y + b.height / 2 }; };
      const fire = (type, id, right) => c.dispatchEvent(new PointerEvent(type, at(id, right)));
      fire("pointerdown", 1, down);
      if (more) { fire("pointerdown", 2, 0.1); fire("pointermove", 1, 0.2); fire("pointermove", 2, 0.3); fire("pointerup", 2, 0.3); }
      fire("pointerup", 1, down);
    }"""
    canvas(desk).evaluate(touch, [0.0, False])
    expect(count(desk)).to_have_text("7 atoms")
    canvas(desk).evaluate(touch, [0.0, True])
    desk.wait_for_timeout(200)
    expect(count(desk)).to_have_text("7 atoms")


def test_a_dropped_csv_is_shown_accepted_kept_by_the_browser_and_solved(desk, browser):
    bring(desk)
    rows = "lon;lat;weight\n10,5;20;1\n30;-10,25;1\n50;5;2\n70;30;1\n"
    transfer = desk.evaluate_handle(
        "(text) => { const t = new DataTransfer(); t.items.add(new File([text], 'towns.csv', { type: 'text/csv' })); return t; }",
        rows,
    )
    desk.dispatch_event("[data-testid=stFileUploaderDropzone]", "drop", {"dataTransfer": transfer})
    expect(desk.get_by_text("towns.csv", exact=True)).to_be_visible()
    expect(desk.get_by_text("4 atoms in dimension 3, weights from 0.2 to 0.4")).to_be_visible()
    expect(desk.get_by_text("weights were divided by their sum 5")).to_be_visible()
    desk.get_by_role("button", name="Use it").click()
    expect(count(desk)).to_have_text("4 atoms")
    # These points are no strokes, so the link does not hold them; the browser does.
    expect(desk).to_have_url(re.compile("work="))
    settled(desk)
    desk.wait_for_timeout(500)
    desk.reload()
    expect(count(desk)).to_have_text("4 atoms", timeout=30_000)
    stranger = browser.new_page()
    stranger.goto(desk.url)
    expect(stranger.get_by_text("The work this link names lies in the browser that made it")).to_be_visible(
        timeout=30_000
    )
    stranger.close()
    solve(desk)


def test_a_pasted_block_becomes_points_and_is_solved(desk):
    bring(desk)
    box = desk.get_by_role("textbox", name="Or paste numbers")
    box.click()
    desk.keyboard.insert_text("x\ty\tz\n1,0\t0\t0\n0\t1\t0,5\n0\t0,2\t1")
    desk.get_by_role("button", name="Read").click()
    expect(desk.get_by_text("3 atoms in dimension 3, equal weights")).to_be_visible()
    expect(desk.get_by_text("2 of 3 points were projected to the sphere")).to_be_visible()
    desk.get_by_role("button", name="Add to the atoms").click()
    expect(count(desk)).to_have_text("9 atoms")
    solve(desk)


def test_a_picture_becomes_points_and_is_solved(desk):
    bring(desk)
    drawing = np.full((60, 60), 255, np.uint8)
    drawing[10:50, 25:35] = 0
    stream = io.BytesIO()
    Image.fromarray(drawing).save(stream, "PNG")
    desk.locator("input[type=file]").set_input_files(
        {"name": "stroke.png", "mimeType": "image/png", "buffer": stream.getvalue()}
    )
    expect(desk.get_by_text("120 atoms in dimension 3, equal weights")).to_be_visible()
    atoms = desk.get_by_role("spinbutton", name="Atoms")
    atoms.fill("24")
    atoms.press("Enter")
    expect(desk.get_by_text("24 atoms in dimension 3, equal weights")).to_be_visible()
    desk.get_by_role("button", name="Use it").click()
    expect(count(desk)).to_have_text("24 atoms")
    solve(desk)


def test_a_bad_file_is_one_sentence_and_changes_nothing(desk):
    bring(desk)
    desk.locator("input[type=file]").set_input_files(
        {"name": "bad.csv", "mimeType": "text/csv", "buffer": b"lon,lat\n48.85,2.35\n40.7,-174\n"}
    )
    expect(desk.get_by_role("alert")).to_contain_text(
        "Bad.csv: row 2 (line 3), column lat is -174, beyond 90 degrees, and every row is in range the other way round: swap lon and lat."
    )
    expect(count(desk)).to_have_text("6 atoms")


def test_pairs_are_chosen_sent_elsewhere_and_put_in_order_on_the_board(page, app_url):
    pairs = [{"name": name, "input": CAP, "target": RING | {"n": n}} for name, n in (("one", 6), ("two", 7))]
    page.goto(f"{app_url}/draw?problem={pack(SMALL | {'pairs': pairs})}")
    expect(count(page)).to_have_text("6 atoms", timeout=30_000)
    page.get_by_role("button", name="Edit the target of two").click()
    expect(count(page)).to_have_text("7 atoms")
    page.locator("[data-side=target]").nth(0).drag_to(page.locator(".p-row").nth(1))
    expect(page.get_by_role("button", name="Edit the target of one, 7 atoms")).to_be_visible()
    page.get_by_role("button", name="Move two: arrow keys up and down").press("ArrowUp")
    expect(page.locator(".p-name").first).to_have_value("two")
    name = page.locator(".p-name").first
    name.fill("renamed")
    name.press("Enter")
    expect(page.get_by_role("button", name="Edit the input of renamed")).to_be_visible()
    page.get_by_role("button", name="Duplicate renamed").click()
    expect(page.locator(".p-row")).to_have_count(3)
    page.get_by_role("button", name="Remove renamed copy").click()
    expect(page.locator(".p-row")).to_have_count(2)


def test_ten_thousand_ghosts_do_not_slow_a_stroke(page, app_url):
    """60 moves among 10,000 points of other measures: each frame is drawn within what a screen shows, 16 ms, twice over."""
    others = [
        {"name": f"g{k}", "input": CAP | {"n": 2000, "params": {"radius_deg": 170}}, "target": RING | {"n": 500}}
        for k in range(4)
    ]
    page.goto(f"{app_url}/draw?problem={pack(SMALL | {'pairs': [SMALL['pairs'][0], *others]})}")
    expect(count(page)).to_have_text("6 atoms", timeout=40_000)
    settled(page)
    took = canvas(page).evaluate(
        """async (c) => {
          const box = c.getBoundingClientRect();
          c.setPointerCapture = () => {};
          const at = (k) => ({ pointerId: 3, bubbles: true, button: 0, buttons: 1, pointerType: "mouse",
            clientX: box.x + box.width * (0.3 + 0.4 * k / 60), clientY: box.y + box.height * (0.5 + 0.1 * Math.sin(k / 6)) });
          const frame = () => new Promise((done) => requestAnimationFrame(done));
          await frame();
          const began = performance.now();
          let busy = 0;
          c.dispatchEvent(new PointerEvent("pointerdown", at(0)));
          for (let k = 1; k <= 60; k++) {
            const start = performance.now();
            c.dispatchEvent(new PointerEvent("pointermove", at(k)));
            busy += performance.now() - start;
            await frame();
          }
          c.dispatchEvent(new PointerEvent("pointerup", at(60)));
          return { busy: busy / 60, all: performance.now() - began };
        }"""
    )
    expect(count(page)).not_to_have_text("6 atoms")
    assert took["busy"] < 8, took
    assert took["all"] < 4_000, took


def test_work_goes_on_after_the_server_was_restarted(page, tmp_path):
    """The page reconnects by itself, with the drawing, and the next stroke is taken as if nothing had been."""
    port = _free_port()
    url = f"http://127.0.0.1:{port}"

    @contextmanager
    def server():
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
        with (tmp_path / "log").open("ab") as log:
            running = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=subprocess.STDOUT)
            try:
                until = time.monotonic() + 60
                while not _answers(f"{url}/_stcore/health"):
                    assert time.monotonic() < until and running.poll() is None
                    time.sleep(0.1)
                yield
            finally:
                running.terminate()
                running.wait(timeout=10)

    with server():
        page.goto(f"{url}/draw?problem={pack(SMALL)}")
        expect(count(page)).to_have_text("6 atoms", timeout=30_000)
        tool(page, "Single points")
        page.mouse.click(*at(page, 0.1, 0.1))
        points_of(page, lambda points: len(points) == 7)
    shown = page.get_by_test_id("stApp")
    expect(shown).not_to_have_attribute("data-test-connection-state", "CONNECTED", timeout=20_000)
    with server():
        expect(shown).to_have_attribute("data-test-connection-state", "CONNECTED", timeout=40_000)
        expect(shown).to_have_attribute("data-test-script-state", "notRunning", timeout=20_000)
        expect(count(page)).to_have_text("7 atoms", timeout=30_000)
        tool(page, "Single points")
        page.mouse.click(*at(page, -0.3, 0.2))
        points_of(page, lambda points: len(points) == 8)
