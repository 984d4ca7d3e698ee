"""Quotients and logarithms of exponentials and their sums."""

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function, grad
from symtheano.graph.intern import FunctionGraph
from symtheano.interpret import interpret
from symtheano.rewrites import exponentials, logarithms, scaled
from symtheano.rewrites.engine import Rewriter
from symtheano.rewrites.library import default_rules
from symtheano.rewrites.rule import Rule
from symtheano.tensor.nnet import softmax
from symtheano.tensor.nnet.softmax import LogSumExp, Softmax


def kept(x):
    return x.sum(axis=1, keepdims=True)


FIRES = {
    "exponential_over_sum": lambda x: grad(T.log(T.exp(x).sum(axis=1)).sum(), x),
    "exponential_over_sums_of_terms": lambda x, y: (
        (y / kept(T.exp(x)) - kept(y / kept(T.exp(x)))) / kept(T.exp(x)) * T.exp(x)
        + (y / kept(T.exp(x)) - 2 / kept(T.exp(x))) * T.exp(x)
    ),
    "sum_of_shares": lambda x, y: (y / kept(T.exp(x))).sum(axis=1),
    "quotient_of_exponentials": lambda x, y: (T.exp(x) + T.exp(y)) / (1 + T.exp(x) + T.exp(y)),
    "log_of_exponentials": lambda x, y: T.log(T.exp(x) + y * (T.exp(x) - T.exp(y)) ** 2),
    "log1p_of_exponentials": lambda x: T.log(T.exp(x) + T.exp(x) ** 2 + 1),
    "root_of_exponentials": lambda x: T.sqrt((T.exp(x) ** 2).sum(axis=1)),
    "log_of_product_with_exponential": lambda x, y: T.log(y * T.exp(x)),
    "log_of_weighted_exponentials": lambda x, y: T.log(0.25 * T.exp(x) + 0.75 * T.exp(y)),
    "log_of_weighted_sum_of_exponentials": lambda x, y: T.log((y * T.exp(x)).sum(axis=1)),
    "softmax_of_shifted": lambda x: softmax(x - x.max(axis=1, keepdims=True)),
    "logsumexp_of_shifted": lambda x: (
        x.max(axis=1) + T.log(T.exp(x - x.max(axis=1, keepdims=True)).sum(axis=1))
    ),
    "maximum_before_logarithm": lambda x, y: y - T.log(T.exp(x).sum(axis=1, keepdims=True)),
}

RESTS = {
    "exponential_over_sum": lambda x, y: T.exp(x) / kept(T.exp(y)),
    "exponential_over_sums_of_terms": lambda x, y: (y - x) * T.exp(x),
    "sum_of_shares": lambda x, y: (y / kept(T.sqr(x))).sum(axis=1),
    "quotient_of_exponentials": lambda x, y: y / (1 + T.exp(x) + T.exp(y)),
    "log_of_exponentials": lambda x, y: T.log(T.sin(x) + y),
    "log1p_of_exponentials": lambda x, y: T.log(1 + T.sqr(x) + y),
    "root_of_exponentials": lambda x: T.sqrt((x**2).sum(axis=1)),
    "log_of_product_with_exponential": lambda x, y: T.log(y * T.sin(x)),
    "log_of_weighted_exponentials": lambda x, y: T.log(0.25 * T.exp(x) + 0.75 * y),
    "log_of_weighted_sum_of_exponentials": lambda x, y: T.log((y * x).sum(axis=1)),
    "softmax_of_shifted": lambda x: softmax(x - x.max(axis=0)),
    "logsumexp_of_shifted": lambda x, y: (
        y.max(axis=1) + T.log(T.exp(x - x.max(axis=1, keepdims=True)).sum(axis=1))
    ),
    "maximum_before_logarithm": lambda x, y: y - (x + T.log(x)),
}


@pytest.mark.parametrize("name", FIRES)
def test_fires(name, fires):
    fires(name, FIRES[name])


@pytest.mark.parametrize("name", RESTS)
def test_rests(name, rests):
    rests(name, RESTS[name])


def test_every_rule_has_both_examples():
    modules = (exponentials, logarithms, scaled)
    found = [value for module in modules for value in vars(module).values()]
    names = {value.name for value in found if isinstance(value, Rule)}
    assert set(FIRES) == names
    assert set(RESTS) == names


def rewritten(output, *phases):
    graph = FunctionGraph([x], [output])
    rewriter = Rewriter(default_rules())
    return rewriter.rewrite_outputs(graph.outputs, graph.interner, phases)[0]


x = T.dmatrix("x")
TOP = x.max(axis=1, keepdims=True)
GUARDED = T.switch(T.isinf(TOP), 0.0, TOP)


@pytest.mark.parametrize("top", [TOP, GUARDED], ids=["plain", "guarded"])
def test_stabilized_by_hand_is_recognized(top):
    total = T.exp(x - top).sum(axis=1)
    whole = rewritten(top.dimshuffle(0) + T.log(total), "canonicalize", "stabilize")
    direct = rewritten(T.log(T.exp(x).sum(axis=1)), "canonicalize", "stabilize")
    assert isinstance(direct.owner.op, LogSumExp)
    assert isinstance(whole.owner.op, LogSumExp)
    assert whole.owner.inputs[0].owner is None
    share = rewritten(T.exp(x - top) / total[:, None], "canonicalize", "stabilize")
    assert isinstance(share.owner.op, Softmax)
    assert share.owner.inputs[0].owner is None


