"""Selection by conditions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, overload

from symtheano import dtypes
from symtheano.scalar import table as scalar
from symtheano.scalar.operand import Tensor, TensorLike
from symtheano.tensor.basic import as_tensor_variable, constant
from symtheano.tensor.indexing.nonzeros import flatnonzero, nonzero
from symtheano.tensor.messages import build_message
from symtheano.tensor.reductions.reduce import sum as sum_
from symtheano.tensor.type import TensorType


@overload
def where(condition: TensorLike, x: TensorLike, y: TensorLike) -> Tensor: ...
@overload
def where(condition: TensorLike) -> tuple[Tensor, ...]: ...
def where(condition: Any, x: Any = None, y: Any = None) -> Any:
    """Return elements of ``x`` or ``y`` by a condition, or the positions where it is true.

    Parameters
    ----------
    condition
        Array; nonzero elements are true.
    x, y
        Arrays for true and for false elements. Give both or none. They and the condition are
        broadcast along axes of static length 1.

    Returns
    -------
    array or tuple
        :func:`switch` of the three arguments, or the :func:`nonzero` positions of the condition.

    Raises
    ------
    ValueError
        If one of ``x`` and ``y`` is missing.

    Examples
    --------
    >>> where([1, 0], [5, 6], [7, 8]).eval().tolist()
    [5, 8]
    >>> [item.eval().tolist() for item in where([[0, 3], [4, 0]])]
    [[0, 1], [1, 0]]
    """
    if x is None and y is None:
        return nonzero(condition)
    if x is None or y is None:
        raise ValueError(
            build_message("where takes a condition alone, or a condition and both x and y")
        )
    return scalar.switch(*(as_tensor_variable(item) for item in (condition, x, y)))


def argwhere(a: Any) -> Tensor:
    """Return the positions of the nonzero elements, one per row.

    Examples
    --------
    >>> argwhere([[0, 5], [6, 0]]).eval().tolist()
    [[0, 1], [1, 0]]
    """
    rows: Tensor = nonzero(a, return_matrix=True).T
    return rows


def compress(condition: TensorLike, x: TensorLike, axis: int | None = None) -> Tensor:
    """Return the items along ``axis`` where the condition is true.

    Parameters
    ----------
    condition
        Vector, not longer than the axis.
    x
        Array.
    axis
        The axis; None selects from the flattened array.

    Examples
    --------
    >>> compress([0, 1], [[1, 2], [3, 4]], axis=1).eval().tolist()
    [[2], [4]]
    """
    condition = as_tensor_variable(condition)
    if condition.ndim != 1:
        raise ValueError(build_message("compress: the condition must be a vector", condition))
    return as_tensor_variable(x).take(flatnonzero(condition), axis=axis)


def extract(condition: TensorLike, arr: TensorLike) -> Tensor:
    """Return the elements of ``arr`` where a condition of the same shape is true, as a vector.

    Examples
    --------
    >>> extract([[1, 0], [0, 1]], [[1, 2], [3, 4]]).eval().tolist()
    [1, 4]
    """
    return as_tensor_variable(arr).flatten()[flatnonzero(as_tensor_variable(condition).flatten())]


def count_nonzero(a: TensorLike, axis: Any = None, keepdims: bool = False) -> Tensor:
    """Return the number of nonzero elements along ``axis``; int64.

    Examples
    --------
    >>> int(count_nonzero([[0, 5], [6, 0]]).eval())
    2
    """
    return sum_(scalar.neq(as_tensor_variable(a), 0), axis, dtype="int64", keepdims=keepdims)


def select(condlist: Sequence[Any], choicelist: Sequence[Any], default: Any = 0) -> Tensor:
    """Return, for each element, the choice of the first condition that is true.

    Parameters
    ----------
    condlist
        Conditions: arrays of bool.
    choicelist
        One array per condition. They, the conditions and ``default`` are broadcast along axes of
        static length 1.
    default
        Value where no condition is true. A number gets the dtype of the choices if this dtype can
        represent it.

    Raises
    ------
    ValueError
        If the numbers of choices and conditions differ or are zero.

    Examples
    --------
    >>> x = T.arange(5)
    >>> select([x < 2, x < 4], [x, x * 10], -1).eval().tolist()
    [0, 1, 20, 30, -1]
    """
    if not condlist or len(condlist) != len(choicelist):
        raise ValueError(
            build_message(f"select: {len(condlist)} conditions for {len(choicelist)} choices")
        )
    conditions = [as_tensor_variable(item) for item in condlist]
    for condition in conditions:
        if condition.dtype != "bool":
            raise TypeError(
                build_message("select: the conditions must have the dtype bool", condition)
            )
    choices = [as_tensor_variable(item) for item in choicelist]
    selected = _like_them(default, dtypes.upcast(*(choice.dtype for choice in choices)))
    for condition, choice in zip(reversed(conditions), reversed(choices), strict=True):
        selected = scalar.switch(condition, choice, selected)
    result: Tensor = selected
    return result


def _like_them(number: Any, dtype: str) -> Any:
    """Return a Python number in a dtype that can represent it, and anything else unchanged."""
    if not isinstance(number, int | float) or dtype == "bool":
        return as_tensor_variable(number)
    if dtypes.is_continuous(dtype):
        return constant(number, dtype=dtype)
    try:
        return TensorType(dtype, ()).make_constant(number)
    except TypeError:
        return as_tensor_variable(number)
