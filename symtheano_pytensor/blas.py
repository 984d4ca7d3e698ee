"""Products of matrices, also those that PyTensor's rewrites have prepared for BLAS."""

from __future__ import annotations

from typing import Any

import symtheano.tensor as T
from symtheano_pytensor.registry import converts


@converts("Dot", "Dot22")
def _dot(op: Any, node: Any, x: Any, y: Any) -> Any:
    return T.dot(x, y)


@converts("Dot22Scalar")
def _scaled_dot(op: Any, node: Any, x: Any, y: Any, factor: Any) -> Any:
    return factor * T.dot(x, y)


@converts("BatchedDot")
def _batched_dot(op: Any, node: Any, x: Any, y: Any) -> Any:
    return T.batched_dot(x, y)


@converts("Gemm")
def _gemm(op: Any, node: Any, z: Any, factor: Any, x: Any, y: Any, kept: Any) -> Any:
    return kept * z + factor * T.dot(x, y)


@converts("Gemv")
def _gemv(op: Any, node: Any, y: Any, factor: Any, a: Any, x: Any, kept: Any) -> Any:
    return kept * y + factor * T.dot(a, x)


@converts("Ger")
def _ger(op: Any, node: Any, a: Any, factor: Any, x: Any, y: Any) -> Any:
    return a + factor * T.outer(x, y)
