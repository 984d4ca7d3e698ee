"""``theano.tensor.type``."""

from __future__ import annotations

from functools import partial
from typing import Any

from symtheano.tensor.type import TensorType, values_eq_approx

values_eq_approx_remove_inf = partial(values_eq_approx, allow_remove_inf=True)
values_eq_approx_remove_nan = partial(values_eq_approx, allow_remove_nan=True)
values_eq_approx_remove_inf_nan = partial(
    values_eq_approx, allow_remove_inf=True, allow_remove_nan=True
)


def values_eq_approx_always_true(a: Any, b: Any) -> bool:
    """Return True."""
    return True
