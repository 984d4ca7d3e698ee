"""Blocks of a Transformer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from symtheano.nn import activations
from symtheano.nn.layers.attention import MultiHeadAttention
from symtheano.nn.layers.base import Layer
from symtheano.nn.layers.dense import Dense
from symtheano.nn.layers.noise import Dropout, check_rate
from symtheano.nn.layers.normalization import LayerNorm
from symtheano.nn.layers.positions import known_features
from symtheano.nn.values import Shape


@dataclass(eq=False)
class TransformerBlock(Layer):
    """Attention of a sequence to itself, then two dense layers; each is added to its input.

    See Vaswani et al., 2017, Attention Is All You Need, section 3.1: the block of an encoder, or,
    with ``causal=True``, of a network that predicts the next step.

    Parameters
    ----------
    heads
        The number of heads, a divisor of the number of features.
    hidden
        The units of the first dense layer.
    activation
        Of the first dense layer.
    kv_heads, causal
        As in :class:`MultiHeadAttention`.
    dropout
        The rate of zeros in training: of the shares, and of both results before they are added.
    norm_first
        Whether inputs are normalized, not the sums (Xiong et al., 2020, On Layer Normalization in
        the Transformer Architecture).
    epsilon
        Of the normalization.

    Examples
    --------
    >>> from symtheano import nn
    >>> nn.TransformerBlock(4, 64)(nn.Input((None, 16)))
    Value(float32, (n, ?, 16) of transformer_block)
    """

    heads: int
    hidden: int
    activation: activations.Activation = "relu"
    kv_heads: int | None = None
    causal: bool = False
    dropout: float = 0.0
    norm_first: bool = False
    epsilon: float = 1e-5

    keeps_steps = True
    counts = ("heads", "hidden", "kv_heads")

    def __post_init__(self) -> None:
        super().__post_init__()
        check_rate(self, self.dropout)
        self.differs = self.dropout > 0

    def build(self, *shapes: Shape) -> None:
        features = known_features(self, shapes[0])
        self._attention = MultiHeadAttention(
            self.heads,
            features // self.heads,
            kv_heads=self.kv_heads,
            causal=self.causal,
            dropout=self.dropout,
            name=self.name,
        )
        self._norms = LayerNorm(epsilon=self.epsilon), LayerNorm(epsilon=self.epsilon)
        self._first, self._second = Dense(self.hidden, self.activation), Dense(features)
        self._dropout = Dropout(self.dropout)
        self.build_part(self._attention, "attention/", shapes[0])
        self.build_part(self._norms[0], "norm/", shapes[0])
        self.build_part(self._first, "dense/", shapes[0])
        self.build_part(self._second, "dense_1/", (shapes[0][0], self.hidden))
        self.build_part(self._norms[1], "norm_1/", shapes[0])

    def output_shape(self, *shapes: Shape) -> Shape:
        if known_features(self, shapes[0]) % self.heads:
            raise self.error(f"{self.heads} heads do not divide {shapes[0][1]} features")
        return shapes[0]

    def apply(self, *inputs: Any, training: bool) -> Any:
        masks = self.masks[:1]

        def attention(x: Any) -> Any:
            return self.apply_part(self._attention, x, training=training, masks=masks)

        def dense(x: Any) -> Any:
            y = self.apply_part(self._first, x, training=training)
            return self.apply_part(self._second, y, training=training)

        x = inputs[0]
        for function, norm in zip((attention, dense), self._norms, strict=True):
            if self.norm_first:
                y = function(self.apply_part(norm, x, training=training))
                x = x + self.apply_part(self._dropout, y, training=training)
            else:
                y = self.apply_part(self._dropout, function(x), training=training)
                x = self.apply_part(norm, x + y, training=training)
        return x
