"""One pass on the smallest kernel for which it is made: its text before and after, and why."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from symtheano.codegen.devices import CUDA
from symtheano.codegen.passes import run_passes
from symtheano.codegen.passes.trace import Trace
from symtheano.codegen.processors import CPU
from symtheano.codegen.targets import Chunks, Pass, Target
from symtheano.dataclass import dataclass, replace
from symtheano.loopir import For, Kernel
from symtheano.loopir.builder import Names
from symtheano.loopir.names import uses, walk
from symtheano.loopir.text import statements_text
from symtheano.loopir.verify import verify_statements
from tests.codegen.passes.kernels import SMALL, naive_kernels, values_of
from tests.support.loops import Machine
from tests.support.races import Device

# A device on which blocks of eight threads find something to do in small arrays.
TINY = replace(
    CUDA, caches=replace(CUDA.caches, near=16 * 8 * 4, burst=32), rows=replace(CUDA.rows, block=4),
    chunks=Chunks(8, 3, 2),
    device=replace(CUDA.device, warp=4, threads=8, items=4, long_row=4, held=32),
)  # fmt: skip

Golden = Callable[[str, str], None]

Shapes = Sequence[tuple[int, ...]]

SHAPES: Shapes = ((7, 5, 3), (1, 4, 2), (0, 3, 1))


@dataclass(frozen=True)
class Change:
    """What a pass made of a kernel.

    Attributes
    ----------
    before, after
        The kernel.
    reasons
        What the pass noted.
    """

    before: Kernel
    after: Kernel
    reasons: tuple[str, ...]

    @property
    def text(self) -> str:
        """Both kernels, and the reasons between them."""
        reasons = "".join(f"# {reason}\n" for reason in self.reasons)
        return f"{text_of(self.before)}\n{reasons}\n{text_of(self.after)}"

    @property
    def kinds(self) -> list[str]:
        """The kinds of the loops afterwards, the outer ones first."""
        return [s.kind for s in walk(self.after.body) if isinstance(s, For)]

    def assert_refused(self, reason: str) -> None:
        """Fail unless the kernel is as it was, for this reason."""
        assert self.reasons == (reason,)
        assert self.after == self.before


def text_of(kernel: Kernel) -> str:
    """Return the text of a kernel, without lines of the test that wrote its graph."""
    return re.sub(r"  # (user: )?\S+\.py:\d+", "", statements_text([kernel]))


def before(each: Pass, passes: Sequence[Pass] = CPU.passes) -> Sequence[Pass]:
    """Return the passes that usually run before one."""
    return passes[: passes.index(each)]


def change(each: Pass, inputs: Sequence[Any], outputs: Any, **options: Any) -> Change:
    """Run a pass on the last kernel of a function; see :func:`changed`."""
    kernels, names = naive_kernels(inputs, outputs)
    return changed(each, kernels[-1], names, **options)


def changed(
    each: Pass,
    kernel: Kernel,
    names: Names,
    first: Sequence[Pass] = (),
    then: Sequence[Pass] = (),
    target: Target = CPU,
    shapes: Shapes = SHAPES,
) -> Change:
    """Run a pass on a kernel; fail if its values are others afterwards.

    Parameters
    ----------
    each, kernel, names
        The pass, the kernel, and where new names come from.
    first, then
        Passes that run before it, and before values are compared.
    target
        The processor. If it is a CPU, the values are also those on a small one.
    shapes
        Lengths of the arrays: those of the first axes, of the second ones, and so on.
    """
    start = run_passes(kernel, names, first, target)
    trace = Trace()
    after = run_passes(start, names, [each], target, trace)
    assert_same(kernel, run_passes(after, names, then, target), target, shapes)
    if target is CPU:
        small = run_passes(kernel, names, [*first, each, *then], SMALL)
        assert_same(kernel, small, SMALL, shapes)
    return Change(start, after, trace.kernels[0][1].reasons)


def assert_same(
    kernel: Kernel, after: Kernel, target: Target = CPU, shapes: Shapes = SHAPES
) -> None:
    """Fail unless a kernel is valid and its values are those of another one."""
    found = uses(after.body)
    outside = [buffer for buffer in found.buffers if buffer.space != "stack"]
    verify_statements(after.body, found.values, outside)
    make = Machine if target.device.warp == 1 else partial(Device, warp=target.device.warp)
    for shape in shapes:
        want, got = values_of(kernel, shape), values_of(after, shape, make)
        assert want.keys() == got.keys() != set()
        for key, value in want.items():
            np.testing.assert_allclose(got[key], value, 1e-6, 1e-9, err_msg=f"{key} {shape}")
