"""Warnings about what training changes: parameters that are frozen, unknown, or of no effect."""

from __future__ import annotations

from typing import Any

import symtheano.tensor as T
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
    """Warn of shared variables that layers use, and that are no parameters.

    They may be attributes of a layer of the user, or variables in a function that a layer takes,
    such as an activation.
    """
    registered = {p.variable for layer in network.layers for p in layer.parameters}
    for value in network.values:
        layer: Any = value.layer
        if layer is None:
            continue
        updated = {variable for variable, _ in (*value.own_updates, *value.own_test_updates)}
        inputs = [v.train for v in value.inputs]
        others = ancestors([value.train], inputs).difference(inputs, updated, registered)
        names = sorted(name_in(layer, variable) for variable in others if is_shared(variable))
        of_package = type(layer).__module__.startswith("symtheano.")
        if layer.parameters and not of_package:  # it knows of add_weight: attributes are constants
            names = [name for name in names if not name.startswith("self.")]
        if names:
            warn(
                f"{type(layer).__name__} '{layer.name}': {', '.join(names)} is a shared variable "
                "and no parameter, so training does not change it, and files do not have it; "
                + REMEDIES[of_package]
            )


REMEDIES = {
    False: "use add_weight(shape, initializer) in build(self, shape), with trainable=False if it "
    "is constant",
    True: "write a subclass of nn.Layer with add_weight in build, or use T.constant if it is "
    "constant",
}
"""What to do instead, for layers of the user and for functions that layers of the package take."""


def is_shared(variable: Any) -> bool:
    """Return whether a variable is a shared variable of floats, and no setting of a layer."""
    return (
        isinstance(variable, T.TensorSharedVariable)
        and variable.dtype in T.float_dtypes
        and not hasattr(variable.tag, "is_setting")
    )


def name_in(layer: Any, variable: Any) -> str:
    """Return the name of the attribute that holds a variable, else the variable's own name."""
    for name, attribute in vars(layer).items():
        items = attribute if isinstance(attribute, list | tuple) else [attribute]
        if any(item is variable for item in items):
            return f"self.{name}"
    return variable.name or str(variable)


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
