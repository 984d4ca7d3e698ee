"""Lowering: converts a schedule and its memory plan to one LoopIR program.

The entry point reads shapes, checks requirements, computes 0-d values in straight-line code where
they are first needed, and calls kernels and library routines in order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from symtheano.codegen.elements import is_zero
from symtheano.codegen.nests.scatter import ScatterWriter
from symtheano.codegen.nests.writer import NestWriter
from symtheano.codegen.numbers import EntryNumbers
from symtheano.codegen.passes import CPU_PASSES, Pass, run_passes
from symtheano.codegen.passes.finish import finish
from symtheano.codegen.passes.repeats import Repeats
from symtheano.codegen.passes.trace import Trace
from symtheano.codegen.plan.memory import MemoryPlan
from symtheano.codegen.plan.schedule import Schedule
from symtheano.codegen.plan.shapes import Guard, Shapes
from symtheano.codegen.plan.stages import NestPlan
from symtheano.codegen.plan.steps import VALUE, Nest, OpStep, is_unit
from symtheano.codegen.routines import ROUTINES
from symtheano.codegen.targets import CPU, Target
from symtheano.dataclass import dataclass, field
from symtheano.graph.intern import FunctionGraph
from symtheano.graph.variable import Apply, Constant, Variable
from symtheano.loopir import (
    Allocate,
    Buffer,
    Builder,
    Check,
    Choose,
    For,
    Index,
    Kernel,
    Literal,
    Load,
    Program,
    PythonCall,
    Slot,
    Store,
    Tick,
    Value,
    View,
)
from symtheano.loopir.builder import Names, Site
from symtheano.loopir.empty import skip_empty_loops
from symtheano.loopir.index import product
from symtheano.loopir.names import walk
from symtheano.loopir.nodes import Address, Call, Operand
from symtheano.rewrites.engine import Rewriter
from symtheano.tensor.call_broadcast import Either
from symtheano.tensor.elemwise import Elemwise
from symtheano.tensor.messages import call_message
from symtheano.tensor.shape import Shape_i


@dataclass(eq=False)
class Lowered:
    """A program and the information for its host.

    Attributes
    ----------
    program
        The LoopIR.
    sites
        Messages of the checks, by their numbers.
    python
        The nodes that run as Python, by their numbers.
    donors
        For each output, the input whose memory it uses, or None.
    hidden
        Additional outputs that only provide memory: dtype and ndim of each.
    steps
        For a program that measures its steps: what each one computes, and its line.
    """

    program: Program
    sites: list[Site] = field(default_factory=list)
    python: list[Apply] = field(default_factory=list)
    donors: list[int | None] = field(default_factory=list)
    hidden: list[tuple[str, int]] = field(default_factory=list)
    steps: list[tuple[str, str | None]] = field(default_factory=list)


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
    """
    donors = donors or [None] * len(graph.outputs)
    entry = _Entry(graph, rewriter, donors, measured, passes, trace, target)
    return entry.lower(name, title)


