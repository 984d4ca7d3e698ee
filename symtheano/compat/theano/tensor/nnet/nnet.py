"""``theano.tensor.nnet.nnet``."""

from __future__ import annotations

from typing import Any

from symtheano.tensor import as_tensor_variable, nnet as _ours
from symtheano.tensor.nnet.nnet import *


def _as_matrix(c: Any) -> Any:
    """Return a vector as a matrix of one row, as Theano's functions of rows do."""
    c = as_tensor_variable(c)
    return c.dimshuffle("x", 0) if c.ndim == 1 else c


def softmax(c: Any) -> Any:
    """Return the softmax of each row; a vector is a matrix of one row."""
    return _ours.softmax(_as_matrix(c))


def logsoftmax(c: Any) -> Any:
    """Return the logarithm of :func:`softmax`."""
    return _ours.logsoftmax(_as_matrix(c))


softmax_op = softmax_graph = softmax
logsoftmax_op = logsoftmax
