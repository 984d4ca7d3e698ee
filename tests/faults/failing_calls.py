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
from tests.faults.calls import KINDS, attempt, equal
from tests.faults.faults import fault, next_run
from tests.faults.harness import (
    CLEAR,
    RIGHT,
    WRONG,
    Child,
    Lab,
    Outcome,
    Trial,
    compile_and_check,
    do_without_dispatcher,
)

FULL = 300 * len(KINDS)
"""So many injections are all: each kind of call, from the first one to the 300th."""


def chosen(lab: Lab) -> tuple[str, int]:
    """Return what fails in a trial, and which call: all in turn, or a sample."""
    kind = KINDS[lab.number % len(KINDS)]
    if lab.count >= FULL:
        return kind, lab.number // len(KINDS) + 1
    few = 20 if kind in ("rename", "fork", "fsync") else 300
    return kind, 1 + int(few ** lab.random.random())  # the first ones are different more often


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

    return attempt(*chosen(lab), lab.cache, compile_and_check, right_or_clear, begin)


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
    """Return a function that needs memory of all kinds, and what it returns."""
    symtheano.config.cache_dir = str(place)
    x = T.dmatrix("x")
    y = T.dot(T.exp(x), T.sort(x, axis=0).T)
    loop, _ = symtheano.scan(lambda row, s: s + T.tanh(row), sequences=x, outputs_info=x[0] * 0)
    function = symtheano.function([x], [y, loop[-1], T.cumsum(y, axis=0), y.sum(axis=0)])
    return function, function(argument())


def argument() -> Any:
    """Return an argument whose results are long enough to be allocated on their own."""
    return np.linspace(-1.0, 1.0, 40_000).reshape(200, 200)


@fault
def calls_fail_while_calling(lab: Lab) -> Trial:
    """A call of the system fails in a call of a function that was called before."""
    place = lab.warm.parent / "called"
    function, wanted = compiled(place)

    def check(results: Any) -> None:
        if results is not None:
            equal(results, wanted)
        equal(function(argument()), wanted)

    met = attempt(*chosen(lab), place, lambda: function(argument()), check)
    return Trial([met], Outcome(RIGHT))


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

    return Trial([attempt(*chosen(lab), lab.cache, act, check)], afterwards(again))


@fault
def calls_fail_while_restoring(lab: Lab) -> Trial:
    """A call fails while a model is loaded, or restored, from a file."""
    first, second = models()
    path = lab.place / "model"
    path.write_bytes(second.to_bytes())
    loads = lab.random.random() < 0.5

    def act() -> nn.Model:
        if loads:
            return nn.Model.load(path)
        first.restore(path)
        return first

    before = first.get_weights()

    def check(result: Any) -> None:
        equal(before if result is None else result.get_weights(),
              first.get_weights() if result is None else second.get_weights())  # fmt: skip

    def again() -> None:
        check(act())

    met = attempt(*chosen(lab), lab.cache, act, check)
    if path.read_bytes() != second.to_bytes():
        met = Outcome(WRONG, detail="the file was changed")
    return Trial([met], afterwards(again))
