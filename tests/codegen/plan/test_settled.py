"""Settled edges: what iterations leave as it was before the loop."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import symtheano.tensor as T
from symtheano import scan
from tests.support.plans import planned

u = T.dvector("u")


def smooth(u: Any) -> Any:
    return T.set_subtensor(u[1:-1], u[:-2] + u[2:])


@pytest.mark.parametrize(
    ("step", "expected"),
    [
        (smooth, True),
        (lambda u: T.inc_subtensor(u[1:], u[:-1]), True),
        (lambda u: T.set_subtensor(smooth(u)[0], u[1]), False),
        (lambda u: smooth(T.tanh(u)), False),
        (lambda u: T.set_subtensor(u[20:], u[:-20]), False),
        (lambda u: T.set_subtensor(u[1:], T.tanh(u[1:])), False),
        (lambda u: u + 1, False),
    ],
)
def test_settled_edges(step: Callable[[Any], Any], expected: bool) -> None:
    plan = planned([u], [scan(step, None, u, n_steps=9)[0][-1]])
    (loop,) = plan.loops.values()
    assert bool(loop.region.settled) is expected
