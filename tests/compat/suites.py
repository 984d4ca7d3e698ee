"""Runs the tests of programs of Theano, from copies outside of this repository, and counts them.

::

    python tests/compat/suites.py lasagne FOLDER      # Lasagne's sources
    python tests/compat/suites.py keras FOLDER        # those of Keras 2.2.5
    python tests/compat/suites.py examples FOLDER     # Theano's folder doc
    python tests/compat/suites.py theano FOLDER FILES # Theano's sources, tests in its package

Other arguments are pytest's, such as files, ``-n 2`` and ``--one-in 3`` (every third test). It
needs pytest below 8, for Lasagne ``mock``, and for Keras ``h5py``, ``pyyaml``, ``flaky``,
``keras_applications`` and ``keras_preprocessing``. Failures are listed by their first line, the
most frequent one first. The exit status is 1 if a test fails that ``known/SUITE.txt`` does not
list, or if one that it lists passes.
"""

from __future__ import annotations

import collections
import contextlib
import doctest
import importlib
import io
import os
import re
import sys
import textwrap
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from symtheano import compat

ROOT = Path(__file__).resolve().parents[2]
"""This repository."""


def run_pytest(
    folder: Path, arguments: Sequence[str], known: str = "", plugins: Sequence[object] = ()
) -> bool:
    """Run tests in a folder and print the counts; return whether all is as the list says."""
    import pytest

    from tests.compat.plugin import Counter, known_failures

    os.chdir(folder)
    # For this process and those that it starts. Theano's own package has modules with names of
    # Python's, such as configparser.
    paths = [str(ROOT)] if known == "theano" else [str(folder), str(ROOT)]
    sys.path[:0] = paths
    os.environ["PYTHONPATH"] = os.pathsep.join(paths)
    counter = Counter(known_failures(Path(__file__).parent / "known" / f"{known}.txt"))
    options = ["-q", "--tb=short", "-W", "ignore", "--continue-on-collection-errors"]
    options += ["-p", "no:cacheprovider", "-p", "tests.compat.plugin", "-c", "/dev/null"]
    status = pytest.main([*options, f"--rootdir={folder}", *arguments], [counter, *plugins])
    counter.show()
    unexpected = counter.unexpected()
    print(*unexpected, sep="\n")
    return not unexpected and status in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED)


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


def with_files(folder: Path, arguments: list[str], default: str) -> list[str]:
    """Return arguments for pytest with a folder of tests, if they name no file."""
    named = any((folder / argument.split("::")[0]).exists() for argument in arguments)
    return arguments if named else [*arguments, default]


def main() -> None:
    """Run the suite that the command line names."""
    if len(sys.argv) < 3 or sys.argv[1] not in ("lasagne", "keras", "theano", "examples"):
        sys.exit(__doc__)
    suite, folder, others = sys.argv[1], Path(sys.argv[2]).resolve(), sys.argv[3:]
    sys.path.insert(0, str(ROOT))
    good = True
    if suite == "lasagne":
        ignored = ["--ignore", "lasagne/tests/test_examples.py"]
        good = run_pytest(folder, [*ignored, *with_files(folder, others, "lasagne/tests")], suite)
    elif suite == "keras":
        os.environ["KERAS_BACKEND"] = "theano"
        ignored = ["--ignore", "tests/integration_tests", "--ignore", "tests/docs"]
        good = run_pytest(folder, [*ignored, *with_files(folder, others, "tests")], suite)
    elif suite == "theano":
        sources = folder / "theano"
        from tests.compat.theanos_tests import TestsOfTheano

        good = run_pytest(sources, others, suite, [TestsOfTheano(sources)])
    else:
        compat.install(replace=True)
        importlib.import_module("theano")
        examples(folder)
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
