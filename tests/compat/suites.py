"""Runs the tests of programs of Theano, from copies outside of this repository, and counts them.

::

    python tests/compat/suites.py lasagne FOLDER      # Lasagne's sources
    python tests/compat/suites.py keras FOLDER        # those of Keras 2.2.5
    python tests/compat/suites.py examples FOLDER     # Theano's folder doc
    python tests/compat/suites.py theano FOLDER FILES # Theano's sources, tests in its package

It needs pytest below 8, and for Keras ``h5py``, ``pyyaml``, ``flaky``, ``keras_applications`` and
``keras_preprocessing``. Failures are listed by their first line, the most frequent one first.
"""

from __future__ import annotations

import collections
import contextlib
import doctest
import importlib
import io
import json
import os
import re
import sys
import textwrap
import types
import unittest
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from symtheano import compat


def supply_nose() -> None:
    """Give the tests what they use of nose, which does not run on today's Python."""
    skip = {"SkipTest": unittest.SkipTest}
    case = unittest.TestCase("__init__")
    tools = {
        "assert_raises": case.assertRaises,
        "assert_equal": case.assertEqual,
        "assert_true": case.assertTrue,
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


class Counter:
    """A plugin of pytest that counts outcomes, and failures by their first line."""

    def __init__(self) -> None:
        self.outcomes: collections.Counter[str] = collections.Counter()
        self.failures: dict[str, list[str]] = collections.defaultdict(list)

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.when == "call" or report.outcome != "passed":
            self.outcomes[report.outcome] += 1
        if report.failed:
            crash = getattr(report.longrepr, "reprcrash", None)
            text = crash.message if crash else str(report.longrepr)
            self.failures[text.strip().split("\n")[0][:120]].append(report.nodeid)

    def pytest_collectreport(self, report: Any) -> None:
        if report.failed:
            self.outcomes["not collected"] += 1
            self.failures[str(report.longrepr).strip().split("\n")[-1][:120]].append(report.nodeid)

    def show(self) -> None:
        """Print what was counted."""
        ran = self.outcomes["passed"] + self.outcomes["failed"]
        print(json.dumps(self.outcomes), f"{100 * self.outcomes['passed'] / max(ran, 1):.1f} %")
        for line, where in sorted(self.failures.items(), key=lambda item: -len(item[1])):
            print(f"{len(where):5} {line} | {where[0]}")


def run_pytest(folder: Path, *arguments: str) -> None:
    """Run tests in a folder and print the counts."""
    import pytest

    os.chdir(folder)
    sys.path.insert(0, str(folder))
    counter = Counter()
    options = ["-q", "--tb=short", "-W", "ignore", "--continue-on-collection-errors"]
    pytest.main([*options, "-p", "no:cacheprovider", *arguments], plugins=[counter])
    counter.show()


def theano_tests(folder: Path, files: list[str]) -> None:
    """Run files of Theano's tests, whose folders are searched for modules, too."""
    sources = folder / "theano"
    for tests in sources.rglob("tests"):
        parts = tests.parent.relative_to(sources).parts
        with contextlib.suppress(ImportError):
            importlib.import_module(".".join(["theano", *parts])).__path__.append(str(tests.parent))
    run_pytest(sources, *files)


# -- examples of the documentation -----------------------------------------------------------------

_FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE | doctest.IGNORE_EXCEPTION_DETAIL
_BLOCK = re.compile(r"( *)\.\. (testsetup|testcode|testoutput|doctest)::(.*)")


def blocks(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield kind, group and text of the examples of a page; ``+SKIP`` makes outputs ``skipped``."""
    lines = text.split("\n")
    number = 0
    while number < len(lines):
        line, start = lines[number], number
        found = _BLOCK.match(line)
        if found:
            depth = len(found[1])
            number += 1
            while number < len(lines) and (
                not lines[number].strip() or not lines[number][: depth + 1].strip()
            ):
                number += 1
            body = lines[start + 1 : number]
            skipped = any(re.match(r"\s*:options:.*\+SKIP", x) for x in body)
            kind = "skipped" if skipped else found[2]
            body = [x for x in body if not re.match(r"\s*:\w+:", x)]
            yield kind, found[3].strip(), textwrap.dedent("\n".join(body)).strip("\n") + "\n"
        elif line.lstrip().startswith(">>> "):
            while number < len(lines) and lines[number].strip():
                number += 1
            yield "doctest", "", textwrap.dedent("\n".join(lines[start:number])) + "\n"
        else:
            number += 1


class Checker(doctest.OutputChecker):
    """Accepts an error whose class derives from the one that is expected."""

    def check_output(self, want: str, got: str, optionflags: int) -> bool:
        """Return whether an example shows what it should, or the line of an error fits."""
        if super().check_output(want, got, optionflags):
            return True
        expected, raised = re.match(r"(\w+):", want), re.match(r"([\w.]+)\.(\w+): ", got)
        if expected is None or raised is None or raised[1] not in sys.modules:
            return False
        return expected[1] in _names(getattr(sys.modules[raised[1]], raised[2]))


def _names(error: type[BaseException]) -> list[str]:
    return [kind.__name__ for kind in error.__mro__[:-2]]


def run_page(page: Path) -> tuple[int, int]:
    """Run the examples of a page; return how many there are, and how many show what they should."""
    spaces: dict[str, dict[str, Any]] = collections.defaultdict(lambda: {"__name__": "__main__"})
    items, checker, total, good = list(blocks(page.read_text())), Checker(), 0, 0
    for number, (kind, group, body) in enumerate(items):
        space = spaces[group]
        if kind == "doctest":
            with contextlib.suppress(ValueError):
                name = f"{page.name}{number}"
                test = doctest.DocTestParser().get_doctest(body, {}, name, str(page), 0)
                test.globs = space
                runner = doctest.DocTestRunner(checker, optionflags=_FLAGS)
                result = runner.run(test, out=lambda text: None, clear_globs=False)
                total, good = total + result.attempted, good + result.attempted - result.failed
        elif kind in ("testsetup", "testcode"):
            follows = items[number + 1 : number + 2]
            want = follows[0][2] if follows and follows[0][0] == "testoutput" else None
            shown = io.StringIO()
            try:
                with contextlib.redirect_stdout(shown):
                    exec(compile(body, page.name, "exec"), space)
                right = want is None or checker.check_output(want, shown.getvalue(), _FLAGS)
            except SystemExit as end:
                right = not end.code
            except Exception as error:
                right = bool(
                    want and "Traceback" in want and any(n in want for n in _names(type(error)))
                )
            total, good = total + (kind == "testcode"), good + (right and kind == "testcode")
    return total, good


def examples(folder: Path) -> None:
    """Run all pages and print the counts."""
    np.set_printoptions(legacy="1.13")
    warnings.simplefilter("ignore")
    every = [0, 0]
    for page in sorted(folder.rglob("*.txt")):
        total, good = run_page(page)
        every = [every[0] + total, every[1] + good]
        if total:
            print(f"{good:4} of {total:4} {page.relative_to(folder)}", flush=True)
    print(f"{every[1]} of {every[0]}: {100 * every[1] / max(every[0], 1):.1f} %")


def main() -> None:
    """Run the suite that the command line names."""
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    suite, folder, files = sys.argv[1], Path(sys.argv[2]).resolve(), sys.argv[3:]
    supply_nose()
    compat.install(replace=True)
    importlib.import_module("theano")
    if suite == "lasagne":
        ignored = ("--ignore", "lasagne/tests/test_examples.py")
        run_pytest(folder, *(files or ["lasagne/tests"]), *ignored)
    elif suite == "keras":
        os.environ["KERAS_BACKEND"] = "theano"
        others = ("--ignore", "tests/integration_tests", "--ignore", "tests/docs")
        run_pytest(folder, *(files or ["tests"]), *others)
    elif suite == "theano":
        theano_tests(folder, files)
    elif suite == "examples":
        examples(folder)
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
