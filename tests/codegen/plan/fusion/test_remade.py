"""Values that are made again where they are read: right at every place they are wanted at."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import grad
from symtheano.codegen.plan.schedule import Schedule
from tests.codegen.plan.test_schedule import nests, schedule
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


def test_a_vector_that_is_needed_along_rows_and_columns_is_loaded() -> None:
    x, y = T.vector("x"), T.matrix("y")
    small = 2 * x / x.sum()
    output = (y - small[:, None]) * small
    assert [len(nest.members) for nest in nests(schedule([x, y], [output]))][-1] == 2

    def reference(x: Array, y: Array) -> list[Array]:
        small = 2 * x / x.sum()
        return [(y - small[:, None]) * small]

    check([x, y], [output], [[np.arange(3.0), np.arange(9.0).reshape(3, 3)]], reference)


def test_a_cheap_value_and_its_transpose_scattered() -> None:
    x, k = T.matrix("x"), T.lvector("k")
    part = x * rows_of(x)
    output = T.inc_subtensor(T.zeros_like(x)[k], part + part.T)

    def reference(x: Array, k: Array) -> list[Array]:
        part, result = x * np.arange(len(x))[:, None], np.zeros_like(x)
        np.add.at(result, k, part + part.T)
        return [result]

    check([x, k], [output], [[np.arange(9.0).reshape(3, 3), np.array([2, 0, 2])]], reference)


X, Y, G, B = T.matrix("X"), T.matrix("Y"), T.vector("G"), T.vector("B")


def normalized_columns() -> Any:
    """Return scaled and shifted columns with mean 0 and variance 1."""
    centered = X - X.mean(0)
    return centered / T.sqrt(T.sqr(centered).mean(0) + 1e-5) * G + B


def gradients(cost: Any) -> list[Any]:
    """Return the gradients of the sum of a function of normalized columns."""
    return list(grad(cost.sum(), [X, G, B]))


CHEAP = {
    "difference": gradients(T.sqr(normalized_columns() - Y)),
    "threshold": gradients(T.maximum(normalized_columns(), 0) * Y),
}


def stored_between(made: Schedule) -> list[Any]:
    """Return the matrices that a nest stores for others."""
    stored = [v for n in nests(made) for v in n.stores if v.ndim == 2 and 1 not in v.type.shape]
    return [item for item in stored if item not in made.outputs]


@pytest.mark.parametrize("name", CHEAP)
def test_elements_that_need_results_of_reductions_are_computed_from_operands(name: str) -> None:
    assert not stored_between(schedule([X, Y, G, B], CHEAP[name]))


def test_what_costs_more_than_moving_it_is_stored_once() -> None:
    made = schedule([X, Y, G, B], gradients(T.tanh(normalized_columns()) * Y))
    assert len(stored_between(made)) == 1


def test_an_output_is_loaded_and_not_computed_from_several_arrays() -> None:
    total = X * Y + T.sqr(Y)  # 3 additions, and 2 arrays to load instead of 1
    made = schedule([X, Y], [total, total / T.exp(total).sum(0)])
    (last,) = [nest for nest in nests(made) if made.outputs[1] in nest.stores]
    assert total not in last.results
    assert len(last.members) == 1


def test_values_of_chains_that_read_results_of_reductions() -> None:
    rng = np.random.default_rng(0)
    outputs = [item for found in CHEAP.values() for item in found]

    def reference(x: Array, y: Array, g: Array, b: Array) -> list[Array]:
        n, mean = len(x), x.mean(0)
        scale = 1 / np.sqrt(((x - mean) ** 2).mean(0) + 1e-5)
        unit = (x - mean) * scale
        value = unit * g + b
        found = []
        for slope in (2 * (value - y), y * (value > 0)):
            by_unit = slope * g
            by_x = by_unit - by_unit.sum(0) / n - unit * (by_unit * unit).sum(0) / n
            found += [by_x * scale, (slope * unit).sum(0), slope.sum(0)]
        return found

    calls = [
        [rng.standard_normal(shape) for shape in ((n, m), (n, m), (m,), (m,))]
        for n, m in ((5, 3), (2, 1), (40, 17), (4, 0))
    ]
    check([X, Y, G, B], outputs, calls, reference, tolerance=1e-11)
