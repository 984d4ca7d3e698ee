"""Tests of the linker for PyTensor, which are skipped if PyTensor is not installed."""

from __future__ import annotations

import importlib.util
import os

# No test needs PyTensor's C code, and importing PyTensor would look for a compiler.
os.environ["PYTENSOR_FLAGS"] = ",".join(
    item for item in (os.environ.get("PYTENSOR_FLAGS"), "cxx=") if item
)


def _is_there(package: str) -> bool:
    return importlib.util.find_spec(package) is not None


collect_ignore_glob = [] if _is_there("pytensor") else ["*.py"]
if not _is_there("pymc"):
    collect_ignore_glob += ["models.py", "test_models.py"]
if not (_is_there("pymc") and _is_there("nutpie")):
    collect_ignore_glob += ["test_nutpie.py"]
