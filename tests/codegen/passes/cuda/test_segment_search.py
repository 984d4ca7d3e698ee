"""Segment search: elements of segments, each of which a thread finds."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano.codegen.passes.cuda.segment_search import segment_search
from symtheano.sparse.segments import Positions, SegmentOf
from tests.codegen.passes.change import TINY, change
from tests.codegen.passes.cuda.programs import cuda_program, emulated
from tests.codegen.passes.kernels import x
from tests.cuda_programs import counts

starts, first, count = T.ivector("starts"), T.lvector("first"), T.lscalar("count")


@pytest.mark.needs_cxx
@pytest.mark.parametrize("segments", [0, 1, 2, 3, 255, 1000])
def test_segments(segments: int) -> None:
    numbers = SegmentOf()(starts, count)
    f = emulated([first, starts, count], [numbers, Positions()(first, starts, count)])
    rng = np.random.default_rng(segments)
    for most in (1, 2, 9):
        lengths = rng.integers(0, most, segments)  # most of them are empty, or all
        if segments:
            lengths[rng.integers(segments)] += rng.integers(0, 3000)
        begins = np.concatenate([[0], np.cumsum(lengths)]).astype("int32")
        own = np.repeat(np.arange(segments), lengths)
        firsts = rng.integers(0, 100, segments)
        found, places = f(firsts, begins, begins[-1])
        np.testing.assert_array_equal(found, own)
        assert found.dtype == "int32"
        np.testing.assert_array_equal(places, np.arange(len(own)) - begins[own] + firsts[own])


@pytest.mark.needs_cxx
def test_a_known_number_of_segments() -> None:
    few = T.tensor("few", "int64", (6,))
    f = emulated([few, count], SegmentOf()(few, count))
    np.testing.assert_array_equal(f([0, 0, 2, 3, 3, 4], 4), [1, 1, 2, 4])


def test_what_is_launched() -> None:
    program = cuda_program([starts, count], SegmentOf()(starts, count))
    assert counts(program).long == ()
    change(segment_search, [x], x.sum(1), target=TINY).assert_refused(
        "not, no loop is over the elements of segments"
    )
