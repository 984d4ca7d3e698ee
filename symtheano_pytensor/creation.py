"""Ops that make arrays from shapes, numbers and other arrays' diagonals."""

from __future__ import annotations

from typing import Any

import numpy as np

import symtheano.tensor as T
from symtheano_pytensor.registry import converts

FOLD_AT_MOST = 10_000
"""Number of elements of the largest array that becomes a constant."""


@converts("Alloc")
def _alloc(op: Any, node: Any, value: Any, *lengths: Any) -> Any:
    return T.alloc(value, *lengths)


@converts("AllocEmpty")
def _alloc_empty(op: Any, node: Any, *lengths: Any) -> Any:
    return T.AllocEmpty(node.outputs[0].type.dtype)(*lengths)


@converts("ARange")
def _arange(op: Any, node: Any, start: Any, stop: Any, step: Any) -> Any:
    return folded(T.arange(start, stop, step, dtype=op.dtype), start, stop, step)


@converts("Eye")
def _eye(op: Any, node: Any, rows: Any, columns: Any, offset: Any) -> Any:
    return folded(T.eye(rows, columns, offset, dtype=op.dtype), rows, columns, offset)


def folded(result: Any, *operands: Any) -> Any:
    """Return a constant in place of a small array that is made from constants.

    Then what is computed from it is a constant, too, such as the indices of a triangle.
    """
    lengths = result.type.shape
    if None in lengths or np.prod(lengths, dtype=float) > FOLD_AT_MOST:
        return result
    if not all(isinstance(item, T.TensorConstant) for item in operands):
        return result
    cell: list[Any] = [None]
    result.owner.op.perform(result.owner, [item.data for item in result.owner.inputs], [cell])
    return T.constant(cell[0], dtype=result.dtype)


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
