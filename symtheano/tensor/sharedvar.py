"""shared(): variables that keep their value between calls."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, overload

import numpy as np

from symtheano import dtypes
from symtheano.errors import MisfitError, describe_value
from symtheano.graph.shared import SharedVariable, generic_shared
from symtheano.graph.type import checked_name
from symtheano.graph.variable import Variable
from symtheano.tensor.arrays import as_array, is_array_like
from symtheano.tensor.messages import build_message
from symtheano.tensor.type import TensorType
from symtheano.tensor.variable import TensorSharedVariable, owned

MAKERS: dict[str, Callable[..., Any]] = {}
"""Constructors for values of other packages, by package; set by later layers."""
LATE: dict[str, Callable[..., Any]] = {}
"""Functions of later layers, which set them."""


@overload
def shared(
    # jedi does not know that a float may be where a complex is expected
    value: np.ndarray[Any, Any] | np.generic | int | float | complex | list[Any] | tuple[Any, ...],
    name: str | None = None,
    strict: bool = False,
    allow_downcast: bool | None = None,
    borrow: bool = False,
    broadcastable: Any = None,
    shape: Any = None,
    *,
    target: str | None = "cpu",
    device: str | None = None,
) -> TensorSharedVariable: ...


@overload
def shared(
    value: object,
    name: str | None = None,
    strict: bool = False,
    allow_downcast: bool | None = None,
    borrow: bool = False,
    broadcastable: Any = None,
    shape: Any = None,
    *,
    target: str | None = "cpu",
    device: str | None = None,
) -> Any: ...


def shared(
    value: Any,
    name: str | None = None,
    strict: bool = False,
    allow_downcast: bool | None = None,
    borrow: bool = False,
    broadcastable: Any = None,
    shape: Any = None,
    **kwargs: Any,
) -> TensorSharedVariable | Any:
    """Return a variable that keeps ``value`` between calls.

    Parameters
    ----------
    value
        Array, number or list of numbers; its dtype is kept. Arrays of other packages are copied to
        NumPy arrays. A SciPy sparse matrix makes a sparse variable. Any other object makes a
        generic variable.
    name
        Label.
    strict, allow_downcast
        How ``set_value`` treats other dtypes; see :meth:`TensorType.filter`.
    borrow
        Whether to keep the array itself instead of a copy, if its layout allows it. Updates may
        then write into the array.
    broadcastable, shape
        Static shape of the variable. By default no length is fixed, so later values may have other
        lengths.
    device
        Device on which the value is kept, such as ``cuda``. Without it, a function that runs on
        a device moves the value there when it is first called.

    Examples
    --------
    >>> w = shared(np.zeros((2, 3)), name="w")
    >>> w, w.type, w.get_value().sum()
    (w, TensorType(float64, matrix), np.float64(0.0))
    """
    device = kwargs.pop("device", None)
    if kwargs.pop("target", "cpu") not in ("cpu", None) or kwargs:
        raise TypeError(f"shared: unsupported arguments {sorted(kwargs)}")
    if isinstance(value, SharedVariable):
        raise TypeError("shared() takes a value, not a shared variable; use .get_value()")
    if isinstance(value, Variable):
        raise TypeError(
            build_message(
                f"shared: takes a value, but {value.describe()} is symbolic",
                value,
                hint="give a number or an array; eval() computes one",
            )
        )
    name = checked_name(name)
    for package, make in MAKERS.items():
        if type(value).__module__.startswith(package):
            return make(value, name, strict, allow_downcast, borrow)
    array = _as_array(value)
    if array is None:
        return generic_shared(value, name)
    static = shape if shape is not None else broadcastable
    kind = TensorType(array.dtype.name, static if static is not None else (None,) * array.ndim)
    kept: Any = owned(kind.filter(array), borrow)
    if device not in (None, "cpu"):
        kept = LATE["to_device"](kept, device)
    return TensorSharedVariable(kind, kept, name, strict, allow_downcast)


def _as_array(value: Any) -> np.ndarray[Any, Any] | None:
    """Return a value as an array; None if it is not an array, a number, or a list of these.

    Raises
    ------
    TypeError
        If it is an array that can't be the value of a shared variable.
    """
    if not (isinstance(value, _ARRAYS) or is_array_like(value)):
        return None
    try:
        array = as_array(value)
    except MisfitError as error:
        raise TypeError(_refused(value, error.what, error.hint)) from None
    except ValueError:
        hint = "give rows of equal lengths"
        raise TypeError(_refused(value, "its rows have different lengths", hint)) from None
    if array.dtype.name in dtypes.ALL:
        return array
    if isinstance(value, list | tuple) and not _holds_number(value):
        return None
    raise TypeError(
        _refused(
            value,
            f"an array of dtype {array.dtype} is not supported",
            "convert it (astype); for other objects, use "
            "symtheano.graph.shared.generic_shared(value)",
        )
    )


_ARRAYS = (np.ndarray, np.generic, bool, int, float, complex, list, tuple)


def _holds_number(values: Any) -> bool:
    if isinstance(values, list | tuple):
        return any(_holds_number(item) for item in values)
    return isinstance(values, (*_ARRAYS, Variable))


def _refused(value: Any, what: str, hint: str | None) -> str:
    return build_message(f"shared: {describe_value(value)}: {what}", hint=hint)


def scalar_constructor(value: float, name: str | None = None) -> TensorSharedVariable:
    """Return a 0-d shared variable of a number.

    Examples
    --------
    >>> scalar_constructor(2.5, "w").get_value()
    array(2.5)
    """
    variable: TensorSharedVariable = shared(np.asarray(value), name)
    return variable
