"""Chunk: an outermost loop that reduces runs in chunks with accumulators of their own."""

from __future__ import annotations

from typing import Any

import symtheano.tensor as T
from symtheano.codegen.passes import run_passes
from symtheano.codegen.passes.chunk import chunk
from symtheano.codegen.processors import CPU
from symtheano.loopir import For, Partition, Reduce
from symtheano.loopir.names import walk
from tests.codegen.passes.change import Golden, change
from tests.codegen.passes.kernels import naive_kernels, v, x


def test_columns_have_a_row_of_accumulators_for_each_chunk(golden: Golden) -> None:
    golden(change(chunk, [x], x.sum(0)).text, "passes/chunk.txt")


def test_a_scalar_has_more_chunks() -> None:
    for sums, most in ((v.sum(), CPU.chunks.most), (x.sum(0), CPU.chunks.most_rows)):
        found = change(chunk, [x, v], sums)
        (cut,) = (s for s in walk(found.after.body) if isinstance(s, Partition))
        assert (cut.most, cut.least) == (most, CPU.chunks.work)


def test_sums_of_rows_are_independent_already() -> None:
    reason = "not, no outermost loop reduces or needs memory"
    change(chunk, [x], x.sum(1)).assert_refused(reason)


def test_a_loop_that_locates_an_extremum_is_left_to_search() -> None:
    reason = "not, no outermost loop reduces or needs memory"
    change(chunk, [v], v.argmax(), shapes=[(7,)]).assert_refused(reason)


def test_what_is_one_chunk_is_not_cut() -> None:
    few = T.TensorType("float64", (40, 50))("few")
    change(chunk, [few], few.sum()).assert_refused("i: not, it is one chunk")
    many = T.TensorType("float64", (130, 260))("many")
    (kernel,), names = naive_kernels([many], many.sum())
    assert run_passes(kernel, names, [chunk], CPU) != kernel


def test_parts_of_several_results_are_combined_in_one_loop() -> None:
    loops = [s for s in change(chunk, [v], [v.max(), v.sum()]).after.body if isinstance(s, For)]
    assert len(loops) == 2
    combined = [s.op for s in loops[1].body if isinstance(s, Reduce)]
    assert sorted(combined) == ["add", "larger", "nan_or"]


def test_elements_that_take_long_have_chunks_of_fewer() -> None:
    def unit(term: Any) -> Any:
        after = change(chunk, [v], term.sum()).after
        (cut,) = (s for s in walk(after.body) if isinstance(s, Partition))
        return cut.unit.constant

    assert unit(v * 2) == 1 < unit(T.exp(v)) < unit(T.gammaln(v) * T.psi(v))
    few = T.TensorType("float64", (5_000,))("few")
    change(chunk, [few], T.exp(few).sum()).assert_refused("i: not, it is one chunk")
    (kernel,), names = naive_kernels([few], (T.gammaln(few) * T.psi(few)).sum())
    assert run_passes(kernel, names, [chunk], CPU) != kernel
