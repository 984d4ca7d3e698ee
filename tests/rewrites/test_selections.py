"""Logarithms of selected probabilities, and gradients of selections."""

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function
from symtheano.function.modes import Mode
from symtheano.gradient import grad
from symtheano.rewrites import selections
from symtheano.rewrites.rule import Rule

FIRES = {
    "log_of_selected": lambda x: T.log(T.nnet.softmax(x)[0]),
    "log_in_other_base": lambda x: T.log2(T.nnet.softmax(x)),
    "multiply_before_put": lambda x, i: grad(T.log(T.nnet.softmax(x)[:, i]).sum(), x),
}

RESTS = {
    "log_of_selected": lambda x: T.log(x[0]),
    "log_in_other_base": lambda x: T.log2(x),
    "multiply_before_put": lambda x, y, i: (
        T.inc_subtensor(x.zeros_like()[:, i], 1 / y[:, i]) * T.nnet.softmax(x)
    ),
}


@pytest.mark.parametrize("name", FIRES)
def test_fires(name, fires):
    fires(name, FIRES[name])


@pytest.mark.parametrize("name", RESTS)
def test_rests(name, rests):
    rests(name, RESTS[name])


def test_every_rule_has_both_examples():
    names = {value.name for value in vars(selections).values() if isinstance(value, Rule)}
    assert set(FIRES) == names
    assert set(RESTS) == names


N, M, K = 3, 4, 5
LABELS = np.random.default_rng(2).integers(-K, K, (N, M))
ROW = LABELS[0] % M


def written_out(x):
    e = T.exp(x)
    return e / e.sum(axis=-1, keepdims=True)


def shifted(x):
    e = T.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def joined(p):
    return p.reshape((p.shape[0] * p.shape[1], p.shape[2]))


SELECTIONS = {
    "all rows of a matrix": (2, lambda p: p[T.arange(p.shape[0]), ROW % K]),
    "all rows of known number": (2, lambda p: p[T.arange(M), ROW]),
    "some elements": (2, lambda p: p[np.array([0, 0, 2, 0]), np.array([1, 1, -1, 4])]),
    "a column": (2, lambda p: p[:, -1]),
    "columns": (2, lambda p: p[:, ::-2]),
    "gathered rows": (2, lambda p: p[np.array([1, 1, 0])]),
    "a mask": (2, lambda p: p[T.eq(T.arange(K), ROW[:, None])]),
    "all of three axes": (3, lambda p: p[T.arange(N)[:, None], T.arange(M)[None, :], LABELS]),
    "lengths of a call": (
        3, lambda p: p[T.arange(p.shape[0])[:, None], T.arange(p.shape[1]), LABELS],
    ),
    "along an axis": (3, lambda p: T.take_along_axis(p, LABELS[:, :, None], axis=2)),
    "taken": (3, lambda p: T.take(p, np.array([1, 3, 1]), axis=1)),
    "two axes joined": (3, lambda p: joined(p)[T.arange(N * M), LABELS.ravel() % K]),
    "all axes joined": (3, lambda p: p.flatten()[np.array([3, 17, 17])]),
    "transposed": (3, lambda p: p.dimshuffle(2, 0, 1)[3]),
    "a part of a part": (3, lambda p: p[0][T.arange(M), ROW]),
}  # fmt: skip

SOFTMAXES = {"softmax": T.nnet.softmax, "written out": written_out, "shifted": shifted}

MODES = {"interpreted": Mode("interpret", "default"), "compiled": None}


