"""Operators and methods of symbolic arrays, against NumPy's."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import shared
from symtheano.tensor import _METHODS
from tests.support.compare import Array, check

ARITHMETIC = [operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv,
              operator.mod, operator.pow, operator.lt, operator.le, operator.gt,
              operator.ge]  # fmt: skip


BITWISE = [operator.and_, operator.or_, operator.xor, operator.lshift, operator.rshift]


@pytest.mark.needs_cc
def test_operators_on_floats() -> None:
    x, y = T.vectors("x", "y")
    outputs = [op(*pair) for op in ARITHMETIC for pair in ((x, y), (x, 2.0), (3.0, y))]
    outputs += [-x, +x, abs(x), x**2, x @ y, np.ones(3) * x, np.float64(2) - x, *divmod(x, y)]
    a, b = np.array([0.5, 1.5, 2.0]), np.array([2.0, 0.3, 1.0])

    def reference(x: Array, y: Array) -> list[Any]:
        found = [op(*pair) for op in ARITHMETIC for pair in ((x, y), (x, 2.0), (3.0, y))]
        return [*found, -x, +x, abs(x), x**2, x @ y, x, 2 - x, *divmod(x, y)]

    check([x, y], outputs, [[a, b]], reference, kind="operators")


@pytest.mark.needs_cc
def test_operators_on_integers() -> None:
    x, y = T.lvectors("x", "y")
    ops = [*ARITHMETIC, *BITWISE]
    outputs = [op(*pair) for op in ops for pair in ((x, y), (x, 2), (3, y))] + [~x, -x, abs(x)]
    outputs += [~(x > y), (x > 1) & (y > 1), (x > 1) | (y > 1), (x > 1) ^ (y > 1)]

    def reference(x: Array, y: Array) -> list[Any]:
        found = [op(*pair) for op in ops for pair in ((x, y), (x, 2), (3, y))] + [~x, -x, abs(x)]
        return [*found, ~(x > y), (x > 1) & (y > 1), (x > 1) | (y > 1), (x > 1) ^ (y > 1)]

    args = [np.array([1, 5, 7, 2]), np.array([3, 1, 2, 2])]
    check([x, y], outputs, [args], reference, kind="operators")


@pytest.mark.needs_cc
def test_methods() -> None:
    x, z = T.matrix("x"), T.zmatrix("z")
    calls: dict[str, tuple[Any, ...]] = {
        "sum": (0,), "prod": (1,), "mean": (), "var": (0,), "std": (1,), "max": (0,), "min": (),
        "any": (1,), "all": (0,), "argmax": (1,), "argmin": (), "flatten": (), "ravel": (),
        "transpose": (1, 0), "swapaxes": (0, 1), "clip": (-0.5, 0.5), "round": (), "conj": (),
        "reshape": (-1,), "dot": (np.ones((3, 2)),), "copy": (),
    }  # fmt: skip
    outputs = [getattr(x, name)(*args) for name, args in calls.items()]
    outputs += [x.T, x.size, x.shape, x.astype("float32"), z.real, z.imag, z.conj(), abs(z), z.T]
    outputs += [x.squeeze(), x.fill(2.0), x.zeros_like(), x.ones_like("int8"), x.norm(2)]
    outputs += [x.take([0, -1], axis=1), x.dimshuffle(1, "x", 0), x.sum(axis=-1, keepdims=True)]

    def reference(x: Array, z: Array) -> list[Any]:
        found = [getattr(x, name)(*args) for name, args in calls.items()]
        found += [x.T, np.int64(x.size), np.array(x.shape), x.astype("float32"), z.real, z.imag]
        found += [z.conj(), abs(z), z.T, x, np.full_like(x, 2, "float32"), np.zeros_like(x)]
        found += [np.ones(x.shape, "int8"), np.linalg.norm(x), x[:, [0, -1]], x.T[:, None]]
        return [*found, x.sum(axis=-1, keepdims=True)]

    random = np.random.default_rng(0)
    args = [random.normal(size=(2, 3)), random.normal(size=(2, 3)) + 1j]
    check([x, z], outputs, [args], lambda x, z: [np.asarray(v) for v in reference(x, z)],
          kind="operators")  # fmt: skip


@pytest.mark.needs_cc
def test_methods_that_are_functions_of_the_module() -> None:
    x, i, m = T.dmatrix("x"), T.lvector("i"), T.ivector("m")
    outputs = [
        x.sort(), x.sort(axis=0), x.argsort(axis=None), x.cumsum(axis=1), x.cumprod(axis=0),
        x.repeat(2, axis=1), x.diagonal(1), x.trace(), m.compress(x, axis=1), i.choose(x[:, :2]),
        x[0].sort().searchsorted(x[1]), x.ptp(axis=0), x.nonzero_values(), *x.nonzero(), x.topk(2),
        x.argtopk(1), x.transfer("cpu"),
    ]  # fmt: skip

    def reference(x: Array, i: Array, m: Array) -> list[Any]:
        return [
            np.sort(x), np.sort(x, axis=0), np.argsort(x, axis=None), x.cumsum(axis=1),
            x.cumprod(axis=0), x.repeat(2, axis=1), x.diagonal(1), np.asarray(x.trace()),
            x.compress(m, axis=1), i.choose(x[:, :2]), np.sort(x[0]).searchsorted(x[1]),
            np.ptp(x, axis=0), x[x.nonzero()], *x.nonzero(), np.sort(x)[:, :-3:-1],
            x.argmax(axis=1)[:, None], x,
        ]  # fmt: skip

    a = np.array([[3.0, -1.0, 2.0], [0.0, 5.0, 4.0]])
    args = [a, np.array([1, 0]), np.array([1, 0, 1], "int32")]
    check([x, i, m], outputs, [args], reference, kind="operators")
    assert int(T.constant(3).get_scalar_constant_value()) == 3


def test_every_method_of_the_list_is_a_function_of_the_module() -> None:
    assert [name for name in _METHODS if not callable(getattr(T, name))] == []


def test_what_a_variable_refuses() -> None:
    x, s = T.vector("x"), T.scalar("s")
    with pytest.raises(TypeError, match="truth value"):
        bool(x > 0)
    with pytest.raises(TypeError, match="not known while the graph is built"):
        list(x)
    with pytest.raises(TypeError, match="0-d symbolic variable"):
        iter(s)
    with pytest.raises(TypeError, match="no static length"):
        len(x)
    for op in (*ARITHMETIC, operator.matmul):
        with pytest.raises(TypeError):
            op(x, "text")
    with pytest.raises(TypeError, match="integers and bool only"):
        x & x
    with pytest.raises(TypeError, match="would lose the imaginary part"):
        T.zvector("z").astype("float64")
    assert len(T.specify_shape(x, (3,))) == 3
    first, second = T.specify_shape(x, (2,))
    assert (first.ndim, second.ndim) == (0, 0)


def test_numpy_leaves_operators_to_the_variable() -> None:
    x = T.vector("x")
    for value in (np.ones(3), np.float32(2), np.ones((2, 3))):
        for op in (operator.add, operator.mul, operator.lt, operator.sub):
            assert isinstance(op(value, x), T.TensorVariable)
            assert isinstance(op(x, value), T.TensorVariable)


def test_equality_is_identity() -> None:
    x, y = T.vectors("x", "y")
    assert x == x
    assert x != y
    assert len({x, y, x}) == 2
    w = shared(np.ones(2), "w")
    assert {w: 1}[w] == 1
