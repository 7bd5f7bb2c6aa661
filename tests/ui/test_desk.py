"""Messages of the brush: each is dealt with once, and an old one that comes again is not."""

from __future__ import annotations

import pytest

from mtm_viz.ui import desk, state


def test_a_message_that_comes_again_after_a_newer_one_is_no_news(monkeypatch):
    monkeypatch.setattr(state, "kept", {"heard": {}}.__getitem__)
    assert desk.is_news("brush", 1_000)
    assert desk.is_news("brush", 1_002)
    assert not desk.is_news("brush", 1_002)
    assert not desk.is_news("brush", 1_000)
    assert desk.is_news("another", 1_000)
    assert desk.is_news("brush", 1_003)


@pytest.mark.parametrize("number", [None, "9", float("nan"), []])
def test_a_message_without_a_number_is_no_news(monkeypatch, number):
    monkeypatch.setattr(state, "kept", {"heard": {}}.__getitem__)
    assert not desk.is_news("brush", number)
