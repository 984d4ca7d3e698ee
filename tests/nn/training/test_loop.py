"""The loop over epochs: what it calls, in which order, and when it ends."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from symtheano.nn.training import loop
from symtheano.nn.training.callbacks import Checkpoint
from symtheano.nn.training.hooks import Callback


class Recorder(Callback):
    """A callback that notes its calls, and stops training after an epoch."""

    def __init__(self, events: list[Any], name: str, last: int | None = None) -> None:
        self.events, self.name, self.last = events, name, last

    def on_epoch_begin(self, epoch: int) -> None:
        self.events.append((self.name, "begin", epoch))

    def on_epoch_end(self, epoch: int, logs: Any) -> None:
        self.events.append((self.name, "end", epoch, dict(logs)))
        if epoch == self.last:
            self.model.stop_training = True

    def on_train_end(self) -> None:
        self.events.append((self.name, "train end"))


class Saver(Recorder, Checkpoint):
    """A checkpoint that notes its calls."""


class Watcher(Recorder):
    """A callback that is called after each batch."""

    def on_batch_end(self, batch: int) -> None:
        self.events.append((self.name, "batch", batch))


class Shown:
    """Progress that notes that it is closed."""

    def __init__(self, events: list[Any]) -> None:
        self.events = events

    def done(self, logs: Any) -> None:
        self.events.append(("progress", "done"))

    def close(self) -> None:
        self.events.append(("progress", "closed"))


class Noted:
    """A history that notes epochs."""

    def __init__(self) -> None:
        self.epochs: list[Any] = []

    def append(self, epoch: int, logs: Any) -> None:
        self.epochs.append((epoch, dict(logs)))


def trained(epochs: int, run: Any = None, last: int | None = None) -> tuple[Any, list[Any]]:
    """Train a model without parameters, and return it with all calls."""
    events: list[Any] = []
    model: Any = SimpleNamespace(history=Noted(), epochs_done=0, stop_training=False)
    callbacks = [Saver(events, "saver"), Recorder(events, "other", last)]
    for callback in callbacks:
        callback.model = model
    model.events = events
    ran = run or (lambda epoch, progress, watching: events.append(("run", epoch)))
    progress: Any = Shown(events)
    loop.train(
        model, range(epochs), ran, lambda: {"loss": 1.0}, lambda: {"loss": 2.0}, callbacks, progress
    )
    return model, events


def test_order_of_calls() -> None:
    model, events = trained(1)
    logs = {"loss": 1.0, "val_loss": 2.0}
    assert events == [
        ("other", "begin", 0), ("saver", "begin", 0), ("run", 0), ("progress", "done"),
        ("other", "end", 0, logs), ("saver", "end", 0, logs),  # checkpoints see what others do
        ("progress", "closed"), ("other", "train end"), ("saver", "train end"),
    ]  # fmt: skip
    assert model.history.epochs == [(0, logs)]
    assert model.epochs_done == 1


def test_a_callback_ends_training_after_an_epoch() -> None:
    model, events = trained(5, last=1)
    assert model.epochs_done == 2
    assert events[-1] == ("saver", "train end")


def test_progress_is_closed_after_an_error() -> None:
    events: list[Any] = []

    def fails(epoch: int, progress: Any, watching: Any) -> None:
        events.append(progress)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        trained(2, fails)
    (progress,) = events
    assert progress.events[-1] == ("progress", "closed")


def test_callbacks_of_batches() -> None:
    watcher, other = Watcher([], "watcher"), Recorder([], "other")
    assert loop.watchers([other, watcher]) == [watcher]


def test_sums_are_reset_by_the_first_batch_of_a_step() -> None:
    calls: list[Any] = []

    def step(name: str) -> Any:
        totals = SimpleNamespace(reset=lambda: calls.append(("reset", name)))
        return SimpleNamespace(
            totals=totals, on_arguments=lambda: lambda *arrays: calls.append((name, arrays))
        )

    one, two, used = step("one"), step("two"), []
    for at, arrays in ((one, (1,)), (two, (2,)), (one, (3,))):
        loop.call(at, SimpleNamespace(arrays=arrays), used)  # type: ignore[arg-type]
    assert used == [one, two]
    assert calls == [
        ("reset", "one"),
        ("one", (1,)),
        ("reset", "two"),
        ("two", (2,)),
        ("one", (3,)),
    ]


def test_no_batches() -> None:
    with pytest.raises(ValueError, match="evaluate: the iterable yielded no batch"):
        loop.evaluate_batches([], lambda batch: None)  # type: ignore[arg-type,return-value]
