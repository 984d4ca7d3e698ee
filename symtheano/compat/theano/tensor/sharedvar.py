"""``theano.tensor.sharedvar``: shared variables of arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtheano.graph.shared import SharedVariable
from symtheano.tensor.sharedvar import shared as _shared
from symtheano.tensor.variable import TensorSharedVariable

from ..compile.sharedvalue import shared_constructor

ScalarSharedVariable = TensorSharedVariable


@shared_constructor
def tensor_constructor(
    value: Any,
    name: str | None = None,
    strict: bool = False,
    allow_downcast: bool | None = None,
    borrow: bool = False,
    broadcastable: Any = None,
    target: str = "cpu",
) -> TensorSharedVariable:
    """Return a shared variable of an array; other values are refused with ``TypeError``."""
    if target != "cpu" or not isinstance(value, np.ndarray):
        raise TypeError("tensor_constructor takes an array")
    made: TensorSharedVariable = _shared(value, name, strict, allow_downcast, borrow, broadcastable)
    return made


@shared_constructor
def scalar_constructor(
    value: Any,
    name: str | None = None,
    strict: bool = False,
    allow_downcast: bool | None = None,
    borrow: bool = False,
    target: str = "cpu",
) -> TensorSharedVariable:
    """Return a shared variable of a number; other values are refused with ``TypeError``."""
    numbers = (np.number, np.bool_, float, int, complex)
    if target != "cpu" or not isinstance(value, numbers):
        raise TypeError("scalar_constructor takes a number")
    return _shared(np.asarray(value), name, strict, allow_downcast)


def load_shared_variable(val: Any) -> TensorSharedVariable:
    """Return :func:`tensor_constructor` of a value; some old pickles call this."""
    made: TensorSharedVariable = tensor_constructor(val)
    return made
