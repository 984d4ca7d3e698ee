"""All modules of the package."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator
from importlib import import_module
from types import ModuleType

import symtheano


def all_modules() -> Iterator[ModuleType]:
    """Import and yield the package's modules, but those that run or have the name ``theano``."""
    for module in pkgutil.walk_packages(symtheano.__path__, "symtheano."):
        if module.name != "symtheano.compat.theano" and not module.name.endswith(".__main__"):
            yield import_module(module.name)
