"""Plans of regions: everything that is decided of a graph before it is written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Protocol, cast

import numpy as np

from symtheano.codegen.plan.memory import MemoryPlan, plan_memory
from symtheano.codegen.plan.schedule import Schedule, make_schedule
from symtheano.codegen.plan.shapes import Given, Guard, Shapes
from symtheano.codegen.plan.slots import Inside, Slot
from symtheano.codegen.plan.stages import NestPlan, plan_nests
from symtheano.codegen.plan.steps import Nest, OpStep, Step
from symtheano.dataclass import dataclass, replace
from symtheano.graph.intern import FunctionGraph
from symtheano.graph.variable import Apply, Constant
from symtheano.graph.walk import toposort
from symtheano.loopir import Buffer, Index
from symtheano.loopir.builder import Names
from symtheano.loopir.index import product
from symtheano.rewrites.engine import Rewriter
from symtheano.tensor.variable import Tensor


@dataclass(frozen=True, eq=False)
class RegionPlan:
    """The plan of a graph: its lengths, steps, loops and memory, each made from those before.

    Attributes
    ----------
    graph
        The rewritten graph.
    shapes
        Its lengths, guards and integers.
    schedule
        Its steps.
    nests
        The plan of each nest.
    loops
        The plans of steps that are loops over other graphs.
    inputs
        Buffers of the graph's inputs that are in memory.
    memory
        Buffers of all values.
    """

    graph: FunctionGraph
    shapes: Shapes
    schedule: Schedule
    nests: Mapping[Nest, NestPlan]
    loops: Mapping[Step, LoopPlan]
    inputs: Mapping[Tensor, Buffer]
    memory: MemoryPlan


@dataclass(frozen=True, eq=False)
class LoopPlan:
    """The plan of a graph that an op runs in a loop.

    Attributes
    ----------
    node
        The op's node.
    region
        The graph's plan.
    places
        For each input, the name that the op gives to its memory; None for a scalar.
    next_places
        For each output, the name that the op gives to its memory; None for a scalar, and for an
        output that is made in the memory of the input that it replaces.
    spare
        For each of these names, memory for an op that needs it.
    slots
        The workspace.
    early
        What is required of lengths that are known before the loop.
    may_fail
        Whether an iteration may end the call with an error.
    """

    node: Apply
    region: RegionPlan
    places: tuple[Buffer | None, ...]
    next_places: tuple[Buffer | None, ...]
    spare: tuple[Buffer | None, ...]
    slots: tuple[Slot, ...]
    early: frozenset[Guard]
    may_fail: bool


def plan_region(
    graph: FunctionGraph,
    rewriter: Rewriter,
    names: Names,
    donors: Sequence[int | None],
    wishes: Sequence[str] = (),
) -> RegionPlan:
    """Return the plan of a graph with inputs and outputs of the caller's.

    Parameters
    ----------
    graph
        The rewritten graph.
    rewriter
        For the expressions of shapes and checks.
    names
        For names of lengths and buffers.
    donors
        For each output the number of the input whose memory it may take over, or None.
    wishes
        Names for the outputs; empty where there is none.
    """
    shapes, schedule, nests, loops = _steps_of(graph, rewriter, names, donors)
    inputs: dict[Tensor, Buffer] = {}
    for number, variable in enumerate(graph.inputs):
        name = names.fresh(variable.name or f"input{number}")
        size = product(shapes.dims(variable)) if hasattr(variable, "ndim") else Index.of(0)
        inputs[variable] = Buffer(name, variable.dtype, "input", size, number)
    memory = plan_memory(schedule, nests, inputs, donors, names, _inside(loops), None, wishes)
    return RegionPlan(graph, shapes, schedule, nests, loops, MappingProxyType(inputs), memory)


def plan_loop(node: Apply, around: Schedule, rewriter: Rewriter, names: Names) -> LoopPlan:
    """Return the plan of the graph of an op that runs it in a loop."""
    graph: FunctionGraph = rewriter.rewrite(node.op.region)
    donors = node.op.carried()
    given = _lengths_from(around, node, graph)
    shapes, schedule, nests, loops = _steps_of(graph, rewriter, names, donors, given)

    def place(variable: Tensor, default: str) -> Buffer | None:
        if not variable.ndim:
            return None
        size = product(shapes.dims(variable))
        return Buffer(names.fresh(variable.name or default), variable.dtype, "chosen", size)

    places = tuple(place(variable, "state") for variable in graph.inputs)
    inputs = {
        v: buffer for v, buffer in zip(graph.inputs, places, strict=True) if buffer is not None
    }
    for output in graph.outputs:
        if schedule.is_late(shapes.dims(output)):
            raise NotImplementedError(
                f"{node.op}: a state whose lengths are only known in the loop"
            )
    following = [place(output, "next") for output in graph.outputs]
    memory = plan_memory(schedule, nests, inputs, donors, names, _inside(loops), following)
    next_places = tuple(
        None if number in memory.donated else buffer for number, buffer in enumerate(memory.outputs)
    )
    spare = tuple(
        None
        if buffer is None or carried is None
        else replace(buffer, name=names.fresh("spare"), space="arena")
        for buffer, carried in zip(next_places, donors, strict=True)
    )
    early = frozenset(guard for guard in shapes.guards if _is_of_lengths(guard, schedule))
    ops = [step.node.op for step in schedule.steps if isinstance(step, OpStep)]
    return LoopPlan(
        node,
        RegionPlan(graph, shapes, schedule, nests, loops, MappingProxyType(inputs), memory),
        places,
        next_places,
        spare,
        slots=(*memory.slots, *(_slot_of(buffer) for buffer in spare if buffer is not None)),
        early=early,
        may_fail=any(op.form == "python" or op.may_fail for op in ops)
        or len(early) < len(shapes.guards)
        or any(loop.may_fail for loop in loops.values()),
    )


class _Source(Protocol):
    number: int
    is_row: bool


class _Loop(Protocol):
    def sources(self) -> Sequence[_Source]: ...


def rows_of(node: Apply, around: Schedule) -> list[tuple[Index, ...]]:
    """Return for each input of the graph of a loop its lengths, by those around the loop."""
    given = around.operands.inputs(node)
    return [
        around.shapes.dims(given[source.number])[int(source.is_row) :]
        for source in cast(_Loop, node.op).sources()
    ]


def _lengths_from(around: Schedule, node: Apply, graph: FunctionGraph) -> Given:
    """Return the lengths that the graph of a loop has from outside under the names there."""
    return {
        (variable, axis): length
        for variable, dims in zip(graph.inputs, rows_of(node, around), strict=True)
        for axis, length in enumerate(dims)
        if (length.name or length.constant is not None) and not around.is_late([length])
    }


def _steps_of(
    graph: FunctionGraph,
    rewriter: Rewriter,
    names: Names,
    donors: Sequence[int | None],
    given: Given = MappingProxyType({}),
) -> tuple[Shapes, Schedule, Mapping[Nest, NestPlan], Mapping[Step, LoopPlan]]:
    shapes = Shapes(graph, rewriter, names, given)
    schedule = make_schedule(graph, shapes, {graph.inputs[k] for k in donors if k is not None})
    nests = plan_nests(schedule)
    loops: dict[Step, LoopPlan] = {
        step: plan_loop(step.node, schedule, rewriter, names)
        for step in schedule.steps
        if isinstance(step, OpStep) and step.node.op.region is not None
    }
    return shapes, schedule, nests, MappingProxyType(loops)


def _inside(loops: Mapping[Step, LoopPlan]) -> dict[Step, Inside]:
    return {step: Inside(loop.slots, loop.may_fail) for step, loop in loops.items()}


def _slot_of(buffer: Buffer) -> Slot:
    return Slot(buffer.size, np.dtype(buffer.dtype).itemsize, (buffer,))


def _is_of_lengths(guard: Guard, schedule: Schedule) -> bool:
    """Return whether a requirement compares lengths that are known before the loop."""
    return schedule.at(guard.condition) == 0 and all(
        node.op.form in ("elemwise", "length")
        and (
            node.op.form == "length"
            or all(item.owner or isinstance(item, Constant) for item in node.inputs)
        )
        for node in toposort([guard.condition])
    )
