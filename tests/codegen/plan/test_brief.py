"""Which loops are known to be short."""

from __future__ import annotations

from typing import Any

import pytest

import symtheano.tensor as T
from symtheano import scan
from symtheano.tensor.as_op import as_op
from tests.support.plans import planned

n, v = T.lscalar("n"), T.dvector("v")
few, many = (T.TensorType("float64", (length,))("v") for length in (3, 1000))


@as_op([T.dvector], [T.dvector])
def op(x: Any) -> Any:
    return x


def is_brief(step: Any, start: Any, steps: Any) -> bool:
    """Return what the plan of a loop says."""
    result = scan(step, outputs_info=[start], n_steps=steps)[0][-1]
    inputs = [x for x in (n, v, few, many) if x is start or x is steps]
    (loop,) = planned(inputs, [result]).loops.values()
    assert loop.may_end or loop.brief
    return loop.brief


def test_a_loop_of_known_lengths_is_brief() -> None:
    assert is_brief(lambda s: T.tanh(s[::-1]), few, 100)


@pytest.mark.parametrize(
    ("step", "start", "steps"),
    [
        (lambda s: T.tanh(s[::-1]), few, n),
        (lambda s: T.tanh(s[::-1]), v, 10),
        (lambda s: T.tanh(s[::-1]), few, 10_000),
        (lambda s: T.tanh(s[::-1]), many, 100),
        (lambda s: T.dot(s, s) * s[::-1], many, 10),
        (lambda s: op(s)[:3], few, 10),
        (lambda s: scan(lambda a: a[::-1] + 1, outputs_info=[s], n_steps=9)[0][-1], few, 10),
    ],
    ids=["iterations", "elements", "many steps", "long rows", "product", "Python", "inner loop"],
)
def test_other_loops_are_not(step: Any, start: Any, steps: Any) -> None:
    assert not is_brief(step, start, steps)
