"""Views: what a variable shows, and how it lies in memory."""

from __future__ import annotations

import symtheano.tensor as T
from symtheano.loopir import Buffer, Index, View
from symtheano.tensor.indexing.call_broadcast import Repeated
from tests.support.plans import viewed

x, v, i = T.matrix("x"), T.vector("v"), T.lvector("i")


def test_relabelled_axes_are_followed_to_their_source() -> None:
    out = T.exp(x).T.dimshuffle(1, "x", 0)
    views = viewed([x], [out])
    (shown,) = views.graph.outputs
    source = views.source(shown)
    assert source.variable.owner.op == T.exp(x).owner.op
    assert source.axes == (0, None, 1)


def test_a_slice_is_a_view_and_its_own_source() -> None:
    views = viewed([x], [x[1:, ::-1]])
    (shown,) = views.graph.outputs
    assert views.is_view(shown.owner)
    assert views.source(shown).variable is shown


def test_a_gather_of_all_items_in_order_shows_them() -> None:
    every, some = x[T.arange(x.shape[0])], x[i]
    views = viewed([x, i], [every, some])
    all_of_x, part = views.graph.outputs
    assert views.source(all_of_x).variable is x
    assert views.source(part).variable is part


def test_an_elementwise_operation_is_no_view() -> None:
    views = viewed([x], [T.exp(x)])
    assert not views.is_view(views.graph.nodes[0])


def test_a_transposed_view_has_strides_of_its_source() -> None:
    views = viewed([x], [x.T.dimshuffle(0, "x", 1)])
    (shown,) = views.graph.outputs
    dims = views.dims(x)
    made = views.over(
        shown, View.contiguous(Buffer("x", "float64", "input", dims[0] * dims[1], 0), dims)
    )
    assert list(map(str, made.shape)) == ["x_d1", "1", "x_d0"]
    assert list(map(str, made.strides)) == ["1", "0", "x_d1"]


def test_a_view_op_makes_its_view_from_integers_of_the_call() -> None:
    views = viewed([v], [v[2:]])
    (shown,) = views.graph.outputs
    (length,) = views.dims(v)
    made = views.view_of(
        shown.owner, View.contiguous(Buffer("v", "float64", "input", length, 0), (length,))
    )
    assert made.shape == views.dims(shown)
    assert str(made.strides[0]) == "1"
    assert set(made.offset.names()) <= set(views.shapes.definitions)


def test_readers_are_counted_once_for_each_use() -> None:
    views = viewed([v], [v * v, T.exp(v)])
    product, exp = (output.owner for output in views.graph.outputs)
    assert views.readers(v) == [product, product, exp]
    assert views.readers(views.graph.outputs[1]) == [], "an output is not read by a node"


def test_repeated_copies_that_nothing_shows_are_not_made() -> None:
    views = viewed([x, v], [x + v])
    assert all(views.is_shown(node) for node in views.graph.nodes)
    assert not any(isinstance(node.op, Repeated) for node in views.graph.nodes)
    assert Index.of(1) != views.dims(v)[0]
