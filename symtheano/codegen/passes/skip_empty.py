"""Skip empty: a long loop around empty loops, such as one over the rows of no columns, is not run.

This is done before accumulators make the loops over lanes, which are never empty.
"""

from __future__ import annotations

from collections.abc import Sequence

from symtheano.codegen.passes.trace import Context
from symtheano.codegen.targets import Target
from symtheano.loopir import For, Index, Kernel
from symtheano.loopir.empty import skip_empty_loops


def skip_empty(kernel: Kernel, target: Target, context: Context) -> Kernel:
    """Let long loops run only if something can happen in them."""

    def skipped(loop: For, lengths: Sequence[Index]) -> None:
        context.note(loop, "does not run unless {} > 0", ", ".join(map(str, lengths)))

    changed = skip_empty_loops(kernel, context.names, skipped)
    context.otherwise("not, no long loop is around loops that may be empty")
    return changed
