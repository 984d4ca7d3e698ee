"""Operands: the arrays in memory that are read through views, copies and inline elements."""

from __future__ import annotations

import symtheano.tensor as T
from symtheano.codegen.plan.operands import Operands
from symtheano.codegen.plan.steps import Member, Nest, OpStep
from symtheano.loopir import Index
from tests.support.plans import viewed

x, y, v = T.matrix("x"), T.matrix("y"), T.vector("v")
N = Index.symbol("n")


def test_the_root_of_views_is_what_has_memory() -> None:
    views = viewed([x], [T.exp(x)[1:].T[::2]])
    operands = Operands(views, {})
    (shown,) = views.graph.outputs
    assert operands.root(shown).owner.op == T.exp(x).owner.op
    assert operands.root(x) is x


def test_a_copy_is_read_instead_of_what_it_copies() -> None:
    views = viewed([x], [x[1:].reshape((-1,))])
    (shown,) = views.graph.outputs
    node = shown.owner
    (copy,) = viewed([y], [T.exp(y)]).graph.outputs
    operands = Operands(views, {(node, 0): copy})
    assert operands.inputs(node)[0] is copy
    assert operands.root(shown) is copy
    assert Operands(views, {}).root(shown) is x


def test_elements_computed_inline_are_read_from_their_operands() -> None:
    views = viewed([v], [v[T.arange(v.shape[0]) + 1]])
    operands = Operands(views, {})
    (part,) = views.graph.outputs
    assert list(operands.roots(part)) == [part]
    assert v in operands.roots(part, {part})


def test_a_nest_reads_what_it_does_not_compute() -> None:
    views = viewed([x, y], [T.exp(x + y)])
    total, exp = views.graph.nodes
    operands = Operands(views, {})
    first = Member(total, (0, 1), "point")
    both = Nest((N, N), None, (first, Member(exp, (0, 1), "point")), {total.outputs[0]: (0, 1)})
    assert list(operands.read_by(both)) == [x, y]
    assert list(operands.read_by(Nest((N, N), None, both.members[1:]))) == [total.outputs[0]]


def test_an_op_reads_its_inputs_but_not_what_feeds_it() -> None:
    views = viewed([x, y], [T.dot(T.exp(x), y)])
    exp, dot = views.graph.nodes
    operands = Operands(views, {})
    assert list(operands.read_by(OpStep(dot))) == [exp.outputs[0], y]
    assert list(operands.read_by_op(dot, {}, but=0)) == [y]
    axes = {exp.outputs[0]: (0, 1)}
    feed = Nest((N, N), 0, (Member(exp, (0, 1), "point"),), axes)
    assert operands.is_fed(feed, dot.inputs[0])
    assert not operands.is_fed(feed, y)
    assert list(operands.read_by_op(dot, {0: feed})) == [x, y]


def test_an_epilogue_reads_all_but_the_result_of_its_op() -> None:
    views = viewed([x, y, v], [T.dot(x, y) + v])
    dot = next(node for node in views.graph.nodes if node.inputs == [x, y])
    after = Nest((N, N), None, (Member(views.graph.outputs[0].owner, (0, 1), "point"),))
    assert set(Operands(views, {}).read_by(OpStep(dot, epilogue=after))) == {x, y, v}


def test_the_layout_of_views_is_known_before_there_is_memory() -> None:
    views = viewed([x], [x.T, x[::2]])
    operands = Operands(views, {})
    turned, rows = map(operands.layout, views.graph.outputs)
    assert not turned.is_contiguous()
    assert not rows.is_contiguous()
    assert operands.layout(x).is_contiguous()
    assert str(rows.strides[0]) in ("2*x_d1", "x_d1*2")
