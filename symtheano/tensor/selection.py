"""Parts of arrays that conditions select."""

from __future__ import annotations

from typing import Any

from symtheano.tensor.basic import as_tensor_variable
from symtheano.tensor.messages import build_message
from symtheano.tensor.nonzeros import flatnonzero, nonzero


def argwhere(a: Any) -> Any:
    """Return the positions of the elements that are not zero, one in each row.

    Examples
    --------
    >>> argwhere([[0, 5], [6, 0]]).eval().tolist()
    [[0, 1], [1, 0]]
    """
    return nonzero(a, return_matrix=True).T


def compress(condition: Any, x: Any, axis: int | None = None) -> Any:
    """Return the items along ``axis`` where the condition is true.

    Parameters
    ----------
    condition
        Vector, not longer than the axis.
    x
        Array.
    axis
        The axis; None selects from the flat array.

    Examples
    --------
    >>> compress([0, 1], [[1, 2], [3, 4]], axis=1).eval().tolist()
    [[2], [4]]
    """
    condition = as_tensor_variable(condition)
    if condition.ndim != 1:
        raise ValueError(build_message("compress: the condition is no vector", condition))
    return as_tensor_variable(x).take(flatnonzero(condition), axis=axis)
