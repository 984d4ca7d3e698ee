"""A plugin of pytest for the tests of Theano's own package, from a folder outside of this one.

The folders of tests become packages of ``theano``. A name of Theano that symtheano does not have,
and that a file of tests imports, becomes a placeholder, so that only tests that use it fail.
"""

from __future__ import annotations

import ast
import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest


class TestsOfTheano:
    """The plugin.

    Parameters
    ----------
    sources
        Theano's package.
    """

    def __init__(self, sources: Path) -> None:
        self.sources = sources

    def pytest_configure(self) -> None:
        """Let folders of tests be found as packages, and what their files import."""
        for tests in sorted(self.sources.rglob("tests")):
            above = ".".join(["theano", *tests.parent.relative_to(self.sources).parts])
            try:
                package = importlib.import_module(above)
            except ImportError:  # Theano has packages that symtheano does not have
                continue
            add_folder(package, tests)
            for file in sorted(tests.glob("*.py")):
                add_placeholders(file.read_text(errors="replace"))

    @pytest.hookimpl(tryfirst=True)
    def pytest_pycollect_makeitem(self, collector: Any, name: str, obj: Any) -> None:
        """Let classes that another file of tests makes be those of the file, as in nose.

        They look for themselves there.
        """
        if isinstance(obj, type) and hasattr(obj, "check_name"):
            obj.__module__ = collector.module.__name__


def add_folder(package: ModuleType, tests: Path) -> None:
    """Make a folder the package ``tests`` of a package, or a part of that."""
    name = f"{package.__name__}.tests"
    try:
        importlib.import_module(name).__path__.append(str(tests))
    except ImportError:
        made = sys.modules[name] = ModuleType(name)
        made.__path__ = [str(tests)]
        package.tests = made  # type: ignore[attr-defined]


def add_placeholders(text: str) -> None:
    """Add placeholders for the names that a module imports at its top, if they are missing."""
    for module, names in imports_of_theano(text):
        found = _module(module)
        for name in names:
            if not _has(found, name):
                setattr(found, name, missing(name))


def imports_of_theano(text: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the modules of Theano that a text imports at its top, each with names from it."""
    for line in ast.parse(text).body:
        if isinstance(line, ast.ImportFrom) and line.module and _is_of_theano(line.module):
            yield line.module, [item.name for item in line.names if item.name != "*"]
        elif isinstance(line, ast.Import):
            yield from ((item.name, []) for item in line.names if _is_of_theano(item.name))


def _is_of_theano(module: str) -> bool:
    return module.split(".")[0] == "theano" and "tests" not in module.split(".")


def _module(name: str) -> ModuleType:
    """Return a module; if symtheano does not have it, an empty one."""
    try:
        return importlib.import_module(name)
    except ImportError:
        above, _, last = name.rpartition(".")
        made = sys.modules[name] = ModuleType(name)
        setattr(_module(above), last, made)
        return made


def _has(module: ModuleType, name: str) -> bool:
    if hasattr(module, name):
        return True
    try:
        importlib.import_module(f"{module.__name__}.{name}")
    except ImportError:
        return False
    return True


def missing(name: str) -> Any:
    """Return a class that can't be called."""

    def __new__(cls: type, *args: Any, **options: Any) -> Any:
        pytest.fail(f"symtheano.compat has no {name}", pytrace=False)

    return type(name, (), {"__new__": __new__})
