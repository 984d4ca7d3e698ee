"""Nests: what they read, store and compute while they are made."""

from __future__ import annotations

import pytest

import symtheano.tensor as T
from symtheano.codegen.plan.fusion.choices import Saved
from symtheano.codegen.plan.fusion.groups import Group
from symtheano.codegen.plan.fusion.nests import in_any_order
from symtheano.codegen.plan.steps import Source
from symtheano.loopir import Index
from tests.support.plans import placed

x, y, v = T.matrix("x"), T.matrix("y"), T.vector("v")
N, M = Index.symbol("n"), Index.symbol("m")


def test_lengths_are_compared_in_any_order() -> None:
    assert in_any_order([N, M]) == in_any_order([M, N])
    assert in_any_order([N, N]) != in_any_order([N, M])


def test_a_nest_stores_what_is_needed_in_memory_and_once() -> None:
    placing = placed([x], [T.exp(x)])
    (out,) = placing.views.graph.outputs
    assert placing.nests.memory == set()
    placing.nests.require_memory(out)
    placing.nests.require_memory(out.T)
    assert placing.nests.memory == {out}


def test_elements_that_are_needed_in_memory_get_a_nest() -> None:
    placing = placed([v], [v * T.arange(v.shape[0])])
    nest = placing.nests.placed().steps[-1]
    assert isinstance(nest, Group)
    (positions,) = nest.inline
    assert positions not in placing.nests.number
    placing.nests.require_memory(positions)
    assert placing.nests.memory == {positions}


def test_members_know_how_many_wait_for_one_another() -> None:
    placing = placed([x, y], [T.exp(T.sin(x)) + T.cos(y)])
    (nest,) = (step for step in placing.nests.placed().steps if isinstance(step, Group))
    assert nest.depth == 3
    assert sorted(nest.depths.values()) == [1, 1, 2, 3]
    assert {leaf for leaf, axes in nest.leaves.items() if axes} == {x, y}


def test_bytes_that_are_saved_are_those_of_the_arrays() -> None:
    z = T.TensorType("float64", (3, 5))("z")
    nests = placed([x, z], [x, z]).nests
    assert nests.bytes_of(Saved()) == 0
    assert nests.bytes_of(Saved((z,), (), (x,))) == 3 * 5 * 8
    assert nests.bytes_of(Saved((z,), (z,))) == 2 * 3 * 5 * 8
    length = nests.costs.length
    assert nests.bytes_of(Saved((x,))) == length * length * x.type.numpy_dtype.itemsize


def test_a_new_nest_is_the_last_step() -> None:
    placing = placed([x], [T.exp(x)])
    nests = placing.nests
    number = nests.open([N, M])
    assert number == nests.count - 1 == 1
    assert nests.by_space[in_any_order([M, N])] == [number]
    nests.append_op(T.dot(x, x).owner, {})
    assert nests.count == 3


def test_inputs_are_there_and_results_after_their_step() -> None:
    placing = placed([x, y], [T.tanh(T.dot(T.exp(x), y))])
    exp, dot, tanh = (node.outputs[0] for node in placing.views.graph.nodes)
    nests = placing.nests
    assert [nests.at(item) for item in (x, exp, dot, tanh)] == [0, 1, 2, 3]
    assert nests.of_all([x, dot, exp]) == 2
    assert nests.of_all([]) == 0


def test_a_question_places_nothing() -> None:
    nests = placed([x], []).nests
    assert nests.at(x) == 0
    with pytest.raises(KeyError):
        nests.at(T.exp(x))
    assert nests.first == {}


def test_where_values_are_computed() -> None:
    placing = placed([x, v], [T.exp(x), T.dot(x, x), T.sin(v)])
    nests, (exp, dot, sin) = placing.nests, placing.views.graph.outputs
    order = [Source(item, (0, 1)) for item in (sin, exp, x, dot, sin)]
    assert nests.homes(order) == [nests.number[sin], nests.number[exp]]
    table = nests.placed()
    assert [isinstance(step, Group) for step in table.steps].count(False) == 1
    assert table.at(dot) == nests.at(dot)
    with pytest.raises(TypeError):
        table.ready[x] = 1  # type: ignore[index]
