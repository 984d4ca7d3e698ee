"""Products of ``exp(-x**2)`` and ``erfc(x)``, and what vanishes with an exponential."""

import mpmath
import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import grad
from symtheano.graph.intern import FunctionGraph
from symtheano.interpret import interpret
from symtheano.rewrites import bells, vanishing
from symtheano.rewrites.engine import Rewriter
from symtheano.rewrites.library import default_rules
from symtheano.rewrites.rule import Rule

FIRES = {
    "bell_and_erfc": lambda x, y: (
        y * T.exp(-(x**2)) / T.erfc(x)
        + T.exp(x**2 / 2) * T.erfc(x / np.sqrt(2))
        + T.exp(-(x**2) / 2) / T.erfc(x / T.sqrt(2.0))
    ),
    "log_of_one_minus_double_exponential": lambda x: T.log(1 - T.exp(-T.exp(abs(x)))),
    "log_of_softplus": lambda x: T.log(T.log(1 + T.exp(x))),
}

RESTS = {
    "bell_and_erfc": lambda x, y: (
        T.exp(-(x**2)) / T.erfc(y) + T.exp(x**2 / 3) * T.erfc(x / np.sqrt(2))
    ),
    "log_of_one_minus_double_exponential": lambda x: T.log(1 - T.exp(-x)),
    "log_of_softplus": lambda x: T.log(1 + T.exp(x)),
}


@pytest.mark.parametrize("name", FIRES)
def test_fires(name, fires):
    fires(name, FIRES[name])


@pytest.mark.parametrize("name", RESTS)
def test_rests(name, rests):
    rests(name, RESTS[name])


def test_every_rule_has_both_examples():
    found = [*vars(bells).values(), *vars(vanishing).values()]
    assert set(FIRES) == set(RESTS) == {value.name for value in found if isinstance(value, Rule)}


EDGES = np.array([0.0, -0.0, 1.0, -3.0, 40.0, -800.0, np.inf, -np.inf, np.nan])


def rewritten(outputs, inputs, values):
    graph = Rewriter(default_rules()).rewrite(FunctionGraph(inputs, outputs))
    with np.errstate(all="ignore"):
        return interpret(graph, values)


def test_edges_of_functions_that_vanish():
    """Infinities and NaN are what they are in the limit; so are derivatives."""
    x = T.dvector("x")
    values = [T.log(1 - T.exp(-T.exp(x))), T.log(T.log(1 + T.exp(x)))]
    slopes = [grad(value.sum(), x) for value in values]
    first, second, slope, other = rewritten([*values, *slopes], [x], [EDGES])
    inf = np.inf
    np.testing.assert_allclose(first[[4, 5, 6, 7]], [0, -800, 0, -inf])
    np.testing.assert_allclose(second[[4, 5, 6, 7]], [np.log(40), -800, inf, -inf])
    np.testing.assert_allclose(slope[[4, 5, 7]], [0, 1, 1])
    np.testing.assert_allclose(other[[4, 5, 6, 7]], [1 / 40, 1, 0, 1])
    assert np.isnan([first[8], second[8], slope[8], other[8]]).all()


@pytest.mark.parametrize(
    ("share", "root"),
    [(0.5, np.sqrt(2)), (0.5, np.float32(np.sqrt(2))), (1.0, np.sqrt(2)), (0.25, 2.0), (3.0, 1.0)],
)
def test_exponents_beside_erfc(share, root):
    """Quotients are right where both vanish, if the exponent is at least the square of erfc's."""
    x = T.dvector("x")
    at = np.array([-40.0, -27.0, -3.0, 0.0, 0.5, 5.0, 25.0, 40.0])
    values = [T.exp(-share * x**2) / T.erfc(x / root), T.exp(share * x**2) * T.erfc(x / root)]
    quotient, product = rewritten(values, [x], [at])
    for position, item in enumerate(at):
        z = mpmath.mpf(item) / mpmath.mpf(float(root))
        exponent, tail = share * mpmath.mpf(item) ** 2, mpmath.erfc(z)
        np.testing.assert_allclose(quotient[position], float(mpmath.exp(-exponent) / tail), 1e-12)
        np.testing.assert_allclose(product[position], float(mpmath.exp(exponent) * tail), 1e-12)
