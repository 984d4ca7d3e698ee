"""shared(): arrays that keep their value between calls."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from symtheano import dtypes
from symtheano.graph.shared import SharedVariable, generic_shared
from symtheano.tensor.type import TensorType
from symtheano.tensor.variable import TensorSharedVariable, owned

MAKERS: dict[str, Callable[..., Any]] = {}
"""What makes shared variables of other packages' values, by the package; rooms further right do."""


def shared(
    value: Any,
    name: str | None = None,
    strict: bool = False,
    allow_downcast: bool | None = None,
    borrow: bool = False,
    broadcastable: Any = None,
    shape: Any = None,
    **kwargs: Any,
) -> Any:
    """Return a variable that keeps ``value`` between calls.

    Parameters
    ----------
    value
        Array or number; its dtype is kept. A sparse matrix of SciPy's makes a sparse variable,
        any other object a generic one.
    name
        Label.
    strict, allow_downcast
        How ``set_value`` treats other dtypes; see :meth:`TensorType.filter`.
    borrow
        Keep the array itself instead of a copy, where its layout allows. Updates may then write
        into it.
    broadcastable, shape
        Static shape of the variable; by default no length is fixed, so that later values may
        have other lengths.

    Examples
    --------
    >>> w = shared(np.zeros((2, 3)), name="w")
    >>> w, w.type, w.get_value().sum()
    (w, TensorType(float64, matrix), np.float64(0.0))
    """
    if kwargs.pop("target", "cpu") not in ("cpu", None) or kwargs:
        raise NotImplementedError(f"shared: unsupported arguments {sorted(kwargs)}")
    if isinstance(value, SharedVariable):
        raise TypeError("shared() takes a value, not a shared variable; use .get_value()")
    array = _as_array(value)
    if array is None:
        for package, make in MAKERS.items():
            if type(value).__module__.startswith(package):
                return make(value, name, strict, allow_downcast, borrow)
        return generic_shared(value, name)
    static = shape if shape is not None else broadcastable
    kind = TensorType(array.dtype.name, static if static is not None else (None,) * array.ndim)
    return TensorSharedVariable(
        kind, owned(kind.filter(array), borrow), name, strict, allow_downcast
    )


def _as_array(value: Any) -> np.ndarray[Any, Any] | None:
    if isinstance(value, float) and not isinstance(value, np.generic):
        return np.asarray(value, dtype="float64")
    if isinstance(value, np.ndarray | np.generic | bool | int | complex):
        array = np.asarray(value)
        return array if array.dtype.name in dtypes.ALL else None
    return None


def scalar_constructor(value: float, name: str | None = None) -> Any:
    """Return a 0-d shared variable of a number.

    Examples
    --------
    >>> scalar_constructor(2.5, "w").get_value()
    array(2.5)
    """
    return shared(np.asarray(value), name)
