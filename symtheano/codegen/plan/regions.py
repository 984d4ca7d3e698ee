"""Plans of regions: everything that is decided of a graph before it is written."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, cast

import numpy as np

from symtheano.codegen.plan.brief import is_brief
from symtheano.codegen.plan.elementwise import is_elementwise
from symtheano.codegen.plan.memory import MemoryPlan, plan_memory
from symtheano.codegen.plan.naming import OuterLengths, shapes_of
from symtheano.codegen.plan.outside import named_outside, rows_of
from symtheano.codegen.plan.schedule import Schedule, make_schedule
from symtheano.codegen.plan.settled import settled_edges
from symtheano.codegen.plan.shapes import Guard, Shapes
from symtheano.codegen.plan.slots import Inside
from symtheano.codegen.plan.stages import NestPlan, plan_nests
from symtheano.codegen.plan.steps import Nest, OpStep, Step, stored_by
from symtheano.codegen.targets import COSTS, Costs
from symtheano.dataclass import dataclass, replace
from symtheano.errors import format_error
from symtheano.graph.final import FinalGraph
from symtheano.graph.intern import FunctionGraph
from symtheano.graph.variable import Apply, Variable
from symtheano.graph.walk import ancestors
from symtheano.loopir import Buffer, Index, Slot
from symtheano.loopir.builder import Names
from symtheano.loopir.index import product
from symtheano.tensor.variable import Tensor

if TYPE_CHECKING:
    from symtheano.loops.scan_op import Scan


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
    branches
        For steps that run one of several graphs, the plan of each graph.
    inputs
        Buffers of the graph's inputs that are in memory.
    memory
        Buffers of all values.
    settled
        Results to whose edges nothing is copied; see :mod:`.settled`.
    """

    graph: FunctionGraph
    shapes: Shapes
    schedule: Schedule
    nests: Mapping[Nest, NestPlan]
    loops: Mapping[Step, LoopPlan]
    branches: Mapping[Step, tuple[BranchPlan, ...]]
    inputs: Mapping[Tensor, Buffer]
    memory: MemoryPlan
    settled: frozenset[Tensor] = frozenset()

    @property
    def places(self) -> tuple[Buffer | None, ...]:
        """For each input of the graph its buffer; None for a scalar."""
        return tuple(map(self.inputs.get, self.graph.inputs))

    @property
    def may_fail(self) -> bool:
        """Whether a step may end the call with an error."""
        ops = [step.node.op for step in self.schedule.steps if isinstance(step, OpStep)]
        return (
            any(op.lowering.may_fail for op in ops)
            or any(loop.may_end for loop in self.loops.values())
            or any(plan.may_fail for plans in self.branches.values() for plan in plans)
            or any(map(self._is_late, self.schedule.steps))
        )

    def _is_late(self, step: Step) -> bool:
        """Return whether a step needs memory whose size is only known after some work."""
        dims = [self.shapes.dims(variable) for variable in stored_by(step)]
        spaces = [step.space] if isinstance(step, Nest) else []
        return any(map(self.schedule.is_late, (*dims, *spaces)))


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
    fixed
        For each input, the op's input that it is in all iterations, or None.
    early
        What is required of lengths that are known before the loop.
    brief
        Whether it is known that all iterations take a short time.
    may_fail
        Whether an iteration may end the call with an error.
    elementwise
        Whether each element goes through all iterations by itself.
    """

    node: Apply
    region: RegionPlan
    places: tuple[Buffer | None, ...]
    next_places: tuple[Buffer | None, ...]
    spare: tuple[Buffer | None, ...]
    slots: tuple[Slot, ...]
    fixed: Sequence[int | None]
    early: frozenset[Guard]
    brief: bool
    may_fail: bool
    elementwise: bool

    @property
    def may_end(self) -> bool:
        """Whether the call may end in the loop, with an error or because the host wants it."""
        return self.may_fail or not self.brief


@dataclass(frozen=True, eq=False)
class BranchPlan:
    """The plan of one of the graphs of an op that runs one of them.

    Attributes
    ----------
    node
        The op's node.
    region
        The graph's plan.
    places, next_places
        For each input and output, the name that the op gives to its memory; None for a scalar.
    may_fail
        Whether it may end the call with an error.
    """

    node: Apply
    region: RegionPlan
    places: tuple[Buffer | None, ...]
    next_places: tuple[Buffer | None, ...]
    may_fail: bool


@dataclass(frozen=True, eq=False)
class PlanContext:
    """What the plans of all regions of a program share.

    Attributes
    ----------
    names
        For names of lengths and buffers.
    positions
        The positions of arrays that the caller provides, for memory whose size is known late.
    costs
        What decides which nodes share loops.
    listens
        Whether reasons are kept.
    """

    names: Names
    positions: Iterator[int]
    costs: Costs = COSTS
    listens: bool = False


def plan_region(
    final: FinalGraph,
    context: PlanContext,
    donors: Sequence[int | None],
    wishes: Sequence[str] = (),
) -> RegionPlan:
    """Return the plan of a graph with inputs and outputs of the caller's.

    Parameters
    ----------
    final
        The graph with its expressions, and with the graphs inside of its ops.
    context
        What all regions share.
    donors
        For each output the number of the input whose memory it may take over, or None.
    wishes
        Names for the outputs; empty where there is none.
    """

    def place(schedule: Schedule) -> _Places:
        inputs: dict[Tensor, Buffer] = {}
        for number, variable in enumerate(final.graph.inputs):
            name = context.names.fresh(variable.name or f"input{number}")
            is_array = hasattr(variable, "ndim")
            dims = schedule.shapes.dims(variable) if is_array else (Index.of(0),)
            inputs[variable] = Buffer(name, variable.dtype, "input", product(dims), number)
        return inputs, None

    return _plan(final, context, donors, place, wishes=wishes)


def plan_loop(node: Apply, final: FinalGraph, around: Schedule, context: PlanContext) -> LoopPlan:
    """Return the plan of the graph of an op that runs it in a loop.

    Parameters
    ----------
    node
        The op's node.
    final
        The graph.
    around
        The schedule of the region with the node.
    context
        What all regions share.
    """
    from symtheano.loops.layout import fixed_inputs

    graph, loop = final.graph, cast("Scan", node.op)
    donors = loop.carried()
    fixed = fixed_inputs(loop.sources(), donors)
    outside = named_outside(graph, rows_of(node, around), around)

    def place(schedule: Schedule) -> _Places:
        for output in graph.outputs:
            if schedule.is_late(schedule.shapes.dims(output)):
                raise NotImplementedError(
                    format_error(
                        f"{loop}: a state whose lengths are only known in the loop is not compiled",
                        places=[output.origin, node.origin],
                        hint="mode='INTERPRET' runs it; if it has the lengths of x, "
                        "reshape(x.shape) says so",
                    )
                )
        return _named(schedule, context.names, "state", "next")

    region = _plan(final, context, donors, place, outside)
    schedule, memory, guards = region.schedule, region.memory, region.shapes.guards
    region = replace(region, settled=settled_edges(schedule, memory, donors))
    next_places = tuple(
        None if number in memory.donated else buffer for number, buffer in enumerate(memory.outputs)
    )
    early = frozenset(guard for guard in guards if _is_of_lengths(guard, schedule))
    may_fail = region.may_fail or len(early) < len(guards)
    elementwise = not may_fail and is_elementwise(node, schedule, region.nests)
    brief = is_brief(node, graph, context.costs)
    spare = tuple(
        None
        if buffer is None or carried is None or elementwise
        else replace(buffer, name=context.names.fresh("spare"), space="arena")
        for buffer, carried in zip(next_places, donors, strict=True)
    )
    return LoopPlan(
        node,
        region,
        region.places,
        next_places,
        spare,
        slots=(*memory.slots, *(_slot_of(buffer) for buffer in spare if buffer is not None)),
        fixed=fixed,
        early=early,
        brief=brief,
        may_fail=may_fail,
        elementwise=elementwise,
    )


def plan_branches(
    node: Apply, finals: Sequence[FinalGraph], around: Schedule, context: PlanContext
) -> tuple[BranchPlan, ...]:
    """Return the plans of the graphs of an op that runs one of them.

    Parameters
    ----------
    node
        The op's node.
    finals
        The graphs.
    around
        The schedule of the region with the node.
    context
        What all regions share.
    """
    first = len(node.inputs) - len(node.op.branches[0].inputs)
    dims = [around.shapes.dims(item) for item in around.operands.inputs(node)[first:]]
    plans = []
    for final in finals:
        graph = final.graph
        required = [item for _, requirement in graph.required for item in requirement.variables]
        used = set(ancestors([*graph.outputs, *required]))

        def place(schedule: Schedule, used: Collection[Variable] = used) -> _Places:
            return _named(schedule, context.names, "given", "result", used)

        outside = named_outside(graph, dims, around)
        region = _plan(final, context, [None] * len(graph.outputs), place, outside)
        fails = region.may_fail or bool(region.shapes.guards)
        plans.append(BranchPlan(node, region, region.places, region.memory.outputs, fails))
    return tuple(plans)


_Places = tuple[Mapping[Tensor, Buffer], Sequence[Buffer | None] | None]
"""Buffers of a graph's inputs, and of its outputs; None if these are chosen with other memory."""


