"""Several parts that are incremented by the same array."""

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function, grad
from symtheano.graph.intern import FunctionGraph
from symtheano.interpret import interpret
from symtheano.rewrites import windows
from symtheano.rewrites.engine import Rewriter
from symtheano.rewrites.library import default_rules
from symtheano.rewrites.rule import Rule

NAME = "increments_of_shifted_parts"


def laplacian(x):
    around = x[:-2, 1:-1] + x[2:, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:]
    return around - 4 * x[1:-1, 1:-1]


def curvature(v):
    return v[2:] - 2 * v[1:-1] + v[:-2]


COSTS = {
    "second differences": lambda x: T.sqr(curvature(x[0])).sum(),
    "of each row": lambda x: T.sqr(x[:, 2:] + x[:, 1:-1] + x[:, :-2]).sum(),
    "Laplacian": lambda x: T.sqr(laplacian(x)).sum(),
    "and elsewhere": lambda x: T.sqr(laplacian(x)).sum() + T.exp(x).sum(),
    "two arrays": lambda x: (T.sqr(laplacian(x)) * T.tanh(laplacian(x * 2))).sum(),
    "total variation": lambda x: T.abs(x[1:] - x[:-1]).sum() + T.abs(x[:, 1:] - x[:, :-1]).sum(),
    "a wide one": lambda x: T.sqr(sum(x[k : k - 4 or None] for k in range(5))).sum(),
    "uneven": lambda x: T.sqr(x[3:] + x[2:-1] + x[1:-2] + x[:-3]).sum(),
}
FIRES = {NAME: lambda d: grad(COSTS["Laplacian"](d), d)}
RESTS = {NAME: lambda d: grad(COSTS["total variation"](d), d)}


@pytest.mark.parametrize("name", FIRES)
def test_fires(name, fires):
    fires(name, FIRES[name])


@pytest.mark.parametrize("name", RESTS)
def test_rests(name, rests):
    rests(name, RESTS[name])


def test_every_rule_has_both_examples():
    names = {value.name for value in vars(windows).values() if isinstance(value, Rule)}
    assert set(FIRES) == set(RESTS) == names


@pytest.mark.needs_cc
@pytest.mark.parametrize("name", COSTS)
def test_gradients_are_the_same(name):
    """As the interpreter's of the graph as it was written, also of arrays that are too short."""
    x = T.dmatrix("x")
    outputs = [COSTS[name](x), grad(COSTS[name](x), x)]
    f = function([x], outputs)
    rng = np.random.default_rng(0)
    for shape in [(7, 6), (40, 33), (5, 5), (4, 3), (3, 3), (2, 2), (1, 5), (1, 1)]:
        given = rng.normal(size=shape)
        for one, other in zip(
            f(given), interpret(FunctionGraph([x], outputs), [given]), strict=True
        ):
            np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("shape", [(7, 6), (3, 3), (2, 9), (1, 1)])
def test_static_lengths(shape):
    x = T.TensorType("float64", shape)("x")
    gradient = grad(COSTS["Laplacian"](x), x)
    graph = Rewriter(default_rules()).rewrite(FunctionGraph([x], [gradient]))
    given = [np.random.default_rng(1).normal(size=shape)]
    wanted = interpret(FunctionGraph([x], [gradient]), given)[0]
    np.testing.assert_allclose(interpret(graph, given)[0], wanted, rtol=1e-12, atol=1e-12)


def test_other_increments_stay():
    """Of other arrays, of too few parts, and of parts in the middle."""
    x, v = T.dmatrix("x"), T.dmatrix("v")
    total = x
    for part in (np.s_[1:], np.s_[:-1], np.s_[3:7], np.s_[::2]):
        total = T.inc_subtensor(total[part], v[: total[part].shape[0]])
    rewriter = Rewriter(default_rules())
    rewriter.rewrite(FunctionGraph([x, v], [total]))
    assert NAME not in rewriter.trace.counts()


def test_values_that_are_not_finite_stay_in_their_places():
    x, v = T.dvector("x"), T.dvector("v")
    total = x
    for part in (np.s_[2:], np.s_[1:-1], np.s_[:-2]):
        total = T.inc_subtensor(total[part], v)
    graph = FunctionGraph([x, v], [total])
    given = [np.zeros(7), np.array([np.nan, 0.0, np.inf, 0.0, 0.0])]
    found = interpret(Rewriter(default_rules()).rewrite(graph), given)[0]
    np.testing.assert_array_equal(found, interpret(graph, given)[0])


def test_bounds_that_are_variables_stay():
    x, v, n = T.dvector("x"), T.dvector("v"), T.lscalar("n")
    total = x
    for start in (n, n + 1, n * 2):
        total = T.inc_subtensor(total[start : start + 3], v)
    graph = FunctionGraph([x, v, n], [total])
    given = [np.zeros(9), np.array([1.0, 2.0, 3.0]), np.array(2)]
    found = interpret(Rewriter(default_rules()).rewrite(graph), given)[0]
    np.testing.assert_array_equal(found, interpret(graph, given)[0])
