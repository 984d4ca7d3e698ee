"""Warnings about training that runs, but learns nothing or something wrong."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from symtheano.graph.origin import user_stacklevel
from symtheano.nn import activations, losses
from symtheano.nn.layers.embedding import Embedding
from symtheano.nn.network import Network
from symtheano.nn.training.data import Array, Samples
from symtheano.nn.training.hooks import Callback, Logs
from symtheano.nn.training.objective import each
from symtheano.nn.training.subject import Subject

# Losses that take one probability for each class.
OF_CLASSES = {
    "categorical_crossentropy", "categorical_focal_crossentropy", "sparse_categorical_crossentropy",
}  # fmt: skip
# With fewer samples than this for each class, classes may be missing by chance.
PER_CLASS = 5
# With at least so many classes, it is suspicious if half of them are missing.
MANY = 4
# Networks with more elements are not copied to see whether they change.
COPIED = 1 << 24


class TrainingWarning(UserWarning):
    """Warning about training that runs, but probably does not do what was intended."""


def warn(text: str) -> None:
    """Give a warning that shows the user's line."""
    warnings.warn(text, TrainingWarning, stacklevel=user_stacklevel())


def check(model: Subject, samples: Samples, held: Any) -> bool:
    """Warn of problems that can be seen in the samples; return whether they are finite.

    Parameters
    ----------
    model
        A model that is built and compiled.
    samples
        The samples for training.
    held
        The samples for validation. Other objects are ignored.
    """
    finite = check_data(model.network, samples)
    check_labels(model, samples, held.targets if isinstance(held, Samples) else None)
    return finite


def check_units(model: Subject) -> None:
    """Warn of a softmax of one unit, which is always 1, and of losses of classes for one unit."""
    network = model.network
    for value in network.values:
        layer: Any = value.layer
        if layer is not None and value.shape[-1:] == (1,) and is_softmax(layer):
            warn(
                f"{type(layer).__name__} '{layer.name}': the softmax of one unit is 1 for all "
                "inputs; for two classes, use one unit with 'sigmoid' and the loss "
                "'binary_crossentropy', or two units"
            )
    for value, loss in zip(network.outputs, losses_of(model), strict=True):
        name = getattr(loss, "name", "")
        if name in OF_CLASSES and value.shape[-1:] == (1,) and not is_softmax(value.layer):
            warn(
                f"the loss {name} of {value} compares a probability for each class, but there is "
                "only one class, so the loss is smallest if the output is 1 for all inputs; for "
                "one unit, use 'binary_crossentropy'"
            )


def losses_of(model: Subject) -> list[Any]:
    """Return the loss of each output."""
    output_losses = each(model.network.outputs, model.compiled_for("fit")["loss"], "loss")
    return [losses.get(one) for one in output_losses]


def is_softmax(layer: Any) -> bool:
    """Return whether a layer ends in a softmax along the last axis."""
    if type(layer).__name__ == "Softmax":
        return bool(layer.axis == -1)
    activation = getattr(layer, "activation", None)
    if type(activation).__name__ == "Softmax":
        return is_softmax(activation)
    named = isinstance(activation, str) or (
        callable(activation) and not isinstance(activation, type)
    )
    return named and activations.get(activation) is activations.get("softmax")


def check_rate(optimizer: Any) -> None:
    """Warn of a negative learning rate. Optimizers for full batches have no learning rate."""
    rate = getattr(optimizer, "learning_rate", 1.0)
    if rate < 0:
        warn(
            f"{type(optimizer).__name__}: the learning rate is {rate:g}; a negative learning rate "
            "makes the loss larger"
        )


def check_first_rate(optimizer: Any) -> None:
    """Warn of a learning rate that is 0."""
    if fixed_rate(optimizer) == 0:
        warn_of_zero(optimizer)


def fixed_rate(optimizer: Any) -> float:
    """Return the learning rate, 1 if there is none, or one of a schedule, which may begin with 0.

    Examples
    --------
    >>> fixed_rate(nn.SGD(0.5)), fixed_rate(nn.LBFGS())
    (0.5, 1.0)
    """
    is_number = getattr(optimizer, "has_fixed_rate", False)
    return float(optimizer.learning_rate) if is_number else 1.0


def warn_of_zero(optimizer: Any) -> None:
    """Warn of a learning rate that is 0."""
    name = type(optimizer).__name__
    warn(f"{name}: the learning rate is 0, so training changes no parameter")


def check_weights(samples: Samples) -> None:
    """Warn of weights of samples that are negative, or all 0."""
    weights = samples.weights
    if weights is None or not weights.size:
        return
    if weights.min() < 0:
        warn(
            f"training: {int((weights < 0).sum())} weights of samples are negative, the smallest "
            f"is {weights.min():g}; training makes the losses of these samples larger"
        )
    elif not weights.any():
        warn("training: all weights of samples are 0, so no sample changes the parameters")


def check_data(network: Network, samples: Samples) -> bool:
    """Warn of NaN and infinities in data; return whether there are none."""
    finite = True
    for name, array in named_arrays(network, samples):
        place = not_finite(array)
        if place is not None:
            finite = False
            count = int((~np.isfinite(array)).sum())
            elements = "element that is" if count == 1 else "elements that are"
            warn(
                f"training: {name} has {count} {elements} NaN or infinite, the first is "
                f"{array[place]} at {place}; they make the loss and all parameters NaN"
            )
    return finite


