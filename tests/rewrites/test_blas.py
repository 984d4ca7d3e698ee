"""Products."""

import pytest

import symtheano.tensor as T
from symtheano.rewrites import blas
from symtheano.rewrites.rule import Rule

FIRES = {
    "transposed_product": lambda x, y: T.dot(x, y).T,
    "product_with_zeros": lambda x: T.dot(x, x.zeros_like()),
    "sign_of_dot": lambda x, y: T.dot(x, -y),
    "product_with_identity": lambda x: T.dot(x, T.eye(x.shape[1])),
    "inner_product": lambda v, u: T.dot(v, u),
    "order_of_products": lambda pair: T.dot(T.dot(pair, pair[:, :2]), pair[0, :2]),
    "scaled_product": lambda x, y: -T.dot(x, y) / 4,
    "accumulate_product": lambda w, x, y, s: w - s * T.dot(x, y),
    "accumulate_with_decay": lambda w, x, y, s: w - s * (T.dot(x, y) + 0.5 * w),
}

RESTS = {
    "transposed_product": lambda x, y: T.dot(x.T, y),
    "product_with_zeros": lambda x: T.dot(x, x.ones_like()),
    "sign_of_dot": lambda x, y: T.dot(x, y),
    "product_with_identity": lambda x: T.dot(x, T.eye(x.shape[1], k=1)),
    "inner_product": lambda x, v: T.dot(x, v),
    "order_of_products": lambda pair, x: T.dot(T.dot(pair, pair), x.T),
    "scaled_product": lambda x, y: T.exp(2 * T.dot(x, y)),
    "accumulate_product": lambda v, x, y: T.dot(x, y) + v,
    "accumulate_with_decay": lambda w, x, y: w - (T.dot(x, y) + w),
}


@pytest.mark.parametrize("name", FIRES)
def test_fires(name, fires):
    fires(name, FIRES[name])


@pytest.mark.parametrize("name", RESTS)
def test_rests(name, rests):
    rests(name, RESTS[name])


def test_accumulates_into_an_expression_that_is_made_for_it(fires, rests):
    fires("accumulate_product", lambda w, x, y: T.tanh(w) - 2 * T.dot(x, y))
    rests("accumulate_product", lambda w, x, y: T.exp(T.tanh(w) + T.dot(x, y)))
    rests("accumulate_product", lambda w, x, y: (z := T.tanh(w)).sum() + (z + T.dot(x, y)))


def matrix(rows, columns):
    return T.tensor("m", "float64", shape=(rows, columns))


def test_the_cheapest_order_of_products(fires, rests):
    gain, seen, spread = matrix(4, 2), matrix(2, 4), matrix(4, 4)
    fires("order_of_products", lambda: T.dot(T.dot(gain, seen), spread))
    fires("order_of_products", lambda: T.dot(spread, T.dot(gain, seen)))
    fires("order_of_products", lambda: T.dot(T.dot(spread, gain), T.dot(seen, spread)[:, 0]))
    rests("order_of_products", lambda: T.dot(T.dot(spread, spread), spread))
    rests("order_of_products", lambda: T.dot(seen, T.dot(spread, gain)))
    rests("order_of_products", lambda: (m := T.dot(gain, seen)) + T.dot(m, spread))


def test_every_rule_has_both_examples():
    names = {value.name for value in vars(blas).values() if isinstance(value, Rule)}
    assert set(FIRES) == names
    assert set(RESTS) == names
