"""Operands of the functions of networks: real floats, and parameters along an axis."""

from __future__ import annotations

from typing import Any

from symtheano import dtypes
from symtheano.tensor.basic import as_tensor_variable, cast


def float_operand(x: Any) -> Any:
    """Return ``x`` as a variable of floats: integers as the floats that hold them.

    Examples
    --------
    >>> import symtheano.tensor as T
    >>> float_operand(T.lvector()).dtype
    'float64'
    """
    x = as_tensor_variable(x)
    return cast(x, dtypes.upgrade_to_float(x.dtype))


def parameter_like(value: Any, x: Any) -> Any:
    """Return a parameter: a Python number in the dtype of ``x``, anything else as a variable.

    A number such as 0.1 would otherwise make float32 operands float64.

    Examples
    --------
    >>> import symtheano.tensor as T
    >>> parameter_like(0.1, T.fvector()).dtype
    'float32'
    """
    if isinstance(value, int | float):
        return x.constant_like(value)
    return as_tensor_variable(value)
