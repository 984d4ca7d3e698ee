"""Needs: what has to be there before a node runs."""

from __future__ import annotations

import symtheano.tensor as T
from symtheano.codegen.plan.needs import Needs
from symtheano.codegen.plan.views import Views
from symtheano.lowering import Elementwise, Length
from symtheano.tensor.shapes.shape import shape_i
from tests.support.plans import viewed

x, y, v, n = T.matrix("x"), T.matrix("y"), T.vector("v"), T.lscalar("n")


def needs(views: Views) -> Needs:
    return Needs(views)


def test_the_length_of_an_array_of_known_shape_needs_no_array() -> None:
    views = viewed([x], [shape_i(T.exp(x), 0)])
    (length,) = (out.owner for out in views.graph.outputs)
    assert isinstance(length.op.lowering, Length)
    assert needs(views).of(length) == []
    assert needs(views).all_of(length) == [views.shapes.definitions["x_d0"]]


def test_a_node_waits_for_the_check_of_its_operands_lengths() -> None:
    views = viewed([x, y], [x + y])
    (node,) = (m for m in views.graph.nodes if isinstance(m.op.lowering, Elementwise))
    found = needs(views).checked_for(node)
    assert {guard.condition for guard in views.shapes.guards} <= set(found)
    assert needs(views).of(node) == [x, y]
    assert set(needs(views).besides(node)) >= set(found)


def test_a_node_without_requirements_waits_for_its_operands_and_their_lengths() -> None:
    views = viewed([x], [T.exp(x)])
    (node,) = views.graph.nodes
    assert needs(views).checked_for(node) == []
    lengths = {views.shapes.definitions[name] for name in ("x_d0", "x_d1")}
    assert set(needs(views).all_of(node)) == {x, *lengths}


def test_what_is_checked_on_the_way_to_an_array_is_needed() -> None:
    views = viewed([x, n], [x[n]])
    (shown,) = views.graph.outputs
    found = needs(views).checked_between(shown, x)
    assert {guard.condition for guard in views.shapes.guards} <= set(found)
    assert needs(views).checked_between(x, x) == []
