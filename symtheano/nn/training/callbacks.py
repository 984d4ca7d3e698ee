"""Callbacks that stop training, save models, change learning rates and write logs."""

from __future__ import annotations

import math
from collections.abc import Callable
from inspect import signature
from numbers import Real
from pathlib import Path
from typing import Any

import numpy as np

from symtheano.extras import needed
from symtheano.nn.training.data import Array, whole
from symtheano.nn.training.hooks import Callback, Logs


class Best:
    """The best value of a metric so far, and the number of epochs since it improved.

    Parameters
    ----------
    monitor
        The name of the metric, such as ``"val_loss"``.
    mode
        ``"min"``: smaller values are better. ``"max"``: larger values are better. ``"auto"``:
        larger values are better for accuracies and similar metrics, and smaller values for all
        others.
    min_delta
        The smallest difference that counts as an improvement.
    """

    LARGE = "acc auc precision recall f1 r2 iou cosine specificity".split()

    def __init__(self, monitor: str, mode: str = "auto", min_delta: float = 0.0) -> None:
        for name, value, kind in (("monitor", monitor, str), ("min_delta", min_delta, Real)):
            if not isinstance(value, kind):
                expected = "a number" if kind is Real else "the name of a measure"
                raise TypeError(f"{name} must be {expected}, not {value!r}")
        if mode not in ("min", "max", "auto"):
            raise ValueError(f"mode must be 'min', 'max' or 'auto', not {mode!r}")
        large = any(word in monitor for word in self.LARGE) and "loss" not in monitor
        self.sign = 1.0 if mode == "min" or (mode == "auto" and not large) else -1.0
        self.monitor, self.min_delta = monitor, abs(min_delta)
        self.reset()

    def reset(self) -> None:
        """Forget the best value."""
        self.value, self.epoch, self.wait = math.inf, -1, 0

    def better(self, epoch: int, logs: Logs) -> bool:
        """Return whether an epoch is the best so far, and remember its value.

        Raises
        ------
        ValueError
            If the metric is not measured, or is an array.
        """
        if self.monitor not in logs:
            late = self.monitor.startswith("val_") and not any(n.startswith("val_") for n in logs)
            hint = "; pass validation_data or validation_split to fit" if late else ""
            raise ValueError(
                f"'{self.monitor}' is not measured; the measured names are {sorted(logs)}{hint}"
            )
        if np.ndim(logs[self.monitor]):
            raise ValueError(f"'{self.monitor}' is an array; only numbers can be compared")
        value = self.sign * logs[self.monitor]
        if value < self.value - self.min_delta:
            self.value, self.epoch, self.wait = value, epoch, 0
            return True
        self.wait += 1
        return False

    def state(self) -> dict[str, Any]:
        """Return the state as data for JSON."""
        return {"value": self.value, "epoch": self.epoch, "wait": self.wait}

    def restore(self, state: dict[str, Any]) -> None:
        """Set the state from the result of :meth:`state`.

        Raises
        ------
        ValueError
            If the argument is not such a state. Nothing is changed then.
        """
        value, epoch, wait = state["value"], state["epoch"], state["wait"]
        if not isinstance(value, int | float) or math.isnan(value):
            raise ValueError(f"value must be a number, not {value!r}")
        self.value, self.epoch, self.wait = value, count("epoch", epoch, -1), count("wait", wait)


def count(name: str, value: Any, least: int = 0) -> int:
    """Return an integer of a state, after a check.

    Raises
    ------
    ValueError
        If the value is not an integer, or less than ``least``.
    """
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise ValueError(f"{name} must be an integer of at least {least}, not {value!r}")
    return value


class Monitor(Callback):
    """Base class of callbacks that wait for a metric to improve.

    Parameters
    ----------
    monitor
        The name of the metric. The default is ``"val_loss"``, the loss of the validation data.
    mode
        ``"min"``: smaller values are better. ``"max"``: larger values are better. ``"auto"``, the
        default: larger values are better for accuracies and similar metrics, and smaller values
        for all others.
    """

    def __init__(self, monitor: str, mode: str, min_delta: float, patience: int) -> None:
        self.best = Best(monitor, mode, min_delta)
        self.patience = whole(f"{type(self).__name__}: patience", patience, 0)

    def reset(self) -> None:
        self.best.reset()

    def state(self) -> dict[str, Any]:
        return self.best.state()


