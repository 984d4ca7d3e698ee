"""Every layer with arguments that show what it does, and shapes of samples."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

import symtheano.tensor as T
from symtheano import nn
from symtheano.nn.layers.base import Layer
from symtheano.nn.layers.configuration import layer_from

Shape = tuple["int | None", ...]


@dataclass
class Case:
    """What makes a layer, the shapes of its inputs (None is 4 in calls), and their dtype."""

    make: Callable[[], Layer]
    shapes: tuple[Shape, ...]
    dtype: str = "float64"
    is_data: bool = True

    def values(self, seed: int = 1) -> list[Any]:
        return [nn.Input(shape, self.dtype, seed=seed) for shape in self.shapes]

    def arrays(self, samples: int, steps: int = 4) -> list[Any]:
        rng = np.random.default_rng(samples + 7)
        shapes = [(samples, *(steps if n is None else n for n in s)) for s in self.shapes]
        if self.dtype.startswith("int"):
            return [rng.integers(0, 5, shape).astype(self.dtype) for shape in shapes]
        return [rng.normal(size=shape).astype(self.dtype) for shape in shapes]


def case(make: Callable[[], Layer], *shapes: Shape, **more: Any) -> Case:
    return Case(make, shapes, **more)


FLAT, STEPS, LINE, IMAGE, VOLUME = (5,), (None, 3), (3, 6), (3, 6, 5), (2, 4, 3, 3)
SEQUENCES = {"return_sequences": True}

CASES: dict[str, Case] = {
    "dense": case(lambda: nn.Dense(3, "tanh"), FLAT),
    "dense_steps": case(lambda: nn.Dense(3, use_bias=False), STEPS),
    "dense_regularized": case(
        lambda: nn.Dense(
            3,
            kernel_regularizer="l2",
            bias_regularizer=nn.L1(0.1),
            activity_regularizer="l2",
            kernel_constraint="max_norm",
        ),
        FLAT,
    ),
    "activation": case(lambda: nn.Activation("gelu"), FLAT),
    "prelu": case(lambda: nn.PReLU(), FLAT),
    "prelu_shared": case(lambda: nn.PReLU(shared_axes=(2, 3)), IMAGE),
    "lambda": case(lambda: nn.Lambda(T.sqr), FLAT, is_data=False),
    "relu": case(lambda: nn.ReLU(), FLAT),
    "relu_arguments": case(lambda: nn.ReLU(1.0, 0.1, 0.2), FLAT),
    "leaky_relu": case(lambda: nn.LeakyReLU(0.2), FLAT),
    "elu": case(lambda: nn.ELU(0.5), FLAT),
    "softmax": case(lambda: nn.Softmax(1), STEPS),
    "maxout": case(lambda: nn.Maxout(3, pieces=3), FLAT),
    "maxout_steps": case(lambda: nn.Maxout(3, "tanh", use_bias=False), STEPS),
    "conv1d": case(lambda: nn.Conv1D(2, 3, padding="causal", dilation_rate=2), LINE),
    "conv1d_unknown": case(lambda: nn.Conv1D(2, 3, padding="same"), (3, None)),
    "conv2d": case(lambda: nn.Conv2D(4, 3, 2, "same", activation="tanh"), IMAGE),
    "conv2d_groups": case(lambda: nn.Conv2D(4, (2, 3), groups=2, padding=1), (4, 5, 4)),
    "conv3d": case(lambda: nn.Conv3D(2, 2, padding=((1, 0), 1, 0)), VOLUME),
    "conv1d_transpose": case(lambda: nn.Conv1DTranspose(2, 3, 2), LINE),
    "conv1d_transpose_unknown": case(lambda: nn.Conv1DTranspose(2, 3, 2, "same"), (3, None)),
    "conv2d_transpose": case(lambda: nn.Conv2DTranspose(2, 3, 2, "same", activation="tanh"), IMAGE),
    "conv2d_transpose_groups": case(
        lambda: nn.Conv2DTranspose(4, (3, 2), (2, 1), 1, output_padding=(1, 0), groups=2), (2, 3, 3)
    ),
    "conv3d_transpose": case(lambda: nn.Conv3DTranspose(2, 2, 2, use_bias=False), VOLUME),
    "depthwise_conv1d": case(lambda: nn.DepthwiseConv1D(3, depth_multiplier=2), LINE),
    "depthwise_conv2d": case(lambda: nn.DepthwiseConv2D(3, 2, "same", activation="tanh"), IMAGE),
    "separable_conv1d": case(lambda: nn.SeparableConv1D(4, 3), LINE),
    "separable_conv2d": case(lambda: nn.SeparableConv2D(4, 3, depth_multiplier=2), IMAGE),
    "max_pool1d": case(lambda: nn.MaxPool1D(2), LINE),
    "max_pool2d": case(lambda: nn.MaxPool2D(3, 2, "same"), IMAGE),
    "max_pool3d": case(lambda: nn.MaxPool3D(2, padding="same"), VOLUME),
    "average_pool1d": case(lambda: nn.AveragePool1D(3, 2, "same"), LINE),
    "average_pool1d_unknown": case(lambda: nn.AveragePool1D(2, 1, "same"), (3, None)),
    "average_pool2d": case(lambda: nn.AveragePool2D(3, 2, "same"), IMAGE),
    "average_pool3d": case(lambda: nn.AveragePool3D(2), (2, 4, 4, 2)),
    "global_average_pool": case(lambda: nn.GlobalAveragePool(), IMAGE),
    "global_max_pool": case(lambda: nn.GlobalMaxPool(), LINE),
    "up_sampling1d": case(lambda: nn.UpSampling1D(3), (2, None)),
    "up_sampling2d": case(lambda: nn.UpSampling2D((2, 3)), IMAGE),
    "up_sampling2d_bilinear": case(lambda: nn.UpSampling2D(2, interpolation="bilinear"), (2, 3, 4)),
    "up_sampling3d": case(lambda: nn.UpSampling3D((1, 2, 1)), VOLUME),
    "zero_padding1d": case(lambda: nn.ZeroPadding1D((2, 1)), (2, None)),
    "zero_padding2d": case(lambda: nn.ZeroPadding2D(((1, 0), (0, 2))), IMAGE),
    "zero_padding3d": case(lambda: nn.ZeroPadding3D((0, 1, 2)), VOLUME),
    "cropping1d": case(lambda: nn.Cropping1D((2, 1)), (2, None)),
    "cropping2d": case(lambda: nn.Cropping2D(((1, 0), (0, 2))), IMAGE),
    "cropping3d": case(lambda: nn.Cropping3D(1), (2, 4, 3, 3)),
    "flatten": case(lambda: nn.Flatten(), IMAGE),
    "permute": case(lambda: nn.Permute((2, 1)), STEPS),
    "repeat_vector": case(lambda: nn.RepeatVector(3), FLAT),
    "reshape": case(lambda: nn.Reshape((2, -1)), (4, 3)),
    "dropout": case(lambda: nn.Dropout(0.4, shared_axes=(1,)), STEPS),
    "spatial_dropout1d": case(lambda: nn.SpatialDropout1D(0.4), LINE),
    "spatial_dropout2d": case(lambda: nn.SpatialDropout2D(0.4), IMAGE),
    "spatial_dropout3d": case(lambda: nn.SpatialDropout3D(0.4), VOLUME),
    "alpha_dropout": case(lambda: nn.AlphaDropout(0.4), FLAT),
    "gaussian_dropout": case(lambda: nn.GaussianDropout(0.4), FLAT),
    "gaussian_noise": case(lambda: nn.GaussianNoise(0.5), FLAT),
    "drop_connect": case(lambda: nn.DropConnect(3, "tanh", rate=0.4), FLAT),
    "activity_regularization": case(lambda: nn.ActivityRegularization("l1"), FLAT),
    "batch_norm": case(lambda: nn.BatchNorm(), IMAGE),
    "batch_norm_last": case(lambda: nn.BatchNorm(axis=-1, center=False, scale=False), STEPS),
    "layer_norm": case(lambda: nn.LayerNorm(), STEPS),
    "rms_norm": case(lambda: nn.RMSNorm(), STEPS),
    "group_norm": case(lambda: nn.GroupNorm(2), (4, 3)),
    "instance_norm": case(lambda: nn.InstanceNorm(), IMAGE),
    "local_response_norm": case(lambda: nn.LocalResponseNorm(3, 0.5), IMAGE),
    "unit_normalization": case(lambda: nn.UnitNormalization(), STEPS),
    "weight_norm": case(lambda: nn.WeightNorm(nn.Dense(3, "tanh")), FLAT),
    "weight_norm_conv": case(lambda: nn.WeightNorm(nn.Conv1D(2, 3)), LINE),
    "spectral_norm": case(lambda: nn.SpectralNorm(nn.Dense(3)), FLAT),
    "spectral_norm_transpose": case(
        lambda: nn.SpectralNorm(nn.Conv1DTranspose(2, 3), power_iterations=2), LINE
    ),
    "add": case(lambda: nn.Add(), FLAT, FLAT, FLAT),
    "subtract": case(lambda: nn.Subtract(), FLAT, FLAT),
    "multiply": case(lambda: nn.Multiply(), STEPS, (1, 3)),
    "average": case(lambda: nn.Average(), FLAT, FLAT),
    "maximum": case(lambda: nn.Maximum(), FLAT, FLAT),
    "minimum": case(lambda: nn.Minimum(), FLAT, FLAT),
    "concatenate": case(lambda: nn.Concatenate(), STEPS, (None, 2)),
    "dot": case(lambda: nn.Dot((2, 2)), (2, 3), (4, 3)),
    "dot_vectors": case(lambda: nn.Dot(1), FLAT, FLAT),
    "embedding": case(lambda: nn.Embedding(5, 3, mask_zero=True), (None,), dtype="int32"),
    "masking": case(lambda: nn.Masking(), STEPS),
    "positional_encoding": case(lambda: nn.PositionalEncoding(), STEPS),
    "position_embedding": case(lambda: nn.PositionEmbedding(6), STEPS),
    "simple_rnn": case(lambda: nn.SimpleRNN(2), STEPS),
    "simple_rnn_one": case(lambda: nn.SimpleRNN(1, **SEQUENCES), STEPS),
    "simple_rnn_initial": case(lambda: nn.SimpleRNN(2, **SEQUENCES), STEPS, (2,)),
    "lstm": case(lambda: nn.LSTM(2, **SEQUENCES, dropout=0.3, recurrent_dropout=0.3), STEPS),
    "lstm_initial": case(lambda: nn.LSTM(2, go_backwards=True), STEPS, (2,), (2,)),
    "lstm_known": case(lambda: nn.LSTM(2, unit_forget_bias=False), (5, 3)),
    "gru": case(lambda: nn.GRU(2, **SEQUENCES, go_backwards=True), STEPS),
    "gru_reset_before": case(
        lambda: nn.GRU(2, reset_after=False, use_bias=False, recurrent_dropout=0.3), STEPS
    ),
    "gru_without_bias": case(lambda: nn.GRU(2, use_bias=False, activity_regularizer="l2"), STEPS),
    "bidirectional": case(lambda: nn.Bidirectional(nn.LSTM(2, **SEQUENCES, dropout=0.2)), STEPS),
    "bidirectional_two": case(
        lambda: nn.Bidirectional(nn.SimpleRNN(2), backward_layer=nn.GRU(3, go_backwards=True)),
        STEPS,
    ),
    "bidirectional_initial": case(
        lambda: nn.Bidirectional(nn.GRU(2), "average"), STEPS, (2,), (2,)
    ),
    "time_distributed": case(lambda: nn.TimeDistributed(nn.Conv1D(2, 2)), (None, 3, 4)),
    "time_distributed_batch_norm": case(lambda: nn.TimeDistributed(nn.BatchNorm()), (None, 3)),
    "attention": case(lambda: nn.Attention("learned", dropout=0.2), STEPS, (3, 2), (3, 3)),
    "attention_causal": case(lambda: nn.Attention(causal=True), STEPS, (None, 3)),
    "multi_head_attention": case(
        lambda: nn.MultiHeadAttention(2, 3, dropout=0.3, kernel_regularizer="l2"), STEPS
    ),
    "multi_head_attention_grouped": case(
        lambda: nn.MultiHeadAttention(4, 2, 3, kv_heads=2, causal=True, use_bias=False),
        STEPS,
        (None, 2),
    ),
    "transformer_block": case(lambda: nn.TransformerBlock(2, 5, "gelu", dropout=0.2), (None, 4)),
    "transformer_block_causal": case(
        lambda: nn.TransformerBlock(2, 5, kv_heads=1, causal=True, norm_first=True), (3, 4)
    ),
}


def last(shape: Shape) -> Shape:
    """Return a shape with its first axis, the channels, at the end."""
    return (*shape[1:], shape[0])


def with_channels_last(made: Case) -> Case:
    """Return the case of the same layer for samples whose channels are the last axis."""
    config = {**made.make().config(), "data_format": "channels_last"}
    shapes = made.shapes if config.get("axis") == -1 else tuple(map(last, made.shapes))
    return replace(made, make=lambda: layer_from(config), shapes=shapes)


OF_IMAGES = {name: one for name, one in CASES.items() if hasattr(one.make(), "data_format")}
CHANNELS_LAST = {f"{name}_of_last": with_channels_last(one) for name, one in OF_IMAGES.items()}
CASES |= CHANNELS_LAST


# Shapes of samples.
FLAT, STEPS, IMAGE = (3,), (4, 3), (2, 4, 4)
