"""Ready: the first step before which a value is there."""

from __future__ import annotations

import symtheano.tensor as T
from symtheano.codegen.plan.fusion.ready import Ready
from symtheano.codegen.plan.needs import Needs
from symtheano.graph.variable import Apply
from tests.support.plans import placed, viewed

x, y, v = T.matrix("x"), T.matrix("y"), T.vector("v")


def test_inputs_are_there_and_results_after_their_step() -> None:
    placing = placed([x, y], [T.tanh(T.dot(T.exp(x), y))])
    exp, dot, tanh = (node.outputs[0] for node in placing.views.graph.nodes)
    at = placing.ready.at
    assert [at(item) for item in (x, exp, dot, tanh)] == [0, 1, 2, 3]
    assert placing.ready.of_all([x, dot, exp]) == 2
    assert placing.ready.of_all([]) == 0


def test_a_number_is_placed_when_it_is_asked_for_after_what_it_needs() -> None:
    views = viewed([x], [(x.shape[0] + 1) * 2])
    order: list[Apply] = []

    def place(node: Apply) -> None:
        order.append(node)
        ready.first[node.outputs[0]] = 5

    ready = Ready(Needs(views), place)
    (number,) = views.graph.outputs
    assert ready.at(number) == 5
    assert [node.outputs[0] for node in order][-1] is number
    places = {node: k for k, node in enumerate(order)}
    assert all(
        item.owner is None or places[item.owner] < places[node]
        for node in order
        for item in node.inputs
        if node.op.form != "length"
    )
    count = len(order)
    ready.at(number)
    assert len(order) == count, "once"
