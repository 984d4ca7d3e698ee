"""A plugin of pytest for tests of programs of Theano, from folders outside of this repository.

With ``pytest -p tests.compat.plugin``, ``import theano`` finds symtheano in each process, before
any file of the tests is read. ``--one-in N`` takes one in N of the tests, always the same ones.
"""

from __future__ import annotations

import collections
import functools
import importlib
import json
import sys
import types
import unittest
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from symtheano import compat
from tests.support.extent import is_always_taken


def supply_nose() -> None:
    """Give the tests what they use of nose and its decorators in NumPy, which are gone."""
    skip = {"SkipTest": unittest.SkipTest}
    case = unittest.TestCase("__init__")
    tools = {
        "assert_raises": case.assertRaises,
        "assert_equal": case.assertEqual,
        "assert_equals": case.assertEqual,
        "assert_true": case.assertTrue,
        "raises": _raises,
    }
    mark = {"attr": lambda *a, **k: lambda f: f}
    contents: dict[str, dict[str, Any]] = {
        "nose": skip,
        "nose.plugins": {},
        "nose.plugins.skip": skip,
        "nose.tools": tools,
    }
    every: dict[str, dict[str, Any]] = {**contents, "nose.plugins.attrib": mark}
    for name, names in every.items():
        module = sys.modules[name] = types.ModuleType(name)
        module.__dict__.update(names, __path__=[])
    np.testing.dec = types.SimpleNamespace(  # type: ignore[attr-defined]
        skipif=lambda condition, msg="": pytest.mark.skipif(bool(condition), reason=msg or "-"),
        knownfailureif=lambda condition, msg="": pytest.mark.xfail(
            bool(condition), reason=msg or "-"
        ),
        slow=lambda test: test,
    )


def _raises(*errors: type[BaseException]) -> Any:
    def decorate(test: Any) -> Any:
        @functools.wraps(test)
        def run(*args: Any, **options: Any) -> None:
            with pytest.raises(errors):
                test(*args, **options)

        return run

    return decorate


def known_failures(file: Path) -> dict[str, str]:
    """Return the reasons for which tests fail, by test.

    A line of the file is a reason, or, if it is indented, a test with the reason above it. Tests
    whose reason begins with "At times" may pass.
    """
    reason, known = "", {}
    for line in file.read_text().splitlines() if file.exists() else []:
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith(" "):
            known[line.strip()] = reason
        else:
            reason = line.rstrip(":")
    return known


class Counter:
    """Counts outcomes, and failures by their first line.

    Parameters
    ----------
    known
        The tests that fail, with the reasons.
    """

    def __init__(self, known: dict[str, str] | None = None) -> None:
        self.known = known or {}
        self.outcomes: collections.Counter[str] = collections.Counter()
        self.failures: dict[str, set[str]] = collections.defaultdict(set)
        self.passed: set[str] = set()

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.when == "call" or report.outcome != "passed":
            self.outcomes[report.outcome] += 1
        if report.failed:
            crash = getattr(report.longrepr, "reprcrash", None)
            self._failed(report.nodeid, (crash.message if crash else str(report.longrepr)), 0)
        elif report.passed and report.when == "call":
            self.passed.add(report.nodeid)

    def pytest_collectreport(self, report: Any) -> None:
        if report.failed:
            self._failed(report.nodeid, str(report.longrepr), -1)

    def _failed(self, test: str, text: str, line: int) -> None:
        self.failures[text.strip().split("\n")[line][:120]].add(test)

    def show(self) -> None:
        """Print what was counted."""
        ran = self.outcomes["passed"] + self.outcomes["failed"]
        print(json.dumps(self.outcomes), f"{100 * self.outcomes['passed'] / max(ran, 1):.1f} %")
        for line, where in sorted(self.failures.items(), key=lambda item: -len(item[1])):
            print(f"{len(where):5} {line} | {min(where)}")

    def unexpected(self) -> list[str]:
        """Return what is not as the list of known failures says, as lines."""
        failed = set().union(*self.failures.values())
        steady = {test for test, reason in self.known.items() if not reason.startswith("At times")}
        return [
            *(f"fails: {test}" for test in sorted(failed - set(self.known))),
            *(f"passes, and is listed: {t}" for t in sorted(steady & self.passed - failed)),
        ]


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests() -> None:
    """Let ``import theano`` find symtheano."""
    supply_nose()
    compat.install(replace=True)
    importlib.import_module("theano")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--one-in``."""
    parser.addoption("--one-in", type=int, default=1, help="take one in this number of the tests")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out all tests but one in so many."""
    number = config.getoption("--one-in")
    others = [item for item in items if not is_always_taken(item.nodeid, number)]
    if others:
        config.hook.pytest_deselected(items=others)
        items[:] = [item for item in items if is_always_taken(item.nodeid, number)]
