"""The comment above an entry point tells what the file does."""

from __future__ import annotations

import re

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import shared
from tests.support.compare import compiled

pytestmark = pytest.mark.needs_cc

x, b = T.fmatrix("x"), T.fvector("b")
FLOAT = "float32"


def summary(text: object) -> list[str]:
    """Return the lines of the comment."""
    (found,) = re.findall(r"/\* ([^*]*(?:\*[^/][^*]*)*) \*/\nST_EXPORT int32_t", str(text))
    return [line.strip() for line in found.split("\n")]


def test_of_a_layer_and_its_update() -> None:
    w = shared(np.zeros((3, 3), FLOAT), "w")
    y = T.tanh(T.dot(x, w) + b).sum(axis=0)
    f = compiled([x, b], y, updates=[(w, w * np.float32(0.5))], name="layer")
    lines = summary(f.c_source)
    assert lines[:3] == [
        "layer",
        "inputs: float32 x[x_d0*x_d1], float32 b[w_d1]",
        "changed: float32 w[w_d1*x_d1]",
    ]
    assert lines[3].startswith("outputs: float32 y[w_d1]")
    assert lines[4].startswith("workspace: ")
    text = " ".join(lines[5:])
    assert "1. y_dot = st_gemm_f32(x, w): reads (w_d1*4 + x_d0*4)*x_d1, writes w_d1*x_d0*4" in text
    assert re.search(r"2\. \w+ = kernel_1_\w+\(y_dot, b\): add, tanh, sum over x_d0 x w_d1; ", text)
    assert re.search(r"3\. w = kernel_2_mul\(w\): mul over \S+ x \S+; reads w_d1\*x_d1\*4, ", text)


def test_steps_are_the_calls_of_the_entry_point() -> None:
    kept = x[T.nonzero(b)[0]]
    f = compiled([x, b], [T.exp(kept).sum(axis=1), T.sort(x, axis=0), T.dot(x.T, x)])
    steps = re.findall(r"\d+\. (?:[\w, ]+ = )?(\w+)\(", " ".join(summary(f.c_source)))
    entry = str(f.c_source).split("ST_EXPORT int32_t")[-1]
    assert steps == [
        name for name in re.findall(r"\b((?:kernel|st)_\w+)\(", entry)
        if name.startswith("kernel") or (name.endswith("_f32") and "bytes" not in name)
    ]  # fmt: skip


def test_long_programs_have_a_short_comment() -> None:
    y = x
    for _ in range(20):
        y = T.tanh(T.dot(y, x))
    lines = summary(compiled([x], y).c_source)
    assert len(lines) < 40
    assert all(len(line) <= 94 for line in lines)
    assert lines[-1] == "13 to 40. ..."


def test_names_cannot_end_the_comment() -> None:
    v = T.vector("*/ x")
    f = compiled([v], (T.exp(v) * 2).sum())
    assert f(np.zeros(3)) == 6
    assert "inputs: float64 x[x_d0]" in summary(f.c_source)
