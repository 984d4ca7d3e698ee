"""Lowerings: what ops say of their code."""

from __future__ import annotations

import pickle

import pytest

import symtheano.tensor as T
from symtheano.graph.fields import fields
from symtheano.graph.variable import Op
from symtheano.lowering import ArgReduction, Elementwise, Length, Reduction
from symtheano.scalar.table import scalar_op
from symtheano.tensor.elemwise import elemwise
from symtheano.tensor.reductions.argmax import ArgReduce
from symtheano.tensor.reductions.reduce import CAReduce
from symtheano.tensor.shapes.shape import Shape_i

x = T.fmatrix("x")
ROW = scalar_op("exp")


def test_rows_and_lengths() -> None:
    assert elemwise(ROW).lowering == Elementwise(ROW)
    assert elemwise(ROW).lowering.reads_elements
    assert Shape_i(1).lowering == Length(1)
    assert not Shape_i(1).lowering.reads_elements


def test_reductions() -> None:
    assert x.sum(axis=1).owner.op.lowering == Reduction(scalar_op("add"), (1,), "float64")
    assert T.max(x).owner.op.lowering == Reduction(scalar_op("maximum"), (0, 1), "float32")
    assert T.argmin(x, axis=0).owner.op.lowering == ArgReduction("argmin", (0,))


OPS = [elemwise(ROW), Shape_i(0), CAReduce("add", (0,), "int64", "int64"), ArgReduce("argmax", 0)]


@pytest.mark.parametrize("op", OPS)
def test_it_is_made_once_and_is_no_field(op: Op) -> None:
    before = fields(op)
    assert op.lowering is op.lowering
    assert fields(op) == before
    assert before is not None
    assert "lowering" not in before
    twin = pickle.loads(pickle.dumps(op))
    assert twin == op
    assert twin.lowering == op.lowering
