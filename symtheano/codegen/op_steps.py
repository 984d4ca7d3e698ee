"""Ops on whole arrays: library calls, loops that an op writes itself, and Python."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Protocol

from symtheano.codegen.frame import Frame
from symtheano.codegen.nests.access import Surroundings
from symtheano.codegen.nests.scatter import ScatterWriter
from symtheano.codegen.nests.writer import NestWriter
from symtheano.codegen.numbers import Numbers
from symtheano.codegen.plan.regions import RegionPlan
from symtheano.codegen.plan.steps import VALUE, Nest, OpStep, Step
from symtheano.codegen.rows import is_zero
from symtheano.dataclass import replace
from symtheano.graph.variable import Apply
from symtheano.loopir import (
    Buffer,
    For,
    Index,
    Kernel,
    Load,
    Local,
    Measure,
    NodeArrays,
    PythonCall,
    Statement,
    Store,
    Value,
    View,
)
from symtheano.loopir.names import walk
from symtheano.loopir.nodes import Call
from symtheano.loopir.operands import Address, Operand
from symtheano.lowering import Parts, Python, Region, Scatter, Statements
from symtheano.tensor.messages import call_message
from symtheano.tensor.variable import Tensor


class OpSurroundings(Surroundings, Protocol):
    """What ops on whole arrays require from the region that contains them."""

    @property
    def frame(self) -> Frame:
        """What surrounds the region."""

    @property
    def plan(self) -> RegionPlan:
        """What has been decided of the region."""

    @property
    def numbers(self) -> Numbers:
        """Its numbers."""

    @property
    def bodies(self) -> Mapping[Step, object]:
        """What writes the graphs of ops that run them."""

    def before(self, step: Step) -> None:
        """Allocate what a step writes whose size has only now become known."""


_Promise = tuple[Tensor, int, Value]


class OpWriter:
    """Writes the steps of a region that are ops on whole arrays.

    Parameters
    ----------
    region
        Where their operands and results are.
    """

    def __init__(self, region: OpSurroundings) -> None:
        self.region, self.frame, self.b = region, region.frame, region.frame.b
        self.schedule, self.memory = region.plan.schedule, region.plan.memory
        self.inputs = region.plan.schedule.operands.inputs

    def write(self, step: OpStep) -> None:
        """Write one step."""
        self.b.origin = step.node.origin
        if isinstance(step.node.op.lowering, Python):
            self._python(step.node)
            return
        self.region.before(step)
        match step.node.op.lowering:
            case Region() as region:
                self._regions(step, region)
            case Scatter():
                self._feed(step, VALUE, *self._started(step.node))
            case Parts() as parts:
                self._put_parts(step, parts)
            case Statements() as statements:
                self._statements(step, statements)

    def _statements(self, step: OpStep, lowering: Statements) -> None:
        """Let an op write statements on whole arrays."""
        node = step.node
        arrays = NodeArrays(
            [self.region.view(item) for item in self.inputs(node)],
            [self.region.view(output) for output in node.outputs],
            self.region.numbers.scalars_of(node),
        )
        if lowering.overwrites is not None:
            self.start_from(arrays.outputs[0], arrays.inputs[lowering.overwrites])
        self.frame.tick(str(node.op), node)
        self.b.origin = node.origin
        with self.b.block() as body:
            lowering.write(node.op, self.b, node, arrays)
        if step.epilogue is None:
            self._emit_body(node, tuple(body))
        else:
            self._emit_with_epilogue(node, tuple(body), step.epilogue)

    def _emit_with_epilogue(self, node: Apply, body: tuple[Statement, ...], nest: Nest) -> None:
        """Emit an op's statements, and the work on its rows, which its call may take over."""
        self.region.need(*nest.space)
        writer = NestWriter(self.region.plan.nests[nest], self.region, self.b)
        kernel = writer.write(self.b.names.fresh("epilogue"))
        calls = [s for s in body if isinstance(s, Call) and s.routine.epilogue]
        self._emit_body(node, body)
        self.b.emit(replace(kernel, epilogue=len(calls) == 1))

    def _regions(self, step: OpStep, lowering: Region) -> None:
        """Let an op write its statements around regions."""
        node = step.node
        views = [self.region.view(item) for item in self.inputs(node)]
        body = self.region.bodies[step]
        elementwise = getattr(body, "is_elementwise", False)
        numbers = lowering.starts(node.op).values() if elementwise else ()
        for number, view in enumerate(views):
            if view.ndim and number not in numbers:
                self._store_register(view.buffer)
        outputs = [self._output(output) for output in node.outputs]
        arrays = NodeArrays(views, outputs, self.region.numbers.scalars_of(node))
        self.frame.tick(str(node.op), node)
        self.b.origin = node.origin
        lowering.write(node.op, self.b, node, arrays, body)

    def _output(self, variable: Tensor) -> View:
        """Return a result as its step writes it, which may tell how many rows it has."""
        rows = self.memory.rows.get(variable)
        if rows is None:
            return self.region.view(variable)
        return View.contiguous(rows.name, rows.shape)

    def _started(self, node: Apply, scalars: Sequence[Index] = ()) -> tuple[View, View]:
        """Return an op's output, and the array with what it starts from.

        This is the output, unless only what is beside the part that is put is the same there.
        """
        result = node.outputs[0]
        target = before = self.region.view(result)
        lowering = node.op.lowering
        if lowering.overwrites is not None:
            start = self.region.view(self.inputs(node)[lowering.overwrites])
            kept: list[Sequence[View]] = [[]]
            if isinstance(lowering, Parts):
                # Lengths that are equal may have other names, or be known for one of them only.
                alike = (replace(view, shape=target.shape) for view in (target, start))
                kept = [lowering.kept(node.op, node, view, scalars) for view in alike]
            beside = len(kept[0]) > 0 or any(p.node is node for p in self.memory.within.values())
            if beside and not self.memory.share_place(start.buffer, target.buffer):
                if result not in self.region.plan.settled:
                    self._copy_parts(*kept)
                before = start
            else:
                self.start_from(target, start)
        self.frame.tick(str(node.op), node)
        self.b.origin = node.origin
        return target, before

    def _feed(self, step: OpStep, number: int, target: View, before: View) -> None:
        feed = step.feeds[number]
        self.region.need(*feed.space)
        writer = ScatterWriter(self.region.plan.nests[feed], self.region, self.b)
        kernel = writer.write(step.node, self.inputs(step.node), target, number, before)
        self.b.emit(kernel)

    def _put_parts(self, step: OpStep, lowering: Parts) -> None:
        """Put values into parts of an output: made where they go, or read from memory."""
        node = step.node
        inputs = self.inputs(node)
        shapes = [self.schedule.shapes.dims(item) for item in inputs]
        scalars = self.region.numbers.scalars_of(node)
        parts, before = (
            lowering.parts(node.op, view, scalars, shapes) for view in self._started(node, scalars)
        )
        there = {part.number for part in self.memory.within.values() if part.node is node}
        others = [number for number in parts if number not in there]
        stored = {k: self.region.view(inputs[k]) for k in others if k not in step.feeds}
        with self.b.block() as body:
            for number, value in stored.items():
                part = parts[number]
                with self.b.nest(part.shape, kind="independent") as index:
                    element = self.b.load(value.broadcast(part.shape), index)
                    lowering.put(node.op, self.b, part, index, element, before[number])
        if body:
            self._emit_body(node, tuple(body))
        for number in others:
            if number in step.feeds:
                self._feed(step, number, parts[number], before[number])

    def _store_registers(self, body: Sequence[Statement]) -> None:
        """Give memory to numbers whose address a library call takes."""
        for statement in body:
            for argument in statement.arguments if isinstance(statement, Call) else ():
                if isinstance(argument, Address):
                    self._store_register(argument.buffer)

    def _store_register(self, buffer: Buffer) -> None:
        """Give memory to a number whose address is taken."""
        value = self.b.registers.pop(buffer.name, None)
        if value is not None:
            self.b.emit(Store(buffer, Index.of(0), value))

    def _emit_body(self, node: Apply, body: tuple[Statement, ...]) -> None:
        """Emit an op's statements: calls in their place, loops as a kernel."""
        self._store_registers(body)
        if all(isinstance(statement, Call | Load | Store | Local | Measure) for statement in body):
            for statement in body:
                self.b.emit(statement)
            return
        label = str(node.op).split("{")[0].lower()
        origins = () if node.origin is None else (node.origin,)
        name = self.b.names.fresh(f"kernel_{label}")
        naive = any(isinstance(s, For) and s.kind in ("independent", "reduce") for s in walk(body))
        self.b.emit(Kernel(name, str(node.op), body, (), origins, scheduled=not naive))

    def start_from(self, target: View, start: View) -> None:
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
        with self.b.block() as body, self.b.nest(target.shape, kind="independent") as index:
            self.b.store(target, index, self.b.load(start, index))
        self.b.emit(Kernel(self.b.names.fresh("kernel_fill"), "fill", tuple(body)))

    def _copy_parts(self, targets: Sequence[View], sources: Sequence[View]) -> None:
        with self.b.block() as body:
            for target, source in zip(targets, sources, strict=True):
                with self.b.nest(target.shape) as index:
                    self.b.store(target, index, self.b.load(source, index))
        if body:
            name = self.b.names.fresh("kernel_edges")
            self.b.emit(Kernel(name, "edges", tuple(body), scheduled=True))

    def _python(self, node: Apply) -> None:
        inputs: list[tuple[Address, tuple[Index, ...]]] = []
        for item in self.inputs(node):
            view = self.region.view(item)
            self._store_register(view.buffer)
            inputs.append((view.address, view.shape))
        inputs += map(self._cell, (step for _, step in self.b.iterations))
        outputs = []
        promised: list[_Promise] = []
        for output in node.outputs:
            dims = tuple(self._output_dim(output, axis, promised) for axis in range(output.ndim))
            outputs.append((self.memory.buffers[output], dims))
        self.frame.tick(str(node.op), node)
        self.frame.python.append((node, tuple(name for name, _ in self.b.iterations)))
        self.b.emit(
            PythonCall(len(self.frame.python) - 1, tuple(inputs), tuple(outputs), node.origin)
        )
        for output, axis, length in promised:
            self._check_promise(output, axis, length)

    def _cell(self, number: Operand) -> tuple[Address, tuple[Index, ...]]:
        """Store a number where Python reads it."""
        buffer = Buffer(self.b.names.fresh("iteration"), number.dtype, "stack", Index.of(1))
        self.b.emit(Store(buffer, Index.of(0), number))
        return Address(buffer, Index.of(0)), ()

    def _check_promise(self, output: Tensor, axis: int, length: Value) -> None:
        """Compare a length that ``infer_shape`` told with the one that ``perform`` made."""
        told = self.schedule.shapes.dims(output)[axis]
        self.region.need(told)
        same = self.b.let("eq", "bool", [length, self.b.operand(told)])
        message = partial(broken_promise, output, axis)
        self.b.check(same, "shape", message, (self.b.as_index(length), told))

    def _output_dim(
        self, output: Tensor, axis: int, promised: list[tuple[Tensor, int, Value]]
    ) -> Value:
        name = self.schedule.shapes.length_name(output, axis)
        if name is None:
            value = self.b.value("made", "int64")
            promised.append((output, axis, value))
            return value
        return self.region.numbers.define(name)


def broken_promise(output: Tensor, axis: int, values: Sequence[int]) -> str:
    """Return the message for a result of another length than ``infer_shape`` has told."""
    node = output.owner
    assert node is not None
    return call_message(
        f"{node.op}: output {output.index} has length {values[0]} along axis {axis}, but "
        f"infer_shape returned {values[1]}",
        node,
        *node.inputs,
        hint="infer_shape and perform have to agree",
    )
