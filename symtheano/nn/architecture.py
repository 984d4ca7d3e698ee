"""The network of a model: a chain of added layers, or a graph of layers; calls and parameters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from symtheano.errors import format_error
from symtheano.nn.foreign import Explained
from symtheano.nn.functions import ByAxes
from symtheano.nn.layers.base import Layer
from symtheano.nn.layers.embedding import Embedding
from symtheano.nn.layers.parameters import Parameter, set_values
from symtheano.nn.missing import MissingMethod
from symtheano.nn.network import Network, only, values
from symtheano.nn.randomness import Randomness
from symtheano.nn.summary import as_html, outline, summary
from symtheano.nn.training import data
from symtheano.nn.training.data import Array
from symtheano.nn.values import Input, Shape, Value, as_value, differ


class Architecture(Explained):
    """Base class of models: the layers from the inputs to the outputs.

    The parameters are those of :class:`Model`.
    """

    def __init__(
        self,
        inputs: Value | Sequence[Value] | None,
        outputs: Value | Sequence[Value] | None,
        seed: int | None,
        name: str,
    ) -> None:
        if (inputs is None) != (outputs is None):
            raise ValueError(
                "Model: pass both inputs and outputs, or neither; for a chain of layers, use "
                "nn.Sequential([...]), or add the layers with add"
            )
        self.name = name
        self._randomness = Randomness(seed)
        self._stack: list[Any] = []
        self._input: Value | None = None
        self._network: Network | None = None
        if inputs is not None and outputs is not None:
            if seed is not None:
                raise ValueError(
                    "Model: seed cannot be used with inputs and outputs; pass the seed to the "
                    "first input, nn.Input(shape, seed=...)"
                )
            self._network = Network(values("inputs", inputs), values("outputs", outputs))

    def __init_subclass__(cls) -> None:
        """Raise an error for models whose network is a method, as in Keras and torch."""
        super().__init_subclass__()
        method = next((name for name in ("call", "forward") if name in vars(cls)), None)
        if method is not None:
            raise NotImplementedError(
                format_error(
                    f"{cls.__name__}: a method {method!r} does not define the network of a model",
                    hint="call the layers: x = nn.Input(shape), then nn.Model(x, dense(x)); or "
                    "write a subclass of nn.Layer",
                )
            )

    def add(self, layer: Any) -> None:
        """Add a layer or a model to the end of a chain.

        Parameters
        ----------
        layer
            A layer, a model whose layers become part of this one, or first of all an
            :func:`Input`.
        """
        if isinstance(layer, Value):
            if self._stack or self._input is not None or layer.layer is not None:
                raise ValueError("add: an input can only be added first")
            self._input = layer
            layer.randomness = self._randomness
            return
        part: Any = getattr(layer, "model", layer)  # a Sequential has one
        if part is self:
            raise ValueError("add: a model cannot be added to itself")
        if not isinstance(part, Layer | Architecture | ByAxes):
            hint = f"; write {part.__name__}(...)" if isinstance(part, type) else ""
            raise TypeError(f"add takes a layer or a model, not {part!r}{hint}")
        if self._network is not None and not self._stack:
            raise ValueError(
                "add: layers cannot be added to a model that was made from inputs and outputs"
            )
        if not self._stack and self._input is None and isinstance(part, Architecture):
            self._input = part.own_input(self._randomness)
        self._stack.append(part)
        self._network = None
        self._forget()

    def build(self, shape: tuple[int | None, ...], dtype: str = "float32") -> None:
        """Create the parameters, if they do not exist yet.

        Parameters
        ----------
        shape
            The shape of one sample, without the batch axis. None is an unknown length.
        dtype
            The dtype of the samples. Models that begin with an embedding always take ``"int32"``.

        Raises
        ------
        ValueError
            If the model has no layers, or has parameters for samples of another shape.
        """
        if self._network is not None and self._stack and shape:
            self._network.check_shape(f"build: the model '{self.name}'", tuple(shape))
        if self._network is None:
            if not self._stack:
                raise ValueError(f"the model '{self.name}' has no layers")
            if self._input is None:
                kind = "int32" if isinstance(next(iter(self.layers), None), Embedding) else dtype
                self._input = Input(shape, kind, "x")
                self._input.randomness = self._randomness
            self._network = Network([self._input], [self._stacked(self._input)])

    def __call__(self, *inputs: Any) -> Any:
        """Return the outputs for other inputs, with the same parameters.

        Parameters
        ----------
        inputs
            A :class:`Value` or a symbolic array for each input, or a list of them.

        Returns
        -------
        outputs
            A :class:`Value`, or a list with a value for each output.

        Raises
        ------
        TypeError
            If an input is an array of numbers. Use :meth:`Model.predict` for these.

        Examples
        --------
        >>> encoder = nn.Model()
        >>> encoder.add(nn.Dense(2, "tanh"))
        >>> x = nn.Input((3,))
        >>> nn.dense(encoder(x), 1)
        Value(float32, (n, 1) of dense)
        """
        if len(inputs) == 1 and isinstance(inputs[0], list | tuple):
            inputs = tuple(inputs[0])
        values = [as_value(x) for x in inputs]
        for x in values:
            if not isinstance(x, Value):
                hint = "; predict(x) takes arrays of numbers" if np.ndim(x) else ""
                raise TypeError(
                    f"the model '{self.name}' must be called with outputs of layers, inputs made "
                    f"by nn.Input or symbolic arrays, not with {type(x).__name__}{hint}"
                )
        expected = 1 if self._stack else len(self.network.inputs)
        if len(values) != expected:
            raise TypeError(f"the model '{self.name}' takes {expected} inputs, not {len(values)}")
        if self._network is None and self._input is None:
            return self._stacked(values[0])
        for k, own in enumerate(self.inputs):
            if not isinstance(inputs[k], Value):
                values[k] = with_shape(values[k], own.shape)
        outputs = self.network.outputs_for(values)
        return outputs[0] if len(outputs) == 1 else outputs

    def _stacked(self, value: Value) -> Value:
        """Return the output of the chain of added layers for a value."""
        if not self._stack:
            raise ValueError(f"the model '{self.name}' has no layers")
        for layer in self._stack:
            value = only(layer, layer(value))
        return value

    def build_for(self, x: Any) -> None:
        """Create the parameters for samples like these, if they do not exist yet."""
        if self._network is None:
            if self._input is None and isinstance(x, Mapping):
                raise ValueError(
                    "a mapping of arrays can only be used for models made from inputs and outputs"
                )
            self.build(np.shape(x if hasattr(x, "shape") else data.numeric(x, "x"))[1:])

    @property
    def built(self) -> bool:
        """Whether the network and its parameters exist."""
        return self._network is not None

    @property
    def network(self) -> Network:
        """The network with its parameters, which are created if the shape of the input is known.

        Raises
        ------
        ValueError
            If the shape of the input is not known yet.
        """
        if self._network is None:
            if self._input is None:
                raise ValueError(
                    f"the model '{self.name}' has no parameters yet: add nn.Input(shape) first, "
                    "call build(shape), or call fit"
                )
            self.build(())
        assert self._network is not None
        return self._network

    def own_input(self, randomness: Randomness) -> Value | None:
        """Return a new input like the one that this model has, None if its shape is not known."""
        inputs = self._network.inputs if self._network is not None else [self._input]
        if len(inputs) != 1 or inputs[0] is None:
            return None
        value = Input(inputs[0].shape, inputs[0].dtype, "x")
        value.randomness = randomness
        return value

    @property
    def inputs(self) -> list[Value]:
        """The inputs. Their attributes ``train`` and ``test`` are symbolic arrays."""
        return list(self.network.inputs)

    @property
    def outputs(self) -> list[Value]:
        """The outputs. Their attributes ``train`` and ``test`` are expressions of the inputs."""
        return list(self.network.outputs)

    @property
    def layers(self) -> list[Layer]:
        """The layers of the network, each once, including those of added models."""
        if self._network is not None:
            return list(self._network.layers)
        parts = [[one] if isinstance(one, Layer) else one.layers for one in self._stack]
        return list(dict.fromkeys(layer for part in parts for layer in part))

    @property
    def trainable(self) -> bool:
        """Whether training changes at least one layer. Setting it applies to all layers."""
        return any(layer.trainable for layer in self.layers)

    @trainable.setter
    def trainable(self, value: bool) -> None:
        for layer in self.layers:
            layer.trainable = value

    @property
    def parameters(self) -> list[Parameter]:
        """The parameters of all layers, including running statistics."""
        return self.network.parameters

    def get_weights(self) -> list[Array]:
        """Return copies of the values of all parameters, including running statistics."""
        return [p.get_value() for p in self.parameters]

    def set_weights(self, weights: Sequence[Any]) -> None:
        """Set the values of all parameters.

        Parameters
        ----------
        weights
            One array for each parameter, in the order of :meth:`get_weights`.

        Raises
        ------
        ValueError
            If the number of arrays or a shape does not fit. No parameter is changed then.
        """
        set_values("set_weights", self.parameters, weights)

    def reset_states(self) -> None:
        """Reset the states of stateful layers, so that the next batch begins with zeros."""
        for layer in self.layers:
            layer.reset_states()

    def __repr__(self) -> str:
        """Return a table of the layers, with shapes and numbers of parameters if they are known."""
        if self._network is None:
            return outline(self.name, self._layers)
        return summary(self.name, self._network)

    def _repr_html_(self) -> str:
        return as_html(self.name, self._network, self._layers)

    @property
    def _layers(self) -> list[Any]:
        """The added layers, including those of added models, before shapes are known."""
        parts = [
            one._layers if isinstance(one, Architecture) else getattr(one, "layers", None) or [one]
            for one in self._stack
        ]
        return [layer for part in parts for layer in part]

    def __getattr__(self, name: str) -> Any:
        """Raise an error that names the method for that of another library."""
        raise MissingMethod(type(self), name)

    def _forget(self) -> None:
        """Drop all compiled functions."""


def with_shape(value: Value, shape: Shape) -> Value:
    """Return a value whose unknown lengths are those of a shape.

    Examples
    --------
    >>> with_shape(as_value(T.fmatrix()), (3,))
    Value(float32, (n, 3))
    """
    if differ(value.shape, shape):
        return value
    lengths = [b if a is None else a for a, b in zip(value.shape, shape, strict=True)]
    refined = Value(value.train, value.test, tuple(lengths), value.randomness, masks=value.masks)
    refined.on_made = value.on_made
    return refined
