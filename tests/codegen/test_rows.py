"""Rows of the scalar table in LoopIR: what they fold, and neutral elements as NumPy has them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from symtheano import dtypes
from symtheano.codegen.rows import apply_row, is_zero, neutral_element
from symtheano.loopir import Builder, Let, Literal, Value
from symtheano.scalar.table import TABLE, scalar_op
from tests.support.loops import Machine

A, B, YES = Value("a", "float32"), Value("b", "float64"), Value("yes", "bool")


def applied(op: str, operands: list[Any], dtype: str) -> tuple[Any, list[tuple[str, str]]]:
    """Return the result of a row, and the statements that compute it: ops and dtypes."""
    b = Builder()
    result = apply_row(b, scalar_op(op), operands, dtype)
    return result, [(s.op, s.target.dtype) for s in b.statements() if isinstance(s, Let)]


@pytest.mark.parametrize(
    ("op", "operands", "dtype", "statements"),
    [
        ("add", [A, A], "float32", [("add", "float32")]),
        ("add", [A, B], "float64", [("cast", "float64"), ("add", "float64")]),
        ("add", [A, A], "float64", [("add", "float32"), ("cast", "float64")]),
        ("gt", [A, B], "bool", [("cast", "float64"), ("gt", "bool")]),
        ("identity", [A], "float64", [("cast", "float64")]),
        ("cast{float64}", [A], "float64", [("cast", "float64")]),
        ("sqrt", [Value("i", "int64")], "float64", [("cast", "float64"), ("sqrt", "float64")]),
    ],
)  # fmt: skip
def test_operands_are_cast_to_what_is_computed(
    op: str, operands: list[Any], dtype: str, statements: list[tuple[str, str]]
) -> None:
    result, found = applied(op, operands, dtype)
    assert found == statements
    assert result.dtype == dtype


def test_what_needs_no_statement() -> None:
    one, two, zero = (Literal(v, "float64") for v in (1.0, 2.0, 0.0))
    for op in ("identity", "positive"):
        assert applied(op, [B], "float64") == (B, [])
    assert applied("second", [A, B], "float64") == (B, [])
    assert applied("sub", [B, zero], "float64") == (B, [])
    assert applied("switch", [Literal(True, "bool"), one, B], "float64") == (one, [])
    assert applied("switch", [Literal(False, "bool"), one, two], "float64") == (two, [])
    assert applied("cast{float32}", [one], "float32") == (Literal(1.0, "float32"), [])
    assert applied("sub", [B, Literal(-0.0, "float64")], "float64")[1] == [("sub", "float64")]


def test_zero_has_no_sign() -> None:
    assert is_zero(Literal(0.0, "float64"))
    assert is_zero(Literal(False, "bool"))
    assert is_zero(Literal(0, "complex64"))
    assert not is_zero(Literal(-0.0, "float64"))
    assert not is_zero(Literal(complex(0, -0.0), "complex128"))
    assert not is_zero(B)
    assert not is_zero(None)


REDUCED = {"add": np.add, "mul": np.multiply, "or_": np.bitwise_or, "and_": np.bitwise_and,
           "xor": np.bitwise_xor, "maximum": np.maximum, "minimum": np.minimum}  # fmt: skip


@pytest.mark.one_in(1)
@pytest.mark.parametrize("op", REDUCED)
def test_neutral_elements_are_those_of_numpy(op: str) -> None:
    ufunc: Any = REDUCED[op]
    for dtype in dtypes.ALL:
        if op in ("or_", "and_", "xor") and not dtypes.is_discrete(dtype):
            continue
        element = neutral_element(op, dtype)
        assert element.dtype == dtype
        value = Machine({}, {}).operand(element)
        if ufunc.identity is not None:
            wanted = np.asarray(ufunc.identity).astype(dtype)
            assert value == wanted, (op, dtype)
        values = np.array([0, 1, 1, 0] if dtype == "bool" else [3, 0, 100, 7]).astype(dtype)
        for other in values:
            with np.errstate(all="ignore"):
                assert ufunc(value, other) == other == ufunc(other, value), (op, dtype)


def test_extrema_of_the_dtype() -> None:
    assert neutral_element("maximum", "float32") == Literal(-np.inf, "float32")
    assert neutral_element("minimum", "uint8") == Literal(255, "uint8")
    assert neutral_element("minimum", "bool") == Literal(True, "bool")


def test_rows_without_a_neutral_element() -> None:
    for name in ("sub", "exp", "switch"):
        with pytest.raises(ValueError, match=f"{name} has no neutral element"):
            neutral_element(name, "float64")
    assert all(row.identity is None for name, row in TABLE.items() if name in ("true_div", "pow"))
