"""join, concatenate and stack."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import dtypes
from symtheano.errors import ShapeError
from symtheano.tensor.type import TensorType
from tests.support.arrays import random_array
from tests.support.compare import Array, check, compare_call, compiled, oracle, outcome
from tests.support.layouts import LAYOUTS, laid_out, repeated

pytestmark = pytest.mark.needs_cc


@pytest.mark.parametrize("dtype", dtypes.ALL)
def test_join_along_every_axis(dtype: str) -> None:
    random = np.random.default_rng(1)
    parts = [TensorType(dtype, (None, None, None))(name) for name in "abc"]
    outputs = [T.concatenate(parts, axis) for axis in (0, 1, 2, -1)] + [T.join(1, *parts)]
    outputs += [T.stack(parts, axis) for axis in (0, 1, 2, 3, -1)] + [T.stack(parts)]
    outputs += [T.concatenate(parts[:1], 1), T.concatenate([parts[0]] * 3, 2)]

    def reference(*v: Array) -> list[Array]:
        found = [np.concatenate(v, axis) for axis in (0, 1, 2, -1, 1)]
        found += [np.stack(v, axis) for axis in (0, 1, 2, 3, -1, 0)]
        return [*found, v[0], np.concatenate([v[0]] * 3, 2)]

    calls = [[random_array(random, dtype, shape) for _ in "abc"]
             for shape in ((2, 3, 4), (0, 2, 3), (2, 0, 1), (1, 1, 1))]  # fmt: skip
    check(parts, outputs, calls, reference, kind="join")


def test_parts_of_different_length_and_dtype() -> None:
    random = np.random.default_rng(2)
    a, b, c = T.matrix("a", "int8"), T.matrix("b", "float32"), T.matrix("c")
    r = T.row("r")
    outputs = [T.concatenate([a, b, c, r], 0), T.concatenate([a.T, b.T], 1), T.join(0, c, c * 2, c)]
    outputs += [
        T.concatenate([T.exp(c), c[::-1], c[:, ::-1]], 0).sum(0),
        T.concatenate([c, c], 1)[:, 1::2],
    ]
    outputs += [T.concatenate([T.zeros((2, c.shape[1])), c, T.ones_like(b)], 0)]
    calls = []
    for lengths in ((2, 3, 1), (0, 1, 0), (0, 0, 0)):
        kinds = ("int8", "float32", "float64")
        args = [random_array(random, d, (n, 4)) for d, n in zip(kinds, lengths, strict=True)]
        calls.append([*args, random_array(random, "float64", (1, 4))])
    check([a, b, c, r], outputs, calls, kind="join")


def test_stack_of_numbers_and_lists() -> None:
    s, v = T.scalar("s"), T.vector("v")
    outputs = [T.stack([s, s * 2, 1.0]), T.as_tensor_variable([s, v[0]]), T.stack([v, v + s], 1),
               T.stack([T.stack([s, 1.0]), v[:2]]),
               T.concatenate([v, [1.0, 2.0], T.stack([s])])]  # fmt: skip
    check([s, v], outputs, [[np.array(3.0), np.arange(4.0)]], kind="join")


def test_parts_that_do_not_fit() -> None:
    a, b = T.matrix("a"), T.matrix("b")
    f, g = compiled([a, b], T.join(0, a, b)), oracle([a, b], T.join(0, a, b))
    for shape in ((2, 1), (2, 4), (0, 0)):
        args = [np.ones((2, 3)), np.ones(shape)]
        got = outcome(f, args)
        assert got == outcome(g, args)
        assert got[0] is ShapeError
    with pytest.raises(TypeError, match="join: arrays of"):
        T.join(0, a, T.vector("v"))
    with pytest.raises(ShapeError, match="different lengths along axis 1"):
        T.join(0, TensorType("float64", (2, 3))("x"), TensorType("float64", (2, 4))("y"))


def test_layouts() -> None:
    random = np.random.default_rng(3)
    a, b = T.matrix("a", "float32"), T.matrix("b", "float32")
    outputs: list[Any] = [
        T.concatenate([a, b], 0),
        T.concatenate([a.T, b.T[::-1]], 1),
        T.stack([a, b]),
    ]
    f, g = compiled([a, b], outputs), oracle([a, b], outputs)
    x, y = random_array(random, "float32", (3, 4)), random_array(random, "float32", (3, 4))
    for one, two in product(LAYOUTS, repeat=2):
        compare_call(f, g, [laid_out(x, one), laid_out(y, two)], kind="layouts")
    compare_call(f, g, [repeated(x, 0), repeated(y, 1)], kind="layouts")
