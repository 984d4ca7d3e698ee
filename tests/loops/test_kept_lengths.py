"""What an iteration requires of lengths holds in a call whether or not there is an iteration."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function, scan
from symtheano.errors import BoundsError, ShapeError

x, c = T.dvector("x"), T.dvector("c")
W = T.dmatrix("W")
n = T.lscalar("n")

STEPS: dict[str, tuple[Callable[..., Any], Any, tuple[int, ...]]] = {
    "operands": (lambda state, other: state + other, c, (4,)),
    "factors": (lambda state, other: T.dot(other, state), W, (3, 4)),
    "a state that changes": (lambda state, other: T.dot(other, state), W, (4, 3)),
    "an element": (lambda state, other: state + other[3], c, (3,)),
    "what nothing reads": (lambda state, other: state + 0 * (state + other), c, (4,)),
}


@pytest.mark.parametrize(
    "mode", ["INTERPRET", pytest.param("FAST_RUN", marks=pytest.mark.needs_cc)]
)
@pytest.mark.parametrize("name", STEPS)
def test_lengths_that_do_not_fit(name: str, mode: str) -> None:
    step, other, shape = STEPS[name]
    history, _ = scan(step, outputs_info=x, non_sequences=other, n_steps=n)
    f = function([x, other, n], history, mode=mode)
    messages = set()
    for steps in (1, 0, -1):
        with pytest.raises((ShapeError, BoundsError)) as error:
            f(np.ones(3), np.ones(shape), steps)
        messages.add(str(error.value).splitlines()[0])
    assert len(messages) == 1
    fitting = np.ones([3, 3] if other is W else [4 if name == "an element" else 3])
    for steps in (1, 0, -1):
        assert f(np.ones(3), fitting, steps).shape == (max(steps, 0), 3)


@pytest.mark.parametrize(
    "mode", ["INTERPRET", pytest.param("FAST_RUN", marks=pytest.mark.needs_cc)]
)
def test_what_depends_on_values_is_only_required_in_an_iteration(mode: str) -> None:
    kept, _ = scan(lambda i, other: other[i], sequences=T.arange(n), non_sequences=c)
    f = function([c, n], kept, mode=mode)
    assert f(np.ones(0), 0).shape == (0,)
    with pytest.raises(BoundsError):
        f(np.ones(0), 1)
