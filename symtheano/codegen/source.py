"""From a rewritten graph to C text and the information for its host."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from symtheano.codegen.c.program import CSource, print_c
from symtheano.codegen.frame import Lowered
from symtheano.codegen.lower import lower
from symtheano.codegen.processors import CPU
from symtheano.codegen.record import NONE_RESIDENT, Resident
from symtheano.codegen.targets import ONE_THREAD, Target
from symtheano.dataclass import dataclass
from symtheano.graph.eager import quiet
from symtheano.graph.final import FinalGraph
from symtheano.graph.origin import origin_scope

if TYPE_CHECKING:
    from symtheano.codegen.cuda.program import CudaSource


@dataclass(eq=False)
class Built:
    """The C of a graph.

    Attributes
    ----------
    source
        The text, its entry point and the functions it asks for.
    lowered
        Its LoopIR program and the messages of its checks.
    times
        Seconds spent: ``lower``, ``print``.
    device
        The text for a device: its kernels, and the host's part, which is ``source``; None for a
        processor.
    """

    source: CSource
    lowered: Lowered
    times: dict[str, float]
    device: CudaSource | None = None


def build(
    final: FinalGraph,
    vector_functions: Callable[[], frozenset[str]],
    donors: Sequence[int | None] = (),
    name: str = "function",
    title: str = "",
    measured: bool = False,
    accuracy: str = "default",
    target: Target = CPU,
    wishes: Sequence[str] = (),
    resident: Resident = NONE_RESIDENT,
) -> Built:
    """Lower and print a rewritten graph.

    Parameters
    ----------
    final
        The graph with its expressions.
    vector_functions
        Function that returns the C functions with vectorized versions in the toolchain. It is
        called after lowering, since a compiler that is used first is tried meanwhile.
    donors
        For each output, the number of the input whose memory it may use, or None.
    name, title
        Of the entry point and the file.
    measured
        Whether the code reports the beginning of each step to its host.
    accuracy
        The option ``accuracy``, which selects the mathematical functions.
    target
        The processor.
    wishes
        Names for the outputs; empty where there is none.
    resident
        The inputs and outputs that the caller may have on a device.
    """
    started = time.perf_counter()
    with quiet(), origin_scope(None):  # the text does not depend on who asks for it
        lowered = lower(final, donors, name, title, measured, target=target, wishes=wishes,
                        resident=resident)  # fmt: skip
    taken = time.perf_counter() - started
    functions = vector_functions()
    started = time.perf_counter()
    device = None
    if target.device is not ONE_THREAD:
        from symtheano.codegen.cuda.program import print_cuda

        device = print_cuda(lowered.program, functions, accuracy, target)
        source = device.host
    else:
        source = print_c(lowered.program, functions, accuracy, target)
    times = {"lower": taken, "print": time.perf_counter() - started}
    return Built(source, lowered, times, device)
