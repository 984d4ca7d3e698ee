"""Numbers in expressions that keep the dtype of the arrays they are combined with."""

from __future__ import annotations

from typing import Any

import numpy as np

import symtheano
import symtheano.tensor as T


def like(value: Any, x: Any) -> Any:
    """Return a number or a variable, converted to the dtype of an expression.

    A Python number in an expression of ``float32`` gives ``float64``, unless ``float32`` represents
    the number exactly.

    Examples
    --------
    >>> x = T.fvector()
    >>> (x * 0.1).dtype, (x * like(0.1, x)).dtype
    ('float64', 'float32')
    """
    if isinstance(value, symtheano.Variable):
        return T.cast(value, x.dtype)
    return T.constant(np.asarray(value, x.dtype))


def setting(name: str, value: float, dtype: str = "float64") -> Any:
    """Return a number that users choose, such as the rate of a regularizer, as a shared variable.

    The value of a shared variable is not part of compiled code. A search over many values therefore
    compiles only once.

    Examples
    --------
    >>> rate = setting("rate", 0.5)
    >>> rate, rate.get_value()
    (rate, array(0.5))
    """
    variable: Any = symtheano.shared(np.asarray(value, dtype), name)
    variable.tag.is_setting = True  # no parameter: see symtheano.nn.training.trainable
    return variable


def as_float(x: Any) -> Any:
    """Return an expression of floats. Integers and booleans are converted to ``config.floatX``.

    Examples
    --------
    >>> as_float(T.fvector()).dtype, as_float(T.ivector()).dtype
    ('float32', 'float64')
    """
    x = T.as_tensor_variable(x)
    return x if x.dtype in T.float_dtypes else T.cast(x, symtheano.config.floatX)
