"""Sums, products and comparisons by element, against SciPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import sparse as S
from symtheano.errors import ShapeError
from symtheano.graph.walk import toposort
from symtheano.sparse.boundary import split_boundary
from symtheano.sparse.type import DTYPES
from tests.sparse.harness import (
    CLASSES,
    FORMATS,
    check,
    check_sparse,
    compiled,
    interpreted,
    random_sparse,
    samples,
)

pytestmark = pytest.mark.needs_cc


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("other", FORMATS)
def test_two_sparse_matrices(format: str, other: str) -> None:
    x, y = S.matrix(format, "x"), S.matrix(other, "y")
    made = CLASSES[format]

    def reference(x: Any, y: Any) -> list[Any]:
        return [made(x + y), made(x - y), made(x.multiply(y)), made(-x)]

    calls = [(a, b.asformat(other)) for a, b in samples(format)]
    check([x, y], [x + y, x - y, x * y, -x], calls, reference, c=format == other)


@pytest.mark.parametrize("format", FORMATS)
def test_sparse_results_of_compiled_code(format: str) -> None:
    x, y = S.matrix(format, "x"), S.matrix(format, "y")
    for output in (x * y, (x + y) * x - y):
        check_sparse([x, y], output, samples(format))


@pytest.mark.parametrize("format", FORMATS)
def test_with_dense_operands(format: str) -> None:
    x, d, v, u, s = S.matrix(format, "x"), T.matrix("d"), T.vector("v"), T.vector("u"), T.scalar()
    made = CLASSES[format]
    outputs = [
        x + d, d + x, x - d, d - x, x * d, d * x, x * v, x * s, 2 * x,
        S.row_scale(x, u), S.col_scale(x, v), S.mul_s_v(x, v), S.structured_add_s_v(x, v),
    ]  # fmt: skip

    def reference(x: Any, d: Any, v: Any, u: Any, s: Any) -> list[Any]:
        a = x.toarray()
        stored = (made((np.ones_like(x.data), x.indices, x.indptr), shape=x.shape).toarray()) > 0
        sums = [a + d, a + d, a - d, d - a]
        products = [a * d, a * d, a * v, a * s, 2 * a, a * u[:, None], a * v, a * v]
        return [*map(np.asarray, sums), *map(made, products), made(np.where(stored, a + v, 0))]

    random = np.random.default_rng(0)
    calls = []
    for matrix, _ in samples(format):
        rows, columns = matrix.shape
        dense = random.uniform(1, 2, (rows, columns))
        calls.append((matrix, dense, dense.sum(0) + 1, dense.sum(1) + 1, np.array(1.5)))
    check([x, d, v, u, s], outputs, calls, reference)


@pytest.mark.parametrize("dtype", DTYPES)
def test_every_dtype(dtype: str) -> None:
    x, y, d = S.csr_matrix("x", dtype), S.csr_matrix("y", dtype), T.matrix("d", dtype)
    outputs = [x + y, x * y, x + d, x * d, x * 2]
    dense = random_sparse(5, dtype=dtype, density=1).toarray()

    def reference(x: Any, y: Any, d: Any) -> list[Any]:
        a, b = x.toarray(), y.toarray()
        made = CLASSES["csr"]
        return [made(a + b), made(a * b), a + d, made(a * d), made(a * np.int8(2))]

    calls = [(a, b, dense) for a, b in samples("csr", dtype) if a.shape == dense.shape]
    check([x, y, d], outputs, calls, reference, c=dtype in ("bool", "int8", "complex64"))


def test_sums_of_one_structure_need_no_union() -> None:
    x = S.csr_matrix("x")
    (ends,), outputs = (b := split_boundary([x], [x * 2 + S.structured_exp(x)])).inputs, b.outputs
    assert not any(type(node.op).__name__ == "Runs" for node in toposort(outputs[0], ends))
    a = random_sparse(1)
    got = interpreted([x], S.add_s_s_data(x, x * 3))(a)
    np.testing.assert_allclose(got.toarray(), a.toarray() * 4)


def test_shapes_that_differ() -> None:
    x, y, d, v = S.csr_matrix("x"), S.csr_matrix("y"), T.matrix("d"), T.vector("v")
    a = random_sparse(1)
    cases: list[tuple[Any, Any, Any, str]] = [
        (y, x + y, random_sparse(2, (5, 3)), "add: sparse matrices of different shape"),
        (y, x * y, random_sparse(2, (6, 4)), "mul: sparse matrices of different shape"),
        (d, x + d, np.ones((5, 3)), "sparse.add: the sparse matrix has length 4"),
        (d, x * d, np.ones((4, 4)), "sparse.mul: the sparse matrix has length 5"),
        (v, x * v, np.ones(5), "mul_s_v: the matrix has 4 columns, the vector 5"),
        (v, S.row_scale(x, v), np.ones(4), "row_scale: the matrix has 5 rows, the vector 4"),
    ]
    for other, output, value, message in cases:
        for make in (interpreted, compiled):
            with pytest.raises(ShapeError, match=message):
                make([x, other], output)(a, value)


def test_operands_that_are_refused() -> None:
    x, d = S.csr_matrix("x"), T.matrix("d")
    for call in (S.add, S.sub, S.mul):
        with pytest.raises(TypeError, match="neither operand is sparse"):
            call(d, d)
    with pytest.raises(NotImplementedError, match="nearly all elements would change"):
        S.add(x, 1.0)
    with pytest.raises(TypeError, match="at most 2 dims"):
        S.mul(x, T.tensor3("t"))
    with pytest.raises(TypeError, match="row_scale takes a vector"):
        S.row_scale(x, d)
    with pytest.raises(TypeError):
        x + "text"
