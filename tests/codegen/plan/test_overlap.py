"""Overlap: whether an op reads what it has changed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano.codegen.plan.overlap import reads_its_changes
from symtheano.codegen.plan.steps import OpStep
from tests.support.plans import planned

x, y = T.matrix("x"), T.matrix("y")
start = T.exp(x)


@pytest.mark.parametrize(
    ("key", "value", "expected"),
    [
        (0, y[0], False),
        (0, start[1] * 2, False),
        (0, start[1], False),
        (0, start[0] * 2, False),
        (0, start[0, ::-1] * 2, True),
        (0, start[-1] * 2, True),
        (np.s_[1:], start[:-1] * 2, True),
        (np.s_[::2], start[1::2] * start[1::2], False),
        (np.s_[::2], start[1::2] + start[::2], False),
        (np.s_[:, 0], start[:, 1] + start[:, 0], False),
        (np.s_[:, 0], start[:, 1] + start[:, 0].sum(), False),
        (np.s_[1:3, 2], start[2, 1:3] * 0.5, True),
        (np.s_[:2, :2], start[:2, :2].T * 0.5, True),
    ],
)
def test_reads_of_changes(key: Any, value: Any, expected: bool) -> None:
    outputs = [T.set_subtensor(start[key], value), start]  # the value is not stored before
    schedule = planned([x, y], outputs).schedule
    (step,) = (
        s for s in schedule.steps if isinstance(s, OpStep) and s.node.op.lowering.overwrites == 0
    )
    assert reads_its_changes(schedule.operands, step.node, step.feeds, 0) is expected
