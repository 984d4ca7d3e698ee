"""What watches training, and may change or stop it."""

from __future__ import annotations

import math
from collections.abc import Callable
from inspect import signature
from numbers import Real
from pathlib import Path
from typing import Any

import numpy as np

from symtheano.nn.foreign import Explained
from symtheano.nn.training.data import Array
from symtheano.nn.training.subject import Subject

Logs = dict[str, float]


class Callback(Explained):
    """Methods that ``fit`` calls; subclasses define those they need.

    ``on_batch_end`` costs a call in Python for each batch where it is defined. ``self.model`` is
    the model; ``self.model.stop_training = True`` ends training after the epoch.
    """

    model: Subject

    def reset(self) -> None:
        """Forget earlier calls of ``fit``; the first of all methods that a call uses."""

    def on_train_begin(self) -> None:
        """Before the first epoch."""

    def on_epoch_begin(self, epoch: int) -> None:
        """Before an epoch."""

    def on_batch_end(self, batch: int) -> None:
        """After a batch."""

    def on_epoch_end(self, epoch: int, logs: Logs) -> None:
        """After an epoch, with what was measured."""

    def on_train_end(self) -> None:
        """After the last epoch."""

    def state(self) -> dict[str, Any]:
        """Return what a checkpoint must hold, as data for JSON."""
        return {}

    def arrays(self) -> list[Array]:
        """Return the arrays that a checkpoint must hold."""
        return []

    def restore(self, state: dict[str, Any], arrays: list[Array]) -> None:
        """Go on from a state and its arrays."""


class LambdaCallback(Callback):
    """Functions as a callback.

    Parameters
    ----------
    on_epoch_end
        Called with the number of the epoch and what was measured.
    on_epoch_begin
        Called with the number of the epoch.
    """

    def __init__(
        self,
        on_epoch_end: Callable[[int, Logs], Any] | None = None,
        on_epoch_begin: Callable[[int], Any] | None = None,
    ) -> None:
        self._end, self._begin = on_epoch_end, on_epoch_begin

    def on_epoch_begin(self, epoch: int) -> None:
        if self._begin is not None:
            self._begin(epoch)

    def on_epoch_end(self, epoch: int, logs: Logs) -> None:
        if self._end is not None:
            self._end(epoch, logs)


