"""Lowering: a rewritten graph becomes a naive LoopIR program, and then one for a processor."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

from symtheano.codegen.frame import Frame, Lowered
from symtheano.codegen.passes.context import ProgramContext
from symtheano.codegen.passes.program import run
from symtheano.codegen.passes.trace import Trace
from symtheano.codegen.plan.regions import PlanContext, RegionPlan, plan_region
from symtheano.codegen.processors import CPU
from symtheano.codegen.record import NONE_RESIDENT, Resident
from symtheano.codegen.region import Region
from symtheano.codegen.targets import ONE_THREAD, Target
from symtheano.dataclass import replace
from symtheano.graph.final import FinalGraph
from symtheano.loopir import Allocate, Program
from symtheano.loopir.builder import Names


def lower(
    final: FinalGraph,
    donors: Sequence[int | None] = (),
    name: str = "function",
    title: str = "",
    measured: bool = False,
    trace: Trace | None = None,
    target: Target = CPU,
    wishes: Sequence[str] = (),
    resident: Resident = NONE_RESIDENT,
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
    trace
        What takes down each pass over kernels.
    target
        The processor.
    wishes
        Names for the outputs; empty where there is none.
    resident
        The inputs and outputs that the caller may have on a device.
    """
    there = target.device is not ONE_THREAD
    frame, plan, naive = write(final, donors, name, title, measured and not there, wishes, target)
    if there:
        named = [naive.inputs[k] for k in resident.inputs]
        named += [naive.outputs[k] for k in resident.outputs]
        naive = replace(naive, resident=frozenset(buffer.name for buffer in named))
    context = ProgramContext(frame.b.names, trace, [] if measured and there else None)
    program = run(naive, target, context)
    outputs = len(plan.graph.outputs)
    return Lowered(
        program,
        sites=frame.b.sites,
        python=frame.python,
        donors=[plan.memory.donated.get(k) for k in range(outputs)],
        hidden=_hidden_arrays(program, outputs),
        steps=frame.ticks if context.steps is None else context.steps,
        lengths=plan.shapes.definitions,
    )


def _hidden_arrays(program: Program, first: int) -> list[tuple[str, int]]:
    """Return dtype and ndim of the arrays that a program asks for besides outputs, in order."""
    arrays = {
        position: (statement.buffer.dtype, len(statement.shape))
        for statement in program.statements()
        if isinstance(statement, Allocate) and statement.buffer.place == "host"
        for position in statement.positions
    }
    # Of some, which lie on a device, the caller is not asked for the memory.
    never = ("int8", 0)
    return [arrays.get(k, never) for k in range(first, 1 + max(arrays, default=-1))]


def write(
    final: FinalGraph,
    donors: Sequence[int | None] = (),
    name: str = "function",
    title: str = "",
    measured: bool = False,
    wishes: Sequence[str] = (),
    target: Target = CPU,
) -> tuple[Frame, RegionPlan, Program]:
    """Write a rewritten graph as a naive program, which no pass has changed.

    Returns
    -------
    frame
        What the program has once: names, tables, messages.
    plan
        What has been decided of the graph.
    program
        Every loop is the plainest one. Kernels and calls have memory of their own.
    """
    graph = final.graph
    donors = donors or [None] * len(graph.outputs)
    names, positions = Names(), count(len(graph.outputs))
    entry = names.fresh(name)
    plan = plan_region(final, PlanContext(names, positions, target.costs), donors, wishes)
    frame = Frame(measured, names, target.routines)
    input_dims = Region(frame, plan).write()
    naive = Program(
        name=entry,
        inputs=tuple(plan.inputs[v] for v in graph.inputs),
        input_dims=input_dims,
        outputs=tuple(buffer for buffer in plan.memory.outputs if buffer is not None),
        body=frame.b.statements(),
        arena=plan.memory.slots,
        constants=tuple(frame.constants),
        title=title,
    )
    return frame, plan, naive
