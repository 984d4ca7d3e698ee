"""Operations of neural networks: sigmoid, softplus, relu, softmax, cross-entropies."""

from typing import TYPE_CHECKING

from symtheano.names import public
from symtheano.scalar.table import sigmoid, softplus
from symtheano.tensor.nnet.activations import (
    elu,
    hard_sigmoid,
    leaky_relu,
    relu,
    ultra_fast_sigmoid,
)
from symtheano.tensor.nnet.losses import (
    binary_crossentropy,
    categorical_crossentropy,
    sigmoid_binary_crossentropy,
)
from symtheano.tensor.nnet.softmax import logsoftmax, logsumexp, softmax

__all__ = [
    "binary_crossentropy",
    "categorical_crossentropy",
    "elu",
    "hard_sigmoid",
    "leaky_relu",
    "logsoftmax",
    "logsumexp",
    "relu",
    "sigmoid",
    "sigmoid_binary_crossentropy",
    "softmax",
    "softplus",
    "ultra_fast_sigmoid",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = public(__name__)
