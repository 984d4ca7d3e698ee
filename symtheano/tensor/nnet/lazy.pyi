"""Names of symtheano.tensor.nnet that are imported or made on first access, for type checkers.

Written from the package's tables by ``pytest --update-golden tests/test_lazy_stubs.py``.
"""

from symtheano.scalar.operand import TensorLike, Tensor
from symtheano.tensor.nnet import (
    Conv3D as Conv3D, abstract_conv as abstract_conv, blocksparse as blocksparse, bn as bn,
    conv as conv, conv3d2d as conv3d2d, ctc as ctc, neighbours as neighbours, nnet as nnet,
    sigm as sigm,
)
from symtheano.tensor.nnet.abstract_conv import abstract_conv2d as abstract_conv2d
from symtheano.tensor.nnet.bn import (
    batch_normalization as batch_normalization,
    batch_normalization_test as batch_normalization_test,
    batch_normalization_train as batch_normalization_train,
)
from symtheano.tensor.nnet.confusion import confusion_matrix as confusion_matrix
from symtheano.tensor.nnet.conv import ConvOp as ConvOp
from symtheano.tensor.nnet.convolution.bilinear import (
    bilinear_kernel_1D as bilinear_kernel_1D, bilinear_kernel_2D as bilinear_kernel_2D,
    bilinear_upsampling as bilinear_upsampling,
    frac_bilinear_upsampling as frac_bilinear_upsampling,
)
from symtheano.tensor.nnet.convolution.composed import (
    causal_conv1d as causal_conv1d, separable_conv2d as separable_conv2d,
    separable_conv3d as separable_conv3d,
)
from symtheano.tensor.nnet.convolution.functions import (
    conv1d as conv1d, conv2d as conv2d, conv2d_grad_wrt_inputs as conv2d_grad_wrt_inputs,
    conv2d_grad_wrt_weights as conv2d_grad_wrt_weights, conv2d_transpose as conv2d_transpose,
    conv3d as conv3d, conv3d_grad_wrt_inputs as conv3d_grad_wrt_inputs,
    conv3d_grad_wrt_weights as conv3d_grad_wrt_weights,
)
from symtheano.tensor.nnet.divergences import (
    binary_hinge_loss as binary_hinge_loss, huber_loss as huber_loss,
    kl_divergence as kl_divergence, multiclass_hinge_loss as multiclass_hinge_loss,
)
from symtheano.tensor.nnet.dropping import dropout as dropout
from symtheano.tensor.nnet.hierarchical import (
    h_softmax as h_softmax, sampled_softmax as sampled_softmax,
)
from symtheano.tensor.nnet.norms import (
    group_normalization as group_normalization, instance_normalization as instance_normalization,
    layer_normalization as layer_normalization,
    local_response_normalization as local_response_normalization,
    rms_normalization as rms_normalization,
)
from symtheano.tensor.nnet.onehot import (
    Prepend_scalar_constant_to_each_row as Prepend_scalar_constant_to_each_row,
    Prepend_scalar_to_each_row as Prepend_scalar_to_each_row,
    crossentropy_categorical_1hot as crossentropy_categorical_1hot,
    crossentropy_categorical_1hot_grad as crossentropy_categorical_1hot_grad,
    crossentropy_softmax_1hot as crossentropy_softmax_1hot,
    crossentropy_softmax_1hot_with_bias as crossentropy_softmax_1hot_with_bias,
    crossentropy_softmax_1hot_with_bias_dx as crossentropy_softmax_1hot_with_bias_dx,
    crossentropy_softmax_argmax_1hot_with_bias as crossentropy_softmax_argmax_1hot_with_bias,
    crossentropy_softmax_max_and_argmax_1hot as crossentropy_softmax_max_and_argmax_1hot,
    crossentropy_softmax_max_and_argmax_1hot_with_bias as crossentropy_softmax_max_and_argmax_1hot_with_bias,
    prepend_0_to_each_row as prepend_0_to_each_row, prepend_1_to_each_row as prepend_1_to_each_row,
    prepend_scalar_to_each_row as prepend_scalar_to_each_row,
    softmax_with_bias as softmax_with_bias,
)
from symtheano.tensor.nnet.sigm import scalar_sigmoid as scalar_sigmoid
from symtheano.tensor.nnet.simplex import sparsemax as sparsemax
def sigmoid(a: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The logistic function 1 / (1 + exp(-x))."""
def softplus(a: TensorLike, /, *, name: str | None = None) -> Tensor:
    """log(1 + exp(x)), computed without overflow."""
def softsign(a: TensorLike, /, *, name: str | None = None) -> Tensor:
    """x / (1 + abs(x)); 1 or -1 at infinity."""
sigmoid_inplace = sigmoid

__all__: list[str] = [
    "Conv3D", "ConvOp", "Prepend_scalar_constant_to_each_row", "Prepend_scalar_to_each_row",
    "abstract_conv", "abstract_conv2d", "batch_normalization", "batch_normalization_test",
    "batch_normalization_train", "bilinear_kernel_1D", "bilinear_kernel_2D", "bilinear_upsampling",
    "binary_hinge_loss", "blocksparse", "bn", "causal_conv1d", "confusion_matrix", "conv", "conv1d",
    "conv2d", "conv2d_grad_wrt_inputs", "conv2d_grad_wrt_weights", "conv2d_transpose", "conv3d",
    "conv3d2d", "conv3d_grad_wrt_inputs", "conv3d_grad_wrt_weights",
    "crossentropy_categorical_1hot", "crossentropy_categorical_1hot_grad",
    "crossentropy_softmax_1hot", "crossentropy_softmax_1hot_with_bias",
    "crossentropy_softmax_1hot_with_bias_dx", "crossentropy_softmax_argmax_1hot_with_bias",
    "crossentropy_softmax_max_and_argmax_1hot",
    "crossentropy_softmax_max_and_argmax_1hot_with_bias", "ctc", "dropout",
    "frac_bilinear_upsampling", "group_normalization", "h_softmax", "huber_loss",
    "instance_normalization", "kl_divergence", "layer_normalization",
    "local_response_normalization", "multiclass_hinge_loss", "neighbours", "nnet",
    "prepend_0_to_each_row", "prepend_1_to_each_row", "prepend_scalar_to_each_row",
    "rms_normalization", "sampled_softmax", "scalar_sigmoid", "separable_conv2d",
    "separable_conv3d", "sigm", "sigmoid", "sigmoid_inplace", "softmax_with_bias", "softplus",
    "softsign", "sparsemax",
]
