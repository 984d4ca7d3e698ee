"""Lowerings: what ops say of their code."""

from __future__ import annotations

import pickle
from copy import copy

import pytest

import symtheano.tensor as T
from symtheano.graph.fields import fields
from symtheano.graph.variable import Op
from symtheano.loopir import Buffer, Builder, Index, Value, View
from symtheano.lowering import (
    CALLS,
    PUTS,
    REDUCTIONS,
    SAME_AXES,
    ArgReduction,
    AxisMap,
    Element,
    Elementwise,
    IndexMap,
    Length,
    Parts,
    Python,
    Reduction,
    Region,
    Scatter,
    Statements,
)
from symtheano.scalar.table import scalar_op
from symtheano.tensor.elemwise import elemwise
from symtheano.tensor.linalg.qr import QR
from symtheano.tensor.nnet.convolution.ops import Convolution
from symtheano.tensor.reductions.argmax import ArgReduce
from symtheano.tensor.reductions.reduce import CAReduce
from symtheano.tensor.shapes.shape import Shape_i, shape_of

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


OPS = [
    elemwise(ROW), Shape_i(0), CAReduce("add", (0,), "int64", "int64"), ArgReduce("argmax", 0),
    QR(), Convolution(),
]  # fmt: skip


@pytest.mark.parametrize("op", OPS)
def test_it_is_made_once_and_is_no_field(op: Op) -> None:
    before, pickled = fields(op), pickle.dumps(copy(op))
    assert op.lowering is op.lowering
    assert fields(op) == before
    assert before is not None
    assert "lowering" not in before
    assert pickle.dumps(op) == pickled
    assert "lowering" not in vars(copy(op))
    twin = pickle.loads(pickled)
    assert twin == op
    assert twin.lowering == op.lowering


def test_axes_of_views() -> None:
    node = x.dimshuffle("x", 1, 0).owner
    assert isinstance(node.op.lowering, AxisMap)
    assert node.op.lowering.axis_map(node) == (None, 1, 0)
    assert node.op.lowering.is_view
    checked = T.specify_shape(x, (2, 3)).owner
    assert checked.op.lowering is SAME_AXES
    assert checked.op.lowering.axis_map(checked) == (0, 1)
    assert T.exp(x).owner.op.lowering.axis_map(T.exp(x).owner) is None


def test_a_view_is_one_of_its_operand() -> None:
    m, n = Index.symbol("m"), Index.symbol("n")
    operand = View.contiguous(Buffer("x", "float32", "input", m * n, 0), (m, n))
    node = x[::-1].owner
    lowering = node.op.lowering
    assert isinstance(lowering, IndexMap)
    assert lowering.is_view
    assert len(lowering.scalars(node.op, node, [shape_of(x)])) == 3
    scalars = [m - 1, m, Index.of(-1)]
    shown = lowering.view(node.op, node, operand, scalars, (m, n))
    assert (shown.buffer, shown.strides) == (operand.buffer, (-n, Index.of(1)))


def test_an_element_is_computed_from_its_index() -> None:
    node, b = T.arange(T.iscalar("n")).owner, Builder()
    lowering = node.op.lowering
    assert isinstance(lowering, Element)
    assert not lowering.is_view
    index = [Value("i", "int64").index]
    made = lowering.compute(node.op, b, node, index, lambda k, _: Value(f"in{k}", "int64"), [])
    assert made.dtype == node.outputs[0].dtype


def test_what_puts_values() -> None:
    join, scatter = T.join(0, x, x).owner.op, T.inc_subtensor(x[T.lvector("k")], 1.0).owner.op
    part = T.set_subtensor(x[1:], 1.0).owner.op
    assert isinstance(join.lowering, Parts)
    assert isinstance(part.lowering, Parts)
    assert isinstance(scatter.lowering, Scatter)
    assert [op.lowering.overwrites for op in (join, part, scatter)] == [None, 0, 0]
    assert [dict(op.lowering.starts(op)) for op in (join, part)] == [{}, {0: 0}]


def test_statements_have_what_is_said_of_routines() -> None:
    solve, dot = T.slinalg.solve(x, x).owner.op, T.dot(x, x).owner.op
    assert isinstance(solve.lowering, Statements)
    assert solve.lowering.workspace
    assert solve.lowering.may_fail
    assert isinstance(dot.lowering, Statements)
    assert not dot.lowering.workspace
    n = Index.symbol("n")
    whole = View.contiguous(Buffer("x", "float32", "input", n * n * 4, 0), (n * 2, n * 2))
    apart = whole.sliced(0, 0, n, 2).sliced(1, 0, n, 2)
    for op in (solve, dot):
        assert op.lowering.accepts(op, 0, whole)
        assert not op.lowering.accepts(op, 0, apart)
    assert not Python().accepts(dot, 0, apart)


def test_lowerings_that_depend_on_fields() -> None:
    assert [Convolution(role).lowering.epilogue for role in ("result", "filter")] == [True, False]


def test_an_op_without_a_lowering_is_called() -> None:
    class Mine(Op):
        """Methods of these names are a user's own."""

        def view(self) -> None: ...

        def lower(self) -> None: ...

    lowering = Mine().lowering
    assert isinstance(lowering, Python)
    assert lowering.may_fail
    assert not isinstance(lowering, (*REDUCTIONS, *PUTS))
    assert isinstance(lowering, CALLS)
    assert {Statements, Region} < set(CALLS)
