"""Parts of arrays by value, read, stored and added to."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytensor.tensor as pt
import pytest

from tests.pytensor.comparison import compare, compare_gradients

X = np.arange(24.0).reshape(4, 6)
ROWS, COLUMNS = np.array([3, 0, 3, 1]), np.array([5, 2, 0, 2])
MASK = X % 3 == 0


def parts(x: Any, rows: Any, columns: Any, k: Any) -> dict[str, Any]:
    return {
        "slices": x[1:3, ::2], "reversed": x[::-1, -2:0:-2], "row": x[k], "element": x[k, -1],
        "bounds": x[k:, :k], "rows": x[rows], "pairs": x[rows, columns], "mixed": x[rows, 1:4],
        "columns": x[:, columns], "grid": x[rows[:, None], columns],
        "axis": x[None, rows, ..., None], "flat": x.ravel()[columns], "empty": x[2:2],
    }  # fmt: skip


def test_reading() -> None:
    inputs = [pt.dmatrix("x"), pt.lvector("rows"), pt.lvector("columns"), pt.lscalar("k")]
    compare(inputs, list(parts(*inputs).values()), [X, ROWS, COLUMNS, 2])


@pytest.mark.parametrize("sets", [True, False])
def test_storing_and_adding(sets: bool) -> None:
    inputs = [pt.dmatrix("x"), pt.lvector("rows"), pt.lvector("columns"), pt.lscalar("k")]
    function = pt.set_subtensor if sets else pt.inc_subtensor
    results = []
    for name, part in parts(*inputs).items():
        if name in ("axis", "flat"):
            continue
        results += [function(part, 7.5), function(part, part * 2 + 1)]
    if sets:  # which of several values is stored is not determined for equal positions
        distinct = np.array([3, 0, 2, 1])
        compare(inputs, results, [X, distinct, np.array([5, 2, 0, 1]), 2])
    else:
        compare(inputs, results, [X, ROWS, COLUMNS, 2])


def test_masks() -> None:
    x, mask = pt.dmatrix("x"), pt.bmatrix("mask")
    where = pt.eq(mask, 1)
    results = [x[where], pt.set_subtensor(x[where], -1.0), pt.inc_subtensor(x[where], x[where])]
    compare([x, mask], [*results, *pt.nonzero(where)], [X, MASK.astype("int8")])


def test_gradients_of_parts() -> None:
    x = pt.dmatrix("x")
    rows, columns = pt.constant(ROWS), pt.constant(COLUMNS)
    for part in (x[rows, columns], x[1:3, ::2], x[rows]):
        compare_gradients([x], part**2, [X])


def test_storing_into_everything() -> None:
    x, y = pt.dmatrix("x"), pt.dvector("y")
    compare([x, y], [pt.set_subtensor(x[:], y), pt.inc_subtensor(x[:, :], y)], [X, np.ones(6)])


def test_positions_that_are_not_there_are_errors() -> None:
    import pytensor

    x, k = pt.dvector("x"), pt.lscalar("k")
    function = pytensor.function([x, k], x[k], mode="SYMTHEANO")
    with pytest.raises(IndexError):
        function([1.0, 2.0], 2)
