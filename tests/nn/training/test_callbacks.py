"""Callbacks: stopping, learning rates, logs, and the order in which they are told."""

from __future__ import annotations

import copy
import csv
import math
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from symtheano import nn
from symtheano.nn.training.callbacks import Best

X = np.random.default_rng(0).normal(size=(20, 2)).astype("float32")


class Scripted(nn.Callback):
    """Replaces what was measured by given numbers."""

    def __init__(self, *losses: float) -> None:
        self._losses = losses

    def on_epoch_end(self, epoch: int, logs: dict[str, float]) -> None:
        logs["loss"] = self._losses[epoch]


@pytest.fixture
def model() -> nn.Model:
    """Return a model whose layers do not change, so that nothing is compiled again."""
    made = nn.Model(seed=0)
    made.add(nn.Dense(1, use_bias=False))
    made.compile("mse", nn.SGD(0.5))
    return made


def fit(model: nn.Model, *callbacks: nn.Callback, epochs: int = 6) -> int:
    """Train and return the number of epochs."""
    model.fit(X, X[:, 0], epochs=epochs, callbacks=callbacks, verbose=0)
    return len(model.history.epochs)


def test_early_stopping_waits_and_restores_the_best(model: nn.Model) -> None:
    seen: list[Any] = []
    keep = nn.LambdaCallback(on_epoch_end=lambda *_: seen.append(model.get_weights()))
    stop = nn.EarlyStopping("loss", patience=2, restore_best_weights=True)
    assert fit(model, Scripted(3, 1, 2, 1, 9, 9), keep, stop) == 4
    assert np.array_equal(model.get_weights()[0], seen[1][0])


def test_an_unknown_measure_is_an_error(model: nn.Model) -> None:
    with pytest.raises(
        ValueError, match=r"'val_loss' is not measured; the measured names are \['loss'\]"
    ):
        fit(model, nn.EarlyStopping())


@pytest.mark.parametrize(
    ("monitor", "mode", "values", "best"),
    [
        ("loss", "auto", [3, 2, 2.5, 2], [True, True, False, False]),
        ("val_accuracy", "auto", [3, 2, 4], [True, False, True]),
        ("loss", "max", [3, 2, 4], [True, False, True]),
        ("loss", "auto", [math.nan, 1], [False, True]),
    ],
)
def test_better_is_less_or_more(
    monitor: str, mode: str, values: list[float], best: list[bool]
) -> None:
    watch = Best(monitor, mode)
    assert [watch.better(k, {monitor: v}) for k, v in enumerate(values)] == best
    with pytest.raises(ValueError, match="mode must be"):
        Best(monitor, "least")


def test_learning_rates_change_without_a_new_compilation(model: nn.Model) -> None:
    rates: list[float] = []
    note = nn.LambdaCallback(on_epoch_end=lambda *_: rates.append(model.optimizer.learning_rate))
    plateau = nn.ReduceOnPlateau("loss", factor=0.5, patience=1, min_lr=0.2, cooldown=1)
    fit(model, Scripted(1, 2, 2, 2, 2, 2), plateau, note)
    assert rates == [0.5, 0.25, 0.25, 0.2, 0.2, 0.2]
    program = next(iter(model._programs.values())).train.on_resident()
    model.fit(
        X, X[:, 0], epochs=2, callbacks=[nn.LearningRateScheduler(lambda e, r: r / 2)], verbose=0
    )
    assert model.optimizer.learning_rate == 0.05
    assert next(iter(model._programs.values())).train.on_resident() is program


def test_not_a_number_ends_training(model: nn.Model) -> None:
    assert fit(model, Scripted(1, math.nan, 1), nn.TerminateOnNaN(), epochs=3) == 2


