"""Lengths, integers and checks of a graph, in normal form."""

from __future__ import annotations

from typing import Any

import numpy as np

import symtheano.tensor as T
from symtheano import Apply, Op, function
from symtheano.graph.intern import FunctionGraph
from symtheano.loops.scan_op import Scan
from symtheano.rewrites.engine import Rewriter
from symtheano.rewrites.expressions import Expressions, expressions_of
from symtheano.rewrites.library import default_rules

x, v, w, n = T.matrix("x"), T.vector("v"), T.vector("w"), T.lscalar("n")
four = T.TensorType("float64", (4,))("four")


def expressions(inputs: list[Any], outputs: list[Any], **known: Any) -> tuple[Expressions, Any]:
    """Return the expressions of rewritten outputs, and these."""
    rewriter = Rewriter(default_rules())
    graph = rewriter.rewrite(FunctionGraph(inputs, outputs))
    return expressions_of(graph, rewriter, **known), graph.outputs


def lengths(inputs: list[Any], output: Any, **known: Any) -> list[str]:
    found, (out,) = expressions(inputs, [output], **known)
    return [str(length) for length in found.lengths[out]]


def test_lengths_of_inputs_and_results() -> None:
    found, (out,) = expressions([x, v], [T.exp(x)[:, 1:3]])
    assert [length.owner.inputs for length in found.lengths[x]] == [[x], [x]]
    assert found.lengths[v][0].owner.inputs == [v], "also if nothing reads it"
    assert found.lengths[out][0] is found.lengths[x][0]


def test_a_constant_output_has_lengths() -> None:
    assert lengths([], T.as_tensor_variable([1.0, 2.0])) == ["2"]


def test_checks_that_hold_are_left_out() -> None:
    found, _ = expressions([v], [v + T.exp(v), four + 1])
    assert found.checks == ()
    found, _ = expressions([v, w], [v + w])
    (check,) = found.checks
    assert check.equal is not None
    assert check.equal == (*found.lengths[v], *found.lengths[w])


def test_a_check_makes_a_length_a_number_and_stays() -> None:
    found, (part, _) = expressions([v, four], [T.tanh(v[:2]) * v[2:4], v + four])
    assert found.lengths[part] == (2,)
    assert [check.equal[-1] for check in found.checks if check.equal] == [4]


def test_lengths_that_are_known_outside_are_numbers() -> None:
    assert lengths([v], T.exp(v)[1:], fixed={(v, 0): 5}) == ["4"]
    assert lengths([v], T.exp(v)[1:]) != ["4"]


def test_no_check_makes_a_late_length_a_number() -> None:
    found, (part, _) = expressions([v, four], [v[:2] * 2, v + four], late=frozenset([v]))
    assert not isinstance(found.lengths[part][0], int)


def test_conditions_that_need_arrays_have_conditions_of_their_own() -> None:
    found, _ = expressions([v, n], [v[T.cast(v[n], "int64")]])
    assert [check.requirement.code for check in found.checks] == ["index", "index"]
    assert {check.node.inputs[0] for check in found.checks} == {v}


def test_integers_of_code_are_in_normal_form() -> None:
    found, (out,) = expressions([v, n], [v[n - n + 1 :: 2]])
    integers = found.integers[out.owner]
    assert 2 in integers
    assert all(isinstance(item, int) or item.ndim == 0 for item in integers)


def test_nodes_with_graphs_inside_are_listed() -> None:
    state = T.vector("state")
    loop = Scan(T.lscalar("k"), [T.tanh(state)], states=[state])
    found, (out,) = expressions([n, v], [loop(n, v)])
    assert found.regions == (out.owner,)


class Rows(Op):
    """An op that does not tell the lengths of its result."""

    __props__ = ()

    def make_node(self, x: Any) -> Apply:
        return Apply(self, [x], [T.matrix()])

    def perform(self, node: Apply, inputs: Any, output_storage: Any) -> None:
        output_storage[0][0] = inputs[0][1:].copy()


def test_lengths_of_a_computed_array_are_those_of_the_array_in_the_graph() -> None:
    exponentials = T.exp(x)
    f = function([x], Rows()(exponentials / exponentials.sum()))
    assert f(np.zeros((3, 2))).tolist() == [[1 / 6, 1 / 6]] * 2
