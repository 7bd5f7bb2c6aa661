"""The player in a real Chromium, inside Streamlit: the camera never jumps, keys stay in their place, reruns are small."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import urlparse
from urllib.request import urlopen

import pytest

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.browser
EYE = "() => { const { eye } = document.querySelector('.mtm-player').player.stage.camera.get(); return [eye.x, eye.y, eye.z]; }"
CLOCK = "() => document.querySelector('.mtm-player').player.clock.at"
NO_WEBGL2 = """const get = HTMLCanvasElement.prototype.getContext;
HTMLCanvasElement.prototype.getContext = function (kind, ...rest) { return kind === 'webgl2' ? null : get.call(this, kind, ...rest); };"""


@pytest.fixture(scope="module")
def address():
    """A Streamlit server for player_app.py."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", "tests/browser/player_app.py", "--server.headless", "true"]
    command += ["--server.port", str(port), "--server.address", "127.0.0.1", "--browser.gatherUsageStats", "false"]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    server = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    url = f"http://127.0.0.1:{port}"
    for _ in range(300):
        try:
            urlopen(f"{url}/_stcore/health", timeout=1).close()
            break
        except OSError:
            assert server.poll() is None, "the Streamlit server ended"
            time.sleep(0.1)
    yield url
    server.terminate()
    server.wait(timeout=10)


def opened(page, url, query="at=0.3"):
    page.goto(f"{url}/?{query}")
    page.wait_for_selector(".mtm-player[data-ready]", timeout=30_000)
    return page


def drag(page, dx=90, dy=40, steps=6):
    box = page.locator(".mtm-plot").first.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + dx, y + dy, steps=steps)
    page.mouse.up()


def settled_eye(page):
    """The camera once a turn has come to rest."""
    before = page.evaluate(EYE)
    for _ in range(40):
        page.wait_for_timeout(100)
        now = page.evaluate(EYE)
        if now == before:
            return now
        before = now
    raise AssertionError("the camera does not come to rest")


def test_the_camera_survives_play_scrub_rerun_and_a_new_run(address, page):
    opened(page, address)
    home = page.evaluate(EYE)
    drag(page)
    eye = settled_eye(page)
    assert eye != home

    page.get_by_role("button", name="Play").click()
    page.wait_for_timeout(400)
    assert page.evaluate(CLOCK) > 0.3
    assert page.evaluate(EYE) == pytest.approx(eye, abs=1e-9)
    page.get_by_role("button", name="Pause").click()

    line = page.locator(".mtm-timeline").bounding_box()
    page.mouse.move(line["x"] + 0.2 * line["width"], line["y"] + 10)
    page.mouse.down()
    page.mouse.move(line["x"] + 0.7 * line["width"], line["y"] + 10, steps=4)
    page.mouse.up()
    assert page.evaluate(CLOCK) == pytest.approx(0.7, abs=0.01)
    assert page.evaluate(EYE) == pytest.approx(eye, abs=1e-9)

    page.get_by_role("slider", name="elsewhere").press("ArrowRight")
    page.get_by_text("4", exact=True).first.wait_for()
    page.wait_for_timeout(300)
    assert page.evaluate(EYE) == pytest.approx(eye, abs=1e-9)
    assert page.evaluate(CLOCK) == pytest.approx(0.7, abs=0.01)

    first = page.evaluate("() => document.querySelector('.mtm-player').player.run.measures[0].trajectory[0]")
    page.get_by_label("seed").fill("5")
    page.get_by_label("seed").press("Enter")
    page.wait_for_function(
        "(first) => document.querySelector('.mtm-player').player.run.measures[0].trajectory[0] !== first", arg=first
    )
    page.wait_for_timeout(200)
    assert page.evaluate(EYE) == pytest.approx(eye, abs=1e-9)
    assert page.evaluate(CLOCK) == pytest.approx(0.7, abs=0.01)


@pytest.mark.parametrize("way", ["layer", "canvas"])
def test_dragging_while_it_plays_turns_the_camera_and_keeps_playing(address, page, way):
    if way == "canvas":
        page.add_init_script(NO_WEBGL2)
    opened(page, address, "at=0.1")
    kind = page.evaluate("() => document.querySelector('.mtm-player').player.stage.drawer.constructor.name")
    assert kind == ("Layer" if way == "layer" else "Flat")
    home = page.evaluate(EYE)
    page.get_by_role("button", name="Play").click()
    before = page.evaluate(CLOCK)
    drag(page, steps=8)
    eye = settled_eye(page)
    assert page.evaluate(CLOCK) > before
    assert max(abs(a - b) for a, b in zip(eye, home, strict=True)) > 0.05
    page.wait_for_timeout(600)
    assert page.evaluate(EYE) == pytest.approx(eye, abs=1e-9)


