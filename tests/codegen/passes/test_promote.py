"""Promote: elements that all iterations update are kept in registers."""

from __future__ import annotations

import symtheano.tensor as T
from symtheano.codegen.passes.chunk import chunk
from symtheano.codegen.passes.promote import promote
from symtheano.codegen.passes.unroll_rows import unroll_rows
from symtheano.loopir import Buffer, Builder, Index, Kernel, View
from tests.codegen.passes.change import Golden, change, changed
from tests.codegen.passes.kernels import r, x


def test_columns_of_three(golden: Golden) -> None:
    found = change(promote, [r], r.sum(0), first=[unroll_rows, chunk])
    golden(found.text, "passes/promote.txt")


def test_the_loop_is_decided_afterwards() -> None:
    found = change(promote, [r], [r.sum(0), T.sqr(r).sum(0)], first=[unroll_rows])
    assert found.kinds[-1] == "simd"
    assert found.reasons == ("i: 6 elements of out, out_2 are kept in registers",)


def test_columns_of_unknown_number_stay_in_memory() -> None:
    reason = "not, no innermost loop updates the same elements each time"
    change(promote, [x], x.sum(0), first=[chunk]).assert_refused(reason)


def test_elements_that_change_with_the_loop_stay_in_memory() -> None:
    n = Index.symbol("x_d0")
    given, out = Buffer("x", "float64", "input", n, 0), Buffer("out", "float64", "output", n, 0)
    b = Builder()
    for name in ("x", "out"):
        b.names.fresh(name)
    with b.loop("i", n, kind="reduce") as i:
        b.update(View(out, (), (), i), [], "add", b.load(View(given, (), (), i), []))
    found = changed(promote, Kernel("increment", "", b.statements()), b.names)
    found.assert_refused("not, no innermost loop updates the same elements each time")
