"""Segments of vectors: starts, groups, runs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function
from symtheano.sparse.segments import (
    filled,
    group,
    nonzero,
    runs,
    segment_of,
    select,
    starts_of,
    tally,
)

MODES = [None, "INTERPRET"]
LENGTHS = [[], [0], [2, 0, 3], [0, 0, 1]]


def values(outputs: Any, mode: Any, **given: Any) -> list[Any]:
    """Return lists with the results for integer vectors."""
    inputs = {name: T.lvector(name) for name in given}
    f = function(list(inputs.values()), outputs(**inputs), mode=mode)
    return [
        np.asarray(item).tolist() for item in f(*(np.array(v, "int64") for v in given.values()))
    ]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("lengths", LENGTHS)
def test_starts_and_segments(lengths: list[int], mode: Any) -> None:
    def outputs(n: Any) -> list[Any]:
        starts, total = starts_of(n)
        return [starts, total, segment_of(starts, total)]

    starts, total, segments = values(outputs, mode, n=lengths)
    assert starts == [0, *np.cumsum(lengths).tolist()]
    assert total == sum(lengths)
    assert segments == np.repeat(np.arange(len(lengths)), lengths).tolist()


@pytest.mark.parametrize("mode", MODES)
def test_groups_keep_the_order_of_their_elements(mode: Any) -> None:
    groups = [2, 0, 2, 3, 0]
    order, starts, counts = values(lambda g: [*group(g, 4), tally(g, 4)], mode, g=groups)
    assert order == np.argsort(groups, kind="stable").tolist()
    assert starts == [0, 2, 2, 4, 5]
    assert counts == [2, 0, 2, 1]


@pytest.mark.parametrize("mode", MODES)
def test_positions_of_what_is_true(mode: Any) -> None:
    places, before = values(lambda m: list(nonzero(T.neq(m, 0))), mode, m=[0, 5, 0, 1])
    assert (places, before) == ([1, 3], [0, 0, 1, 1, 2])


@pytest.mark.parametrize("mode", MODES)
def test_segments_are_selected_also_twice(mode: Any) -> None:
    found = values(lambda k, s: list(select(k, s)), mode, k=[2, 0, 2], s=[0, 2, 2, 5])
    assert found == [[0, 0, 0, 1, 1, 2, 2, 2], [2, 3, 4, 0, 1, 2, 3, 4], [0, 3, 5, 8]]


@pytest.mark.parametrize("mode", MODES)
def test_runs_of_pairs(mode: Any) -> None:
    found = values(lambda a, b: list(runs(a, b)), mode, a=[0, 0, 0, 1, 1], b=[2, 2, 3, 3, 3])
    assert found == [[0, 0, 1, 2, 2], 3]


def test_one_number_many_times() -> None:
    assert filled(7, 3, "int8").eval().tolist() == [7, 7, 7]
