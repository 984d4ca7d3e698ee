"""Tests of the linker for PyTensor, which are skipped if PyTensor is not installed."""

from __future__ import annotations

import importlib.util
import os

# No test needs PyTensor's C code, and importing PyTensor would look for a compiler.
os.environ["PYTENSOR_FLAGS"] = ",".join(
    item for item in (os.environ.get("PYTENSOR_FLAGS"), "cxx=") if item
)

if importlib.util.find_spec("pytensor") is None:
    collect_ignore_glob = ["*.py"]
