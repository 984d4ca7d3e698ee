"""Checks of the operands of functions of sparse matrices."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import sparse as S
from symtheano.errors import ShapeError
from symtheano.sparse.csm import open_sparse, pack
from symtheano.sparse.operands import aligned, along, both_sparse
from tests.sparse.harness import FORMATS, interpreted, random_sparse


def test_kinds_of_operands() -> None:
    x, d = S.csr_matrix("x"), T.matrix("d")
    assert both_sparse("add", x, S.csc_matrix("y"))
    assert not both_sparse("add", x, d)
    assert not both_sparse("add", d, x)
    with pytest.raises(TypeError, match="add: neither operand is sparse"):
        both_sparse("add", d, 1.0)


@pytest.mark.parametrize("format", FORMATS)
def test_shapes_are_compared(format: str) -> None:
    x, d = S.matrix(format, "x"), T.matrix("d")
    f = interpreted([x, d], pack(aligned("mul", open_sparse(x), d)))
    a = random_sparse(1, format=format)
    np.testing.assert_array_equal(f(a, np.ones(a.shape)).toarray(), a.toarray())
    for shape in ((5, 3), (4, 4)):
        with pytest.raises(ShapeError, match="mul: the sparse matrix has length"):
            f(a, np.ones(shape))


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("axis", [0, 1])
def test_items_of_a_vector_for_each_stored_element(format: str, axis: int) -> None:
    x, v = S.matrix(format, "x"), T.vector("v")
    parts, items = along(open_sparse(x), v, axis, "scale")
    f = interpreted([x, v], pack(parts.with_data(items)))
    a = random_sparse(1, format=format)
    values = np.arange(1.0, a.shape[axis] + 1)
    whole = np.broadcast_to(values[:, None] if axis == 0 else values, a.shape)
    np.testing.assert_array_equal(f(a, values).toarray(), np.where(a.toarray() != 0, whole, 0))
    with pytest.raises(ShapeError, match=("rows", "columns")[axis]):
        f(a, np.ones(9))
