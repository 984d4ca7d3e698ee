"""Values that are made in parts of results."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function
from symtheano.codegen.plan.lifetimes import find_lifetimes
from symtheano.codegen.plan.within import values_within
from tests.support.plans import planned

x, y = T.dmatrix("x"), T.dmatrix("y")
costly = T.exp(-T.sqr(x[1:-1])) * T.tanh(x[1:-1]) * T.sin(x[1:-1])


@pytest.mark.parametrize(
    ("outputs", "expected"),
    [
        ([T.set_subtensor(x[1:-1], costly), costly.sum()], True),
        ([T.set_subtensor(y[1:-1], costly)], False),  # computed by the loop that puts it
        ([T.set_subtensor(y[1:-1], costly), costly], False),
        ([T.set_subtensor(y[1:-1], costly), costly[::-1] + 1], False),
        ([T.set_subtensor(y[1:-1], costly), T.dot(costly, y), costly.sum()], False),
        ([T.inc_subtensor(y[1:-1], costly), costly.sum()], False),
        ([T.set_subtensor(y[20:], T.exp(x[20:])), T.exp(x[20:]).sum()], False),
        ([T.concatenate([T.tanh(x), T.cos(y)]), T.tanh(x).sum(axis=0)], True),
    ],
)
def test_values_that_loops_over_elements_read(outputs: list[Any], expected: bool) -> None:
    lifetimes = find_lifetimes(planned([x, y], outputs).schedule)
    found, changed = values_within(lifetimes)
    assert bool(found) is expected
    for value, part in found.items():
        (result,) = part.node.outputs
        assert changed.first[result] == lifetimes.first[value] <= lifetimes.first[result]
    f = function([x, y], outputs, on_unused_input="ignore")
    plain = function([x, y], outputs, mode="INTERPRET", on_unused_input="ignore")
    for size in (0, 1, 2, 3, 30):
        values = np.random.default_rng(size).normal(size=(2, size, size))
        for one, other in zip(f(*values), plain(*values), strict=True):
            np.testing.assert_allclose(one, other, 1e-12, 1e-12)


def test_the_memory_of_a_result_is_not_given_away_while_its_parts_are_read() -> None:
    value = costly
    whole = T.set_subtensor(y[1:-1], value)
    other = T.tanh(whole) * 2
    last = T.set_subtensor(other[1:-1], other[1:-1] * value.sum(axis=0) + T.sin(value))
    f = function([x, y], [last, value.max()])
    plain = function([x, y], [last, value.max()], mode="INTERPRET")
    for size in (3, 4, 40):
        values = np.random.default_rng(size).normal(size=(2, size, size))
        for one, other in zip(f(*values), plain(*values), strict=True):
            np.testing.assert_allclose(one, other, 1e-12, 1e-12)