def test_epochs_are_lines_of_a_file(model: nn.Model, tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_text("old")
    fit(model, nn.CSVLogger(path), epochs=2)
    rows = list(csv.reader(path.read_text().splitlines()))
    assert rows[0] == ["epoch", "loss"]
    assert [float(row[1]) for row in rows[1:]] == model.history["loss"]


def test_checkpoints_are_written_when_they_are_due(model: nn.Model, tmp_path: Path) -> None:
    path, saved = tmp_path / "m.safetensors", []

    class Watch(nn.Checkpoint):
        def on_epoch_end(self, epoch: int, logs: dict[str, float]) -> None:
            path.unlink(missing_ok=True)
            super().on_epoch_end(epoch, logs)
            saved.append(path.exists())

    fit(model, Watch(path, every=3))
    assert saved == [False, False, True, False, False, True]
    del saved[:]
    model.epochs_done = 0
    fit(model, Scripted(3, 1, 2, 1, 0, 9), Watch(path, monitor="loss"))
    assert saved == [True, True, False, False, True, False]


def test_all_are_told_in_order(model: nn.Model) -> None:
    told: list[Any] = []

    class Note(nn.Callback):
        def on_train_begin(self) -> None:
            told.append("begin")

        def on_epoch_begin(self, epoch: int) -> None:
            told.append(epoch)

        def on_batch_end(self, batch: int) -> None:
            told.append((batch,))

        def on_epoch_end(self, epoch: int, logs: dict[str, float]) -> None:
            told.append(sorted(logs))

        def on_train_end(self) -> None:
            told.append("end")

    model.fit(X, X[:, 0], batch_size=15, callbacks=[Note()], verbose=0)
    assert told == ["begin", 0, (0,), (1,), ["loss"], "end"]


def test_callbacks_show_their_arguments() -> None:
    assert repr(nn.EarlyStopping("loss", patience=3)) == "EarlyStopping('loss', patience=3)"
    assert repr(nn.Checkpoint("model")) == "Checkpoint('model')"
    assert repr(nn.TerminateOnNaN()) == "TerminateOnNaN()"

    class Own(nn.Callback):
        def __init__(self, factor: float) -> None:
            self.factor = factor

    assert repr(copy.deepcopy(Own(2.0))) == "Own(2.0)"


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: nn.EarlyStopping(patience="a"), "EarlyStopping: patience must be an integer"),
        (lambda: nn.EarlyStopping(patience=-1), "EarlyStopping: patience must be an integer"),
        (lambda: nn.ReduceOnPlateau(patience=1.5), "ReduceOnPlateau: patience must be an integer"),
        (lambda: nn.ReduceOnPlateau(cooldown="a"), "ReduceOnPlateau: cooldown must be an integer"),
        (lambda: nn.Checkpoint("a", every=0), "Checkpoint: every must be an integer of at least 1"),
        (lambda: nn.EarlyStopping(min_delta="a"), "min_delta must be a number"),
        (lambda: nn.EarlyStopping(monitor=3), "monitor must be the name of a measure"),
    ],
)
def test_arguments_of_callbacks_are_checked(make: Any, message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        make()


def test_classes_are_no_callbacks() -> None:
    model = nn.Sequential().dense(1).loss("mse")
    x = np.zeros((4, 2), "float32")
    for given in (nn.EarlyStopping, [nn.EarlyStopping]):
        with pytest.raises(TypeError, match=r"not classes; write nn\.EarlyStopping\(\.\.\.\)"):
            model.fit(x, x[:, :1], callbacks=given)
    with pytest.raises(TypeError, match=r"nn\.Callback, not 3"):
        model.fit(x, x[:, :1], callbacks=3)


def test_a_checkpoint_asks_for_safetensors_before_training(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "safetensors.numpy", None)
    model = nn.Sequential(seed=0).dense(1).loss("mse").backend("numpy")
    x = np.zeros((4, 2), "float32")
    with pytest.raises(ImportError, match=r"nn\.Checkpoint needs safetensors"):
        model.fit(x, x[:, :1], callbacks=nn.Checkpoint(tmp_path / "model"), verbose=0)
    assert model.history.history == {}


def test_a_measure_of_validation_that_is_not_there() -> None:
    with pytest.raises(ValueError, match=r"'val_loss' is not .*; pass validation_data or valid"):
        Best("val_loss").better(0, {"loss": 1.0})
    with pytest.raises(ValueError, match=r"\['loss', 'val_loss'\]$"):
        Best("val_mae").better(0, {"loss": 1.0, "val_loss": 1.0})