class Best:
    """The best of a measure so far, and for how many epochs it has not improved.

    Parameters
    ----------
    monitor
        The name of the measure.
    mode
        ``"min"``, ``"max"``, or ``"auto"``: accuracies and the like are to grow, all else not.
    min_delta
        The least difference that is an improvement.
    """

    LARGE = "acc auc precision recall f1 r2 iou cosine specificity".split()

    def __init__(self, monitor: str, mode: str = "auto", min_delta: float = 0.0) -> None:
        if mode not in ("min", "max", "auto"):
            raise ValueError(f"mode: 'min', 'max' or 'auto' expected, not {mode!r}")
        large = any(word in monitor for word in self.LARGE) and "loss" not in monitor
        self.sign = 1.0 if mode == "min" or (mode == "auto" and not large) else -1.0
        self.monitor, self.min_delta = monitor, abs(min_delta)
        self.reset()

    def reset(self) -> None:
        """Begin anew."""
        self.value, self.epoch, self.wait = math.inf, -1, 0

    def better(self, epoch: int, logs: Logs) -> bool:
        """Return whether an epoch is the best so far.

        Raises
        ------
        ValueError
            If the measure is not there.
        """
        if self.monitor not in logs:
            raise ValueError(f"'{self.monitor}' is not measured; there are {sorted(logs)}")
        if np.ndim(logs[self.monitor]):
            raise ValueError(f"'{self.monitor}' is an array, which is neither better nor worse")
        value = self.sign * logs[self.monitor]
        if value < self.value - self.min_delta:
            self.value, self.epoch, self.wait = value, epoch, 0
            return True
        self.wait += 1
        return False

    def state(self) -> dict[str, Any]:
        """Return the state as data."""
        return {"value": self.value, "epoch": self.epoch, "wait": self.wait}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a state.

        Raises
        ------
        ValueError
            If it is none; nothing has changed then.
        """
        value, epoch, wait = state["value"], state["epoch"], state["wait"]
        if not isinstance(value, int | float) or math.isnan(value):
            raise ValueError(f"value: a number expected, not {value!r}")
        self.value, self.epoch, self.wait = value, count("epoch", epoch, -1), count("wait", wait)


def count(name: str, value: Any, least: int = 0) -> int:
    """Return a number of a state that is an integer.

    Raises
    ------
    ValueError
        If it is none, or less than ``least``.
    """
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise ValueError(f"{name}: an integer of {least} or more expected, not {value!r}")
    return value


class EarlyStopping(Callback):
    """Stop when a measure has not improved for some epochs.

    Parameters
    ----------
    monitor
        The name of the measure.
    patience
        The number of epochs without improvement after which training stops.
    min_delta
        The least difference that is an improvement.
    mode
        ``"min"``, ``"max"``, or ``"auto"`` by the name of the measure.
    restore_best_weights
        Whether the parameters of the best epoch are set in the end.
    """

    def __init__(
        self,
        monitor: str = "val_loss",
        patience: int = 0,
        min_delta: float = 0.0,
        mode: str = "auto",
        restore_best_weights: bool = False,
    ) -> None:
        self.best, self.patience = Best(monitor, mode, min_delta), patience
        self._restore = restore_best_weights
        self._weights: list[Array] | None = None

    def reset(self) -> None:
        self.best.reset()
        self._weights = None

    def on_epoch_end(self, epoch: int, logs: Logs) -> None:
        if self.best.better(epoch, logs):
            if self._restore:
                self._weights = self.model.get_weights()
        elif self.best.wait >= self.patience:
            self.model.stop_training = True

    def on_train_end(self) -> None:
        if self._weights is not None:
            self.model.set_weights(self._weights)

    def state(self) -> dict[str, Any]:
        return self.best.state()

    def arrays(self) -> list[Array]:
        return self._weights or []

    def restore(self, state: dict[str, Any], arrays: list[Array]) -> None:
        have = [p.variable.get_value(borrow=True).shape for p in self.model.network.parameters]
        if arrays and [array.shape for array in arrays] != have:
            raise ValueError("the arrays have not the shapes of the model's parameters")
        self.best.restore(state)
        self._weights = arrays or None


class ReduceOnPlateau(Callback):
    """Lower the learning rate when a measure has not improved for some epochs.

    Parameters
    ----------
    monitor, mode, min_delta
        As in :class:`EarlyStopping`.
    factor
        What the learning rate is multiplied by.
    patience
        The number of epochs without improvement.
    cooldown
        The number of epochs after a change that do not count.
    min_lr
        The lowest learning rate.
    """

    def __init__(
        self,
        monitor: str = "val_loss",
        factor: float = 0.1,
        patience: int = 10,
        min_delta: float = 1e-4,
        mode: str = "auto",
        cooldown: int = 0,
        min_lr: float = 0.0,
    ) -> None:
        if not 0 < factor < 1:
            raise ValueError(f"factor: a number between 0 and 1 expected, not {factor}")
        self.best, self.factor, self.patience = Best(monitor, mode, min_delta), factor, patience
        self.cooldown, self.min_lr, self._rest = cooldown, min_lr, 0

    def reset(self) -> None:
        self.best.reset()
        self._rest = 0

    def on_epoch_end(self, epoch: int, logs: Logs) -> None:
        better = self.best.better(epoch, logs)
        if self._rest:
            self._rest -= 1
            self.best.wait = 0
        elif not better and self.best.wait >= self.patience:
            optimizer = self.model.optimizer
            optimizer.learning_rate = max(optimizer.learning_rate * self.factor, self.min_lr)
            self.best.wait, self._rest = 0, self.cooldown

    def state(self) -> dict[str, Any]:
        return {**self.best.state(), "rest": self._rest}

    def restore(self, state: dict[str, Any], arrays: list[Array]) -> None:
        rest = count("rest", state["rest"])
        self.best.restore(state)
        self._rest = rest


class LearningRateScheduler(Callback):
    """Set the learning rate before each epoch.

    Parameters
    ----------
    schedule
        Takes the number of the epoch and the learning rate, or the number alone, and returns the
        new learning rate.
    """

    def __init__(self, schedule: Callable[..., float]) -> None:
        self._schedule = schedule
        try:
            signature(schedule).bind(0, 0.0)
            self._given = 2
        except TypeError:
            self._given = 1

    def on_epoch_begin(self, epoch: int) -> None:
        optimizer = self.model.optimizer
        rate: Any = self._schedule(*(epoch, optimizer.learning_rate)[: self._given])
        if not isinstance(rate, Real):
            raise TypeError(f"LearningRateScheduler: the schedule returned {rate!r}, no number")
        optimizer.learning_rate = rate


class TerminateOnNaN(Callback):
    """Stop after an epoch whose loss is NaN or infinite."""

    def on_epoch_end(self, epoch: int, logs: Logs) -> None:
        if not math.isfinite(logs["loss"]):
            self.model.stop_training = True


class CSVLogger(Callback):
    """Write what was measured in each epoch as a line of a CSV file.

    Parameters
    ----------
    path
        The file.
    append
        Whether lines are added to an existing file.
    """

    def __init__(self, path: str | Path, append: bool = False) -> None:
        self._path, self._append = Path(path), append
        self._names: list[str] | None = None

    def on_train_begin(self) -> None:
        if not self._append:
            self._path.unlink(missing_ok=True)

    def on_epoch_end(self, epoch: int, logs: Logs) -> None:
        import csv

        new = not self._path.exists()
        with self._path.open("a", newline="") as file:
            writer = csv.writer(file)
            if new:
                writer.writerow(["epoch", *logs])
            writer.writerow([epoch, *logs.values()])


class Checkpoint(Callback):
    """Save the model after epochs, with all that training needs to go on.

    Parameters
    ----------
    path
        The file. It is replaced as a whole, so that there is a complete one at any time.
    every
        The number of epochs between two checkpoints.
    monitor
        Save only when this measure is the best so far; None: always.
    mode
        As in :class:`EarlyStopping`.
    resume
        Whether training goes on from the file if there is one: the parameters, the optimizer, the
        random numbers and the number of epochs are those of the checkpoint, and what follows has
        the same bits as if training had not been interrupted.
    """

    def __init__(
        self,
        path: str | Path,
        every: int = 1,
        monitor: str | None = None,
        mode: str = "auto",
        resume: bool = False,
    ) -> None:
        self.path, self.every, self.resume = Path(path), every, resume
        self.best = None if monitor is None else Best(monitor, mode)

    def reset(self) -> None:
        if self.best:
            self.best.reset()

    def on_train_begin(self) -> None:
        """Find out before the first epoch whether the file can be written."""
        if not self.path.parent.is_dir():
            raise FileNotFoundError(f"Checkpoint: there is no directory {self.path.parent}")
        if self.model.built:
            self.model.network.config()

    def on_epoch_end(self, epoch: int, logs: Logs) -> None:
        wanted = (
            (epoch + 1) % self.every == 0 if self.best is None else self.best.better(epoch, logs)
        )
        if wanted:
            self.model.save(self.path)

    def state(self) -> dict[str, Any]:
        return self.best.state() if self.best else {}

    def restore(self, state: dict[str, Any], arrays: list[Array]) -> None:
        if self.best:
            self.best.restore(state)
