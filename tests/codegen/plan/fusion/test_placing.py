"""Placing: what becomes a step, a view, a scalar or a copy."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano.codegen.plan.fusion.groups import Group, OpGroup
from symtheano.codegen.plan.fusion.placing import Placing
from symtheano.codegen.plan.needs import Needs
from symtheano.errors import CompileError
from symtheano.tensor.as_op import as_op
from symtheano.tensor.shapes.shape import shape_i
from tests.support.plans import placed, viewed

x, y, v, n = T.matrix("x"), T.matrix("y"), T.vector("v"), T.lscalar("n")


def test_views_are_no_steps() -> None:
    placing = placed([x], [x.T, x[1:], x.reshape((-1,))])
    assert placing.nests.placed().steps == ()
    assert all(placing.nests.at(out) == 0 for out in placing.views.graph.outputs)


def test_numbers_are_scalars_of_the_entry_point() -> None:
    placing = placed([n, x], [n * 2 + shape_i(x, 0)])
    assert placing.nests.placed().steps == ()
    assert placing.views.graph.outputs[0] in placing.nests.entry


def test_a_number_that_only_a_length_needs_is_placed_after_what_it_needs_itself() -> None:
    views = viewed([x], [(x.shape[0] + 1) * 2])
    placing = Placing(views, Needs(views), ())
    (number,) = views.graph.outputs
    placing.place_needed([number])
    order = list(placing.nests.entry)
    assert order[-1] is number
    places = {item: k for k, item in enumerate(order)}
    needed = [(item, result) for result in order for item in placing.needs.of(result.owner)]
    assert all(places[item] < places[result] for item, result in needed if item in places)
    assert all(item in placing.nests.first for item, _ in needed if item.owner is not None)
    placing.place_needed([number])
    assert list(placing.nests.entry) == order, "once"


def test_a_check_that_needs_its_own_result_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    views = viewed([n], [n * 2])
    placing = Placing(views, Needs(views), ())
    (number,) = placing.views.graph.outputs
    monkeypatch.setattr(placing.needs, "checked_for", lambda node: [number])
    with pytest.raises(CompileError, match="needs its result"):
        placing.place_needed([number])


def test_a_layout_that_an_op_does_not_take_is_copied() -> None:
    placing = placed([x], [x.T.reshape((-1,))])
    (copy,) = placing.nests.placed().steps
    assert isinstance(copy, Group)
    (member,) = copy.members
    (shown,) = placing.views.graph.outputs
    assert placing.operands.root(shown) is member.result
    assert placing.views.dims(member.result) == placing.views.dims(x)[::-1]


def test_transposed_memory_is_copied_in_its_order() -> None:
    """BLAS reads a transposed copy, but no rows in reverse order."""
    placing = placed([x], [T.dot(x[::-1].T, x)])
    copy, product = placing.nests.placed().steps
    assert isinstance(copy, Group)
    (member,) = copy.members
    assert placing.views.dims(member.result) == placing.views.dims(x)
    assert isinstance(product, OpGroup)
    assert placing.operands.root(placing.operands.inputs(product.node)[0]) is member.result


def test_outputs_that_are_inputs_or_parts_are_copied() -> None:
    placing = placed([x], [x, x[1:], T.exp(x)])
    fresh = placing.fresh_outputs()
    shown = placing.views.graph.outputs
    assert [a is b for a, b in zip(fresh, shown, strict=True)] == [False, False, True]


def test_a_reshaped_result_is_computed_in_the_outputs_memory() -> None:
    placing = placed([x], [T.exp(x).reshape((-1,))])
    (fresh,) = placing.fresh_outputs()
    assert fresh is placing.operands.root(placing.views.graph.outputs[0])
    assert len(placing.nests.placed().steps) == 1


@as_op([T.dvector], [T.dvector])
def reverse(a: np.ndarray) -> np.ndarray:
    return a[::-1].copy()


def test_results_of_python_are_copied() -> None:
    placing = placed([v], [reverse(v)])
    (fresh,) = placing.fresh_outputs()
    assert fresh is not placing.views.graph.outputs[0]
    op, copy = placing.nests.placed().steps
    assert isinstance(op, OpGroup)
    assert isinstance(copy, Group)
