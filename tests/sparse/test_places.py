"""Gathers and scatters at positions that are known to be valid."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import grad
from symtheano.errors import NullTypeGradError
from symtheano.sparse import places
from tests.sparse.harness import interpreted

PLACES, VALUES = T.lvector("places"), T.vector("values")


def test_sums_at_positions() -> None:
    f = interpreted([PLACES, VALUES], places.add_at(PLACES, VALUES, 4))
    np.testing.assert_array_equal(f([3, 0, 3], [1.0, 2.0, 4.0]), [2, 0, 0, 5])
    np.testing.assert_array_equal(f([], []), np.zeros(4))


def test_the_last_value_is_stored() -> None:
    f = interpreted([PLACES, VALUES], places.put_at(PLACES, VALUES, 3))
    np.testing.assert_array_equal(f([2, 0, 2], [1.0, 2.0, 4.0]), [2, 0, 4])


def test_gradients_are_those_of_the_positions() -> None:
    sums = places.add_at(PLACES, VALUES, 4)
    cost = (sums * np.array([1.0, 10, 100, 1000])).sum()
    got = interpreted([PLACES, VALUES], grad(cost, VALUES))([3, 0, 3], np.ones(3))
    np.testing.assert_array_equal(got, [1000, 1, 1000])
    with pytest.raises(NullTypeGradError, match="only sums are differentiated"):
        grad(places.put_at(PLACES, VALUES, 4).sum(), VALUES)
    x = T.vector("x")
    gathered = (places.gather(x, PLACES) * VALUES).sum()
    got = interpreted([x, PLACES, VALUES], grad(gathered, x))(np.ones(3), [2, 2, 0], [1.0, 2, 4])
    np.testing.assert_array_equal(got, [4, 0, 3])


def test_elements_of_matrices() -> None:
    x, columns = T.matrix("x"), T.lvector("columns")
    outputs = [places.gather(x, PLACES, columns), places.scatter_add(x, VALUES, PLACES, columns)]
    a = np.arange(6.0).reshape(2, 3)
    got = interpreted([x, VALUES, PLACES, columns], outputs)(a, [10.0, 20.0], [1, 1], [0, 0])
    np.testing.assert_array_equal(got[0], [3, 3])
    np.testing.assert_array_equal(got[1], [[0, 1, 2], [33, 4, 5]])


def test_nodes_of_graphs_from_files_are_checked() -> None:
    checked = places.Collected(True).make_checked(PLACES, VALUES, T.constant(3, dtype="int64"))
    f = interpreted([PLACES, VALUES], checked.outputs[0])
    np.testing.assert_array_equal(f([1], [2.0]), [0, 2, 0])
    with pytest.raises(ValueError, match="outside of its axis"):
        f([3], [2.0])
    with pytest.raises(ValueError, match="as many values as positions"):
        f([1], [2.0, 3.0])


def test_zeros() -> None:
    kinds = {"bool": bool, "int8": int, "float32": float, "complex64": complex}
    for dtype, kind in kinds.items():
        zero = places.zero_of(dtype)
        assert (type(zero.value), zero.dtype) == (kind, dtype)
