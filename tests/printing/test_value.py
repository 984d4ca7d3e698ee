from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano
import symtheano.tensor as T
from symtheano.printing import Print

MODES = [pytest.param("FAST_RUN", marks=pytest.mark.needs_cc), "INTERPRET"]


@pytest.mark.parametrize("mode", MODES)
def test_prints_when_the_function_runs(mode: str, capsys: pytest.CaptureFixture[str]) -> None:
    x = T.vector("x")
    f = symtheano.function([x], Print("x:", ("shape", "sum"))(x + 1) * 2, mode=mode)
    assert capsys.readouterr().out == ""
    assert np.array_equal(f([1.0, 2.0]), [4.0, 6.0])
    assert capsys.readouterr().out == "x: shape = (2,)\nx: sum = 5.0\n"


@pytest.mark.parametrize("mode", MODES)
def test_gradient_passes_through(mode: str, capsys: pytest.CaptureFixture[str]) -> None:
    x = T.vector("x")
    f = symtheano.function([x], T.grad((Print("e")(x) ** 2).sum(), x), mode=mode)
    assert np.array_equal(f([1.0, 2.0]), [2.0, 4.0])


@pytest.mark.parametrize("mode", MODES)
def test_result_is_not_the_input_itself(mode: str, capsys: pytest.CaptureFixture[str]) -> None:
    x = T.vector("x")
    given = np.ones(3)
    f = symtheano.function([x], Print("x")(x), mode=mode)
    result = f(given)
    assert not np.may_share_memory(result, given)


def test_calls_what_is_given_instead(capsys: pytest.CaptureFixture[str]) -> None:
    seen: list[Any] = []
    x = T.vector("x")
    op = Print("x", global_fn=lambda op, value: seen.append((op.message, value.tolist())))
    symtheano.function([x], op(x), mode="INTERPRET")([1.0])
    assert seen == [("x", [1.0])]
    assert capsys.readouterr().out == ""


def test_is_merged_by_message() -> None:
    x = T.vector("x")
    assert Print("a") == Print("a") != Print("b")
    assert str(Print("a")(x).owner.op) == "Print{'a'}"
    assert str(Print()) == "Print"


def test_shape_needs_no_printing(capsys: pytest.CaptureFixture[str]) -> None:
    x = T.vector("x")
    f = symtheano.function([x], Print("x")(x).shape[0], mode="INTERPRET")
    assert f([1.0, 2.0]) == 2
    assert capsys.readouterr().out == ""
