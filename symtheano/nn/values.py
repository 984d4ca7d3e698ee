"""Values, which layers take and return: expressions in training and at test, and a shape."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import Any, ClassVar, Protocol

import numpy as np

import symtheano
import symtheano.tensor as T
from symtheano.nn.foreign import explained
from symtheano.nn.randomness import Randomness
from symtheano.nn.session.deferred import Conditions, Deferred, Recorded, record
from symtheano.nn.session.graph import get_default_graph

Shape = tuple["int | None", ...]
Format = str | None
"""The data format of samples; None if it is not known."""


class Layer(Protocol):
    """The interface of layers that values use; ``layers/base.py`` has the class."""

    name: str

    @property
    def parameters(self) -> list[Any]:
        """The parameters of the layer."""

    def __call__(self, *values: Value) -> Value:
        """Return the output for values."""


class Value(Deferred):
    """An array in a network: an input, or the output of a layer.

    Some layers, such as dropout and batch normalization, compute something else in training than at
    test. A value therefore has two expressions, which use the same parameters.

    Attributes
    ----------
    train, test
        The symbolic array in training, and the one at test. They are the same object if there is no
        difference.
    shape
        The shape of one sample, without the batch axis. None is a length that is only known when a
        function is called.
    layer
        The layer whose output this is. None for an input.
    inputs
        A tuple of the values that the layer was called with. Empty for an input.
    own_updates, own_test_updates
        Pairs of a shared variable of this layer and its next value, in training and at test. At
        test, only states that are carried from batch to batch change.
    own_penalties
        A tuple of 0-d expressions that this layer adds to the loss.
    randomness
        The source of initial values and of random numbers.
    masks
        A pair of masks, in training and at test. A mask is a boolean array of shape (samples,
        steps) that is False for steps to leave out, or None if all steps exist.
    states
        A tuple of the final states of a recurrent layer.
    data_format
        The axis of the channels, ``"channels_last"`` or ``"channels_first"``, if a layer before was
        called with this argument, else None. Layers without the argument take it from here.
    on_made
        A function that is called with each value that a layer computes from this one, or None.
    """

    shape: Shape  # type: ignore[assignment] # that of a sample, unlike that of other arrays

    def __init__(
        self,
        train: Any,
        test: Any,
        shape: Shape,
        randomness: Randomness,
        layer: Layer | None = None,
        inputs: tuple[Value, ...] = (),
        updates: tuple[tuple[Any, Any], ...] = (),
        penalties: tuple[Any, ...] = (),
        masks: tuple[Any, Any] = (None, None),
    ) -> None:
        self.states: tuple[Value, ...] = ()
        self.data_format: str | None = None
        self.train, self.test, self.shape = train, test, shape
        self.randomness, self.layer, self.inputs = randomness, layer, inputs
        self.own_updates, self.own_penalties = updates, penalties
        self.own_test_updates: tuple[tuple[Any, Any], ...] = ()
        self.masks = masks
        self.on_made: Callable[[Value], None] | None = None
        if inputs and inputs[0].on_made is not None:
            self.on_made = inputs[0].on_made
            if layer is not None:  # final states have none
                self.on_made(self)

    def differs_in_training(self) -> bool:
        return self.train is not self.test

    def known_expression(self) -> Any:
        """Return the symbolic array, if it is the same in training and at test."""
        return self.test if self.train is self.test else None

    def expression(self, conditions: Conditions) -> Any:
        """Return the symbolic array in training or at test, for functions that are not layers."""
        return self.train if conditions.training else self.test

    def __repr__(self) -> str:
        origin = f" of {self.layer.name}" if self.layer else ""
        return f"Value({self.dtype}, {shown(self.shape)}{origin})"

    @property
    def dtype(self) -> str:
        """The dtype of the array, a string."""
        dtype: str = self.test.dtype
        return dtype

    @property
    def ndim(self) -> int:
        """The number of axes, including that of the batch."""
        return len(self.shape) + 1

    @property
    def layers(self) -> list[Layer]:
        """The layers on which this value depends, each once, in order from inputs to outputs."""
        return list(dict.fromkeys(v.layer for v in ancestors([self]) if v.layer is not None))

    @property
    def parameters(self) -> list[Any]:
        """The shared variables that training changes, of all layers on which this value depends."""
        return [p.variable for layer in self.layers for p in layer.parameters if p.trains]

    @property
    def updates(self) -> list[tuple[Any, Any]]:
        """Updates of running statistics and carried states in training.

        They are pairs of a shared variable and its next value, for all layers on which this value
        depends. Pass them to ``function(updates=...)``.
        """
        return list(updates([self]).items())

    @property
    def test_updates(self) -> list[tuple[Any, Any]]:
        """Updates of carried states at test, for all layers on which this value depends."""
        return list(updates_at_test([self]).items())

    @property
    def penalty(self) -> Any:
        """The sum of the penalties of all layers on which this value depends, 0 without penalties.

        Add it to the loss.
        """
        return penalty([self])

    # The layers for the operators, which the module of these layers adds.
    operators: ClassVar[dict[str, Callable[[], Layer]]] = {}
    # What returns the value for a recorded expression; the module of its layer sets it.
    of_recorded: ClassVar[Callable[[Recorded], Value | None]]

    def __add__(self, other: Any) -> T.TensorVariable:
        return self._with("+", operator.add, other)

    def __mul__(self, other: Any) -> T.TensorVariable:
        return self._with("*", operator.mul, other)

    def __sub__(self, other: Any) -> T.TensorVariable:
        return self._with("-", operator.sub, other)

    def _with(self, sign: str, function: Callable[..., Any], other: Any) -> T.TensorVariable:
        """Return the output of a layer for two values, or a recorded call for another operand."""
        if isinstance(other, Value):
            return self.operators[sign]()(self, other)
        recorded: Recorded = record(function, self, other)
        return recorded


@explained
def Input(
    shape: tuple[int | None, ...] | int,
    dtype: str = "float32",
    name: str | None = None,
    seed: int | None = None,
    variable: Any = None,
) -> Value:
    """Return an input of a network, to which layers can be applied.

    Parameters
    ----------
    shape
        The shape of one sample, without the batch axis. None is a length that is only known when a
        function is called. An integer is the length of a vector.
    dtype
        The dtype of the arrays. The default is ``"float32"``. Use ``"int32"`` for embeddings.
    name
        The name of the symbolic variable.
    seed
        The seed of the initial values and the dropout of all layers that are applied to this input,
        a non-negative integer. None: a random seed, or one derived from :func:`seed`.
    variable
        A symbolic array to use as the input, with one axis more than ``shape``. None: a new
        variable.

    Examples
    --------
    >>> x = nn.Input((3,), name="x", seed=0)
    >>> y = nn.dense(nn.dropout(x, 0.5), 2)
    >>> y
    Value(float32, (n, 2) of dense)
    >>> x.train is x.test, y.train is y.test, len(y.parameters)
    (True, False, 2)
    """
    lengths: tuple[Any, ...] = tuple(shape) if isinstance(shape, list | tuple) else (shape,)
    for length in lengths:
        if not isinstance(length, int | np.integer | None) or (length is not None and length < 0):
            raise ValueError(
                f"Input: a length must be a non-negative integer or None, not {length!r}"
            )
    lengths = tuple(None if length is None else int(length) for length in lengths)
    if variable is None:
        dtype = np.dtype(dtype).name
        variable = T.tensor(dtype, shape=(None, *lengths), name=name)
    elif variable.ndim != len(lengths) + 1:
        raise ValueError(
            f"Input: the variable {variable} has {variable.ndim} axes, but the shape with the "
            f"batch axis, {shown(lengths)}, has {len(lengths) + 1}"
        )
    return Value(variable, variable, lengths, Randomness(seed))


def as_value(item: Any) -> Any:
    """Return the value for a symbolic array or an expression of values; others are unchanged.

    The value of a symbolic array belongs to the default graph. Layers that are applied to it use
    the random numbers of this graph, and their parameters are added to it.
    """
    if isinstance(item, Recorded):
        value = Value.of_recorded(item)
        return item if value is None else value
    if isinstance(item, Value) or not isinstance(item, symtheano.Variable):
        return item
    graph = get_default_graph()
    if item not in graph.inputs:
        lengths = item.type.shape
        if not lengths:
            raise ValueError(
                f"a layer takes arrays whose first axis is the batch, but {item} is 0-d"
            )
        value = Value(item, item, tuple(lengths[1:]), graph.randomness)
        value.on_made = graph.add_value
        graph.inputs[item] = value
    return graph.inputs[item]


def ancestors(values: list[Value]) -> Iterator[Value]:
    """Yield values and all values they depend on, each once, in order from inputs to outputs."""
    seen: set[int] = set()
    stack: list[tuple[Value, bool]] = [(value, False) for value in reversed(values)]
    while stack:
        value, complete = stack.pop()
        if complete:
            yield value
        elif id(value) not in seen:
            seen.add(id(value))
            stack.append((value, True))
            stack.extend((v, False) for v in reversed(value.inputs))


def penalty(values: list[Value]) -> Any:
    """Return the sum of the penalties of all layers on which values depend, 0 without penalties."""
    terms: list[Any] = []
    layers: dict[Layer, None] = {}
    for value in ancestors(values):
        terms.extend(value.own_penalties)
        if value.layer is not None:
            layers[value.layer] = None
    for layer in layers:
        terms.extend(p.regularizer(p.variable) for p in layer.parameters if p.regularizer)
    return sum(terms[1:], terms[0]) if terms else 0


def updates(values: list[Value]) -> dict[Any, Any]:
    """Return the updates in training of all layers on which values depend.

    If a layer was called twice, the updates are those of its last call.
    """
    return {s: new for value in ancestors(values) for s, new in value.own_updates}


def updates_at_test(values: list[Value]) -> dict[Any, Any]:
    """Return the updates at test of all layers on which values depend."""
    return {s: new for value in ancestors(values) for s, new in value.own_test_updates}


def shown(shape: Shape) -> str:
    """Return a shape as text, with n for the batch axis and ? for unknown lengths."""
    return f"({', '.join(['n', *('?' if n is None else str(n) for n in shape)])})"


def differ(left: Shape, right: Shape) -> bool:
    """Return whether two shapes are incompatible: other numbers of axes, or other known lengths."""
    return len(left) != len(right) or any(
        a != b and a is not None and b is not None for a, b in zip(left, right, strict=True)
    )
