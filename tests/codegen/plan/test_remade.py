"""Values that are made again where they are read: right at every place they are wanted at."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from tests.support.compare import PLAIN, Array, check

pytestmark = pytest.mark.needs_cc


def rows_of(x: Any) -> Any:
    """Return the number of each row, as a column of floats."""
    return T.cast(T.arange(x.shape[0]).dimshuffle(0, "x"), "float64")


@pytest.mark.parametrize("mode", [None, PLAIN], ids=["rewritten", "plain"])
def test_a_cheap_value_and_its_transpose_in_one_expression(mode: Any) -> None:
    x = T.matrix("x")
    i, j = T.arange(x.shape[0]).dimshuffle(0, "x"), T.arange(x.shape[1]).dimshuffle("x", 0)
    triangle, scaled = T.switch(T.ge(i, j), x, 0), x * rows_of(x)
    twice = scaled + 2 * scaled.T
    outputs = [
        triangle + triangle.T, scaled + scaled.T, (scaled + 1).T * scaled, twice - 3 * twice.T,
        (scaled + 2 * scaled.T).sum(0), ((scaled.T + 1) * scaled).sum(),
    ]  # fmt: skip

    def reference(x: Array) -> list[Array]:
        low, part = np.tril(x), x * np.arange(len(x))[:, None]
        both = part + 2 * part.T
        return [
            low + low.T, part + part.T, (part + 1).T * part, both - 3 * both.T,
            both.sum(0), np.asarray(((part.T + 1) * part).sum()),
        ]  # fmt: skip

    for number, output in enumerate(outputs):
        check(
            [x], [output], [[np.arange(9.0).reshape(3, 3)]],
            lambda x, k=number: reference(x)[k : k + 1], mode=mode,
        )  # fmt: skip


def test_a_value_that_a_nest_has_already_along_other_axes() -> None:
    x = T.matrix("x")
    part = x * rows_of(x)
    slow = T.exp(part)
    output = slow + (part - part.T) * slow.sum(0)

    def reference(x: Array) -> list[Array]:
        part = x * np.arange(len(x))[:, None]
        return [np.exp(part) + (part - part.T) * np.exp(part).sum(0)]

    check([x], [output], [[np.linspace(-1, 1, 9).reshape(3, 3)]], reference)


def test_a_cheap_value_and_its_transpose_scattered() -> None:
    x, k = T.matrix("x"), T.lvector("k")
    part = x * rows_of(x)
    output = T.inc_subtensor(T.zeros_like(x)[k], part + part.T)

    def reference(x: Array, k: Array) -> list[Array]:
        part, result = x * np.arange(len(x))[:, None], np.zeros_like(x)
        np.add.at(result, k, part + part.T)
        return [result]

    check([x, k], [output], [[np.arange(9.0).reshape(3, 3), np.array([2, 0, 2])]], reference)
