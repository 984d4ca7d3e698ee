"""The list of known failures, with which the tests of other projects are compared."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.compat.plugin import Counter, known_failures

LIST = """\
# A comment.

Needs a GPU:
    tests/a.py::first
    tests/a.py::second
At times; it is random:
    tests/b.py::third
"""
KNOWN = {
    "tests/a.py::first": "Needs a GPU",
    "tests/a.py::second": "Needs a GPU",
    "tests/b.py::third": "At times; it is random",
}


def report(test: str, outcome: str) -> Any:
    return SimpleNamespace(
        nodeid=test,
        when="call",
        outcome=outcome,
        failed=outcome == "failed",
        passed=outcome == "passed",
        longrepr="ValueError: no\nmore",
    )


def test_the_list_is_read(tmp_path: Path) -> None:
    (tmp_path / "known.txt").write_text(LIST)
    assert known_failures(tmp_path / "known.txt") == KNOWN
    assert known_failures(tmp_path / "none.txt") == {}


@pytest.mark.parametrize("name", ["lasagne", "keras"])
def test_each_test_of_our_lists_has_a_reason(name: str) -> None:
    known = known_failures(Path(__file__).parent / "known" / f"{name}.txt")
    assert known
    assert all(reason and ".py" in test for test, reason in known.items())


def test_others_that_fail_and_listed_ones_that_pass_are_unexpected() -> None:
    counter = Counter(KNOWN)
    for test, outcome in [
        ("tests/a.py::first", "passed"),
        ("tests/a.py::second", "failed"),
        ("tests/b.py::third", "passed"),
        ("tests/c.py::fourth", "failed"),
        ("tests/c.py::fifth", "passed"),
    ]:
        counter.pytest_runtest_logreport(report(test, outcome))
    assert counter.unexpected() == [
        "fails: tests/c.py::fourth",
        "passes, and is listed: tests/a.py::first",
    ]
    assert counter.outcomes == {"passed": 3, "failed": 2}
    assert counter.failures == {"ValueError: no": {"tests/a.py::second", "tests/c.py::fourth"}}


def test_files_that_can_not_be_collected_fail() -> None:
    counter = Counter({"tests/a.py": "Needs TensorFlow"})
    for file in ("tests/a.py", "tests/b.py"):
        counter.pytest_collectreport(report(file, "failed"))
    assert counter.unexpected() == ["fails: tests/b.py"]
