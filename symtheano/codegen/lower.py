"""Lowering: a rewritten graph becomes a naive LoopIR program, and then one for a processor."""

from __future__ import annotations

from collections.abc import Sequence

from symtheano.codegen.frame import Frame, Lowered
from symtheano.codegen.passes import CPU_PASSES, Pass
from symtheano.codegen.passes.context import ProgramContext
from symtheano.codegen.passes.program import run
from symtheano.codegen.passes.trace import Trace
from symtheano.codegen.plan.memory import Hidden
from symtheano.codegen.plan.regions import plan_region
from symtheano.codegen.region import Region
from symtheano.codegen.targets import CPU, Costs, Target
from symtheano.graph.final import FinalGraph
from symtheano.loopir import Program, Reserve, Statement


def lower(
    final: FinalGraph,
    donors: Sequence[int | None] = (),
    name: str = "function",
    title: str = "",
    measured: bool = False,
    passes: Sequence[Pass] = CPU_PASSES,
    trace: Trace | None = None,
    target: Target = CPU,
    wishes: Sequence[str] = (),
) -> Lowered:
    """Convert a rewritten graph to a LoopIR program for a processor.

    Parameters
    ----------
    final
        The graph with its expressions.
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
    frame, hidden, naive = write(final, donors, name, title, measured, wishes, target.costs)
    context = ProgramContext(frame.b.names, frame.steps, hidden.buffer, passes, trace)
    frame.result.program = run(naive, target, context)
    frame.result.hidden = hidden.arrays
    return frame.result


def write(
    final: FinalGraph,
    donors: Sequence[int | None] = (),
    name: str = "function",
    title: str = "",
    measured: bool = False,
    wishes: Sequence[str] = (),
    costs: Costs = CPU.costs,
) -> tuple[Frame, Hidden, Program]:
    """Write a rewritten graph as a naive program, which no pass has changed.

    Returns
    -------
    frame, hidden
        What passes over the program need: names, the workspace of steps, and arrays that the caller
        provides.
    program
        Every loop is the plainest one. Kernels have memory of their own.
    """
    graph = final.graph
    donors = donors or [None] * len(graph.outputs)
    frame = Frame(measured)
    entry = frame.b.names.fresh(name)
    plan = plan_region(final, frame.b.names, donors, wishes, costs)
    hidden = Hidden(len(plan.schedule.outputs), plan.memory.hidden)
    region = Region(frame, plan, hidden)
    region.write()
    sizes, calls = frame.steps.measure_calls()
    body: list[Statement] = []
    for statement in frame.b.statements():
        body += (*sizes, statement) if isinstance(statement, Reserve) else (statement,)
    result, memory = frame.result, plan.memory
    result.sites = frame.b.sites
    result.lengths = plan.schedule.shapes.definitions
    result.donors = [memory.donated.get(k) for k in range(len(graph.outputs))]
    naive = Program(
        name=entry,
        inputs=tuple(plan.inputs[v] for v in graph.inputs),
        input_dims=region.input_dims,
        outputs=tuple(buffer for buffer in memory.outputs if buffer is not None),
        body=tuple(body),
        arena=(*frame.arena, *calls),
        constants=tuple(frame.constants),
        title=title,
    )
    return frame, hidden, naive
