"""Losses of probabilities: what outputs and targets they fit, before training and after a NaN."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from symtheano.nn import activations
from symtheano.nn.layers.convolution import Convolution
from symtheano.nn.layers.dense import Activation, Dense
from symtheano.nn.layers.normalization import BatchNorm, LayerNorm
from symtheano.nn.layers.recurrent import Recurrent
from symtheano.nn.layers.separable import Depthwise, Separable
from symtheano.nn.layers.shapes import Flatten, Reshape
from symtheano.nn.layers.wrappers import TimeDistributed
from symtheano.nn.lookup import snake_case
from symtheano.nn.training.data import Array, Samples
from symtheano.nn.training.soundness import OF_CLASSES, losses_of, warn
from symtheano.nn.training.subject import Subject
from symtheano.nn.values import Value

OF_ONE = {"binary_crossentropy", "binary_focal_crossentropy"}
# Losses of probabilities, with an argument from_logits but for the last one.
OF_PROBABILITIES = OF_CLASSES | OF_ONE | {"kl_divergence"}
# Activation functions whose values are between 0 and 1, and others that are not negative.
PROBABILITIES = {"softmax", "sparsemax", "sigmoid", "hard_sigmoid"}
NOT_NEGATIVE = PROBABILITIES | {"relu", "relu6", "softplus", "exponential"}
# Rounding moves probabilities, and sums of them, by less.
TOLERANCE = 1e-3

WITH_ACTIVATION = (Dense, Activation, Convolution, Depthwise, Separable, Recurrent)


def check_probabilities(model: Subject) -> None:
    """Warn of losses of probabilities, or of their logarithms, for outputs that are none."""
    for value, loss in zip(model.network.outputs, losses_of(model), strict=True):
        layer, activation = ending(value)
        text = misuse(loss, activation, value.shape[-1] if value.shape else 1)
        if text:
            warn(
                f"the loss {loss.name} of {value}: {type(layer).__name__} '{layer.name}' ends in "
                f"{activation!r}, and {text}"
            )


def misuse(loss: Any, activation: str | None, units: int | None) -> str:
    """Return why a loss does not fit the activation function of an output; empty if it does.

    Examples
    --------
    >>> misuse(nn.Loss("poisson"), "tanh", 1)[:46]
    'the loss takes the logarithm of the output: ta'
    >>> misuse(nn.Loss("poisson"), "softplus", 1), misuse(nn.Loss("mse"), "tanh", 1)
    ('', '')
    """
    name, options = getattr(loss, "name", ""), getattr(loss, "options", {})
    if activation is None or (name in OF_CLASSES and units == 1):
        return ""
    last = "sigmoid" if name in OF_ONE else "softmax"
    logits = f'nn.Loss("{name}", from_logits=True)'
    if name in OF_PROBABILITIES and options.get("from_logits"):
        if activation in PROBABILITIES:
            return f"from_logits=True applies {last} again: leave out one of the two"
    elif name in OF_PROBABILITIES and activation not in PROBABILITIES:
        other = "" if name == "kl_divergence" else f", or {logits}"
        return (
            "the loss takes the logarithm of probabilities, which is NaN for negative numbers: "
            f"take {last!r}{other}"
        )
    elif name in OF_CLASSES and activation in ("sigmoid", "hard_sigmoid"):
        return (
            "the loss is 0 where all outputs are 1: take 'softmax', or 'binary_crossentropy' if a "
            "sample can have several classes"
        )
    elif name == "nll" and activation != "log_softmax":
        return "the loss takes logarithms of probabilities: take 'log_softmax'"
    elif name == "poisson" and activation not in NOT_NEGATIVE and not options.get("log_input"):
        return (
            "the loss takes the logarithm of the output: take 'softplus' or 'exponential', or "
            'nn.Loss("poisson", log_input=True)'
        )
    return ""


def ending(value: Value) -> tuple[Any, str | None]:
    """Return the layer that computes an output, and the name of its activation function.

    Layers that only arrange elements are passed over. The name is None if it is not known which
    numbers the layer returns, ``"linear"`` if they are any.

    Examples
    --------
    >>> ending(nn.Flatten()(nn.Dense(2, "tanh")(nn.Input((4, 3)))))[1]
    'tanh'
    """
    while isinstance(value.layer, Flatten | Reshape):
        value = value.inputs[0]
    return value.layer, None if value.layer is None else activation_of(value.layer)


def activation_of(layer: Any) -> str | None:
    """Return the name of the activation function that a layer ends in; None: not known.

    Examples
    --------
    >>> [activation_of(one) for one in (nn.Dense(2), nn.LeakyReLU(), nn.Dropout())]
    ['linear', 'leaky_relu', None]
    """
    kind = type(layer)
    if not kind.__module__.startswith("symtheano."):
        return None
    if isinstance(layer, TimeDistributed):
        return activation_of(layer.layer)
    if isinstance(layer, BatchNorm | LayerNorm):
        return "linear"
    if snake_case(kind.__name__) in activations.TABLE:
        return snake_case(kind.__name__) if getattr(layer, "axis", -1) == -1 else None
    if not isinstance(layer, WITH_ACTIVATION):
        return None
    activation = layer.activation
    inner = activation if hasattr(activation, "as_function") else None
    return activation_of(inner) if inner else activations.name_of(activations.get(activation))


def check_targets(model: Subject, samples: Samples) -> None:
    """Warn of targets that are no probabilities, where a loss takes such."""
    outputs = zip(model.network.outputs, losses_of(model), samples.targets, strict=True)
    for value, loss, target in outputs:
        name = getattr(loss, "name", "")
        if not target.size or target.dtype.kind != "f" or target.ndim != len(value.shape) + 1:
            continue
        text = ""
        if name in OF_PROBABILITIES | {"poisson"}:
            text = beyond(name, float(target.min()), float(target.max()))
        if not text and name in OF_CLASSES and value.shape[-1] != 1 and value.masks[0] is None:
            text = not_one(target)
        if text:
            warn(f"the targets of {value}: the loss {name} takes {text}")


def beyond(name: str, low: float, high: float) -> str:
    """Return which targets a loss takes, if they are beyond; empty if not.

    Examples
    --------
    >>> beyond("binary_crossentropy", -1, 1)
    "numbers from 0 to 1, and they are from -1 to 1; 'hinge' takes -1 and 1"
    >>> beyond("poisson", 0, 7)
    ''
    """
    if name == "poisson":
        return f"numbers that are not negative, and the smallest is {low:g}" if low < 0 else ""
    if (low >= 0 and high <= 1 + TOLERANCE) or not np.isfinite([low, high]).all():
        return ""
    hint = "; 'hinge' takes -1 and 1" if (low, high) == (-1, 1) and name in OF_ONE else ""
    return f"numbers from 0 to 1, and they are from {low:g} to {high:g}{hint}"


def not_one(target: Array) -> str:
    """Return what is wrong with rows of probabilities whose sum is not 1; empty if all are right.

    Examples
    --------
    >>> not_one(np.eye(2)), not_one(np.array([[0.0, 1.0], [0.0, 0.0]]))[:54]
    ('', 'rows whose sum is 1, such as one-hot rows, and of 1 of')
    """
    with np.errstate(all="ignore"):
        sums = target.sum(axis=-1, dtype="float64")
        wrong = abs(sums - 1) > TOLERANCE
    if not wrong.any():
        return ""
    place = tuple(int(k) for k in np.unravel_index(int(wrong.argmax()), wrong.shape))
    return (
        f"rows whose sum is 1, such as one-hot rows, and of {int(wrong.sum())} of {wrong.size} "
        f"rows it is not, the first is {sums[place]:g} at {place}; for samples with several "
        "classes, or none, take 'sigmoid' and 'binary_crossentropy'"
    )


def outside(values: Sequence[Value], losses: Sequence[Any], arrays: Sequence[Array]) -> str:
    """Return which output is no probability, though the loss takes such; empty if all are.

    Parameters
    ----------
    values, losses, arrays
        The outputs of a network, the loss of each, and what was computed for a batch.
    """
    for value, loss, array in zip(values, losses, arrays, strict=True):
        name, options = getattr(loss, "name", ""), getattr(loss, "options", {})
        logarithms = name == "poisson" and not options.get("log_input")
        if not array.size or (name not in OF_PROBABILITIES and not logarithms):
            continue
        if options.get("from_logits"):
            continue
        low, high = float(array.min()), float(array.max())
        layer: Any = ending(value)[0]
        owner = f"{type(layer).__name__} '{layer.name}'" if layer is not None else str(value)
        if low < 0 or (high > 1 + TOLERANCE and not logarithms):
            wanted = "no negative numbers" if logarithms else "numbers from 0 to 1"
            remedy = "'softplus'" if logarithms else "'sigmoid'" if name in OF_ONE else "'softmax'"
            option = "log_input" if logarithms else "from_logits"
            other = "" if name == "kl_divergence" else f', or nn.Loss("{name}", {option}=True)'
            return (
                f"the output of {owner} is from {low:g} to {high:g}, and the loss {name} takes "
                f"{wanted}: take {remedy} as the activation of the last layer{other}"
            )
    return ""
