"""Lowering: converts a rewritten graph to one LoopIR program, a region in a frame."""

from __future__ import annotations

from collections.abc import Sequence

from symtheano.codegen.frame import Frame, Lowered
from symtheano.codegen.passes import CPU_PASSES, Pass
from symtheano.codegen.passes.inline import inline
from symtheano.codegen.passes.trace import Trace
from symtheano.codegen.plan.regions import plan_region
from symtheano.codegen.region import Region
from symtheano.codegen.targets import CPU, Target
from symtheano.graph.intern import FunctionGraph
from symtheano.loopir import Program
from symtheano.rewrites.engine import Rewriter


def lower(
    graph: FunctionGraph,
    rewriter: Rewriter,
    donors: Sequence[int | None] = (),
    name: str = "function",
    title: str = "",
    measured: bool = False,
    passes: Sequence[Pass] = CPU_PASSES,
    trace: Trace | None = None,
    target: Target = CPU,
    wishes: Sequence[str] = (),
) -> Lowered:
    """Convert a rewritten graph to a LoopIR program.

    Parameters
    ----------
    graph
        The graph.
    rewriter
        For the expressions of shapes and checks.
    donors
        For each output the number of the input whose memory it may take over, or None.
    name, title
        Of the program.
    measured
        Whether it tells its host when each step begins.
    passes
        What is done with the loops of kernels, in order.
    trace
        What takes down each of them.
    target
        The processor for which they do it.
    wishes
        Names for the outputs; empty where there is none.
    """
    donors = donors or [None] * len(graph.outputs)
    frame = Frame(rewriter, measured, passes, trace, target)
    entry = frame.b.names.fresh(name)
    plan = plan_region(graph, rewriter, frame.b.names, donors, wishes)
    region = Region(frame, plan)
    region.write()
    result, memory = frame.result, plan.memory
    body, arena = frame.program()
    if target is CPU:
        body = inline(body)
    result.program = Program(
        name=entry,
        inputs=tuple(plan.inputs[v] for v in graph.inputs),
        input_dims=region.input_dims,
        outputs=tuple(buffer for buffer in memory.outputs if buffer is not None),
        body=body,
        arena=arena,
        constants=tuple(frame.constants),
        title=title,
        repeats=tuple(frame.repeats.found),
    )
    result.sites = frame.b.sites
    result.lengths = plan.schedule.shapes.definitions
    result.donors = [memory.donated.get(k) for k in range(len(graph.outputs))]
    result.hidden = region.hidden.arrays
    return result
