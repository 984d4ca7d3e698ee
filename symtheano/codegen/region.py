"""Region: a graph that writes itself into a frame.

It reads shapes, checks requirements, computes 0-d values in straight-line code where they are first
needed, and calls kernels and library routines in order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from symtheano.codegen.arrays import Arrays
from symtheano.codegen.exchange import Iterations, parted
from symtheano.codegen.frame import Frame
from symtheano.codegen.nests.writer import NestWriter
from symtheano.codegen.numbers import Numbers
from symtheano.codegen.op_steps import OpWriter
from symtheano.codegen.plan.outside import rows_of
from symtheano.codegen.plan.regions import BranchPlan, LoopPlan, RegionPlan
from symtheano.codegen.plan.shapes import Guard
from symtheano.codegen.plan.steps import Nest, OpStep, Step, is_unit, stored_by
from symtheano.dataclass import replace
from symtheano.graph.variable import Apply
from symtheano.loopir import (
    Allocate,
    Buffer,
    For,
    Index,
    LetIndex,
    Literal,
    Poll,
    Reserve,
    Statement,
    Tick,
    Value,
    View,
)
from symtheano.loopir.memory import INPUT, OUTPUT
from symtheano.loopir.operands import Operand
from symtheano.lowering import Element, Elementwise, Length
from symtheano.tensor.variable import Dim, Tensor


class Region:
    """A graph that writes itself into a frame: its numbers, kernels and calls, in order.

    Parameters
    ----------
    frame
        What surrounds it.
    plan
        What has been decided of it.
    """

    def __init__(self, frame: Frame, plan: RegionPlan) -> None:
        self.frame, self.plan, self.b = frame, plan, frame.b
        self.graph, self.shapes, self.schedule = plan.graph, plan.shapes, plan.schedule
        self.memory = plan.memory
        self.numbers = Numbers(self.b, plan, self.view, self.hold)
        self.arrays = Arrays(self.b, plan, self.numbers, frame.constants)
        self.bodies: Mapping[Step, LoopBody | Sequence[BranchBody]] = {
            **{step: LoopBody(self, loop) for step, loop in plan.loops.items()},
            **{
                step: [BranchBody(self, branch) for branch in plans]
                for step, plans in plan.branches.items()
            },
        }
        self._checked: set[Guard] = set()
        self._readers = self._scalar_readers()
        self._ops = OpWriter(self)

    def scalar(self, variable: Tensor) -> Operand:
        """Return a 0-d value, computing it if necessary."""
        return self.numbers.scalar(variable)

    def need(self, *indices: Index) -> None:
        """Define every name in the indices."""
        self.numbers.need(*indices)

    def view(self, variable: Tensor) -> View:
        """Return an array in memory as a view; every name in it is defined."""
        return self.arrays.view(variable)

    # -- the whole -------------------------------------------------------------------------------

    def write(self) -> tuple[tuple[str, ...], ...]:
        """Write everything in order; return the names of the lengths of inputs."""
        input_dims = self.name_input_dims()
        self._before_step(0)
        self.need_sizes()
        self.b.emit(Reserve())
        checked = self._steps_of_checks()
        self._write_steps(0, checked)
        self._allocate_outputs()
        self._write_steps(checked)
        if self.frame.measured:
            self.b.emit(Tick(-1))
        self._finish_outputs()
        return input_dims

    def write_inside(self, scalars: Mapping[Tensor, Operand]) -> list[Operand | None]:
        """Write everything in order, with memory that is there.

        Parameters
        ----------
        scalars
            The values of 0-d inputs that are not known from before.

        Returns
        -------
        list
            Those of 0-d outputs.
        """
        self.numbers.values.update(scalars)
        self._before_step(0)
        self._write_steps()
        self._finish_outputs()
        return [None if output.ndim else self.scalar(output) for output in self.schedule.outputs]

    def define_lengths(self, dims: Sequence[Index], names: Sequence[str], around: Region) -> None:
        """Define the lengths of an input, which have other names around this."""
        for length, name in zip(dims, names, strict=True):
            if name:
                around.need(length)
                if length.name != name:
                    self.b.emit(LetIndex(Value(name, "int64"), length))

    def _steps_of_checks(self) -> int:
        """Return how many steps only compute conditions of checks, before all others."""
        count = 0
        for position, step in enumerate(self.schedule.steps, 1):
            if not isinstance(step, Nest) or step.stores:
                break
            if position in self.schedule.guards:
                count = position
        return count

    def _write_steps(self, first: int = 0, end: int | None = None) -> None:
        for position, step in enumerate(self.schedule.steps[first:end], first):
            if isinstance(step, Nest):
                if step.members:
                    self._nest(position, step)
            else:
                self._ops.write(step)
            self._before_step(position + 1)

    def name_input_dims(self) -> tuple[tuple[str, ...], ...]:
        """Name the lengths of inputs that are used; they are defined from the beginning."""
        named = {}
        for name, variable in self.shapes.definitions.items():
            owner = variable.owner
            if owner is None or not isinstance(owner.op.lowering, Length):
                continue
            if owner.inputs[0] in self.graph.inputs:
                named[owner.inputs[0], owner.op.lowering.axis] = name
                self.numbers.define(name)
        return tuple(
            tuple(named.get((v, axis), "") for axis in range(getattr(v, "ndim", 0)))
            for v in self.graph.inputs
        )

    def _scalar_readers(self) -> dict[int, list[Tensor]]:
        """Return by position the 0-d values that are computed from elements of arrays.

        Elements of inputs that are not written are read where they are needed; a length that an op
        tells is read after it.
        """
        written = {buffer.name for buffer in self.memory.outputs if buffer is not None}
        changing = {
            variable
            for variable, buffer in self.memory.buffers.items()
            if buffer.memory is not INPUT or buffer.name in written
        }
        readers: dict[int, list[Tensor]] = {}
        for variable in self.shapes.definitions.values():
            if variable.owner is not None and variable in self.memory.buffers:
                readers.setdefault(self.schedule.ready[variable], []).append(variable)
        for variable in self.schedule.entry:
            owner = variable.owner
            if owner is not None and isinstance(owner.op.lowering, (Elementwise, Element)):
                roots = [self.schedule.operands.root(item) for item in owner.inputs]
                elementwise = isinstance(owner.op.lowering, Elementwise)
                arrays = changing if elementwise else self.memory.buffers
                if any(root in arrays for root in roots):
                    readers.setdefault(self.schedule.ready[variable], []).append(variable)
        return readers

    # -- memory ----------------------------------------------------------------------------------

    def _allocate_outputs(self) -> None:
        """Allocate the outputs whose sizes are known from the inputs."""
        for position in range(len(self.schedule.outputs)):
            if not self.schedule.is_late_output(position):
                self._allocate(position)

    def need_sizes(self) -> None:
        """Define what the sizes of the workspace are computed from."""
        for bodies in self.bodies.values():
            for body in [bodies] if isinstance(bodies, LoopBody) else bodies:
                body.define_lengths()
        for slot in self.memory.slots:
            self.need(slot.size)
        for nest, plan in self.plan.nests.items():
            if plan.needs_memory and not self.schedule.is_late(nest.space):
                self.need(*nest.space)  # for the sizes of the kernel's own memory
        for step in self.schedule.steps:
            if isinstance(step, OpStep) and step.node.op.lowering.workspace:
                self._need_early(step.node)

    def _need_early(self, node: Apply) -> None:
        """Define what the size of a routine's workspace depends on, as far as it is known."""
        held = [*self.schedule.operands.inputs(node), *node.outputs]
        dims = [dim for v in held if hasattr(v, "ndim") for dim in self.shapes.dims(v)]
        for index in (*dims, *self.shapes.scalars(node)):
            if not self.schedule.is_late([index]):
                self.need(index)

    def _allocate(self, position: int) -> None:
        buffer = self.memory.outputs[position]
        assert buffer is not None
        self._ask_for(buffer, self.shapes.dims(self.graph.outputs[position]))

    def _ask_for(self, buffer: Buffer, shape: Sequence[Index]) -> None:
        if buffer.memory is OUTPUT:
            self.need(*shape)
            self.b.emit(Allocate(buffer, tuple(shape)))

    def before(self, step: Step) -> None:
        """Allocate what a step writes whose size has only now become known."""
        for variable in stored_by(step):
            positions = [k for k, o in enumerate(self.schedule.outputs) if o is variable]
            rows = self.memory.rows.get(variable)
            if rows is not None:
                self._ask_for(rows.reserved, rows.shape)
            elif positions and self.schedule.is_late_output(positions[0]):
                self._allocate(positions[0])
            elif not positions and variable in self.memory.late:
                self._ask_for(self.memory.buffers[variable], self.shapes.dims(variable))

    # -- steps -----------------------------------------------------------------------------------

    def _before_step(self, position: int) -> None:
        """Check what can be checked, and read array elements into scalars while they are there."""
        for guard in self.schedule.guards.get(position, ()):
            self.check(guard)
        for variable in self._readers.get(position, ()):
            self.numbers.read_elements(variable)

    def hold(self, node: Apply) -> None:
        """Check the requirements of a node before it reads anything, if not done before."""
        for condition in self.shapes.conditions.get(node, ()):
            self.check(self.shapes.guard_of[condition])

    def check(self, guard: Guard) -> None:
        if guard in self._checked:
            return
        self._checked.add(guard)
        condition = self.numbers.condition(guard.condition)
        if condition == Literal(True, "bool"):
            return
        values = tuple(self._integer(value) for value in guard.values)
        requirement, self.b.origin = guard.requirement, guard.node.origin
        self.b.check(condition, requirement.code, requirement.message, values, requirement.error)

    def _integer(self, value: Dim) -> Index:
        if isinstance(value, int):
            return Index.of(value)
        return self.b.as_index(self.b.cast(self.scalar(value), "int64"))

    def _nest(self, position: int, nest: Nest) -> None:
        self.before(nest)
        self.need(*nest.space)
        writer = NestWriter(self.plan.nests[nest], self, self.b)
        name = self.b.names.fresh(writer.wish(position))
        self.frame.tick(writer.title(), nest.members[0].node)
        self.b.emit(writer.write(name))
        self.numbers.values.update(writer.results)

    def start_from(self, target: View, start: View) -> None:
        """Copy the initial value of an output into it, unless it uses the same memory."""
        self._ops.start_from(target, start)

    # -- outputs ---------------------------------------------------------------------------------

    def _finish_outputs(self) -> None:
        """Store 0-d outputs; copy values that are output twice."""
        written = dict(self.memory.buffers)
        for position, output in enumerate(self.schedule.outputs):
            buffer = self.memory.outputs[position]
            if buffer is None or written.get(output) == buffer:
                continue  # it is a scalar of a loop, or was made there
            if self.schedule.is_late_output(position):
                self._allocate(position)
            target = self.arrays.within(buffer, self.shapes.dims(output))
            self.b.origin = output.origin
            if output in written:
                source = self.arrays.within(written[output], self.shapes.dims(output))
                self.b.call("copy", target.address, source.address, target.size)
            elif is_unit(output):
                self.b.store(target, [Index.of(0)] * output.ndim, self.scalar(output))
                written[output] = buffer


