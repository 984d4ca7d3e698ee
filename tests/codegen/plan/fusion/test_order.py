"""The order of nodes: each after what it needs, factors before a routine."""

from __future__ import annotations

import pytest

import symtheano.tensor as T
from symtheano.codegen.plan.fusion.order import ordered, take
from symtheano.codegen.plan.needs import Needs
from symtheano.errors import CompileError
from symtheano.graph.variable import Apply
from tests.support.plans import viewed

x, n = T.matrix("x"), T.lscalar("n")


def test_a_number_that_only_a_length_needs_comes_after_what_it_needs_itself() -> None:
    views = viewed([x], [(x.shape[0] + 1) * 2])
    needs, nodes = Needs(views), dict[Apply, None]()
    take(nodes, needs, views.graph.outputs)
    order = [*nodes]
    assert order[-1] is views.graph.outputs[0].owner
    for place, node in enumerate(order):
        waiting = [item.owner for item in needs.all_of(node) if item.owner is not None]
        assert all(order.index(owner) < place for owner in waiting)
    take(nodes, needs, views.graph.outputs)
    assert [*nodes] == order, "once"


def test_a_check_that_needs_its_own_result_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    views = viewed([n], [n * 2])
    needs, (number,) = Needs(views), views.graph.outputs
    monkeypatch.setattr(needs, "checked_for", lambda node: [number])
    with pytest.raises(CompileError, match="needs its result"):
        ordered(views, needs)


def test_checks_of_inputs_come_first() -> None:
    y = T.matrix("y")
    views = viewed([x, y], [T.exp(x).sum() * T.nlinalg.inv(y)])
    order = ordered(views, Needs(views))
    assert order.checks > 0, "a matrix that is inverted is square"
    first = order.nodes[: order.checks]
    assert not any("exp" in str(node.op) for node in first)


def test_factors_of_an_epilogue_come_before_its_routine() -> None:
    images, filters = T.ftensor4("images"), T.ftensor4("filters")
    scale = T.fvector("scale")
    factor = T.exp(scale)[None, :, None, None]
    views = viewed([images, filters, scale], [T.nnet.conv2d(images, filters) * factor])
    order = ordered(views, Needs(views))
    assert any("exp" in str(node.op) for node in order.factors)
    places = {node: k for k, node in enumerate(order.nodes)}
    (routine,) = [node for node in order.nodes if node.op.lowering.epilogue]
    assert all(places[node] < places[routine] for node in order.factors)
