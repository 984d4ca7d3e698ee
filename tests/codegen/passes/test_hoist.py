"""Hoist: what does not change from one iteration to the next is computed before the loop."""

from __future__ import annotations

import symtheano.tensor as T
from symtheano.codegen.passes.hoist import hoist
from symtheano.loopir import Buffer, Builder, Index, Kernel, Literal, View
from tests.codegen.passes.change import Golden, change, changed
from tests.codegen.passes.kernels import v, x


def test_one_load_for_a_row(golden: Golden) -> None:
    golden(change(hoist, [x, v], x * T.sqr(v)[:, None]).text, "passes/hoist.txt")


def test_what_depends_on_the_counter_stays() -> None:
    reason = "not, all values change with the innermost loop around them"
    change(hoist, [x], x * 2).assert_refused(reason)


def test_what_the_loop_changes_stays() -> None:
    """A row's sum is complete after the row's loop, and its elements are stored one by one."""
    found = change(hoist, [x], T.exp(x - x.max(1, keepdims=True)).sum(1))
    assert found.after == found.before


def test_what_reads_a_running_sum_stays() -> None:
    n = Index.symbol("x_d0")
    given, out = Buffer("x", "float64", "input", n, 0), Buffer("out", "float64", "output", n, 0)
    b = Builder()
    for name in ("x", "out"):
        b.names.fresh(name)
    total = b.declare("total", Literal(0.0, "float64"))
    with b.loop("i", n) as i:
        b.reduce(total, "add", b.load(View(given, (), (), i), []))
        b.store(View(out, (), (), i), [], b.let("neg", "float64", [total]))
    found = changed(hoist, Kernel("running", "", b.statements()), b.names)
    assert found.after == found.before
