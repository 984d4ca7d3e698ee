"""Numbers that iterations pass on: which are the device's, and their values."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function, grad, scan
from symtheano.loopir import Launch, Program, ReadBack, Run
from symtheano.loopir.names import walk
from tests.codegen.passes.cuda.programs import cuda_program, emulated

pytestmark = pytest.mark.needs_cxx

x, h, a = T.fmatrix("x"), T.fvector("h"), T.fscalar("a")


def gradient() -> Any:
    """Return a gradient that adds the sums of all iterations."""
    states, _ = scan(lambda row, state: T.tanh(a * row + (1 - a) * state), sequences=x,
                     outputs_info=T.zeros_like(x[0]))  # fmt: skip
    return grad(T.sqr(states).sum(), a)


def factors() -> Any:
    """Return states that are multiplied by a number, which changes with their sum."""
    (states, _), _ = scan(
        lambda row, state, factor: (T.tanh(state * factor + row), factor / 2 + T.sqr(state).sum()),
        sequences=x, outputs_info=[h, T.constant(np.float32(1))],
    )  # fmt: skip
    return states


def counted() -> Any:
    """Return a number that decides how long an array is, which the host needs."""
    last, _ = scan(lambda row, number: number + T.cast(row.sum(), "int64"), sequences=x,
                   outputs_info=T.constant(np.int64(0)))  # fmt: skip
    return T.zeros((T.maximum(last[-1], 1),)) + h.sum()


def reads(program: Program) -> int:
    statements = [*walk(program.body), *(s for f in program.functions for s in walk(f.body))]
    assert any(isinstance(s, Launch | Run) for s in statements)
    return sum(isinstance(s, ReadBack) for s in statements)


@pytest.mark.parametrize(("write", "count"), [(gradient, 0), (factors, 0), (counted, 1)])
def test_numbers_of_iterations(write: Any, count: int) -> None:
    result = write()
    assert reads(cuda_program([x, h, a], result)) == count
    mine = emulated([x, h, a], result)
    its = function([x, h, a], result, on_unused_input="ignore")
    for rows in (1, 4):
        given = np.random.default_rng(rows).normal(size=(rows, 5)).astype("float32")
        arguments = given, np.ones(5, "float32"), np.float32(0.3)
        np.testing.assert_allclose(mine(*arguments), its(*arguments), rtol=2e-5)
