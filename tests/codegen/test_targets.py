"""Targets: their numbers fit each other, and passes can be left out."""

from __future__ import annotations

import pytest

from symtheano.codegen.c.needs import Needs
from symtheano.codegen.c.prelude import prelude
from symtheano.codegen.targets import COSTS, MEASURED, Rows, Target
from symtheano.dataclass import replace
from symtheano.loopir import Kernel


@pytest.mark.parametrize("count", range(1, 33))
def test_shuffles_of_interleaved_elements(count: int) -> None:
    assert Rows.interleaves(count) == (count in (1, 2, 3, 4, 8, 16, 32))


def test_limits_of_loops_fit_each_other() -> None:
    assert COSTS.ahead < COSTS.members
    assert COSTS.moved <= COSTS.ahead
    assert COSTS.load <= COSTS.store
    assert COSTS.inline <= COSTS.move * (COSTS.load + COSTS.store)


def test_passes_are_left_out_by_name() -> None:
    def first(kernel: Kernel, target: Target, context: object) -> Kernel:
        return kernel

    target = Target(passes=(first,))
    assert target.without(["second"]) == target
    assert target.without(["first"]) == Target() != target


def test_the_text_has_the_numbers_of_its_target() -> None:
    own = replace(MEASURED, costs=replace(COSTS, alone=7, threads=11))
    for target in (MEASURED, own):
        lines = prelude(Needs(parallel=True), frozenset(), target=target).splitlines()
        assert f"#define ST_LONG_WORK {target.costs.alone}" in lines
        assert f"#define ST_PARALLEL_WORK {target.costs.threads}" in lines
