"""Parts of sparse matrices, diagonals and matrices made of rows, against SciPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import sparse as S
from symtheano.errors import BoundsError, ShapeError
from symtheano.sparse.indexing import SparseGather
from tests.sparse.harness import (
    CLASSES,
    FORMATS,
    check,
    check_sparse,
    compiled,
    interpreted,
    random_sparse,
    samples,
    shuffled,
)

pytestmark = pytest.mark.needs_cc


SLICES = [
    slice(None), slice(1, 3), slice(None, None, 2), slice(None, None, -1), slice(-2, None),
    slice(3, 0, -2), slice(10, 20), slice(2, 2),
]  # fmt: skip


@pytest.mark.parametrize("format", FORMATS)
def test_blocks(format: str) -> None:
    x = S.matrix(format, "x")
    made = CLASSES[format]
    outputs = [x[rows, columns] for rows in SLICES for columns in SLICES]
    a = shuffled(random_sparse(1, format=format))

    def reference(x: Any) -> list[Any]:
        return [made(x.toarray()[rows, columns]) for rows in SLICES for columns in SLICES]

    check([x], outputs, [(a,)], reference, c=False)
    check_sparse([x], x[3:0:-2, ::2], [(m,) for m, _ in samples(format) if min(m.shape) > 2])


@pytest.mark.parametrize("format", FORMATS)
def test_integers_and_symbolic_bounds(format: str) -> None:
    x, n = S.matrix(format, "x"), T.lscalar("n")
    outputs = [x[1], x[n], x[-1], x[:, 2], x[n, 1:], x[n:, :n], x[2, 1], x[n, -1], x[-1, n]]
    outputs.append(S.get_item_2d(x, [n]))
    made = CLASSES[format]

    def reference(x: Any, n: Any) -> list[Any]:
        a, k = x.toarray(), int(n)
        parts = [a[[1]], a[[k]], a[[-1]], a[:, [2]], a[[k], 1:], a[k:, :k]]
        return [*map(made, parts), a[2, 1], a[k, -1], a[-1, k], made(a[[k]])]

    a = random_sparse(1, format=format)
    check([x, n], outputs, [(a, np.array(k)) for k in (0, 3, -2)], reference)


@pytest.mark.parametrize("format", FORMATS)
def test_lists(format: str) -> None:
    x, i, j = S.matrix(format, "x"), T.lvector("i"), T.ivector("j")
    outputs = [x[i], x[[0, 2, 0]], x[i, j], x[[0, 1], [2, 2]], S.get_item_list(x, [])]
    made = CLASSES[format]

    def reference(x: Any, i: Any, j: Any) -> list[Any]:
        a = x.toarray()
        return [made(a[i]), made(a[[0, 2, 0]]), a[i, j], a[[0, 1], [2, 2]], made(a[:0])]

    a = shuffled(random_sparse(1, format=format))
    full = random_sparse(1, format=format, density=1)
    none = np.zeros(0, "int64"), np.zeros(0, "int32")
    some = np.array([4, 0, -1, 2]), np.array([0, 1, -1, 2], "int32")
    check([x, i, j], outputs, [(m, *k) for m in (a, full) for k in (none, some)], reference)
    for make in (interpreted, compiled):
        for output in (x[i].toarray(), x[i, j]):
            f = make([x, i, j], output)
            with pytest.raises(BoundsError):
                f(a, np.array([5]), np.array([0], "int32"))
        with pytest.raises(BoundsError):
            f(a, np.array([0]), np.array([4], "int32"))
        with pytest.raises(ShapeError):
            f(a, np.array([0, 1]), np.array([1], "int32"))


def test_keys_that_are_refused() -> None:
    x = S.csr_matrix("x")
    with pytest.raises(IndexError, match="two axes, not 3"):
        x[0, 0, 0]
    with pytest.raises(IndexError, match="can't be indexed by None"):
        x[None]
    with pytest.raises(IndexError, match="slices, integers and lists"):
        x[1.5]
    with pytest.raises(NotImplementedError, match="a list together with a slice"):
        x[[0, 1], 1:]
    with pytest.raises(TypeError, match="can't be iterated over"):
        list(x)
    with pytest.raises(TypeError, match="truth value"):
        bool(x)


def test_matrices_made_of_rows() -> None:
    x, values, rows = T.matrix("x"), T.matrix("values"), T.ivector("rows")
    made = S.construct_sparse_from_list(x, values, rows)
    a, b, k = np.zeros((4, 3)), np.arange(6.0).reshape(2, 3) + 1, np.array([2, 2], "int32")
    for make in (interpreted, compiled):
        got = make([x, values, rows], made.toarray())(a, b, k)
        np.testing.assert_array_equal(got, [[0] * 3, [0] * 3, b.sum(0), [0] * 3])
        with pytest.raises(BoundsError):
            make([x, values, rows], made.toarray())(a, b, k + 2)
    with pytest.raises(TypeError, match="takes matrices"):
        S.construct_sparse_from_list(x, T.vector("v"), rows)


def test_sparse_grad() -> None:
    from symtheano import grad

    w, rows = T.matrix("w"), T.ivector("rows")
    part = S.sparse_grad(w[rows])
    assert isinstance(part.owner.op, SparseGather)
    g = grad((part**2).sum(), w)
    dense = grad((w[rows] ** 2).sum(), w)
    a, k = np.arange(12.0).reshape(4, 3), np.array([1, 3, 1], "int32")
    for make in (interpreted, compiled):
        outputs = [g.toarray(), w - 0.1 * g, dense, part]
        got = make([w, rows], outputs)(a, k)
        np.testing.assert_allclose(got[0], got[2])
        np.testing.assert_allclose(got[1], a - 0.1 * got[2])
        np.testing.assert_array_equal(got[3], a[k])
    assert compiled([w, rows], g)(a, k).nnz == 9
    for other in (w, w[rows, rows], w.T[0], w[1:]):
        with pytest.raises(TypeError, match="sparse_grad takes rows of a matrix"):
            S.sparse_grad(other)
