"""Conversions from any dtype to any other: compiled, interpreted, folded, of values given.

Every value is defined, also that of floats which an integer dtype does not hold.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import symtheano
import symtheano.tensor as T
from symtheano import dtypes
from symtheano.loopir import Builder, Literal
from symtheano.sparse import csr_matrix
from tests.support.grids import conversion_edges

Array = np.ndarray[Any, Any]

REAL = [*dtypes.DISCRETE, *dtypes.FLOAT]


def by_definition(value: float, dtype: str) -> int:
    """Return what the float ``value`` is as an integer of ``dtype``, by docs/dtypes.md."""
    bits = np.dtype(dtype).itemsize * 8
    if dtype == "uint64" and 2.0**63 <= value < 2.0**64:
        return int(value)
    if dtype == "uint64" and value >= 2.0**64:
        return 0
    way = 64 if bits == 64 or dtype == "uint32" else 32
    fits = math.isfinite(value) and -(2 ** (way - 1)) <= math.trunc(value) < 2 ** (way - 1)
    whole = (math.trunc(value) if fits else -(2 ** (way - 1))) % 2**bits
    return whole - 2**bits if dtype[0] == "i" and whole >= 2 ** (bits - 1) else whole


def expected(values: Array, dtype: str) -> Array:
    """Return ``values`` converted, one by one."""
    if values.dtype.kind == "f" and dtype in dtypes.INTEGER:
        return np.array([by_definition(value, dtype) for value in values.tolist()], dtype)
    with np.errstate(all="ignore"):
        return np.asarray(values.astype(dtype))


def targets(source: str) -> list[str]:
    return [dtype for dtype in REAL if dtype != source]


def check(results: Any, values: Array, kinds: list[str]) -> None:
    for dtype, got in zip(kinds, results, strict=True):
        assert got.dtype == dtype
        np.testing.assert_array_equal(got, expected(values, dtype), f"{values.dtype} to {dtype}")


@pytest.fixture(scope="module", params=REAL)
def source(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.mark.needs_cc
def test_compiled(source: str) -> None:
    x = T.TensorType(source, (None,))("x")
    kinds = targets(source)
    f = symtheano.function([x], [T.cast(x, dtype) for dtype in kinds])
    edges = conversion_edges(source)
    # Each value at each place of a vector, and in the rest of a loop.
    for turn in range(17):
        values = np.roll(np.tile(edges, 3)[: 3 * len(edges) - turn], turn)
        check(f(values), values, kinds)


@pytest.mark.needs_cc
def test_compiled_among_other_work(source: str) -> None:
    x = T.TensorType(source, (None, None))("x")
    kinds = [dtype for dtype in targets(source) if dtype in dtypes.INTEGER]
    f = symtheano.function(
        [x], [(T.cast(x.T, dtype) ^ T.constant(1, dtype=dtype)).sum(0) for dtype in kinds]
    )
    values = np.resize(conversion_edges(source), (35, 37))
    for dtype, got in zip(kinds, f(values), strict=True):
        want = np.reshape(expected(values.ravel(), dtype), values.shape) ^ np.array(1, dtype)
        np.testing.assert_array_equal(got, want.sum(1), f"{source} to {dtype}")


def test_interpreted(source: str) -> None:
    x = T.TensorType(source, (None,))("x")
    kinds = targets(source)
    f = symtheano.function([x], [T.cast(x, dtype) for dtype in kinds], mode="INTERPRET")
    values = conversion_edges(source)
    check(f(values), values, kinds)


def test_folded(source: str) -> None:
    values = conversion_edges(source)
    kinds = targets(source)
    f = symtheano.function([], [T.cast(T.constant(values), dtype) for dtype in kinds])
    check(f(), values, kinds)
    check([T.constant(values, dtype=dtype).data for dtype in kinds], values, kinds)


@pytest.mark.parametrize("given", dtypes.FLOAT)
def test_literals(given: str) -> None:
    values = conversion_edges(given)
    for dtype in dtypes.INTEGER:
        made = [Builder().cast(Literal(value, given), dtype) for value in values.tolist()]
        want = expected(values, dtype).tolist()
        assert [literal.value for literal in made if isinstance(literal, Literal)] == want


@pytest.mark.parametrize("given", dtypes.FLOAT)
def test_rounded_to_integers(given: str) -> None:
    values = conversion_edges(given)
    x = T.TensorType(given, (None,))("x")
    want = expected(np.rint(values), "int64")
    for mode in ("FAST_RUN", "INTERPRET"):
        f = symtheano.function([x], T.iround(x), mode=mode)
        np.testing.assert_array_equal(f(values), want)


@pytest.mark.parametrize("dtype", dtypes.INTEGER)
def test_values_given(dtype: str) -> None:
    values = conversion_edges("float64")
    want = expected(values, dtype)
    x = T.TensorType(dtype, (None,))("x")
    f = symtheano.function([x], x, allow_input_downcast=True)
    for given in (values, values[::-1][::-1], values.astype(">f8")):
        np.testing.assert_array_equal(f(given), want)
    np.testing.assert_array_equal(f(values.tolist()), want)
    scalar = T.TensorType(dtype, ())("s")
    g = symtheano.function([scalar], scalar, allow_input_downcast=True)
    assert [g(value).item() for value in values.tolist()] == want.tolist()
    shared = T.shared(np.zeros(2, dtype), allow_downcast=True)
    shared.set_value(values)
    np.testing.assert_array_equal(shared.get_value(), want)


def test_values_of_sparse_matrices() -> None:
    from scipy.sparse import csr_matrix as matrix

    given = matrix(np.array([[1.5, 0.0, -1.0], [np.inf, 3e9, 0.0]]))
    x = csr_matrix("x", dtype="uint8")
    got = symtheano.function([x], x, allow_input_downcast=True)(given)
    np.testing.assert_array_equal(got.data, expected(given.data, "uint8"))
    assert not np.shares_memory(got.indices, given.indices)


def test_sums_convert_as_casts_do() -> None:
    values = conversion_edges("float64")
    x = T.dvector("x")
    want = expected(values, "uint64").sum().astype("uint8")  # accumulated in 64 bits
    for mode in ("FAST_RUN", "INTERPRET"):
        got = symtheano.function([x], T.sum(x, dtype="uint8"), mode=mode)(values)
        assert got == want
