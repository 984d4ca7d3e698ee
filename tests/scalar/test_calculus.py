"""Helper functions for derivatives."""

from __future__ import annotations

import symtheano.tensor as T
from symtheano.scalar import calculus


def test_numbers_have_the_dtype_of_the_variable() -> None:
    found = calculus.number(T.fvector("x"), 0.5)
    assert (found.type.dtype, float(found.data)) == ("float32", 0.5)


def test_kinds() -> None:
    kinds = {"int8": (False, True), "bool": (False, True), "float32": (False, False)}
    for dtype, expected in {**kinds, "complex64": (True, False)}.items():
        x = T.vector("x", dtype)
        assert (calculus.is_complex(x), calculus.is_discrete(x)) == expected


def test_flat_functions_have_no_gradient() -> None:
    assert calculus.flat("g", "y", "a", "b") == [None, None]


def test_undefined_gradients_say_why() -> None:
    assert "no such derivative" in str(calculus.undefined("no such derivative").type)