class EarlyStopping(Monitor):
    """Stops training when a metric has not improved for some epochs.

    Parameters
    ----------
    patience
        The number of epochs without improvement after which training stops. With 0, the default,
        training stops after the first epoch without improvement.
    min_delta
        The smallest difference that counts as an improvement. The default is 0.
    restore_best_weights
        Whether the parameters of the best epoch are restored after training. The default is False.
    """

    def __init__(
        self,
        monitor: str = "val_loss",
        patience: int = 0,
        min_delta: float = 0.0,
        mode: str = "auto",
        restore_best_weights: bool = False,
    ) -> None:
        super().__init__(monitor, mode, min_delta, patience)
        self._restore = restore_best_weights
        self._weights: list[Array] | None = None

    def reset(self) -> None:
        super().reset()
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

    def arrays(self) -> list[Array]:
        return self._weights or []

    def restore(self, state: dict[str, Any], arrays: list[Array]) -> None:
        have = [p.variable.get_value(borrow=True).shape for p in self.model.network.parameters]
        if arrays and [array.shape for array in arrays] != have:
            raise ValueError("the arrays do not have the shapes of the model's parameters")
        self.best.restore(state)
        self._weights = arrays or None


class ReduceOnPlateau(Monitor):
    """Lowers the learning rate when a metric has not improved for some epochs.

    Parameters
    ----------
    factor
        The number by which the learning rate is multiplied, between 0 and 1. The default is 0.1.
    patience
        The number of epochs without improvement after which the learning rate is lowered. The
        default is 10.
    min_delta
        The smallest difference that counts as an improvement. The default is 0.0001.
    cooldown
        The number of epochs after a change in which epochs without improvement are not counted. The
        default is 0.
    min_lr
        The lowest learning rate. The default is 0.
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
            raise ValueError(f"factor must be between 0 and 1, not {factor}")
        super().__init__(monitor, mode, min_delta, patience)
        self.factor = factor
        self.cooldown = whole("ReduceOnPlateau: cooldown", cooldown, 0)
        self.min_lr, self._rest = min_lr, 0

    def reset(self) -> None:
        super().reset()
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
        return {**super().state(), "rest": self._rest}

    def restore(self, state: dict[str, Any], arrays: list[Array]) -> None:
        rest = count("rest", state["rest"])
        self.best.restore(state)
        self._rest = rest


class LearningRateScheduler(Callback):
    """Sets the learning rate before each epoch.

    Parameters
    ----------
    schedule
        A function that returns the learning rate of an epoch. It takes the number of the epoch,
        from 0, and optionally the current learning rate.
    """

    def __init__(self, schedule: Callable[..., float]) -> None:
        self._schedule = schedule
        try:
            signature(schedule).bind(0, 0.0)
            self._arity = 2
        except TypeError:
            self._arity = 1

    def on_epoch_begin(self, epoch: int) -> None:
        optimizer = self.model.optimizer
        rate: Any = self._schedule(*(epoch, optimizer.learning_rate)[: self._arity])
        if not isinstance(rate, Real):
            raise TypeError(
                f"LearningRateScheduler: the schedule must return a number, not {rate!r}"
            )
        optimizer.learning_rate = rate


class TerminateOnNaN(Callback):
    """Stops training after an epoch whose loss is NaN or infinite."""

    def on_epoch_end(self, epoch: int, logs: Logs) -> None:
        if not math.isfinite(logs["loss"]):
            self.model.stop_training = True


class CSVLogger(Callback):
    """Writes the loss and the metrics of each epoch to a CSV file.

    Parameters
    ----------
    path
        The path of the file.
    append
        Whether lines are appended to an existing file. By default, the file is replaced.
    """

    writes_files = True

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
    """Saves the model during training, with everything that is needed to resume training.

    Parameters
    ----------
    path
        The path of the file. A new file replaces the old one when it is complete, so there is
        always a complete file.
    every
        The number of epochs between two checkpoints. The default is 1. It is not used with
        ``monitor``.
    monitor
        The name of a metric, such as ``"val_loss"``: the model is saved after epochs in which this
        metric is the best so far. None, the default: the model is saved every ``every`` epochs.
    mode
        ``"min"``: smaller values of the metric are better. ``"max"``: larger values are better.
        ``"auto"``, the default: larger values are better for accuracies and similar metrics, and
        smaller values for all others.
    resume
        Whether training continues from the file, if it exists. The parameters, the optimizer, the
        random numbers and the number of epochs are then read from the file. The results are the
        same, bit by bit, as without the interruption. The default is False.
    """

    writes_files = True

    def __init__(
        self,
        path: str | Path,
        every: int = 1,
        monitor: str | None = None,
        mode: str = "auto",
        resume: bool = False,
    ) -> None:
        self.path, self.resume = Path(path), resume
        self.every = whole("Checkpoint: every", every, 1)
        self.best = None if monitor is None else Best(monitor, mode)

    def reset(self) -> None:
        if self.best:
            self.best.reset()

    def on_train_begin(self) -> None:
        """Raise an error before the first epoch if the file cannot be written.

        Raises
        ------
        FileNotFoundError
            If its directory does not exist.
        ImportError
            If safetensors is not installed.
        """
        needed("safetensors.numpy", "nn.Checkpoint", "nn")
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
