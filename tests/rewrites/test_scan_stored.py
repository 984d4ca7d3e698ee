"""What loops of gradients read of the loops that they go back through."""

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function, grad, scan
from symtheano.graph.intern import FunctionGraph
from symtheano.interpret import interpret
from symtheano.loops.scan_op import Scan
from symtheano.rewrites import scan_stored
from symtheano.rewrites.engine import Rewriter
from symtheano.rewrites.library import default_rules
from symtheano.rewrites.rule import Rule
from symtheano.tensor.nnet.softmax import Softmax


def logsumexp(x, axis):
    m = x.max(axis=axis, keepdims=True)
    return (m + T.log(T.exp(x - m).sum(axis=axis, keepdims=True))).sum(axis=axis)


def forward(x, w, step=None):
    """Return the log-likelihood of a hidden Markov model with scores of transitions w."""

    def plain(row, a, w):
        return logsumexp(a.dimshuffle(0, "x") + w, 0) + row

    values, _ = scan(step or plain, x[1:], x[0], w)
    return logsumexp(values[-1], 0)


def slopes(x, w, step=None):
    return T.concatenate([item.flatten() for item in grad(forward(x, w, step), [x, w])])


def gated(x, w):
    """Return a gradient whose loop reads no reduction."""
    values, _ = scan(lambda row, h, w: T.tanh(T.dot(h, w) + row), x, x[0], w)
    return grad(T.sqr(values).sum(), w)


FIRES = {"values_that_gradients_read": lambda d: slopes(d, T.dot(d.T, d))}
RESTS = {"values_that_gradients_read": lambda d: gated(d, T.dot(d.T, d))}


@pytest.mark.parametrize("name", FIRES)
def test_fires(name, fires):
    fires(name, FIRES[name])


@pytest.mark.parametrize("name", RESTS)
def test_rests(name, rests):
    rests(name, RESTS[name])


def test_every_rule_has_both_examples():
    names = {value.name for value in vars(scan_stored).values() if isinstance(value, Rule)}
    assert set(FIRES) == set(RESTS) == names


def numbered(row, step, a, w):
    return logsumexp(a.dimshuffle(0, "x") + w * (1 + step), 0) + row


def with_rows_of_another(row, other, a, w):
    return logsumexp(a.dimshuffle(0, "x") + w + other.dimshuffle("x", 0), 0) + row


def softmaxes(row, a, w):
    shares = T.nnet.softmax(a.dimshuffle("x", 0) + w, axis=1)
    return T.dot(shares, T.tanh(a)) / (1 + T.exp(row - row.max()).sum()) + row


def from_two(row, a, b, w):
    return logsumexp(a.dimshuffle(0, "x") + w + b.dimshuffle("x", 0), 0) + row


def loops(x, w):
    """Return costs of loops whose steps have reductions."""
    number = T.arange(x.shape[0] - 1).astype(x.dtype)
    back = {"initial": x[:2], "taps": [-2, -1]}
    yield forward(x, w)
    yield scan(numbered, [x[1:], number], x[0], w)[0][-1].sum()
    yield scan(with_rows_of_another, [x[1:], x[:-1]], x[0], w)[0].sum()
    yield scan(softmaxes, x[1:], x[0], w)[0][-1].sum()
    yield scan(from_two, x[2:], back, w)[0].sum()
    yield scan(softmaxes, x, x[0], w, truncate_gradient=2)[0][-1].sum()
    yield scan(softmaxes, x, x[0], w, go_backwards=True)[0][-1].sum()
    yield scan(lambda a, w: softmaxes(a, a, w), [], x[0], w, n_steps=3)[0][-1].sum()


COUNT = 8


@pytest.mark.parametrize("number", range(COUNT))
@pytest.mark.parametrize("rows", [5, 2])
def test_gradients_are_the_same(number, rows):
    """With and without the rule, also where loops have few or no iterations."""
    rng = np.random.default_rng(number)
    x, w = T.dmatrix("x"), T.dmatrix("w")
    cost = list(loops(x, w))[number]
    outputs = [cost, *grad(cost, [x, w])]
    given = [rng.normal(size=(rows, 4)), rng.normal(size=(4, 4))]
    results = [
        interpret(Rewriter(rules).rewrite(FunctionGraph([x, w], outputs)), given)
        for rules in (default_rules(), default_rules(excluding=["values_that_gradients_read"]))
    ]
    plain = interpret(FunctionGraph([x, w], outputs), given)
    for one, other, wanted in zip(*results, plain, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-14)
        np.testing.assert_allclose(one, wanted, rtol=1e-12, atol=1e-14)


def test_there_are_as_many_loops_as_are_tested():
    assert len(list(loops(T.dmatrix(), T.dmatrix()))) == COUNT


def test_the_shares_are_stored_and_nothing_else():
    """The second loop needs no exponential, maximum or comparison of elements."""
    x, w = T.dmatrix("x"), T.dmatrix("w")
    graph = FunctionGraph([x, w], grad(forward(x, w), [x, w]))
    rewritten = Rewriter(default_rules()).rewrite(
        graph, ("canonicalize", "stabilize", "pushdown", "specialize", "loops")
    )
    first, second = (node.op for node in rewritten.nodes if isinstance(node.op, Scan))
    assert sum(isinstance(v.owner.op, Softmax) for v in first.region.outputs) == 1
    assert len(first.region.outputs) == 2
    names = {str(node.op).split(",")[0] for node in second.region.nodes}
    assert names.isdisjoint({"Elemwise{exp", "Elemwise{maximum", "Max{axis=[0]}", "Elemwise{log"})
    assert not any(isinstance(node.op, Softmax) for node in second.region.nodes)


@pytest.mark.needs_cc
def test_second_derivatives():
    x, w = T.dmatrix("x"), T.dmatrix("w")
    first = grad(forward(x, w), w)
    second = grad((first * first).sum(), w)
    rng = np.random.default_rng(3)
    given = [rng.normal(size=(4, 3)), rng.normal(size=(3, 3))]
    wanted = interpret(FunctionGraph([x, w], [first, second]), given)
    for one, other in zip(function([x, w], [first, second])(*given), wanted, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-11, atol=1e-13)


@pytest.mark.parametrize("rows", [np.s_[:], np.s_[1:], np.s_[:-1], "from k"])
def test_other_loops_that_go_back(rows):
    """They read rows of a loop, the last one first, but are no gradients."""
    x, w, k = T.dmatrix("x"), T.dmatrix("w"), T.lscalar("k")
    values, _ = scan(softmaxes, x, x[0], w)
    part = (values[k:] if rows == "from k" else values[rows])[::-1]
    total, _ = scan(lambda row, s: T.tanh(s) * row + row.sum(), part, T.zeros_like(x[0]))
    rng = np.random.default_rng(4)
    given = [rng.normal(size=(6, 4)), rng.normal(size=(4, 4)), np.array(2)]
    graph = FunctionGraph([x, w, k], [total])
    found = interpret(Rewriter(default_rules()).rewrite(graph), given)[0]
    np.testing.assert_allclose(found, interpret(graph, given)[0], rtol=1e-12)
