"""The passes for CUDA: values on an interpreter that finds races, and what they do with loops."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

import pytest

from symtheano import config
from symtheano.codegen.devices import CUDA
from symtheano.codegen.lower import lower
from symtheano.codegen.passes import run_passes
from symtheano.codegen.passes.cuda.synchronize import synchronize
from symtheano.codegen.passes.trace import Trace
from symtheano.function import Function
from symtheano.loopir import Assign, Call, For, Kernel, Reduce, Statement, Store, Update
from symtheano.loopir.names import walk
from symtheano.loopir.verify import VerificationError, verify
from tests.codegen.families import FAMILIES
from tests.codegen.models import MODELS
from tests.codegen.passes.change import TINY
from tests.codegen.passes.kernels import (
    PROGRAMS,
    assert_same_values,
    kernels_of,
    text_after_each,
    values_of,
)
from tests.support.races import Device, RaceError

# A program in which each pass finds something to do.
FIRES = {
    "lift": "columns",
    "hold": "columns",
    "fuse": "columns",
    "extrema": "first_of_all",
    "prefix": "running_sum",
    "ranges": "scatter",
    "totals": "sum",
    "launch": "elementwise",
    "vectors": "elementwise",
    "place": "transposed",
    "hold_rows": "softmax",
    "load_first": "transposed",
    "synchronize": "softmax",
}
LENGTHS = ((7, 5, 3), (1, 9, 2))


@pytest.mark.parametrize("name", PROGRAMS)
def test_values(name: str) -> None:
    assert_same_values(name, CUDA.passes, LENGTHS, finished=True, target=TINY)


@pytest.mark.parametrize("name", ["columns", "softmax_of_a_vector"])
def test_values_without_a_pass(name: str) -> None:
    for left_out in CUDA.passes:
        if left_out is not synchronize:
            passes = [each for each in CUDA.passes if each is not left_out]
            assert_same_values(name, passes, [(6, 3, 7)], finished=True, target=TINY)


def test_tiles_that_do_not_fit() -> None:
    """Loops over tiles are there, but no memory for them."""
    target = replace(TINY, caches=replace(TINY.caches, near=1))
    assert_same_values("transposed", CUDA.passes, [(9, 9)], finished=True, target=target)


@pytest.mark.parametrize("each", FIRES)
def test_pass_fires(each: str) -> None:
    kernels, names = kernels_of(FIRES[each])
    trace = Trace()
    run_passes(kernels[-1], names, CUDA.passes, TINY, trace)
    assert [step.changed for step in trace.kernels[0] if step.name == each] == [True]


@pytest.mark.parametrize("name", ["softmax", "columns", "transposed", "sum"])
def test_text_after_each_pass(name: str, golden: Callable[[str, str], None]) -> None:
    golden(text_after_each(name, CUDA.passes, CUDA), f"loopir/passes/cuda/{name}.txt")


def test_missing_barriers_are_found() -> None:
    passes = [each for each in CUDA.passes if each is not synchronize]
    with pytest.raises(VerificationError, match="a barrier is missing: other threads use "):
        assert_same_values("rows", passes, target=TINY)
    kernels, names = kernels_of("rows")
    kernel = run_passes(kernels[-1], names, passes, TINY)
    values_of(kernel, (3, 4))  # a warp for each row
    with pytest.raises(RaceError, match="is used by threads"):
        values_of(kernel, (3, 5), partial(Device, warp=TINY.device.warp))  # a block


PROGRAMS_OF_GOLDENS = [*MODELS, *FAMILIES]


@pytest.mark.parametrize("program", PROGRAMS_OF_GOLDENS, ids=lambda program: program.__name__)
def test_golden_programs(program: Callable[[], Function]) -> None:
    with config.change_flags(mode="INTERPRET"):
        made = program()
    stages, trace = made.stages, Trace()
    lowered = lower(stages.final, stages.request.donors, trace=trace, target=CUDA)
    verify(lowered.program, CUDA.dialect)
    for kernel in walk(lowered.program.body):
        if isinstance(kernel, Kernel) and not any(isinstance(s, Call) for s in walk(kernel.body)):
            assert not list(written_by_host(kernel)), kernel.name
    for step in (step for steps in trace.kernels for step in steps[1:]):
        assert step.reasons


def written_by_host(kernel: Kernel) -> Iterator[Statement]:
    """Yield statements that write to memory and are in no launch."""
    launched = {id(s) for loop in walk(kernel.body) if isinstance(loop, For)
                and loop.kind == "grid" for s in walk(loop.body)}  # fmt: skip
    for s in walk(kernel.body):
        if isinstance(s, Store | Update | Reduce | Assign) and id(s) not in launched:
            yield s
