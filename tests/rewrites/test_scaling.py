"""Products, quotients and squares that would overflow."""

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import grad
from symtheano.graph.intern import FunctionGraph
from symtheano.interpret import interpret
from symtheano.rewrites import scaling
from symtheano.rewrites.engine import Rewriter
from symtheano.rewrites.library import default_rules
from symtheano.rewrites.rule import Rule

FIRES = {
    "log_of_products_in_range": lambda x, y, w: T.log(x * y / w) + T.log(x * x / y),
    "log_of_product_in_range": lambda x, y: T.log(x * y) + T.log(x / y),
    "root_of_product_in_range": lambda x, y: T.sqrt(x * y) + T.sqrt(x / y),
    "log_of_squares_in_range": lambda x, y: T.log(x**2 + y**2),
    "log1p_of_square_in_range": lambda x: T.log(1 + x**2),
}

RESTS = {
    "log_of_products_in_range": lambda x, y: T.log(x * y) + T.log(3 * x / y),
    "log_of_product_in_range": lambda x: T.log(x * 3) + T.log(x / 7),
    "root_of_product_in_range": lambda x, t: T.sqrt(x * 3) + T.sqrt(x / t),
    "log_of_squares_in_range": lambda x, y: T.log(x**2 + y),
    "log1p_of_square_in_range": lambda x: T.log(1 + x),
}


@pytest.mark.parametrize("name", FIRES)
def test_fires(name, fires):
    fires(name, FIRES[name])


@pytest.mark.parametrize("name", RESTS)
def test_rests(name, rests):
    rests(name, RESTS[name])


def test_every_rule_has_both_examples():
    names = {value.name for value in vars(scaling).values() if isinstance(value, Rule)}
    assert set(FIRES) == names
    assert set(RESTS) == names


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_roots_of_ordinary_products_keep_their_bits(dtype):
    x, y = T.vector("x", dtype=dtype), T.vector("y", dtype=dtype)
    graph = FunctionGraph([x, y], [T.sqrt(x * y), T.sqrt(x / y)])
    values = np.random.default_rng(0).lognormal(size=(2, 1000)).astype(dtype) * 100
    found = interpret(Rewriter(default_rules()).rewrite(graph), list(values))
    for one, other in zip(interpret(graph, list(values)), found, strict=True):
        np.testing.assert_array_equal(one, other)


def test_roots_of_products_with_zeros_and_infinities():
    x, y = T.dvector("x"), T.dvector("y")
    graph = FunctionGraph([x, y], [T.sqrt(x * y), T.sqrt(x / y)])
    some = [0.0, 1e-300, 1.0, 1e300, np.inf, np.nan, -1.0]
    values = [np.array(item) for item in zip(*((a, b) for a in some for b in some), strict=True)]
    a, b = (item.astype(np.longdouble) for item in values)
    with np.errstate(all="ignore"):
        found = interpret(Rewriter(default_rules()).rewrite(graph), values)
        wanted = [np.sqrt(a * b).astype(float), np.sqrt(a / b).astype(float)]
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-15)


def test_scaled_products_are_known_in_any_order():
    """Other rules take the factors apart; the product must not be scaled again."""
    x = T.dmatrix("x")
    outputs = [T.log(x.mean(axis=1, keepdims=True) / x), T.log((x * x.sum()) * (x * x.sum()) / x)]
    graph = FunctionGraph([x], [*outputs, *(grad(output.sum(), x) for output in outputs)])
    after = Rewriter(default_rules()).rewrite(graph)
    value = np.array([[1.0, 2.0], [3.0, 4.0]])
    for one, other in zip(interpret(graph, [value]), interpret(after, [value]), strict=True):
        np.testing.assert_allclose(other, one, rtol=1e-13)


@pytest.mark.parametrize("name", ["log", "sqrt"])
@pytest.mark.parametrize("form", [lambda x, y: x / x, lambda x, y: x * y / x],
                         ids=["x / x", "x * y / x"])  # fmt: skip
def test_a_factor_that_cancels_keeps_its_nan(name, form):
    """The quotient is NaN where the factor is zero, infinite or NaN, whoever reads it."""
    x, y = T.dvectors("x", "y")
    values = [np.array([0.0, np.inf, np.nan, 2.0, 5e-324]), np.array([1.0, 1.0, 1.0, 3.0, 1.0])]
    written = FunctionGraph([x, y], [getattr(T, name)(form(x, y))])
    (mine,) = interpret(Rewriter(default_rules()).rewrite(written), values)
    with np.errstate(all="ignore"):
        wanted = getattr(np, name)(form(*values))
    np.testing.assert_allclose(mine, wanted, 1e-14)