def compare(loss, reference, ndim, mode=None, scale=1000.0, dtype="float64"):
    """Compare value and gradient of a loss with those of its stable form."""
    x = T.tensor("x", dtype, shape=(None,) * ndim)
    costs = loss(x), reference(x)
    f = function([x], [costs[0], grad(costs[0], x), costs[1], grad(costs[1], x)], mode=mode)
    values = np.random.default_rng(7).normal(size=(N, M, K)[-ndim:]) * scale
    value, slope, good, good_slope = f(values.astype(dtype))
    assert np.isfinite(good_slope).all()
    np.testing.assert_allclose(value, good, rtol=1e-6)
    np.testing.assert_allclose(slope, good_slope, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("name", SELECTIONS)
@pytest.mark.parametrize("spelling", SOFTMAXES)
def test_logarithms_of_selected_probabilities(name, spelling):
    ndim, selected = SELECTIONS[name]
    compare(
        lambda x: -T.log(selected(SOFTMAXES[spelling](x))).mean(),
        lambda x: -selected(T.nnet.logsoftmax(x)).mean(),
        ndim,
        MODES["interpreted"],
    )


@pytest.mark.parametrize("name", ["all rows of a matrix", "all of three axes", "two axes joined"])
def test_compiled_in_single_precision(name):
    ndim, selected = SELECTIONS[name]
    compare(
        lambda x: -T.log(selected(T.nnet.softmax(x))).mean(),
        lambda x: -selected(T.nnet.logsoftmax(x)).mean(),
        ndim,
        dtype="float32",
    )


@pytest.mark.parametrize("name", SELECTIONS)
def test_logarithms_of_selected_sigmoids(name):
    ndim, selected = SELECTIONS[name]
    compare(
        lambda x: -T.log(selected(T.nnet.sigmoid(x))).mean(),
        lambda x: T.nnet.softplus(-selected(x)).mean(),
        ndim,
        MODES["interpreted"],
    )


def picked(p):
    return SELECTIONS["all of three axes"][1](p)


LOSSES = {
    "weighted": (
        lambda p: -(T.log(picked(p)) * np.arange(1.0, 1 + M)).sum(),
        lambda log: -(picked(log) * np.arange(1.0, 1 + M)).sum(),
    ),
    "masked": (
        lambda p: -T.switch(LABELS > 0, T.log(picked(p)), 0).sum(),
        lambda log: -T.switch(LABELS > 0, picked(log), 0).sum(),
    ),
    "focal": (
        lambda p: -(T.sqr(1 - picked(p)) * T.log(picked(p))).sum(),
        lambda log: -(T.sqr(1 - T.exp(picked(log))) * picked(log)).sum(),
    ),
    "of two axes": (
        lambda p: -T.log(picked(p)).mean() - T.log(p[:, :, 0]).mean(),
        lambda log: -picked(log).mean() - log[:, :, 0].mean(),
    ),
    "base two": (
        lambda p: -T.log2(picked(p)).mean(),
        lambda log: -picked(log).mean() / np.log(2),
    ),
    "base ten": (
        lambda p: -T.log10(p[:, :, 1]).mean(),
        lambda log: -log[:, :, 1].mean() / np.log(10),
    ),
}


@pytest.mark.parametrize("name", LOSSES)
def test_losses_of_selected_probabilities(name):
    loss, reference = LOSSES[name]
    compare(
        lambda x: loss(T.nnet.softmax(x)),
        lambda x: reference(T.nnet.logsoftmax(x)),
        3,
        MODES["interpreted"],
    )


@pytest.mark.parametrize("name", ["some elements", "all of three axes", "transposed"])
def test_gradients_of_gradients(name):
    ndim, selected = SELECTIONS[name]

    def slope(x, log):
        return T.sqr(grad(-selected(log).mean(), x)).sum()

    compare(
        lambda x: slope(x, T.log(T.nnet.softmax(x))),
        lambda x: slope(x, T.nnet.logsoftmax(x)),
        ndim,
        MODES["interpreted"],
        scale=2.0,
    )


def test_other_places_are_not_divided():
    """Elements of other places than those put into zeros do not cancel."""
    x = T.dmatrix("x")
    p = T.exp(x)
    put = T.inc_subtensor(T.zeros_like(x)[:, 0], 1 / p[:, 1])
    f = function([x], put * p)
    value = np.arange(6.0).reshape(2, 3)
    wanted = np.zeros((2, 3))
    wanted[:, 0] = np.exp(value[:, 0] - value[:, 1])
    np.testing.assert_allclose(f(value), wanted)
