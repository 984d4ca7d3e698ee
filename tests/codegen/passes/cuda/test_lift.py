"""Lift: a loop over kept elements moves out of the one that adds to them."""

from __future__ import annotations

import symtheano.tensor as T
from symtheano.codegen.passes.cuda.lift import lift
from symtheano.loopir import Builder, Index, Kernel, Literal, Store, View
from tests.codegen.passes.change import TINY, Golden, change, changed
from tests.codegen.passes.cuda.test_launch import buffer
from tests.codegen.passes.kernels import x, z


def test_columns(golden: Golden) -> None:
    golden(change(lift, [x], x.sum(0), target=TINY).text, "passes/cuda/lift.txt")


def test_two_loops_over_kept_elements() -> None:
    found = change(lift, [z], T.exp(z).sum(0), target=TINY)
    assert found.kinds[-3:] == ["independent", "independent", "reduce"]


def test_sums_of_rows() -> None:
    reason = "not, no independent loop is inside one that reduces or runs in order"
    change(lift, [x], x.sum(1), target=TINY).assert_refused(reason)


def test_steps_in_order_whose_elements_pass_on() -> None:
    """Each row is made from the reversed row before, so the loop over rows stays outside."""
    b, size = Builder(), Index.symbol("x_d1")
    b.names.fresh("out")
    out = buffer("out", "output", (Index.symbol("x_d0") + 1) * size, 0)
    with b.loop("i", Index.symbol("x_d0")) as i, b.loop("j", size, kind="independent") as j:
        before = b.load(View(out, (), (), i * size + size - 1 - j), [])
        one = Literal(1.0, "float64")
        b.emit(Store(out, (i + 1) * size + j, b.let("add", "float64", [before, one])))
    found = changed(lift, Kernel("kernel", "steps", b.statements()), b.names, target=TINY)
    reason = "i: not, elements of out may pass from one inner iteration to another"
    found.assert_refused(reason)
