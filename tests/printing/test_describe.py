"""Docstrings of elementwise functions: each example runs, each dtype and derivative is right."""

from __future__ import annotations

import doctest
import inspect
import pydoc

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import config
from symtheano.scalar.table import ALIASES, TABLE
from symtheano.tensor.elemwise import Elemwise


@pytest.mark.parametrize("name", TABLE)
def test_example_of_every_row(name: str) -> None:
    text = inspect.getdoc(getattr(T, name))
    assert text is not None
    test = doctest.DocTestParser().get_doctest(text, {"T": T}, name, None, 0)
    assert len(test.examples) == 1
    said: list[str] = []
    with config.change_flags(mode="INTERPRET"):
        results = doctest.DocTestRunner(verbose=False).run(test, out=said.append)
    assert results.failed == 0, "".join(said)
    assert max(map(len, text.splitlines())) <= 100


def test_sections() -> None:
    text = inspect.getdoc(T.sqrt) or ""
    assert text.startswith("sqrt(a, /, *, name=None)\n\nThe square root")
    assert "float32 of bool, int8, int16, uint8, uint16, float32" in text
    assert "by a: 0.5 / sqrt(a)" in text
    assert "by a: not implemented" in (inspect.getdoc(T.jv) or "")
    assert "Derivatives" not in (inspect.getdoc(T.xor) or "")


def test_aliases_have_the_text_of_their_row() -> None:
    same = [alias for alias in ALIASES if isinstance(getattr(T, alias), Elemwise)]
    assert len(same) > 30
    for alias in same:
        assert getattr(T, alias).__doc__ == getattr(T, ALIASES[alias]).__doc__


def test_help_of_the_class_and_of_casts() -> None:
    assert (inspect.getdoc(Elemwise) or "").startswith("A row of the scalar table")
    cast = T.cast(T.dvector(), "float32").owner.op
    assert ">>>" not in cast.__doc__
    assert "e to the power" in pydoc.render_doc(T.exp)


def test_derivative_said_is_the_derivative() -> None:
    line = next(part for part in (inspect.getdoc(T.arctan2) or "").splitlines() if "by b" in part)
    a, b, step = 0.3, 0.7, 1e-6
    slope = (np.arctan2(a, b + step) - np.arctan2(a, b - step)) / (2 * step)
    said = eval(line.partition(": ")[2], {"sqr": np.square, "hypot": np.hypot, "a": a, "b": b})
    assert said == pytest.approx(slope, rel=1e-8)
