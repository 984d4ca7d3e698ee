"""Probabilities that are zero or one, and their sum."""

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function, grad
from symtheano.graph.intern import FunctionGraph
from symtheano.interpret import interpret
from symtheano.rewrites import shares
from symtheano.rewrites.engine import Rewriter
from symtheano.rewrites.library import default_rules
from symtheano.rewrites.rule import Rule
from symtheano.tensor.nnet import logsoftmax, softmax

RULES = default_rules()


def slope(x, w):
    h = w / (1 - softmax(x))
    return (h - (h * softmax(x)).sum(axis=1, keepdims=True)) * softmax(x)


def other_slope(x, w):
    h = w / (1 - softmax(w))
    return (h - (h * softmax(x)).sum(axis=1, keepdims=True)) * softmax(x)


def slope_of_maximum(x, w):
    """Return the gradient of ``m + log(sum(exp(x - m)))`` through the maximum."""
    top = T.eq(x, x.max(axis=1, keepdims=True))
    rest = w - (w * softmax(x)).sum(axis=1, keepdims=True)
    return T.switch(top, rest / top.sum(axis=1, keepdims=True), 0.0)


FIRES = {
    "probability_times_logarithm": lambda x: softmax(x) * logsoftmax(x),
    "log_of_one_minus_softmax": lambda x: T.log(1 - softmax(x)),
    "slope_of_one_minus_softmax": slope,
    "slope_of_subtracted_maximum": lambda x, w: slope_of_maximum(x, w.sum(axis=1, keepdims=True)),
}

RESTS = {
    "probability_times_logarithm": lambda x, y: softmax(x) * T.log(y),
    "log_of_one_minus_softmax": lambda x: T.log(1 - T.exp(x)),
    "slope_of_one_minus_softmax": other_slope,
    "slope_of_subtracted_maximum": slope_of_maximum,
}


@pytest.mark.parametrize("name", FIRES)
def test_fires(name, fires):
    fires(name, FIRES[name])


@pytest.mark.parametrize("name", RESTS)
def test_rests(name, rests):
    rests(name, RESTS[name])


def test_every_rule_has_both_examples():
    names = {value.name for value in vars(shares).values() if isinstance(value, Rule)}
    assert set(FIRES) == names
    assert set(RESTS) == names


def computed(inputs, outputs, *values):
    with np.errstate(all="ignore"):
        return interpret(Rewriter(RULES).rewrite(FunctionGraph(inputs, outputs)), values)


def written(x):
    return T.exp(x) / T.exp(x).sum(axis=1, keepdims=True)


def of_rows(x):
    return x.sum(axis=1)


FORMS = {
    "entropy": lambda x, y: -of_rows(softmax(x) * T.log(softmax(x))),
    "entropy written out": lambda x, y: -of_rows(written(x) * T.log(written(x))),
    "entropy of logarithms": lambda x, y: -of_rows(T.exp(logsoftmax(x)) * logsoftmax(x)),
    "entropy by logits": lambda x, y: T.log(of_rows(T.exp(x))) - of_rows(softmax(x) * x),
    "divergence": lambda x, y: of_rows(softmax(x) * T.log(softmax(x) / softmax(y))),
    "difference": lambda x, y: of_rows(softmax(x) * (T.log(softmax(x)) - T.log(softmax(y)))),
    "written out": lambda x, y: of_rows(written(x) * T.log(written(x) / written(y))),
    "cross-entropy": lambda x, y: -of_rows(softmax(x) * T.log(softmax(y))),
    "element": lambda x, y: (softmax(x) * T.log(softmax(x)))[:, 1],
    "elements": lambda x, y: softmax(x)[:, 1] * T.log(softmax(x)[:, 1]),
}
LOGITS = [0.5, -np.inf, 1.0, 2.0]
OTHERS = [0.25, -np.inf, 1.5, -1.0]


@pytest.mark.parametrize("name", FORMS)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_logits_that_are_left_out(name, dtype):
    """A logit of -inf changes nothing: values and gradients are those of the other logits."""
    x, y = T.matrix("x", dtype=dtype), T.matrix("y", dtype=dtype)
    value = FORMS[name](x, y)
    outputs = [value, *grad(value.sum(), [x, y], disconnected_inputs="ignore")]
    given = [np.array([row], dtype) for row in (LOGITS, OTHERS)]
    found = computed([x, y], outputs, *given)
    low = [np.maximum(item, -80) for item in given]
    wanted = computed([x, y], outputs, *low)
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-6)
    for item in found[1:]:
        assert item[0, 1] == 0


@pytest.mark.needs_cc
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_logits_that_are_left_out_in_c(dtype):
    """As the interpreter, also where logits are left out by a mask."""
    x, y = T.matrix("x", dtype=dtype), T.matrix("y", dtype=dtype)
    given = [np.array([row], dtype) for row in (LOGITS, OTHERS)]
    left = T.switch(T.isinf(x), np.array(-np.inf, dtype), x * 1)
    outputs = []
    for form in FORMS.values():
        for logits in (x, left):
            value = form(logits, y)
            outputs += [value, *grad(value.sum(), [x, y], disconnected_inputs="ignore")]
    found = function([x, y], outputs)(*given)
    for one, other in zip(found, computed([x, y], outputs, *given), strict=True):
        assert np.isfinite(one).all()
        np.testing.assert_allclose(one, other, rtol=2e-5, atol=1e-6)


