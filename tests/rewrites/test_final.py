"""Final graphs: those of loops and branches are in normal form, and know what is known outside."""

from __future__ import annotations

from typing import Any

import pytest

import symtheano.tensor as T
from symtheano import scan
from symtheano.graph.final import NOTHING_LATE, FinalGraph
from symtheano.graph.intern import FunctionGraph
from symtheano.ifelse import ifelse
from symtheano.loops.scan_op import Scan
from symtheano.lowering import Elementwise
from symtheano.rewrites.engine import Rewriter
from symtheano.rewrites.final import final_graph
from symtheano.rewrites.library import default_rules

x, v, n = T.matrix("x"), T.vector("v"), T.lscalar("n")
number, state = T.lscalar("number"), T.vector("state")


def final(inputs: list[Any], outputs: list[Any]) -> FinalGraph:
    """Return the final graph of outputs."""
    rewriter = Rewriter(default_rules())
    return final_graph(rewriter.rewrite(FunctionGraph(inputs, outputs)), rewriter)


def ops(made: FinalGraph) -> list[str]:
    return [
        node.op.scalar_op.name if isinstance(node.op.lowering, Elementwise) else str(node.op)
        for node in made.graph.nodes
    ]


def loop_of(result: Any, inputs: list[Any], initial: Any) -> FinalGraph:
    """Return the graph of a loop with one state."""
    made = final(inputs, [Scan(number, [result], states=[state])(n, initial)])
    ((inner,),) = made.inner.values()
    return inner


def test_the_graph_of_a_loop_is_rewritten() -> None:
    inner = loop_of(T.log(1 + T.exp(state)) + 0, [n, v], v)
    assert ops(inner) == ["softplus"]


def test_lengths_that_are_numbers_outside_are_numbers_in_a_loop() -> None:
    assert loop_of(state * 2, [n, v], T.zeros((3,)) + v[0]).lengths[state] != (3,)
    inner = loop_of(state[::-1] * 2, [n, v], T.zeros((3,)) + v[0])
    assert [inner.lengths[output] for output in inner.graph.outputs] == [(3,)]
    inner = loop_of(state[::-1] * 2, [n, v], v)
    assert not isinstance(inner.lengths[inner.graph.outputs[0]][0], int)


def test_a_state_whose_length_depends_on_values_is_checked() -> None:
    inner = loop_of(state[state > 0], [n, v], v)
    assert "SameShape" in ops(inner)
    (output,) = inner.graph.outputs
    assert inner.lengths[output] == inner.lengths[inner.graph.inputs[1]]


def test_a_state_whose_length_is_checked_already_needs_no_other_check() -> None:
    inner = loop_of(state[state > 0] + state, [n, v], v)
    assert "SameShape" not in ops(inner)


def test_a_loop_in_a_loop() -> None:
    total, _ = scan(
        lambda row, h: scan(lambda item, s: T.tanh(s + item + 0), row, h)[0][-1], x, T.zeros((4,))
    )
    made = final([x], [total])
    ((outer,),) = made.inner.values()
    ((inner,),) = outer.inner.values()
    assert [inner.lengths[output] for output in inner.graph.outputs] == [(4,)]


def test_a_branch_has_lengths_of_what_it_uses() -> None:
    made = final([v, x], [ifelse(v[0] > 0, T.tanh(v[1:]), T.sinh(x[0]))])
    ((first, second),) = made.inner.values()
    used = [
        [number for number, item in enumerate(branch.graph.inputs) if item in branch.lengths]
        for branch in (first, second)
    ]
    assert len(first.graph.inputs) == 2
    assert used == [[0], [1]]


@pytest.mark.parametrize("late", [False, True])
def test_branches_know_what_is_known_outside(late: bool) -> None:
    operand = v[v > 0] if late else T.zeros((5,)) + v[0]
    made = final([v, x], [ifelse(v[0] > 0, T.tanh(operand)[1:], T.sinh(operand)[1:])])
    ((first, second),) = made.inner.values()
    lengths = [branch.lengths[branch.graph.outputs[0]] for branch in (first, second)]
    assert (lengths == [(4,), (4,)]) is not late


def test_what_takes_work_is_known_late_in_a_loop() -> None:
    a, b = T.dscalars("a", "b")
    loop = Scan(number, [state * a + b * number], states=[state], others=[a, b])
    ((inner,),) = final([n, v], [loop(n, v, v.sum(), T.cast(n + 1, "float64"))]).inner.values()
    assert {variable.name for variable in inner.late.inputs} == {"number", "a"}
    assert inner.late.elements == {item for item in inner.graph.inputs if item.ndim}


def test_lengths_that_take_work_are_known_late_in_a_branch() -> None:
    positive = v[v > 0]
    made = final([v, n], [ifelse(T.gt(n, 0), positive * n, positive), positive])
    assert made.late == NOTHING_LATE
    ((branch, _),) = made.inner.values()
    assert [item.ndim for item in branch.graph.inputs if item in branch.late.inputs] == [1]
    assert branch.late.elements == {item for item in branch.graph.inputs if item.ndim}
