"""Structure: constants, casts, axes, values repeated to a shape."""

import pytest

import symtheano.tensor as T
from symtheano import gradient
from symtheano.rewrites import canonicalize
from symtheano.rewrites.rule import Rule
from symtheano.scalar.table import scalar_op
from symtheano.tensor.elemwise import DimShuffle, elemwise

FIRES = {
    "constant_folding": lambda x: T.constant([1.0, 2.0]).sum() * x,
    "explicit_casts": lambda x, k: x * k,
    "cast_of_cast": lambda k: T.cast(T.cast(k, "int32"), "float64"),
    "copies": lambda x: x.copy(),
    "other_gradients": lambda x: T.exp(gradient.grad_clip(x, -1, 1)),
    "parts_of_reals": lambda x: T.real(x),
    "cast_to_own_dtype": lambda x: elemwise(scalar_op("cast{float64}"))(
        T.exp(T.cast(x, "float64"))
    ),
    "dimshuffle_in_place": lambda x: DimShuffle((0, 1))(x),
    "axes_of_one_in_order": lambda row: row.dimshuffle("x", 1, "x"),
    "dimshuffle_of_dimshuffle": lambda x: x.T.dimshuffle(0, "x", 1),
    "dimshuffle_of_alloc": lambda x, s: T.alloc(s, 3, 3).T + x,
    "dimshuffle_through_elemwise": lambda v: T.exp(v).dimshuffle("x", 0),
    "elemwise_of_scalars": lambda s, x: T.exp(s.dimshuffle("x", "x")) + x,
    "fill_as_alloc": lambda x, s: T.fill(x, s),
    "alloc_of_same_shape": lambda x: T.alloc(x, x.shape[0], x.shape[1]),
    "alloc_of_alloc": lambda s: T.alloc(T.alloc(s, 3), 3, 3),
    "alloc_of_padded": lambda v: T.alloc(v.dimshuffle("x", 0), 3, v.shape[0]),
    "elemwise_of_alloc": lambda x, s: T.alloc(s, x.shape[0], x.shape[1]) * x,
    "specified_already": lambda pair: T.specify_shape(pair, (3, 3)),
}

RESTS = {
    "constant_folding": lambda x: T.exp(x),
    "explicit_casts": lambda x, y: x * y,
    "cast_of_cast": lambda d: T.cast(T.cast(d, "float32"), "float64"),
    "copies": lambda x: T.exp(x),
    "other_gradients": lambda x: T.exp(x),
    "parts_of_reals": lambda d: T.real(T.complex(d, d)),
    "cast_to_own_dtype": lambda x: T.cast(x, "complex128"),
    "dimshuffle_in_place": lambda x: x.T,
    "axes_of_one_in_order": lambda row: row.dimshuffle(0, 1, "x"),
    "dimshuffle_of_dimshuffle": lambda x: x.T,
    "dimshuffle_of_alloc": lambda x: x.T,
    "dimshuffle_through_elemwise": lambda x: T.exp(x).T,
    "elemwise_of_scalars": lambda row, x: T.exp(row) * x,
    "fill_as_alloc": lambda x: T.exp(x),
    "alloc_of_same_shape": lambda v: T.alloc(v, 3, v.shape[0]),
    "alloc_of_alloc": lambda s, n: T.alloc(T.alloc(s, n), 3, 5 + n),
    "alloc_of_padded": lambda v: T.alloc(v.dimshuffle(0, "x"), v.shape[0], 3),
    "elemwise_of_alloc": lambda s: T.alloc(s, 3, 3).sum(),
    "specified_already": lambda x: T.specify_shape(x, (3, 3)),
}


@pytest.mark.parametrize("name", FIRES)
def test_fires(name, fires):
    fires(name, FIRES[name])


@pytest.mark.parametrize("name", RESTS)
def test_rests(name, rests):
    rests(name, RESTS[name])


def test_every_rule_has_both_examples():
    names = {value.name for value in vars(canonicalize).values() if isinstance(value, Rule)}
    assert set(FIRES) == names
    assert set(RESTS) == names
