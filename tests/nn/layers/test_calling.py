"""What calls of layers make belongs to the calls, not to the layers."""

from __future__ import annotations

from threading import Thread
from typing import Any

import numpy as np
from numpy.testing import assert_array_equal

import symtheano
import symtheano.tensor as T
from symtheano import nn
from symtheano.nn.layers.calling import Call, current_call


class Penalized(nn.Layer):
    """A layer with a penalty, which calls another layer's ``apply`` in ``call``."""

    inner: Any = None

    def call(self, x: Any) -> Any:
        self.penalty(T.sum(x))
        return x if self.inner is None else self.inner.as_function(x)


def test_inner_layers_share_updates_and_penalties_but_not_states() -> None:
    call = Call(("mask",))
    with call.active():
        current_call().penalties.append(1)
        part = call.of_part((None,))
        with part.active():
            current_call().penalties.append(2)
            current_call().final_states.append(("state", ()))
        assert current_call() is call
    assert call.penalties == [1, 2]
    assert (call.final_states, part.final_states, part.masks) == ([], [("state", ())], (None,))


def test_a_call_ends_with_an_error() -> None:
    try:
        with Call(("mask",)).active():
            raise ValueError
    except ValueError:
        assert current_call().masks == ()


def test_a_call_belongs_to_its_thread() -> None:
    seen: list[Any] = []
    with Call(("mask",)).active():
        thread = Thread(target=lambda: seen.append(current_call().masks))
        thread.start()
        thread.join()
    assert seen == [()]


def test_nothing_of_a_call_stays_with_the_layer() -> None:
    """Also a layer that is used as an activation adds nothing to the layer that uses it."""
    layer, x = Penalized(), nn.Input((2,))
    layer.inner = Penalized()
    before = set(vars(layer))
    y = layer(x)
    assert set(vars(layer)) - before <= {"_randomness", "_dtype"}
    assert len(y.own_penalties) == 1
    assert len(layer(x).own_penalties) == 1


def test_updates_of_each_call_are_those_of_its_input() -> None:
    layer = nn.BatchNorm(momentum=0.5)
    first, second = nn.Input((2,), seed=0), nn.Input((2,), seed=0)
    y, z = layer(first), layer(second)
    for value, source in ((y, first), (z, second)):
        ((_, new), *_) = value.own_updates
        step = symtheano.function([source.train], new)
        assert_array_equal(step(np.array([[1.0, 2.0], [3.0, 4.0]], "float32")), [1.0, 1.5])
