"""Systems that are solved with a factor of Cholesky."""

from __future__ import annotations

import numpy as np
import pytest

from symtheano.tensor.linalg.cholesky import cho_solve, cholesky
from tests.tensor.linalg.matrices import (
    arrays,
    definite,
    same,
    variables,
)


@pytest.mark.parametrize("lower", [True, False])
def test_cho_solve(lower: bool) -> None:
    a, (b,) = definite("complex128", 3, 3), arrays("complex128", (3, 2))
    x, y = variables(a, b)
    same(cho_solve((cholesky(x, lower), lower), y), [x, y], [a, b], np.linalg.solve(a, b),
         tolerance=1e-10)  # fmt: skip
