"""Derivatives of the scalar table's rows against finite differences.

The rows' formulas are run on variables that hold arrays and compute at once, so that this needs
nothing but the table.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from symtheano import dtypes
from symtheano.graph.type import NullType
from symtheano.graph.variable import Variable
from symtheano.scalar import table
from symtheano.scalar.conversion import cast_to
from symtheano.scalar.row import ScalarOp
from symtheano.scalar.table import TABLE


class Value(Variable):
    """A variable that holds an array; rows applied to it are computed at once."""

    __slots__ = ("data",)

    def __init__(self, data: Any) -> None:
        self.data = np.asarray(data)
        super().__init__(SimpleNamespace(dtype=self.data.dtype.name))

    def apply_scalar(self, row: ScalarOp, operands: Any) -> Value:
        values = [item if isinstance(item, Value) else small(item) for item in operands]
        signature = row.signature(tuple(item.type.dtype for item in values))
        arrays = [
            item.data.astype(dtype) for item, dtype in zip(values, signature.compute, strict=True)
        ]
        return Value(row.numpy(*arrays))

    def constant_like(self, value: float) -> Value:
        return Value(np.asarray(value, self.data.dtype))

    def __neg__(self) -> Any:
        return table.neg(self)

    def __invert__(self) -> Any:
        return table.invert(self)


def small(value: Any) -> Value:
    assert isinstance(value, int), "a float constant needs a dtype: number(x, value)"
    return Value(np.asarray(value, dtypes.constant_dtype(value)))


def define_operators() -> None:
    names = {
        "add": "add", "sub": "sub", "mul": "mul", "truediv": "true_div", "pow": "pow",
        "and": "and_", "or": "or_", "ge": "ge", "gt": "gt", "le": "le", "lt": "lt",
    }  # fmt: skip
    for method, name in names.items():
        row = TABLE[name]
        setattr(Value, f"__{method}__", lambda a, b, row=row: row(a, b))
        setattr(Value, f"__r{method}__", lambda a, b, row=row: row(b, a))


define_operators()

ROWS = [
    row
    for row in [*TABLE.values(), cast_to("float32"), cast_to("float64"), cast_to("complex128")]
    if row.derivative or row.pullback
]
# Derivatives of complex operands that NumPy's functions have, besides all holomorphic ones.
COMPLEX = [
    "add", "sub", "mul", "true_div", "neg", "abs", "sgn", "pow", "switch", "second", "identity",
    "conj", "real", "imag", "angle",
]  # fmt: skip


def sample(row: ScalarOp, dtype: str) -> list[np.ndarray[Any, Any]]:
    """Return operands inside the row's domain, of the given dtype where the row allows it."""
    generator = np.random.default_rng(7)
    domains = row.domain if isinstance(row.domain[0], tuple) else (row.domain,) * row.nin
    operands = []
    for position, (low, high) in enumerate(domains):
        values = generator.uniform(low, high, 25)
        if dtypes.is_complex(dtype):
            values = 0.3 * values + 0.4j + 0.2j * generator.uniform(-1, 1, 25)
        if (row.name, position) == ("switch", 0):
            operands.append(values > 0.5)
        elif (row.name, position) == ("ldexp", 1):
            operands.append(np.rint(values).astype("int32"))
        else:
            operands.append(values.astype(dtype))
    return operands


STEP = 1e-6


def gradients(row: ScalarOp, operands: list[Any], g: Any) -> list[Any]:
    """Return the elementwise op's gradients: gradients of sum(real(conj(g) * y))."""
    values = [Value(item) for item in operands]
    y = apply(row, values)
    if row.derivative is not None:
        slope = row.derivative(values[0], y)
        return [Value(g) * table.conj(slope)]
    assert row.pullback is not None
    return list(row.pullback(Value(g), y, *values))


def apply(row: ScalarOp, values: list[Value]) -> Value:
    result: Value = row(*values)
    return result


