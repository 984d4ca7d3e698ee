"""Forms: what each node is, which is decided once."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function
from symtheano.codegen.plan.fusion.forms import Form, forms_of
from symtheano.codegen.targets import COSTS
from tests.support.plans import viewed

x, v, i, n = T.dmatrix("x"), T.dvector("v"), T.lvector("i"), T.lscalar("n")


def forms(*outputs: Any) -> list[Form]:
    """Return what the nodes of outputs are."""
    views = viewed([x, v, i, n], outputs)
    return [*forms_of(views.graph.nodes, views, COSTS).values()]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (x.T, ["view"]),
        (n * 2, ["scalar"]),
        (T.exp(x), ["point"]),
        (x.sum(0), ["reduction"]),
        (T.dot(x, x), ["op"]),
        (v[i], ["point"]),
        (T.exp(v[i]), ["inline", "point"]),
        (T.exp(T.exp(v)[i]), ["point", "inline", "point"]),
        (T.dot(x, v[i]), ["point", "op"]),
    ],
)
def test_what_a_node_is(value: Any, expected: list[Form]) -> None:
    assert forms(value) == expected


def test_what_something_needs_in_memory_is_not_inline() -> None:
    gathered = v[i]
    assert forms(T.exp(gathered), gathered) == ["point", "point"]
    assert "inline" not in forms(T.sort(gathered), T.exp(gathered))


def test_costly_elements_are_not_inline() -> None:
    assert forms(T.sin(2 * v[i])).count("inline") == 2
    assert forms(T.exp(T.sin(v[i]))) == ["inline", "point", "point"]


@pytest.mark.needs_cc
def test_elements_that_are_stored_are_the_same_everywhere() -> None:
    m = T.dmatrix("m")
    one = T.eye(m.shape[0])
    results = [m * (2 * one), T.sort(one), 2 * one + one.T, one]
    value = np.array([[1.0, 2.0], [3.0, 4.0]])
    found = function([m], results)(value)
    wanted = [2 * np.diag([1.0, 4.0]), np.sort(np.eye(2)), 3 * np.eye(2), np.eye(2)]
    for x, y in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(x, y)
