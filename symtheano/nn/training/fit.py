"""The work of ``fit`` and ``evaluate``: check the data, choose the compiled step, run the loop."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

import numpy as np

import symtheano
from symtheano.nn.optimizers.full_batch import FullBatch
from symtheano.nn.training import data, loop
from symtheano.nn.training.callbacks import Checkpoint, TerminateOnNaN
from symtheano.nn.training.checks import check_before
from symtheano.nn.training.data import Samples
from symtheano.nn.training.history import History
from symtheano.nn.training.hooks import Callback
from symtheano.nn.training.measures import Measures
from symtheano.nn.training.notfinite import Batch, Diverged, Guard
from symtheano.nn.training.objective import of_sequences
from symtheano.nn.training.progress import Progress, choose
from symtheano.nn.training.soundness import (
    TrainingWarning,
    Unchanged,
    check,
    check_data,
    check_dependence,
)
from symtheano.nn.training.step import TrainingStep, measured
from symtheano.nn.training.subject import Subject

# The default number of samples in a batch of evaluation and prediction.
EVALUATED = 256


ClassWeight = Mapping[Any, float] | str | None


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
    class_weight: ClassWeight
    sample_weight: Any
    callbacks: tuple[Callback, ...]
    steps_per_epoch: int | None
    verbose: int | str
    on_nan: str | None
    distribute: Any = None


def fit(model: Subject, request: Request) -> History:
    """Train a model."""
    model.compiled_for("fit")
    if request.distribute is not None and request.on_nan:
        raise NotImplementedError("fit: distribute= does not support on_nan")
    with alone(model), together(model, "fit", request.distribute):
        ranks, batches = model.ranks, data.is_batches(request.x, request.y)
        if ranks is not None and not batches and request.batch_size < ranks.size:
            raise ValueError(
                f"fit: batch_size is the number of samples of all {ranks.size} processes, and "
                f"{request.batch_size} is less than one for each"
            )
        return trained(model, request)


@contextmanager
def together(model: Subject, what: str, distribute: Any) -> Iterator[None]:
    """Let a method of a model work with the other processes, if this is wanted.

    Raises
    ------
    NotImplementedError
        For optimizers that need all samples at once.
    """
    if distribute is None:
        yield
        return
    from symtheano.nn.training.ranks import Ranks, plan_of

    if isinstance(model.optimizer, FullBatch):
        name = type(model.optimizer).__name__
        raise NotImplementedError(f"{what}: distribute= does not support {name}")
    model.ranks = ranks = Ranks(plan_of(distribute))
    # All functions that are compiled meanwhile divide the processors, not only the steps.
    threads = symtheano.config.threads or ranks.plan.threads()
    try:
        with symtheano.config.change_flags(threads=threads), warnings.catch_warnings():
            if ranks.rank:  # rank 0 warns
                warnings.simplefilter("ignore", TrainingWarning)
            yield
    finally:
        model.ranks = None


# The models that are being trained.
_RUNNING: set[int] = set()


@contextmanager
def alone(model: Subject) -> Iterator[None]:
    """Lock a model during training, because two trainings at once would share batches and sums.

    Raises
    ------
    RuntimeError
        If the model is locked already.
    """
    if id(model) in _RUNNING:
        raise RuntimeError(
            f"fit: the model '{model.name}' is already being trained, by another thread or by the "
            "call of fit that runs this callback"
        )
    _RUNNING.add(id(model))
    try:
        yield
    finally:
        _RUNNING.discard(id(model))


def trained(model: Subject, request: Request) -> History:
    """Train a locked model."""
    end = model.epochs_done + request.epochs
    prepare = from_batches if data.is_batches(request.x, request.y) else from_arrays
    if isinstance(model.optimizer, FullBatch):
        prepare = from_all
    first = model.ranks is None or model.ranks.rank == 0
    progress = choose(request.verbose if first else 0)
    try:
        return run_epochs(model, request, prepare, progress, end)
    finally:
        progress.close()


def run_epochs(
    model: Subject, request: Request, prepare: Any, progress: Progress, end: int
) -> History:
    """Train a model until epoch number ``end``, and call the callbacks."""
    first = request.on_nan is not None or model.ranks is not None
    if prepare is from_batches and first and not model.built:
        request = built_by_first(model, request)
    run, measures, validate, release, batch, finite = prepare(model, request, progress, end)
    model.stop_training, model.callbacks = False, list(request.callbacks)
    watching = [*request.callbacks, Unchanged()]
    if request.on_nan == "raise":
        watching.insert(0, Guard(measures, batch))
    elif not any(isinstance(one, TerminateOnNaN) for one in request.callbacks):
        watching.append(Diverged(finite))
    try:
        for callback in watching:
            callback.model = model
            callback.reset()
        ranks = model.ranks
        for callback in request.callbacks:
            if isinstance(callback, Checkpoint) and callback.resume:
                exists = callback.path.exists()
                if exists if ranks is None else ranks.same(exists):
                    model.restore(callback.path)
        if ranks is not None:
            ranks.begin(model, request, end)
            watching = [one for one in watching if ranks.rank == 0 or not one.writes_files]
        for callback in watching:
            callback.on_train_begin()
        epochs = range(model.epochs_done, end)
        stops = bool if ranks is None else ranks.any
        loop.train(model, epochs, run, measures, validate, watching, progress, stops)
        if ranks is not None:
            ranks.give(ranks.random_states(model.network))
    finally:
        release()
    return model.history


def listed(callbacks: Any) -> tuple[Callback, ...]:
    """Return a tuple of callbacks, from None, one callback or several."""
    several = isinstance(callbacks, Iterable) and not isinstance(callbacks, type)
    all_callbacks: tuple[Any, ...] = tuple(callbacks) if several else (callbacks,)
    if callbacks is None:
        return ()
    for one in all_callbacks:
        if not isinstance(one, Callback):
            is_class = isinstance(one, type) and issubclass(one, Callback)
            raise TypeError(
                "fit: callbacks must be instances of subclasses of nn.Callback, not "
                + (f"classes; write nn.{one.__name__}(...)" if is_class else repr(one))
            )
    return all_callbacks


Measured = Callable[[], "dict[str, Any]"]
Prepared = tuple[
    loop.Epoch, Measured, "Measured | None", Callable[[], None], Batch, Callable[[], bool]
]


def from_arrays(model: Subject, request: Request, progress: Progress, end: int) -> Prepared:
    """Return the functions that run and measure epochs over arrays."""
    if request.steps_per_epoch is not None:
        raise ValueError(
            "fit: steps_per_epoch can only be used for iterables of batches; use batch_size for "
            "arrays"
        )
    samples = gather(model, request.x, request.y, request.sample_weight, request.class_weight)
    held = held_out(model, request)
    if request.validation_split:
        samples, held = data.split(samples, request.validation_split)
    check_before(model, samples, request.batch_size)
    finite = check(model, samples, held)
    program = model.program(samples)
    step, count = program.train, len(samples)
    check_dependence(program.unused)
    network, randomness = model.network, model.network.randomness
    network.check_batches("fit", count, request.batch_size)
    if network.states and request.shuffle:
        raise ValueError(
            "fit: a stateful layer keeps its states from batch to batch; pass shuffle=False, and "
            "order the samples so that sample k of a batch continues sample k of the previous batch"
        )

    def order(epoch: int) -> Any:
        return randomness.order(epoch, count) if request.shuffle else np.arange(count)

    compile_step(step, True, progress, "the training step")

    def begin(epoch: int) -> int:
        batches: int = step.resident.begin(order(epoch), request.batch_size)
        return batches

    read: Measured = step.totals.read
    if model.ranks is not None:
        begin, read = model.ranks.epochs(model, step, order, request.batch_size)
    run = loop.resident_epochs(step, samples, begin, end)
    validate = validation(model, held, request.batch_size, progress)

    def batch(epoch: int, number: int) -> Samples:
        first = number * request.batch_size
        return samples[order(epoch)[first : first + request.batch_size]]

    return run, read, validate, step.resident.release, batch, lambda: finite


def from_all(model: Subject, request: Request, progress: Progress, end: int) -> Prepared:
    """Return the functions that run and measure epochs with all samples at once."""
    name = type(model.optimizer).__name__
    if data.is_batches(request.x, request.y) or request.steps_per_epoch is not None:
        raise ValueError(f"fit: {name} needs all samples at once; pass arrays, not batches")
    samples = gather(model, request.x, request.y, request.sample_weight, request.class_weight)
    held = held_out(model, request)
    if request.validation_split:
        samples, held = data.split(samples, request.validation_split)
    check_before(model, samples, len(samples))
    finite = check(model, samples, held)
    whole = model.program(samples).whole

    def run(epoch: int, progress: Progress, callbacks: Sequence[Callback]) -> None:
        progress.epoch(epoch, end, 1)
        # The minimization has converged, or rounding errors have ended it.
        ended = whole.run(samples).status != whole.LIMIT
        for callback in loop.watchers(callbacks):
            callback.on_batch_end(0)
        model.stop_training = model.stop_training or ended

    def batch(epoch: int, number: int) -> Samples:
        return samples

    validate = validation(model, held, EVALUATED, progress)
    return run, whole.totals.read, validate, lambda: None, batch, lambda: finite


def from_batches(model: Subject, request: Request, progress: Progress, end: int) -> Prepared:
    """Return the functions that run and measure epochs over an iterable of batches."""
    if isinstance(request.class_weight, str):
        raise ValueError(
            "fit: class_weight='balanced' needs the labels of all samples, which an iterable of "
            "batches does not have at once; pass a dict from labels to factors"
        )
    endless = isinstance(request.x, Iterator)
    if endless and request.steps_per_epoch is None:
        raise ValueError(
            "fit: pass steps_per_epoch, the number of batches of an epoch, with a generator"
        )
    if request.validation_split or request.sample_weight is not None:
        raise ValueError(
            "fit: validation_split and sample_weight cannot be used with an iterable of batches; "
            "pass validation_data, and yield batches (x, y, sample_weight)"
        )
    used: list[TrainingStep] = []
    last: list[Samples] = []
    finite: list[bool] = []

    ranks, count = model.ranks, request.steps_per_epoch
    if ranks is not None:
        ranks.refuse_states("fit", model.network)
    if count is None and hasattr(request.x, "__len__"):
        count = len(request.x)
    if ranks is not None and count is None:
        raise ValueError(
            "fit: distribute= needs the number of batches of an epoch, the same on all processes; "
            "pass steps_per_epoch, or an iterable that has a length"
        )
    steps = request.steps_per_epoch if ranks is None else count

    def samples() -> Iterator[Samples]:
        return gathered(model, request.x, steps, request.class_weight)

    def step(batch: Samples) -> TrainingStep:
        if not last and len(batch):
            check_before(model, batch, len(batch))
        finite.append(check_data(model.network, batch))
        last[:] = [batch]
        train: TrainingStep = model.program(batch).train
        compile_step(train, False, progress, "the training step")
        return train

    run = loop.fed_epochs(samples, step, used, count, end)
    read: Measured = lambda: measured(used)  # noqa: E731
    if ranks is not None:
        run, read = ranks.fed(model, run, used)
    validate = validation(model, held_out(model, request), request.batch_size, progress)
    return (
        run, read, validate, lambda: None, lambda epoch, number: last[0],
        lambda: all(finite),
    )  # fmt: skip


def compile_step(step: TrainingStep, resident: bool, progress: Progress, what: str) -> None:
    """Compile a step if it is not compiled yet, and show this as progress."""
    if not step.compiles(resident):
        return
    if step.waits:
        what += " and convolutions (once per machine)"
    with progress.compiling(what):
        if resident:
            step.on_resident()
        else:
            step.on_arguments()


def built_by_first(model: Subject, request: Request) -> Request:
    """Build a model for the first batch of an iterable.

    The iterable of the returned request still has this batch.
    """
    batches = iter(request.x)
    for first in batches:
        model.build_for(first[0])
        if batches is request.x:
            return replace(request, x=chain([first], batches))
        break
    return request


def gathered(
    model: Subject, batches: Any, steps: int | None, class_weight: ClassWeight
) -> Iterator[Samples]:
    """Yield the checked batches of an iterable."""
    for x, y, *weight in data.batches(batches, steps):
        yield gather(model, x, y, weight[0] if weight else None, class_weight)


def validation(
    model: Subject, held: Samples | Iterable[Any] | None, batch_size: int, progress: Progress
) -> Measured | None:
    """Return the function that evaluates the validation data, or None if there are none."""
    if held is None:
        return None
    if not isinstance(held, Samples):
        reduce = dict if model.ranks is None else model.ranks.total
        return lambda: dict(evaluate(model, held, None, batch_size, None, reduce))
    program, states, ranks = model.program(held), model.network.states, model.ranks
    step = program.test if ranks is None or states else program.test_together
    compile_step(step, True, progress, "the validation step")
    if ranks is not None and not states:
        return lambda: ranks.evaluate(step, held, max(batch_size, EVALUATED))
    if not states:
        return lambda: loop.evaluate(step, held, max(batch_size, EVALUATED))

    def aside() -> dict[str, float]:
        """Evaluate with states that begin with zeros, and then restore the states of training."""
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


def held_out(model: Subject, request: Request) -> Samples | Iterable[Any] | None:
    """Return the samples or the batches of ``validation_data``, or None if it is not given."""
    validation = request.validation_data
    if validation is None:
        return None
    if request.validation_split:
        raise ValueError("fit: pass either validation_split or validation_data, not both")
    if isinstance(validation, Iterator):
        raise ValueError(
            "fit: validation_data is evaluated after each epoch, but a generator is used up after "
            "the first epoch; pass arrays or a list of batches"
        )
    if data.is_batches(validation, None):
        batches: Iterable[Any] = validation
        return batches
    if not isinstance(validation, tuple | list) or len(validation) not in (2, 3):
        raise ValueError(
            "fit: validation_data must be (x, y), (x, y, sample_weight) or an iterable of batches"
        )
    return gather(
        model, validation[0], validation[1], validation[2] if len(validation) == 3 else None, None
    )


def gather(
    model: Subject, x: Any, y: Any, sample_weight: Any, class_weight: ClassWeight
) -> Samples:
    """Return samples after checks. A model without parameters is built for them."""
    if y is None:
        raise ValueError("targets are missing: pass x and y, or an iterable of batches (x, y)")
    model.build_for(x)
    network = model.network
    inputs = data.gather_inputs(network.inputs, x)
    if not len(inputs[0]) and model.ranks is None:  # of several processes, one may have none
        raise ValueError("there are no samples")
    network.check_indices(inputs)
    padded = of_sequences(network.outputs, model.compiled_for("fit")["loss"])
    targets = data.gather_targets(network.outputs, y, len(inputs[0]), padded)
    return Samples(inputs, targets, data.gather_weights(sample_weight, class_weight, targets))


def evaluate(
    model: Subject,
    x: Any,
    y: Any,
    batch_size: int,
    sample_weight: Any,
    reduce: Callable[[Mapping[str, Any]], Mapping[str, Any]] = dict,
) -> Measures:
    """Return the loss and the metrics of samples at test.

    ``reduce`` returns the sums of batches of all processes for those of this one.
    """
    model.compiled_for("evaluate")
    if data.is_batches(x, y):
        batches = gathered(model, x, None, None)
        test = lambda batch: model.program(batch).test  # noqa: E731
        return Measures(loop.evaluate_batches(batches, test, reduce))
    samples = gather(model, x, y, sample_weight, None)
    model.network.check_batches("evaluate", len(samples), batch_size)
    return Measures(loop.evaluate(model.program(samples).test, samples, batch_size))