class _Entry(EntryNumbers):
    """Generates the entry point, in which the kernels are called."""

    def __init__(
        self,
        graph: FunctionGraph,
        rewriter: Rewriter,
        donors: Sequence[int | None],
        measured: bool,
        passes: Sequence[Pass],
        trace: Trace | None,
        target: Target,
    ) -> None:
        self.graph, self.passes, self.trace, self.target = graph, passes, trace, target
        self.measured = measured
        self.b = Builder(routines=ROUTINES)
        names = self.b.names
        self.shapes = Shapes(graph, rewriter, names)
        lent = {graph.inputs[donor] for donor in donors if donor is not None}
        self.schedule = Schedule(graph, self.shapes, lent)
        self.plans = {
            step: NestPlan(step, self.schedule)
            for step in self.schedule.steps
            if isinstance(step, Nest)
        }
        self.inputs = {v: self._input_buffer(k, v, names) for k, v in enumerate(graph.inputs)}
        self.memory = MemoryPlan(self.schedule, self.plans, self.inputs, donors, names)
        self.values: dict[Variable, Operand] = {}
        self.defined: set[str] = set()
        self._guards = {guard.condition: guard for guard in self.shapes.guards}
        self._checked: set[Guard] = set()
        self.constants: list[tuple[Buffer, Sequence[Any]]] = []
        self._views: dict[Variable, View] = {}
        self._chosen: dict[Variable, Buffer] = {}
        self._repeats = Repeats(self._after_passes)
        self.result = Lowered(Program(name="f", inputs=(), input_dims=(), outputs=(), body=()))

    def _input_buffer(self, number: int, variable: Any, names: Names) -> Buffer:
        wish = variable.name or f"input{number}"
        size = product(self.shapes.dims(variable)) if hasattr(variable, "ndim") else Index.of(0)
        return Buffer(names.fresh(wish), variable.dtype, "input", size, number)

    # -- the whole -------------------------------------------------------------------------------

    def lower(self, name: str, title: str) -> Lowered:
        """Write everything in order."""
        self.input_dims = self._name_input_dims()
        self._readers = self._scalar_readers()
        self._before_step(0)
        self._reserve()
        for position, step in enumerate(self.schedule.steps):
            if isinstance(step, Nest):
                if step.members:
                    self._nest(position, step)
            else:
                self._op(step)
            self._before_step(position + 1)
        if self.measured:
            self.b.emit(Tick(-1))
        self._finish_outputs()
        program = Program(
            name=self.b.names.fresh(name),
            inputs=tuple(self.inputs[v] for v in self.graph.inputs),
            input_dims=self.input_dims,
            outputs=tuple(buffer for buffer in self.memory.outputs if buffer is not None),
            body=skip_empty_loops(self.b.statements(), self.b.names),
            arena=(*self.arena, *self.own),
            constants=tuple(self.constants),
            title=title,
        )
        self.result.program = program
        self.result.sites = self.b.sites
        self.result.donors = [self.memory.donated.get(k) for k in range(len(self.graph.outputs))]
        self.result.hidden = self.memory.hidden
        return self.result

    def _name_input_dims(self) -> tuple[tuple[str, ...], ...]:
        """Name the lengths of inputs that are used; they are defined from the beginning."""
        named = {}
        for name, variable in self.shapes.definitions.items():
            owner = variable.owner
            if (
                owner is not None
                and isinstance(owner.op, Shape_i)
                and owner.inputs[0] in self.inputs
            ):
                named[owner.inputs[0], owner.op.axis] = name
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
            if isinstance(owner.op, Elemwise) or hasattr(owner.op, "element"):
                roots = [self.schedule.root(item) for item in owner.inputs]
                if any(root in self.memory.buffers for root in roots):
                    found.setdefault(self.schedule.ready.first[variable], []).append(variable)
        return found

    # -- arrays ----------------------------------------------------------------------------------

    def view(self, variable: Any) -> View:
        """Return an array in memory as a view; every name in it is defined."""
        view = self._view(variable)
        self.need(*view.shape, *view.strides, view.offset)
        return view

    def _view(self, variable: Any) -> View:
        chain = [variable]
        while True:
            base = self.schedule.source(chain[-1]).variable
            if base.owner is None or not hasattr(base.owner.op, "view"):
                break
            chain.append(self.schedule.inputs(base.owner)[0])
        below: View | None = None
        for item in reversed(chain):
            base = self.schedule.source(item).variable
            if below is None:
                base_view = self._base(base)
            else:
                base_view = self._view_of(base, below)
            below = self.schedule.over(item, base_view)
        assert below is not None
        return below

    def _view_of(self, variable: Any, operand: View) -> View:
        """Return the view that a node makes of an operand, or of the array shown instead."""
        node = variable.owner
        view = self.schedule.view_of(node, operand)
        if not isinstance(node.op, Either):
            return view
        known = self._chosen.get(variable)
        if known is None:
            other = self.view(node.inputs[Either.alternative])
            (shown,) = self._scalars_of(node)
            first = self.b.let("neq", "bool", [self.b.operand(shown), self.b.operand(0)])
            name = self.b.names.fresh(operand.buffer.name)
            known = Buffer(name, variable.dtype, "chosen", view.size)
            self.need(operand.offset)
            self.b.emit(Choose(known, first, operand.address, other.address))
            self._chosen[variable] = known
        return View(known, view.shape, view.strides, view.offset)

    def _base(self, variable: Any) -> View:
        if isinstance(variable, Constant):
            return self._register(variable) if is_unit(variable) else self._constant(variable)
        buffer = self.memory.buffers.get(variable)
        if buffer is None:
            return self._register(variable)
        return View.contiguous(buffer, self.schedule.dims(variable))

    def _constant(self, variable: Any) -> View:
        known = self._views.get(variable)
        if known is None:
            data = variable.data
            name = self.b.names.fresh(variable.name or "table")
            buffer = Buffer(name, variable.dtype, "constant", Index.of(data.size))
            self.constants.append((buffer, data.reshape(-1).tolist()))
            dims = tuple(Index.of(int(dim)) for dim in data.shape)
            known = self._views[variable] = View.contiguous(buffer, dims)
        return known

    def _register(self, variable: Any) -> View:
        """Provide a 0-d value to whole-array code as an array of one element."""
        known = self._views.get(variable)
        if known is None:
            value = self.scalar(variable)
            name = self.b.names.fresh(variable.name or "cell")
            buffer = Buffer(name, variable.dtype, "stack", Index.of(1))
            known = View.contiguous(buffer, (Index.of(1),) * variable.ndim)
            self._views[variable] = known
            self.b.registers[name] = value
        return known

    # -- memory ----------------------------------------------------------------------------------

    def _reserve(self) -> None:
        """Allocate the outputs and the workspace whose sizes are known from the inputs."""
        for position in range(len(self.schedule.outputs)):
            if not self.memory.is_late_output(position):
                self._allocate(position)
        self.arena: list[Slot] = []
        self.own: list[Slot] = []
        for slot in self.memory.slots:
            self.need(slot.size)
            self.arena.append(Slot(tuple(slot.buffers), slot.size * slot.itemsize))
        for plan in self.plans.values():
            if plan.needs_memory and not self.memory.is_late(plan.nest.space):
                self.need(*plan.nest.space)  # for the sizes of the kernel's own memory

    def _allocate(self, position: int) -> None:
        buffer = self.memory.outputs[position]
        assert buffer is not None
        if buffer.space == "output":
            dims = self.schedule.dims(self.graph.outputs[position])
            self.need(*dims)
            self.b.emit(Allocate(buffer, dims))

    def _before(self, step: Any) -> None:
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

    def _workspace(self, buffer: Buffer, used: list[int]) -> Buffer:
        """Return the place of a kernel's own memory; ``used`` are the slots that it has.

        Kernels share these slots. The caller allocates what has a size that is not known before.
        """
        if self.memory.is_late([buffer.size]):
            lent = self.memory.hidden_buffer(buffer.name, buffer.dtype, buffer.size, 1)
            self.need(buffer.size)
            self.b.emit(Allocate(lent, (buffer.size,)))
            return lent
        placed = Buffer(buffer.name, buffer.dtype, "arena", buffer.size)
        size = buffer.size * np.dtype(buffer.dtype).itemsize
        for number, slot in enumerate(self.own):
            if slot.size == size and number not in used:
                self.own[number] = Slot((*slot.buffers, placed), size)
                used.append(number)
                return placed
        used.append(len(self.own))
        self.own.append(Slot((placed,), size))
        return placed

    # -- steps -----------------------------------------------------------------------------------

    def _before_step(self, position: int) -> None:
        """Check what can be checked, and read array elements into scalars while they are there."""
        for guard in self.schedule.guards.get(position, ()):
            self._check(guard)
        for variable in self._readers.get(position, ()):
            self.scalar(variable)

    def hold(self, node: Apply) -> None:
        """Check the requirements of a node before it reads anything, if not done before."""
        for condition in self.shapes.conditions.get(node, ()):
            if condition in self._guards:
                self._check(self._guards[condition])

    def _check(self, guard: Guard) -> None:
        if guard in self._checked:
            return
        self._checked.add(guard)
        condition = self.scalar(guard.condition)
        if condition == Literal(True, "bool"):
            return
        values = tuple(self._integer(value) for value in guard.values)
        requirement = guard.requirement
        self.b.check(condition, requirement.code, requirement.message, values, requirement.error)

    def _integer(self, value: Any) -> Index:
        if isinstance(value, int):
            return Index.of(value)
        return self.b.as_index(self.b.cast(self.scalar(value), "int64"))

    def _nest(self, position: int, nest: Nest) -> None:
        self._before(nest)
        self.need(*nest.space)
        writer = NestWriter(self.plans[nest], self, self.b)
        name = self.b.names.fresh(writer.wish(position))
        self._tick(writer.title(), nest.members[0].node)
        self._emit_kernel(writer.write(name))
        self.values.update(writer.results)

    def _emit_kernel(self, naive: Kernel) -> None:
        """Emit a kernel that was written naively, after all passes."""
        used: list[int] = []
        change = self._after_passes if self.trace is not None else self._repeats.changed
        self.b.emit(change(naive, self.b.names, lambda buffer: self._workspace(buffer, used)))

    def _after_passes(
        self, naive: Kernel, names: Names, place: Callable[[Buffer], Buffer]
    ) -> Kernel:
        kernel = run_passes(naive, names, self.passes, self.target, self.trace)
        return finish(kernel, names, place)

    def _emit_own(self, kernel: Kernel) -> None:
        """Emit a kernel that an op has written: for a CPU, it is as it is to be."""
        calls = any(isinstance(s, Call | Check) for s in walk(kernel.body))
        if self.target is CPU or calls:
            self.b.emit(kernel)
        else:
            self._emit_kernel(kernel)

    def _op(self, step: OpStep) -> None:
        node = step.node
        self.b.origin = node.origin
        if node.op.runs_as_python:
            self._python(node)
            return
        self._before(step)
        if hasattr(node.op, "destination"):
            self._scatter(step)
            return
        if hasattr(node.op, "parts"):
            self._put_parts(step)
            return
        inputs = self.schedule.inputs(node)
        views = [self.view(item) for item in inputs]
        outputs = [self.view(output) for output in node.outputs]
        scalars = self._scalars_of(node)
        if node.op.overwrites is not None:
            self._start_from(outputs[0], views[node.op.overwrites])
        self._tick(str(node.op), node)
        self.b.origin = node.origin
        with self.b.block() as body:
            node.op.lower(self.b, node, views, outputs, scalars)  # type: ignore[attr-defined]
        self._emit_body(node, tuple(body))

    def _scalars_of(self, node: Apply) -> list[Index]:
        scalars = self.shapes.scalars(node)
        self.need(*scalars)
        return scalars

    def _started(self, node: Apply, scalars: Sequence[Index] = ()) -> View:
        """Return an op's output, filled with what it starts from, unless all of it is replaced."""
        target = self.view(node.outputs[0])
        if node.op.overwrites is not None:
            start = self.view(self.schedule.inputs(node)[node.op.overwrites])
            op: Any = node.op
            kept = [op.kept(node, view, scalars) for view in (target, start)] if scalars else [[]]
            if kept[0] and not self.memory.share_place(start.buffer, target.buffer):
                self._copy_parts(*kept)
            else:
                self._start_from(target, start)
        self._tick(str(node.op), node)
        self.b.origin = node.origin
        return target

    def _scatter(self, step: OpStep) -> None:
        self._feed(step, VALUE, self._started(step.node))

    def _feed(self, step: OpStep, number: int, target: View) -> None:
        feed = step.feeds[number]
        self.need(*feed.space)
        plan = NestPlan(feed, self.schedule)
        writer = ScatterWriter(plan, self, self.b)
        self._emit_kernel(writer.write(step.node, target, number))

    def _put_parts(self, step: OpStep) -> None:
        """Put values into parts of an output: made where they go, or read from memory."""
        node: Any = step.node
        inputs = self.schedule.inputs(node)
        shapes = [self.schedule.dims(item) for item in inputs]
        scalars = self._scalars_of(node)
        parts = node.op.parts(self._started(node, scalars), scalars, shapes)
        stored = [(self.view(inputs[k]), p) for k, p in parts.items() if k not in step.feeds]
        with self.b.block() as body:
            for value, part in stored:
                with self.b.nest(part.shape, given="independent") as index:
                    element = self.b.load(value.broadcast(part.shape), index)
                    node.op.put(self.b, part, index, element)
        if body:
            self._emit_body(node, tuple(body))
        for number, part in parts.items():
            if number in step.feeds:
                self._feed(step, number, part)

    def _tick(self, label: str, node: Apply) -> None:
        if self.measured:
            self.b.emit(Tick(len(self.result.steps)))
            place = None if node.origin is None else node.origin.place
            self.result.steps.append((label, place))

    def _store_registers(self, body: Sequence[Any]) -> None:
        """Give memory to numbers whose address a library call takes."""
        for statement in body:
            for argument in statement.arguments if isinstance(statement, Call) else ():
                if isinstance(argument, Address):
                    value = self.b.registers.pop(argument.buffer.name, None)
                    if value is not None:
                        self.b.emit(Store(argument.buffer, Index.of(0), value))

    def _emit_body(self, node: Apply, body: tuple[Any, ...]) -> None:
        """Generate an op's statements: calls in place, loops as a kernel, after passes if naive."""
        self._store_registers(body)
        if all(isinstance(statement, Call | Load) for statement in body):
            for statement in body:
                self.b.emit(statement)
            return
        label = str(node.op).split("{")[0].lower()
        origins = () if node.origin is None else (node.origin,)
        name = self.b.names.fresh(f"kernel_{label}")
        kernel = Kernel(name, str(node.op), body, (), origins)
        if any(isinstance(s, For) and s.kind in ("independent", "reduce") for s in walk(body)):
            self._emit_kernel(kernel)
        else:
            self._emit_own(kernel)

    def _start_from(self, target: View, start: View) -> None:
        """Copy the initial value of an output into it, unless it uses the same memory."""
        if self.memory.share_place(start.buffer, target.buffer):
            return
        if start.buffer.name in self.b.registers and target.size == 1:
            zeros = [Index.of(0)] * target.ndim
            self.b.store(target, zeros, self.b.load(start, zeros))
            return
        if start.is_contiguous():
            self.b.call("copy", target.address, start.address, target.size)
            return
        value = self.b.registers.get(start.buffer.name)
        if is_zero(value):
            self.b.call("zero", target.address, target.size)
            return
        with self.b.block() as body, self.b.nest(target.shape, given="independent") as index:
            self.b.store(target, index, self.b.load(start, index))
        self._emit_kernel(Kernel(self.b.names.fresh("kernel_fill"), "fill", tuple(body)))

    def _copy_parts(self, targets: Sequence[View], sources: Sequence[View]) -> None:
        with self.b.block() as body:
            for target, source in zip(targets, sources, strict=True):
                with self.b.nest(target.shape) as index:
                    self.b.store(target, index, self.b.load(source, index))
        self.b.emit(Kernel(self.b.names.fresh("kernel_edges"), "edges", tuple(body)))

    def _python(self, node: Apply) -> None:
        inputs: list[tuple[Address, tuple[Index, ...]]] = []
        for item in self.schedule.inputs(node):
            view = self.view(item)
            value = self.b.registers.pop(view.buffer.name, None)
            if value is not None:
                self.b.emit(Store(view.buffer, Index.of(0), value))
            inputs.append((view.address, view.shape))
        outputs = []
        promised: list[tuple[Any, int, Value]] = []
        for output in node.outputs:
            dims = tuple(self._output_dim(output, axis, promised) for axis in range(output.ndim))
            outputs.append((self.memory.buffers[output], dims))
        self._tick(str(node.op), node)
        number = len(self.result.python)
        self.result.python.append(node)
        self.b.emit(PythonCall(number, tuple(inputs), tuple(outputs), node.origin))
        for output, axis, found in promised:
            self._check_promise(output, axis, found)

    def _check_promise(self, output: Any, axis: int, found: Value) -> None:
        """Compare a length that ``infer_shape`` told with the one that ``perform`` made."""
        told = self.schedule.dims(output)[axis]
        self.need(told)
        same = self.b.let("eq", "bool", [found, self.b.operand(told)])
        message = partial(broken_promise, output, axis)
        self.b.check(same, "shape", message, (self.b.as_index(found), told))

    def _output_dim(self, output: Any, axis: int, promised: list[tuple[Any, int, Value]]) -> Value:
        name = self.shapes.length_name(output, axis)
        if name is None:
            value = self.b.value("made", "int64")
            promised.append((output, axis, value))
            return value
        value = Value(name, "int64")
        self.defined.add(name)
        self.values[self.shapes.definitions[name]] = value
        return value

    # -- outputs ---------------------------------------------------------------------------------

    def _finish_outputs(self) -> None:
        """Store 0-d outputs; copy values that are output twice."""
        written = dict(self.memory.buffers)
        for position, output in enumerate(self.schedule.outputs):
            buffer = self.memory.outputs[position]
            assert buffer is not None
            if written.get(output) == buffer:
                continue  # it was made there
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


def broken_promise(output: Any, axis: int, values: Sequence[int]) -> str:
    """Return the message for a result of another length than ``infer_shape`` has told."""
    return call_message(
        f"{output.owner.op}: output {output.index} has length {values[0]} along axis {axis}, and "
        f"infer_shape told {values[1]}",
        output.owner,
        *output.owner.inputs,
        hint="infer_shape and perform have to agree",
    )
