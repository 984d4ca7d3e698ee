"""NumPy arrays as Theano's programs make them: with ``floatX`` as a dtype."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtheano import dtypes


def _asarray(a: Any, dtype: Any = None, order: Any = None) -> np.ndarray[Any, Any]:
    """Return ``a`` as an array; ``dtype`` may be ``"floatX"`` too.

    Examples
    --------
    >>> _asarray([1, 2], dtype="floatX").dtype.kind
    'f'
    """
    return np.asarray(a, None if dtype is None else dtypes.canonical(dtype), order)
