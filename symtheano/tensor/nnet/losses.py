"""Cross-entropies."""

from __future__ import annotations

from typing import Any

from symtheano import dtypes
from symtheano.scalar import table as scalar
from symtheano.scalar.operand import Tensor, TensorLike
from symtheano.tensor.basic import as_tensor_variable
from symtheano.tensor.creation.ranges import arange
from symtheano.tensor.messages import build_message
from symtheano.tensor.nnet.softmax import Softmax
from symtheano.tensor.shapes.same_shape import SameShape
from symtheano.tensor.shapes.shape import as_dims, dims_product, shape_of


def categorical_crossentropy(coding_dist: TensorLike, true_dist: TensorLike) -> Tensor:
    """Return the cross-entropy between true and predicted distributions, for each row.

    Parameters
    ----------
    coding_dist
        Probabilities along the last axis, shape (..., classes).
    true_dist
        Probabilities of the same shape, or integer labels of shape (...).

    Returns
    -------
    Array of losses of shape (...), in nats. With ``softmax``, it is computed without overflow.

    Raises
    ------
    TypeError
        If the axes or the dtype of the labels do not fit.
    ShapeError
        If there are not as many labels as distributions.
    BoundsError
        If a label is not a class: negative, or not less than the number of classes.

    Examples
    --------
    >>> categorical_crossentropy(np.array([[0.5, 0.5]]), np.array([1])).eval().round(4).tolist()
    [0.6931]
    """
    coding_dist, true_dist = as_tensor_variable(coding_dist), as_tensor_variable(true_dist)
    if true_dist.ndim == coding_dist.ndim:
        return -(true_dist * scalar.log(coding_dist)).sum(axis=coding_dist.ndim - 1)
    if true_dist.ndim == coding_dist.ndim - 1 and dtypes.is_discrete(true_dist.dtype):
        return losses_of_labels("categorical_crossentropy", coding_dist, true_dist)
    raise TypeError(
        build_message(
            "categorical_crossentropy: the labels do not fit the probabilities",
            coding_dist,
            true_dist,
        )
    )


def losses_of_labels(name: str, p: Any, labels: Any) -> Tensor:
    """Return minus the logarithm of the element of each last row of ``p`` that its label names.

    ``name`` is the function that takes the labels, for messages.

    A softmax with more axes is computed for rows of a matrix, because there are rules that keep the
    gradient from dividing by probabilities that are rounded to zero.
    """
    from symtheano.tensor.nnet.labels import class_labels  # few programs need its imports

    *lengths, classes = shape_of(p)
    if lengths:
        labels = SameShape()(labels, *as_dims(lengths))  # one is not repeated
    labels = class_labels(name, labels, p)
    if p.ndim == 1:
        return -scalar.log(p[labels])
    if p.ndim == 2:
        return -scalar.log(p[arange(p.shape[0]), labels])
    rows = dims_product(lengths)
    if p.owner is not None and p.owner.op == Softmax((p.ndim - 1,)):
        matrix = Softmax((1,))(p.owner.inputs[0].reshape((rows, classes)))
    else:
        matrix = p.reshape((rows, classes))
    losses = -scalar.log(matrix[arange(rows), labels.flatten()])
    return losses.reshape(lengths, ndim=labels.ndim)


def binary_crossentropy(output: TensorLike, target: TensorLike) -> Tensor:
    """Return ``-(target * log(output) + (1 - target) * log(1 - output))``, elementwise.

    Examples
    --------
    >>> binary_crossentropy(np.array([0.5, 0.25]), np.array([1.0, 0.0])).eval().round(4).tolist()
    [0.6931, 0.2877]
    """
    output, target = as_tensor_variable(output), as_tensor_variable(target)
    return -(target * scalar.log(output) + (1.0 - target) * scalar.log(1.0 - output))


def sigmoid_binary_crossentropy(output: TensorLike, target: TensorLike) -> Tensor:
    """Return ``binary_crossentropy(sigmoid(output), target)`` without overflow.

    Examples
    --------
    >>> sigmoid_binary_crossentropy(np.zeros(2), np.array([1.0, 0.0])).eval().round(4).tolist()
    [0.6931, 0.6931]
    """
    output, target = as_tensor_variable(output), as_tensor_variable(target)
    return target * scalar.softplus(-output) + (1 - target) * scalar.softplus(output)