def cost(row: ScalarOp, operands: list[Any], g: Any) -> Any:
    y = apply(row, [Value(item) for item in operands]).data
    return np.real(np.conj(g) * y)


def check(row: ScalarOp, dtype: str) -> None:
    operands = sample(row, dtype)
    y = apply(row, [Value(item) for item in operands]).data
    g = np.linspace(0.5, 1.5, 25).astype(y.dtype)
    if np.iscomplexobj(g):
        g = g + 0.7j * g[::-1]
    found = gradients(row, operands, g)
    assert len(found) == row.nin
    for position, gradient in enumerate(found):
        x = operands[position]
        if x.dtype.kind in "biu" or isinstance(getattr(gradient, "type", None), NullType):
            continue

        def slope(direction: complex, position: int = position, x: Any = x) -> Any:
            moved = [list(operands), list(operands)]
            moved[0][position], moved[1][position] = x + STEP * direction, x - STEP * direction
            return (cost(row, moved[0], g) - cost(row, moved[1], g)) / (2 * STEP)

        expected = slope(1) + 1j * slope(1j) if np.iscomplexobj(x) else slope(1)
        got = np.zeros(25) if gradient is None else gradient.data
        if not np.iscomplexobj(x):
            got = np.real(got)
        precise = 2e-2 if row.name == "cast{float32}" else 2e-5
        np.testing.assert_allclose(
            np.broadcast_to(got, expected.shape), expected, rtol=precise, atol=precise
        )


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_derivative(row: ScalarOp) -> None:
    if row.name == "cast{float32}":
        pytest.skip("finite differences do not fit single precision")
    check(row, "float64")


@pytest.mark.parametrize(
    "row", [row for row in ROWS if row.derivative or row.name in COMPLEX], ids=str
)
def test_complex_derivative(row: ScalarOp) -> None:
    try:
        row.signature(("complex128",) * row.nin)
    except TypeError:
        pytest.skip("real operands only")
    check(row, "complex128")


@pytest.mark.parametrize("row", ROWS, ids=str)
@pytest.mark.parametrize("dtype", ["float16", "float32"])
def test_derivative_keeps_precision(row: ScalarOp, dtype: str) -> None:
    if row.name in ("float_power", "complex", "complex_from_polar") or row.name.startswith("cast"):
        pytest.skip("changes the dtype itself")
    operands = sample(row, dtype)
    try:
        signature = row.signature(tuple(item.dtype.name for item in operands))
    except TypeError:
        pytest.skip("not defined")
    for gradient in gradients(row, operands, np.ones(25, signature.result)):
        if gradient is not None and not isinstance(gradient.type, NullType):
            assert gradient.data.dtype == dtype


@pytest.mark.parametrize(
    ("name", "operands", "expected"),
    [
        ("maximum", (2.0, 2.0), (1.0, 0.0)),
        ("minimum", (2.0, 2.0), (1.0, 0.0)),
        ("maximum", (1.0, 2.0), (0.0, 1.0)),
        ("fmax", (1.0, np.nan), (1.0, 0.0)),
        ("fmin", (np.nan, 1.0), (0.0, 1.0)),
        ("clip", (1.0, 1.0, 2.0), (1.0, 0.0, 0.0)),
        ("clip", (3.0, 1.0, 2.0), (0.0, 0.0, 1.0)),
        ("pow", (0.0, 2.0), (0.0, 0.0)),
        ("abs", (0.0,), (0.0,)),
        ("switch", (True, 1.0, 2.0), (None, 1.0, 0.0)),
        ("sqr", (3.0,), (6.0,)),
        ("softplus", (1000.0,), (1.0,)),
        ("sigmoid", (-1000.0,), (0.0,)),
        ("tanh", (1000.0,), (0.0,)),
        ("logaddexp", (1000.0, -1000.0), (1.0, 0.0)),
    ],
)
def test_derivative_at_edges(name: str, operands: Any, expected: Any) -> None:
    found = gradients(TABLE[name], list(operands), 1.0)
    assert [None if item is None else item.data.item() for item in found] == list(expected)