def test_maxima_of_other_rows_are_not_those_taken_off():
    top = x.max(axis=1)
    total = T.log(T.exp(x - top[:, None]).sum(axis=1))
    outer = top[None, :] + total[:, None]
    value = np.array([[1.0, 2.0], [30.0, 4.0]])
    graph = FunctionGraph([x], [outer])
    (expected,), (found,) = (
        interpret(g, [value]) for g in (graph, Rewriter(default_rules()).rewrite(graph))
    )
    np.testing.assert_allclose(found, expected, rtol=1e-13)


BY_HAND = {
    "logsumexp": lambda v: v.max() + T.log(T.exp(v - v.max()).sum()),
    "weighted": lambda v: v.max() + T.log(([0.2, 0.3, 0.5] * T.exp(v - v.max())).sum()),
    "mean": lambda v: v.max() + T.log(T.exp(v - v.max()).mean()),
    "softplus": lambda v: (T.maximum(v, 0) + T.log1p(T.exp(-abs(v)))).sum(),
    "sigmoid": lambda v: T.switch(v >= 0, 1 / (1 + T.exp(-v)), T.exp(v) / (1 + T.exp(v))).sum(),
    "two": lambda v: (
        T.maximum(v[0], v[1])
        + T.log(T.exp(v[0] - T.maximum(v[0], v[1])) + T.exp(v[1] - T.maximum(v[0], v[1])))
    ),
    "norm": lambda v: abs(v).max() * T.sqrt(T.sqr(v / abs(v).max()).sum()),
    "log1mexp": lambda v: T.switch(
        -abs(v) > -0.693, T.log(-T.expm1(-abs(v))), T.log1p(-T.exp(-abs(v)))
    ).sum(),
}


@pytest.mark.parametrize("name", BY_HAND)
def test_what_a_user_made_stable_stays_stable(name):
    v = T.dvector("v")
    values = BY_HAND[name](v)
    graph = FunctionGraph([v], [values, grad(values, v)])
    after = Rewriter(default_rules()).rewrite(graph)
    for numbers in (
        [1.0, 2.0, -0.5],
        [800.0, 790.0, 795.5],
        [-800.0, -790.0, -795.5],
        [1e-9, 3.0, -1e3],
    ):
        before = interpret(graph, [np.array(numbers)])
        found = interpret(after, [np.array(numbers)])
        assert np.isfinite(found[0])
        finite = np.isfinite(before[1])
        np.testing.assert_allclose(found[0], before[0], rtol=1e-13)
        np.testing.assert_allclose(found[1][finite], before[1][finite], rtol=1e-9, atol=1e-13)
        assert np.isfinite(found[1]).all()


def test_standardized_exponentials_are_left_alone():
    """Means and variances of exponentials do not cancel: scaling would cost passes."""
    x = T.dmatrix("x")
    y = T.exp(-T.sqr(x))
    deviation = T.sqrt(T.var(y, axis=0) + 1e-5)
    value = ((y - y.mean(axis=0)) / deviation).sum()
    rewriter = Rewriter(default_rules())
    rewriter.rewrite(FunctionGraph([x], [value, grad(value, x)]))
    fired = rewriter.trace.counts()
    assert not {"quotient_of_exponentials", "log_of_exponentials"} & set(fired)
    assert fired


def neighbourhood(m, x, others):
    """Return a mean of points with weights that fall with their distance, the point among them."""
    weights = [m.exp(-k / 8 - (other - x) ** 2 / 0.5) for k, other in enumerate(others)]
    total = sum(weight * other for weight, other in zip(weights, others, strict=True))
    return total / sum(weights)


@pytest.mark.parametrize(
    "example",
    [
        lambda x, y: neighbourhood(T, x, [x, y, 2 * y]),
        lambda x, y: neighbourhood(T, x, [y, 3 * y, 2 * y, x, *[k * y for k in range(4, 30)]]),
        lambda x, y: T.exp(-T.sqr(y)) / (1 + T.exp(-T.sqr(x))),
    ],
)
def test_sums_in_which_one_exponential_is_one_are_left_alone(example):
    x, y = T.dmatrices("x", "y")
    rewriter = Rewriter(default_rules())
    rewriter.rewrite(FunctionGraph([x, y], [example(x, y)]))
    assert "quotient_of_exponentials" not in rewriter.trace.counts()


def test_a_mean_of_neighbours_has_the_values_of_its_definition():
    x, y = T.dmatrices("x", "y")
    f = function([x, y], neighbourhood(T, x, [y, x, 2 * y]))
    at = np.array([[0.3, 1e3, -1e200, 0.0], [np.nan, 1.0, 5.0, -7.0]])
    others = np.array([[0.5, -1e3, 1e200, -0.0], [1.0, np.nan, 5.0, 1e-300]])
    with np.errstate(all="ignore"):
        expected = neighbourhood(np, at, [others, at, 2 * others])
    np.testing.assert_allclose(f(at, others), expected, rtol=1e-12)


@pytest.mark.parametrize(
    "others",
    [
        lambda x, y: [y, 2 * y],  # all may vanish
        lambda x, y: [y, x + 1],
    ],
)
def test_sums_of_exponentials_that_may_vanish_are_scaled(others, fires):
    fires("quotient_of_exponentials", lambda x, y: neighbourhood(T, x, others(x, y)))


def test_sums_of_exponentials_that_may_overflow_are_scaled(fires):
    fires("quotient_of_exponentials",
          lambda x, y: T.exp(y) / (1 + T.exp(-T.sqr(x)) + T.exp(T.sqr(y))))  # fmt: skip
    fires("quotient_of_exponentials",
          lambda x, y: T.exp(y) / (T.exp(-T.sqr(x - x)) + T.exp(x)))  # fmt: skip
