"""Placing: what becomes a step, a view, a scalar or a copy."""

from __future__ import annotations

import numpy as np

import symtheano.tensor as T
from symtheano.codegen.plan.fusion.groups import Group, OpGroup
from symtheano.tensor.as_op import as_op
from symtheano.tensor.shapes.shape import shape_i
from tests.support.plans import graph_of, home_of, placed

x, y, v, n = T.matrix("x"), T.matrix("y"), T.vector("v"), T.lscalar("n")


def test_views_are_no_steps() -> None:
    table = placed([x], [T.dot(x.T, x[1:].T[:, :1].T)])
    assert [type(step) for step in table.steps] == [OpGroup]
    assert all(table.at(item) == 0 for item in table.steps[0].node.inputs)  # type: ignore[union-attr]


def test_numbers_are_scalars_of_the_entry_point() -> None:
    table = placed([n, x], [n * 2 + shape_i(x, 0)])
    assert table.steps == ()
    assert graph_of(table).outputs[0] in table.entry


def test_what_is_read_at_any_index_is_in_memory() -> None:
    table = placed([x, y], [T.dot(T.exp(x), y)])
    group, op = table.steps
    assert isinstance(group, Group)
    assert isinstance(op, OpGroup)
    assert table.memory == {group.members[0].result}
    assert table.awaits[1].steps == {0}


def test_what_is_read_at_its_own_index_is_passed_on() -> None:
    table = placed([x], [T.exp(T.sin(x))])
    (out,) = graph_of(table).outputs
    assert list(table.awaits[1].passed.values()) == [0]
    assert table.awaits[1].steps == set()
    assert table.memory == {out}


def test_a_value_may_be_overwritten_after_those_that_read_it() -> None:
    start = T.exp(x)
    table = placed([x], [T.sin(start), T.set_subtensor(start[0], 1.0)])
    positions = {type(step): k for k, step in enumerate(table.steps)}
    changing = positions[OpGroup]
    sine = table.number[graph_of(table).outputs[0]]
    assert sine in table.awaits[changing].steps


def test_a_layout_that_an_op_does_not_take_is_copied() -> None:
    table = placed([x], [x.T.reshape((-1,))])
    copy, *_ = table.steps
    assert isinstance(copy, Group)
    (member,) = copy.members
    (shown,) = graph_of(table).outputs
    assert table.operands.root(shown) is member.result
    dims = table.operands.views.dims
    assert dims(member.result) == dims(x)[::-1]


def test_transposed_memory_is_copied_in_its_order() -> None:
    """BLAS reads a transposed copy, but no rows in reverse order."""
    table = placed([x], [T.dot(x[::-1].T, x)])
    copy, product = table.steps
    assert isinstance(copy, Group)
    (member,) = copy.members
    assert table.operands.views.dims(member.result) == table.operands.views.dims(x)
    assert isinstance(product, OpGroup)
    assert table.operands.root(table.operands.inputs(product.node)[0]) is member.result


def test_outputs_that_are_inputs_or_parts_are_copied() -> None:
    table = placed([x], [x, x[1:], T.exp(x)])
    shown = graph_of(table).outputs
    same = [a is b for a, b in zip(table.outputs, shown, strict=True)]
    assert same == [False, False, True]


def test_a_reshaped_result_is_computed_in_the_outputs_memory() -> None:
    table = placed([x], [T.exp(x).reshape((-1,))])
    assert table.outputs == (table.operands.root(graph_of(table).outputs[0]),)
    assert len(table.steps) == 1


@as_op([T.dvector], [T.dvector])
def reverse(a: np.ndarray) -> np.ndarray:
    return a[::-1].copy()


def test_results_of_python_are_copied() -> None:
    table = placed([v], [reverse(v)])
    (fresh,) = table.outputs
    assert fresh is not graph_of(table).outputs[0]
    op, copy = table.steps
    assert isinstance(op, OpGroup)
    assert copy is home_of(table, fresh)
