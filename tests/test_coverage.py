"""Theano's names: each is available, or in the omission table with a reason."""

from __future__ import annotations

import inspect
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from symtheano.scalar import table
from symtheano.tensor.basic import constructors
from tests.conformance import report
from tests.spec import coverage, language, reference

TESTS = Path(__file__).parent


def test_no_name_goes_without_a_reason() -> None:
    table = coverage.omissions()
    assert [item.name for item in coverage.missing() if not coverage.reason_of(item, table)] == []


def test_a_name_that_programs_use_is_here_or_comes_later() -> None:
    table = coverage.omissions()
    wrong = {
        item.name
        for item in coverage.missing()
        if item.clients >= 2
        and getattr(coverage.reason_of(item, table), "kind", "") not in ("later", "compat")
    }
    assert wrong == set()


def test_every_omission_is_of_a_name_that_is_not_here() -> None:
    table = coverage.omissions()
    needed = {coverage.reason_of(item, table) for item in coverage.missing()}
    assert [line.pattern for line in table if line not in needed] == []
    assert {line.kind for line in table} == {"compat", "later", "omitted"}


@cache
def words_of_tests() -> set[str]:
    """Return the words of all tests but these, and names of what is tested as a whole table."""
    files = [path for path in TESTS.rglob("test_*.py") if path != Path(__file__)]
    words = {word for path in files for word in re.findall(r"\w+", path.read_text("utf-8"))}
    return words | {*table.TABLE, *table.ALIASES, *constructors()}


def test_a_name_that_programs_use_is_tested() -> None:
    used = [item.name for item in coverage.names() if item.clients >= 2]
    plain = [name for name in used if re.fullmatch(r"[\w.]+", name) and coverage.present(name)]
    assert len(plain) > 100
    assert [name for name in plain if name.split(".")[-1] not in words_of_tests()] == []


@pytest.mark.parametrize(
    ("name", "here"),
    [
        ("theano.tensor.sort.sort", True),
        ("theano.tensor.var.TensorVariable", True),
        ("theano.tensor.var.shape_of", False),
        ("theano.tensor.dot.shape", False),
        ("theano.no_such_module.name", False),
        ("TensorType.filter", True),
        ("var.get_value", True),
        ("var op MatMult", True),
        ("var[basic]", True),
    ],
)
def test_what_counts_as_here(name: str, here: bool) -> None:
    assert coverage.present(name) is here


@pytest.mark.parametrize(
    "page", [coverage, reference, language, report], ids=lambda page: page.__name__
)
def test_the_page_is_what_the_generator_writes(page: Any) -> None:
    hint = f"run python -m {page.__name__}"
    assert page.DOCUMENT.read_text("utf-8") == page.document(), hint


def test_every_op_without_loops_has_an_example_that_tells_whether_it_calls_python() -> None:
    assert sorted(cls.__name__ for cls in language.without_loops() - language.used()) == []


# -- docstrings ------------------------------------------------------------------------------------


def public_functions() -> dict[str, Any]:
    """Return the package's public functions by name, without those made from a table."""
    return {
        f"{item.__module__}.{item.__name__}": item
        for module in reference.MODULES
        for name, item in reference.functions(module)
        if inspect.isfunction(item) and not reference.is_constructor(module, name)
    }


def test_every_public_name_has_a_docstring() -> None:
    for module in reference.MODULES:
        for name, item in reference.functions(module):
            assert len(reference.summary(item)) > 3, (module, name)


def test_every_public_function_has_an_example() -> None:
    functions = public_functions()
    assert len(functions) > 250
    assert [
        name for name, item in functions.items() if ">>> " not in (inspect.getdoc(item) or "")
    ] == []
