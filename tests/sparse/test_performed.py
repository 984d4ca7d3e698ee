"""Ops of users on sparse matrices run by their ``perform``."""

from __future__ import annotations

import re
from typing import Any, ClassVar

import numpy as np
import pytest
import scipy.sparse

import symtheano.tensor as T
from symtheano import Apply, Op, function as compiled, sparse as S
from symtheano.errors import BoundsError
from tests.sparse.harness import FORMATS, interpreted, random_sparse, same

pytestmark = pytest.mark.needs_cc


class Scaled(Op):
    """A matrix times a number, and the sum of that."""

    __props__ = ()

    def make_node(self, x: Any, factor: Any) -> Apply:
        return Apply(self, [x, factor], [x.type.make_variable(), T.dscalar()])

    def perform(self, node: Apply, inputs: Any, output_storage: Any) -> None:
        assert node.inputs[0].type.format == inputs[0].format
        output_storage[0][0] = inputs[0] * inputs[1]
        output_storage[1][0] = np.asarray(output_storage[0][0].sum())


class Zeroed(Op):
    """Writes into its operand."""

    __props__ = ()
    destroy_map: ClassVar[Any] = {0: [0]}

    def make_node(self, x: Any) -> Apply:
        return Apply(self, [x], [x.type.make_variable()])

    def perform(self, node: Apply, inputs: Any, output_storage: Any) -> None:
        inputs[0].data[:] = 0
        output_storage[0][0] = inputs[0]


@pytest.mark.parametrize("format", FORMATS)
def test_matrices_are_those_of_scipy(format: str) -> None:
    x, factor = S.matrix(format, "x"), T.dscalar("factor")
    a = random_sparse(1, format=format)
    for make in (interpreted, compiled):
        scaled, total = make([x, factor], Scaled()(x + x, factor))(a, 3.0)
        same(scaled, a * 6)
        np.testing.assert_allclose(total, a.sum() * 6)
        twice = make([x, factor], [Scaled()(Scaled()(x, factor)[0], factor)[0] * 2])(a, 3.0)
        same(twice[0], a * 18)


def test_dense_operands_and_sparse_results() -> None:
    class Diagonal(Op):
        __props__ = ()

        def make_node(self, v: Any) -> Apply:
            return Apply(self, [v], [S.csc_matrix()])

        def perform(self, node: Apply, inputs: Any, output_storage: Any) -> None:
            output_storage[0][0] = scipy.sparse.diags(inputs[0])

    v = T.dvector("v")
    for make in (interpreted, compiled):
        made = make([v], Diagonal()(v))([1.0, 2.0])
        assert made.format == "csc"
        assert made.toarray().tolist() == [[1.0, 0.0], [0.0, 2.0]]


def test_operands_stay_as_they_are() -> None:
    x = S.csr_matrix("x")
    a = random_sparse(1)
    for make in (interpreted, compiled):
        zeroed, kept = make([x], [Zeroed()(x), x * 1])(a)
        assert not zeroed.data.any()
        same(kept, a)


def test_results_are_checked() -> None:
    class Wrong(Zeroed):
        destroy_map = None

        def perform(self, node: Apply, inputs: Any, output_storage: Any) -> None:
            wrong = inputs[0].copy()
            wrong.indices[0] = 99
            output_storage[0][0] = wrong

    x = S.csr_matrix("x")
    with pytest.raises(BoundsError, match="outside its axis"):
        compiled([x], Wrong()(x).toarray())(random_sparse(1))


def test_an_op_without_perform_is_an_error() -> None:
    class Empty(Op):
        __props__ = ()

        def make_node(self, x: Any) -> Apply:
            return Apply(self, [x], [x.type.make_variable()])

    x = S.csr_matrix("x")
    with pytest.raises(NotImplementedError, match=re.escape("and no perform")):
        compiled([x], Empty()(x))
