"""Attributes that programs give to variables."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import OpFromGraph, clone, function, nn, shared
from symtheano.graph.walk import replace


@pytest.mark.parametrize(
    ("use", "message"),
    [
        (lambda x: nn.Dense(3, activation=x), "an activation must be a name"),
        (lambda x: nn.Dense(3, kernel_initializer=x), "an initializer must be a name"),
        (lambda x: nn.Sequential([nn.Dense(3)]).compile(x), "a loss must be a name"),
        (lambda x: OpFromGraph([x], [x], lop_overrides=x), "lop_overrides is or contains"),
        (lambda x: OpFromGraph([x], [x], lop_overrides=[x]), "lop_overrides is or contains"),
    ],
)
def test_a_variable_is_not_taken_for_a_function(use: Any, message: str) -> None:
    x = T.dvector("x")
    assert not callable(x)
    with pytest.raises(TypeError, match=message):
        use(x)


def test_variables_take_attributes_and_keep_them() -> None:
    x, w = T.dmatrix("x"), shared(np.ones(3), "w")
    y = T.exp(x)
    for item in (x, y, w, T.constant(2.0)):
        item._keras_shape = (None, 3)
        item.uses_learning_phase = True
        for twin in (pickle.loads(pickle.dumps(item)), copy.deepcopy(item), copy.copy(item)):
            assert twin._keras_shape == (None, 3)
            assert twin.uses_learning_phase is True
        del item.uses_learning_phase
        assert not hasattr(item, "uses_learning_phase")


def test_attributes_change_no_graph() -> None:
    x = T.dvector("x")
    y = T.exp(x)
    y.note = x.note = "ours"
    z = clone(y + x, {x: T.dvector("z")})
    assert replace([y + 1], {x: z})
    np.testing.assert_array_equal(function([x], y + x, mode="INTERPRET")([0.0]), [1.0])
    other = pickle.loads(pickle.dumps(y + x))
    assert other.owner.inputs[0].note == other.owner.inputs[1].note == "ours"


def test_default_updates_are_set_and_deleted() -> None:
    w = shared(0.0, "w")
    assert w.default_update is None
    w.default_update = w + 1
    assert pickle.loads(pickle.dumps(w)).default_update is not None
    assert w.clone().default_update is w.default_update
    f = function([], w * 1, mode="INTERPRET")
    del w.default_update
    assert w.default_update is None
    still = function([], w * 1, mode="INTERPRET")
    f(), f(), still()
    assert w.get_value() == 2
    with pytest.raises(AttributeError):
        del w.default_update
