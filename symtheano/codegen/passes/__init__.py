"""Passes: changes of a kernel's loops for a processor, each ``(kernel, target, names) -> kernel``.

A nest is written as the plainest loops that compute it. Each pass takes one decision about how they
run, and can be left out. Values are the same after each, but for the order of sums.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from symtheano.codegen.passes.chunk import chunk
from symtheano.codegen.passes.collapse import collapse
from symtheano.codegen.passes.hoist import hoist
from symtheano.codegen.passes.jam import jam
from symtheano.codegen.passes.lanes import lanes
from symtheano.codegen.passes.parallelize import parallelize
from symtheano.codegen.passes.peel import peel
from symtheano.codegen.passes.prefetch import prefetch_gathers, prefetch_rows
from symtheano.codegen.passes.search import search
from symtheano.codegen.passes.share import share
from symtheano.codegen.passes.split import split
from symtheano.codegen.passes.tile import tile
from symtheano.codegen.passes.vectorize import vectorize
from symtheano.codegen.targets import CPU, Target
from symtheano.loopir import Kernel
from symtheano.loopir.builder import Names

Pass = Callable[[Kernel, Target, Names], Kernel]

CPU_PASSES: tuple[Pass, ...] = (
    collapse, tile, hoist, search, chunk, lanes, prefetch_rows, jam, split, peel,
    prefetch_gathers, share, parallelize, vectorize,
)  # fmt: skip


def run_passes(
    kernel: Kernel, names: Names, target: Target = CPU, passes: Sequence[Pass] = CPU_PASSES
) -> Kernel:
    """Return a kernel after all passes, in order."""
    for each in passes:
        kernel = each(kernel, target, names)
    return kernel