@pytest.mark.parametrize("way", ["layer", "canvas"])
def test_a_picture_is_drawn_and_changes_with_time(address, page, way):
    if way == "canvas":
        page.add_init_script(NO_WEBGL2)
    opened(page, address, "at=0.1")
    page.wait_for_timeout(300)
    stage = page.locator(".mtm-stage")
    first = stage.screenshot()
    painted = """() => { document.querySelector('.mtm-player').player.stage.draw();
      const c = document.querySelector('.mtm-layer'), d = document.createElement('canvas');
      Object.assign(d, { width: 80, height: 80 }); const x = d.getContext('2d'); x.drawImage(c, 0, 0, 80, 80);
      return x.getImageData(0, 0, 80, 80).data.filter((v, k) => k % 4 === 3 && v > 40).length; }"""
    assert page.evaluate(painted) > (600 if way == "layer" else 15)
    page.keyboard.press("Tab")
    page.locator(".mtm-player").focus()
    page.keyboard.press("End")
    page.wait_for_timeout(300)
    assert stage.screenshot() != first


def test_keys_act_only_under_focus_and_never_in_a_text_field(address, page):
    opened(page, address)
    playing = "() => document.querySelector('.mtm-player').player.clock.playing"
    field = page.get_by_label("a text field")
    field.click()
    page.keyboard.type(" p1")
    assert field.input_value() == " p1"
    assert page.evaluate(playing) is False
    assert page.locator(".mtm-projector").count() == 0
    page.locator(".mtm-player").focus()
    page.keyboard.press("ArrowRight")
    after_step = page.evaluate(CLOCK)
    assert after_step > 0.3
    page.keyboard.press("Shift+ArrowLeft")
    assert page.evaluate(CLOCK) < after_step
    page.keyboard.press("1")
    assert page.locator(".mtm-legend-row").first.get_attribute("aria-pressed") == "false"
    page.keyboard.press("p")
    assert page.locator(".mtm-projector").count() == 1
    page.keyboard.press("f")
    page.wait_for_function("() => document.fullscreenElement?.classList.contains('mtm-player')")
    page.keyboard.press("f")
    page.wait_for_function("() => document.fullscreenElement === null")
    page.keyboard.press(" ")
    assert page.evaluate(playing) is True


def test_a_rerun_is_small_and_everything_comes_from_this_host(address, page):
    received, hosts = [], set()
    page.on("request", lambda request: hosts.add(urlparse(request.url).hostname))
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: received.append(len(frame))))
    fetched = []
    page.on("request", lambda request: fetched.append(request.url))
    opened(page, address, "at=0.3&n=60")
    page.wait_for_timeout(500)
    assert sum("plotly-gl3d" in url for url in fetched) == 1
    received.clear()
    fetched.clear()
    page.get_by_role("slider", name="elsewhere").press("ArrowRight")
    page.wait_for_timeout(1500)
    assert received and sum(received) < 20_000
    assert not [url for url in fetched if "/media/" in url]
    assert {host for host in hosts if host} == {"127.0.0.1"}


def test_an_atom_tells_its_name_where_the_pointer_is(address, page):
    opened(page, address)
    at = page.evaluate("""() => { const { player } = document.querySelector('.mtm-player'), { stage } = player;
      const { matrix: m, eye } = stage.view, box = stage.plot.getBoundingClientRect(), p = player.positions[1];
      for (let o = 0; o < p.length; o += 3) {
        const [x, y, z] = p.slice(o, o + 3);
        if (x * eye[0] + y * eye[1] + z * eye[2] < 1.2) continue;
        const w = m[3] * x + m[7] * y + m[11] * z + m[15];
        return [box.x + box.width * ((m[0] * x + m[4] * y + m[8] * z + m[12]) / w + 1) / 2,
                box.y + box.height * (1 - (m[1] * x + m[5] * y + m[9] * z + m[13]) / w) / 2];
      } }""")
    page.mouse.move(*at)
    tip = page.locator(".mtm-stage .mtm-tip.mtm-shown")
    tip.wait_for()
    assert "atom" in tip.inner_text() and "weight" in tip.inner_text() and "latitude" in tip.inner_text()


