"""Differences and quotients of polynomials."""

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import grad
from symtheano.graph.intern import FunctionGraph
from symtheano.interpret import interpret
from symtheano.rewrites import rational
from symtheano.rewrites.engine import Rewriter
from symtheano.rewrites.library import default_rules
from symtheano.rewrites.rational import polynomial
from symtheano.rewrites.rule import Rule

RULES = default_rules()

FIRES = {
    "difference_of_quotients": lambda x: 1 / (1 + x) - x / (1 + x) ** 2,
    "quotient_of_powers": lambda x: (x**2 - 1) / (x**2 + 1),
    "product_over_sum": lambda x, y: x * y / (x + y),
}

RESTS = {
    "difference_of_quotients": lambda x, y: 1 / (1 + x) - y / (1 + x),
    "quotient_of_powers": lambda x, y: (x**2 - 1) / (y**2 + 1),
    "product_over_sum": lambda x, y, w: x * w / (x + y),
}


@pytest.mark.parametrize("name", FIRES)
def test_fires(name, fires):
    fires(name, FIRES[name])


@pytest.mark.parametrize("name", RESTS)
def test_rests(name, rests):
    rests(name, RESTS[name])


def test_every_rule_has_both_examples():
    names = {value.name for value in vars(rational).values() if isinstance(value, Rule)}
    assert set(FIRES) == names
    assert set(RESTS) == names


def test_more_of_them(fires, rests):
    fires("difference_of_quotients", lambda x: 1 / x - 1 / (x + 1))
    fires("difference_of_quotients", lambda x, y, w: w * y / (x + y) - w * x * y / (x + y) ** 2)
    fires("quotient_of_powers", lambda x: x**3 / (x**2 + 1))
    fires("quotient_of_powers", lambda x, y: y * (x**3 - x) / (x**4 + 2))
    fires("product_over_sum", lambda x, y: x**2 / (x + y))
    fires("product_over_sum", lambda x, y: x * y / (x + y) ** 2)
    rests("difference_of_quotients", lambda x, y: 1 / (1 + x) + x / (1 + x) ** 2)
    rests("difference_of_quotients", lambda x, y: x / (1 + x) - y / (1 + y))
    rests("difference_of_quotients", lambda x: 1 / (x + 1) ** 2 - 1 / x**2)
    rests("quotient_of_powers", lambda x: (x + 1) / (x + 2))
    rests("quotient_of_powers", lambda x: 1 / (x**2 + 1))


def test_polynomials():
    x, y = T.dscalar("x"), T.dscalar("y")
    squares = polynomial((x - y) * (x + y))
    assert squares == {frozenset([(x, 2)]): 1.0, frozenset([(y, 2)]): -1.0}
    assert polynomial(x - x) == {}
    assert polynomial((1 + x) ** 7) is None, "too many terms"
    assert polynomial(x * np.inf) is None


@pytest.mark.parametrize(
    "form",
    [
        lambda x: (x**2 - 1) / (x**2 + 1),
        lambda x: x**3 / (1 + x**2),
        lambda x: 3 * x**4 / (2 + x**4),
        lambda x: x / (1 + x**4),
    ],
)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_values_of_ordinary_numbers(form, dtype):
    """Against more digits: sums of a square and one lose what they lose as written."""
    x = T.vector("x", dtype=dtype)
    values = np.random.default_rng(0).normal(size=2000).astype(dtype) * 30
    graph = Rewriter(RULES).rewrite(FunctionGraph([x], [form(x)]))
    found, wanted = interpret(graph, [values])[0], form(values.astype(np.longdouble))
    scale = np.abs(wanted) + np.abs(1 / (1 + values.astype(np.longdouble) ** 2))
    assert (np.abs(found - wanted) <= 4 * np.finfo(dtype).eps * scale).all()


@pytest.mark.parametrize(
    "form",
    [
        lambda x: x / (1 + x),
        lambda x: x**2 / (1 + x**2),
        lambda x: (x - 1) / (x + 1),
        lambda x: T.log(1 + x) - T.log(x),
        lambda x: T.exp(x) / (2 + T.exp(x)),
        lambda x: (1 + T.exp(x)) / (1 + T.exp(x) + T.exp(2 * x)),
    ],
)
def test_gradients_of_random_numbers_are_not_worse(form):
    """They are what they are without the rule, but for rounding."""
    x = T.dvector("x")
    values = np.abs(np.random.default_rng(1).normal(size=2000)) * 5
    slope = grad(form(x).sum(), x)
    plain = [rule for rule in RULES if rule.name != "difference_of_quotients"]
    graphs = [Rewriter(rules).rewrite(FunctionGraph([x], [slope])) for rules in (RULES, plain)]
    first, second = (interpret(graph, [values])[0] for graph in graphs)
    np.testing.assert_allclose(first, second, rtol=1e-11, atol=1e-15)
