"""Skip empty: long loops around empty ones do not run, whatever later passes make of these."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function
from symtheano.codegen.passes.skip_empty import skip_empty
from symtheano.codegen.passes.vectorize import vectorize
from symtheano.tensor.shapes.intervals import MOST_ALONG_AXIS
from tests.codegen.passes.change import change
from tests.codegen.passes.kernels import f, v, x


def test_rows_without_columns() -> None:
    found = change(skip_empty, [x, v], (x + v).sum(), first=[vectorize])
    assert found.reasons == ("i: does not run unless x_d1 > 0",)


def test_rows_of_a_known_length_are_not_empty() -> None:
    change(skip_empty, [f], (f + 1).sum(), first=[vectorize]).assert_refused(
        "not, no long loop is around loops that may be empty"
    )


def test_results_of_each_row_are_stored_in_any_case() -> None:
    change(skip_empty, [x, v], (x + v).sum(1), first=[vectorize]).assert_refused(
        "not, no long loop is around loops that may be empty"
    )


@pytest.mark.needs_cc
@pytest.mark.parametrize("dtype", ["float32", "float64", "int64"])
def test_a_loop_over_no_columns_takes_no_time(dtype: str) -> None:
    x, row = T.matrix("x", dtype=dtype), T.vector("row", dtype=dtype)
    outputs = [(x + row).sum(), (x * row).prod(), T.exp(x + row).sum(), (x - row).sum(0)]
    empty = np.empty((MOST_ALONG_AXIS, 0), dtype), np.empty(0, dtype)
    total, product, exponentials, columns = function([x, row], outputs)(*empty)
    assert (total, product, exponentials, columns.shape) == (0, 1, 0, (0,))
