"""Patterns, and the predicates of rules."""

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano.rewrites.match import (
    Pattern,
    as_scalar,
    conform,
    dim_of,
    is_scalar_constant,
    same_dim,
    scalar_value,
)
from symtheano.scalar import table as scalar


def test_pattern_matches_commuted_operands():
    pattern = Pattern(lambda x: (scalar.log(x + 1), scalar.log1p(x)))
    x = T.vector("x")
    assert pattern.match(T.log(x + 1)) == [x]
    assert pattern.match(T.log(1 + x)) == [x]
    assert pattern.match(T.log(x + 2)) is None
    assert pattern.match(T.exp(x + 1)) is None


def test_repeated_variable_stands_for_one_thing():
    pattern = Pattern(lambda x: (scalar.exp(x) / (scalar.exp(x) + 1), scalar.sigmoid(x)))
    x, y = T.vector("x"), T.vector("y")
    e = T.exp(x)
    assert pattern.match(T.exp(y) / (e + 1)) is None


def test_undefined_dtype_does_not_build():
    pattern = Pattern(lambda x: (scalar.log1p(scalar.exp(x)), scalar.softplus(x)))
    z = T.zvector("z")
    y = T.log1p(T.exp(z))
    assert pattern.build(pattern.match(y), y) is None


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        (T.constant(2.0), 2.0),
        (T.constant([[3, 3], [3, 3]]), 3),
        (T.constant([1, 2]), None),
        (T.constant(5.0).dimshuffle("x", "x"), 5.0),
        (T.ones((2, 3)), 1.0),
        (T.constant(np.zeros((0,))), None),
        (T.vector("v"), None),
    ],
)
def test_scalar_value(variable, value):
    assert scalar_value(variable) == value


def test_nan_is_no_number_to_look_for():
    assert not is_scalar_constant(T.constant(float("nan")), 0, 1)


def test_as_scalar_sees_through_inserted_axes():
    s = T.scalar("s")
    assert as_scalar(s.dimshuffle("x", "x")) is s
    assert as_scalar(T.alloc(s, 3)) is s
    assert as_scalar(T.vector("v")) is None


def test_lengths_are_followed_back():
    x, w = T.matrix("x"), T.matrix("w")
    y = T.exp(T.dot(x, w)).T
    assert same_dim(dim_of(y, 0), w.shape[1].owner.inputs[0].owner.inputs[1])
    assert same_dim(dim_of(y, 1), dim_of(x, 0))
    assert not same_dim(dim_of(y, 0), dim_of(y, 1))
    assert dim_of(T.zeros((2, 3)), 1) == 3


def test_conform_repeats_what_lost_an_operand():
    x, v = T.matrix("x"), T.vector("v")
    assert conform(v, x + v).ndim == 2
    assert conform(x, x + v) is x
    assert conform(x, T.exp(v)) is None
    assert conform(T.cast(x, "float32"), x + v) is None
