"""Operations of neural networks: activations, softmax, losses, normalization."""

# Users import from here what is imported here.
# mypy: implicit-reexport

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from symtheano.names import MissingName
from symtheano.scalar import table as _table
from symtheano.tensor.elemwise import elemwise as _elemwise
from symtheano.tensor.nnet.activations import (
    elu,
    gelu,
    hard_sigmoid,
    leaky_relu,
    mish,
    prelu,
    relu,
    selu,
    silu,
    swish,
    ultra_fast_sigmoid,
)
from symtheano.tensor.nnet.losses import (
    binary_crossentropy,
    categorical_crossentropy,
    sigmoid_binary_crossentropy,
)
from symtheano.tensor.nnet.softmax import (
    LogSoftmax,
    Softmax,
    logsoftmax,
    logsumexp,
    softmax,
    softmax_grad,
    softmin,
)

logsoftmax_op = logsoftmax
softmax_op = softmax_graph = softmax

# True to mypy, which reads only literals of ``__all__``, so ``import *`` would lack the names of
# the stub. Without the list, it exports all public names.
MYPY = False

if not MYPY:
    __all__ = [
        "LogSoftmax", "Softmax", "binary_crossentropy", "categorical_crossentropy", "elu", "gelu",
        "hard_sigmoid", "leaky_relu", "logsoftmax", "logsoftmax_op", "logsumexp", "mish", "prelu",
        "relu", "selu", "sigmoid", "sigmoid_binary_crossentropy", "sigmoid_inplace", "silu",
        "softmax", "softmax_grad", "softmax_graph", "softmax_op", "softmin", "softplus", "softsign",
        "swish", "ultra_fast_sigmoid",
    ]  # fmt: skip

# Names that few programs need are imported on first access: names by module.
_LATE = {
    "abstract_conv": "abstract_conv2d",
    "bn": "batch_normalization batch_normalization_test batch_normalization_train",
    "confusion": "confusion_matrix",
    "conv": "ConvOp",
    "convolution.bilinear": "bilinear_kernel_1D bilinear_kernel_2D bilinear_upsampling "
    "frac_bilinear_upsampling",
    "convolution.composed": "causal_conv1d separable_conv2d separable_conv3d",
    "convolution.functions": "conv1d conv2d conv2d_grad_wrt_inputs conv2d_grad_wrt_weights "
    "conv2d_transpose conv3d conv3d_grad_wrt_inputs conv3d_grad_wrt_weights",
    "divergences": "binary_hinge_loss huber_loss kl_divergence multiclass_hinge_loss",
    "norms": "group_normalization instance_normalization layer_normalization "
    "local_response_normalization rms_normalization",
    "dropping": "dropout",
    "hierarchical": "h_softmax sampled_softmax",
    "onehot": "Prepend_scalar_constant_to_each_row Prepend_scalar_to_each_row "
    "crossentropy_categorical_1hot crossentropy_categorical_1hot_grad crossentropy_softmax_1hot "
    "crossentropy_softmax_1hot_with_bias crossentropy_softmax_1hot_with_bias_dx "
    "crossentropy_softmax_argmax_1hot_with_bias crossentropy_softmax_max_and_argmax_1hot "
    "crossentropy_softmax_max_and_argmax_1hot_with_bias prepend_0_to_each_row "
    "prepend_1_to_each_row prepend_scalar_to_each_row softmax_with_bias",
    "sigm": "scalar_sigmoid",
    "simplex": "sparsemax",
}
_MODULE_OF = {name: module for module, names in _LATE.items() for name in names.split()}

# Theano's modules, which are imported on first access.
_MODULES = (
    "Conv3D", "abstract_conv", "blocksparse", "bn", "conv", "conv3d2d", "ctc", "neighbours", "nnet",
    "sigm",
)  # fmt: skip


if TYPE_CHECKING:
    from symtheano.tensor.nnet import lazy as _lazy
    from symtheano.tensor.nnet.lazy import *  # noqa: F403 (written from the tables above)

    if not MYPY:
        __all__ += _lazy.__all__
else:
    __all__ += _MODULE_OF
    sigmoid = sigmoid_inplace = _elemwise(_table.sigmoid)
    softplus, softsign = _elemwise(_table.softplus), _elemwise(_table.softsign)

    def __getattr__(name: str) -> Any:
        """Import names on first access."""
        if name in _MODULE_OF:
            attribute = getattr(import_module(f"{__name__}.{_MODULE_OF[name]}"), name)
            globals()[name] = attribute
            return attribute
        if name in _MODULES:
            return import_module(f"{__name__}.{name}")
        raise MissingName(__name__, name)


def __dir__() -> list[str]:
    """Return the public names."""
    return sorted([*globals()["__all__"], *_MODULES])
