"""Lengths that depend on data, combined with others: each buffer has the length of its content."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import shared
from symtheano.codegen.plan.equalities import Equalities
from symtheano.errors import ShapeError
from symtheano.loopir import Index
from symtheano.tensor.as_op import as_op
from tests.codegen.plan.test_naming import shapes
from tests.support.compare import check, compiled

pytestmark = pytest.mark.needs_cc

x, y, v = T.matrix("x"), T.vector("y"), T.vector("v")
one, two, three = (Index.symbol(name) for name in ("one", "two", "three"))


@as_op([T.dvector], [T.dvector])
def positive(v: Any) -> Any:
    return v[v > 0]


def vector(size: int, kept: int) -> Any:
    """Return distinct numbers, of which the first few are positive."""
    return np.where(np.arange(size) < kept, np.arange(size) + 1.0, -1.0)


SIZES = [(3, 3), (3000, 3), (3, 3000), (3000, 3000), (0, 3), (0, 0), (1, 40), (40, 40)]


@pytest.mark.parametrize("turned", [False, True])
def test_memory_of_another_size_is_not_written_beyond(turned: bool) -> None:
    unique = T.unique(x)
    product = unique * y if turned else y * unique
    calls = [(np.arange(float(n)).reshape(n, 1), np.arange(float(m))) for n, m in SIZES * 4]
    check([x, y], [product], calls, lambda x, y: [np.unique(x) * y])


@pytest.mark.parametrize("turned", [False, True])
def test_positions_that_a_mask_leaves_meet_another_length(turned: bool) -> None:
    parts = [v[y > 0], T.unique(y)]
    total = sum(parts[::-1] if turned else parts)
    calls: list[Sequence[Any]] = []
    for size, kept in [(3, 3), (3000, 3), (3000, 3000), (40, 1), (5, 0), (0, 0)] * 3:
        calls.append([np.arange(float(size)), vector(size, kept)])
    check([v, y], [total], calls)


@pytest.mark.parametrize(
    "build",
    [
        lambda: v[v > 0] + v,
        lambda: v + v[v > 0],
        lambda: T.unique(v) * v,
        lambda: T.nonzero(v)[0] < v,
        lambda: v < T.nonzero(v)[0],
        lambda: positive(v) * v,
        lambda: v - positive(v) + positive(v * 2),
        lambda: T.exp(v[v > 0]) * v + v[v > 0],
        lambda: T.unique(v[v > 0] * v) + v,
        lambda: (v + T.unique(v))[T.unique(v) > 1] * v[v > 1],
        lambda: T.inc_subtensor(v[:], T.unique(v)),
        lambda: T.stack([T.unique(v), v, positive(v)]),
    ],
)
def test_of_one_array(build: Any) -> None:
    calls = [[vector(*sizes)] for sizes in [(4, 4), (3000, 7), (7, 7), (3000, 3000), (0, 0)] * 2]
    check([v], [build()], calls)


def test_one_after_the_other() -> None:
    result = v
    for _ in range(60):
        result = result[result > 1] - 0.5
    check([v], [result, result.shape[0]], [[np.arange(50.0)], [np.zeros(0)], [np.ones(3)]])


def test_an_error_leaves_shared_variables_as_they_were() -> None:
    s, t = shared(np.arange(5.0), "s"), shared(np.arange(3.0), "t")
    f = compiled([v], [], updates=[(s, s * T.unique(v)), (t, T.unique(v) + t)])
    for given in (np.arange(5.0), np.arange(3.0), np.arange(400.0)):
        with pytest.raises(ShapeError):
            f(given)
        assert s.get_value().tolist() == [0, 1, 2, 3, 4]
        assert t.get_value().tolist() == [0, 1, 2]


def test_one_name_where_the_check_was_made_and_before_it_two() -> None:
    late, other = v[v > 0], T.unique(y)
    made, (a, b, both, more) = shapes([v, y], [late, other, late + other, other * (late + other)])
    assert made.dims(a) != made.dims(b)
    assert made.dims(both) == made.dims(more)


def test_a_length_that_is_known_stands_for_one_that_is_not() -> None:
    made, (both,) = shapes([v, y], [T.unique(v) + y])
    assert str(made.dims(both)[0]) == "y_d0"


def test_the_left_name_stands_for_both() -> None:
    equal = Equalities()
    equal.add(one, two)
    equal.add(two, three)
    assert [equal.canonical(index) for index in (two * 2, three + 1)] == [one * 2, one + 1]


def test_a_late_name_never_stands_for_an_early_one() -> None:
    equal = Equalities(lambda name: name != "one")
    equal.add(two, one)
    equal.add(two + three, one)
    assert equal.canonical(two) == one
    assert equal.canonical(one) == one
