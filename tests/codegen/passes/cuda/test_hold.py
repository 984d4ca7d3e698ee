"""Hold: an element that a loop adds to in every iteration is held in a register."""

from __future__ import annotations

from symtheano.codegen.passes.cuda.hold import hold
from symtheano.codegen.passes.cuda.lift import lift
from tests.codegen.passes.change import TINY, Golden, change
from tests.codegen.passes.kernels import x


def test_sums_of_columns(golden: Golden) -> None:
    found = change(hold, [x], x.sum(0), first=[lift], target=TINY)
    golden(found.text, "passes/cuda/hold.txt")


def test_extrema_begin_with_their_neutral_elements() -> None:
    found = change(hold, [x], x.max(0), first=[lift], target=TINY)
    assert "var held = -inf:float64 : float64" in found.text


def test_elements_that_change_with_the_loop() -> None:
    reason = "not, no loop updates one element in all iterations"
    change(hold, [x], x.sum(0), target=TINY).assert_refused(reason)
    change(hold, [x], x.sum(1), target=TINY).assert_refused(reason)
