"""Which tests need what this machine may lack, and how hypothesis searches."""

from __future__ import annotations

import os
import shutil

import hypothesis
import pytest

from mtm_viz.backend import cupy_device

# Time varies with what else the machine does; the examples are the same everywhere, so that a failure can be repeated.
hypothesis.settings.register_profile("mtm_viz", deadline=None, derandomize=True, max_examples=60)
hypothesis.settings.load_profile("mtm_viz")


def chromium() -> str | None:
    """The Chromium to drive, if there is one."""
    return shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


def pytest_runtest_setup(item: pytest.Item) -> None:
    if item.get_closest_marker("browser") and chromium() is None:
        lacking = "no Chromium was found: install the package chromium"
        # On CI a check that cannot run is a check that failed.
        if os.environ.get("CI") == "true":
            pytest.fail(lacking)
        pytest.skip(lacking)
    if item.get_closest_marker("gpu") and cupy_device() is None:
        pytest.skip("no CUDA device, or no CuPy: install the extra gpu")


@pytest.hookimpl(tryfirst=True)  # before xdist reads the groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Browser tests run one after the other on one core: two Chromiums on two cores only wait for each other."""
    for item in items:
        if item.get_closest_marker("browser"):
            item.add_marker(pytest.mark.xdist_group("browser"))
