"""Passes: changes of a kernel's loops for a processor, ``(kernel, target, context) -> kernel``.

A nest is written as the plainest loops that compute it. Each pass takes one decision about how they
run, and can be left out. Values are the same after each, but for the order of sums. The context
gives new names, and takes the reasons of what a pass does or does not do.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from symtheano.codegen.passes.announce import announce
from symtheano.codegen.passes.blend import blend
from symtheano.codegen.passes.chunk import chunk
from symtheano.codegen.passes.collapse import collapse
from symtheano.codegen.passes.halves import halves
from symtheano.codegen.passes.hoist import hoist
from symtheano.codegen.passes.interchange import interchange
from symtheano.codegen.passes.jam import jam
from symtheano.codegen.passes.lanes import lanes
from symtheano.codegen.passes.masks import masks
from symtheano.codegen.passes.narrow import narrow
from symtheano.codegen.passes.parallelize import parallelize
from symtheano.codegen.passes.peel import peel
from symtheano.codegen.passes.polls import polls
from symtheano.codegen.passes.prefetch import prefetch_blocks, prefetch_gathers, prefetch_rows
from symtheano.codegen.passes.promote import promote
from symtheano.codegen.passes.search import search
from symtheano.codegen.passes.share import share
from symtheano.codegen.passes.sink import sink
from symtheano.codegen.passes.split import split
from symtheano.codegen.passes.stage import stage
from symtheano.codegen.passes.strips import strips
from symtheano.codegen.passes.tile import tile
from symtheano.codegen.passes.trace import Context, Step, Trace
from symtheano.codegen.passes.unroll import unroll
from symtheano.codegen.passes.unroll_rows import unroll_rows
from symtheano.codegen.passes.vectorize import vectorize
from symtheano.codegen.passes.widen import widen
from symtheano.codegen.targets import CPU, Target
from symtheano.loopir import Kernel
from symtheano.loopir.builder import Names

Pass = Callable[[Kernel, Target, Context], Kernel]

CPU_PASSES: tuple[Pass, ...] = (
    collapse, narrow, unroll, tile, interchange, unroll_rows, hoist, strips, chunk, stage, lanes,
    search, promote, prefetch_blocks, prefetch_rows, jam, sink, split, peel, prefetch_gathers,
    share, parallelize, announce, vectorize, blend, widen, polls,
)  # fmt: skip
"""The passes for a CPU, in order."""


LEGALIZATIONS: tuple[Pass, ...] = (masks, halves)
"""Passes over finished kernels: what compilers make no vectors of is expressed otherwise."""


def chosen_passes(without: Collection[str] = ()) -> tuple[Pass, ...]:
    """Return the passes for a CPU, but for those with some names.

    Examples
    --------
    >>> [each.__name__ for each in chosen_passes(["tile", "lanes"])][:4]
    ['collapse', 'narrow', 'unroll', 'interchange']
    """
    return tuple(each for each in CPU_PASSES if each.__name__ not in without)


def run_passes(
    kernel: Kernel,
    names: Names,
    passes: Sequence[Pass] = CPU_PASSES,
    target: Target = CPU,
    trace: Trace | None = None,
) -> Kernel:
    """Return a kernel after passes, in order.

    Parameters
    ----------
    kernel
        As it was written by :mod:`symtheano.codegen.nests`.
    names
        Where new names come from.
    passes, target
        What is done, and for which processor.
    trace
        What takes down the kernel after each pass, and the reasons.
    """
    context = Context(names, trace is not None)
    steps = [Step("naive", (), kernel)]
    for each in passes:
        before, kernel = kernel, each(kernel, target, context)
        if trace is not None:
            steps.append(Step(each.__name__, context.taken(), kernel, kernel != before))
    if trace is not None:
        trace.kernels.append(steps)
    return kernel
