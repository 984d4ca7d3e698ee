"""Narrow: short sums of terms that are never negative have the dtype of the terms."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function
from symtheano.codegen.passes.narrow import narrow
from symtheano.graph.walk import ancestors
from tests.codegen.passes.change import Golden, change
from tests.codegen.passes.kernels import f, g


def test_squares_of_four(golden: Golden) -> None:
    golden(change(narrow, [f], T.sqr(f).sum(1)).text, "passes/narrow.txt")


@pytest.mark.parametrize(
    "terms",
    [f, f * abs(f), T.sqr(f) - 1, T.sqr(g), T.sqr(T.TensorType("float32", (None, 5))("h"))],
    ids=["signed", "product", "difference", "long", "five"],
)
def test_other_sums_stay_wide(terms: Any) -> None:
    inputs = [x for x in ancestors([terms]) if x.owner is None and x.name]
    reason = "not, no short sum is accumulated in a wider dtype than that of its terms"
    change(narrow, inputs, terms.sum(1)).assert_refused(reason)


@pytest.mark.needs_cc
def test_narrow_sums_are_those_without_sign() -> None:
    x = T.TensorType("float32", (None, 3))("x")
    exact = function([x], [x.sum(1), T.sqr(x).sum(1), (x * abs(x)).sum(1)])
    total, squares, signed = exact(np.array([[5e7, 1, -5e7]], "float32"))
    assert total == 1
    np.testing.assert_allclose(squares, 5e15, 3e-7)
    assert signed == 1
    (whole,) = function([x], [T.sqr(x[0]).sum()])(np.array([[3, 4, 12]], "float32"))
    assert whole == 169
