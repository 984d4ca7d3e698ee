"""Theano's module of the same name: convolutions, their lengths, and bilinear interpolation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from symtheano.names import public
from symtheano.scalar.operand import Tensor
from symtheano.tensor.nnet.convolution.abstract import (
    AbstractConv,
    AbstractConv2d,
    AbstractConv2d_gradInputs,
    AbstractConv2d_gradWeights,
    AbstractConv3d,
    AbstractConv3d_gradInputs,
    AbstractConv3d_gradWeights,
    AbstractConv_gradInputs,
    AbstractConv_gradWeights,
    BaseAbstractConv,
)
from symtheano.tensor.nnet.convolution.bilinear import (
    bilinear_kernel_1D,
    bilinear_kernel_2D,
    bilinear_upsampling,
    frac_bilinear_upsampling,
)
from symtheano.tensor.nnet.convolution.composed import (
    causal_conv1d,
    separable_conv2d,
    separable_conv3d,
)
from symtheano.tensor.nnet.convolution.functions import (
    conv2d as nnet_conv2d,
    conv2d_grad_wrt_inputs,
    conv2d_grad_wrt_weights,
    conv3d,
    conv3d_grad_wrt_inputs,
    conv3d_grad_wrt_weights,
)
from symtheano.tensor.nnet.convolution.lengths import (
    assert_conv_shape,
    assert_shape,
    border_mode_to_pad,
    check_conv_gradinputs_shape,
    get_conv_gradinputs_shape,
    get_conv_gradinputs_shape_1axis,
    get_conv_gradweights_shape,
    get_conv_gradweights_shape_1axis,
    get_conv_output_shape,
    get_conv_shape_1axis,
)
from symtheano.tensor.nnet.formats import DataFormat

__all__ = [
    "AbstractConv", "AbstractConv2d", "AbstractConv2d_gradInputs", "AbstractConv2d_gradWeights",
    "AbstractConv3d", "AbstractConv3d_gradInputs", "AbstractConv3d_gradWeights",
    "AbstractConv_gradInputs", "AbstractConv_gradWeights", "BaseAbstractConv",
    "assert_conv_shape", "assert_shape", "bilinear_kernel_1D", "bilinear_kernel_2D",
    "bilinear_upsampling", "border_mode_to_pad", "causal_conv1d", "check_conv_gradinputs_shape",
    "conv2d", "conv2d_grad_wrt_inputs", "conv2d_grad_wrt_weights", "conv3d",
    "conv3d_grad_wrt_inputs", "conv3d_grad_wrt_weights", "frac_bilinear_upsampling",
    "get_conv_gradinputs_shape", "get_conv_gradinputs_shape_1axis", "get_conv_gradweights_shape",
    "get_conv_gradweights_shape_1axis", "get_conv_output_shape", "get_conv_shape_1axis",
    "separable_conv2d", "separable_conv3d",
]  # fmt: skip


def conv2d(
    input: Any,
    filters: Any,
    input_shape: Any = None,
    filter_shape: Any = None,
    border_mode: Any = "valid",
    subsample: Any = (1, 1),
    filter_flip: bool = True,
    filter_dilation: Any = (1, 1),
    num_groups: int = 1,
    unshared: bool = False,
    data_format: DataFormat = "channels_first",
) -> Tensor:
    """Return :func:`symtheano.tensor.nnet.conv2d`, with the order of arguments of this module.

    Examples
    --------
    >>> conv2d(np.ones((1, 1, 3, 3)), np.ones((1, 1, 3, 3))).eval()
    array([[[[9.]]]])
    """
    return nnet_conv2d(
        input, filters, input_shape, filter_shape, border_mode, subsample, filter_flip, None,
        filter_dilation, num_groups, unshared, data_format,
    )  # fmt: skip


abstract_conv2d = conv2d

if not TYPE_CHECKING:
    __getattr__, __dir__ = public(__name__)
