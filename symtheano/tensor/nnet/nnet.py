"""Theano's module of the same name: activations, softmax, losses, defined elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from symtheano.names import public
from symtheano.tensor.nnet.activations import elu, relu, selu
from symtheano.tensor.nnet.confusion import confusion_matrix
from symtheano.tensor.nnet.losses import (
    binary_crossentropy,
    categorical_crossentropy,
    sigmoid_binary_crossentropy,
)
from symtheano.tensor.nnet.onehot import (
    Prepend_scalar_constant_to_each_row,
    Prepend_scalar_to_each_row,
    crossentropy_categorical_1hot,
    crossentropy_categorical_1hot_grad,
    crossentropy_softmax_1hot,
    crossentropy_softmax_1hot_with_bias,
    crossentropy_softmax_1hot_with_bias_dx,
    crossentropy_softmax_argmax_1hot_with_bias,
    crossentropy_softmax_max_and_argmax_1hot,
    crossentropy_softmax_max_and_argmax_1hot_with_bias,
    prepend_0_to_each_row,
    prepend_1_to_each_row,
    prepend_scalar_to_each_row,
    softmax_with_bias,
)
from symtheano.tensor.nnet.sigm import sigmoid, softplus
from symtheano.tensor.nnet.softmax import LogSoftmax, Softmax, logsoftmax, softmax, softmax_grad

__all__ = [
    "LogSoftmax", "Prepend_scalar_constant_to_each_row", "Prepend_scalar_to_each_row", "Softmax",
    "binary_crossentropy", "categorical_crossentropy", "confusion_matrix",
    "crossentropy_categorical_1hot", "crossentropy_categorical_1hot_grad",
    "crossentropy_softmax_1hot", "crossentropy_softmax_1hot_with_bias",
    "crossentropy_softmax_1hot_with_bias_dx", "crossentropy_softmax_argmax_1hot_with_bias",
    "crossentropy_softmax_max_and_argmax_1hot",
    "crossentropy_softmax_max_and_argmax_1hot_with_bias", "elu", "logsoftmax",
    "prepend_0_to_each_row", "prepend_1_to_each_row", "prepend_scalar_to_each_row", "relu", "selu",
    "sigmoid", "sigmoid_binary_crossentropy", "softmax", "softmax_grad", "softmax_with_bias",
    "softplus",
]  # fmt: skip

if not TYPE_CHECKING:
    __getattr__, __dir__ = public(__name__)
