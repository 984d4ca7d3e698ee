"""Passes: changes of a kernel's loops for a processor, ``(kernel, target, context) -> kernel``.

A nest is written as the plainest loops that compute it. Each pass takes one decision about how they
run, and can be left out. Values are the same after each, but for the order of sums. The context
gives new names, and takes the reasons of what a pass does or does not do.
"""

from __future__ import annotations

from collections.abc import Sequence

from symtheano.codegen.passes.trace import Context, PassResult, Trace
from symtheano.codegen.targets import Pass, Target
from symtheano.loopir import Kernel
from symtheano.loopir.builder import Names


def run_passes(
    kernel: Kernel,
    names: Names,
    passes: Sequence[Pass],
    target: Target,
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
    steps = [PassResult("naive", (), kernel)]
    for each in passes:
        before, kernel = kernel, each(kernel, target, context)
        if trace is not None:
            steps.append(PassResult(each.__name__, context.taken(), kernel, kernel != before))
    if trace is not None:
        trace.kernels.append(steps)
    return kernel
