"""Stage: interleaved elements that shuffles can't take apart go through tiles."""

from __future__ import annotations

from symtheano.codegen.passes.hoist import hoist
from symtheano.codegen.passes.stage import stage
from symtheano.codegen.passes.unroll_rows import unroll_rows
from symtheano.loopir import Store
from symtheano.loopir.names import walk
from tests.codegen.passes.change import Golden, change
from tests.codegen.passes.kernels import r, u, x

FIRST = [unroll_rows, hoist]


def test_rows_of_five_are_read_through_a_tile(golden: Golden) -> None:
    golden(change(stage, [u], u.max(1), first=FIRST).text, "passes/stage.txt")


def test_elements_with_a_common_part_are_written_through_a_tile() -> None:
    found = change(stage, [r], r / r.sum(1, keepdims=True), first=FIRST)
    assert found.reasons == ("i: out is written through a tile",)
    stored = [s.buffer.space for s in walk(found.after.body) if isinstance(s, Store)]
    assert stored == ["stack"] * 3 + ["output"] * 3


def test_rows_of_three_are_read_with_shuffles() -> None:
    reason = "not, no innermost loop has interleaved elements that need it"
    change(stage, [r], r.max(1), first=FIRST).assert_refused(reason)
    change(stage, [x], x * 2, first=FIRST).assert_refused(reason)
