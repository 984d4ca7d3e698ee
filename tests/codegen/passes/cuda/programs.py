"""Programs for a device, and what they compute when they are emulated."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from symtheano import Function, config, function
from symtheano.codegen.devices import CUDA
from symtheano.codegen.lower import lower
from symtheano.loopir import Program
from symtheano.loopir.verify import verify
from tests.support.devices import DEVICE


def cuda_program(inputs: Sequence[Any], outputs: Any, **options: Any) -> Program:
    """Return a function's program for CUDA, which is verified."""
    with config.change_flags(mode="INTERPRET"):
        f = function(list(inputs), outputs, on_unused_input="ignore", **options)
    program = lower(f.stages.final, f.stages.request.donors, target=CUDA).program
    verify(program, CUDA.dialect)
    return program


def emulated(inputs: Sequence[Any], outputs: Any, **options: Any) -> Function:
    """Return a function on the emulated device."""
    with config.change_flags(device=DEVICE):
        return function(list(inputs), outputs, on_unused_input="ignore", **options)


def assert_emulated(inputs: Sequence[Any], outputs: Any, values: Sequence[Any]) -> None:
    """Fail unless the emulated device has the interpreter's results."""
    with config.change_flags(mode="INTERPRET"):
        oracle = function(list(inputs), outputs, on_unused_input="ignore")
    results, wanted = emulated(inputs, outputs)(*values), oracle(*values)
    if not isinstance(wanted, list):
        results, wanted = [results], [wanted]
    for mine, its in zip(results, wanted, strict=True):
        np.testing.assert_allclose(mine, its, rtol=1e-6, atol=1e-9)
