"""Lifetimes: when values are written and read, and from when on no error can occur."""

from __future__ import annotations

import symtheano.tensor as T
from symtheano.codegen.plan.lifetimes import find_lifetimes, safe_from
from symtheano.codegen.plan.slots import Inside
from symtheano.codegen.plan.stages import plan_nests
from symtheano.codegen.plan.steps import OpStep
from tests.support.plans import nests_of, planned, scheduled

x, y, v = T.matrix("x"), T.matrix("y"), T.vector("v")


def test_a_value_lives_from_the_step_that_writes_it_to_the_last_that_reads_it() -> None:
    made = scheduled([x, y], [T.dot(T.dot(T.exp(x), y), x)])
    lifetimes = find_lifetimes(made)
    _, first, second = made.steps
    assert isinstance(first, OpStep)
    assert isinstance(second, OpStep)
    (stored,) = nests_of(made)[0].stores
    product = first.node.outputs[0]
    assert (lifetimes.first[stored], lifetimes.last[stored]) == (0, 1)
    assert (lifetimes.first[product], lifetimes.last[product]) == (1, 2)
    assert (lifetimes.last[x], lifetimes.last[y]) == (2, 1)
    assert x not in lifetimes.first
    assert lifetimes.maker(product) is first
    assert lifetimes.maker(x) is None


def test_places_are_the_positions_of_an_output() -> None:
    result = T.exp(x)
    made = scheduled([x], [result, result])
    assert list(find_lifetimes(made).places.values()) == [(0, 1)]
    assert list(find_lifetimes(made, [None, None]).places) == [], "scalars of a loop have none"


def test_sizes_that_depend_on_values_are_late() -> None:
    plan = planned([v, x], [v[v > 0] * 2, T.exp(x)])
    lifetimes = find_lifetimes(plan.schedule)
    late, early = plan.schedule.outputs
    assert lifetimes.is_late(late)
    assert not lifetimes.is_late(early)


def test_errors_end_with_the_last_step_that_may_fail() -> None:
    made = scheduled([x, y], [T.dot(T.exp(x), y)])
    lifetimes, plans = find_lifetimes(made), plan_nests(made)
    assert safe_from(lifetimes, plans, {}) == 0, "guards are checked before step 0"
    failing = {made.steps[1]: Inside((), may_fail=True)}
    assert safe_from(lifetimes, plans, failing) == 2
    late = planned([v], [v[v > 0] * 2])
    assert safe_from(find_lifetimes(late.schedule), late.nests, {}) > 0, "memory may be missing"
