"""``theano.tensor.nnet.nnet``."""

from __future__ import annotations

from typing import Any

import symtheano.tensor as _T
from symtheano.compat.op_classes import op_class
from symtheano.tensor import as_tensor_variable, nnet as _ours
from symtheano.tensor.nnet.nnet import *
from symtheano.tensor.nnet import (
    LogSoftmax as _LogSoftmax,
    Softmax as _Softmax,
    h_softmax,
    softsign,
)


def _as_matrix(c: Any) -> Any:
    """Return a vector as a matrix of one row, as Theano's functions of rows do."""
    c = as_tensor_variable(c)
    if c.ndim not in (1, 2) or c.dtype not in _T.float_dtypes:
        raise ValueError(f"softmax takes a vector or a matrix of floats, got {c.type}")
    return c.dimshuffle("x", 0) if c.ndim == 1 else c


def relu(x: Any, alpha: Any = 0) -> Any:
    """Return ``x`` where it is positive, ``alpha * x`` elsewhere; the slope at 0 is their mean."""
    x = as_tensor_variable(x)
    if isinstance(alpha, int | float) and alpha == 0:
        return 0.5 * (x + abs(x))
    return 0.5 * (1 + alpha) * x + 0.5 * (1 - alpha) * abs(x)


def softmax(c: Any) -> Any:
    """Return the softmax of each row; a vector is a matrix of one row."""
    return _ours.softmax(_as_matrix(c))


def logsoftmax(c: Any) -> Any:
    """Return the logarithm of :func:`softmax`."""
    return _ours.logsoftmax(_as_matrix(c))


softmax_graph = softmax
Softmax = op_class("Softmax", _Softmax, lambda: (softmax, {}))
LogSoftmax = op_class("LogSoftmax", _LogSoftmax, lambda: (logsoftmax, {}))
SoftmaxGrad = op_class(
    "SoftmaxGrad", lambda op: False, lambda: (lambda dy, sm: _ours.softmax_grad(dy, sm), {})
)
SoftmaxWithBias = op_class(
    "SoftmaxWithBias", lambda op: False, lambda: (_ours.softmax_with_bias, {})
)
CrossentropySoftmaxArgmax1HotWithBias = op_class(
    "CrossentropySoftmaxArgmax1HotWithBias",
    lambda op: False,
    lambda: (_ours.crossentropy_softmax_argmax_1hot_with_bias, {}),
)
CrossentropySoftmax1HotWithBiasDx = op_class(
    "CrossentropySoftmax1HotWithBiasDx",
    lambda op: False,
    lambda: (_ours.crossentropy_softmax_1hot_with_bias_dx, {}),
)
CrossentropyCategorical1Hot = op_class(
    "CrossentropyCategorical1Hot",
    lambda op: False,
    lambda: (_ours.crossentropy_categorical_1hot, {}),
)
CrossentropyCategorical1HotGrad = op_class(
    "CrossentropyCategorical1HotGrad",
    lambda op: False,
    lambda: (_ours.crossentropy_categorical_1hot_grad, {}),
)
softmax_op, logsoftmax_op, softmax_grad = Softmax(), LogSoftmax(), SoftmaxGrad()
softmax_with_bias = SoftmaxWithBias()
crossentropy_softmax_argmax_1hot_with_bias = CrossentropySoftmaxArgmax1HotWithBias()
crossentropy_categorical_1hot = CrossentropyCategorical1Hot()
