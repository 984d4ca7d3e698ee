"""Products with packed factors: types, values, and who may make them."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import grad
from symtheano.tensor.linalg.packed import pack_matrix, packed_dot
from tests.support.compare import oracle

ONE = T.constant(1, dtype="int64")


def test_products_are_those_of_the_factors() -> None:
    x, y = T.matrix("x"), T.matrix("y")
    made = packed_dot(x, y, pack_matrix(y, ONE, ONE))
    assert str(made.owner.op) == "dot{packed}"
    rng = np.random.default_rng(0)
    a, b, g = (rng.normal(size=shape) for shape in ((3, 4), (4, 5), (3, 5)))
    found, by_x, by_y = oracle([x, y], [made, *grad((made * g).sum(), [x, y])])(a, b)
    np.testing.assert_allclose(found, a @ b)
    np.testing.assert_allclose(by_x, g @ b.T)
    np.testing.assert_allclose(by_y, a.T @ g)
    with pytest.raises(ValueError, match="dot"):
        oracle([x, y], made)(a, b[:3])


def test_sizes_are_those_of_the_widest_panels() -> None:
    y = T.TensorType("float32", (4, 5))("y")
    made = pack_matrix(y, ONE, ONE)
    assert made.type.shape == ((5 + 15) * 4 + 16,)
    assert made.dtype == "float32"
    assert pack_matrix(T.matrix("y"), ONE, ONE).type.shape == (None,)


def test_what_is_refused() -> None:
    with pytest.raises(TypeError, match="takes float32 and float64"):
        pack_matrix(T.TensorType("float16", (None, None))("y"), ONE, ONE)
    x, y = T.fmatrix("x"), T.dmatrix("y")
    with pytest.raises(TypeError, match="takes one dtype"):
        packed_dot(x, y, pack_matrix(y, ONE, ONE))
    with pytest.raises(ValueError, match="only rules make packed factors"):
        packed_dot.make_checked(y, y, T.vector("v"))
