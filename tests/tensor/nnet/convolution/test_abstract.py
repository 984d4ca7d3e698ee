"""Theano's classes of convolutions, as programs call them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function
from symtheano.errors import ShapeError
from symtheano.gradient import grad
from symtheano.tensor.nnet.abstract_conv import (
    AbstractConv,
    AbstractConv2d,
    AbstractConv2d_gradInputs,
    AbstractConv2d_gradWeights,
    AbstractConv3d,
    AbstractConv3d_gradInputs,
    AbstractConv3d_gradWeights,
    AbstractConv_gradInputs,
    AbstractConv_gradWeights,
)

pytestmark = pytest.mark.needs_cc


CLASSES = {
    2: (AbstractConv2d, AbstractConv2d_gradInputs, AbstractConv2d_gradWeights),
    3: (AbstractConv3d, AbstractConv3d_gradInputs, AbstractConv3d_gradWeights),
}


@pytest.mark.parametrize("dims", [2, 3])
def test_they_are_the_functions(dims: int) -> None:
    rng = np.random.default_rng(dims)
    lengths, taps = (5, 6, 4)[:dims], (3, 2, 2)[:dims]
    values = [rng.normal(size=s) for s in ((2, 3, *lengths), (4, 3, *taps))]
    x, w = (T.TensorType("float64", (None,) * (dims + 2))() for _ in range(2))
    windows: dict[str, Any] = {"border_mode": "half", "subsample": (2,) * dims}
    windows["filter_flip"] = False
    forward, inputs, weights = (cls(**windows) for cls in CLASSES[dims])
    generic = [
        cls(dims, **windows)
        for cls in (AbstractConv, AbstractConv_gradInputs, AbstractConv_gradWeights)
    ]
    y = getattr(T.nnet, f"conv{dims}d")(x, w, **windows)
    grads = grad((y**2).sum() / 2, [x, w])
    for first, second, third in ((forward, inputs, weights), generic):
        made = [first(x, w), second(w, y, x.shape[2:]), third(x, y, w.shape[2:])]
        results = function([x, w], [*made, y, *grads])(*values)
        for found, expected in zip(results[:3], results[3:], strict=True):
            np.testing.assert_allclose(found, expected, atol=1e-11)


def lengths_in_all_forms() -> list[Any]:
    """Return the lengths of an image of 9 rows and 8 columns, as programs give them."""
    n = T.lscalar("n")
    return [
        (9, 8),
        [9, 8],
        (np.int64(9), T.constant(8)),
        T.constant([9, 8]),
        (n, 8),
        T.stack([n, n - 1]),
        T.zeros((1, 1, n, 8)).shape[2:],
        (None, 8),
        (n, None),
    ]


@pytest.mark.parametrize("number", range(9))
def test_forms_of_lengths(number: int) -> None:
    rng = np.random.default_rng(number)
    lengths = lengths_in_all_forms()[number]
    x, w = T.dtensor4("x"), T.dtensor4("w")
    up = AbstractConv2d_gradInputs(
        imshp=(None, 5, 9, 8), kshp=(3, 5, 3, 2), border_mode=(1, 0), subsample=(2, 2)
    )
    made = up(w, x, lengths)
    assert made.type.shape == (None, 5, 9, 8)
    values = [rng.normal(size=s) for s in ((2, 3, 5, 4), (3, 5, 3, 2))]
    names = {v.name: v for v in T.nnet.conv2d(made, w).owner.inputs}
    n = next((v for v in _inputs(made) if v.name == "n"), None)
    assert len(names) == 2
    given = [] if n is None else [(n, 9)]
    f = function([x, w, *(v for v, _ in given)], made)
    found = f(*values, *(v for _, v in given))
    plain = T.nnet.conv2d_grad_wrt_inputs(
        x, w, (None, None, 9, 8), border_mode=(1, 0), subsample=(2, 2)
    )
    np.testing.assert_allclose(found, function([x, w], plain)(*values), atol=1e-12)
    for variable, _ in given:
        with pytest.raises(ShapeError):
            function([x, w, variable], made)(*values, 11)


def _inputs(made: Any) -> list[Any]:
    from symtheano.graph.walk import toposort

    return [item for node in toposort([made]) for item in node.inputs if item.owner is None]


def test_lengths_that_contradict() -> None:
    x, w = T.dtensor4("x"), T.dtensor4("w")
    up = AbstractConv2d_gradInputs(imshp=(None, 5, 9, 8))
    with pytest.raises(ShapeError, match="image: axis 2 has static length 7"):
        up(w, x, (7, 8))
    assert up(w, x, (7, 8), add_assert_shape=False).type.shape == (None, None, 7, 8)
    with pytest.raises(ValueError, match="the length along axis 2 does not follow"):
        AbstractConv2d_gradWeights(subsample=(2, 2))(x, x)


def test_attributes() -> None:
    made = AbstractConv2d(imshp=[1, None, np.int64(3), T.constant(4)], border_mode=1, num_groups=2)
    assert (made.imshp, made.kshp) == ((1, None, 3, 4), None)
    assert (made.border_mode, made.subsample) == (((1, 1), (1, 1)), (1, 1))
    assert (made.filter_flip, made.filter_dilation) == (True, (1, 1))
    assert (made.convdim, made.num_groups, made.unshared) == (2, 2, False)
    assert str(made) == "AbstractConv2d"
    listed = AbstractConv2d(border_mode=np.array([1, 2]), subsample=np.array([2, 1]))
    assert (listed.border_mode, listed.subsample) == (((1, 1), (2, 2)), (2, 1))
    with pytest.raises(TypeError, match="0-d integer"):
        AbstractConv2d(imshp=(1, 2, 3.5, 4))
    with pytest.raises(
        ValueError, match=r"(?s)AbstractConv2d: invalid subsample=.*integers from 1"
    ):
        AbstractConv2d(subsample=(1, 2, 3))


def test_the_generator_of_an_adversarial_network() -> None:
    """A layer as those programs write it, with a cost that is differentiated through it."""

    def deconv(X: Any, w: Any, subsample: Any, border_mode: Any) -> Any:
        shape = (X.shape[0], w.shape[1], X.shape[2] * subsample[0], X.shape[3] * subsample[1])
        d_img = AbstractConv2d_gradInputs(
            imshp=(None, 3, None, None), kshp=(6, 3, 5, 5), subsample=subsample,
            border_mode=border_mode, filter_flip=True,
        )  # fmt: skip
        return d_img(w, X, T.as_tensor_variable(list(shape))[2:])

    rng = np.random.default_rng(0)
    x, w = T.ftensor4("x"), T.ftensor4("w")
    made = T.tanh(deconv(x, w, (2, 2), (2, 2)))
    f = function([x, w], [made, grad(made.sum(), w)])
    values = [rng.normal(size=s).astype("float32") for s in ((4, 6, 4, 4), (6, 3, 5, 5))]
    image, slope = f(*values)
    assert image.shape == (4, 3, 8, 8)
    assert slope.shape == (6, 3, 5, 5)
    plain = function([x, w], [made, grad(made.sum(), w)], mode="INTERPRET")(*values)
    for found, expected in zip((image, slope), plain, strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-3, atol=1e-4)


def test_lengths_are_declared_where_they_are_shared() -> None:
    """Nothing stands between a gradient and what is computed of it."""
    x, w = T.dtensor4("x"), T.dtensor4("w")
    up = AbstractConv2d_gradInputs((8, 6, 9, 9), (4, None, 3, 3), num_groups=2, subsample=(2, 2))
    down = AbstractConv2d_gradWeights((8, None, 9, 9), (4, 3, 3, 3), num_groups=2)
    graphs = [
        function([w, x], up(w, x, (9, 9)), mode="INTERPRET").graph,
        function([w, x], down(x, w, (3, 3)), mode="INTERPRET").graph,
    ]
    for graph, shape in zip(graphs, ((8, 6, 9, 9), (4, 3, 3, 3)), strict=True):
        (made,) = graph.outputs
        assert str(made.owner.op).startswith("conv2d_grad_wrt_")
        assert made.type.shape == shape
    f = function([w, x], up(w, x, (9, 9)))
    assert f(np.ones((4, 3, 3, 3)), np.ones((8, 4, 4, 4))).shape == (8, 6, 9, 9)
    with pytest.raises(ShapeError, match="filter: axis 1 was declared to have length 3, but has 2"):
        f(np.ones((4, 2, 3, 3)), np.ones((8, 4, 4, 4)))
    with pytest.raises(ShapeError, match="result: axis 0 was declared to have length 8, but has 7"):
        f(np.ones((4, 3, 3, 3)), np.ones((7, 4, 4, 4)))
