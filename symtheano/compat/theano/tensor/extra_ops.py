"""``theano.tensor.extra_ops``."""

from __future__ import annotations

from typing import Any

import symtheano.tensor as _T
from symtheano.compat.op_classes import op_class
from symtheano.tensor.extra_ops import *
from symtheano.tensor import (
    CumOp as _CumOp,
    RepeatOp,
    Unique,
    bartlett,
    cumprod,
    cumsum,
    diff,
    fill_diagonal,
    fill_diagonal_offset,
    ravel_multi_index,
    repeat,
    searchsorted,
    squeeze,
    unravel_index,
)


def _cumulative(axis: int | None = None, mode: str = "add") -> Any:
    function = _T.cumsum if mode == "add" else _T.cumprod
    return (lambda x: function(x, axis)), {"axis": axis, "mode": mode}


CumOp = op_class("CumOp", _CumOp, _cumulative)
CumsumOp = op_class("CumsumOp", lambda op: False, lambda axis=None: _cumulative(axis, "add"))
CumprodOp = op_class("CumprodOp", lambda op: False, lambda axis=None: _cumulative(axis, "mul"))
DiffOp = op_class(
    "DiffOp",
    lambda op: False,
    lambda n=1, axis=-1: (lambda x: _T.diff(x, n, axis), {"n": n, "axis": axis}),
)
SearchsortedOp = op_class(
    "SearchsortedOp",
    lambda op: type(op).__name__ == "SearchSorted",
    lambda side="left": (
        lambda x, v, sorter=None: _T.searchsorted(x, v, side, sorter),
        {"side": side},
    ),
)


def bincount(
    x: Any, weights: Any = None, minlength: Any = None, assert_nonneg: bool = False
) -> Any:
    """Return the number of occurrences of each non-negative integer.

    Parameters
    ----------
    x, weights, minlength
        As for :func:`symtheano.tensor.bincount`.
    assert_nonneg
        Whether a negative integer raises an ``AssertionError``; otherwise a ``ValueError``.
    """
    if assert_nonneg:
        condition = _T.all(_T.ge(x, 0))
        x = _T.opt.Assert("bincount takes non-negative integers")(x, condition)
    return _T.bincount(x, weights, minlength)


Bartlett = op_class("Bartlett", lambda op: False, lambda: (_T.bartlett, {}))
bartlett_ = Bartlett()
FillDiagonal = op_class("FillDiagonal", lambda op: False, lambda: (_T.fill_diagonal, {}))
fill_diagonal_ = FillDiagonal()
FillDiagonalOffset = op_class(
    "FillDiagonalOffset", lambda op: False, lambda: (_T.fill_diagonal_offset, {})
)
fill_diagonal_offset_ = FillDiagonalOffset()
UnravelIndex = op_class(
    "UnravelIndex",
    lambda op: False,
    lambda ndim=None, order="C": (
        lambda i, dims: _T.unravel_index(i, dims, order),
        {"order": order},
    ),
)
RavelMultiIndex = op_class(
    "RavelMultiIndex",
    lambda op: False,
    lambda mode="raise", order="C": (
        lambda *args: _T.ravel_multi_index(args[:-1], args[-1], mode, order),
        {"mode": mode},
    ),
)
CpuContiguous = op_class("CpuContiguous", lambda op: False, lambda: (_T.as_tensor_variable, {}))
cpu_contiguous = CpuContiguous()
