"""``theano.tensor.sort``."""

from __future__ import annotations

from typing import Any

import symtheano.tensor as _T
from symtheano.compat.op_classes import op_class
from symtheano.tensor import argsort, argtopk, sort, topk, topk_and_argtopk


def _ordering(function: Any) -> Any:
    return lambda kind="quicksort", order=None: (
        lambda x, axis=-1: function(x, axis, kind, order),
        {"kind": kind, "order": order},
    )


SortOp = op_class("SortOp", lambda op: type(op).__name__ == "Sort", _ordering(_T.sort))
ArgSortOp = op_class("ArgSortOp", lambda op: type(op).__name__ == "ArgSort", _ordering(_T.argsort))


def _topk(
    axis: int = -1,
    sorted: bool = True,
    idx_dtype: str = "int64",
    return_values: bool = True,
    return_indices: bool = True,
) -> Any:
    if not (return_values or return_indices):
        raise ValueError("TopKOp: neither values nor indices are asked for")

    def select(x: Any, kth: Any) -> Any:
        if return_values and return_indices:
            return _T.topk_and_argtopk(x, kth, axis, sorted, idx_dtype)
        function = _T.topk if return_values else _T.argtopk
        return function(x, kth, axis, sorted, idx_dtype)

    return select, {"axis": axis, "sorted": sorted, "idx_dtype": idx_dtype}


TopKOp = op_class("TopKOp", lambda op: type(op).__name__ == "ArgTop", _topk)
