"""Faults in which one call of the system fails, while compiling, loading, calling and saving."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import symtheano
import symtheano.tensor as T
from symtheano import nn
from symtheano.codegen.native.later import Later
from tests.faults.calls import ERRORS, KINDS, attempt, equal
from tests.faults.faults import fault, next_run
from tests.faults.harness import (
    CLEAR,
    RIGHT,
    WRONG,
    Call,
    Child,
    Lab,
    Outcome,
    Trial,
    compile_and_check,
    do_without_dispatcher,
)


def chosen(lab: Lab) -> Call:
    """Return what fails in a trial: what the lab says, or a sample."""
    if lab.call is not None:
        return lab.call
    kind = KINDS[lab.number % len(KINDS)]
    few = 300 if kind == "malloc" else 20
    nth = int(few ** lab.random.random())  # the first ones are different more often
    return Call(kind, nth, lab.random.choice(ERRORS[kind]))


def right_or_clear(outcome: Outcome | None) -> None:
    """Raise an error if a run of the model was wrong."""
    if outcome is not None and outcome.kind not in (RIGHT, CLEAR):
        raise AssertionError(outcome.detail)


def in_cache(lab: Lab) -> Outcome:
    """Compile the model, or load it, while a call fails."""

    def begin() -> None:
        symtheano.config.cache_dir = str(lab.cache)
        if lab.light:
            do_without_dispatcher()

    return attempt(chosen(lab), lab.cache, compile_and_check, right_or_clear, begin)


@fault
def calls_fail_while_compiling(lab: Lab) -> Trial:
    """A call fails while the model is compiled and stored in the cache."""
    lab.light = True
    lab.cache.mkdir(mode=0o700)
    for notes in lab.warm.glob("compiler-*"):
        shutil.copy(notes, lab.cache)
    return Trial([in_cache(lab)], next_run(lab))


@fault
def calls_fail_while_loading(lab: Lab) -> Trial:
    """A call fails while the model is loaded from the cache."""
    lab.copy_warm()
    return Trial([in_cache(lab)], next_run(lab))


@cache
def compiled(place: Path) -> tuple[Any, list[Any]]:
    """Return a function that needs memory of all kinds, and what it returns.

    It was never called in this process: another one has computed what it returns.
    """
    symtheano.config.cache_dir = str(place)
    x = T.dmatrix("x")
    y = T.dot(T.exp(x), T.sort(x, axis=0).T)
    loop, _ = symtheano.scan(lambda row, s: s + T.tanh(row), sequences=x, outputs_info=x[0] * 0)
    function = symtheano.function([x], [y, loop[-1], T.cumsum(y, axis=0), y.sum(axis=0)])
    results = place / "results.npz"
    met = afterwards(lambda: np.savez(results, *function(argument())))
    assert met.kind == RIGHT, met.detail
    with np.load(results) as file:
        return function, [file[name] for name in file.files]


def argument() -> Any:
    """Return an argument whose results are long enough to be allocated on their own."""
    return np.linspace(-1.0, 1.0, 40_000).reshape(200, 200)


def close(left: Any, right: Any) -> None:
    """Raise an error unless arrays are equal up to rounding.

    Our own kernels for products may not have been compiled when the first array was computed.
    """
    for a, b in zip(left, right, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-11, atol=1e-11)


def in_call(lab: Lab, begin: Callable[[Any], object]) -> Trial:
    """Call a function while a call of the system fails."""
    place = lab.warm.parent / "called"
    function, wanted = compiled(place)

    def check(results: Any) -> None:
        if results is not None:
            close(results, wanted)
        close(function(argument()), wanted)

    x = argument()
    met = attempt(chosen(lab), place, lambda: function(x), check, lambda: begin(function))
    return Trial([met], Outcome(RIGHT))


@fault
def calls_fail_in_first_call(lab: Lab) -> Trial:
    """A call of the system fails in the first call of a function, which has no memory yet."""
    return in_call(lab, lambda function: None)


@fault
def calls_fail_while_calling(lab: Lab) -> Trial:
    """A call of the system fails in a call of a function that was called before."""
    return in_call(lab, lambda function: function(argument()))


@cache
def models() -> tuple[nn.Model, nn.Model]:
    """Return two equal models with other parameters."""
    found = []
    for seed in (1, 2):
        x = nn.Input((30,), seed=seed)
        model = nn.Model(x, nn.dense(nn.batch_norm(nn.dense(x, 40, "relu")), 3))
        model.compile("mse", "adam", backend="numpy")
        found.append(model)
    return found[0], found[1]


def afterwards(act: Callable[[], None]) -> Outcome:
    """Return how something ends in a process in which nothing fails."""

    def task() -> Outcome:
        act()
        return Outcome(RIGHT)

    return Child(task).outcome()


@fault
def calls_fail_while_saving(lab: Lab) -> Trial:
    """A call fails while a model is saved over another one."""
    old, new = (model.to_bytes() for model in models())
    folder = lab.place / "models"
    folder.mkdir()
    path = folder / "model"
    path.write_bytes(old)

    def check(result: Any) -> None:
        wanted = {old, new} if result is None else {new}
        if path.read_bytes() not in wanted or list(folder.iterdir()) != [path]:
            raise AssertionError(f"{path.stat().st_size} bytes, {list(folder.iterdir())}")

    def again() -> None:
        models()[1].save(path)
        check("saved")
        equal(nn.Model.load(path).get_weights(), models()[1].get_weights())

    def act() -> str:
        models()[1].save(path)
        return "saved"

    return Trial([attempt(chosen(lab), lab.cache, act, check)], afterwards(again))


def from_file(lab: Lab, read: Callable[[nn.Model, Path], nn.Model]) -> Trial:
    """Read a model's file while a call fails."""
    first, second = models()
    path = lab.place / "model"
    path.write_bytes(second.to_bytes())
    before = first.get_weights()

    def check(result: Any) -> None:
        equal(before if result is None else result.get_weights(),
              first.get_weights() if result is None else second.get_weights())  # fmt: skip

    def again() -> None:
        check(read(first, path))

    met = attempt(chosen(lab), lab.cache, lambda: read(first, path), check)
    if path.read_bytes() != second.to_bytes():
        met = Outcome(WRONG, detail="the file was changed")
    return Trial([met], afterwards(again))


@fault
def calls_fail_while_restoring(lab: Lab) -> Trial:
    """A call fails while a model is restored from a file."""

    def read(model: nn.Model, path: Path) -> nn.Model:
        model.restore(path)
        return model

    return from_file(lab, read)


@fault
def calls_fail_while_loading_model(lab: Lab) -> Trial:
    """A call fails while a model is made from a file."""
    return from_file(lab, lambda _, path: nn.Model.load(path))


@fault
def calls_fail_while_starting_thread(lab: Lab) -> Trial:
    """A call fails while another thread is started, which computes something."""

    def check(result: Any) -> None:
        assert result in (None, 42)

    met = attempt(chosen(lab), lab.cache, lambda: Later(lambda: 6 * 7).result(), check)
    return Trial([met], Outcome(RIGHT))
