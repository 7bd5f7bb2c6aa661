"""The exported page is one file that asks nothing of the network."""

import io
import re

import pytest

from mtm_viz.export.html import write_html
from mtm_viz.rendering.bundle import ASSETS
from mtm_viz.rendering.payload import encode
from tests.rendering.synthetic import synthetic_run


@pytest.fixture(scope="module")
def page():
    run = synthetic_run(n=6, pairs=2)
    stream = io.BytesIO()
    write_html(run, stream)
    return run, stream.getvalue().decode()


def test_it_is_under_3_megabytes_beyond_the_data(page):
    run, text = page
    assert len(text) - len(encode(run)) * 4 / 3 < 3_000_000


def test_it_refers_to_nothing_outside(page):
    _, text = page
    # What is left after Plotly's own code, which only names addresses it would link to: the policy forbids them all.
    ours = text.replace(
        (ASSETS / "plotly-gl3d.min.js")
        .read_text(encoding="utf-8")
        .replace("</script", "<\\/script")
        .replace("<!--", "<\\!--"),
        "",
    )
    assert len(ours) < len(text)
    addresses = set(re.findall(r"https?://[^\s\"'`]+", ours))
    assert addresses <= {"http://www.w3.org/2000/svg"}
    assert not re.search(r"<(script|link|img|iframe)[^>]+(src|href)=", ours)
    assert "default-src 'none'" in ours


def test_names_cannot_break_out_of_the_page():
    run = synthetic_run(n=3, pairs=1)
    object.__setattr__(run.problem.pairs[0], "name", "</script><script>alert(1)</script>")
    stream = io.BytesIO()
    write_html(run, stream)
    text = stream.getvalue().decode()
    assert "alert(1)</script>" not in text
    assert text.count("<script") == 3
