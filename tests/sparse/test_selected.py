"""Selected rows, columns and elements, and their gradients."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import grad, sparse as S
from symtheano.sparse import selected
from symtheano.sparse.linear import densified
from symtheano.sparse.type import is_sparse
from tests.sparse.harness import FORMATS, interpreted, random_sparse, valid

ROWS, COLUMNS = T.lvector("rows"), T.lvector("columns")
AT = (np.array([4, 0, 2]), np.array([3, 1]))


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("axes", [(0,), (1,), (0, 1)])
def test_blocks(format: str, axes: tuple[int, ...]) -> None:
    x = S.matrix(format, "x")
    keys, at = [(ROWS, COLUMNS)[axis] for axis in axes], [AT[axis] for axis in axes]
    a = random_sparse(1, format=format, density=0.8)
    got = interpreted([x, *keys], selected.Block(axes)(x, *keys))(a, *at)
    valid(got)
    want = a.toarray()
    for axis, places in zip(axes, at, strict=True):
        want = want.take(places, axis)
    np.testing.assert_array_equal(got.toarray(), want)


@pytest.mark.parametrize("format", FORMATS)
def test_rows_may_repeat(format: str) -> None:
    x = S.matrix(format, "x")
    a = random_sparse(1, format=format)
    at = np.array([2, 2, 0, 4, 2])
    got = interpreted([x, ROWS], selected.Rows()(x, ROWS))(a, at)
    assert got.format == format
    np.testing.assert_array_equal(got.toarray(), a.toarray()[at])


@pytest.mark.parametrize("format", FORMATS)
def test_elements_and_their_gradients(format: str) -> None:
    x = S.matrix(format, "x")
    a = random_sparse(1, format=format)
    rows, columns = np.array([0, 4, 0, 2]), np.array([1, 3, 1, 0])
    elements = selected.Elements()(x, ROWS, COLUMNS)
    gradient = grad((elements * np.array([1.0, 2, 4, 8])).sum(), x)
    got = interpreted([x, ROWS, COLUMNS], [elements, densified(gradient)])(a, rows, columns)
    np.testing.assert_array_equal(got[0], a.toarray()[rows, columns])
    want = np.zeros(a.shape)
    np.add.at(want, (rows, columns), [1, 2, 4, 8])
    np.testing.assert_array_equal(got[1], want)


def test_gradients_of_blocks_are_at_their_positions() -> None:
    x, d = S.csr_matrix("x"), T.matrix("d")
    block = selected.Block((0, 1))(x, ROWS, COLUMNS)
    gradient = grad((block.toarray() * d).sum(), x)
    a, b = random_sparse(1), np.arange(1.0, 7).reshape(3, 2)
    got = interpreted([x, ROWS, COLUMNS, d], densified(gradient))(a, *AT, b)
    want = np.zeros(a.shape)
    want[np.ix_(*AT)] = b
    stored = a.toarray() != 0
    np.testing.assert_array_equal(got, np.where(stored, want, 0) if is_sparse(gradient) else want)
