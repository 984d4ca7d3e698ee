"""Rows of the scalar table in LoopIR: their statements and neutral elements."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from symtheano import dtypes
from symtheano.loopir import Builder, Literal
from symtheano.loopir.operands import Operand
from symtheano.scalar.row import ScalarOp
from symtheano.scalar.table import scalar_op


def apply_row(
    b: Builder, row: ScalarOp, operands: Sequence[Operand], dtype: str, name: str = ""
) -> Operand:
    """Generate a scalar op with operands of any dtypes, cast to its compute dtypes."""
    if row.name.startswith("cast{"):
        return b.cast(operands[0], dtype, name or "v")
    if row.name in ("identity", "positive"):
        return b.cast(operands[0], dtype, name or "v")
    if row.name == "second":
        return b.cast(operands[1], dtype, name or "v")
    signature = row.signature(tuple(operand.dtype for operand in operands))
    converted = [
        b.cast(operand, wanted) for operand, wanted in zip(operands, signature.compute, strict=True)
    ]
    condition = converted[0]
    if row.name == "switch" and isinstance(condition, Literal):
        return b.cast(converted[1 if condition.value else 2], dtype)
    if row.name == "sub" and is_zero(converted[1]):
        return b.cast(converted[0], dtype)
    result = b.let(row.name, signature.result, converted, name or "v")
    return b.cast(result, dtype)


def is_zero(operand: Operand | None) -> bool:
    """Return whether an operand is known to be zero; -0.0 is not."""
    return isinstance(operand, Literal) and not any(
        np.asarray(operand.value, operand.dtype).tobytes()
    )


def neutral_element(row: ScalarOp | str, dtype: str) -> Literal:
    """Return the neutral element of ``row`` for ``dtype``.

    Examples
    --------
    >>> neutral_element("maximum", "int8")
    Literal(value=-128, dtype='int8')
    """
    row = scalar_op(row) if isinstance(row, str) else row
    wish = row.identity
    if wish is None:
        raise ValueError(f"{row.name} has no neutral element, so loops can't reduce by it")
    if isinstance(wish, str):
        return Literal(_extreme(wish, dtype), dtype)
    return Literal(np.asarray(wish).astype(dtype).item(), dtype)


def _extreme(which: str, dtype: str) -> bool | int | float | complex:
    if dtype == "bool":
        return which == "max"
    if dtypes.is_continuous(dtype):
        infinity = float("inf") if which == "max" else float("-inf")
        return complex(infinity, infinity) if dtypes.is_complex(dtype) else infinity
    limits = np.iinfo(dtype)
    return int(limits.max if which == "max" else limits.min)
