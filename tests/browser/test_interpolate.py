"""The page Interpolate in a real browser: what opens, what is asked of the network, what survives."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from mtm_viz.run import Run
from mtm_viz.ui.link import pack

pytestmark = pytest.mark.browser
CASES = Path(__file__).parents[1] / "cases"


@pytest.fixture
def opened(page: Page, app_url: str) -> Page:
    """The app with its first picture on screen."""
    return visit(page, app_url)


def visit(page: Page, url: str) -> Page:
    page.goto(url)
    expect(page.locator("canvas").first).to_be_visible(timeout=30_000)
    return page


def solve_button(page: Page):
    return page.locator(".st-key-solve").get_by_role("button")


def set_atoms(page: Page, n: int) -> None:
    """Give the first pair n atoms on each side, through its popover."""
    field = page.get_by_role("spinbutton", name="Atoms on each side")
    # A page that is still arriving closes what was opened: open it again until it stays.
    for _ in range(20):
        if field.is_visible():
            break
        page.locator("[class*=st-key-edit-] button").first.click()
        page.wait_for_timeout(1500)
    field.fill(str(n))
    field.press("Enter")
    expect(page.get_by_text(f"{n} atoms").first).to_be_visible()
    page.keyboard.press("Escape")


def upload(page: Page, name: str, content: bytes) -> None:
    page.locator("[class*=st-key-file-]").get_by_role("button").first.click()
    page.locator("input[type=file]").set_input_files({"name": name, "mimeType": "application/json", "buffer": content})


def test_it_opens_on_a_solved_preset_and_asks_no_other_host(page, app_url):
    asked: set[str] = set()
    page.on("request", lambda request: asked.add(urlsplit(request.url).hostname or ""))
    visit(page, app_url)
    expect(page.get_by_role("heading", name="Three clouds become three rings")).to_be_visible()
    expect(page.get_by_text("Every pair arrives.")).to_be_attached()
    expect(solve_button(page)).to_contain_text("Solve again")
    page.get_by_role("button", name="All presets").click()
    expect(page.get_by_role("button", name="Concentric rings trade places")).to_be_visible()
    assert asked <= {"127.0.0.1", ""}


def test_presets_are_chosen_by_keyboard_or_card_and_come_back_after_reload(opened):
    opened.get_by_role("button", name="All presets").focus()
    opened.keyboard.press("Enter")
    opened.get_by_role("button", name="In four dimensions").focus()
    opened.keyboard.press("Enter")
    expect(opened.get_by_role("heading", name="In four dimensions")).to_be_visible()
    opened.get_by_role("button", name="All presets").click()
    opened.locator(".st-key-preset-rings-swap").click()  # its middle is the picture, which is as good as the name
    expect(opened.get_by_role("heading", name="Concentric rings trade places")).to_be_visible()
    expect(opened.get_by_role("dialog")).to_have_count(0)
    expect(opened).to_have_url(re.compile("preset=rings-swap"))
    opened.reload()
    expect(opened.get_by_role("heading", name="Concentric rings trade places")).to_be_visible()


def tiny_link(app_url: str) -> str:
    """A problem of two pairs of ten atoms: solved in a moment, and no picture plays beside it until it is."""
    cloud, ring = ({"generator": name, "n": 10} for name in ("von_mises_fisher", "ring"))
    places = ([1, 0, 0], [0.9, 0.4, 0]), ([0, 1, 0.3], [0, 0.5, -1])
    pairs = [
        {
            "name": f"pair {k + 1}",
            "input": cloud | {"params": {"mean": start}, "seed": k},
            "target": ring | {"params": {"center": end}},
        }
        for k, (start, end) in enumerate(zip(*places, strict=True))
    ]
    packed = pack({"format": "mtm-problem", "version": 1, "dimension": 3, "pairs": pairs})
    return f"{app_url}/?problem={packed}"


def test_own_problem_from_link_to_reload(page, app_url):
    """Edited, predicted, started, cancelled, solved, deprived of attention, reloaded: nothing made is lost on the way."""
    page.goto(tiny_link(app_url))
    set_atoms(page, 300)
    expect(page.get_by_text(re.compile(r"Expected: \d+ switches"))).to_be_visible()
    solve_button(page).click()
    page.locator(".st-key-cancel").get_by_role("button").click()
    expect(solve_button(page)).to_be_visible()
    expect(page.get_by_text("300 atoms").first).to_be_visible()
    set_atoms(page, 12)
    solve_button(page).click()
    expect(solve_button(page)).to_contain_text("Solve again", timeout=30_000)
    expect(page.locator("canvas").first).to_be_visible(timeout=15_000)
    expect(page.get_by_text("Every pair arrives.")).to_be_attached()
    page.get_by_role("radio", name="Off").or_(page.get_by_role("button", name="Off", exact=True)).first.click()
    expect(page.get_by_text(re.compile(r"Without attention .* ends [0-9.]+ rad from its target"))).to_be_attached(
        timeout=30_000
    )
    page.reload()
    expect(page.get_by_text("12 atoms")).to_be_visible()
    expect(solve_button(page)).to_contain_text("Solve again")


def test_cells_are_chosen_solved_shown_beside_atoms_and_come_back_after_reload(page, app_url):
    page.goto(tiny_link(app_url))
    solve_button(page).first.click()
    expect(solve_button(page).first).to_contain_text("Solve again", timeout=30_000)
    expect(page.get_by_text("Choose Cells, solve, and compare")).to_be_attached()
    page.get_by_role("radio", name="Cells").or_(page.get_by_role("button", name="Cells", exact=True)).first.click()
    field = page.get_by_role("spinbutton", name="Cells an input")
    field.fill("5")
    field.press("Enter")
    expect(page).to_have_url(re.compile("strategy=cells.*cells=5|cells=5.*strategy=cells"))
    solve_button(page).first.click()
    expect(solve_button(page).first).to_contain_text("Solve again", timeout=60_000)
    expect(page.get_by_text(re.compile(r"rad from the target atom by atom, [0-9.]+ in cells"))).to_be_attached()
    page.reload()
    expect(page.get_by_role("spinbutton", name="Cells an input")).to_have_value("5")
    expect(solve_button(page).first).to_contain_text("Solve again")


def test_duplicates_are_parted_and_put_back_with_one_click_each(opened):
    upload(opened, "p17.json", (CASES / "p17_duplicates.json").read_bytes())
    expect(opened.get_by_text(re.compile("5 of 20 input atoms lie on others"))).to_be_visible(timeout=15_000)
    opened.keyboard.press("Escape")
    opened.locator(".st-key-ease-nudge").get_by_role("button").first.click()
    expect(opened.get_by_text(re.compile("Every target can be reached exactly"))).to_be_visible(timeout=15_000)
    opened.locator(".st-key-steps-undo").get_by_role("button").first.click()
    expect(opened.get_by_text(re.compile("5 of 20 input atoms lie on others"))).to_be_visible(timeout=15_000)


def test_a_hostile_file_leaves_everything_as_it_was_and_a_refused_one_is_mended(opened):
    set_atoms(opened, 17)
    upload(
        opened,
        "evil.json",
        b'{"format": "mtm-problem", "version": 1, "dimension": 3, "pairs": [{"input": {"file": "/etc/passwd"}}]}',
    )
    expect(opened.get_by_text(re.compile(r"evil\.json: .*pair 1"))).to_be_visible()
    expect(opened.get_by_text("17 atoms")).to_be_visible()
    # The file after it is opened as if nothing had been; it is refused, and mended with one click.
    opened.locator("input[type=file]").set_input_files(CASES / "p09_impossible_same_input.json")
    expect(opened.get_by_text(re.compile("start from the same input"))).to_be_visible(timeout=15_000)
    expect(solve_button(opened)).to_be_disabled()
    opened.locator(".st-key-remedy").get_by_role("button").click()
    expect(solve_button(opened)).to_be_enabled()
    expect(opened.get_by_text(re.compile("start from the same input"))).to_have_count(0)


def test_what_is_downloaded_is_the_run(opened, tmp_path):
    def fetched(suffix: str) -> bytes:
        with opened.expect_download(timeout=30_000) as waiting:
            opened.locator(f".st-key-download-{suffix.replace('.', '-')}").get_by_role("button").click()
        assert waiting.value.suggested_filename == f"three-clouds.{suffix}"
        path = tmp_path / suffix
        waiting.value.save_as(path)
        return path.read_bytes()

    run = Run.load(io.BytesIO(fetched("run.npz")))
    said = json.loads(fetched("certificate.json"))
    assert said == run.certificate
    assert len(json.loads(fetched("schedule.json"))["duration"]) == len(run.schedule)
    with np.load(io.BytesIO(fetched("schedule.npz"))) as arrays:
        np.testing.assert_array_equal(arrays["W"], [segment.W for segment in run.schedule])
    film = fetched("html").decode()
    assert len(film) > 100_000
    assert not re.search(r"<(script|link|img|iframe)[^>]+(src|href)=[\"']?(https?:)?//", film)


def test_a_bad_link_is_answered_kindly(page, app_url):
    visit(page, f"{app_url}/?problem=NaN&preset=none")
    expect(page.get_by_text("This link could not be used")).to_be_visible()
    expect(page.get_by_role("heading", name="Three clouds become three rings")).to_be_visible()
