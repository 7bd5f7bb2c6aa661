"""Measure-to-measure interpolation on the sphere by a Transformer computed explicitly (arXiv 2411.04551).

>>> from mtm_viz import Problem
>>> Problem.__name__
'Problem'
"""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mtm_viz.dynamics.schedule import Schedule
    from mtm_viz.interpolate import interpolate
    from mtm_viz.measures.measure import Measure
    from mtm_viz.problem import Problem
    from mtm_viz.run import Run
    from mtm_viz.scenario import Scenario
    from mtm_viz.simulate import simulate
    from mtm_viz.simulation import Simulation
    from mtm_viz.verify import verify

__version__ = "0.1.0"
__all__ = [
    "Measure",
    "Problem",
    "Run",
    "Scenario",
    "Schedule",
    "Simulation",
    "__version__",
    "interpolate",
    "simulate",
    "verify",
]

_HOME = {
    "Measure": "mtm_viz.measures.measure",
    "Problem": "mtm_viz.problem",
    "Run": "mtm_viz.run",
    "Scenario": "mtm_viz.scenario",
    "Schedule": "mtm_viz.dynamics.schedule",
    "Simulation": "mtm_viz.simulation",
    "interpolate": "mtm_viz.interpolate",
    "simulate": "mtm_viz.simulate",
    "verify": "mtm_viz.verify",
}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first asked for, so that `import mtm_viz` costs nothing."""
    if name not in _HOME:
        raise AttributeError(f"module 'mtm_viz' has no attribute '{name}'")
    return getattr(importlib.import_module(_HOME[name]), name)


class _Package(ModuleType):
    """This package, keeping `interpolate`, `simulate` and `verify` the functions.

    Importing the module mtm_viz.interpolate binds that name in its package, over the function of the same name.
    """

    def __setattr__(self, name: str, value: Any) -> None:
        if not (name in _HOME and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
