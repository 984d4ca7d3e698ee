"""Targets: their numbers fit each other, and passes can be left out."""

from __future__ import annotations

import pytest

from symtheano.codegen.abi import ABI
from symtheano.codegen.targets import COSTS, Rows, Target
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


def test_loops_that_are_not_announced_are_those_that_the_host_is_not_told_of() -> None:
    assert f"#define ST_LONG_WORK {COSTS.alone}" in ABI.splitlines()
