"""Sorting and searching."""

from __future__ import annotations

from typing import Any

import symtheano.tensor as T
from symtheano_pytensor.registry import converts
from symtheano_pytensor.shape import axis_and_others


@converts("SortOp", "ArgSortOp")
def _sort(op: Any, node: Any, x: Any, *operands: Any) -> Any:
    axis, _ = axis_and_others(op, operands)
    function = T.sort if type(op).__name__ == "SortOp" else T.argsort
    return function(x, axis=axis)


@converts("SearchsortedOp")
def _searchsorted(op: Any, node: Any, x: Any, values: Any, sorter: Any = None) -> Any:
    return T.searchsorted(x, values, side=op.side, sorter=sorter)


@converts("Unique")
def _unique(op: Any, node: Any, x: Any) -> Any:
    if op.axis is not None and x.ndim != 1:
        raise NotImplementedError("unique along an axis of several")
    return T.unique(
        x.flatten(),
        return_index=op.return_index,
        return_inverse=op.return_inverse,
        return_counts=op.return_counts,
    )


@converts("UnravelIndex")
def _unravel_index(op: Any, node: Any, indices: Any, dims: Any) -> Any:
    count = len(node.outputs)
    return T.unravel_index(indices, [dims[k] for k in range(count)], order=op.order)


@converts("RavelMultiIndex")
def _ravel_multi_index(op: Any, node: Any, *operands: Any) -> Any:
    *indices, dims = operands
    lengths = [dims[k] for k in range(len(indices))]
    return T.ravel_multi_index(indices, lengths, mode=op.mode, order=op.order)
