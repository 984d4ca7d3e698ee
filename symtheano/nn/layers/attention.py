"""Attention: means of values, weighted by the similarity of their keys to a query.

The formula ``softmax(q @ k.T * scale + mask) @ v`` is written with plain operations. The compiler
recognizes it.
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
"""The score of a step that the mask leaves out, or that comes after the query's step."""


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
    query
        An array of shape (..., steps, features).
    key
        An array of shape (..., key steps, features).
    value
        An array of shape (..., key steps, results).
    scale
        The factor of the scores. None: ``1 / sqrt(features)``.
    causal
        Whether step k of the query attends only to the key steps up to k.
    exists
        A boolean array that broadcasts to the scores, shape (..., steps, key steps). Steps where it
        is False get no weight. None: all steps exist.
    drop
        A function that applies dropout to the attention weights, or None.

    Examples
    --------
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
    """Dot-product attention of a query to the steps of a value.

    Call the layer with (query, value) or (query, value, key). Each input has samples of shape
    (steps, features). If no key is given, the value is used as the key. Steps that the mask of the
    value leaves out get no weight, unless the mask leaves out all steps.

    Parameters
    ----------
    scale
        The factor of the scores. None: ``1 / sqrt(features)``. ``"learned"``: a trainable parameter
        that begins with 1.
    causal
        Whether step k of the query attends only to the steps up to k of the value.
    dropout
        The probability that an attention weight is set to zero in training. The default is 0.

    Examples
    --------
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
            raise self.error(f"scale must be a number, 'learned' or None, not {self.scale!r}")
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
    """Multi-head attention.

    Call the layer with (query), (query, value) or (query, value, key). Each input has samples of
    shape (steps, features). With one input, a sequence attends to itself.

    The queries, keys and values are products of the inputs with matrices. Each head uses its part
    of the features. The results of all heads are concatenated and multiplied by another matrix. See
    Vaswani et al., 2017, Attention Is All You Need.

    Parameters
    ----------
    heads
        The number of heads.
    key_dim
        The number of features of each head's queries and keys.
    value_dim
        The number of features of each head's values. None: ``key_dim``.
    kv_heads
        The number of heads of keys and values, a divisor of ``heads``. Each of them serves
        ``heads / kv_heads`` heads of queries; see Ainslie et al., 2023, GQA. None: ``heads``.
    output_dim
        The number of features of the output. None: the number of features of the query.
    use_bias
        Whether a bias is added to the queries, keys, values and outputs.
    causal
        Whether step k of the query attends only to the steps up to k of the value.
    dropout
        The probability that an attention weight is set to zero in training. The default is 0.
    kernel_initializer, bias_initializer
        Initial values of the four matrices and of their biases: the name of an initializer, an
        :class:`Initializer`, a number, or an array.
    kernel_regularizer, bias_regularizer
        Penalties on the matrices and on the biases, which are added to the loss: a name such as
        ``"l2"``, a :class:`Regularizer`, or None.

    Examples
    --------
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
            raise self.error(
                f"kv_heads={self._shared} must divide the number of heads, which is {self.heads}"
            )

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
        sequence_shapes = sequences(self, shapes)
        if any(shape[1] is None for shape in sequence_shapes):
            raise self.error("the number of features of each input must be known")
        return (sequence_shapes[0][0], self.output_dim or sequence_shapes[0][1])

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
        # Move the steps before the heads, which become one axis together with their features.
        y = y.dimshuffle(0, y.ndim - 2, *range(1, y.ndim - 2), y.ndim - 1)
        width = self.heads * (self.value_dim or self.key_dim)
        return self._product("output", y.reshape((x.shape[0], x.shape[1], width), ndim=3))

    def mask(self, *inputs: Any) -> Any:
        return self.masks[0]

    def _map(self, name: str, inputs: int | None, outputs: int | None) -> tuple[Any, Any]:
        assert inputs is not None
        assert outputs is not None
        kernel = self.described(f"{name}_kernel", (inputs, outputs), of="kernel")
        bias = self.described(f"{name}_bias", (outputs,), of="bias") if self.use_bias else None
        return kernel, bias

    def _product(self, name: str, x: Any) -> Any:
        kernel, bias = self._maps[name]
        return T.dot(x, kernel) if bias is None else T.dot(x, kernel) + bias

    def _divided(self, name: str, x: Any, groups: int) -> Any:
        """Return a product, with its features divided among the heads.

        The shape is (samples, heads, steps, features). If heads share keys, it is (samples, heads
        of keys, groups, steps, features).
        """
        features = self.value_dim or self.key_dim if name == "value" else self.key_dim
        y, first = self._product(name, x), (x.shape[0], x.shape[1])
        if self._shared == self.heads:
            y = y.reshape((*first, self.heads, features), ndim=4)
            return y.dimshuffle(0, 2, 1, 3)
        y = y.reshape((*first, self._shared, groups, features), ndim=5)
        return y.dimshuffle(0, 2, 3, 1, 4)


def sequences(layer: Layer, shapes: tuple[Shape, ...]) -> tuple[Shape, Shape, Shape]:
    """Return the shapes of query, value and key, or raise an error if they do not fit."""
    if len(shapes) > 3 or any(len(shape) != 2 for shape in shapes):
        text = ", ".join(map(shown, shapes))
        raise layer.error(f"takes 1 to 3 values of shape (n, steps, features), not {text}")
    if isinstance(layer, Attention) and len(shapes) == 1:
        raise layer.error("takes a query and a value; for self-attention, give one value twice")
    query, value, key = shapes[0], shapes[1 % len(shapes)], shapes[-1]
    if value[0] is not None and key[0] is not None and value[0] != key[0]:
        raise layer.error(
            f"value {shown(value)} and key {shown(key)} differ in the number of steps"
        )
    return query, value, key


def dropper(layer: Layer, training: bool, rate: float) -> Any:
    """Return the function that drops attention weights, or None if nothing is dropped."""
    if not training or not rate:
        return None
    streams = layer.streams
    return lambda shares: drop(shares, streams, rate)
