"""Totals: scalars that are computed from many elements are computed by launches."""

from __future__ import annotations

import symtheano.tensor as T
from symtheano.codegen.passes.cuda.nests import is_apart
from symtheano.codegen.passes.cuda.totals import totals
from symtheano.loopir import Buffer, Builder, For, Index, Kernel, Literal, Load, View
from tests.codegen.passes.change import TINY, Golden, change, changed
from tests.codegen.passes.kernels import v, x


def test_a_sum(golden: Golden) -> None:
    golden(change(totals, [v], v.sum(), target=TINY).text, "passes/cuda/totals.txt")


def test_all_loops_can_be_launched_afterwards() -> None:
    found = change(totals, [v], T.exp(v - v.max()) / T.exp(v - v.max()).sum(), target=TINY)
    assert all(is_apart(s) for s in found.after.body if isinstance(s, For))


def test_rows_are_apart_already() -> None:
    reason = "not, all loops are over independent iterations"
    change(totals, [x], x.sum(1), target=TINY).assert_refused(reason)


def test_a_sum_that_goes_on_after_another_loop() -> None:
    n = Index.symbol("x_d0")
    given, out = Buffer("x", "float64", "input", n, 0), Buffer("out", "float64", "output", n, 0)
    b = Builder()
    for name in ("x", "out"):
        b.names.fresh(name)
    total = b.declare("total", Literal(0.0, "float64"))
    for kind in ("reduce", "independent", "reduce"):
        with b.loop("i", n, kind=kind) as i:
            element = b.load(View(given, (), (), i), [])
            if kind == "reduce":
                b.reduce(total, "add", element)
            else:
                b.store(View(out, (), (), i), [], element)
    kernel = Kernel("twice", "", b.statements(), (total,))
    found = changed(totals, kernel, b.names, target=TINY)
    assert found.reasons == ("total is computed by a launch of its own",)
    first, last = (s.target.name for s in found.after.body if isinstance(s, Load))
    assert first != last == "total"
