"""Totals: scalars that are computed from many elements are computed by launches."""

from __future__ import annotations

import symtheano.tensor as T
from symtheano.codegen.passes.cuda.nests import is_apart
from symtheano.codegen.passes.cuda.totals import totals
from symtheano.loopir import For
from tests.codegen.passes.change import TINY, Golden, change
from tests.codegen.passes.kernels import v, x


def test_a_sum(golden: Golden) -> None:
    golden(change(totals, [v], v.sum(), target=TINY).text, "passes/cuda/totals.txt")


def test_all_loops_can_be_launched_afterwards() -> None:
    found = change(totals, [v], T.exp(v - v.max()) / T.exp(v - v.max()).sum(), target=TINY)
    assert all(is_apart(s) for s in found.after.body if isinstance(s, For))


def test_rows_are_apart_already() -> None:
    reason = "not, all loops are over independent iterations"
    change(totals, [x], x.sum(1), target=TINY).assert_refused(reason)
