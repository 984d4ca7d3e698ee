"""Lane tiles: rows that run side by side are read and written through tiles."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function
from symtheano.codegen.passes.lanes import lanes
from tests.codegen.passes.change import change
from tests.support.compare import check


def tiles_of(x: T.TensorVariable, y: T.TensorVariable) -> set[str]:
    """Return the tiles of a result."""
    text = change(lanes, [x], y).text
    return {word.split("[")[0] for word in text.split() if "_tile" in word}


def test_what_is_read_and_written_has_tiles() -> None:
    x = T.TensorType("float64", (None, 6))("x")
    assert tiles_of(x, x - x.max(1, keepdims=True)) == {"x_tile", "out_tile"}


def test_a_few_rows_have_none() -> None:
    for rows, expected in ((7, set()), (8, {"x_tile", "out_tile"})):
        x = T.TensorType("float64", (rows, 6))("x")
        assert tiles_of(x, x - x.max(1, keepdims=True)) == expected


@pytest.mark.needs_cc
def test_more_arrays_than_the_nearest_cache_has_tiles_for() -> None:
    many = [T.matrix(f"x{k}") for k in range(10)]
    total = many[0] + many[1] * many[2]
    spread = total - total.mean(1, keepdims=True)
    text = change(lanes, many, spread * sum(many[3:], many[0])).text
    assert "tile" not in text

    def expected(*arrays: Any) -> list[Any]:
        total = arrays[0] + arrays[1] * arrays[2]
        spread = total - total.mean(axis=1, keepdims=True)
        return [spread * (arrays[0] + sum(arrays[3:]))]

    random = np.random.default_rng(2)
    calls = [[random.normal(size=(n, 5)) for _ in many] for n in (1, 32, 45)]
    check(many, [spread * sum(many[3:], many[0])], calls, expected, kind="lanes")


@pytest.mark.needs_cc
def test_results_of_a_row_do_not_depend_on_the_rows_beside_it() -> None:
    x = T.matrix("x")
    f = function([x], [T.nnet.softmax(x), (x - x.mean(1, keepdims=True)) / x.std(1, keepdims=True)])
    rows = np.random.default_rng(3).normal(size=(45, 7))
    whole = f(rows)
    for start, stop in ((0, 1), (0, 40), (44, 45), (3, 36)):
        for part, of_all in zip(f(rows[start:stop]), whole, strict=True):
            assert part.tobytes() == of_all[start:stop].tobytes()
