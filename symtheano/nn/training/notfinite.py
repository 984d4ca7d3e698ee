"""Errors that say where the first NaN comes from: data, parameters, or the output of a layer."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import symtheano
from symtheano.errors import NotFiniteError
from symtheano.nn.training.data import Array, Samples
from symtheano.nn.training.hooks import Callback, Logs
from symtheano.nn.training.probabilities import outside
from symtheano.nn.training.soundness import losses_of, named_arrays, not_finite, warn
from symtheano.nn.training.subject import Subject
from symtheano.nn.values import Value

# A function that returns the samples of a batch, from the numbers of the epoch and of the batch.
Batch = Callable[[int, int], Samples]


class Guard(Callback):
    """Raises an error after the first batch whose loss is not finite.

    Parameters
    ----------
    measures
        A function that returns the loss and the metrics of the epoch so far.
    batch
        A function that returns the samples of a batch.
    """

    def __init__(self, measures: Callable[[], dict[str, Any]], batch: Batch) -> None:
        self._measures, self._batch = measures, batch

    def on_epoch_begin(self, epoch: int) -> None:
        self._epoch = epoch
        self._keep()

    def on_batch_end(self, batch: int) -> None:
        loss = self._measures()["loss"]
        if math.isfinite(loss):
            self._keep()
            return
        for p, array in zip(self.model.network.parameters, self._before, strict=True):
            p.variable.set_value(array)
        where, kind = first(self.model, self._batch(self._epoch, batch))
        raise NotFiniteError(
            f"fit: the loss is {loss} in epoch {self._epoch + 1}, batch {batch + 1}; {where}. The "
            "parameters were reset to their values before this batch",
            kind=kind,
        )

    def _keep(self) -> None:
        """Keep copies of the parameters before the next batch."""
        self._before = [p.get_value() for p in self.model.network.parameters]


class Diverged(Callback):
    """Warns after the first epoch whose loss is not finite, though all data are.

    Parameters
    ----------
    finite
        Returns whether the data of training are finite; there is a warning of others already.
    """

    def __init__(self, finite: Callable[[], bool]) -> None:
        self._finite = finite

    def on_train_begin(self) -> None:
        self._has_warned = False

    def on_epoch_end(self, epoch: int, logs: Logs) -> None:
        if self._has_warned or math.isfinite(logs["loss"]) or not self._finite():
            return
        self._has_warned = True
        warn_of_loss(f"fit: the loss is {logs['loss']} in epoch {epoch + 1}")


def warn_of_loss(text: str) -> None:
    """Warn of a loss that is not finite though the data are; ``text`` says where it was."""
    warn(
        f"{text}, though the data are finite; a smaller learning rate, or an optimizer with "
        'global_clipnorm, may keep it finite, and fit(..., on_nan="raise") says which array has '
        "the first NaN or infinity"
    )


def first(model: Subject, batch: Samples) -> tuple[str, str]:
    """Return a text that says which array has the first NaN or infinity, and ``nan`` or ``inf``.

    The data are searched first, then the parameters, then the outputs of the layers, from the
    inputs on.

    Parameters
    ----------
    model
        The model, with the parameters from before the batch.
    batch
        The samples of the batch.
    """
    for owner, name, array, advice in arrays_in_order(model, batch):
        place = not_finite(array)
        if place is not None:
            what = f"{owner} {name} has the first {array[place]}, at {place}{advice}"
            return what, "nan" if math.isnan(array[place]) else "inf"
    outputs, losses = model.applied.outputs, losses_of(model)
    text = outside(outputs, losses, computed(model, batch, outputs))
    if text:
        return text, "nan"
    names = ", ".join(str(getattr(loss, "name", loss)) for loss in losses)
    text = (
        f"all outputs are finite, so the loss, {names}, or a penalty of a layer is the first array "
        "that is not: it may take the logarithm of an output that is 0, divide by one, or have a "
        "sum that is too large"
    )
    return text, "nan"


def arrays_in_order(model: Subject, batch: Samples) -> Iterator[tuple[str, str, Array, str]]:
    """Yield the arrays from which a loss is computed: the kind, the name, the array, and advice."""
    network = model.network
    for name, array in named_arrays(network, batch):
        yield "in the data,", name, array, " of the batch"
    for p in network.parameters:
        advice = (
            ", which comes from the previous update: use a smaller learning rate, or an optimizer "
            "with global_clipnorm"
        )
        yield "the parameter", p.variable.name, p.get_value(), advice
    values = [value for value in model.applied.values if value.layer is not None]
    for value, array in zip(values, computed(model, batch, values), strict=True):
        layer: Any = value.layer
        name = f"{type(layer).__name__} '{layer.name}'"
        yield "the output of", name, array, " of the batch, although its inputs are finite"


def computed(model: Subject, batch: Samples, values: Sequence[Value]) -> list[Array]:
    """Return what values of a network are in training, for a batch."""
    compute = symtheano.function(
        [value.train for value in model.network.inputs],
        [value.train for value in values],
        mode=symtheano.Mode("interpret", "fast_compile"),
        on_unused_input="ignore",
    )
    return list(compute(*batch.inputs))
