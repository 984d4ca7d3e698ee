"""Shapes without arrays."""

import pytest

import symtheano.tensor as T
from symtheano.rewrites import shape
from symtheano.rewrites.rule import Rule
from symtheano.tensor.shapes.join import Join
from symtheano.tensor.shapes.shape import MakeVector

FIRES = {
    "length_of_computed": lambda x, y: (x + y).shape[0],
    "element_of_makevector": lambda x: x.shape[1],
    "makevector_of_all_items": lambda x: MakeVector(x.dtype)(
        *(T.specify_shape(x[0], (3,))[k] for k in range(3))
    ),
    "reshape_of_reshape": lambda x: x.reshape((9, 1, 1)).reshape((3, 3)),
    "reshape_as_axes": lambda x: x.reshape((x.shape[0], 1, x.shape[1])),
    "join_of_one": lambda x: Join(0)(x),
    "reshape_of_inserted_axes": lambda x: x.dimshuffle(0, "x", 1).reshape((9,)),
}

RESTS = {
    "length_of_computed": lambda x: x.shape[0],
    "element_of_makevector": lambda v: v[1],
    "makevector_of_all_items": lambda x: MakeVector(x.dtype)(
        *(T.specify_shape(x[0], (3,))[k] for k in (1, 0, 2))
    ),
    "reshape_of_reshape": lambda x: x.reshape((9,)),
    "reshape_as_axes": lambda x: x.reshape((x.shape[1], x.shape[0])),
    "join_of_one": lambda x, y: T.concatenate([x, y]),
    "reshape_of_inserted_axes": lambda x: x.T.reshape((9,)),
}


@pytest.mark.parametrize("name", FIRES)
def test_fires(name, fires):
    fires(name, FIRES[name])


@pytest.mark.parametrize("name", RESTS)
def test_rests(name, rests):
    rests(name, RESTS[name])


def test_every_rule_has_both_examples():
    names = {value.name for value in vars(shape).values() if isinstance(value, Rule)}
    assert set(FIRES) == names
    assert set(RESTS) == names
