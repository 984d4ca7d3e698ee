"""Nests: what they read, store and compute while they are made."""

from __future__ import annotations

import symtheano.tensor as T
from symtheano.codegen.plan.fusion.choices import Saved
from symtheano.codegen.plan.fusion.groups import Group
from symtheano.codegen.plan.fusion.nests import in_any_order
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
    assert placing.nests.homes.memory == set()
    placing.nests.require_memory(out)
    placing.nests.require_memory(out.T)
    assert placing.nests.homes.memory == {out}


def test_elements_that_are_needed_in_memory_get_a_nest() -> None:
    placing = placed([v], [v * T.arange(v.shape[0])])
    nest = placing.nests.homes.steps()[-1]
    assert isinstance(nest, Group)
    (positions,) = nest.inline
    assert positions not in placing.nests.homes.number
    placing.nests.require_memory(positions)
    assert placing.nests.homes.memory == {positions}


def test_members_know_how_many_wait_for_one_another() -> None:
    placing = placed([x, y], [T.exp(T.sin(x)) + T.cos(y)])
    (nest,) = (step for step in placing.nests.homes.steps() if isinstance(step, Group))
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
    assert number == nests.homes.count - 1 == 1
    assert nests.by_space[in_any_order([M, N])] == [number]
    nests.append_op(T.dot(x, x).owner, {})
    assert nests.homes.count == 3
