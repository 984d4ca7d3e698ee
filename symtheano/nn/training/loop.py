"""The loop over epochs and batches."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from symtheano.graph.origin import user_stacklevel
from symtheano.nn.training.callbacks import Checkpoint
from symtheano.nn.training.data import Samples
from symtheano.nn.training.hooks import Callback
from symtheano.nn.training.progress import Progress
from symtheano.nn.training.step import TrainingStep, measured
from symtheano.nn.training.subject import Subject

# A function that runs the batches of an epoch and shows its progress.
Epoch = Callable[[int, Progress, "Sequence[Callback]"], None]


def train(
    model: Subject,
    epochs: range,
    run: Epoch,
    measures: Callable[[], dict[str, Any]],
    validate: Callable[[], dict[str, float]] | None,
    callbacks: Sequence[Callback],
    progress: Progress,
    stops: Callable[[bool], bool] = bool,
) -> None:
    """Run epochs with their batches, validation and callbacks.

    Parameters
    ----------
    model
        The model to train.
    epochs
        The numbers of the epochs.
    run
        A function that runs the batches of an epoch.
    measures
        A function that returns the loss and the metrics of the epoch.
    validate
        A function that returns the loss and the metrics of the validation data, or None.
    callbacks
        The callbacks. Checkpoints are called after all others.
    progress
        The object that shows the progress.
    stops
        A function that returns whether any process stops, for whether this one does.
    """
    watching = sorted(callbacks, key=lambda c: isinstance(c, Checkpoint))
    try:
        for epoch in epochs:
            for callback in watching:
                callback.on_epoch_begin(epoch)
            run(epoch, progress, watching)
            logs = measures()
            if validate is not None:
                logs |= {f"val_{name}": value for name, value in validate().items()}
            model.history.append(epoch, logs)
            model.epochs_done = epoch + 1
            progress.done(logs)
            for callback in watching:
                callback.on_epoch_end(epoch, logs)
            if stops(model.stop_training):
                break
    finally:
        progress.close()
    for callback in watching:
        callback.on_train_end()


def resident_epochs(
    step: TrainingStep, samples: Samples, begin: Callable[[int], int], epochs: int
) -> Epoch:
    """Return the function that runs epochs over arrays.

    The step is compiled for resident samples, so that its calls have no arguments. ``begin`` gives
    them the order of an epoch, and returns the number of batches.
    """
    call = step.on_resident()
    step.resident.load(samples)

    def run(epoch: int, progress: Progress, callbacks: Sequence[Callback]) -> None:
        step.totals.reset()
        batches = begin(epoch)
        progress.epoch(epoch, epochs, batches)
        watching = watchers(callbacks)
        if progress.interval == float("inf") and not watching:
            for _ in range(batches):
                call()
            return
        shown = time.perf_counter()
        for batch in range(batches):
            call()
            for callback in watching:
                callback.on_batch_end(batch)
            if time.perf_counter() - shown > progress.interval:
                progress.batch(batch + 1, step.totals.read())
                shown = time.perf_counter()

    return run


def fed_epochs(
    batches: Callable[[], Iterable[Samples]],
    step: Callable[[Samples], TrainingStep],
    used: list[TrainingStep],
    count: int | None,
    epochs: int,
) -> Epoch:
    """Return the function that runs epochs over batches from an iterable.

    There is a step for each kind of batches. The function puts the steps of an epoch into ``used``.
    """

    def run(epoch: int, progress: Progress, callbacks: Sequence[Callback]) -> None:
        progress.epoch(epoch, epochs, count)
        watching, shown, done = watchers(callbacks), time.perf_counter(), 0
        used.clear()
        for batch in batches():
            call(step(batch), batch, used)
            for callback in watching:
                callback.on_batch_end(done)
            done += 1
            if time.perf_counter() - shown > progress.interval:
                progress.batch(done, measured(used))
                shown = time.perf_counter()
        if not done:
            raise ValueError(
                f"epoch {epoch}: the iterable yielded no batch; a generator can be iterated only "
                "once, so pass a list of batches instead"
            )
        if count is not None and done < count:
            warnings.warn(
                f"epoch {epoch} had only {done} of {count} batches, because the iterable ended",
                stacklevel=user_stacklevel(),
            )

    return run


def call(step: TrainingStep, batch: Samples, used: list[TrainingStep]) -> None:
    """Run a step on a batch. The first batch of a step in an epoch resets its sums."""
    if step not in used:
        step.totals.reset()
        used.append(step)
    step.on_arguments()(*batch.arrays)


def evaluate_batches(
    batches: Iterable[Samples],
    step: Callable[[Samples], TrainingStep],
    reduce: Callable[[Mapping[str, Any]], Mapping[str, Any]] = dict,
) -> dict[str, Any]:
    """Return the loss and the metrics of batches; see :func:`evaluate` for ``reduce``."""
    used: list[TrainingStep] = []
    for batch in batches:
        call(step(batch), batch, used)
    if not used:
        raise ValueError("evaluate: the iterable yielded no batch")
    return measured(used, reduce)


def watchers(callbacks: Sequence[Callback]) -> list[Callback]:
    """Return the callbacks that define ``on_batch_end``."""
    return [c for c in callbacks if type(c).on_batch_end is not Callback.on_batch_end]


def evaluate(
    step: TrainingStep,
    samples: Samples,
    batch_size: int,
    reduce: Callable[[Mapping[str, Any]], Mapping[str, Any]] = dict,
) -> dict[str, float]:
    """Return the loss and the metrics of samples.

    ``reduce`` returns the sums of all processes for those of this one.
    """
    call = step.on_resident()
    step.resident.load(samples)
    step.totals.reset()
    for _ in range(step.resident.begin(np.arange(len(samples)), batch_size)):
        call()
    step.resident.release()
    return step.totals.read(reduce=reduce)
