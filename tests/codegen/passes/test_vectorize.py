"""Vectorize: the innermost loops run in the lanes of vectors."""

from __future__ import annotations

from symtheano.codegen.passes.parallelize import parallelize
from symtheano.codegen.passes.vectorize import reductions_of, vectorize
from symtheano.loopir import For
from symtheano.loopir.names import walk
from tests.codegen.passes.change import Golden, change
from tests.codegen.passes.kernels import r, v, x


def test_the_inner_loop_runs_in_lanes(golden: Golden) -> None:
    golden(change(vectorize, [x, v], x * v).text, "passes/vectorize.txt")


def test_a_loop_that_threads_share() -> None:
    assert change(vectorize, [v], v * 2, first=[parallelize]).kinds == ["parallel simd"]


def test_lanes_know_what_they_reduce() -> None:
    found = change(vectorize, [x], [x.sum(1), x.max(1)])
    (_, inner) = (s for s in walk(found.after.body) if isinstance(s, For))
    assert [op for _, op in inner.reductions] == ["add", "larger", "nan_or"]
    assert inner.reductions == reductions_of(inner)


def test_an_extremum_with_its_position() -> None:
    change(vectorize, [x], x.argmax(1)).assert_refused("j: not, it locates an extremum")


def test_lanes_that_would_update_one_element() -> None:
    found = change(vectorize, [x], x.T.sum(0))
    assert found.kinds == ["independent", "simd"]  # each sum is a scalar
    several = change(vectorize, [r], [r.sum((0, 1)), r.sum(0)])
    assert "simd" in several.kinds
