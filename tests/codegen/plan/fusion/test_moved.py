"""Values move to the only group that reads them, with what only they need."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano.tensor.variable import Tensor
from tests.codegen.plan.test_schedule import nests, schedule
from tests.support.compare import Array, check

c, t = T.dvectors("c", "t")
left = T.floor(t)
i = T.cast(left, "int64")
u = t - left


def weights(u: Any) -> list[Any]:
    square, cube = u * u, u * u * u
    return [cube / 6, (3 * cube - 6 * square + 4) / 6]


def stored(outputs: list[Tensor]) -> list[int]:
    """Return how many arrays of floats each nest stores."""
    made = schedule([c, t], outputs)
    return [sum(value.dtype == "float64" for value in nest.stores) for nest in nests(made)]


def spline(c: Any, i: Any, u: Any) -> Any:
    first, second = weights(u)
    return first * c[i] + second * c[i + 1]


def test_weights_are_computed_where_they_are_used() -> None:
    # The indices have to be tested before any is used; the weights wait for this.
    assert stored([spline(c, i, u)]) == [0, 1]


def test_what_something_else_needs_is_stored() -> None:
    (first, *_) = stored([spline(c, i, u), weights(u)[0]])
    assert first > 0


def test_a_single_value_does_not_move() -> None:
    (first, _) = stored([(u * u * u - u) / 7 * c[i]])
    assert first == 1


def test_functions_do_not_move() -> None:
    (first, _) = stored([T.exp(u) * c[i] + T.exp(u * u) * c[i + 1]])
    assert first == 2


@pytest.mark.needs_cc
def test_values() -> None:
    def reference(c: Array, t: Array) -> list[Array]:
        places = np.floor(t).astype(int)
        return [spline(c, places, t - places)]

    places = np.array([0.25, 1.5, 3.75, 2.0])
    check([c, t], [spline(c, i, u)], [[np.arange(5.0) ** 2, places]], reference)
