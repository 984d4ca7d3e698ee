"""The round in which groups compute again what others compute."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import Rop, function
from symtheano.codegen.plan.fusion.groups import Group
from symtheano.codegen.plan.fusion.recompute import recompute
from symtheano.codegen.plan.schedule import Schedule
from symtheano.codegen.targets import COSTS
from tests.support.plans import fused, graph_of, home_of, nests_of, scheduled

x, y, v = T.matrix("x"), T.matrix("y"), T.vector("v")


def computed(schedule: Schedule) -> list[list[Any]]:
    """Return what each nest computes."""
    return [[member.result for member in nest.members] for nest in nests_of(schedule)]


def test_cheap_values_are_computed_again_after_the_groups_are_known() -> None:
    cheap = x * 2
    outputs = [T.exp(cheap).sum(0) * (cheap + y)]
    before = fused([x, y], outputs)
    nodes, (out,) = graph_of(before).nodes, graph_of(before).outputs
    (value,) = (n.outputs[0] for n in nodes if n.op == cheap.owner.op and x in n.inputs)
    assert value not in home_of(before, out).results, "the rounds before only find groups"
    after = recompute(before, COSTS)
    group = after.steps[after.number[out]]
    assert isinstance(group, Group)
    assert value in group.results
    assert value not in after.memory
    assert value not in home_of(before, out).results, "the groups before are as they were"


def test_costly_values_are_loaded() -> None:
    costly = T.tanh(T.exp(x))
    schedule = scheduled([x, y], [costly.sum(0) * (costly + y)])
    (first, second) = computed(schedule)
    assert not set(first) & set(second)


def test_values_at_two_indices_are_loaded() -> None:
    cheap = x * 2
    first, last = computed(scheduled([x], [T.exp(cheap).sum(0) + cheap + cheap.T]))
    assert not set(first) & set(last)


def test_what_values_are_made_of_is_decided_before() -> None:
    root = T.sqrt(T.exp(v))
    square = T.sqr(root)
    outputs = [x * square[:, None] + root[:, None], T.dot(v, root)]
    schedule = scheduled([x, v], [T.sort(root)[0] + outputs[0]])
    nest = nests_of(schedule)[-1]
    (squared,) = (m for m in nest.members if m.node.op == square.owner.op)
    assert squared.axes == (0,), "its operand is loaded anyway"


def test_what_a_later_group_reads_is_in_memory_for_those_before() -> None:
    z = T.tensor4("z")
    dear = T.sigmoid(z)
    cheap = dear * z
    outputs = [dear.sum(), cheap.sum((0, 2, 3)), dear.sum((0, 2, 3))]
    schedule = scheduled([z], outputs)
    stored = {value for nest in nests_of(schedule) for value in nest.stores if value.ndim == 4}
    assert {value.owner.op for value in stored} == {dear.owner.op}


@pytest.mark.needs_cc
def test_gathered_elements_that_a_later_group_stores_are_read_where_they_are() -> None:
    """The derivative of singular vectors reads diagonals of products, which are results, too."""
    x, direction = T.dtensor3("x"), T.dtensor3("direction")
    u, s, v = T.nlinalg.svd(x, full_matrices=False)
    outputs = Rop([abs(u), s, abs(v), T.matmul(u * s[..., None, :], v)], x, direction)
    rng = np.random.default_rng(2)
    given = rng.normal(size=(2, 4, 2)), rng.normal(size=(2, 4, 2))
    wanted = function([x, direction], outputs, mode="INTERPRET")(*given)
    for one, other in zip(function([x, direction], outputs)(*given), wanted, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-12)


def test_functions_of_few_elements_are_not_computed_again_for_many() -> None:
    """Of the scale's exponential, which the loop over all rows reads in each of them."""
    a, b = T.matrix("a"), T.matrix("b")
    scale = T.exp(b)
    z = (a.dimshuffle(0, "x", 1) - b) / scale
    total = T.sqr(z).sum(axis=2)
    nests = computed(scheduled([a, b], [total, z.sum(axis=0) * scale]))
    exponentials = [sum(v.owner is not None and "exp" in str(v.owner.op) for v in n) for n in nests]
    assert sum(exponentials) == 1


@pytest.mark.needs_cc
def test_groups_that_then_read_the_same_array_become_one() -> None:
    """Gradients of a scale and a shift: what one of them multiplies, both load."""
    image, given = T.tensor4("image"), T.tensor4("given")
    scale, shift = T.vector("scale"), T.vector("shift")
    groups = image.reshape((image.shape[0], 8, -1))
    groups = (groups - groups.mean(2, keepdims=True)) / T.sqrt(groups.var(2, keepdims=True) + 1)
    normal = groups.reshape(image.shape)
    result = normal * scale.dimshuffle(0, "x", "x") + shift.dimshuffle(0, "x", "x")
    cost = (given * result * T.nnet.sigmoid(result)).sum()
    slopes = T.grad(cost, [image, scale, shift])
    made = function([image, scale, shift, given], [cost, *slopes])
    assert re.search(r"scale_grad, shift_grad = kernel_", made.c_source)
