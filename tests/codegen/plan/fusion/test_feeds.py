"""Feeds: values that are computed where they are put."""

from __future__ import annotations

from typing import Any

import numpy as np

import symtheano.tensor as T
from symtheano.codegen.plan.fusion.groups import OpGroup
from symtheano.codegen.plan.fusion.table import Table
from symtheano.codegen.plan.steps import VALUE
from symtheano.lowering import PUTS
from tests.support.plans import placed

x, y, v, i = T.matrix("x"), T.matrix("y"), T.vector("v"), T.lvector("i")


def fed(inputs: list[Any], outputs: list[Any], *lent: Any) -> Table:
    """Return steps that are not finished of rewritten outputs."""
    return placed(inputs, outputs, lent, rewritten=True)


def only_op(table: Table) -> OpGroup:
    """Return the only step that puts values."""
    ops = [step for step in table.steps if isinstance(step, OpGroup)]
    (step,) = (op for op in ops if isinstance(op.node.op.lowering, PUTS))
    return step


def test_cheap_parts_of_a_joined_array_are_computed_where_they_go() -> None:
    step = only_op(fed([v], [T.concatenate([v * 2, v])]))
    assert len(step.feeds) == 1
    (feed,) = step.feeds.values()
    assert len(feed.members) == 1
    assert feed.split == 0


def test_rows_of_a_scatter_are_its_outer_axes() -> None:
    step = only_op(fed([x, y, i], [T.inc_subtensor(x[i], y * 2)]))
    feed = step.feeds[VALUE]
    assert feed.split == 1
    assert len(feed.space) == 2
    assert len(feed.members) == 1


def test_a_value_that_reads_what_is_overwritten_is_stored_before() -> None:
    start = T.exp(x)
    table = fed([x], [T.inc_subtensor(start[20:], start[:-20] * 2)])
    assert only_op(table).feeds == {}
    table = fed([x], [T.inc_subtensor(start[20:], start[:-20] * 2), start])
    assert list(only_op(table).feeds) == [VALUE], "the old array is needed, so it is copied"


def test_a_value_is_put_into_other_memory_where_only_edges_remain() -> None:
    start = T.exp(x)
    table = fed([x], [T.inc_subtensor(start[1:], start[:-1] * 2)])
    assert list(only_op(table).feeds) == [VALUE]
    table = fed([x], [T.inc_subtensor(x[1:], x[:-1] * 2)], x)
    assert list(only_op(table).feeds) == [VALUE]


def test_an_input_that_was_changed_before_is_changed_in_its_memory() -> None:
    changed = T.inc_subtensor(x[i], y)
    table = fed([x, y, i], [T.inc_subtensor(changed[1:], changed[:-1] * 2)], x)
    steps = [step for step in table.steps if isinstance(step, OpGroup)]
    first, last = (step for step in steps if isinstance(step.node.op.lowering, PUTS))
    assert list(first.feeds) == [VALUE]
    assert last.feeds == {}


def test_a_value_that_reads_beside_the_part_is_put_there() -> None:
    start = T.exp(x)
    for key, value in [(0, start[1] * 2), (np.s_[::2], T.sin(start[1::2])), (1, start[1] * 2)]:
        table = fed([x], [T.set_subtensor(start[key], value)])
        assert list(only_op(table).feeds) == [VALUE], key


def test_a_value_that_only_shows_what_is_overwritten_is_copied() -> None:
    start = T.exp(x)
    table = fed([x], [T.set_subtensor(start[20:], start[:-20])])
    node = only_op(table).node
    value = table.operands.inputs(node)[VALUE]
    assert value is not node.inputs[VALUE]
    assert value in table.memory


def test_an_input_is_overwritten_only_if_it_is_lent() -> None:
    change = T.inc_subtensor(x[20:], x[:-20] * 2)
    assert only_op(fed([x], [change], x)).feeds == {}
    assert list(only_op(fed([x], [change])).feeds) == [VALUE]


def test_other_ops_have_no_feeds() -> None:
    (step,) = fed([x, y], [T.dot(x, y)]).steps
    assert isinstance(step, OpGroup)
    assert step.feeds == {}