def test_only_one_logit_is_left():
    x = T.dmatrix("x")
    value = FORMS["entropy"](x, x)
    found = computed([x], [value, grad(value.sum(), x)], np.array([[0.0, -np.inf, -np.inf]]))
    for item in found:
        np.testing.assert_array_equal(item, np.zeros_like(item))


def test_what_is_missing_in_the_other_distribution_diverges():
    x, y = T.dmatrix("x"), T.dmatrix("y")
    value = FORMS["divergence"](x, y)
    found = computed([x, y], [value], np.zeros((1, 3)), np.array([[0.0, 0.0, -np.inf]]))
    assert np.isposinf(found[0]).all()


@pytest.mark.parametrize("place", [0, 1])
@pytest.mark.parametrize("size", [3.0, 40.0, 800.0])
def test_slopes_of_complements(place, size):
    """Of ``log(1 - p)``, which is the logarithm of the share of all others."""
    x = T.dmatrix("x")
    row = np.array([[size, 0.0, -1.0]])
    for value in (T.log(1 - softmax(x)[:, place]), T.log(1 - softmax(x))[:, place]):
        found = computed([x], [value, grad(value.sum(), x)], row)
        others = np.delete(row[0], place)
        largest = row.max()
        whole = largest + np.log(np.exp(row[0] - largest).sum())
        rest = others.max() + np.log(np.exp(others - others.max()).sum())
        np.testing.assert_allclose(found[0], [rest - whole], rtol=1e-13, atol=1e-16)
        wanted = -np.exp(row[0] - whole)
        wanted[np.arange(3) != place] += np.exp(others - rest)
        np.testing.assert_allclose(found[1][0], wanted, rtol=1e-13, atol=1e-15)


def spelled_out(x, axis):
    m = x.max(axis=axis, keepdims=True)
    return m + T.log(T.exp(x - m).sum(axis=axis, keepdims=True))


WEIGHTS = {
    "none": lambda y, w: y.sum(),
    "a number": lambda y, w: (3.5 * y).sum(),
    "an array": lambda y, w: (y * w.sum(axis=1, keepdims=True)).sum(),
    "a quotient": lambda y, w: (-y / T.exp(w.sum(axis=1, keepdims=True))).sum(),
    "nonlinear": lambda y, w: T.tanh(y).sum(),
}


@pytest.mark.parametrize("name", WEIGHTS)
def test_the_gradient_does_not_go_through_the_maximum(name):
    """Of a logsumexp written with a maximum, whose rows may have several largest elements."""
    x, w = T.dmatrix("x"), T.dmatrix("w")
    cost = WEIGHTS[name](spelled_out(x, 1), w)
    graph = Rewriter(RULES).rewrite(FunctionGraph([x, w], [grad(cost, x)]))
    assert not any(str(node.op).startswith("Elemwise{eq") for node in graph.nodes)
    given = [
        np.array([[1.0, 2.0, 2.0], [-700.0, 900.0, 0.0]]),
        np.array([[0.5, -2.0], [1.0, 0.25]]),
    ]
    wanted = computed(
        [x, w], [grad(WEIGHTS[name](T.logsumexp(x, axis=1, keepdims=True), w), x)], *given
    )
    np.testing.assert_allclose(interpret(graph, given)[0], wanted[0], rtol=1e-13)
    assert interpret(graph, [np.zeros((0, 3)), np.zeros((0, 2))])[0].shape == (0, 3)


def test_the_gradient_of_shares_over_other_axes_stays():
    x = T.dmatrix("x")
    top = T.eq(x, x.max(axis=1, keepdims=True))
    rest = 1 - softmax(x, axis=0).sum(axis=1, keepdims=True)
    given = np.arange(6.0).reshape(2, 3)
    found = computed([x], [T.switch(top, rest / top.sum(axis=1, keepdims=True), 0.0)], given)
    p = np.exp(given - given.max(axis=0)) / np.exp(given - given.max(axis=0)).sum(axis=0)
    wanted = np.where(given == given.max(1, keepdims=True), 1 - p.sum(1, keepdims=True), 0)
    np.testing.assert_allclose(found[0], wanted, rtol=1e-13)


def test_factors_along_other_axes_are_other_factors():
    """Here the weights of the sum lie along the first axis, those before it along the second."""
    x, v = T.tensor3("x"), T.vector("v")
    top = T.eq(x, x.max(axis=2, keepdims=True))
    shares = (v.dimshuffle(0, "x", "x") * softmax(x, axis=2)).sum(axis=2, keepdims=True)
    rest = v.dimshuffle("x", 0, "x") - shares
    given = [np.arange(12, dtype=x.dtype).reshape(2, 2, 3), np.array([1.0, 3.0], v.dtype)]
    found = computed([x, v], [T.switch(top, rest / top.sum(axis=2, keepdims=True), 0.0)], *given)
    wanted = np.zeros((2, 2, 3))
    wanted[:, :, 2] = [[0, 2], [-2, 0]]
    np.testing.assert_allclose(found[0], wanted, rtol=1e-6)
