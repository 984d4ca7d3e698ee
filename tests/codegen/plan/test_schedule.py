"""What shares a loop nest, and what does not."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

import symtheano.tensor as T
from symtheano import grad
from symtheano.codegen.plan.naming import shapes_of
from symtheano.codegen.plan.schedule import Schedule, make_schedule
from symtheano.codegen.plan.steps import Nest, OpStep
from symtheano.graph.intern import FunctionGraph
from symtheano.loopir.builder import Names
from symtheano.rewrites.engine import Rewriter
from symtheano.rewrites.final import final_graph
from symtheano.rewrites.library import default_rules


def schedule(inputs: list[Any], outputs: list[Any]) -> Schedule:
    """Return the schedule of rewritten outputs."""
    rewriter = Rewriter(default_rules())
    graph = rewriter.rewrite(FunctionGraph(inputs, outputs))
    return make_schedule(graph, shapes_of(final_graph(graph, rewriter), Names()))


def nests(made: Schedule) -> list[Nest]:
    """Return the nests that do something."""
    return [step for step in made.steps if isinstance(step, Nest) and step.members]


def roles(nest: Nest) -> list[str]:
    """Return the roles of a nest's reductions."""
    return [member.role for member in nest.members if member.role != "point"]


x, y, v = T.fmatrix("x"), T.fmatrix("y"), T.fvector("v")


def test_elementwise_chain_is_one_nest() -> None:
    made = schedule([x, y], [T.tanh(x * y) + T.exp(x), T.exp(x) * y])
    (nest,) = nests(made)
    assert len(nest.stores) == 2
    assert nest.split is None


def test_nests_are_merged_when_their_results_are_combined() -> None:
    a, b, c = (T.vector(name) for name in "abc")
    far = T.sin(T.exp(a)) + T.cos(T.exp(b)) * T.tanh(T.exp(c))
    (nest,) = nests(schedule([a, b, c], [far, T.exp(T.tanh(T.exp(c))).sum()]))
    assert nest.stores == (far_output(nest),)
    assert roles(nest) == ["full"]


def far_output(nest: Nest) -> Any:
    """Return the only result of a nest that nothing in it reads."""
    read = {item for member in nest.members for item in member.node.inputs}
    (last,) = [
        m.node.outputs[0]
        for m in nest.members
        if m.role == "point" and m.node.outputs[0] not in read
    ]
    return last


def test_a_nest_that_reads_another_one_elsewhere_stays_apart() -> None:
    a = T.vector("a")
    first = T.sin(T.exp(a))
    second = T.cos(T.exp(first[::-1]))
    assert len(nests(schedule([a], [first + second]))) == 2


def test_nests_with_stages_are_one_if_their_results_are_combined() -> None:
    both = T.nnet.softmax(x) + T.nnet.softmax(T.exp(T.cos(y)))
    (nest,) = nests(schedule([x, y], [both]))
    assert roles(nest) == ["row"] * 4
    assert len(nest.stores) == 1


def test_softmax_is_one_nest_with_two_row_reductions() -> None:
    (nest,) = nests(schedule([x], [T.nnet.softmax(x)]))
    assert roles(nest) == ["row", "row"]
    assert nest.split == 1


def test_value_and_gradient_are_one_nest() -> None:
    cost = (T.nnet.softplus(x) * y).sum()
    (nest,) = nests(schedule([x, y], [cost, *grad(cost, [x, y])]))
    assert roles(nest) == ["full"]
    assert len(nest.stores) == 2


def test_sums_of_columns_join_what_they_add_up() -> None:
    (nest,) = nests(schedule([x], [T.exp(x), T.exp(x).sum(axis=0)]))
    assert roles(nest) == ["column"]


def test_a_transposed_operand_is_read_transposed() -> None:
    (nest,) = nests(schedule([x, y], [x.T + y]))
    assert len(nest.members) == 1


def test_a_computed_operand_used_transposed_is_stored() -> None:
    made = nests(schedule([x, y], [T.erf(x).T + y]))
    assert len(made) in (1, 2)
    assert all(len(nest.stores) == 1 for nest in made)


def test_products_stand_between_nests() -> None:
    made = schedule([x, y, v], [T.tanh(T.dot(T.exp(x), y) + v)])
    assert [type(step) for step in made.steps] == [Nest, OpStep, Nest]


def test_cheap_work_is_done_again_rather_than_stored() -> None:
    h = T.tanh(x)
    made = schedule([x, y], [T.dot(h, y), T.dot(1 - T.sqr(h), y)])
    first = nests(made)[0]
    assert len(first.stores) == 2, "both are operands of products"
    z = T.dot(h, y)
    made = schedule([x, y], [z, z.sum() * (1 - T.sqr(h))])
    first, *_ = nests(made)
    assert len(first.stores) == 1, "1 - h*h is computed from h where it is needed"


def test_arange_is_made_where_it_is_read() -> None:
    (nest,) = nests(schedule([v], [v * T.arange(v.shape[0], dtype="float32")]))
    assert [member.role for member in nest.members] == ["point"]
    assert len(nest.inline) == 1


def test_different_lengths_do_not_share_a_nest() -> None:
    w = T.fvector("w")
    assert len(nests(schedule([v, w], [T.exp(v), T.exp(w)]))) == 2


def test_guard_makes_two_lengths_one() -> None:
    w = T.fvector("w")
    made = schedule([v, w], [v + w, T.exp(v), T.exp(w)])
    (nest,) = nests(made)
    assert len(nest.stores) == 3
    assert [len(guards) for guards in made.guards.values()] == [1]
    assert list(made.guards) == [0], "before any work"


@pytest.mark.parametrize("axis", [(0,), (1,), (2,), (0, 1), (1, 2), (0, 2), (0, 1, 2)])
def test_every_set_of_axes_has_a_place(axis: tuple[int, ...]) -> None:
    t = T.ftensor3("t")
    (nest,) = nests(schedule([t], [t.sum(axis=axis)]))
    assert len(roles(nest)) == 1


def test_long_chains_are_cut_into_several_nests() -> None:
    z = v
    for _ in range(400):
        z = T.sin(z)
    made = nests(schedule([v], [z]))
    assert 4 <= len(made) <= 10


def test_many_members_that_do_not_wait_for_each_other_share_a_nest() -> None:
    terms = [T.sin(v * k) for k in range(1, 129)]
    while len(terms) > 1:
        terms = [T.tanh(a * b) for a, b in zip(terms[::2], terms[1::2], strict=True)]
    (nest,) = nests(schedule([v], terms))
    assert len(nest.members) > 300
    assert len(nests(schedule([v], [terms[0], T.outer(terms[0], v).sum(0)]))) > 1


def test_no_nest_reads_very_many_arrays() -> None:
    arrays = [T.fvector(f"a{k}") for k in range(70)]
    total = arrays[0]
    for a, b in itertools.pairwise(arrays):
        total = T.tanh(total) + a * b
    made = nests(schedule(arrays, [total]))
    assert 3 <= len(made) <= 6
    assert max(len(read(nest)) for nest in made) <= 32


def read(nest: Nest) -> set[Any]:
    """Return the arrays that a nest reads."""
    operands = {item for member in nest.members for item in member.node.inputs}
    return {item for item in operands - set(nest.results) if item.ndim}


def test_output_that_is_an_input_is_copied() -> None:
    made = schedule([x], [x, x.T, x[1:]])
    assert sum(len(nest.stores) for nest in nests(made)) == 3
