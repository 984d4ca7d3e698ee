"""Which functions can be C functions of numbers, and why others can't."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function, shared
from symtheano.function.callbacks import callback_trouble, number_trouble

x, w = T.dscalar("x"), shared(0.0, "w")
LINKED: Any = SimpleNamespace(python=(), record=SimpleNamespace(hidden=0))


def trouble(outputs: Any, linked: Any = LINKED, **options: Any) -> str | None:
    made = function([x], outputs, mode="INTERPRET", **options)
    return callback_trouble(made.request, linked) or number_trouble(made.request, linked)


def test_a_number_of_numbers_can() -> None:
    assert trouble(x * 2) is None
    assert trouble([x * w]) is None
    assert trouble(T.cast(x, "int8")) is None


@pytest.mark.parametrize(
    ("outputs", "words"),
    [
        ([x, x * 2], "it has 2 outputs"),
        ([x * np.ones(2)], r"its output is TensorType\(float64, .*\), not a real number"),
        ([x * 1j], r"its output is TensorType\(complex128, scalar\), not a real number"),
    ],
)
def test_other_outputs(outputs: Any, words: str) -> None:
    found = trouble(outputs)
    assert found is not None
    with pytest.raises(AssertionError, match=words):
        raise AssertionError(found)


def test_what_needs_python() -> None:
    assert trouble(x * 2, None) == "it runs in the interpreter"
    assert trouble(x, updates=[(w, w + x)]) == "it updates shared variables"
    runs: Any = SimpleNamespace(python=("op",), record=LINKED.record)
    assert trouble(x, runs) == "it runs Python ops"
    hidden: Any = SimpleNamespace(python=(), record=SimpleNamespace(hidden=1))
    assert trouble(x, hidden) == "it has 1 outputs, or needs memory for others"