def named_arrays(network: Network, samples: Samples) -> list[tuple[str, Array]]:
    """Return the arrays of samples, with their names for messages."""
    inputs = [value.train.name or f"input {k}" for k, value in enumerate(network.inputs)]
    targets = ["the array of targets"]
    if len(network.outputs) > 1:
        targets = [f"the array of targets of {value}" for value in network.outputs]
    names = [*inputs, *targets, "sample_weight"]
    return list(zip(names, samples.arrays, strict=False))


def not_finite(array: Array) -> tuple[int, ...] | None:
    """Return the index of the first NaN or infinity, or None if all elements are finite.

    Examples
    --------
    >>> not_finite(np.array([[1.0, 2.0], [3.0, np.nan]])), not_finite(np.array([1, 2]))
    ((1, 1), None)
    """
    if array.dtype.kind != "f" or not array.size:
        return None
    with np.errstate(all="ignore"):
        if math.isfinite(array.sum(dtype="float64")):  # in one pass, without an array of booleans
            return None
    finite = np.isfinite(array)
    if finite.all():
        return None
    return tuple(int(k) for k in np.unravel_index(int(finite.argmin()), array.shape))


def check_labels(model: Subject, samples: Samples, held: tuple[Array, ...] | None = None) -> None:
    """Warn of classes that no sample has, if this is probably a mistake.

    Data may lack a class. These are probably mistakes: labels that begin with 1, far more units
    than classes, and classes that only the validation data have.
    """
    outputs = model.network.outputs
    words = any(isinstance(layer, Embedding) for layer in model.network.layers)
    for k, (value, loss, target) in enumerate(
        zip(outputs, losses_of(model), samples.targets, strict=True)
    ):
        name, classes = getattr(loss, "name", ""), value.shape[-1] if value.shape else None
        if len(value.shape) != 1 or classes is None or len(target) < PER_CLASS * max(classes, 2):
            continue
        if name == "binary_crossentropy" and classes == 1 and (target == target[0]).all():
            warn(f"fit: all targets of {value} are {target.flat[0]:g}")
        if name not in OF_CLASSES or classes == 1:
            continue
        labels = labels_in(target)
        if len(labels) == 1:
            warn(f"fit: all targets of {value} are the label {listed(sorted(labels))}")
            continue
        missing = sorted(set(range(classes)) - labels)
        late = sorted((labels_in(held[k]) if held else set()) - labels)
        if late:
            warn(
                f"fit: only the validation data have the label {listed(late)}; validation_split "
                "takes the last samples, so shuffle sorted samples before training"
            )
        elif (missing == [0] and classes > 2 and not words) or (
            classes >= MANY and 2 * len(missing) >= classes and not words
        ):
            warn(
                f"fit: no sample has the label {listed(missing)}, but {value} has {classes} units, "
                f"for labels from 0 to {classes - 1}"
            )


def labels_in(target: Array) -> set[int]:
    """Return the set of labels that occur in an array of labels or of one-hot rows.

    Examples
    --------
    >>> sorted(labels_in(np.array([2, 0, 2]))), sorted(labels_in(np.eye(3)[[1, 1]]))
    ([0, 2], [1])
    """
    labels = target if target.ndim == 1 else target.argmax(axis=-1)
    return set(np.unique(labels).tolist())


def listed(numbers: Sequence[int]) -> str:
    """Return numbers as text, at most the first five.

    Examples
    --------
    >>> listed([1, 2]), listed(range(9))
    ('1, 2', '0, 1, 2, 3, 4, ...')
    """
    return ", ".join([*map(str, numbers[:5]), *(["..."] if len(numbers) > 5 else [])])


class Unchanged(Callback):
    """Warns of layers that training has not changed after the first epoch."""

    def on_train_begin(self) -> None:
        self._before: dict[Any, list[tuple[Any, Array]]] = {}
        self._first_rate = fixed_rate(self.model.optimizer)
        if self.model.epochs_done or not self.model.built:
            return
        network = self.model.network
        if sum(p.count for p in network.parameters) > COPIED:
            return
        for layer in network.layers:
            kept = [(p.variable, p.get_value()) for p in layer.parameters if p.trains]
            if kept:
                self._before[layer] = kept

    def on_epoch_end(self, epoch: int, logs: Logs) -> None:
        before, self._before = self._before, {}
        first_rate, self._first_rate = self._first_rate, 1.0
        # A callback may begin with a rate of 0, or set it before the first batch.
        if first_rate == 0 and fixed_rate(self.model.optimizer) == 0:
            warn_of_zero(self.model.optimizer)
            return
        rate = getattr(self.model.optimizer, "learning_rate", 1.0)
        if not before or not rate or not logs["loss"]:
            return  # with a loss of zero, the gradients are zero, too
        same = [
            f"{type(layer).__name__} '{layer.name}'"
            for layer, kept in before.items()
            if all(np.array_equal(v.get_value(borrow=True), old) for v, old in kept)
        ]
        if same:
            warn(
                f"fit: the first epoch has not changed the parameters of {', '.join(same)}: the "
                "gradients are zero, or too small for the learning rate. Causes of zero gradients "
                "are initial values that are all zero, an activation function that is constant for "
                "all samples, and T.argmax or T.consider_constant in a layer"
            )


def check_dependence(unused: Sequence[Any]) -> None:
    """Warn of layers whose parameters the loss does not depend on.

    Parameters
    ----------
    unused
        The parameters on which the loss does not depend.
    """
    names = list(dict.fromkeys(f"{type(p.layer).__name__} '{p.layer.name}'" for p in unused))
    if names:
        warn(
            f"training: the loss does not depend on the parameters of {', '.join(names)}, so they "
            "do not change; set trainable=False if this is intended"
        )
