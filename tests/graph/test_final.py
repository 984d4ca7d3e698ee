"""Which expressions need elements of arrays."""

from __future__ import annotations

from typing import Any

import pytest

import symtheano.tensor as T
from symtheano.graph.final import that_need_arrays
from symtheano.tensor.shapes.shape import shape_i

x, n = T.vector("x"), T.lscalar("n")


@pytest.mark.parametrize(
    ("expression", "needs"),
    [
        (n + 1, False),
        (shape_i(x, 0) * n, False),
        (T.eq(shape_i(x, 0), n), False),
        (x.sum(), True),
        (x[n], True),
        (T.cast(x.max(), "int64") + n, True),
        (shape_i(T.exp(x), 0), False),
    ],
)
def test_of_arrays(expression: Any, needs: bool) -> None:
    assert (expression in that_need_arrays([expression])) is needs
