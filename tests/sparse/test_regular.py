"""The base class of ops that are expanded to expressions of components."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import Rop, sparse as S
from symtheano.sparse.csm import open_sparse, pack
from symtheano.sparse.regular import Regular
from tests.sparse.harness import interpreted, random_sparse


class Doubled(Regular):
    """Twice a matrix."""

    linear = True

    def expand(self, *inputs: Any) -> Any:
        """Double the stored elements."""
        parts = open_sparse(inputs[0])
        return pack(parts.with_data(parts.data * 2))

    def dense(self, *arrays: Any) -> Any:
        """Double all elements."""
        return arrays[0] * 2


def test_the_type_is_that_of_the_expression() -> None:
    x = S.csc_matrix("x", "float32")
    made = Doubled()(x)
    assert made.type == x.type
    assert Doubled() == Doubled()
    a = random_sparse(1, format="csc", dtype="float32")
    np.testing.assert_array_equal(interpreted([x], made)(a).toarray(), 2 * a.toarray())


def test_the_expression_replaces_the_node() -> None:
    x = S.csr_matrix("x")
    (inlined,) = Doubled().inlined([x])
    assert not isinstance(inlined.owner.op, Doubled)


def test_linear_ops_are_their_own_derivatives() -> None:
    x, dx = S.csr_matrix("x"), S.csr_matrix("dx")
    moved = interpreted([x, dx], Rop(Doubled()(x), x, dx))(random_sparse(1), random_sparse(2))
    np.testing.assert_array_equal(moved.toarray(), 2 * random_sparse(2).toarray())
    assert Doubled().R_op([x], [None]) == [None]


def test_ops_must_say_what_they_are() -> None:
    with pytest.raises(NotImplementedError):
        Regular().expand(S.csr_matrix("x"))
    with pytest.raises(NotImplementedError):
        Regular().dense(T.matrix("d"))
