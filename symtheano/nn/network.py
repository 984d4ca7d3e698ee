"""Networks: the values and layers from inputs to outputs, and their description as data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import symtheano.tensor as T
from symtheano.nn.content import at, shortened
from symtheano.nn.layers.base import Layer
from symtheano.nn.layers.configuration import layer_from
from symtheano.nn.layers.embedding import Embedding
from symtheano.nn.layers.parameters import Parameter
from symtheano.nn.randomness import Randomness
from symtheano.nn.session.deferred import Recorded
from symtheano.nn.values import (
    Input,
    Shape,
    Value,
    ancestors,
    as_value,
    differ,
    penalty,
    shown,
    updates,
    updates_at_test,
)


class Network:
    """The layers between inputs and outputs.

    Parameters
    ----------
    inputs, outputs
        The values at the beginning and at the end of the network. All of them use the random
        numbers of the first input from now on.

    Attributes
    ----------
    layers
        The layers, each once, in the order from inputs to outputs. Their names are different.

    Raises
    ------
    ValueError
        If an output depends on an input that is not given.
    """

    def __init__(self, inputs: list[Value], outputs: list[Value]) -> None:
        self.inputs, self.outputs = inputs, outputs
        self.values = list(ancestors(outputs))
        for value in self.values:
            if not value.inputs and value not in inputs:
                raise ValueError(f"the outputs depend on {value}, which is not among the inputs")
        called = (v.layer for v in self.values if isinstance(v.layer, Layer))
        calls = Counter(called)
        self.layers: list[Layer] = list(calls)
        for layer, count in calls.items():
            if count > 1 and layer.states:
                raise layer.error(
                    "carries states from batch to batch, so it can be called only once in a network"
                )
        self.name_layers()
        self.randomness = inputs[0].randomness
        for value in inputs:
            value.randomness = self.randomness

    @property
    def parameters(self) -> list[Parameter]:
        """The parameters of all layers, including running statistics."""
        return [p for layer in self.layers for p in layer.parameters]

    @property
    def updates(self) -> dict[Any, Any]:
        """The updates of running statistics and carried states in training."""
        return updates(self.outputs)

    @property
    def test_updates(self) -> dict[Any, Any]:
        """The updates of carried states at test."""
        return updates_at_test(self.outputs)

    @property
    def states(self) -> list[Any]:
        """The states that layers carry from batch to batch: shared variables, a row per sample."""
        return [state for layer in self.layers for state in layer.states]

    @property
    def penalty(self) -> Any:
        """The sum of the penalties that layers add to the loss."""
        return penalty(self.outputs)

    def check_shape(self, what: str, shape: Shape) -> None:
        """Check that the parameters are for samples of this shape.

        Raises
        ------
        ValueError
            If the parameters are for samples of another shape.
        """
        have = self.inputs[0].shape
        if differ(have, shape):
            raise ValueError(
                f"{what} has parameters for samples of shape {shown(have)}, not {shown(shape)}"
            )

    def check_indices(self, arrays: Sequence[Any]) -> None:
        """Raise an error if an array for an input has a number that is not an index.

        Raises
        ------
        IndexError
            If an :class:`~symtheano.nn.Embedding` of the input has no such row.
        """
        numbers = {id(value): k for k, value in enumerate(self.inputs)}
        for value in self.values:
            if isinstance(value.layer, Embedding) and id(value.inputs[0]) in numbers:
                k = numbers[id(value.inputs[0])]
                value.layer.check_indices(arrays[k], str(self.inputs[k].train.name or f"input {k}"))

    def check_batches(self, what: str, samples: int, batch_size: int) -> None:
        """Check that all batches have the same number of samples, if layers carry states.

        Raises
        ------
        ValueError
            If the batches differ from each other, or from the previous batch.
        """
        state_sizes = {len(state.get_value(borrow=True)) for state in self.states} - {0}
        ends = {samples % batch_size} - {0} if samples > batch_size else set()
        sizes = state_sizes | ends | {min(batch_size, samples)}
        if self.states and len(sizes) > 1:
            before = f", and the previous batch had {max(state_sizes)}" if state_sizes else ""
            raise ValueError(
                f"{what}: {samples} samples are in batches of {batch_size}{before}, but a stateful "
                "layer needs the same number of samples in all batches until reset_states()"
            )

    def again(self) -> Network:
        """Return a network of the same layers, applied as they are now, frozen or not."""
        self.randomness.restart()
        return Network(self.inputs, self.outputs_for(self.inputs))

    def outputs_for(self, inputs: Sequence[Value]) -> list[Value]:
        """Return the outputs of the layers for other inputs, with the same parameters."""
        new: dict[int, Value] = {id(v): w for v, w in zip(self.inputs, inputs, strict=True)}
        for value in self.values:
            if is_state(value):
                new[id(value)] = new[id(value.inputs[0])].states[index(value)]
            elif value.layer is not None:
                new[id(value)] = output(value.layer, [new[id(v)] for v in value.inputs])
        return [new[id(value)] for value in self.outputs]

    def name_layers(self) -> None:
        """Give different names to layers of the same name: dense, dense_1, ..."""
        taken: Counter[str] = Counter()
        names: set[str] = set()
        for layer in self.layers:
            name = layer.name
            while name in names:
                taken[layer.name] += 1
                name = f"{layer.name}_{taken[layer.name]}"
            names.add(name)
            layer.rename(name)

    def config(self) -> dict[str, Any]:
        """Return the network as data for JSON, without the values of parameters."""
        self.name_layers()  # another network that shares a layer may have renamed it
        number = {id(value): k for k, value in enumerate(self.values)}
        layers = {id(layer): k for k, layer in enumerate(self.layers)}
        nodes: list[dict[str, Any]] = []
        for v in self.values:
            if is_state(v):
                nodes.append({"state": index(v), "of": number[id(v.inputs[0])]})
            elif v.layer is None:
                nodes.append(input_config(v))
            else:
                taken = [number[id(i)] for i in v.inputs]
                nodes.append({"layer": layers[id(v.layer)], "inputs": taken})
        return {
            "seed": self.randomness.seed,
            "layers": [layer.config() for layer in self.layers],
            "nodes": nodes,
            "inputs": [number[id(v)] for v in self.inputs],
            "outputs": [number[id(v)] for v in self.outputs],
        }

    @classmethod
    def from_config(cls, config: Mapping[str, Any], elements: int | None = None) -> Network:
        """Return the network from the result of :meth:`config`, with new initial values.

        Parameters
        ----------
        config
            The description.
        elements
            The largest number of elements of all parameters, which then begin with zeros. None: any
            number, and parameters begin with their initial values.

        Raises
        ------
        DescriptionError
            If the description is wrong. The message says where.
        """
        layers: list[Layer] = []
        for k, described in enumerate(config["layers"]):
            with at(f"network.layers[{k}] ({shortened(described.get('class'))})"):
                layers.append(layer_from(described))
        with at("network.seed"):
            first = Input((), seed=config["seed"]).randomness
        first.room = elements
        values: list[Value] = []
        for k, node in enumerate(config["nodes"]):
            with at(f"network.nodes[{k}]"):
                values.append(value_from(node, layers, values, first))
        first.room = None
        with at("network.inputs, network.outputs"):
            ends = [[entry(values, k) for k in config[name]] for name in ("inputs", "outputs")]
            if not all(ends):
                raise ValueError("a network must have an input and an output")
            return cls(*ends)


def value_from(
    node: Mapping[str, Any], layers: list[Layer], values: list[Value], randomness: Randomness
) -> Value:
    """Return the value for a node of a description."""
    if "state" in node:
        return entry(list(entry(values, node["of"]).states), node["state"])
    if "layer" in node:
        layer, taken = entry(layers, node["layer"]), [entry(values, k) for k in node["inputs"]]
        with at(f"network.layers[{node['layer']}] ({type(layer).__name__})"):
            return output(layer, taken)
    value = input_from(node)
    value.randomness = randomness
    return value


Item = TypeVar("Item")


def entry(items: list[Item], k: Any) -> Item:
    """Return an item by its number in a description."""
    if not isinstance(k, int) or isinstance(k, bool) or not 0 <= k < len(items):
        raise ValueError(f"there is no item with the number {shortened(k)} among {len(items)}")
    return items[k]


def output(layer: Any, inputs: list[Value]) -> Value:
    """Return the output of a layer, without the final states that some layers return, too."""
    outputs = layer(*inputs)
    value: Value = outputs[0] if isinstance(outputs, tuple) else outputs
    return value


def is_state(value: Value) -> bool:
    """Return whether a value is a final state of another value."""
    return value.layer is None and bool(value.inputs)


def index(state: Value) -> int:
    """Return the number of a state among the final states of its value."""
    return next(k for k, s in enumerate(state.inputs[0].states) if s is state)


def input_config(value: Value) -> dict[str, Any]:
    """Return an input as data. ``open`` marks inputs that take samples of any lengths."""
    variable = value.train
    described = {"shape": list(value.shape), "dtype": value.dtype, "name": variable.name}
    unknown = set(variable.type.shape) == {None} and set(value.shape) != {None}
    return described | ({"open": True} if unknown else {})


def input_from(config: Mapping[str, Any]) -> Value:
    """Return the input from the result of :func:`input_config`."""
    shape, dtype, name = tuple(config["shape"]), config["dtype"], config["name"]
    variable = None
    if config.get("open"):
        variable = T.tensor(dtype, shape=(None,) * (len(shape) + 1), name=name)
    return Input(shape, dtype, name, variable=variable)


def only(layer: Any, outputs: Any) -> Value:
    """Return the output of a layer or a model in a chain, or raise an error for several outputs."""
    if isinstance(outputs, list):
        raise ValueError(
            f"the model '{layer.name}' has {len(outputs)} outputs, but each part of a chain of "
            "layers must have one output: use nn.Model(inputs, outputs)"
        )
    if isinstance(outputs, tuple):
        raise layer.error(
            "also returns its final states, but each part of a chain of layers must have one "
            "output: use nn.Model(inputs, outputs)"
        )
    value: Value = outputs
    return value


def values(what: str, items: Value | Sequence[Value]) -> list[Value]:
    """Return one or several values as a list, or raise an error for other objects."""
    several: list[Any] = list(items) if isinstance(items, list | tuple) else [items]
    converted = [as_value(one) if isinstance(one, Recorded) else one for one in several]
    for one in converted:
        if not isinstance(one, Value):
            raise TypeError(
                f"Model: {what} must be values, made by nn.Input(...) or returned by layers, not "
                f"{one!r}"
            )
    return converted
