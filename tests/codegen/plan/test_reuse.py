"""Reuse: which value may be computed in the memory of another one."""

from __future__ import annotations

from typing import Any

import pytest

import symtheano.tensor as T
from symtheano.codegen.plan.lifetimes import find_lifetimes
from symtheano.codegen.plan.reuse import Reuse
from tests.support.plans import planned

x, y, v = T.matrix("x"), T.matrix("y"), T.vector("v")


def reuse(inputs: list[Any], outputs: list[Any]) -> Reuse:
    plan = planned(inputs, outputs)
    return Reuse(find_lifetimes(plan.schedule), plan.nests)


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        (T.exp(x) + y, True),
        (T.exp(x) * x.sum(), True),  # the sum is complete, in a step before
        (x[::-1] * 2, False),
        (T.cast(x, "float32") * 2, False),
        (x / x.sum(axis=1, keepdims=True), False),
        (T.inc_subtensor(x[1:], 1.0), True),
        (T.inc_subtensor(x[1:], x[:-1]), False),
        (T.dot(x, x), False),
    ],
)
def test_an_operand_is_overwritten_where_each_element_is_read_before(
    output: Any, expected: bool
) -> None:
    made = reuse([x, y], [output])
    (result,) = made.schedule.outputs
    at = made.lifetimes.first[result]
    assert made.may_take(result, x, at) is expected


def test_what_is_read_later_is_not_overwritten() -> None:
    made = reuse([x, y], [T.exp(x), T.dot(x, y)])
    result, product = made.schedule.outputs
    first, second = made.lifetimes.first[result], made.lifetimes.first[product]
    assert made.may_take(result, x, first) is (first > second)
    assert not made.may_take(product, y, second), "the product reads it again and again"


def test_changes_of_changes_are_one_chain() -> None:
    output = T.set_subtensor(T.inc_subtensor(T.exp(x)[0], v)[1], v)
    made = reuse([x, v], [output])
    (result,) = made.schedule.outputs
    chain = made.chain(result)
    assert chain[0] is result
    assert len(chain) == 3, "exp, then the first row, then the second one"
    assert chain[-1].owner.op == T.exp(x).owner.op


def test_what_is_scaled_last_is_made_in_the_memory_of_the_result() -> None:
    terms = T.exp(x - x.max(0))
    made = reuse([x], [terms / terms.sum(0)])
    (result,) = made.schedule.outputs
    (_, start) = made.chain(result)
    assert start.owner is not None
    assert str(start.owner.op).startswith("Elemwise{exp")