class LoopBody:
    """The graph of an op that runs it in a loop, or not at all.

    Each iteration reads its inputs from places, and writes its outputs to places, that the op has
    named before. 0-d inputs and outputs are scalars.

    Parameters
    ----------
    around
        The region with the op.
    plan
        What has been decided of the loop.

    Attributes
    ----------
    places, next_places, spare
        Those of the plan.
    rows
        For each result of the op, its memory if the op tells how many rows it has.
    settled
        For each output, whether iterations leave its edges as they were before the loop.
    is_elementwise
        Whether each element goes through all iterations by itself.
    """

    def __init__(self, around: Region, plan: LoopPlan) -> None:
        self.around, self.plan, self.b = around, plan, around.b
        self.node, self.graph, self.shapes = plan.node, plan.region.graph, plan.region.shapes
        self.places, self.next_places, self.spare = plan.places, plan.next_places, plan.spare
        self.is_elementwise = plan.elementwise
        self.rows = [around.memory.rows.get(output) for output in plan.node.outputs]
        outputs = plan.region.schedule.outputs
        self.settled = [output in plan.region.settled for output in outputs]
        self.region = Region(around.frame, plan.region)

    def define_lengths(self) -> None:
        """Define the lengths, and check what they require, before the loop."""
        region, around = self.region, self.around
        names = region.name_input_dims()
        inputs = around.schedule.operands.inputs(self.node)
        for inner, number in zip(self.graph.inputs, self.plan.fixed, strict=True):
            if not (number is None or inner.ndim or inner in region.schedule.late.inputs):
                region.numbers.values[inner] = around.scalar(inputs[number])
        for dims, axes in zip(rows_of(self.node, around.schedule), names, strict=True):
            if around.schedule.is_late(d for d, name in zip(dims, axes, strict=True) if name):
                raise NotImplementedError(
                    f"{self.node.op}: a loop over arrays whose lengths depend on values"
                )
            region.define_lengths(dims, axes, around)
        region.need_sizes()
        for guard in region.schedule.guards.get(0, ()):
            if guard in self.plan.early:
                region.check(guard)

    def start(self, target: View, source: View) -> None:
        """Copy the initial value of a state to its place, unless it is there."""
        self.around.start_from(target, source)

    def is_there(self, target: View, source: View) -> bool:
        """Return whether the initial value of a state is in its place."""
        return self.around.memory.share_place(source.buffer, target.buffer)

    def write_iteration(self, scalars: Sequence[Operand | None]) -> list[Operand | None]:
        """Write one iteration.

        Parameters
        ----------
        scalars
            The values of 0-d inputs, of which the first one is the number of the iteration.

        Returns
        -------
        list
            Those of 0-d outputs.
        """
        assert scalars[0] is not None
        self.b.iterations.append((str(self.node.op), scalars[0]))
        values = zip(self.graph.inputs, scalars, strict=True)
        results = self.region.write_inside({v: value for v, value in values if value is not None})
        self.b.iterations.pop()
        return results

    def end_iteration(self) -> None:
        """Write the end of an iteration: the host may end the call there."""
        if not self.plan.brief:
            self.b.emit(Poll())

    def exchange(
        self,
        step: Value,
        steps: Index,
        iteration: Sequence[Statement],
        registers: Mapping[str, Operand],
        results: Sequence[tuple[Value, Operand]],
    ) -> None:
        """Write all iterations of an elementwise graph.

        Parameters
        ----------
        step, steps
            The number of the iteration, and of all.
        iteration
            What was written for one.
        registers
            Initial states whose elements are all one number, by their buffers.
        results
            The 0-d states, and their next values. The states are then the last ones.
        """
        for statement in iteration:
            if isinstance(statement, Tick):
                self.b.emit(statement)
        scalars, nests = parted(iteration)
        unused = {
            self.around.memory.buffers[output].name
            for output in self.node.outputs
            if output.ndim and output not in self.around.schedule.views.clients
        }
        loop = Iterations(step, steps, scalars, registers, unused, results, self.plan.brief)
        self.b.emit(loop.inside(nests, self.b.names))
        for statement in loop.alone(self.b.names) if results else ():
            if isinstance(statement, For) and not self.plan.brief:
                statement = replace(statement, body=(*statement.body, Poll()))
            self.b.emit(statement)


