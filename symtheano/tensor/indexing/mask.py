"""Boolean masks in an index, which are converted to positions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from symtheano.errors import ShapeError
from symtheano.graph.variable import Constant
from symtheano.tensor.basic import as_tensor_variable
from symtheano.tensor.indexing.keys import is_mask
from symtheano.tensor.indexing.nonzeros import positions
from symtheano.tensor.messages import build_message


def without_masks(x: Any, key: Sequence[Any]) -> tuple[Any, list[Any]]:
    """Return an array and an index without masks that selects the same elements.

    A mask with n dimensions is replaced by n vectors of integers. A single truth value selects from
    a new axis of length 1.

    Parameters
    ----------
    x
        The array.
    key
        The index, with masks, integers, slices, None and Ellipsis.

    Raises
    ------
    ShapeError
        If a mask's static shape does not match the axes from which it selects.
    IndexError
        If the index has more items than ``x`` has axes.
    """
    items = [as_tensor_variable(item) if is_mask(item) else item for item in key]
    used = sum(_axes_of(item) for item in items)
    if used > x.ndim:
        raise IndexError(build_message(f"indexing: {used} indices for {x.ndim} dims", x))
    result: list[Any] = []
    axis = 0
    for item in items:
        if item is Ellipsis:
            axis += x.ndim - used
        if not is_mask(item):
            result.append(item)
            axis += _axes_of(item) if item is not Ellipsis else 0
        elif item.ndim == 0:
            x = x.dimshuffle(*range(axis), "x", *range(axis, x.ndim))
            # A constant has a static length, so it can be broadcast with other index arrays.
            single = np.zeros(int(item.data), "int64") if isinstance(item, Constant) else None
            result += positions(item.dimshuffle("x")) if single is None else [single]
            axis += 1
        else:
            result += positions(item, _lengths(x, axis, item))
            axis += item.ndim
    return x, result


def _axes_of(item: Any) -> int:
    """Return the number of axes from which an item of an index selects."""
    if item is None or item is Ellipsis:
        return 0
    return int(item.ndim) if is_mask(item) else 1


def _lengths(x: Any, axis: int, mask: Any) -> list[Any]:
    lengths = []
    for number in range(mask.ndim):
        wanted, has = x.type.shape[axis + number], mask.type.shape[number]
        if None not in (wanted, has) and wanted != has:
            raise ShapeError(
                build_message(
                    f"indexing: a mask of length {has} along its axis {number} does not fit an "
                    f"axis of length {wanted}",
                    x,
                    mask,
                )
            )
        lengths.append(x.shape[axis + number] if wanted is None else wanted)
    return lengths
