"""What layers take and return: an array's expressions in training and at test, and its shape."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import Any, ClassVar, Protocol

import numpy as np

import symtheano
import symtheano.tensor as T
from symtheano.nn.foreign import explained
from symtheano.nn.randomness import Randomness
from symtheano.nn.session.deferred import Conditions, Deferred, record
from symtheano.nn.session.graph import get_default_graph

Shape = tuple["int | None", ...]


class Layer(Protocol):
    """What a value knows of the layer whose output it is; see ``layers/base.py``."""

    name: str

    @property
    def parameters(self) -> list[Any]:
        """The parameters."""

    def __call__(self, *values: Value) -> Value:
        """Return the output for values."""


class Value(Deferred):
    """An array in a network: the output of a layer, or an input.

    Some layers compute something else while the network is trained: dropout and batch normalization
    do. So there are two expressions of each array, on the same shared parameters.

    Attributes
    ----------
    train, test
        The symbolic array in training and at test; the same object if there is no difference.
    shape
        The lengths of the axes without the first, the samples. None: known at run time only.
    layer, inputs
        The layer whose output this is and the values it took; None and () of an input.
    own_updates, own_test_updates
        Pairs of shared variables and their next values in training and at test, of this layer
        alone. At test, only what layers carry from batch to batch changes.
    own_penalties
        0-d expressions that this layer adds to the loss.
    randomness
        The source of initial values and random masks.
    masks
        In training and at test: which steps of a sequence exist, a boolean array of shape (samples,
        steps). None: all of them.
    states
        The final states of a recurrent layer.
    on_made
        Called with each value that a layer makes of this one; None in models.
    """

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
        """Return whether the expressions in training and at test differ."""
        return self.train is not self.test

    def expression(self, conditions: Conditions) -> Any:
        """Return the symbolic array of a phase, for functions that are no layers."""
        return self.train if conditions.training else self.test

    def __repr__(self) -> str:
        made = f" of {self.layer.name}" if self.layer else ""
        return f"Value({self.dtype}, {shown(self.shape)}{made})"

    @property
    def dtype(self) -> str:
        """The dtype, as a string."""
        dtype: str = self.test.dtype
        return dtype

    @property
    def layers(self) -> list[Layer]:
        """The layers that this value depends on, each once, inputs first."""
        return list(dict.fromkeys(v.layer for v in ancestors([self]) if v.layer is not None))

    @property
    def parameters(self) -> list[Any]:
        """The shared variables that training changes, of all layers up to this value."""
        return [p.variable for layer in self.layers for p in layer.parameters if p.trains]

    @property
    def updates(self) -> list[tuple[Any, Any]]:
        """Updates of running statistics and carried states, of all layers up to this value."""
        return list(updates([self]).items())

    @property
    def test_updates(self) -> list[tuple[Any, Any]]:
        """Updates of carried states at test, of all layers up to this value."""
        return list(updates_at_test([self]).items())

    @property
    def penalty(self) -> Any:
        """The sum of the regularizers' terms, of all layers up to this value; 0 without any."""
        return penalty([self])

    # The layers of the operators, which their module adds.
    operators: ClassVar[dict[str, Callable[[], Layer]]] = {}

    def __add__(self, other: Any) -> Any:
        return self._with("+", operator.add, other)

    def __mul__(self, other: Any) -> Any:
        return self._with("*", operator.mul, other)

    def __sub__(self, other: Any) -> Any:
        return self._with("-", operator.sub, other)

    def _with(self, sign: str, function: Callable[..., Any], other: Any) -> Any:
        """Return the output of a layer of two values; with anything else, what a session runs."""
        if isinstance(other, Value):
            return self.operators[sign]()(self, other)
        return record(function, self, other)


@explained
def Input(
    shape: tuple[int | None, ...] | int,
    dtype: str = "float32",
    name: str | None = None,
    seed: int | None = None,
    variable: Any = None,
) -> Value:
    """Return an input of a network.

    Parameters
    ----------
    shape
        The lengths of the axes without the first, the samples. None: known at run time only.
    dtype
        The dtype of the arrays. ``"int32"`` for what an embedding takes.
    name
        The name of the symbolic variable.
    seed
        The seed of what is built on this input: initial values and dropout.
    variable
        A symbolic array to use instead of a new one.

    Examples
    --------
    >>> from symtheano import nn
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
            raise ValueError(f"Input: a length is a non-negative integer or None, not {length!r}")
    lengths = tuple(None if length is None else int(length) for length in lengths)
    if variable is None:
        dtype = np.dtype(dtype).name
        variable = T.tensor(dtype, shape=(None, *lengths), name=name)
    elif variable.ndim != len(lengths) + 1:
        raise ValueError(
            f"Input: the variable {variable} has {variable.ndim} axes, and the shape with that of "
            f"the samples, {shown(lengths)}, has {len(lengths) + 1}"
        )
    return Value(variable, variable, lengths, Randomness(seed))


def as_value(given: Any) -> Any:
    """Return the input of a network that a symbolic array is, anything else as it is.

    The array belongs to the default graph, whose random numbers layers on it use, and which knows
    of the parameters of these layers.
    """
    if isinstance(given, Value) or not isinstance(given, symtheano.Variable):
        return given
    graph = get_default_graph()
    if given not in graph.inputs:
        lengths = given.type.shape
        if not lengths:
            raise ValueError(f"a layer takes arrays with an axis of samples, not {given}, a number")
        value = Value(given, given, tuple(lengths[1:]), graph.randomness)
        value.on_made = graph.add_value
        graph.inputs[given] = value
    return graph.inputs[given]


def ancestors(values: list[Value]) -> Iterator[Value]:
    """Yield values and all that they depend on, each once, inputs first."""
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
    """Return the sum of the terms that layers up to these values add to the loss, 0 if none."""
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
    """Return the updates of layers up to these values; of a layer used twice, the last one."""
    return {s: new for value in ancestors(values) for s, new in value.own_updates}


def updates_at_test(values: list[Value]) -> dict[Any, Any]:
    """Return the updates at test of layers up to these values."""
    return {s: new for value in ancestors(values) for s, new in value.own_test_updates}


def shown(shape: Shape) -> str:
    """Return a shape with the axis of the samples, as people read it."""
    return f"({', '.join(['n', *('?' if n is None else str(n) for n in shape)])})"


def differ(left: Shape, right: Shape) -> bool:
    """Return whether two shapes cannot be those of inputs of one layer."""
    return len(left) != len(right) or any(
        a != b and a is not None and b is not None for a, b in zip(left, right, strict=True)
    )
