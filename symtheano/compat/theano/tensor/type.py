"""``theano.tensor.type``."""

from __future__ import annotations

from functools import partial
from typing import Any

from symtheano.tensor.type import TensorType as _TensorType, values_eq_approx


class _WithFlags(type):
    """Calls the class with flags; symtheano's types are instances."""

    def __call__(cls, dtype: Any, broadcastable: Any = None, *args: Any, **options: Any) -> Any:
        if broadcastable is not None:
            # Lengths, which Theano's types don't have, are as in symtheano.
            broadcastable = [bool(n) if n in (0, 1) else n for n in broadcastable]
        if cls is TensorType:
            return _TensorType(dtype, broadcastable, *args, **options)
        return super().__call__(dtype, broadcastable, *args, **options)

    def __instancecheck__(cls, instance: Any) -> bool:
        kind = _TensorType if cls is TensorType else cls
        return issubclass(type(instance), kind)


class TensorType(_TensorType, metaclass=_WithFlags):
    """The type of arrays: a dtype and, for each axis, whether it is broadcastable; 0 is False."""

    __slots__ = ()


values_eq_approx_remove_inf = partial(values_eq_approx, allow_remove_inf=True)
values_eq_approx_remove_nan = partial(values_eq_approx, allow_remove_nan=True)
values_eq_approx_remove_inf_nan = partial(
    values_eq_approx, allow_remove_inf=True, allow_remove_nan=True
)


def values_eq_approx_always_true(a: Any, b: Any) -> bool:
    """Return True."""
    return True
