"""Region: a graph that writes itself into a frame.

It reads shapes, checks requirements, computes 0-d values in straight-line code where they are first
needed, and calls kernels and library routines in order.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from symtheano.codegen.arrays import Arrays
from symtheano.codegen.frame import Frame
from symtheano.codegen.nests.writer import NestWriter
from symtheano.codegen.numbers import EntryNumbers
from symtheano.codegen.op_steps import OpWriter
from symtheano.codegen.plan.epilogue import join_epilogues
from symtheano.codegen.plan.memory import MemoryPlan
from symtheano.codegen.plan.schedule import Schedule
from symtheano.codegen.plan.shapes import Guard, Shapes, axis_of_length
from symtheano.codegen.plan.slots import Inside, Slot as ArenaSlot
from symtheano.codegen.plan.stages import NestPlan
from symtheano.codegen.plan.steps import Nest, OpStep, Step, is_unit
from symtheano.dataclass import replace
from symtheano.graph.intern import FunctionGraph
from symtheano.graph.variable import Apply, Constant, Variable
from symtheano.graph.walk import toposort
from symtheano.loopir import (
    Allocate,
    Buffer,
    Index,
    Kernel,
    LetIndex,
    Literal,
    Slot,
    Tick,
    Value,
    View,
)
from symtheano.loopir.builder import Names
from symtheano.loopir.index import product
from symtheano.loopir.nodes import Operand


class Region(EntryNumbers):
    """A graph that writes itself into a frame: its numbers, kernels and calls, in order.

    Parameters
    ----------
    frame
        What surrounds it.
    graph
        The rewritten graph.
    donors
        For each output the number of the input whose memory it may take over, or None.
    """

    def __init__(self, frame: Frame, graph: FunctionGraph, donors: Sequence[int | None]) -> None:
        self.frame, self.graph, self.b = frame, graph, frame.b
        names = self.b.names
        self.shapes = Shapes(graph, frame.rewriter, names)
        lent = {graph.inputs[donor] for donor in donors if donor is not None}
        self.schedule = Schedule(graph, self.shapes, lent)
        join_epilogues(self.schedule)
        nests = (s if isinstance(s, Nest) else s.epilogue for s in self.schedule.steps)
        self.plans = {nest: NestPlan(nest, self.schedule) for nest in nests if nest is not None}
        self.bodies = {
            step: LoopBody(self, step.node)
            for step in self.schedule.steps
            if isinstance(step, OpStep) and step.node.op.region is not None
        }
        inside: dict[Step, Inside] = {
            step: Inside(body.slots, body.may_fail) for step, body in self.bodies.items()
        }
        self.inputs = self._input_buffers(names)
        self.memory = MemoryPlan(
            self.schedule, self.plans, self.inputs, donors, names, inside, self._given(names)
        )
        self.values: dict[Variable, Operand] = {}
        self.defined: set[str] = set()
        self._guards = {guard.condition: guard for guard in self.shapes.guards}
        self._checked: set[Guard] = set()
        self._arrays = Arrays(self)
        self._ops = OpWriter(self)

    def _input_buffers(self, names: Names) -> dict[Variable, Buffer]:
        """Return the memory of the inputs that are in memory."""
        found = {}
        for number, variable in enumerate(self.graph.inputs):
            wish = variable.name or f"input{number}"
            is_array = hasattr(variable, "ndim")
            size = product(self.shapes.dims(variable)) if is_array else Index.of(0)
            found[variable] = Buffer(names.fresh(wish), variable.dtype, "input", size, number)
        return found

    def _given(self, names: Names) -> list[Buffer | None] | None:
        """Return the memory of the outputs if it is not the caller's."""
        return None

    # -- the whole -------------------------------------------------------------------------------

    def write(self) -> None:
        """Write everything in order."""
        self.input_dims = self._name_input_dims()
        self._readers = self._scalar_readers()
        self._before_step(0)
        self._reserve()
        self._write_steps()
        if self.frame.measured:
            self.b.emit(Tick(-1))
        self._finish_outputs()

    def _write_steps(self) -> None:
        around = self.b.workspace
        self.b.workspace = partial(self.frame.steps.of_call, self.memory.hidden_buffer)
        for position, step in enumerate(self.schedule.steps):
            if isinstance(step, Nest):
                if step.members:
                    self._nest(position, step)
            else:
                self._ops.write(step)
            self._before_step(position + 1)
        self.b.workspace = around

    def _name_input_dims(self) -> tuple[tuple[str, ...], ...]:
        """Name the lengths of inputs that are used; they are defined from the beginning."""
        named = {}
        for name, variable in self.shapes.definitions.items():
            owner = variable.owner
            if owner is not None and owner.op.form == "length" and owner.inputs[0] in self.inputs:
                named[owner.inputs[0], axis_of_length(owner)] = name
                self.defined.add(name)
                self.values[variable] = Value(name, "int64")
        return tuple(
            tuple(named.get((v, axis), "") for axis in range(getattr(v, "ndim", 0)))
            for v in self.graph.inputs
        )

    def _scalar_readers(self) -> dict[int, list[Any]]:
        """Return by position the 0-d values that are computed from elements of arrays."""
        found: dict[int, list[Any]] = {}
        for variable in self.schedule.entry:
            owner: Any = variable.owner
            if owner.op.form == "elemwise" or owner.op.form == "element":
                roots = [self.schedule.root(item) for item in owner.inputs]
                if any(root in self.memory.buffers for root in roots):
                    found.setdefault(self.schedule.ready.first[variable], []).append(variable)
        return found

    def view(self, variable: Any) -> View:
        """Return an array in memory as a view; every name in it is defined."""
        view = self._arrays.view(variable)
        self.need(*view.shape, *view.strides, view.offset)
        return view

    # -- memory ----------------------------------------------------------------------------------

    def _reserve(self) -> None:
        """Allocate the outputs and the workspace whose sizes are known from the inputs."""
        for position in range(len(self.schedule.outputs)):
            if not self.memory.is_late_output(position):
                self._allocate(position)
        self._need_sizes()
        self.frame.open()
        for slot in self.memory.slots:
            self.frame.arena.append(Slot(tuple(slot.buffers), slot.size * slot.itemsize))

    def _need_sizes(self) -> None:
        """Define what the sizes of the workspace are computed from."""
        for body in self.bodies.values():
            body.define_lengths()
        for slot in self.memory.slots:
            self.need(slot.size)
        for plan in self.plans.values():
            if plan.needs_memory and not self.memory.is_late(plan.nest.space):
                self.need(*plan.nest.space)  # for the sizes of the kernel's own memory
        for step in self.schedule.steps:
            if isinstance(step, OpStep) and step.node.op.has_workspace:
                self._need_early(step.node)
        self.frame.steps.early |= self.defined

    def _need_early(self, node: Apply) -> None:
        """Define what the size of a routine's workspace depends on, as far as it is known."""
        held = [*self.schedule.inputs(node), *node.outputs]
        dims = [dim for v in held if hasattr(v, "ndim") for dim in self.schedule.dims(v)]
        for index in (*dims, *self.shapes.scalars(node)):
            if not self.memory.is_late([index]):
                self.need(index)

    def _allocate(self, position: int) -> None:
        buffer = self.memory.outputs[position]
        assert buffer is not None
        if buffer.space == "output":
            dims = self.schedule.dims(self.graph.outputs[position])
            self.need(*dims)
            self.b.emit(Allocate(buffer, dims))

    def before(self, step: Any) -> None:
        """Allocate what a step writes whose size has only now become known."""
        for variable in self.memory.defined_by(step):
            positions = [k for k, o in enumerate(self.schedule.outputs) if o is variable]
            if positions:
                if self.memory.is_late_output(positions[0]):
                    self._allocate(positions[0])
            elif variable in self.memory.late:
                dims = self.schedule.dims(variable)
                self.need(*dims)
                self.b.emit(Allocate(self.memory.buffers[variable], dims))

    # -- steps -----------------------------------------------------------------------------------

    def _before_step(self, position: int) -> None:
        """Check what can be checked, and read array elements into scalars while they are there."""
        for guard in self.schedule.guards.get(position, ()):
            self._check(guard)
        for variable in self._readers.get(position, ()):
            self._read_elements(variable)

    def _read_elements(self, variable: Any) -> None:
        """Load the elements that a 0-d value is computed from; the value itself can wait.

        A value that is computed close to where it is used is in a register.
        """
        node = variable.owner
        if node.op.form != "elemwise":
            self.scalar(variable)
            return
        for item in node.inputs:
            if self.schedule.root(item) in self.memory.buffers:
                self._leaf(item)

    def hold(self, node: Apply) -> None:
        """Check the requirements of a node before it reads anything, if not done before."""
        for condition in self.shapes.conditions.get(node, ()):
            if condition in self._guards:
                self._check(self._guards[condition])

    def _check(self, guard: Guard) -> None:
        if guard in self._checked:
            return
        self._checked.add(guard)
        condition = self.condition(guard.condition)
        if condition == Literal(True, "bool"):
            return
        values = tuple(self._integer(value) for value in guard.values)
        requirement, self.b.origin = guard.requirement, guard.node.origin
        self.b.check(condition, requirement.code, requirement.message, values, requirement.error)

    def _integer(self, value: Any) -> Index:
        if isinstance(value, int):
            return Index.of(value)
        return self.b.as_index(self.b.cast(self.scalar(value), "int64"))

    def _nest(self, position: int, nest: Nest) -> None:
        self.before(nest)
        self.need(*nest.space)
        writer = NestWriter(self.plans[nest], self, self.b)
        name = self.b.names.fresh(writer.wish(position))
        self.frame.tick(writer.title(), nest.members[0].node)
        self.emit_kernel(writer.write(name))
        self.values.update(writer.results)

    def emit_kernel(self, naive: Kernel) -> None:
        """Emit a kernel that was written naively, after all passes."""
        self.frame.emit_kernel(naive, self.memory, self.need)

    def start_from(self, target: View, start: View) -> None:
        """Copy the initial value of an output into it, unless it uses the same memory."""
        self._ops.start_from(target, start)

    def scalars_of(self, node: Apply) -> list[Index]:
        """Return the integers of a node, defined."""
        scalars = self.shapes.scalars(node)
        self.need(*scalars)
        return scalars

    # -- outputs ---------------------------------------------------------------------------------

    def _finish_outputs(self) -> None:
        """Store 0-d outputs; copy values that are output twice."""
        written = dict(self.memory.buffers)
        for position, output in enumerate(self.schedule.outputs):
            buffer = self.memory.outputs[position]
            if buffer is None or written.get(output) == buffer:
                continue  # it is a scalar of a loop, or was made there
            if self.memory.is_late_output(position):
                self._allocate(position)
            target = View.contiguous(buffer, self.schedule.dims(output))
            self.b.origin = output.origin
            if output in written:
                source = View.contiguous(written[output], self.schedule.dims(output))
                self.b.call("copy", target.address, source.address, target.size)
            elif is_unit(output):
                self.b.store(target, [Index.of(0)] * output.ndim, self.scalar(output))
                written[output] = buffer


