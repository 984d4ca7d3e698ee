"""Arrays with borders."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import dtypes
from symtheano.tensor.padding import MODES, pad
from symtheano.verify import verify_grad, verify_rop
from tests.support.arrays import random_array
from tests.support.compare import Array, check, compiled, oracle, outcome

pytestmark = pytest.mark.needs_cc

WIDTHS: list[Any] = [0, 2, (1, 2), [(1, 0), (0, 3)], [(7, 5), (9, 8)], (1,)]


@pytest.mark.parametrize("mode", MODES)
def test_borders(mode: str) -> None:
    x, n = T.matrix("x"), T.lscalar("n")
    outputs = [pad(x, width, mode) for width in WIDTHS]
    outputs += [pad(x, n, mode), pad(T.exp(x), [(n, 1), (0, n)], mode).sum(0), pad(x[0], 3, mode)]

    def reference(x: Array, n: Array) -> list[Array]:
        k = int(n)
        found = [np.pad(x, width, mode) for width in WIDTHS]  # type: ignore[call-overload]
        found.append(np.pad(x, k, mode))  # type: ignore[call-overload]
        around = np.pad(np.exp(x), [(k, 1), (0, k)], mode)  # type: ignore[call-overload]
        return [*found, around.sum(0), np.pad(x[0], 3, mode)]  # type: ignore[call-overload]

    random = np.random.default_rng(1)
    calls = [
        [random.uniform(-1, 1, shape), np.array(n)]
        for shape, n in (((3, 4), 2), ((1, 1), 0), ((2, 1), 5), ((1, 3), 1))
    ]
    check([x, n], outputs, calls, reference, kind="borders")
    point = random.uniform(-1, 1, (2, 3))
    verify_grad(lambda x: pad(x, ((2, 1), (0, 4)), mode) ** 2, [point])
    verify_rop(lambda x: pad(x, 3, mode) ** 2, [point])


@pytest.mark.parametrize("dtype", dtypes.ALL)
def test_constants_around_arrays_of_every_dtype(dtype: str) -> None:
    x, s = T.matrix("x", dtype), T.scalar("s", dtype)
    outputs = [
        pad(x, 1), pad(x, (2, 1), constant_values=1), pad(x, 1, constant_values=s),
        pad(x, [(1, 2), (0, 1)], "constant", [(0, 1), (1, s)]), pad(x, 1, "edge"),
    ]  # fmt: skip

    def reference(x: Array, s: Array) -> list[Array]:
        return [
            np.pad(x, 1), np.pad(x, (2, 1), constant_values=1), np.pad(x, 1, constant_values=s),
            np.pad(x, [(1, 2), (0, 1)], constant_values=[(0, 1), (1, s)]), np.pad(x, 1, "edge"),
        ]  # fmt: skip

    random = np.random.default_rng(2)
    shapes = ((3, 4), (1, 1))
    calls = [[random_array(random, dtype, shape) for shape in (dims, ())] for dims in shapes]
    check([x, s], outputs, calls, reference, kind="borders")


def test_borders_of_nothing() -> None:
    x = T.matrix("x")
    f = check([x], [pad(x, 2)], [[np.ones((0, 2))]], lambda x: [np.pad(x, 2)], kind="borders")
    assert f(np.ones((0, 0)))[0].shape == (4, 4)
    for mode in MODES[1:]:
        for h in (compiled([x], pad(x, 1, mode)), oracle([x], pad(x, 1, mode))):
            found = outcome(h, [np.ones((0, 2))])
            text = f"pad: axis 0 is empty, so there is nothing for mode {mode}"
            assert found == (ValueError, text)


def test_borders_that_do_not_exist() -> None:
    x, n = T.matrix("x"), T.lscalar("n")
    for h in (compiled([x, n], pad(x, n)), oracle([x, n], pad(x, n))):
        assert outcome(h, [np.ones((1, 2)), np.array(-1)]) == (
            ValueError, "pad: a width is negative"
        )  # fmt: skip
    with pytest.raises(ValueError, match="a width of -1 is negative"):
        pad(x, -1)
    with pytest.raises(ValueError, match="mode 'mean' is none of"):
        pad(x, 1, "mean")
    with pytest.raises(ValueError, match="pad_width is neither a number"):
        pad(x, [(1, 2)] * 3)
    with pytest.raises(TypeError, match="without losing precision"):
        pad(T.lmatrix("m"), 1, constant_values=0.5)
