"""Where the first NaN of a loss comes from: data, parameters, or the output of a layer."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import symtheano
from symtheano.errors import NotFiniteError
from symtheano.nn.training.callbacks import Callback
from symtheano.nn.training.data import Array, Samples
from symtheano.nn.training.soundness import losses_of, named_arrays, not_finite
from symtheano.nn.training.subject import Subject

# What a batch was: its samples, by the numbers of the epoch and of the batch.
Batch = Callable[[int, int], Samples]


class Guard(Callback):
    """Raises an error after the first batch whose loss is not finite.

    Parameters
    ----------
    measures
        Returns what was measured in the epoch so far.
    batch
        Returns the samples of a batch.
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
            "parameters are those before this batch",
            kind=kind,
        )

    def _keep(self) -> None:
        """Remember the parameters, which the next batch is computed with."""
        self._before = [p.get_value() for p in self.model.network.parameters]


def first(model: Subject, batch: Samples) -> tuple[str, str]:
    """Return which array has the first NaN or infinity, as text, and its kind.

    Data come first, then parameters, then what layers compute, from the inputs on.

    Parameters
    ----------
    model
        The model, with the parameters that the batch was computed with.
    batch
        The samples.
    """
    for owner, name, array, advice in arrays_in_order(model, batch):
        place = not_finite(array)
        if place is not None:
            what = f"{owner} {name} has the first one, {array[place]} at {place}{advice}"
            return what, "nan" if math.isnan(array[place]) else "inf"
    names = ", ".join(str(getattr(loss, "name", loss)) for loss in losses_of(model))
    text = (
        f"all outputs are finite, so it is made by the loss, {names}, or by what layers add to it: "
        "a logarithm or a quotient of an output that is 0, or a sum that is too large"
    )
    return text, "nan"


def arrays_in_order(model: Subject, batch: Samples) -> Iterator[tuple[str, str, Array, str]]:
    """Yield what a loss is computed from: what it is, its name, the array, and some advice."""
    network = model.network
    for name, array in named_arrays(network, batch):
        yield "in the data,", name, array, " of the batch"
    for p in network.parameters:
        advice = (
            ", since the update before: a smaller learning rate, or an optimizer with "
            "global_clipnorm, keeps it finite"
        )
        yield "the parameter", p.variable.name, p.get_value(), advice
    values = [value for value in model.applied.values if value.layer is not None]
    compute = symtheano.function(
        [value.train for value in network.inputs],
        [value.train for value in values],
        mode=symtheano.Mode("interpret", "fast_compile"),
        on_unused_input="ignore",
    )
    for value, array in zip(values, compute(*batch.inputs), strict=True):
        layer: Any = value.layer
        name = f"{type(layer).__name__} '{layer.name}'"
        yield "the output of", name, array, " of the batch, and its inputs are finite"
