"""What is shown while something is compiled, and what is waited for."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import symtheano
from symtheano import nn
from symtheano.nn.training import progress
from symtheano.nn.training.program import convolves

X = np.ones((4, 1, 6, 6), "float32")
Y = np.ones((4, 2), "float32")


def test_lines_say_what_takes_long(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = progress.Lines()
    with lines.compiling("the training step"):
        pass
    assert capsys.readouterr().out == ""
    monkeypatch.setattr(progress, "LONG", 0.01)
    with lines.compiling("the training step"):
        time.sleep(0.5)
    first, second = capsys.readouterr().out.splitlines()
    assert first == "compiling the training step..."
    assert second.startswith("compiled in ")
    assert second.endswith(" s")


def test_an_error_is_no_long_compilation(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(KeyError), progress.Lines().compiling("the step"):
        raise KeyError
    assert capsys.readouterr().out == ""


def test_a_bar_shows_what_is_compiled(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "SHORT", 0.0)
    bar = progress.Bar()
    with bar.compiling("the training step"):
        pass
    bar.close()
    bar.close()
    assert "compiled the training step (0." in capsys.readouterr().out


def test_a_narrow_terminal_shows_the_number_of_the_batch(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    bar = progress.Bar()
    bar.epoch(0, 3, 500)
    bar.batch(28, {"loss": 0.25, "accuracy": 0.5})
    bar.close()
    shown = capsys.readouterr().out
    assert "28/500" in shown
    assert "loss 0.2500, accuracy…" in shown


def test_a_terminal_that_cannot_move_its_cursor_gets_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    monkeypatch.setenv("TERM", "dumb")
    bar = progress.choose("auto")
    assert not isinstance(bar, progress.Bar)


@pytest.mark.parametrize("columns", [40, 80])
def test_a_terminal_shows_all_measures_of_an_epoch(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    logs = {"loss": 0.25, "accuracy": 0.5, "val_loss": 0.75, "val_accuracy": 0.125}
    bar = progress.Bar()
    for epoch in range(2):
        bar.epoch(epoch, 2, 3)
        bar.batch(1, {"loss": 0.25})
        bar.done(logs)
    bar.close()
    words = capsys.readouterr().out.split()
    for epoch in (1, 2):
        assert f"{epoch}/2:" in words
    for name, value in logs.items():
        assert words.count(name) == 2
        assert f"{value:.4f}" in [word.strip(",") for word in words]


def test_nothing_is_said_if_nothing_is_shown() -> None:
    with progress.Silent().compiling("the training step"):
        pass


class Spy(progress.Silent):
    """Remembers what is compiled."""

    def __init__(self) -> None:
        self.said: list[str] = []

    def compiling(self, what: str) -> Any:
        self.said.append(what)
        return super().compiling(what)


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Collect the option ``deterministic`` of each function of a step."""
    options: list[str] = []
    make = symtheano.function

    def function(*args: Any, **named: Any) -> Any:
        if named.get("name") in ("step", "predict"):
            options.append(symtheano.config.deterministic)
        return make(*args, **named)

    monkeypatch.setattr(symtheano, "function", function)
    with symtheano.config.change_flags(deterministic="default"):
        yield options


@pytest.mark.needs_cc
@pytest.mark.parametrize("batches", [False, True])
def test_convolutions_wait_for_their_kernels(
    compiled: list[str], monkeypatch: pytest.MonkeyPatch, batches: bool
) -> None:
    spy = Spy()
    monkeypatch.setattr("symtheano.nn.training.fit.choose", lambda verbose: spy)
    for layers, option in (
        ([nn.Conv2D(2, 3), nn.Flatten(), nn.Dense(2)], "more"),
        ([nn.Flatten(), nn.Dense(2)], "default"),
    ):
        compiled.clear()
        spy.said.clear()
        model = nn.Sequential(layers, seed=0)
        model.compile("mse")
        data = ([(X, Y)],) if batches else (X, Y)
        model.fit(*data, validation_data=(X, Y))
        assert compiled == [option, option]
        kernels = " and convolutions (once per machine)" if option == "more" else ""
        expected = [f"the {kind} step{kernels}" for kind in ("training", "validation")]
        assert sorted(spy.said) == expected
        model.fit(*data, validation_data=(X, Y))
        assert len(spy.said) == 2
        model.predict(X)
        assert compiled == [option] * 3


def test_the_interpreter_compiles_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    spy = Spy()
    monkeypatch.setattr("symtheano.nn.training.fit.choose", lambda verbose: spy)
    model = nn.Sequential([nn.Conv2D(2, 3), nn.Flatten(), nn.Dense(2)], seed=0)
    model.compile("mse", backend="numpy")
    model.fit(X, Y)
    assert spy.said == []


def test_layers_that_convolve() -> None:
    layers = (nn.Conv1D(2, 3), nn.SeparableConv2D(2, 3), nn.DepthwiseConv2D(3),
              nn.Conv2DTranspose(2, 3), nn.WeightNorm(nn.Conv2D(2, 3)))  # fmt: skip
    assert all(map(convolves, layers))
    assert not any(map(convolves, (nn.Dense(2), nn.MaxPool2D(), nn.Bidirectional(nn.GRU(2)))))


def test_times_are_shown_in_units_that_suit_them() -> None:
    shown = [progress.duration(t) for t in (0.0, 9.99e-7, 0.00012, 0.000999, 0.01, 0.9996, 100.0)]
    assert shown == ["0 µs", "1 µs", "120 µs", "1 ms", "10 ms", "1 s", "100 s"]


def test_lines_have_no_exponents(capsys: pytest.CaptureFixture[str]) -> None:
    lines = progress.Lines()
    lines.epoch(0, 1, None)
    lines.done({"loss": 0.5})
    assert re.search(r"\(\d+(\.\d)? (µs|ms|s)\)\n$", capsys.readouterr().out)
