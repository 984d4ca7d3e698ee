"""What only the first iteration adds to a state."""

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function, grad, scan
from symtheano.graph.intern import FunctionGraph
from symtheano.interpret import interpret
from symtheano.loops.scan_op import Scan
from symtheano.rewrites import scan_starts
from symtheano.rewrites.engine import Rewriter
from symtheano.rewrites.library import default_rules
from symtheano.rewrites.rule import Rule
from symtheano.scalar import table as scalar
from symtheano.tensor.elemwise import Elemwise

NAME = "first_term_before_loop"


def last(x, w, step=None):
    """Return the last row of a recurrence."""
    values, _ = scan(step or (lambda row, h, w: T.tanh(T.dot(h, w) + row)), x, x[0], w)
    return values[-1]


def all_rows(x, w):
    values, _ = scan(lambda row, h, w: T.tanh(T.dot(h, w) + row), x, x[0], w)
    return grad(T.sqr(values).sum(), w)


def added_twice(x):
    """Return a state to which every iteration adds, and of which another result is made."""

    def step(i, total, y):
        first = T.switch(T.eq(i, 0), y, T.zeros_like(y))
        return T.tanh(total + first) * total

    return scan(step, T.arange(4), T.zeros_like(x[0]), x[0])[0][-1]


FIRES = {NAME: lambda d: grad(T.sqr(last(d, T.dot(d.T, d))).sum(), d)}
RESTS = {NAME: added_twice}


@pytest.mark.parametrize("name", FIRES)
def test_fires(name, fires):
    fires(name, FIRES[name])


@pytest.mark.parametrize("name", RESTS)
def test_rests(name, rests):
    rests(name, RESTS[name])


def test_a_gradient_of_all_rows_rests(rests):
    rests(NAME, lambda d: all_rows(d, T.dot(d.T, d)))


def test_every_rule_has_both_examples():
    names = {value.name for value in vars(scan_starts).values() if isinstance(value, Rule)}
    assert set(FIRES) == set(RESTS) == names


def parts(row, h, w):
    """Return a step of which the gradient reads two parts of the state."""
    return T.set_subtensor(T.dot(h, w)[1:], T.tanh(h[1:]) + row[:-1])


STEPS = {
    "one": None,
    "parts": parts,
    "axes": lambda row, h, w: T.tanh(h.dimshuffle("x", 0) * w).sum(axis=1) + row,
}


@pytest.mark.needs_cc
@pytest.mark.parametrize("name", STEPS)
@pytest.mark.parametrize("rows", [1, 2, 6])
def test_gradients_are_the_same(name, rows):
    x, w = T.dmatrix("x"), T.dmatrix("w")
    cost = T.sqr(last(x, w, STEPS[name])).sum()
    outputs = [cost, *grad(cost, [x, w])]
    rng = np.random.default_rng(rows)
    given = [rng.normal(size=(rows, 4)), rng.normal(size=(4, 4))]
    wanted = interpret(FunctionGraph([x, w], outputs), given)
    for one, other in zip(function([x, w], outputs)(*given), wanted, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-13)


@pytest.mark.needs_cc
def test_nothing_is_added_before_a_loop_without_iterations():
    x, y, n = T.dvector("x"), T.dvector("y"), T.lscalar("n")

    def step(i, total, y):
        return 2 * (total + T.switch(T.eq(i, 0), y, T.zeros_like(y)))

    total = scan(step, T.arange(n), x, y)[0]
    last_value = T.concatenate([x.dimshuffle("x", 0), total])[-1]
    f = function([x, y, n], last_value)
    a, b = np.array([1.0, -2.0]), np.array([10.0, 20.0])
    for count in range(4):
        wanted = a if count == 0 else 2**count * (a + b)
        np.testing.assert_array_equal(f(a, b, count), wanted)


def test_the_loop_chooses_nothing():
    x, w = T.dmatrix("x"), T.dmatrix("w")
    outputs = grad(T.sqr(last(x, w)).sum(), [x, w])
    graph = Rewriter(default_rules()).rewrite(FunctionGraph([x, w], outputs))
    inner = [n for node in graph.nodes if isinstance(node.op, Scan) for n in node.op.region.nodes]
    assert inner
    assert not any(isinstance(n.op, Elemwise) and n.op.scalar_op is scalar.switch for n in inner)
