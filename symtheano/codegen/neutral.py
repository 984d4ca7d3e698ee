"""Neutral elements, the initial values of reductions."""

from __future__ import annotations

import numpy as np

from symtheano import dtypes
from symtheano.loopir import Literal
from symtheano.scalar.row import ScalarOp
from symtheano.scalar.table import scalar_op


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
