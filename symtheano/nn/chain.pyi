"""The methods of chains, and what they share with models, for type checkers.

Written from the tables of layers by ``pytest --update-golden tests/test_lazy_stubs.py``.
"""

from collections.abc import Mapping as Mapping, Sequence as Sequence
from symtheano.nn import activations as activations
from symtheano.nn.layers.base import Layer as Layer
from symtheano.nn.layers.parameters import Parameter as Parameter
from symtheano.nn.network import Network as Network
from symtheano.nn.sequential import Sequential as Sequential
from symtheano.nn.training.data import Array as Array
from symtheano.nn.training.measures import Measures as Measures
from symtheano.nn.values import Value as Value
from symtheano.tensor.nnet.formats import DataFormat as DataFormat
from typing import Any as Any, Literal as Literal

class ChainMembers:
    def activation(
        self, activation: activations.Activation, activity_regularizer: Any = None, *,
        name: str = "", trainable: bool = True,
    ) -> Sequential:
        """Applies an activation function to each input."""
    def activity_regularization(
        self, regularizer: Any = "l2", *, name: str = "", trainable: bool = True,
    ) -> Sequential:
        """Adds a penalty on its input to the loss, and returns the input unchanged."""
    def alpha_dropout(
        self, rate: float = 0.5, shared_axes: tuple[int, ...] = (), *, name: str = "",
        trainable: bool = True,
    ) -> Sequential:
        """Dropout for networks with the activation function ``selu``."""
    def attention(
        self, scale: float | str | None = None, causal: bool = False, dropout: float = 0.0, *,
        name: str = "", trainable: bool = True,
    ) -> Sequential:
        """Dot-product attention of a query to the steps of a value."""
    def average(self, *, name: str = "", trainable: bool = True) -> Sequential:
        """The mean of two or more values, element by element."""
    def average_pool1d(
        self, pool_size: Any = 2, strides: Any = None, padding: Any = "valid", *, name: str = "",
        trainable: bool = True, data_format: DataFormat | None = None,
    ) -> Sequential:
        """Average pooling of samples of shape (channels, length)."""
    def average_pool2d(
        self, pool_size: Any = 2, strides: Any = None, padding: Any = "valid", *, name: str = "",
        trainable: bool = True, data_format: DataFormat | None = None,
    ) -> Sequential:
        """Average pooling of images of shape (channels, rows, columns)."""
    def average_pool3d(
        self, pool_size: Any = 2, strides: Any = None, padding: Any = "valid", *, name: str = "",
        trainable: bool = True, data_format: DataFormat | None = None,
    ) -> Sequential:
        """Average pooling of volumes of shape (channels, depth, rows, columns)."""
    def batch_norm(
        self, axis: int | None = None, momentum: float = 0.99, epsilon: float = 0.001,
        center: bool = True, scale: bool = True, beta_initializer: Any = "zeros",
        gamma_initializer: Any = "ones", beta_regularizer: Any = None,
        gamma_regularizer: Any = None, *, name: str = "", trainable: bool = True,
        data_format: DataFormat | None = None,
    ) -> Sequential:
        """Batch normalization: each feature is normalized over the samples of a batch."""
    def bidirectional(
        self, layer: Layer, merge_mode: str = "concat", backward_layer: Layer | None = None, *,
        name: str = "", trainable: bool = True,
    ) -> Sequential:
        """Applies a recurrent layer to a sequence forwards and backwards, and merges both
        outputs."""
    def concatenate(self, axis: int = -1, *, name: str = "", trainable: bool = True) -> Sequential:
        """Joins two or more values along an axis."""
    def conv1d(
        self, filters: int, kernel_size: Any, strides: Any = 1, padding: Any = "valid",
        dilation_rate: Any = 1, groups: int = 1, activation: activations.Activation = None,
        use_bias: bool = True, kernel_initializer: Any = "glorot_uniform",
        bias_initializer: Any = "zeros", kernel_regularizer: Any = None,
        bias_regularizer: Any = None, kernel_constraint: Any = None, bias_constraint: Any = None,
        activity_regularizer: Any = None, *, name: str = "", trainable: bool = True,
        data_format: DataFormat | None = None,
    ) -> Sequential:
        """1D convolution of samples of shape (channels, length)."""
    def conv1d_transpose(
        self, filters: int, kernel_size: Any, strides: Any = 1, padding: Any = "valid",
        dilation_rate: Any = 1, groups: int = 1, activation: activations.Activation = None,
        use_bias: bool = True, kernel_initializer: Any = "glorot_uniform",
        bias_initializer: Any = "zeros", kernel_regularizer: Any = None,
        bias_regularizer: Any = None, kernel_constraint: Any = None, bias_constraint: Any = None,
        activity_regularizer: Any = None, output_padding: Any = None, *, name: str = "",
        trainable: bool = True, data_format: DataFormat | None = None,
    ) -> Sequential:
        """1D transposed convolution of samples of shape (channels, length)."""
    def conv2d(
        self, filters: int, kernel_size: Any, strides: Any = 1, padding: Any = "valid",
        dilation_rate: Any = 1, groups: int = 1, activation: activations.Activation = None,
        use_bias: bool = True, kernel_initializer: Any = "glorot_uniform",
        bias_initializer: Any = "zeros", kernel_regularizer: Any = None,
        bias_regularizer: Any = None, kernel_constraint: Any = None, bias_constraint: Any = None,
        activity_regularizer: Any = None, *, name: str = "", trainable: bool = True,
        data_format: DataFormat | None = None,
    ) -> Sequential:
        """2D convolution of images of shape (channels, rows, columns)."""
    def conv2d_transpose(
        self, filters: int, kernel_size: Any, strides: Any = 1, padding: Any = "valid",
        dilation_rate: Any = 1, groups: int = 1, activation: activations.Activation = None,
        use_bias: bool = True, kernel_initializer: Any = "glorot_uniform",
        bias_initializer: Any = "zeros", kernel_regularizer: Any = None,
        bias_regularizer: Any = None, kernel_constraint: Any = None, bias_constraint: Any = None,
        activity_regularizer: Any = None, output_padding: Any = None, *, name: str = "",
        trainable: bool = True, data_format: DataFormat | None = None,
    ) -> Sequential:
        """2D transposed convolution of images of shape (channels, rows, columns)."""
    def conv3d(
        self, filters: int, kernel_size: Any, strides: Any = 1, padding: Any = "valid",
        dilation_rate: Any = 1, groups: int = 1, activation: activations.Activation = None,
        use_bias: bool = True, kernel_initializer: Any = "glorot_uniform",
        bias_initializer: Any = "zeros", kernel_regularizer: Any = None,
        bias_regularizer: Any = None, kernel_constraint: Any = None, bias_constraint: Any = None,
        activity_regularizer: Any = None, *, name: str = "", trainable: bool = True,
        data_format: DataFormat | None = None,
    ) -> Sequential:
        """3D convolution of volumes of shape (channels, depth, rows, columns)."""
    def conv3d_transpose(
        self, filters: int, kernel_size: Any, strides: Any = 1, padding: Any = "valid",
        dilation_rate: Any = 1, groups: int = 1, activation: activations.Activation = None,
        use_bias: bool = True, kernel_initializer: Any = "glorot_uniform",
        bias_initializer: Any = "zeros", kernel_regularizer: Any = None,
        bias_regularizer: Any = None, kernel_constraint: Any = None, bias_constraint: Any = None,
        activity_regularizer: Any = None, output_padding: Any = None, *, name: str = "",
        trainable: bool = True, data_format: DataFormat | None = None,
    ) -> Sequential:
        """3D transposed convolution of volumes of shape (channels, depth, rows, columns)."""
    def cropping1d(
        self, cropping: Any = 1, *, name: str = "", trainable: bool = True,
        data_format: DataFormat | None = None,
    ) -> Sequential:
        """Cuts off both ends of samples of shape (channels, length)."""
    def cropping2d(
        self, cropping: Any = 1, *, name: str = "", trainable: bool = True,
        data_format: DataFormat | None = None,
    ) -> Sequential:
        """Cuts off the edges of images of shape (channels, rows, columns)."""
    def cropping3d(
        self, cropping: Any = 1, *, name: str = "", trainable: bool = True,
        data_format: DataFormat | None = None,
    ) -> Sequential:
        """Cuts off the edges of volumes of shape (channels, depth, rows, columns)."""
    def dense(
        self, units: int, activation: activations.Activation = None, use_bias: bool = True,
        kernel_initializer: Any = "glorot_uniform", bias_initializer: Any = "zeros",
        kernel_regularizer: Any = None, bias_regularizer: Any = None, kernel_constraint: Any = None,
        bias_constraint: Any = None, activity_regularizer: Any = None, *, name: str = "",
        trainable: bool = True,
    ) -> Sequential:
        """Fully connected layer: ``activation(x @ kernel + bias)``."""
    def depthwise_conv1d(
        self, kernel_size: Any, strides: Any = 1, padding: Any = "valid", depth_multiplier: int = 1,
        dilation_rate: Any = 1, activation: activations.Activation = None, use_bias: bool = True,
        depthwise_initializer: Any = "glorot_uniform", bias_initializer: Any = "zeros",
        depthwise_regularizer: Any = None, bias_regularizer: Any = None,
        depthwise_constraint: Any = None, bias_constraint: Any = None,
        activity_regularizer: Any = None, *, name: str = "", trainable: bool = True,
        data_format: DataFormat | None = None,
    ) -> Sequential:
        """1D depthwise convolution: each channel is convolved with its own filters."""
    def depthwise_conv2d(
        self, kernel_size: Any, strides: Any = 1, padding: Any = "valid", depth_multiplier: int = 1,
        dilation_rate: Any = 1, activation: activations.Activation = None, use_bias: bool = True,
        depthwise_initializer: Any = "glorot_uniform", bias_initializer: Any = "zeros",
        depthwise_regularizer: Any = None, bias_regularizer: Any = None,
        depthwise_constraint: Any = None, bias_constraint: Any = None,
        activity_regularizer: Any = None, *, name: str = "", trainable: bool = True,
        data_format: DataFormat | None = None,
    ) -> Sequential:
        """2D depthwise convolution: each channel is convolved with its own filters."""
    def drop_connect(
        self, units: int, activation: activations.Activation = None, use_bias: bool = True,
        kernel_initializer: Any = "glorot_uniform", bias_initializer: Any = "zeros",
        kernel_regularizer: Any = None, bias_regularizer: Any = None, kernel_constraint: Any = None,
        bias_constraint: Any = None, activity_regularizer: Any = None, rate: float = 0.5, *,
        name: str = "", trainable: bool = True,
    ) -> Sequential:
        """Fully connected layer that sets random elements of its kernel to zero in training."""
    def dropout(
        self, rate: float = 0.5, shared_axes: tuple[int, ...] = (), *, name: str = "",
        trainable: bool = True,
    ) -> Sequential:
        """Dropout: sets random elements to zero in training."""
    def elu(self, alpha: float = 1.0, *, name: str = "", trainable: bool = True) -> Sequential:
        """Exponential linear unit: ``x`` where it is positive, and ``alpha * (exp(x) - 1)``
        elsewhere."""
    def embedding(
        self, input_dim: int, output_dim: int, embeddings_initializer: Any = "uniform",
        embeddings_regularizer: Any = None, embeddings_constraint: Any = None,
        mask_zero: bool = False, *, name: str = "", trainable: bool = True,
    ) -> Sequential:
        """Turns integers, such as the numbers of words or characters, into learned vectors."""
    def flatten(self, *, name: str = "", trainable: bool = True) -> Sequential:
        """Flattens each sample to a vector."""
    def gaussian_dropout(
        self, rate: float = 0.5, *, name: str = "", trainable: bool = True,
    ) -> Sequential:
        """Multiplies elements by normally distributed noise with mean 1 in training."""
    def gaussian_noise(
        self, stddev: float = 0.1, *, name: str = "", trainable: bool = True,
    ) -> Sequential:
        """Adds normally distributed noise with mean 0 in training."""
    def global_average_pool(
        self, *, name: str = "", trainable: bool = True, data_format: DataFormat | None = None,
    ) -> Sequential:
        """The mean of each channel over all positions."""
    def global_max_pool(
        self, *, name: str = "", trainable: bool = True, data_format: DataFormat | None = None,
    ) -> Sequential:
        """The maximum of each channel over all positions."""
    def group_norm(
        self, groups: int | None = 32, epsilon: float = 0.001, center: bool = True,
        scale: bool = True, *, name: str = "", trainable: bool = True,
        data_format: DataFormat | None = None,
    ) -> Sequential:
        """Group normalization: groups of channels of each sample are normalized."""
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
        """Gated recurrent unit: ``state = z * state + (1 - z) * candidate``."""
    def instance_norm(
        self, epsilon: float = 1e-05, center: bool = True, scale: bool = True, *, name: str = "",
        trainable: bool = True, data_format: DataFormat | None = None,
    ) -> Sequential:
        """Instance normalization: each channel of each sample is normalized."""
    def layer_norm(
        self, axis: Any = -1, epsilon: float = 0.001, center: bool = True, scale: bool = True, *,
        name: str = "", trainable: bool = True,
    ) -> Sequential:
        """Layer normalization: each sample is normalized over its features."""
    def leaky_relu(
        self, negative_slope: float = 0.3, *, name: str = "", trainable: bool = True,
    ) -> Sequential:
        """Leaky rectifier: ``x`` where ``x`` is positive, and ``negative_slope * x`` elsewhere."""
    def local_response_norm(
        self, channels: int = 5, alpha: float = 0.0001, beta: float = 0.75, k: float = 2.0, *,
        name: str = "", trainable: bool = True, data_format: DataFormat | None = None,
    ) -> Sequential:
        """Local response normalization: ``x / (k + alpha * sum(x**2)) ** beta``."""
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
        """Long short-term memory layer."""
    def masking(
        self, mask_value: float = 0.0, *, name: str = "", trainable: bool = True,
    ) -> Sequential:
        """Masks the steps of a sequence whose features all equal one value."""
    def max_pool1d(
        self, pool_size: Any = 2, strides: Any = None, padding: Any = "valid", *, name: str = "",
        trainable: bool = True, data_format: DataFormat | None = None,
    ) -> Sequential:
        """Max pooling of samples of shape (channels, length)."""
    def max_pool2d(
        self, pool_size: Any = 2, strides: Any = None, padding: Any = "valid", *, name: str = "",
        trainable: bool = True, data_format: DataFormat | None = None,
    ) -> Sequential:
        """Max pooling of images of shape (channels, rows, columns)."""
    def max_pool3d(
        self, pool_size: Any = 2, strides: Any = None, padding: Any = "valid", *, name: str = "",
        trainable: bool = True, data_format: DataFormat | None = None,
    ) -> Sequential:
        """Max pooling of volumes of shape (channels, depth, rows, columns)."""
    def maximum(self, *, name: str = "", trainable: bool = True) -> Sequential:
        """The maximum of two or more values, element by element."""
    def maxout(
        self, units: int, activation: activations.Activation = None, use_bias: bool = True,
        kernel_initializer: Any = "glorot_uniform", bias_initializer: Any = "zeros",
        kernel_regularizer: Any = None, bias_regularizer: Any = None, kernel_constraint: Any = None,
        bias_constraint: Any = None, activity_regularizer: Any = None, pieces: int = 2, *,
        name: str = "", trainable: bool = True,
    ) -> Sequential:
        """Maxout layer: each unit is the maximum of several linear functions of the input."""
    def minimum(self, *, name: str = "", trainable: bool = True) -> Sequential:
        """The minimum of two or more values, element by element."""
    def multi_head_attention(
        self, heads: int, key_dim: int, value_dim: int | None = None, kv_heads: int | None = None,
        output_dim: int | None = None, use_bias: bool = True, causal: bool = False,
        dropout: float = 0.0, kernel_initializer: Any = "glorot_uniform",
        bias_initializer: Any = "zeros", kernel_regularizer: Any = None,
        bias_regularizer: Any = None, *, name: str = "", trainable: bool = True,
    ) -> Sequential:
        """Multi-head attention."""
    def multiply(self, *, name: str = "", trainable: bool = True) -> Sequential:
        """The product of two or more values, element by element; also written ``x * y``."""
    def permute(
        self, axes: tuple[int, ...], *, name: str = "", trainable: bool = True,
    ) -> Sequential:
        """Reorders the axes of each sample."""
    def position_embedding(
        self, max_length: int, embeddings_initializer: Any = "uniform",
        embeddings_regularizer: Any = None, *, name: str = "", trainable: bool = True,
    ) -> Sequential:
        """Adds a learned vector for each position to samples of shape (steps, features)."""
    def positional_encoding(
        self, base: float = 10000.0, *, name: str = "", trainable: bool = True,
    ) -> Sequential:
        """Adds sines and cosines of the position to samples of shape (steps, features)."""
    def prelu(
        self, initializer: Any = 0.25, shared_axes: Any = (), *, name: str = "",
        trainable: bool = True,
    ) -> Sequential:
        """Parametric rectifier: ``x`` where ``x`` is positive, and ``slope * x`` elsewhere."""
    def relu(
        self, max_value: float | None = None, negative_slope: float = 0.0, threshold: float = 0.0,
        *, name: str = "", trainable: bool = True,
    ) -> Sequential:
        """Rectified linear unit: ``max(x, 0)`` with the default arguments."""
    def repeat_vector(self, times: int, *, name: str = "", trainable: bool = True) -> Sequential:
        """Repeats each sample along a new first axis, for example a vector for each step of a
        sequence."""
    def reshape(self, shape: Any, *, name: str = "", trainable: bool = True) -> Sequential:
        """Changes the shape of each sample."""
    def rms_norm(
        self, epsilon: float = 1e-06, *, name: str = "", trainable: bool = True,
    ) -> Sequential:
        """Divides samples by the root of their mean square along the last axis."""
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
        """1D separable convolution: a depthwise convolution, then a pointwise one."""
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
        """2D separable convolution: a depthwise convolution, then a pointwise one."""
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
        """Simple recurrent layer: ``activation(x @ kernel + state @ recurrent_kernel + bias)``."""
    def softmax(self, axis: int = -1, *, name: str = "", trainable: bool = True) -> Sequential:
        """Softmax: exponentials divided by their sum along an axis."""
    def spatial_dropout1d(
        self, rate: float = 0.5, shared_axes: tuple[int, ...] = ..., *, name: str = "",
        trainable: bool = True, data_format: DataFormat | None = None,
    ) -> Sequential:
        """Dropout of whole channels of samples of shape (channels, length)."""
    def spatial_dropout2d(
        self, rate: float = 0.5, shared_axes: tuple[int, ...] = ..., *, name: str = "",
        trainable: bool = True, data_format: DataFormat | None = None,
    ) -> Sequential:
        """Dropout of whole channels of images of shape (channels, rows, columns)."""
    def spatial_dropout3d(
        self, rate: float = 0.5, shared_axes: tuple[int, ...] = ..., *, name: str = "",
        trainable: bool = True, data_format: DataFormat | None = None,
    ) -> Sequential:
        """Dropout of whole channels of volumes of shape (channels, depth, rows, columns)."""
    def spectral_norm(
        self, layer: Layer, power_iterations: int = 1, *, name: str = "", trainable: bool = True,
    ) -> Sequential:
        """Spectral normalization: the kernel, as a matrix, is divided by its largest singular
        value."""
    def time_distributed(
        self, layer: Layer, *, name: str = "", trainable: bool = True,
    ) -> Sequential:
        """Applies a layer to each step of a sequence, with the same parameters for all steps."""
    def transformer_block(
        self, heads: int, hidden: int, activation: activations.Activation = "relu",
        kv_heads: int | None = None, causal: bool = False, dropout: float = 0.0,
        norm_first: bool = False, epsilon: float = 1e-05, *, name: str = "", trainable: bool = True,
    ) -> Sequential:
        """Transformer block: self-attention, then two dense layers, both with residual
        connections."""
    def unit_normalization(
        self, axis: Any = -1, *, name: str = "", trainable: bool = True,
    ) -> Sequential:
        """Divides samples by their Euclidean norm along one or more axes."""
    def up_sampling1d(
        self, size: Any = 2, *, name: str = "", trainable: bool = True,
        data_format: DataFormat | None = None,
    ) -> Sequential:
        """Repeats the elements of samples of shape (channels, length)."""
    def up_sampling2d(
        self, size: Any = 2, interpolation: Literal['nearest', 'bilinear'] = "nearest", *,
        name: str = "", trainable: bool = True, data_format: DataFormat | None = None,
    ) -> Sequential:
        """Enlarges images of shape (channels, rows, columns) by repetition or interpolation."""
    def up_sampling3d(
        self, size: Any = 2, *, name: str = "", trainable: bool = True,
        data_format: DataFormat | None = None,
    ) -> Sequential:
        """Repeats the elements of volumes of shape (channels, depth, rows, columns)."""
    def weight_norm(self, layer: Layer, *, name: str = "", trainable: bool = True) -> Sequential:
        """Weight normalization: each unit or filter has a kernel with a learned norm and
        direction."""
    def zero_padding1d(
        self, padding: Any = 1, *, name: str = "", trainable: bool = True,
        data_format: DataFormat | None = None,
    ) -> Sequential:
        """Adds zeros before and after samples of shape (channels, length)."""
    def zero_padding2d(
        self, padding: Any = 1, *, name: str = "", trainable: bool = True,
        data_format: DataFormat | None = None,
    ) -> Sequential:
        """Adds zeros around images of shape (channels, rows, columns)."""
    def zero_padding3d(
        self, padding: Any = 1, *, name: str = "", trainable: bool = True,
        data_format: DataFormat | None = None,
    ) -> Sequential:
        """Adds zeros around volumes of shape (channels, depth, rows, columns)."""
    conv = conv2d
    maxpool = max_pool2d
    avgpool = average_pool2d
    def build(self, shape: tuple[int | None, ...], dtype: str = "float32") -> None:
        """Create the parameters, if they do not exist yet."""
    @property
    def built(self) -> bool: ...
    def get_weights(self) -> list[Array]:
        """Return copies of the values of all parameters, including running statistics."""
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
    def predict_on_batch(self, x: Any) -> Array | Any:
        """Return the outputs for samples, all of them as one batch; see :meth:`predict`."""
    def set_weights(self, weights: Sequence[Any]) -> None:
        """Set the values of all parameters."""
    stop_training: bool
    def test_on_batch(
        self, x: Any, y: Any = None, sample_weight: Any = None, *, distribute: Any = None,
    ) -> Measures:
        """Return the loss and the metrics of one batch, with layers as at test."""
    def to_bytes(self) -> bytes:
        """Return the bytes that :meth:`save` writes to a file."""
    def train_on_batch(
        self, x: Any, y: Any = None, sample_weight: Any = None,
        class_weight: Mapping[Any, float] | str | None = None, *, distribute: Any = None,
    ) -> Measures:
        """Take one step of the optimizer with a batch, and return the loss and the metrics."""
