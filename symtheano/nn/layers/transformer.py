"""Transformer blocks."""

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
    """Transformer block: self-attention, then two dense layers, both with residual connections.

    Samples have shape (steps, features), and so has the output. Without ``causal``, it is the block
    of an encoder. With ``causal=True``, it suits networks that predict the next step. See Vaswani
    et al., 2017, Attention Is All You Need, section 3.1.

    Parameters
    ----------
    heads
        The number of attention heads, a divisor of the number of features.
    hidden
        The number of units of the first dense layer. The second one has as many units as the input
        has features.
    activation
        The activation function of the first dense layer: a name, ``"relu"`` by default, or a
        function of an expression.
    kv_heads
        The number of heads of keys and values, a divisor of ``heads``. Each of them serves
        ``heads / kv_heads`` heads of queries. None: ``heads``.
    causal
        Whether each step attends only to itself and to the steps before it.
    dropout
        The probability that an element is set to zero in training: of the attention weights, and of
        both results before they are added to their inputs. The default is 0.
    norm_first
        Whether layer normalization is applied to the inputs of the attention and of the dense
        layers, not to the sums after them. See Xiong et al., 2020, On Layer Normalization in the
        Transformer Architecture.
    epsilon
        A small number that layer normalization adds to the variance.

    Examples
    --------
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
            raise self.error(
                f"heads={self.heads} must divide the number of features, which is {shapes[0][1]}"
            )
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
