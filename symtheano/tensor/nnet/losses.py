"""Cross-entropies."""

from __future__ import annotations

from typing import Any

from symtheano import dtypes
from symtheano.scalar import table as scalar
from symtheano.tensor.basic import as_tensor_variable
from symtheano.tensor.creation.ranges import arange
from symtheano.tensor.messages import build_message


def categorical_crossentropy(coding_dist: Any, true_dist: Any) -> Any:
    """Return the cross-entropy of each row of distributions with the true one.

    Parameters
    ----------
    coding_dist
        Probabilities, shape (n, classes).
    true_dist
        Probabilities of shape (n, classes), or an integer vector of n labels.

    Returns
    -------
    Vector of n losses, in nats. With ``softmax``, it is computed without overflow.

    Examples
    --------
    >>> import numpy as np
    >>> categorical_crossentropy(np.array([[0.5, 0.5]]), np.array([1])).eval().round(4).tolist()
    [0.6931]
    """
    coding_dist, true_dist = as_tensor_variable(coding_dist), as_tensor_variable(true_dist)
    if true_dist.ndim == coding_dist.ndim:
        return -(true_dist * scalar.log(coding_dist)).sum(axis=coding_dist.ndim - 1)
    if true_dist.ndim == coding_dist.ndim - 1 == 1 and dtypes.is_discrete(true_dist.dtype):
        rows = arange(true_dist.shape[0])
        return -scalar.log(coding_dist[rows, true_dist])
    raise TypeError(
        build_message(
            "categorical_crossentropy: the labels do not fit the probabilities",
            coding_dist,
            true_dist,
        )
    )


def binary_crossentropy(output: Any, target: Any) -> Any:
    """Return ``-(target * log(output) + (1 - target) * log(1 - output))``, elementwise.

    Examples
    --------
    >>> import numpy as np
    >>> binary_crossentropy(np.array([0.5, 0.25]), np.array([1.0, 0.0])).eval().round(4).tolist()
    [0.6931, 0.2877]
    """
    output, target = as_tensor_variable(output), as_tensor_variable(target)
    return -(target * scalar.log(output) + (1.0 - target) * scalar.log(1.0 - output))


def sigmoid_binary_crossentropy(output: Any, target: Any) -> Any:
    """Return ``binary_crossentropy(sigmoid(output), target)`` without overflow.

    Examples
    --------
    >>> import numpy as np
    >>> sigmoid_binary_crossentropy(np.zeros(2), np.array([1.0, 0.0])).eval().round(4).tolist()
    [0.6931, 0.6931]
    """
    output, target = as_tensor_variable(output), as_tensor_variable(target)
    return scalar.softplus(-scalar.abs(output)) + output * (scalar.gt(output, 0) - target)
