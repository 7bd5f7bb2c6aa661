from __future__ import annotations

import subprocess
import sys

import pytest

import mtm_viz


def fresh(code: str) -> str:
    """What `code` prints in a new interpreter."""
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


def test_the_public_names_are_there():
    things = {"Measure", "Problem", "Run", "Scenario", "Schedule", "Simulation"}
    assert set(mtm_viz.__all__) == things | {"__version__", "interpolate", "simulate", "verify"}
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        mtm_viz.nothing  # noqa: B018


def test_importing_the_package_imports_nothing_heavy():
    heavy = "numpy scipy streamlit plotly matplotlib ot"
    assert fresh(f"import sys, mtm_viz; print(*(m for m in {heavy.split()!r} if m in sys.modules))") == ""


@pytest.mark.parametrize("name", ["interpolate", "simulate", "verify"])
def test_a_function_is_not_hidden_by_the_module_of_its_name(name):
    code = f"import mtm_viz.{name}; from mtm_viz.{name} import {name} as one; from mtm_viz import {name} as other; "
    assert fresh(code + "print(one is other, callable(other))") == "True True"
    assert (
        fresh(f"from mtm_viz import {name} as one; from mtm_viz import {name} as other; print(one is other)") == "True"
    )
