"""The methods of chains, and what they share with models, for type checkers.

Written from the tables of layers by ``pytest --update-golden tests/test_lazy_stubs.py``.
"""

from collections.abc import Mapping as Mapping, Sequence as Sequence
from symtheano.nn import activations as activations
from symtheano.nn.layers.base import Layer as Layer
from symtheano.nn.layers.images import DataFormat as DataFormat
from symtheano.nn.layers.parameters import Parameter as Parameter
from symtheano.nn.network import Network as Network
from symtheano.nn.sequential import Sequential as Sequential
from symtheano.nn.training.data import Array as Array
from symtheano.nn.values import Value as Value
from typing import Any as Any, Literal as Literal

class ChainMembers:
    def activation(
        self, activation: activations.Activation, activity_regularizer: Any = None, *,
        name: str = "", trainable: bool = True,
    ) -> Sequential:
        """An activation function as a layer."""
    def activity_regularization(
        self, regularizer: Any = "l2", *, name: str = "", trainable: bool = True,
    ) -> Sequential:
        """Adds a term of its input to the loss, and returns the input."""
    def alpha_dropout(
        self, rate: float = 0.5, shared_axes: tuple[int, ...] = (), *, name: str = "",
        trainable: bool = True,
    ) -> Sequential:
        """Random elements take the limit of the activation ``selu``; mean and variance stay."""
    def attention(
        self, scale: float | str | None = None, causal: bool = False, dropout: float = 0.0, *,
        name: str = "", trainable: bool = True,
    ) -> Sequential:
        """Dot-product attention: the layer is called with (query, value) or (query, value, key)."""
    def average(self, *, name: str = "", trainable: bool = True) -> Sequential:
        """The mean of values, element by element."""
    def average_pool1d(
        self, pool_size: Any = 2, strides: Any = None, padding: Any = "valid", *, name: str = "",
        trainable: bool = True, data_format: DataFormat | None = None,
    ) -> Sequential:
        """The means of windows of samples (channels, length)."""
    def average_pool2d(
        self, pool_size: Any = 2, strides: Any = None, padding: Any = "valid", *, name: str = "",
        trainable: bool = True, data_format: DataFormat | None = None,
    ) -> Sequential:
        """The means of windows of images (channels, rows, columns)."""
    def average_pool3d(
        self, pool_size: Any = 2, strides: Any = None, padding: Any = "valid", *, name: str = "",
        trainable: bool = True, data_format: DataFormat | None = None,
    ) -> Sequential:
        """The means of windows of volumes (channels, depth, rows, columns)."""
    def avgpool(
        self, pool_size: Any = 2, strides: Any = None, padding: Any = "valid", *, name: str = "",
        trainable: bool = True, data_format: DataFormat | None = None,
    ) -> Sequential:
        """The means of windows of images (channels, rows, columns)."""
    def batch_norm(
        self, axis: int = 1, momentum: float = 0.99, epsilon: float = 0.001, center: bool = True,
        scale: bool = True, beta_initializer: Any = "zeros", gamma_initializer: Any = "ones",
        beta_regularizer: Any = None, gamma_regularizer: Any = None, *, name: str = "",
        trainable: bool = True, data_format: DataFormat | None = None,
    ) -> Sequential:
        """Features with mean 0 and variance 1 over the samples of a batch, scaled and moved."""
    def bidirectional(
        self, layer: Layer, merge_mode: str = "concat", backward_layer: Layer | None = None, *,
        name: str = "", trainable: bool = True,
    ) -> Sequential:
        """A recurrent layer, and an equal one that reads the sequence backwards."""
    def concatenate(self, axis: int = -1, *, name: str = "", trainable: bool = True) -> Sequential:
        """Values one after the other along an axis."""
    def conv(
        self, filters: int, kernel_size: Any, strides: Any = 1, padding: Any = "valid",
        dilation_rate: Any = 1, groups: int = 1, activation: activations.Activation = None,
        use_bias: bool = True, kernel_initializer: Any = "glorot_uniform",
        bias_initializer: Any = "zeros", kernel_regularizer: Any = None,
        bias_regularizer: Any = None, kernel_constraint: Any = None, bias_constraint: Any = None,
        activity_regularizer: Any = None, *, name: str = "", trainable: bool = True,
        data_format: DataFormat | None = None,
    ) -> Sequential:
        """A convolution of images (channels, rows, columns)."""
    def conv1d(
        self, filters: int, kernel_size: Any, strides: Any = 1, padding: Any = "valid",
        dilation_rate: Any = 1, groups: int = 1, activation: activations.Activation = None,
        use_bias: bool = True, kernel_initializer: Any = "glorot_uniform",
        bias_initializer: Any = "zeros", kernel_regularizer: Any = None,
        bias_regularizer: Any = None, kernel_constraint: Any = None, bias_constraint: Any = None,
        activity_regularizer: Any = None, *, name: str = "", trainable: bool = True,
        data_format: DataFormat | None = None,
    ) -> Sequential:
        """A convolution of samples (channels, length)."""
    def conv1d_transpose(
        self, filters: int, kernel_size: Any, strides: Any = 1, padding: Any = "valid",
        dilation_rate: Any = 1, groups: int = 1, activation: activations.Activation = None,
        use_bias: bool = True, kernel_initializer: Any = "glorot_uniform",
        bias_initializer: Any = "zeros", kernel_regularizer: Any = None,
        bias_regularizer: Any = None, kernel_constraint: Any = None, bias_constraint: Any = None,
        activity_regularizer: Any = None, output_padding: Any = None, *, name: str = "",
        trainable: bool = True, data_format: DataFormat | None = None,
    ) -> Sequential:
        """A transposed convolution of samples (channels, length)."""
    def conv2d(
        self, filters: int, kernel_size: Any, strides: Any = 1, padding: Any = "valid",
        dilation_rate: Any = 1, groups: int = 1, activation: activations.Activation = None,
        use_bias: bool = True, kernel_initializer: Any = "glorot_uniform",
        bias_initializer: Any = "zeros", kernel_regularizer: Any = None,
        bias_regularizer: Any = None, kernel_constraint: Any = None, bias_constraint: Any = None,
        activity_regularizer: Any = None, *, name: str = "", trainable: bool = True,
        data_format: DataFormat | None = None,
    ) -> Sequential:
        """A convolution of images (channels, rows, columns)."""
    def conv2d_transpose(
        self, filters: int, kernel_size: Any, strides: Any = 1, padding: Any = "valid",
        dilation_rate: Any = 1, groups: int = 1, activation: activations.Activation = None,
        use_bias: bool = True, kernel_initializer: Any = "glorot_uniform",
        bias_initializer: Any = "zeros", kernel_regularizer: Any = None,
        bias_regularizer: Any = None, kernel_constraint: Any = None, bias_constraint: Any = None,
        activity_regularizer: Any = None, output_padding: Any = None, *, name: str = "",
        trainable: bool = True, data_format: DataFormat | None = None,
    ) -> Sequential:
        """A transposed convolution of images (channels, rows, columns)."""
    def conv3d(
        self, filters: int, kernel_size: Any, strides: Any = 1, padding: Any = "valid",
        dilation_rate: Any = 1, groups: int = 1, activation: activations.Activation = None,
        use_bias: bool = True, kernel_initializer: Any = "glorot_uniform",
        bias_initializer: Any = "zeros", kernel_regularizer: Any = None,
        bias_regularizer: Any = None, kernel_constraint: Any = None, bias_constraint: Any = None,
        activity_regularizer: Any = None, *, name: str = "", trainable: bool = True,
        data_format: DataFormat | None = None,
    ) -> Sequential:
        """A convolution of volumes (channels, depth, rows, columns)."""
    def conv3d_transpose(
        self, filters: int, kernel_size: Any, strides: Any = 1, padding: Any = "valid",
        dilation_rate: Any = 1, groups: int = 1, activation: activations.Activation = None,
        use_bias: bool = True, kernel_initializer: Any = "glorot_uniform",
        bias_initializer: Any = "zeros", kernel_regularizer: Any = None,
        bias_regularizer: Any = None, kernel_constraint: Any = None, bias_constraint: Any = None,
        activity_regularizer: Any = None, output_padding: Any = None, *, name: str = "",
        trainable: bool = True, data_format: DataFormat | None = None,
    ) -> Sequential:
        """A transposed convolution of volumes (channels, depth, rows, columns)."""
    def cropping1d(
        self, cropping: Any = 1, *, name: str = "", trainable: bool = True,
        data_format: DataFormat | None = None,
    ) -> Sequential:
        """Samples (channels, length) without their ends."""
    def cropping2d(
        self, cropping: Any = 1, *, name: str = "", trainable: bool = True,
        data_format: DataFormat | None = None,
    ) -> Sequential:
        """Images (channels, rows, columns) without their edges."""
    def cropping3d(
        self, cropping: Any = 1, *, name: str = "", trainable: bool = True,
        data_format: DataFormat | None = None,
    ) -> Sequential:
        """Volumes (channels, depth, rows, columns) without their edges."""
    def dense(
        self, units: int, activation: activations.Activation = None, use_bias: bool = True,
        kernel_initializer: Any = "glorot_uniform", bias_initializer: Any = "zeros",
        kernel_regularizer: Any = None, bias_regularizer: Any = None, kernel_constraint: Any = None,
        bias_constraint: Any = None, activity_regularizer: Any = None, *, name: str = "",
        trainable: bool = True,
    ) -> Sequential:
        """Products with a matrix, plus a vector: ``activation(x @ kernel + bias)``."""
    def depthwise_conv1d(
        self, kernel_size: Any, strides: Any = 1, padding: Any = "valid", depth_multiplier: int = 1,
        dilation_rate: Any = 1, activation: activations.Activation = None, use_bias: bool = True,
        depthwise_initializer: Any = "glorot_uniform", bias_initializer: Any = "zeros",
        depthwise_regularizer: Any = None, bias_regularizer: Any = None,
        depthwise_constraint: Any = None, bias_constraint: Any = None,
        activity_regularizer: Any = None, *, name: str = "", trainable: bool = True,
        data_format: DataFormat | None = None,
    ) -> Sequential:
        """A convolution of each channel of samples (channels, length) with filters of its own."""
    def depthwise_conv2d(
        self, kernel_size: Any, strides: Any = 1, padding: Any = "valid", depth_multiplier: int = 1,
        dilation_rate: Any = 1, activation: activations.Activation = None, use_bias: bool = True,
        depthwise_initializer: Any = "glorot_uniform", bias_initializer: Any = "zeros",
        depthwise_regularizer: Any = None, bias_regularizer: Any = None,
        depthwise_constraint: Any = None, bias_constraint: Any = None,
        activity_regularizer: Any = None, *, name: str = "", trainable: bool = True,
        data_format: DataFormat | None = None,
    ) -> Sequential:
        """A convolution of each channel of images (channels, rows, columns) with filters of its
        own."""
    def drop_connect(
        self, units: int, activation: activations.Activation = None, use_bias: bool = True,
        kernel_initializer: Any = "glorot_uniform", bias_initializer: Any = "zeros",
        kernel_regularizer: Any = None, bias_regularizer: Any = None, kernel_constraint: Any = None,
        bias_constraint: Any = None, activity_regularizer: Any = None, rate: float = 0.5, *,
        name: str = "", trainable: bool = True,
    ) -> Sequential:
        """A dense layer whose matrix loses random elements while it is trained."""
    def dropout(
        self, rate: float = 0.5, shared_axes: tuple[int, ...] = (), *, name: str = "",
        trainable: bool = True,
    ) -> Sequential:
        """Random elements become zero, the others are divided by the probability to stay."""
    def elu(self, alpha: float = 1.0, *, name: str = "", trainable: bool = True) -> Sequential:
        """``x`` above zero, and ``alpha * (exp(x) - 1)`` below."""
    def embedding(
        self, input_dim: int, output_dim: int, embeddings_initializer: Any = "uniform",
        embeddings_regularizer: Any = None, embeddings_constraint: Any = None,
        mask_zero: bool = False, *, name: str = "", trainable: bool = True,
    ) -> Sequential:
        """Rows of a matrix, by integers: words, characters, categories."""
    def flatten(self, *, name: str = "", trainable: bool = True) -> Sequential:
        """All axes of a sample as one."""
    def gaussian_dropout(
        self, rate: float = 0.5, *, name: str = "", trainable: bool = True,
    ) -> Sequential:
        """Elements are multiplied by normal numbers of mean 1 (Srivastava et al., 2014, section
        10)."""
    def gaussian_noise(
        self, stddev: float = 0.1, *, name: str = "", trainable: bool = True,
    ) -> Sequential:
        """Normal numbers are added."""
    def global_average_pool(
        self, *, name: str = "", trainable: bool = True, data_format: DataFormat | None = None,
    ) -> Sequential:
        """The mean of each channel of samples (channels, *lengths)."""
    def global_max_pool(
        self, *, name: str = "", trainable: bool = True, data_format: DataFormat | None = None,
    ) -> Sequential:
        """The maximum of each channel; see :class:`GlobalAveragePool`."""
    def group_norm(
        self, groups: int | None = 32, epsilon: float = 0.001, center: bool = True,
        scale: bool = True, *, name: str = "", trainable: bool = True,
        data_format: DataFormat | None = None,
    ) -> Sequential:
        """Groups of channels of each sample with mean 0 and variance 1, scaled and moved per
        channel."""
    def gru(
        self, units: int, activation: activations.Activation = "tanh", use_bias: bool = True,
        return_sequences: bool = False, return_state: bool = False, stateful: bool = False,
        go_backwards: bool = False, dropout: float = 0.0, recurrent_dropout: float = 0.0,
        kernel_initializer: Any = "glorot_uniform", recurrent_initializer: Any = "orthogonal",
        bias_initializer: Any = "zeros", kernel_regularizer: Any = None,
        recurrent_regularizer: Any = None, bias_regularizer: Any = None,
        kernel_constraint: Any = None, recurrent_constraint: Any = None,
        bias_constraint: Any = None, activity_regularizer: Any = None,
        recurrent_activation: activations.Activation = "sigmoid", reset_after: bool = True, *,
        name: str = "", trainable: bool = True,
    ) -> Sequential:
        """Gated recurrent unit: ``state = z * state + (1 - z) * candidate``, with gates z and r."""
    def instance_norm(
        self, epsilon: float = 1e-05, center: bool = True, scale: bool = True, *, name: str = "",
        trainable: bool = True, data_format: DataFormat | None = None,
    ) -> Sequential:
        """Channels of each sample with mean 0 and variance 1, scaled and moved per channel."""
    def layer_norm(
        self, axis: Any = -1, epsilon: float = 0.001, center: bool = True, scale: bool = True, *,
        name: str = "", trainable: bool = True,
    ) -> Sequential:
        """Samples with mean 0 and variance 1 over their features, scaled and moved."""
    def leaky_relu(
        self, negative_slope: float = 0.3, *, name: str = "", trainable: bool = True,
    ) -> Sequential:
        """``x`` above zero, and a part of it below (Maas, Hannun and Ng, 2013)."""
    def local_response_norm(
        self, channels: int = 5, alpha: float = 0.0001, beta: float = 0.75, k: float = 2.0, *,
        name: str = "", trainable: bool = True, data_format: DataFormat | None = None,
    ) -> Sequential:
        """Elements divided by a power of a sum of squares of the nearest channels."""
    def lstm(
        self, units: int, activation: activations.Activation = "tanh", use_bias: bool = True,
        return_sequences: bool = False, return_state: bool = False, stateful: bool = False,
        go_backwards: bool = False, dropout: float = 0.0, recurrent_dropout: float = 0.0,
        kernel_initializer: Any = "glorot_uniform", recurrent_initializer: Any = "orthogonal",
        bias_initializer: Any = "zeros", kernel_regularizer: Any = None,
        recurrent_regularizer: Any = None, bias_regularizer: Any = None,
        kernel_constraint: Any = None, recurrent_constraint: Any = None,
        bias_constraint: Any = None, activity_regularizer: Any = None,
        recurrent_activation: activations.Activation = "sigmoid", unit_forget_bias: bool = True, *,
        name: str = "", trainable: bool = True,
    ) -> Sequential:
        """Long short-term memory: a state and a memory, with gates i, f and o."""
    def masking(
        self, mask_value: float = 0.0, *, name: str = "", trainable: bool = True,
    ) -> Sequential:
        """Leaves out the steps whose features all have one value."""
    def max_pool1d(
        self, pool_size: Any = 2, strides: Any = None, padding: Any = "valid", *, name: str = "",
        trainable: bool = True, data_format: DataFormat | None = None,
    ) -> Sequential:
        """The maxima of windows of samples (channels, length)."""
    def max_pool2d(
        self, pool_size: Any = 2, strides: Any = None, padding: Any = "valid", *, name: str = "",
        trainable: bool = True, data_format: DataFormat | None = None,
    ) -> Sequential:
        """The maxima of windows of images (channels, rows, columns)."""
    def max_pool3d(
        self, pool_size: Any = 2, strides: Any = None, padding: Any = "valid", *, name: str = "",
        trainable: bool = True, data_format: DataFormat | None = None,
    ) -> Sequential:
        """The maxima of windows of volumes (channels, depth, rows, columns)."""
    def maximum(self, *, name: str = "", trainable: bool = True) -> Sequential:
        """The maximum of values, element by element."""
    def maxout(
        self, units: int, activation: activations.Activation = None, use_bias: bool = True,
        kernel_initializer: Any = "glorot_uniform", bias_initializer: Any = "zeros",
        kernel_regularizer: Any = None, bias_regularizer: Any = None, kernel_constraint: Any = None,
        bias_constraint: Any = None, activity_regularizer: Any = None, pieces: int = 2, *,
        name: str = "", trainable: bool = True,
    ) -> Sequential:
        """The maximum of several products with matrices."""
    def maxpool(
        self, pool_size: Any = 2, strides: Any = None, padding: Any = "valid", *, name: str = "",
        trainable: bool = True, data_format: DataFormat | None = None,
    ) -> Sequential:
        """The maxima of windows of images (channels, rows, columns)."""
    def minimum(self, *, name: str = "", trainable: bool = True) -> Sequential:
        """The minimum of values, element by element."""
    def multi_head_attention(
        self, heads: int, key_dim: int, value_dim: int | None = None, kv_heads: int | None = None,
        output_dim: int | None = None, use_bias: bool = True, causal: bool = False,
        dropout: float = 0.0, kernel_initializer: Any = "glorot_uniform",
        bias_initializer: Any = "zeros", kernel_regularizer: Any = None,
        bias_regularizer: Any = None, *, name: str = "", trainable: bool = True,
    ) -> Sequential:
        """Attention of several heads: (query), (query, value) or (query, value, key)."""
    def multiply(self, *, name: str = "", trainable: bool = True) -> Sequential:
        """The product of values, element by element."""
    def permute(
        self, axes: tuple[int, ...], *, name: str = "", trainable: bool = True,
    ) -> Sequential:
        """The axes of a sample in another order."""
    def position_embedding(
        self, max_length: int, embeddings_initializer: Any = "uniform",
        embeddings_regularizer: Any = None, *, name: str = "", trainable: bool = True,
    ) -> Sequential:
        """A learned vector for each position is added to samples (steps, features)."""
    def positional_encoding(
        self, base: float = 10000.0, *, name: str = "", trainable: bool = True,
    ) -> Sequential:
        """Sines and cosines of the position are added to samples (steps, features)."""
    def prelu(
        self, initializer: Any = 0.25, shared_axes: Any = (), *, name: str = "",
        trainable: bool = True,
    ) -> Sequential:
        """A rectifier whose slope below zero is learned."""
    def relu(
        self, max_value: float | None = None, negative_slope: float = 0.0, threshold: float = 0.0,
        *, name: str = "", trainable: bool = True,
    ) -> Sequential:
        """``max(x, 0)``, or what the arguments make of it."""
    def repeat_vector(self, times: int, *, name: str = "", trainable: bool = True) -> Sequential:
        """A vector several times, along a new first axis of the sample."""
    def reshape(self, shape: Any, *, name: str = "", trainable: bool = True) -> Sequential:
        """The elements of a sample in another shape."""
    def rms_norm(
        self, epsilon: float = 1e-06, *, name: str = "", trainable: bool = True,
    ) -> Sequential:
        """Samples divided by the root of their mean square over the last axis, scaled."""
    def separable_conv1d(
        self, filters: int, kernel_size: Any, strides: Any = 1, padding: Any = "valid",
        dilation_rate: Any = 1, depth_multiplier: int = 1,
        activation: activations.Activation = None, use_bias: bool = True,
        depthwise_initializer: Any = "glorot_uniform",
        pointwise_initializer: Any = "glorot_uniform", bias_initializer: Any = "zeros",
        depthwise_regularizer: Any = None, pointwise_regularizer: Any = None,
        bias_regularizer: Any = None, activity_regularizer: Any = None, *, name: str = "",
        trainable: bool = True, data_format: DataFormat | None = None,
    ) -> Sequential:
        """A separable convolution of samples (channels, length)."""
    def separable_conv2d(
        self, filters: int, kernel_size: Any, strides: Any = 1, padding: Any = "valid",
        dilation_rate: Any = 1, depth_multiplier: int = 1,
        activation: activations.Activation = None, use_bias: bool = True,
        depthwise_initializer: Any = "glorot_uniform",
        pointwise_initializer: Any = "glorot_uniform", bias_initializer: Any = "zeros",
        depthwise_regularizer: Any = None, pointwise_regularizer: Any = None,
        bias_regularizer: Any = None, activity_regularizer: Any = None, *, name: str = "",
        trainable: bool = True, data_format: DataFormat | None = None,
    ) -> Sequential:
        """A separable convolution of images (channels, rows, columns)."""
    def simple_rnn(
        self, units: int, activation: activations.Activation = "tanh", use_bias: bool = True,
        return_sequences: bool = False, return_state: bool = False, stateful: bool = False,
        go_backwards: bool = False, dropout: float = 0.0, recurrent_dropout: float = 0.0,
        kernel_initializer: Any = "glorot_uniform", recurrent_initializer: Any = "orthogonal",
        bias_initializer: Any = "zeros", kernel_regularizer: Any = None,
        recurrent_regularizer: Any = None, bias_regularizer: Any = None,
        kernel_constraint: Any = None, recurrent_constraint: Any = None,
        bias_constraint: Any = None, activity_regularizer: Any = None, *, name: str = "",
        trainable: bool = True,
    ) -> Sequential:
        """States ``activation(x @ kernel + state @ recurrent_kernel + bias)`` (Elman, 1990)."""
    def softmax(self, axis: int = -1, *, name: str = "", trainable: bool = True) -> Sequential:
        """Exponentials divided by their sum along an axis."""
    def spatial_dropout1d(
        self, rate: float = 0.5, shared_axes: tuple[int, ...] = ..., *, name: str = "",
        trainable: bool = True, data_format: DataFormat | None = None,
    ) -> Sequential:
        """Whole channels of samples (channels, length) become zero, the others are scaled."""
    def spatial_dropout2d(
        self, rate: float = 0.5, shared_axes: tuple[int, ...] = ..., *, name: str = "",
        trainable: bool = True, data_format: DataFormat | None = None,
    ) -> Sequential:
        """Whole channels of images (channels, rows, columns) become zero; see SpatialDropout1D."""
    def spatial_dropout3d(
        self, rate: float = 0.5, shared_axes: tuple[int, ...] = ..., *, name: str = "",
        trainable: bool = True, data_format: DataFormat | None = None,
    ) -> Sequential:
        """Whole channels of volumes (channels, depth, rows, columns) become zero."""
    def spectral_norm(
        self, layer: Layer, power_iterations: int = 1, *, name: str = "", trainable: bool = True,
    ) -> Sequential:
        """The kernel, as a matrix, is divided by its largest singular value."""
    def time_distributed(
        self, layer: Layer, *, name: str = "", trainable: bool = True,
    ) -> Sequential:
        """A layer that is applied to each step of samples (steps, *shape) as if it were a
        sample."""
    def transformer_block(
        self, heads: int, hidden: int, activation: activations.Activation = "relu",
        kv_heads: int | None = None, causal: bool = False, dropout: float = 0.0,
        norm_first: bool = False, epsilon: float = 1e-05, *, name: str = "", trainable: bool = True,
    ) -> Sequential:
        """Attention of a sequence to itself, then two dense layers; each is added to its input."""
    def unit_normalization(
        self, axis: Any = -1, *, name: str = "", trainable: bool = True,
    ) -> Sequential:
        """Samples divided by their Euclidean norm along an axis, or several."""
    def up_sampling1d(
        self, size: Any = 2, *, name: str = "", trainable: bool = True,
        data_format: DataFormat | None = None,
    ) -> Sequential:
        """Elements of samples (channels, length) repeated."""
    def up_sampling2d(
        self, size: Any = 2, interpolation: Literal['nearest', 'bilinear'] = "nearest", *,
        name: str = "", trainable: bool = True, data_format: DataFormat | None = None,
    ) -> Sequential:
        """Rows and columns of images (channels, rows, columns) repeated, or interpolated."""
    def up_sampling3d(
        self, size: Any = 2, *, name: str = "", trainable: bool = True,
        data_format: DataFormat | None = None,
    ) -> Sequential:
        """Elements of volumes (channels, depth, rows, columns) repeated."""
    def weight_norm(self, layer: Layer, *, name: str = "", trainable: bool = True) -> Sequential:
        """The kernel of each unit or filter is a learned length times a direction."""
    def zero_padding1d(
        self, padding: Any = 1, *, name: str = "", trainable: bool = True,
        data_format: DataFormat | None = None,
    ) -> Sequential:
        """Zeros before and after samples (channels, length)."""
    def zero_padding2d(
        self, padding: Any = 1, *, name: str = "", trainable: bool = True,
        data_format: DataFormat | None = None,
    ) -> Sequential:
        """Zeros around images (channels, rows, columns)."""
    def zero_padding3d(
        self, padding: Any = 1, *, name: str = "", trainable: bool = True,
        data_format: DataFormat | None = None,
    ) -> Sequential:
        """Zeros around volumes (channels, depth, rows, columns)."""
    def build(self, shape: tuple[int | None, ...], dtype: str = "float32") -> None:
        """Create the parameters for samples of a shape, without the axis of samples; once."""
    @property
    def built(self) -> bool: ...
    def get_weights(self) -> list[Array]:
        """Return copies of all parameters."""
    @property
    def inputs(self) -> list[Value]: ...
    @property
    def layers(self) -> list[Layer]: ...
    name: str
    @property
    def network(self) -> Network: ...
    @property
    def outputs(self) -> list[Value]: ...
    @property
    def parameters(self) -> list[Parameter]: ...
    def predict_on_batch(self, x: Any) -> Any:
        """Return the outputs for samples, all in one call; see :meth:`predict`."""
    def set_weights(self, weights: Sequence[Any]) -> None:
        """Set all parameters."""
    stop_training: bool
    def test_on_batch(self, x: Any, y: Any = None, sample_weight: Any = None) -> dict[str, float]:
        """Return the measures of a batch, at test; the arguments are those of :meth:`fit`."""
    def to_bytes(self) -> bytes:
        """Return the content of the file that :meth:`save` writes."""
    def train_on_batch(
        self, x: Any, y: Any = None, sample_weight: Any = None,
        class_weight: Mapping[Any, float] | str | None = None,
    ) -> dict[str, float]:
        """Change the parameters once, by the gradient of a batch, and return its measures."""
