"""Ops that make arrays from shapes, numbers and other arrays' diagonals."""

from __future__ import annotations

from typing import Any

import symtheano.tensor as T
from symtheano_pytensor.registry import converts


@converts("Alloc")
def _alloc(op: Any, node: Any, value: Any, *lengths: Any) -> Any:
    return T.alloc(value, *lengths)


@converts("AllocEmpty")
def _alloc_empty(op: Any, node: Any, *lengths: Any) -> Any:
    return T.AllocEmpty(node.outputs[0].type.dtype)(*lengths)


@converts("ARange")
def _arange(op: Any, node: Any, start: Any, stop: Any, step: Any) -> Any:
    return T.arange(start, stop, step, dtype=op.dtype)


@converts("Eye")
def _eye(op: Any, node: Any, rows: Any, columns: Any, offset: Any) -> Any:
    return T.eye(rows, columns, offset, dtype=op.dtype)


@converts("MakeVector")
def _make_vector(op: Any, node: Any, *elements: Any) -> Any:
    dtype = node.outputs[0].type.dtype
    if not elements:
        return T.zeros((0,), dtype=dtype)
    return T.stack([T.cast(item, dtype) for item in elements])


@converts("ExtractDiag")
def _extract_diag(op: Any, node: Any, x: Any) -> Any:
    return T.diagonal(x, op.offset, op.axis1, op.axis2)


@converts("AllocDiag")
def _alloc_diag(op: Any, node: Any, x: Any) -> Any:
    return T.alloc_diag(x, op.offset, op.axis1, op.axis2)


@converts("Second")
def _second(op: Any, node: Any, first: Any, second: Any) -> Any:
    return T.second(first, second)


@converts("TensorFromScalar", "ScalarFromTensor", "DeepCopyOp", "ViewOp", "CpuContiguous",
          "TypeCastingOp")  # fmt: skip
def _same(op: Any, node: Any, x: Any) -> Any:
    return x


@converts("Nonzero")
def _nonzero(op: Any, node: Any, x: Any) -> Any:
    return T.nonzero(x)


@converts("FillDiagonal")
def _fill_diagonal(op: Any, node: Any, x: Any, value: Any) -> Any:
    return T.fill_diagonal(x, value)


@converts("FillDiagonalOffset")
def _fill_diagonal_offset(op: Any, node: Any, x: Any, value: Any, offset: Any) -> Any:
    return T.fill_diagonal_offset(x, value, offset)


@converts("Bartlett")
def _bartlett(op: Any, node: Any, count: Any) -> Any:
    return T.bartlett(count)
