"""Angles in degrees and Huber's functions are SciPy's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano.function.verify import verify_grad
from tests.tensor.special.scipys import (
    EDGES,
    INFINITE,
    SHAPES,
    SIGNED,
    SLOPES,
    assert_scipys,
    value,
)  # fmt: skip

DEGREES = np.append(np.arange(-8, 9) * 45.0, [17.3, -1e4, np.nan])
DELTAS = np.concatenate([SHAPES, [[np.nan]]])
CASES: list[tuple[str, tuple[Any, ...]]] = [
    ("cosm1", (np.append(SIGNED, INFINITE),)),
    ("cosm1", (SIGNED[:0],)),
    ("sindg", (DEGREES,)),
    ("cosdg", (DEGREES,)),
    ("tandg", (DEGREES[::2] + 0.5,)),
    ("huber", (DELTAS, np.append(SIGNED, EDGES))),
    ("huber", (np.array([[np.inf]]), SIGNED)),
    ("pseudo_huber", (DELTAS[:-1], np.append(SIGNED, EDGES))),
]


@pytest.mark.parametrize(("name", "arrays"), CASES)
def test_values(name: str, arrays: tuple[Any, ...]) -> None:
    assert_scipys(name, *arrays)


def test_a_smooth_loss_where_squares_overflow() -> None:
    delta = np.array([[1e-300], [1.0], [1e300], [np.inf]])
    got = value("pseudo_huber", delta, np.array([0.0, 3.0, 1e300]))
    want = [[0.0, 3e-300, 1.0], [0.0, 10**0.5 - 1, 1e300], [0.0, 4.5, np.inf], [0.0, 4.5, np.inf]]
    np.testing.assert_allclose(got, want, rtol=1e-14)


@pytest.mark.needs_cc
def test_gradients() -> None:
    for f in (T.special.cosm1, T.special.sindg):
        verify_grad(f, [SLOPES])
    verify_grad(lambda r: T.special.huber(0.5, r), [SLOPES])
    verify_grad(T.special.pseudo_huber, [np.array(0.5), SLOPES])
