"""The exported page in a real Chromium: opens from disk with the network off, follows the reader's light or dark."""

import io

import pytest

from mtm_viz.export.html import write_html
from tests.rendering.synthetic import synthetic_run

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def file_url(tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "run.html"
    stream = io.BytesIO()
    write_html(synthetic_run(n=10), stream)
    path.write_bytes(stream.getvalue())
    return path.as_uri()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_plays_offline(file_url, browser, scheme):
    context = browser.new_context(viewport={"width": 1280, "height": 800}, color_scheme=scheme, offline=True)
    page = context.new_page()
    asked, errors = [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.goto(file_url)
    page.wait_for_selector(".mtm-player[data-ready]", timeout=30_000)
    page.wait_for_function("() => document.querySelector('.mtm-player').player.clock.at > 0.02")
    assert errors == []
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []
    page_color = page.evaluate("() => getComputedStyle(document.body).backgroundColor")
    assert page_color == ("rgb(255, 255, 255)" if scheme == "light" else "rgb(14, 17, 23)")
    assert page.evaluate("() => document.querySelector('.mtm-player').player.theme.dark") is (scheme == "dark")
    # Nothing spills over the window at the size of a lecture hall's old projector.
    assert page.evaluate("() => document.documentElement.scrollHeight <= window.innerHeight")
    context.close()
