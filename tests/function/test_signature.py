"""Signatures: what inspect shows of a compiled function."""

from __future__ import annotations

import inspect
from inspect import Parameter
from typing import Any

import pytest

import symtheano.tensor as T
from symtheano import In, function
from symtheano.function import Function
from symtheano.function.signature import signature_of

x, y, z, nameless = T.dscalar("x"), T.dscalar("y"), T.dscalar("z"), T.dscalar()
ODD, WORD, TWIN = T.dscalar("a b"), T.dscalar("class"), T.dscalar("x")
BOTH, ONLY, WORDS = (
    Parameter.POSITIONAL_OR_KEYWORD, Parameter.POSITIONAL_ONLY, Parameter.KEYWORD_ONLY
)  # fmt: skip


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ([In(x), In(y)], [("x", BOTH), ("y", BOTH)]),
        ([In(x, value=1.0), In(y)], [("x", BOTH), ("y", WORDS)]),
        ([In(x, value=1.0), In(y), In(z, value=1.0)], [("x", BOTH), ("y", WORDS), ("z", WORDS)]),
        ([In(x), In(ODD), In(y)], [("x", ONLY), ("input_1", ONLY), ("y", BOTH)]),
        ([In(WORD), In(y)], [("input_0", ONLY), ("y", BOTH)]),
        ([In(x), In(TWIN)], [("input_0", ONLY), ("input_1", ONLY)]),
        ([In(nameless), In(y)], [("input_0", ONLY), ("y", BOTH)]),
        ([In(x, value=1.0), In(nameless)], [("x", ONLY), ("input_1", ONLY)]),
        ([In(x), In(y, value=1.0, implicit=True)], [("x", BOTH)]),
    ],
)
def test_names_and_kinds(given: list[In], wanted: list[tuple[str, Any]]) -> None:
    found = signature_of(given).parameters
    assert [(name, parameter.kind) for name, parameter in found.items()] == wanted


def test_defaults_and_types() -> None:
    parameters = signature_of([In(x), In(y, value=2.5)]).parameters
    assert parameters["x"].default is Parameter.empty
    assert parameters["y"].default == 2.5
    assert parameters["x"].annotation == x.type


def test_of_a_function_and_of_its_class() -> None:
    f = function([x, In(y, value=1.0)], x * y, mode="INTERPRET")
    assert list(inspect.signature(f).parameters) == ["x", "y"]
    bound = inspect.signature(f).bind(3.0, y=4.0)
    assert f(*bound.args, **bound.kwargs) == 12
    assert "recipe" in inspect.signature(Function).parameters
