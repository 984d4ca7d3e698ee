"""What ``fit`` and ``evaluate`` do: check the data, choose the compiled step, run the loop."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from symtheano.nn.training import data, loop
from symtheano.nn.training.callbacks import Callback, Checkpoint
from symtheano.nn.training.data import Samples
from symtheano.nn.training.history import History
from symtheano.nn.training.progress import choose
from symtheano.nn.training.step import Step, Totals
from symtheano.nn.training.subject import Subject

# The number of samples that are evaluated at once.
EVALUATED = 256


@dataclass(frozen=True)
class Request:
    """The arguments of ``fit``."""

    x: Any
    y: Any
    epochs: int
    batch_size: int
    validation_split: float | None
    validation_data: Any
    shuffle: bool
    class_weight: Mapping[Any, float] | None
    sample_weight: Any
    callbacks: tuple[Callback, ...]
    steps_per_epoch: int | None
    verbose: int | str


def fit(model: Subject, request: Request) -> History:
    """Train a model."""
    model.compiled_for("fit")
    if request.epochs < 0 or request.batch_size < 1:
        raise ValueError(
            f"fit: {request.epochs} epochs with batches of {request.batch_size} cannot be run"
        )
    model.stop_training, model.callbacks = False, list(request.callbacks)
    end = model.epochs_done + request.epochs
    prepare = from_batches if data.is_batches(request.x) else from_arrays
    run, totals, validate = prepare(model, request, end)
    for callback in request.callbacks:
        callback.model = model
        if isinstance(callback, Checkpoint) and callback.resume and callback.path.exists():
            model.restore(callback.path)
    for callback in request.callbacks:
        callback.on_train_begin()
    epochs, progress = range(model.epochs_done, end), choose(request.verbose)
    loop.train(model, epochs, run, totals, validate, request.callbacks, progress)
    return model.history


Prepared = tuple[loop.Epoch, Callable[[], Totals], "Callable[[], dict[str, float]] | None"]


def from_arrays(model: Subject, request: Request, end: int) -> Prepared:
    """Return what runs epochs over arrays."""
    samples = gather(model, request.x, request.y, request.sample_weight, request.class_weight)
    held = held_out(model, request)
    if request.validation_split is not None:
        samples, held = data.split(samples, request.validation_split)
    step, count = model.program(samples).train, len(samples)
    network, randomness = model.network, model.network.randomness
    network.check_batches("fit", count, request.batch_size)
    if network.states and request.shuffle:
        raise ValueError(
            "fit: a stateful layer goes on from batch to batch; give shuffle=False, and samples in "
            "an order in which sample k of a batch follows sample k of the one before"
        )

    def order(epoch: int) -> Any:
        return randomness.order(epoch, count) if request.shuffle else np.arange(count)

    run = loop.resident_epochs(step, samples, request.batch_size, order, end)
    return run, lambda: step.totals, validation(model, held, request.batch_size)


def from_batches(model: Subject, request: Request, end: int) -> Prepared:
    """Return what runs epochs over an iterable of batches."""
    endless = isinstance(request.x, Iterator)
    if endless and request.steps_per_epoch is None:
        raise ValueError(
            "fit: a generator needs steps_per_epoch, the number of batches of an epoch"
        )
    if request.validation_split is not None or request.y is not None:
        raise ValueError("fit: an iterable of batches has no y and no validation_split")
    steps: list[Step] = []

    def samples() -> Iterator[Samples]:
        for x, y, *weight in data.batches(request.x, request.steps_per_epoch):
            yield gather(model, x, y, weight[0] if weight else None, request.class_weight)

    def step(batch: Samples) -> Step:
        steps[:] = [model.program(batch).train]
        return steps[0]

    count = request.steps_per_epoch
    if count is None and hasattr(request.x, "__len__"):
        count = len(request.x)
    run = loop.fed_epochs(samples, step, count, end)
    held = held_out(model, request)
    return run, lambda: steps[0].totals, validation(model, held, request.batch_size)


def validation(
    model: Subject, held: Samples | None, batch_size: int
) -> Callable[[], dict[str, float]] | None:
    """Return what evaluates the validation set, if there is one."""
    if held is None:
        return None
    step, states = model.program(held).test, model.network.states
    if not states:
        return lambda: loop.evaluate(step, held, max(batch_size, EVALUATED))

    def aside() -> dict[str, float]:
        """Begin with zeros, and let training go on from its own states."""
        kept = [state.get_value() for state in states]
        for state, rows in zip(states, kept, strict=True):
            state.set_value(rows[:0])
        try:
            model.network.check_batches("validation", len(held), batch_size)
            return loop.evaluate(step, held, batch_size)
        finally:
            for state, rows in zip(states, kept, strict=True):
                state.set_value(rows)

    return aside


def held_out(model: Subject, request: Request) -> Samples | None:
    """Return the samples of ``validation_data``, if there are any."""
    given = request.validation_data
    if given is None:
        return None
    if request.validation_split is not None:
        raise ValueError("fit: validation_split and validation_data cannot both be given")
    if not isinstance(given, tuple | list) or len(given) not in (2, 3):
        raise ValueError("fit: validation_data is (x, y) or (x, y, sample_weight)")
    return gather(model, given[0], given[1], given[2] if len(given) == 3 else None, None)


def gather(
    model: Subject, x: Any, y: Any, sample_weight: Any, class_weight: Mapping[Any, float] | None
) -> Samples:
    """Return checked samples; the model is built for them if it is not yet."""
    if y is None:
        raise ValueError("targets expected: fit(x, y)")
    model.build_for(x)
    network = model.network
    inputs = data.gather_inputs(network.inputs, x)
    if not len(inputs[0]):
        raise ValueError("there are no samples")
    targets = data.gather_targets(network.outputs, y, len(inputs[0]))
    return Samples(inputs, targets, data.gather_weights(sample_weight, class_weight, targets))


def evaluate(
    model: Subject, x: Any, y: Any, batch_size: int, sample_weight: Any
) -> dict[str, float]:
    """Return the measures of samples at test."""
    model.compiled_for("evaluate")
    samples = gather(model, x, y, sample_weight, None)
    model.network.check_batches("evaluate", len(samples), batch_size)
    return loop.evaluate(model.program(samples).test, samples, batch_size)