def _named(
    schedule: Schedule,
    names: Names,
    default: str,
    result: str,
    used: Collection[Variable] | None = None,
) -> _Places:
    """Return names for arrays that are used; None for other outputs, and for scalars."""

    def place(variable: Tensor, default: str) -> Buffer | None:
        if not variable.ndim:
            return None
        size = product(schedule.shapes.dims(variable))
        return Buffer(names.fresh(variable.name or default), variable.dtype, "chosen", size)

    read = [v for v in schedule.graph.inputs if used is None or v in used]
    inputs = {variable: place(variable, default) for variable in read}
    outputs = [place(variable, result) for variable in schedule.graph.outputs]
    return {variable: buffer for variable, buffer in inputs.items() if buffer}, outputs


def _plan(
    final: FinalGraph,
    context: PlanContext,
    donors: Sequence[int | None],
    place: Callable[[Schedule], _Places],
    outer: OuterLengths = MappingProxyType({}),
    wishes: Sequence[str] = (),
) -> RegionPlan:
    """Return the plan of a graph whose inputs and outputs are where ``place`` says."""
    graph = final.graph
    shapes = shapes_of(final, context.names, outer)
    lent = {graph.inputs[k] for k in donors if k is not None}
    schedule = make_schedule(graph, shapes, lent, final.late, context.costs, context.listens)
    loops: dict[Step, LoopPlan] = {}
    branches: dict[Step, tuple[BranchPlan, ...]] = {}
    inside: dict[Step, Inside] = {}
    for step in schedule.steps:
        if not isinstance(step, OpStep):
            continue
        if step.node.op.region is not None:
            loop = plan_loop(step.node, final.inner[step.node][0], schedule, context)
            loops[step], inside[step] = loop, Inside([loop.slots], loop.may_end)
        if step.node.op.branches:
            plans = plan_branches(step.node, final.inner[step.node], schedule, context)
            slots = [plan.region.memory.slots for plan in plans]
            branches[step] = plans
            inside[step] = Inside(slots, any(plan.may_fail for plan in plans))
    nests = plan_nests(schedule)
    inputs, destinations = place(schedule)
    memory = plan_memory(
        *(schedule, nests, inputs, donors, context.names, inside),
        *(destinations, wishes, context.positions),
    )
    return RegionPlan(
        *(graph, shapes, schedule, nests, MappingProxyType(loops), MappingProxyType(branches)),
        *(MappingProxyType(inputs), memory),
    )


def _slot_of(buffer: Buffer) -> Slot:
    return Slot((buffer,), buffer.size * np.dtype(buffer.dtype).itemsize)


def _is_of_lengths(guard: Guard, schedule: Schedule) -> bool:
    """Return whether a requirement compares lengths that are known before the loop."""
    from symtheano.loops.lengths import compares_lengths

    read = [guard.condition, *(item for item in guard.values if not isinstance(item, int))]
    return all(schedule.at(item) == 0 for item in read) and compares_lengths(read)
