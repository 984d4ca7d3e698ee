"""Rows are applied to variables, and evaluate themselves with NumPy."""

from __future__ import annotations

import numpy as np
import pytest

from symtheano.scalar import row
from symtheano.scalar.table import TABLE


def test_values_have_the_dtypes_of_the_signature() -> None:
    found = TABLE["true_div"].evaluate([np.int8(1), np.int8(4)], ("int8", "int8"))
    assert (found.item(), found.dtype) == (0.25, TABLE["true_div"].signature(("int8",) * 2).result)
    assert TABLE["eq"].evaluate([1.0, 1], ("float64", "int64")).dtype == bool


@pytest.mark.filterwarnings("error")
def test_evaluation_is_silent() -> None:
    assert np.isneginf(TABLE["log"].evaluate([0.0], ("float64",)))
    assert np.isnan(TABLE["true_div"].evaluate([0.0, 0.0], ("float64", "float64")))


def test_signatures() -> None:
    assert row.arithmetic(("int8", "float32")).result == "float32"
    assert row.comparison(("int8", "float32")).result == "bool"
    assert row.magnitude(("complex64",)).result == "float32"
    for rule, operands in (
        (row.arithmetic_not_bool, ("bool", "bool")),
        (row.real, ("complex64",)),
        (row.bitwise, ("float32", "int8")),
    ):
        with pytest.raises(TypeError, match="defined"):
            rule(operands)


def test_numbers_alone_are_not_symbolic() -> None:
    with pytest.raises(TypeError, match="exp: no operand is symbolic; use NumPy for numbers"):
        TABLE["exp"](1.0)
