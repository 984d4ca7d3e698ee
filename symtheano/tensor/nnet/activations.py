"""Activation functions other than sigmoid, softplus and tanh."""

from __future__ import annotations

from typing import Any

from symtheano import dtypes
from symtheano.scalar import table as scalar
from symtheano.tensor.basic import as_tensor_variable, cast


def relu(x: Any, alpha: Any = 0) -> Any:
    """Return ``x``, but ``alpha * x`` where it is not positive; the slope at 0 is alpha.

    ``alpha`` is a number, an array or a variable.

    Examples
    --------
    >>> import symtheano.tensor as T
    >>> T.nnet.relu(T.constant([-1.0, 2.0])).eval()
    array([0., 2.], dtype=float32)
    """
    x = as_tensor_variable(x)
    plain = isinstance(alpha, int | float) and alpha == 0
    return scalar.switch(scalar.le(x, 0), x.constant_like(0) if plain else alpha * x, x)


def leaky_relu(x: Any, alpha: Any = 0.01) -> Any:
    """Return ``x`` where it is positive and ``alpha * x`` elsewhere.

    Examples
    --------
    >>> import numpy as np
    >>> leaky_relu(np.array([-1.0, 2.0]), 0.5).eval().tolist()
    [-0.5, 2.0]
    """
    return relu(x, alpha)


def elu(x: Any, alpha: Any = 1) -> Any:
    """Return ``x`` where it is positive and ``alpha * (exp(x) - 1)`` elsewhere.

    Examples
    --------
    >>> import numpy as np
    >>> elu(np.array([-1.0, 2.0])).eval().round(4).tolist()
    [-0.6321, 2.0]
    """
    x = as_tensor_variable(x)
    return scalar.switch(scalar.gt(x, 0), x, alpha * scalar.expm1(x))


def hard_sigmoid(x: Any) -> Any:
    """Return ``clip(0.2 * x + 0.5, 0, 1)``, a piecewise linear sigmoid.

    Examples
    --------
    >>> import numpy as np
    >>> hard_sigmoid(np.array([-9.0, 0.0, 9.0])).eval().tolist()
    [0.0, 0.5, 1.0]
    """
    x = as_tensor_variable(x)
    x = cast(x, dtypes.upgrade_to_float(x.dtype))
    line = x * x.constant_like(0.2) + x.constant_like(0.5)
    return scalar.clip(line, x.constant_like(0), x.constant_like(1))


def ultra_fast_sigmoid(x: Any) -> Any:
    """Return the sigmoid, without an approximation, since compiled code is fast.

    Examples
    --------
    >>> import numpy as np
    >>> ultra_fast_sigmoid(np.zeros(1)).eval().tolist()
    [0.5]
    """
    return scalar.sigmoid(as_tensor_variable(x))
