"""What only pays in the end."""

from functools import cache

import numpy as np
import pytest

import symtheano
import symtheano.tensor as T
from symtheano.rewrites import specialize
from symtheano.rewrites.rule import Rule

FIRES = {
    "power_as_products": lambda x: x**3,
    "power_by_roots": lambda x: x**1.5,
    "clip_spelled_out": lambda x: T.minimum(T.maximum(x, 0), 1),
    "square_of_modulus": lambda x: abs(x) ** 2,
    "divide_by_root_of_row": lambda x: x / T.sqrt(abs(x).sum(axis=1, keepdims=True)),
    "divide_by_norm_of_row": lambda x: x / T.sqrt(T.sqr(x).sum(axis=1, keepdims=True)),
    "factors_of_rows_together": lambda x, y, s: (x * T.sqr(y).sum(axis=1, keepdims=True)) * s,
    "divide_by_exponential_of_row": lambda x: x / T.exp(x.sum(axis=0)),
}

RESTS = {
    "power_as_products": lambda x: x**3.5,
    "power_by_roots": lambda x: x**2.5,
    "clip_spelled_out": lambda x: T.minimum(T.maximum(x, 1), 0),
    "square_of_modulus": lambda x: abs(x) ** 3,
    "divide_by_root_of_row": lambda x: x / x.max(axis=1, keepdims=True),
    "divide_by_norm_of_row": lambda x: x / (T.exp(x).sum(axis=1, keepdims=True) * 3),
    "factors_of_rows_together": lambda x, y, s: (x * y) * s,
    "divide_by_exponential_of_row": lambda x, y: x / T.exp(y),
}


@pytest.mark.parametrize("name", FIRES)
def test_fires(name, fires):
    fires(name, FIRES[name])


@pytest.mark.parametrize("name", RESTS)
def test_rests(name, rests):
    rests(name, RESTS[name])


def test_every_rule_has_both_examples():
    names = {value.name for value in vars(specialize).values() if isinstance(value, Rule)}
    assert set(FIRES) == names
    assert set(RESTS) == names


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("exponent", [-1.0, -0.97, -0.5, 0.0, 0.5, 0.97])
def test_rows_divided_by_their_norms(dtype: str, exponent: float) -> None:
    """Also where the reciprocal of the norm, or the squares, are no finite numbers."""
    unit = normalized(dtype)
    info = np.finfo(dtype)
    scale = np.float64(info.smallest_subnormal) * 4 if exponent == -1 else (
        2.0 ** (info.maxexp * exponent)
    )  # fmt: skip
    x = (np.array([[3.0, -4.0, 0.0], [1.0, 2.0, -2.0]]) * scale).astype(dtype)
    expected = [[0.6, -0.8, 0.0], [1 / 3, 2 / 3, -2 / 3]]
    np.testing.assert_allclose(unit(x), expected, 64 * info.eps)
    np.testing.assert_allclose(unit(x * np.array(-1, dtype)), np.negative(expected), 64 * info.eps)


@cache
def normalized(dtype: str):
    x = T.matrix("x", dtype=dtype)
    return symtheano.function([x], x / T.sqrt(T.sqr(x).sum(axis=1, keepdims=True)))
