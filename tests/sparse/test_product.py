"""Matrix products and sums over axes, against SciPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import config, sparse as S
from symtheano.errors import ShapeError
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
def test_with_dense_factors(format: str) -> None:
    x, d, v, u = S.matrix(format, "x"), T.matrix("d"), T.vector("v"), T.vector("u")
    outputs = [
        S.structured_dot(x, d), S.structured_dot(d.T, x.T), S.structured_dot(x, v),
        S.structured_dot(u, x), S.dot(x, d), S.dot(d.T, x.T), S.dot(x, v), S.dot(u, x), x.dot(d),
        x @ d, d.T @ x.T, S.true_dot(x, d), S.true_dot(d.T, x.T), S.usmm(2.0, x, d, S.dot(x, d)),
        S.structured_dot(x, d[:, ::-1]),
    ]  # fmt: skip

    def reference(x: Any, d: Any, v: Any, u: Any) -> list[Any]:
        a, other = x.toarray(), {"csr": "csc", "csc": "csr"}[format]
        both = [a @ d, d.T @ a.T, a @ v, u @ a]
        return [
            *both, *both, a @ d, a @ d, d.T @ a.T, CLASSES[format](a @ d),
            CLASSES[other](d.T @ a.T), 3 * (a @ d), a @ d[:, ::-1],
        ]  # fmt: skip

    random = np.random.default_rng(1)
    calls = []
    for matrix, _ in samples(format):
        rows, columns = matrix.shape
        sizes = ((columns, 3), columns, rows)
        calls.append((matrix, *(random.uniform(-1, 1, size) for size in sizes)))
    check([x, d, v, u], outputs, calls, reference)


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("other", FORMATS)
def test_two_sparse_factors(format: str, other: str) -> None:
    x, y = S.matrix(format, "x"), S.matrix(other, "y")
    outputs = [
        S.structured_dot(x, y.T), S.true_dot(x.T, y), S.dot(x, y.T),
        S.usmm(0.5, x, y.T, S.dot(x, y.T)), x @ x.T,
    ]  # fmt: skip

    def reference(x: Any, y: Any) -> list[Any]:
        flipped = {"csr": "csc", "csc": "csr"}[format]
        dense = x.toarray() @ y.toarray().T
        return [
            CLASSES[format](dense), CLASSES[flipped](x.toarray().T @ y.toarray()), dense,
            1.5 * dense, x.toarray() @ x.toarray().T,
        ]  # fmt: skip

    calls = [(a, b.asformat(other)) for a, b in samples(format)]
    check([x, y], outputs, calls, reference, c=format == other)
    if format == other:
        check_sparse([x, y], outputs[0], calls)


@pytest.mark.parametrize("dtype", DTYPES)
def test_every_dtype(dtype: str) -> None:
    x, d = S.csr_matrix("x", dtype), T.matrix("d", dtype)
    a = random_sparse(1, dtype=dtype)
    b = random_sparse(2, (4, 3), dtype=dtype, density=1).toarray()
    outputs = [S.structured_dot(x, d), S.structured_dot(x.T, x), S.dot(d.T, x.T)]

    def reference(x: Any, d: Any) -> list[Any]:
        n = x.toarray()
        return [n @ d, CLASSES["csc"](n.T @ n), d.T @ n.T]

    check([x, d], outputs, [(a, b)], reference, c=dtype in ("bool", "int32", "complex128"))


def test_dtypes_are_promoted() -> None:
    x, d = S.csr_matrix("x", "int8"), T.matrix("d", "float32")
    f = interpreted([x, d], [S.structured_dot(x, d), S.dot(x, d), x * d, x + d])
    got = f(random_sparse(1, (4, 4), dtype="int8"), np.ones((4, 4), "float32"))
    assert [item.dtype.name for item in got] == ["float32"] * 4


@pytest.mark.parametrize("format", FORMATS)
def test_sampling_dot(format: str) -> None:
    x, y, p = T.matrix("x"), T.matrix("y"), S.matrix(format, "p")
    random = np.random.default_rng(2)
    calls = []
    for matrix, _ in samples(format):
        shapes = [(length, 2) for length in matrix.shape]
        calls.append((*(random.uniform(-1, 1, shape) for shape in shapes), matrix))
    check(
        [x, y, p],
        [S.sampling_dot(x, y, p)],
        calls,
        lambda x, y, p: [CLASSES[format](p.toarray() * (x @ y.T))],
    )
    for make in (interpreted, compiled):
        f = make([x, y, p], S.sampling_dot(x, y, p).toarray())
        for rows, columns, width in ((4, 4, 2), (5, 5, 2), (5, 4, 3)):
            with pytest.raises(ShapeError, match="sampling_dot"):
                f(np.ones((rows, 2)), np.ones((columns, width)), calls[0][2])


def test_threads_share_rows_and_change_no_bit() -> None:
    x, v, d = S.csr_matrix("x"), T.vector("v"), T.matrix("d")
    outputs = [S.structured_dot(x, v), S.structured_dot(x, d), S.sampling_dot(d, d, x).toarray()]
    random = np.random.default_rng(3)
    a = random_sparse(4, (701, 701), density=0.5)
    args = (a, random.uniform(size=701), random.uniform(size=(701, 5)))
    results = []
    for threads in (1, 2, 3):
        with config.change_flags(threads=threads):
            f = compiled([x, v, d], outputs)
        assert "st_share_out(runtime, kernel_rowsdot_part, " in f.c_source
        results.append(f(*args))
    for mine, its in zip(results[0], (a @ args[1], a @ args[2]), strict=False):
        np.testing.assert_allclose(mine, its)
    for other in results[1:]:
        for mine, its in zip(other, results[0], strict=True):
            np.testing.assert_array_equal(mine, its)


def test_factors_that_do_not_fit() -> None:
    x, y, d = S.csr_matrix("x"), S.csc_matrix("y"), T.matrix("d")
    a = random_sparse(1)
    for make in (interpreted, compiled):
        for other, output, value in (
            (d, S.structured_dot(x, d), np.ones((5, 2))),
            (d, S.structured_dot(d, x), np.ones((2, 4))),
            (d, S.dot(x.T, d), np.ones((4, 2))),
            (y, S.structured_dot(x, y), random_sparse(1, format="csc")),
        ):
            with pytest.raises(ShapeError, match="sparse dot"):
                make([x, other], output)(a, value)
    with pytest.raises(TypeError, match="use mul for a scalar"):
        S.structured_dot(x, 2.0)
    with pytest.raises(TypeError, match="true_dot takes matrices"):
        S.true_dot(x, T.vector("v"))
    with pytest.raises(TypeError, match="alpha must be a scalar"):
        S.usmm(T.vector("v"), x, d, d)
