"""join, concatenate and stack."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import dtypes
from symtheano.errors import ShapeError
from symtheano.function.verify import verify_grad
from symtheano.tensor.shapes.arrangement import column_stack, dstack, hstack, vstack
from symtheano.tensor.shapes.join import Split, horizontal_stack, split, stacklists, vertical_stack
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
    with pytest.raises(TypeError, match="join: the arrays have different numbers"):
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


# -- stacks and pieces ----------------------------------------------------------------------------


def test_stacks_under_the_names_of_numpy() -> None:
    s, v, x, t = T.scalar("s"), T.vector("v"), T.matrix("x"), T.tensor3("t")
    outputs = [
        hstack([v, v * 2, s]), hstack([x, x]), vstack([v, x]), vstack([v, v]), dstack([v, v]),
        dstack([x, x + 1]), dstack([t, t]), column_stack([v, v]), column_stack([x, x[:, 0], x]),
        horizontal_stack(x, x * 2), vertical_stack(x, x, x), stacklists([[s, v[0]], [1.5, s]]),
        stacklists([v, v]), stacklists(v), stacklists([[[s]]]),
    ]  # fmt: skip

    def reference(s: Array, v: Array, x: Array, t: Array) -> list[Array]:
        return [
            np.hstack([v, v * 2, s]), np.hstack([x, x]), np.vstack([v, x]), np.vstack([v, v]),
            np.dstack([v, v]), np.dstack([x, x + 1]), np.dstack([t, t]), np.column_stack([v, v]),
            np.column_stack([x, x[:, 0], x]), np.hstack([x, x * 2]), np.vstack([x, x, x]),
            np.array([[s, v[0]], [1.5, s]]), np.array([v, v]), v, np.array([[[s]]]),
        ]  # fmt: skip

    random = np.random.default_rng(7)
    args = [random_array(random, "float64", shape) for shape in ((), (4,), (3, 4), (2, 3, 4))]
    check([s, v, x, t], outputs, [args], reference, kind="join")
    with pytest.raises(ValueError, match="horizontal_stack takes two or more matrices"):
        horizontal_stack(x)
    with pytest.raises(ValueError, match="vertical_stack takes two or more matrices"):
        vertical_stack(x, v)
    with pytest.raises(TypeError, match="takes a list or tuple"):
        vstack(x)


def test_pieces() -> None:
    x, sizes, n = T.matrix("x"), T.lvector("sizes"), T.lscalar("n")
    outputs = [
        *split(x, [1, 2, 3], 3), *split(x, sizes, 2), *split(x.T, [n, 6 - n], 2, axis=-1),
        *split(x, np.array([6]), 1), *(part.sum() for part in split(T.exp(x), sizes, 2)),
        *Split(2)(x, 1, [1, 3]),
    ]  # fmt: skip

    def reference(x: Array, sizes: Array, n: Array) -> list[Array]:
        k = int(n)
        halves = np.split(x, [sizes[0]])
        return [
            *np.split(x, [1, 3]), *halves, *np.split(x.T, [k], 1), x,
            *(np.exp(part).sum() for part in halves), *np.split(x, [1], 1),
        ]  # fmt: skip

    value = random_array(np.random.default_rng(8), "float64", (6, 4))
    calls = [[value, np.array([k, 6 - k]), np.array(k)] for k in (0, 2, 6)]
    check([x, sizes, n], outputs, calls, reference, kind="join")
    verify_grad(lambda x: split(x, [1, 5], 2)[1] ** 2, [value], mode="INTERPRET")


def test_pieces_that_do_not_fit() -> None:
    x, sizes = T.vector("x"), T.lvector("sizes")
    parts = split(x, sizes, 2)
    for h in (compiled([x, sizes], parts), oracle([x, sizes], parts)):
        for lengths, text in (
            ([1, 1], "split: the lengths do not add up to that of axis 0"),
            ([4, -1], "split: a length is negative"),
            ([1, 1, 1], "split: the number of lengths is not n_splits=2"),
        ):
            assert outcome(h, [np.ones(3), np.array(lengths)]) == (ValueError, text)
    with pytest.raises(ValueError, match="3 lengths, but n_splits=2"):
        split(x, [1, 1, 1], 2)
    with pytest.raises(ValueError, match="axis 1 is out of range"):
        split(x, [1], 1, 1)


def test_stack_in_theanos_older_form() -> None:
    x, y, s = T.dvector("x"), T.dvector("y"), T.dscalar("s")
    given = {x: [1.0, 2.0], y: [3.0, 4.0]}
    for made in (T.stack(x, y), T.stack([x, y]), T.stack((x, y), 0), T.stack([x, y], axis=-2)):
        np.testing.assert_array_equal(made.eval(given), [[1, 2], [3, 4]])
    assert T.stack(x, y, x).type.shape == (3, None)
    np.testing.assert_array_equal(T.stack(s, 1).eval({s: 5.0}), [5, 1])
    np.testing.assert_array_equal(T.stack(s, s, s).eval({s: 5.0}), [5, 5, 5])
    known = T.constant(np.eye(2))
    np.testing.assert_array_equal(T.stack(known).eval(), np.eye(2))
