"""Synchronize: threads wait where they use what others have written."""

from __future__ import annotations

from symtheano.codegen.devices import CUDA
from symtheano.codegen.passes.cuda.synchronize import synchronize
from symtheano.loopir.names import walk
from symtheano.loopir.nodes import Barrier
from tests.codegen.passes.change import TINY, Change, Golden, before, change
from tests.codegen.passes.kernels import x, y

FIRST = before(synchronize, CUDA.passes)


def barriers(found: Change) -> list[str]:
    return [s.threads for s in walk(found.after.body) if isinstance(s, Barrier)]


def test_a_tile_is_complete_before_it_is_read(golden: Golden) -> None:
    found = change(synchronize, [x, y], x + y.T, first=FIRST, target=TINY)
    golden(found.text, "passes/cuda/synchronize.txt")
    assert barriers(found) == ["block"]


def test_rows_need_one_for_each_kind_of_launch() -> None:
    """Rows are computed by a warp or by a block; a block combines the sums of its warps."""
    found = change(synchronize, [x], x.sum(1), first=FIRST, target=TINY)
    assert "block" in barriers(found)


def test_elements_of_their_own() -> None:
    found = change(synchronize, [x], x * 2, first=FIRST, target=TINY)
    found.assert_refused("not, no thread uses what another one has written")
