"""Warnings about what training changes: parameters that are frozen, unknown, or of no effect."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import symtheano.tensor as T
from symtheano.nn.layers.dense import Lambda
from symtheano.nn.layers.normalization import BatchNorm
from symtheano.nn.network import Network
from symtheano.nn.session.operations import ancestors
from symtheano.nn.training.soundness import warn


def check_trained(network: Network) -> None:
    """Warn of a network that training does not change, because all parameters are frozen.

    Parameters
    ----------
    network
        The network with layers as they are now.
    """
    frozen = bool(network.parameters) and not any(p.trains for p in network.parameters)
    if frozen and not network.updates:
        warn(
            "training: no parameter is trained, since all layers have trainable=False; the model "
            "stays as it is"
        )


def check_registered(network: Network) -> None:
    """Warn of layers whose shared variables are attributes, and no parameters."""
    registered = {p.variable for layer in network.layers for p in layer.parameters}
    for value in network.values:
        layer: Any = value.layer
        if layer is None or layer.parameters:
            continue
        updated = {variable for variable, _ in (*value.own_updates, *value.own_test_updates)}
        used = set(ancestors([value.train], [v.train for v in value.inputs]))
        names = [
            name for name, variable in shared_in(layer, used)
            if variable not in updated and variable not in registered
        ]  # fmt: skip
        if names:
            warn(
                f"{type(layer).__name__} '{layer.name}': {', '.join(names)} is a shared variable "
                "and no parameter, so training does not change it, and files do not have it; "
                + REMEDIES[isinstance(layer, Lambda)]
            )


REMEDIES = {
    False: "use add_weight(shape, initializer) in build(self, shape), with trainable=False if it "
    "is constant",
    True: "write a subclass of nn.Layer with add_weight in build, or use T.constant if it is "
    "constant",
}
"""What to do instead, for layers of the user and for functions."""


def shared_in(layer: Any, used: Iterable[Any]) -> Iterator[tuple[str, Any]]:
    """Yield shared variables of floats that a layer of the user uses, with names."""
    if isinstance(layer, Lambda):
        for variable in used:
            if isinstance(variable, T.TensorSharedVariable) and variable.dtype in T.float_dtypes:
                yield variable.name or str(variable), variable
    elif not type(layer).__module__.startswith("symtheano."):
        yield from (item for item in shared_attributes(layer) if item[1] in used)


def shared_attributes(layer: Any) -> Iterator[tuple[str, Any]]:
    """Yield attributes that are shared variables of floats, with names; those of lists, too."""
    for name, attribute in vars(layer).items():
        items = attribute if isinstance(attribute, list | tuple) else [attribute]
        for item in items:
            if isinstance(item, T.TensorSharedVariable) and item.dtype in T.float_dtypes:
                yield f"self.{name}", item


def check_batch_of_one(network: Network, samples: int) -> None:
    """Warn of batch normalization over one element, which is its offset whatever the input is.

    Parameters
    ----------
    network
        The network.
    samples
        The number of samples in a batch.
    """
    if samples != 1:
        return
    for value in network.values:
        layer: Any = value.layer
        if isinstance(layer, BatchNorm) and layer.trainable and layer.normalizes_one(value.shape):
            warn(
                f"{type(layer).__name__} '{layer.name}': in a batch of one sample it subtracts the "
                "sample from itself, so that its output does not depend on the input; take a "
                "larger batch_size, or nn.LayerNorm"
            )
