"""Attention: means of values, weighted by how well their keys fit a query.

The formulas are plain operations, ``softmax(q @ k.T * scale + mask) @ v``: the compiler sees what
they are.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import symtheano.tensor as T
from symtheano.nn.layers.base import Layer
from symtheano.nn.layers.noise import check_rate
from symtheano.nn.randomness import drop
from symtheano.nn.values import Shape, shown

NOTHING = -1e9
"""The score of a step that does not exist, or that comes later."""


def attend(
    query: Any,
    key: Any,
    value: Any,
    *,
    scale: Any = None,
    causal: bool = False,
    exists: Any = None,
    drop: Any = None,
) -> Any:
    """Return the attention of arrays whose last two axes are steps and features.

    See Vaswani et al., 2017, Attention Is All You Need.

    Parameters
    ----------
    query, key, value
        Shapes (..., steps, features), (..., other steps, features), (..., other steps, results).
    scale
        The factor of scores; None: one divided by the root of the number of features.
    causal
        Whether step k has only the other steps up to k.
    exists
        Which of the other steps exist: a boolean array that is broadcast to the scores.
    drop
        A function of the shares, for dropout.

    Examples
    --------
    >>> import numpy as np
    >>> one = np.eye(2)[np.newaxis]
    >>> attend(one, one, one, causal=True).eval().round(2)
    array([[[1.  , 0.  ],
            [0.33, 0.67]]])
    """
    query, key, value = (T.as_tensor_variable(a) for a in (query, key, value))
    if scale is None:
        scale = 1 / T.sqrt(T.cast(T.maximum(query.shape[-1], 1), query.dtype))
    swap = (*range(key.ndim - 2), key.ndim - 1, key.ndim - 2)
    scores = T.matmul(query, key.dimshuffle(*swap)) * scale
    nothing = T.constant(NOTHING, dtype=scores.dtype)
    if exists is not None:
        scores = scores + T.switch(exists, T.zeros_like(nothing), nothing)
    if causal:
        rows, columns = T.arange(query.shape[-2]), T.arange(key.shape[-2])
        past = columns.dimshuffle("x", 0) <= rows.dimshuffle(0, "x")
        scores = T.switch(past.dimshuffle(*"x" * (scores.ndim - 2), 0, 1), scores, nothing)
    shares = T.nnet.softmax(scores, axis=-1)
    return T.matmul(shares if drop is None else drop(shares), value)


@dataclass(eq=False)
class Attention(Layer):
    """Dot-product attention: the layer is called with (query, value) or (query, value, key).

    All are samples of shape (steps, features). The key is the value if it is not given. Steps of
    the value that its mask leaves out do not count, unless none is left.

    Parameters
    ----------
    scale
        The factor of scores; None: one divided by the root of the number of features.
        ``"learned"``: a parameter, 1 at first.
    causal
        Whether step k has only the steps up to k of the value.
    dropout
        In training, the rate of shares that become zero.

    Examples
    --------
    >>> from symtheano import nn
    >>> nn.Attention()(nn.Input((None, 8)), nn.Input((None, 8)))
    Value(float32, (n, ?, 8) of attention)
    """

    scale: float | str | None = None
    causal: bool = False
    dropout: float = 0.0

    arity = None

    def __post_init__(self) -> None:
        super().__post_init__()
        check_rate(self, self.dropout)
        if isinstance(self.scale, str) and self.scale != "learned":
            raise self.error(f"scale: a number, 'learned' or None expected, not {self.scale!r}")
        self.differs = self.dropout > 0

    def build(self, *shapes: Shape) -> None:
        if self.scale == "learned":
            self.factor = self.parameter("scale", (), "ones")

    def output_shape(self, *shapes: Shape) -> Shape:
        query, value, key = sequences(self, shapes)
        if query[1] is not None and key[1] is not None and query[1] != key[1]:
            raise self.error(
                f"query {shown(query)} and key {shown(key)} differ in the number of features"
            )
        return (query[0], value[1])

    def apply(self, *inputs: Any, training: bool) -> Any:
        query, value, key = inputs[0], inputs[1 % len(inputs)], inputs[-1]
        scale: Any = self.scale
        if scale is not None:
            learned = scale == "learned"
            scale = self.factor if learned else T.constant(scale, dtype=query.dtype)
        exists = self.masks[1 % len(inputs)]
        if exists is not None:
            exists = exists.dimshuffle(0, "x", 1)
        drop = dropper(self, training, self.dropout)
        return attend(query, key, value, scale=scale, causal=self.causal, exists=exists, drop=drop)

    def mask(self, *inputs: Any) -> Any:
        return self.masks[0]


@dataclass(eq=False)
class MultiHeadAttention(Layer):
    """Attention of several heads: (query), (query, value) or (query, value, key).

    Queries, keys and values are products of the inputs with matrices. Each head has its part of
    them, and the results of all heads, side by side, are multiplied with one more matrix. With one
    input, a sequence attends to itself. See Vaswani et al., 2017, Attention Is All You Need.

    Parameters
    ----------
    heads
        The number of heads.
    key_dim
        The number of features of the queries and keys of a head.
    value_dim
        That of its values; None: ``key_dim``.
    kv_heads
        The number of heads of keys and values, a divisor of ``heads``: each serves as many heads of
        queries. See Ainslie et al., 2023, GQA. None: ``heads``.
    output_dim
        The number of features of the output; None: that of the query.
    use_bias
        Whether vectors are added to all products.
    causal
        Whether step k has only the steps up to k.
    dropout
        In training, the rate of shares that become zero.
    kernel_initializer, bias_initializer, kernel_regularizer, bias_regularizer
        As in :class:`Dense`, for all matrices and vectors.

    Examples
    --------
    >>> from symtheano import nn
    >>> y = nn.MultiHeadAttention(4, 16, kv_heads=2, use_bias=False)(nn.Input((None, 32)))
    >>> y, [p.get_value().shape for p in y.parameters]
    (Value(float32, (n, ?, 32) of multi_head_attention), [(32, 64), (32, 32), (32, 32), (64, 32)])
    """

    heads: int
    key_dim: int
    value_dim: int | None = None
    kv_heads: int | None = None
    output_dim: int | None = None
    use_bias: bool = True
    causal: bool = False
    dropout: float = 0.0
    kernel_initializer: Any = "glorot_uniform"
    bias_initializer: Any = "zeros"
    kernel_regularizer: Any = None
    bias_regularizer: Any = None

    arity = None
    counts = ("heads", "key_dim", "value_dim", "kv_heads", "output_dim")

    def __post_init__(self) -> None:
        super().__post_init__()
        check_rate(self, self.dropout)
        self.differs = self.dropout > 0
        self._shared = self.kv_heads or self.heads
        if self.heads % self._shared:
            raise self.error(f"{self._shared} kv_heads do not divide {self.heads} heads")

    def build(self, *shapes: Shape) -> None:
        query, value, key = sequences(self, shapes)
        values = self.value_dim or self.key_dim
        self._maps = {
            "query": self._map("query", query[1], self.heads * self.key_dim),
            "key": self._map("key", key[1], self._shared * self.key_dim),
            "value": self._map("value", value[1], self._shared * values),
            "output": self._map("output", self.heads * values, self.output_dim or query[1]),
        }

    def output_shape(self, *shapes: Shape) -> Shape:
        found = sequences(self, shapes)
        if any(shape[1] is None for shape in found):
            raise self.error("the numbers of features must be known")
        return (found[0][0], self.output_dim or found[0][1])

    def apply(self, *inputs: Any, training: bool) -> Any:
        x, of_value, of_key = inputs[0], inputs[1 % len(inputs)], inputs[-1]
        groups = self.heads // self._shared
        query = self._divided("query", x, groups)
        key, value = self._divided("key", of_key, 1), self._divided("value", of_value, 1)
        exists = self.masks[1 % len(inputs)]
        if exists is not None:
            exists = exists.dimshuffle(0, *"x" * (query.ndim - 2), 1)
        drop = dropper(self, training, self.dropout)
        scale = T.constant(self.key_dim**-0.5, dtype=x.dtype)
        y = attend(query, key, value, scale=scale, causal=self.causal, exists=exists, drop=drop)
        # Steps come before heads again, which are one axis with their features.
        y = y.dimshuffle(0, y.ndim - 2, *range(1, y.ndim - 2), y.ndim - 1)
        width = self.heads * (self.value_dim or self.key_dim)
        return self._product("output", y.reshape((x.shape[0], x.shape[1], width), ndim=3))

    def mask(self, *inputs: Any) -> Any:
        return self.masks[0]

    def _map(self, name: str, inputs: int | None, outputs: int | None) -> tuple[Any, Any]:
        assert inputs is not None
        assert outputs is not None
        kernel = self.parameter(
            f"{name}_kernel",
            (inputs, outputs),
            self.kernel_initializer,
            regularizer=self.kernel_regularizer,
        )
        if not self.use_bias:
            return kernel, None
        return kernel, self.parameter(
            f"{name}_bias", (outputs,), self.bias_initializer, regularizer=self.bias_regularizer
        )

    def _product(self, name: str, x: Any) -> Any:
        kernel, bias = self._maps[name]
        return T.dot(x, kernel) if bias is None else T.dot(x, kernel) + bias

    def _divided(self, name: str, x: Any, groups: int) -> Any:
        """Return a product as (samples, heads, steps, features), or with groups of heads.

        Then its shape is (samples, heads of keys, groups, steps, features).
        """
        features = self.value_dim or self.key_dim if name == "value" else self.key_dim
        y, first = self._product(name, x), (x.shape[0], x.shape[1])
        if self._shared == self.heads:
            y = y.reshape((*first, self.heads, features), ndim=4)
            return y.dimshuffle(0, 2, 1, 3)
        y = y.reshape((*first, self._shared, groups, features), ndim=5)
        return y.dimshuffle(0, 2, 3, 1, 4)


def sequences(layer: Layer, shapes: tuple[Shape, ...]) -> tuple[Shape, Shape, Shape]:
    """Return the shapes of query, value and key, checked."""
    if len(shapes) > 3 or any(len(shape) != 2 for shape in shapes):
        text = ", ".join(map(shown, shapes))
        raise layer.error(f"takes 1 to 3 values of shape (n, steps, features), not {text}")
    if isinstance(layer, Attention) and len(shapes) == 1:
        raise layer.error("takes a query and a value; give one value twice for attention to itself")
    query, value, key = shapes[0], shapes[1 % len(shapes)], shapes[-1]
    if value[0] is not None and key[0] is not None and value[0] != key[0]:
        raise layer.error(
            f"value {shown(value)} and key {shown(key)} differ in the number of steps"
        )
    return query, value, key


def dropper(layer: Layer, training: bool, rate: float) -> Any:
    """Return the function that drops shares, None if nothing is dropped."""
    if not training or not rate:
        return None
    streams = layer.streams
    return lambda shares: drop(shares, streams, rate)
