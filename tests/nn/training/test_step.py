"""Functions of one batch: resident samples, sums over batches."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano
import symtheano.tensor as T
from symtheano import config
from symtheano.nn.backends import backend_of
from symtheano.nn.training.data import Samples
from symtheano.nn.training.step import Resident, Totals, TrainingStep, measured, waiting

X = np.arange(10.0).reshape(5, 2)


def summing() -> TrainingStep:
    """Return a step that adds the elements of its batches."""
    x = T.matrix("x")
    totals = Totals({"sum": (x.sum(), (), float), "columns": (x.sum(0), (2,), np.array)})
    return TrainingStep([x], totals, [], backend_of("numpy"))


def test_batches_of_resident_samples() -> None:
    x = T.matrix("x")
    resident = Resident([x])
    resident.load(Samples((X,)))
    f = symtheano.function(
        [], x * 1, givens=resident.givens, updates=resident.updates, mode="INTERPRET"
    )
    order = np.array([4, 0, 3, 1, 2])
    assert resident.begin(order, 2) == 3
    for rows in ([4, 0], [3, 1], [2]):
        np.testing.assert_array_equal(f(), X[rows])
    assert resident.begin(order, 5) == 1
    np.testing.assert_array_equal(f(), X[order])
    resident.release()
    assert resident.givens[0][1].owner.inputs[0].get_value().shape == (0, 0)


def test_sums_are_the_same_for_resident_samples_and_arguments() -> None:
    for resident in (True, False):
        step = summing()
        if resident:
            step.resident.load(Samples((X,)))
            call = step.on_resident()
            for _ in range(step.resident.begin(np.arange(5), 2)):
                call()
        else:
            for start in (0, 2, 4):
                step.on_arguments()(X[start : start + 2])
        found = step.totals.read()
        assert found["sum"] == X.sum()
        np.testing.assert_array_equal(found["columns"], X.sum(0))
        step.totals.reset()
        assert step.totals.read()["sum"] == 0


def test_functions_are_made_once() -> None:
    step = summing()
    assert step.on_arguments() is step.on_arguments()
    assert not step.compiles(resident=True)  # the interpreter compiles nothing
    step = TrainingStep([T.matrix("x")], Totals({}), [], backend_of("c"))
    assert step.compiles(resident=True)
    assert step.compiles(resident=False)


def test_several_steps_are_measured_together() -> None:
    steps = [summing(), summing()]
    for step, rows in zip(steps, (X[:2], X[2:]), strict=True):
        step.on_arguments()(rows)
    assert measured(steps)["sum"] == X.sum()


@pytest.mark.parametrize("waits", [True, False])
def test_waiting(waits: bool) -> None:
    before = config.deterministic
    with waiting(waits):
        assert config.deterministic == ("more" if waits else before)
    assert config.deterministic == before
