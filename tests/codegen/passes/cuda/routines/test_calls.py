"""Launches instead of calls: which calls they take the place of."""

from __future__ import annotations

from typing import Any

import pytest

import symtheano.tensor as T
from symtheano.loopir import Call, Launch, Measure
from symtheano.loopir.names import walk
from tests.codegen.passes.cuda.programs import cuda_program

pytestmark = pytest.mark.needs_cxx

x, w = T.dtensor4("x"), T.dtensor4("w")


def kinds(inputs: Any, outputs: Any) -> set[type]:
    program = cuda_program(inputs, outputs)
    every = [*walk(program.body), *(s for f in program.functions for s in walk(f.body))]
    return {type(s) for s in every}


def test_no_workspace_is_measured_for_a_launch() -> None:
    assert kinds([x, w], T.nnet.conv2d(x, w)) >= {Launch}
    assert not kinds([x, w], T.nnet.conv2d(x, w)) & {Call, Measure}


def test_calls_that_remain_have_their_workspace() -> None:
    unshared = T.tensor("unshared", "float64", (None,) * 6)
    y = T.nnet.conv2d(x, unshared, unshared=True)
    assert kinds([x, unshared], y) >= {Call, Measure}
