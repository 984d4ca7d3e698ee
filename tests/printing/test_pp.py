from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symtheano
import symtheano.tensor as T
from symtheano.printing import pp

x, y, z = (T.vector(name, dtype="float64") for name in "xyz")
i, j = T.lvector("i"), T.lvector("j")
m, w = T.dmatrix("m"), T.dmatrix("w")

SCALARS: dict[str, Any] = {
    "x + y + z": x + y + z,
    "x + (y + z)": x + (y + z),
    "x - (y - z)": x - (y - z),
    "(x + y) * z": (x + y) * z,
    "x * y + z": x * y + z,
    "x / (y * z)": x / (y * z),
    "x / y * z": x / y * z,
    "-x ** 2": -(x**2),
    "(-x) ** 2": (-x) ** 2,
    "x ** y ** z": x ** (y**z),
    "(x ** y) ** z": (x**y) ** z,
    "x ** -y": x**-y,
    "x - -y": x - -y,
    "-(x + y)": -(x + y),
    "(x < y) == (y < z)": T.eq(x < y, y < z),
    "x + y < z": x + y < z,
    "~(i & j) | i": ~(i & j) | i,
    "i << 2 + j": i << (2 + j),
    "(i << 2) + j": (i << 2) + j,
    "i // 2 % j": i // 2 % j,
    "exp(x) + 1": T.exp(x) + 1,
    "x + -2": x + -2,
    "x ** 0.5": x**0.5,
}


@pytest.mark.parametrize("text", SCALARS)
def test_brackets_are_where_python_needs_them(text: str) -> None:
    assert pp(SCALARS[text]) == text


@pytest.mark.parametrize("text", SCALARS)
def test_formula_reads_back_as_itself(text: str) -> None:
    names = {"x": 1.5, "y": 0.5, "z": 3.0, "i": 5, "j": 3, "exp": np.exp}
    again = eval(text, {name: np.asarray(v) if name != "exp" else v for name, v in names.items()})
    given = {v: [names[v.name]] for v in (x, y, z, i, j)}
    needed = {v: given[v] for v in given if v.name in text.replace("exp", "")}
    assert np.allclose(SCALARS[text].eval(needed), again)


OTHERS: list[tuple[Callable[[], Any], str]] = [
    (lambda: T.dot(m, w.T), "dot(m, w.T)"),
    (lambda: m + x, "m + x"),
    (lambda: m + x.dimshuffle(0, "x"), "m + x.dimshuffle(0, 'x')"),
    (lambda: (m + x).dimshuffle(1, 0), "(m + x).T"),
    (lambda: m.sum(), "sum(m)"),
    (lambda: m.max(axis=0), "max(m, axis=0)"),
    (lambda: T.argmax(m, axis=1), "argmax(m, axis=1)"),
    (lambda: T.nnet.softmax(m), "softmax(m, axis=1)"),
    (lambda: x.astype("float32"), "float32(x)"),
    (lambda: x[1:5], "x[1:5]"),
    (lambda: x[::-1], "x[::-1]"),
    (lambda: m[i], "m[i]"),
    (lambda: m[:, i], "m[:, i]"),
    (lambda: m[i, j], "m[i, j]"),
    (lambda: T.arange(i[0]), "arange(i[0])"),
    (lambda: T.arange(1, i[0]), "arange(1, i[0])"),
    (lambda: T.fill(x, y), "fill(x, y)"),
    (lambda: T.constant([1, 2]) + i, "[1, 2] + i"),
    (lambda: T.constant(0.1, dtype="float32"), "0.1"),
    (lambda: T.constant(np.arange(9.0)), "TensorConstant{array of shape (9,)}"),
    (lambda: [x, x + 1], "x, x + 1"),
]


@pytest.mark.parametrize(("make", "text"), OTHERS, ids=[text for _, text in OTHERS])
def test_notation(make: Callable[[], Any], text: str) -> None:
    assert pp(make()) == text


def test_length() -> None:
    f = symtheano.function([m], (m * 2).shape[0], mode="INTERPRET")
    assert pp(f) == "m.shape[0]"


def test_depth_cuts_to_names() -> None:
    inner = T.exp(x)
    inner.name = "inner"
    assert pp(T.log(inner + T.sin(y)), depth=2) == "log(inner + …)"


def test_long_chain() -> None:
    total = x
    for _ in range(10_000):
        total = total + y
    assert pp(total) == "x" + " + y" * 10_000