def test_two_runs_share_clock_and_camera(address, page):
    opened(page, address, "mode=beside&at=0.2&n=8")
    page.wait_for_function("() => document.querySelectorAll('.mtm-player[data-ready]').length === 2")
    drag(page)
    settled_eye(page)
    page.get_by_role("button", name="Next segment").first.click()
    page.wait_for_timeout(300)
    both = page.evaluate("""() => [...document.querySelectorAll('.mtm-player')].map(({ player }) =>
      [player.clock.at, player.drawnAt, ...['x', 'y', 'z'].map((k) => player.stage.camera.get().eye[k])])""")
    assert both[0] == pytest.approx(both[1], abs=1e-6)
    assert both[0][0] > 0.2


def test_putting_a_second_run_beside_keeps_camera_and_time(address, page):
    opened(page, address, "at=0.4&n=8")
    drag(page)
    eye = settled_eye(page)
    page.get_by_text("side by side").click()
    page.wait_for_function("() => document.querySelectorAll('.mtm-player[data-ready]').length === 2")
    page.wait_for_timeout(300)
    for player in page.locator(".mtm-player").all():
        assert player.evaluate("(e) => Object.values(e.player.stage.camera.get().eye)") == pytest.approx(eye, abs=1e-6)
    assert page.evaluate(CLOCK) == pytest.approx(0.4, abs=1e-6)


def test_it_follows_light_and_dark(address, page):
    opened(page, address, "at=0.4&n=8")
    home = page.evaluate(EYE)
    dark = "() => document.querySelector('.mtm-player').player.theme.dark"
    assert page.evaluate(dark) is False
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(dark, timeout=5000)
    assert page.evaluate(EYE) == pytest.approx(home, abs=1e-9)


def test_links_hide_parts_and_bad_ones_are_refused_kindly(address, page):
    opened(page, address, "hide=timeline,matrices&at=NaN&speed=1e9")
    assert page.locator(".mtm-timeline").is_hidden() and page.locator(".mtm-matrices").is_hidden()
    assert page.locator(".mtm-curves").is_visible()
    notice = page.locator(".mtm-notice").inner_text()
    assert "at=NaN" in notice and "speed=1e9" in notice and "default" in notice


def test_above_dimension_3_it_says_what_is_shown_and_lets_one_choose(address, page):
    opened(page, address, "dimension=4&pairs=2&n=8&at=0.4")
    chooser = page.locator(".mtm-corner select")
    assert "coordinates 1, 2, 3" in chooser.inner_text()
    before = page.evaluate("() => [...document.querySelector('.mtm-player').player.positions[0]]")
    chooser.select_option("coordinates 2, 3, 4")
    page.wait_for_timeout(200)
    assert page.evaluate("() => [...document.querySelector('.mtm-player').player.positions[0]]") != before


def test_fingers_turn_and_zoom(address, browser):
    context = browser.new_context(viewport={"width": 900, "height": 900}, has_touch=True)
    page = opened(context.new_page(), address)
    box = page.locator(".mtm-plot").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    session = context.new_cdp_session(page)

    def touch(kind, *points):
        session.send(
            "Input.dispatchTouchEvent",
            {"type": kind, "touchPoints": [{"x": a, "y": b, "id": k} for k, (a, b) in enumerate(points)]},
        )

    def far():
        return sum(v * v for v in page.evaluate(EYE)) ** 0.5

    start, distance = page.evaluate(EYE), far()
    touch("touchStart", (x, y))
    for k in range(1, 6):
        touch("touchMove", (x + 15 * k, y + 5 * k))
    touch("touchEnd")
    turned = settled_eye(page)
    assert max(abs(a - b) for a, b in zip(turned, start, strict=True)) > 0.05
    assert far() == pytest.approx(distance, rel=1e-3)
    touch("touchStart", (x - 40, y), (x + 40, y))
    for k in range(1, 6):
        touch("touchMove", (x - 40 - 8 * k, y), (x + 40 + 8 * k, y))
    touch("touchEnd")
    settled_eye(page)
    assert far() < 0.9 * distance
    context.close()


def test_a_player_taken_away_while_it_starts_or_plays_leaves_nothing_behind(page, address):
    opened(page, address)
    rests = page.evaluate("""async () => {
      const { player } = document.querySelector('.mtm-player');
      const wait = (ms) => new Promise((done) => setTimeout(done, ms));
      const rests = [];
      for (const ms of [0, 1, 5, 20, 60, 500]) {
        const place = document.body.appendChild(document.createElement('section'));
        const one = new player.constructor(place, { style: player.style, plotly: window.Plotly });
        const shown = one.setRun(player.run);
        await wait(ms);
        place.style.width = '300px'; // as a page does that makes room for another
        one.resized();
        one.dispose();
        place.remove();
        await shown;
        const { before } = one; // the time of its last frame
        await wait(100);
        rests.push(one.before === before);
      }
      return rests;
    }""")
    assert rests == [True] * 6
