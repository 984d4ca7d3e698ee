"""matmul, whose leading axes are batches."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import grad
from symtheano.errors import ShapeError
from symtheano.tensor.linalg.matmul import matmul
from symtheano.tensor.type import TensorType
from tests.support.compare import check, compiled, oracle, outcome
from tests.tensor.linalg.matrices import (
    arrays,
    same,
    variables,
)

MATMUL = [((3,), (3,)), ((2, 3), (3,)), ((3,), (3, 2)), ((2, 3), (3, 4)), ((5, 2, 3), (3, 4)),
          ((5, 2, 3), (3,)), ((3,), (5, 3, 2)), ((4, 3), (5, 3, 2)), ((5, 2, 3), (5, 3, 4)),
          ((2, 5, 2, 3), (2, 5, 3, 4)), ((0, 2, 3), (0, 3, 4)), ((2, 5, 2, 0), (2, 5, 0, 4)),
          ((2, 5, 2, 3), (5, 3, 4))]  # fmt: skip


@pytest.mark.parametrize("dtype", ["float64", "complex64", "int16"])
@pytest.mark.parametrize("shapes", MATMUL)
def test_matmul(shapes: Any, dtype: str) -> None:
    a, b = arrays(dtype, *shapes)
    x, y = variables(a, b)
    same(matmul(x, y), [x, y], [a, b], np.matmul(a, b), tolerance=1e-5)


def test_matmul_repeats_batches_of_length_one() -> None:
    a, b = arrays("float64", (4, 1, 2, 3), (1, 5, 3, 2))
    x = TensorType("float64", (None, 1, None, None))("x")
    y = TensorType("float64", (1, None, None, None))("y")
    same(matmul(x, y), [x, y], [a, b], np.matmul(a, b), tolerance=1e-12)
    x, y = T.tensor4("x"), T.tensor4("y")
    with pytest.raises(ShapeError, match="matmul: axis 0 has length 3, but must have length 2"):
        oracle([x, y], matmul(x, y))(np.ones((2, 3, 1, 1)), np.ones((3, 2, 1, 1)))
    with pytest.raises(ValueError, match="use \\* for scalars"):
        matmul(T.scalar(), T.vector())


MATMULS = [
    ((2, 3, 4, 5), (2, 3, 5, 2)), ((2, 1, 4, 5), (1, 3, 5, 2)), ((3, 4, 5), (2, 3, 5, 2)),
    ((1, 4, 5), (3, 5, 2)), ((3, 4, 5), (1, 5, 2)), ((1, 1, 4, 5), (3, 5, 2)),
    ((3, 4, 5), (5, 2)), ((4, 5), (3, 5, 2)), ((5,), (3, 5, 2)), ((3, 4, 5), (5,)),
    ((5,), (2, 3, 5, 2)), ((2, 3, 4, 5), (5,)), ((2, 3, 4, 5), (5, 2)), ((5,), (5, 2)),
]  # fmt: skip


@pytest.mark.needs_cc
@pytest.mark.one_in(3)
@pytest.mark.parametrize("shapes", MATMULS)
def test_matmul_repeats_batch_axes_of_one(shapes: tuple[tuple[int, ...], ...]) -> None:
    random = np.random.default_rng(14)
    static = [[1 if dim == 1 else None for dim in shape] for shape in shapes]
    x, y = (TensorType("float64", dims)(name) for dims, name in zip(static, "xy", strict=True))
    z = T.matmul(x, y)
    args = [random.standard_normal(shape) for shape in shapes]
    expected = np.matmul(*args)
    weights = random.standard_normal(expected.shape)
    # Of a sum of products, the gradients are products again, summed where a batch was repeated.
    gradients = grad((z * weights).sum(), [x, y])
    assert z.ndim == expected.ndim

    def reference(a: Any, b: Any) -> list[Any]:
        h = 1e-2
        numeric = []
        for number in (0, 1):
            slopes = np.zeros(shapes[number])
            for index in np.ndindex(*shapes[number]):
                both = []
                for sign in (1, -1):
                    moved = [a.copy(), b.copy()]
                    moved[number][index] += sign * h
                    both.append((np.matmul(*moved) * weights).sum())
                slopes[index] = (both[0] - both[1]) / (2 * h)
            numeric.append(slopes)
        return [np.matmul(a, b), *numeric]

    check([x, y], [z, *gradients], [args], reference, kind="products", tolerance=1e-10)


@pytest.mark.needs_cc
def test_matmul_of_batches_that_differ() -> None:
    x, y = T.tensor4("x"), T.tensor4("y")
    f, g = compiled([x, y], T.matmul(x, y)), oracle([x, y], T.matmul(x, y))
    for shapes in (((2, 3, 4, 5), (3, 2, 5, 2)), ((1, 3, 4, 5), (2, 3, 5, 2))):
        args = [np.ones(shape) for shape in shapes]
        assert outcome(f, args)[0] is outcome(g, args)[0] is ShapeError
    with pytest.raises(ValueError, match="operands have at least one dim"):
        T.matmul(x, 2.0)