class LoopBody(Region):
    """The graph of an op that runs it in a loop, or not at all.

    Each iteration reads its inputs from places, and writes its outputs to places, that the op has
    named before. 0-d inputs and outputs are scalars.

    Parameters
    ----------
    around
        The region with the op.
    node
        The op's node.

    Attributes
    ----------
    places
        For each input, the name that the op gives to its memory; None for a scalar.
    next_places
        For each output, the name that the op gives to its memory; None for a scalar, and for an
        output that is made in the memory of the input that it replaces.
    spare
        For each of these names, memory for an op that needs it.
    slots
        The workspace.
    may_fail
        Whether it may end the call with an error.
    """

    def __init__(self, around: Region, node: Apply) -> None:
        self.around, self.node = around, node
        frame, op = around.frame, node.op
        self.slots: list[ArenaSlot] = []
        self.may_fail = False
        super().__init__(frame, frame.rewriter.rewrite(op.region), op.carried())
        outputs = self.schedule.graph.outputs
        self.places = [self.inputs.get(v) for v in self.graph.inputs]
        self.next_places = [
            None if number in self.memory.donated else self.memory.outputs[number]
            for number in range(len(outputs))
        ]
        self.spare = [
            None
            if place is None
            else replace(place, name=frame.b.names.fresh("spare"), space="arena")
            for place in self.next_places
        ]
        self.slots += [
            *self.memory.slots,
            *(
                ArenaSlot(spare.size, np.dtype(spare.dtype).itemsize, [spare])
                for spare in self.spare
                if spare is not None
            ),
        ]
        ops = [step.node.op for step in self.schedule.steps if isinstance(step, OpStep)]
        self.may_fail = (
            any(op.form == "python" or op.may_fail for op in ops)
            or any(not self._is_of_lengths(guard) for guard in self.shapes.guards)
            or any(body.may_fail for body in self.bodies.values())
        )

    def _input_buffers(self, names: Names) -> dict[Variable, Buffer]:
        return {
            variable: self._place(variable, variable.name or "state", names)
            for variable in self.graph.inputs
            if variable.ndim
        }

    def _given(self, names: Names) -> list[Buffer | None]:
        ready, definitions = self.schedule.ready, self.shapes.definitions
        for output in self.graph.outputs:
            used = {name for dim in self.schedule.dims(output) for name in dim.names()}
            if any(ready.at(definitions[name]) > 0 for name in used):
                raise NotImplementedError(
                    f"{self.node.op}: a state whose lengths are only known in the loop"
                )
        return [
            self._place(output, output.name or "next", names) if output.ndim else None
            for output in self.graph.outputs
        ]

    def _place(self, variable: Any, wish: str, names: Names) -> Buffer:
        size = product(self.shapes.dims(variable))
        return Buffer(names.fresh(wish), variable.dtype, "chosen", size)

    def _is_of_lengths(self, guard: Guard) -> bool:
        """Return whether a requirement compares lengths that are known before the loop."""
        return self.schedule.ready.at(guard.condition) == 0 and all(
            node.op.form in ("elemwise", "length")
            and (
                node.op.form == "length"
                or all(item.owner or isinstance(item, Constant) for item in node.inputs)
            )
            for node in toposort([guard.condition], [])
        )

    def define_lengths(self) -> None:
        """Define the lengths, and check what they require, before the loop."""
        given = self.around.schedule.inputs(self.node)
        names = self._name_input_dims()
        for item, axes in zip(given, names, strict=True):
            for axis, name in enumerate(axes):
                if not name:
                    continue
                length = self.around.schedule.dims(item)[axis]
                if self.around.memory.is_late([length]):
                    raise NotImplementedError(
                        f"{self.node.op}: a loop over arrays whose lengths depend on values"
                    )
                self.around.need(length)
                self.b.emit(LetIndex(Value(name, "int64"), length))
        self._need_sizes()
        for guard in self.schedule.guards.get(0, ()):
            if self._is_of_lengths(guard):
                self._check(guard)
        for number, carried in enumerate(self.node.op.carried()):
            if carried is not None:
                self._check_lengths(self.graph.outputs[number], self.graph.inputs[carried])

    def _check_lengths(self, output: Any, state: Any) -> None:
        """Check that the next state has the lengths of the state."""
        for axis, (new, old) in enumerate(
            zip(self.schedule.dims(output), self.schedule.dims(state), strict=True)
        ):
            if new != old:
                self.need(new, old)
                same = self.b.let("eq", "bool", [self.b.operand(new), self.b.operand(old)])
                op: Any = self.node.op
                message = partial(op.changed_length, self.node, axis)
                self.b.check(same, "shape", message, (new, old))

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
            The values of 0-d inputs.

        Returns
        -------
        list
            Those of 0-d outputs.
        """
        for variable, value in zip(self.graph.inputs, scalars, strict=True):
            if value is not None:
                self.values[variable] = value
        self._readers = self._scalar_readers()
        self._before_step(0)
        self._write_steps()
        self._finish_outputs()
        return [None if output.ndim else self.scalar(output) for output in self.schedule.outputs]
