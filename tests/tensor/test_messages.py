"""Messages name variables and ops as users do."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano.tensor.elemwise import elemwise
from symtheano.tensor.messages import build_message, described, label, op_name


def test_labels() -> None:
    x = T.matrix("x")
    assert label(x) == "x"
    assert label(x.T) == "x"
    assert label(T.exp(x)) == "exp"
    assert label(T.constant(2.5)) == "2.5"
    assert label(T.constant(np.zeros(3))) == "constant"
    named = T.exp(x)
    named.name = "y"
    assert label(named.dimshuffle(1, 0)) == "y"


def test_an_output_of_several_has_its_number() -> None:
    assert label(T.linalg.svd(T.matrix())[1]).endswith(".1")


def test_ops() -> None:
    assert op_name(elemwise(T.exp.scalar_op)) == "exp"


def test_operands_and_hints_are_listed() -> None:
    x = T.matrix("x")
    text = build_message("f: it does not fit", x, hint="transpose it")
    assert text.splitlines()[0] == "f: it does not fit"
    assert "x: TensorType(float64, matrix)" in text
    assert "hint: transpose it" in text
    assert "test_messages.py" in text
    assert described(x) == [("x", "TensorType(float64, matrix)")]


def test_the_function_that_was_called_is_named() -> None:
    with pytest.raises(Exception, match=r"^sum: "):
        T.sum(T.vector(), axis=3)
