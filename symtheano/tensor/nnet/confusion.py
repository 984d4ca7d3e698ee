"""The confusion matrix of a classifier."""

from __future__ import annotations

from symtheano import dtypes
from symtheano.scalar.operand import Tensor, TensorLike
from symtheano.tensor.basic import as_tensor_variable
from symtheano.tensor.creation.filled import zeros
from symtheano.tensor.indexing.subtensor import inc_subtensor
from symtheano.tensor.messages import build_message
from symtheano.tensor.shapes.join import concatenate
from symtheano.tensor.sorting.distinct import unique


def confusion_matrix(actual: TensorLike, pred: TensorLike) -> list[Tensor]:
    """Return the confusion matrix of a classifier, and the classes.

    Parameters
    ----------
    actual, pred
        Vectors of the same length: true and predicted labels, of any real dtype.

    Returns
    -------
    An int64 matrix of counts, with a row for each true class and a column for each predicted class;
    and the labels of the rows and columns, in ascending order and in the common dtype of the
    operands. NaN is one label, the last one.

    Examples
    --------
    >>> counts, order = confusion_matrix([2, 0, 2, 2], [0, 0, 2, 2])
    >>> counts.eval().tolist(), order.eval().tolist()
    ([[1, 0], [1, 2]], [0, 2])
    """
    actual, pred = as_tensor_variable(actual), as_tensor_variable(pred)
    both = (actual, pred)
    if any(item.ndim != 1 or dtypes.is_complex(item.dtype) for item in both):
        raise ValueError(build_message("confusion_matrix takes two vectors of labels", *both))
    n = actual.shape[0]
    order, places = unique(concatenate([actual, pred]), return_inverse=True)
    k = order.shape[0]
    cells = places[:n] * k + places[n:]
    counts = zeros((k * k,), "int64")
    return [inc_subtensor(counts[cells], 1).reshape((k, k)), order]
