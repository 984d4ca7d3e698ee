"""Comparison of the mode SYMTHEANO with PyTensor's own functions in Python."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytensor
from pytensor.compile.mode import Mode
from pytensor.graph.rewriting.db import RewriteDatabaseQuery

from symtheano_pytensor import FallbackWarning, SymtheanoLinker

PYTHON = Mode("py", "fast_compile")

WITH_ALL_PHASES = Mode(SymtheanoLinker(), RewriteDatabaseQuery(include=["fast_run"]))
"""The mode SYMTHEANO with all of PyTensor's rewrites."""


def compare(
    inputs: Sequence[Any],
    outputs: Any,
    values: Sequence[Any],
    rtol: float = 1e-11,
    atol: float = 1e-12,
    falls_back: bool = False,
) -> list[Any]:
    """Check that both modes give the same values, dtypes and shapes, and return the values.

    ``falls_back``: whether PyTensor may compute some nodes.
    """
    listed = list(outputs) if isinstance(outputs, list | tuple) else [outputs]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore" if falls_back else "error", FallbackWarning)
        ours = pytensor.function(list(inputs), listed, mode="SYMTHEANO", on_unused_input="ignore")
    theirs = pytensor.function(list(inputs), listed, mode=PYTHON, on_unused_input="ignore")
    with np.errstate(all="ignore"):
        wanted = theirs(*values)
    results = ours(*values)
    for number, (result, want) in enumerate(zip(results, wanted, strict=True)):
        where = f"output {number}: {listed[number]}"
        want = np.asarray(want)
        assert (result.dtype, result.shape) == (want.dtype, want.shape), where
        near = rtol if want.dtype not in (np.float32, np.complex64) else max(rtol, 2e-5)
        np.testing.assert_allclose(result, want, rtol=near, atol=atol, err_msg=where)
    return results


def compare_gradients(
    inputs: Sequence[Any], output: Any, values: Sequence[Any], **options: Any
) -> None:
    """Compare the gradients of a sum with weights, of all inputs of floats."""
    result = output.eval(dict(zip(inputs, values, strict=True)), mode=PYTHON)
    weights = np.random.default_rng(5).normal(size=result.shape)
    cost = (output * weights.astype(output.dtype)).sum()
    wrt = [item for item in inputs if item.dtype.startswith("float")]
    compare(inputs, [output, *pytensor.grad(cost, wrt)], values, **options)
