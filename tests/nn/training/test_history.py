"""Histories and how progress is shown."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from symtheano import nn
from symtheano.nn.training import progress


def test_measures_that_come_later_are_not_numbers_before() -> None:
    history = nn.History()
    history.append(0, {"loss": 1.0})
    history.append(1, {"loss": 0.5, "val_loss": 2.0})
    assert math.isnan(history["val_loss"][0])
    assert history["val_loss"][1] == 2.0
    assert repr(history) == "History(2 epochs of loss, val_loss)"


def test_measures_have_the_names_that_compile_takes() -> None:
    x = np.random.default_rng(0).normal(size=(8, 2))
    model = nn.Sequential([nn.Dense(1)], seed=0)
    model.compile("mse", metrics=["mae", "rmse"], backend="numpy")
    history = model.fit(x, x[:, 0], validation_data=(x, x[:, 0]), verbose=0)
    for short, full in (("mae", "mean_absolute_error"), ("rmse", "root_mean_squared_error")):
        assert history[short] == history.history[full]
        assert history[f"val_{short}"] == history.history[f"val_{full}"]
    for name in ("accuracy", "val_accuracy", "nothing"):
        with pytest.raises(KeyError, match=f"history has no '{name}'; it has loss, mean_abs"):
            history[name]
    with pytest.raises(KeyError, match="no epochs"):
        nn.History()["loss"]


def test_a_picture_has_training_beside_validation(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    history = nn.History()
    for k in range(3):
        history.append(k, {"loss": 1 / (k + 1), "accuracy": k / 3, "val_loss": 1.0})
    figure = history.plot(str(tmp_path / "p.png"))
    ticks = figure.axes[0].get_xticks()
    assert all(tick == int(tick) for tick in ticks)
    assert [len(axes.lines) for axes in figure.axes] == [2, 1]
    assert figure.axes[0].lines[0].get_ydata() == pytest.approx([1, 1 / 2, 1 / 3])
    assert (tmp_path / "p.png").stat().st_size > 1000


def test_lines_where_there_is_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    assert isinstance(progress.choose("auto"), progress.Lines)
    model = nn.Model(seed=0)
    model.add(nn.Dense(1))
    model.compile("mse", "sgd")
    x = np.ones((4, 2))
    model.fit(x, x[:, 0], epochs=2)
    lines = capsys.readouterr().out.splitlines()
    lines = [line for line in lines if not line.startswith("compil")]  # on a slow machine
    assert [line.split(":")[0] for line in lines] == ["epoch 1/2", "epoch 2/2"]
    assert f"loss {model.history['loss'][1]:.4f}" in lines[1]


def test_a_bar_on_a_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    bar = progress.choose("auto")
    assert isinstance(bar, progress.Bar)
    bar.epoch(0, 3, 10)
    bar.batch(4, {"loss": 0.25})
    bar.done({"loss": 0.125})
    bar.close()
    shown = capsys.readouterr().out
    assert "epoch 1/3" in shown
    assert "0/10" in shown
    assert "loss 0.1250" in shown
