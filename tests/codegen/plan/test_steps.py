"""Steps: axes of results and operands, and results that do not change."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from typing import Any

import pytest

import symtheano.tensor as T
from symtheano.codegen.plan.steps import (
    Member,
    Nest,
    OpStep,
    Source,
    is_unit,
    reduced_axes,
    result_axes,
    stored_by,
    through,
)
from symtheano.loopir import Index

x, row = T.matrix("x"), T.row("row")
N, M = Index.symbol("n"), Index.symbol("m")


def test_a_reduction_keeps_the_axes_that_it_does_not_remove() -> None:
    total, largest = x.sum(axis=0).owner, T.argmax(x, axis=1).owner
    assert reduced_axes(total, (1, 0)) == {1}
    assert result_axes(Member(total, (1, 0), "column")) == (0,)
    assert reduced_axes(largest, (0, 1)) == {1}
    assert result_axes(Member(largest, (0, 1), "row")) == (0,)
    assert result_axes(Member(T.exp(x).owner, (1, 0), "point")) == (1, 0)


def test_a_broadcast_axis_of_an_operand_is_no_axis_of_the_nest() -> None:
    node = row.sum(axis=0).owner
    assert reduced_axes(node, (None, 0)) == set()


def test_axes_through_a_transpose_and_a_repeated_axis() -> None:
    assert through(Source(x, (1, 0)), (0, 1)) == (1, 0)
    assert through(Source(x, (0, None, 1)), (4, 5, 6)) == (4, 6)
    assert through(Source(row, (0, 1)), (0, 1)) == (None, 1), "its length is 1"


def test_units_have_one_element_whatever_their_number_of_axes() -> None:
    assert is_unit(T.scalar())
    assert is_unit(T.TensorType("float32", (1, 1))())
    assert not is_unit(row)


def test_outer_axes_are_those_before_the_split() -> None:
    assert (Nest((N, M)).outer, Nest((N, M)).inner) == ((), (0, 1))
    assert (Nest((N, M), 1).outer, Nest((N, M), 1).inner) == ((0,), (1,))


def test_an_op_stores_its_results_after_those_of_its_epilogue() -> None:
    made, after = T.dot(x, x), T.exp(x)
    epilogue = Nest((N, M), stores=(after,))
    assert list(stored_by(OpStep(made.owner, epilogue=epilogue))) == [after, made]
    assert list(stored_by(OpStep(made.owner))) == [made]
    assert list(stored_by(epilogue)) == [after]


@pytest.mark.parametrize(
    ("step", "field"), [(Nest((N,)), "results"), (OpStep(T.exp(x).owner), "feeds")]
)
def test_steps_do_not_change(step: Any, field: str) -> None:
    with pytest.raises(FrozenInstanceError):
        setattr(step, field, ())
    with pytest.raises(TypeError):
        getattr(step, field)[x] = 1