class BranchBody:
    """One of the graphs of an op that runs one of them.

    Parameters
    ----------
    around
        The region with the op.
    plan
        What has been decided of the graph.
    """

    def __init__(self, around: Region, plan: BranchPlan) -> None:
        self.around, self.plan = around, plan
        self.region = Region(around.frame, plan.region)
        self._names = self.region.name_input_dims()

    def define_lengths(self) -> None:
        """Define what is known before any work: the lengths and numbers that sizes depend on."""
        late = {
            name
            for inner, axes in zip(self.region.graph.inputs, self._names, strict=True)
            for name in axes
            if inner in self.region.schedule.late.inputs
        }
        self._define(late=False)
        self.region.numbers.defined -= late
        self.region.need_sizes()
        self.region.numbers.defined |= late

    def before(self) -> None:
        """Define the lengths and numbers that are only known where the op is."""
        self._define(late=True)

    def _define(self, late: bool) -> None:
        inputs = self.around.schedule.operands.inputs(self.plan.node)
        outer = inputs[len(inputs) - len(self._names) :]
        for variable, inner, axes in zip(outer, self.region.graph.inputs, self._names, strict=True):
            if (inner in self.region.schedule.late.inputs) != late:
                continue
            if not inner.ndim:
                self.region.numbers.values[inner] = self.around.scalar(variable)
            dims = self.around.shapes.dims(variable)
            self.region.define_lengths(dims, axes, self.around)

    def write(self, inputs: Sequence[View], outputs: Sequence[View]) -> tuple[Statement, ...]:
        """Return the statements of the graph, whose results go to the memory of the op's."""
        b = self.around.b
        with b.block() as statements:
            places = (*self.plan.places, *self.plan.next_places)
            for place, view in zip(places, (*inputs, *outputs), strict=True):
                if place is not None:
                    b.alias(place, view.address)
            for view, value in zip(outputs, self.region.write_inside({}), strict=True):
                if value is not None:
                    b.store(view, [], value)
        return tuple(statements)
