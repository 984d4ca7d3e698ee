"""How a kernel reduces: accumulators of rows, columns and whole arrays, and their combination."""

from __future__ import annotations

from contextlib import ExitStack

from symtheano import dtypes
from symtheano.codegen.access import KernelAccess
from symtheano.codegen.elements import accumulator_name, apply_row, identity_literal
from symtheano.codegen.steps import Member
from symtheano.loopir import Buffer, Index, Literal, Value, View
from symtheano.loopir.index import product
from symtheano.loopir.nodes import Operand
from symtheano.tensor.reduce import ArgReduce, CAReduce


class KernelReductions(KernelAccess):
    """Accumulates and combines."""

    def _reductions(self, stage: int) -> tuple[tuple[Value, str], ...]:
        return tuple(
            (self.accumulators[m.node.outputs[0]], m.node.op.scalar_name)
            for m in self.plan.members_of(stage)
            if isinstance(m.node.op, CAReduce)
            and m.role in ("row", "full")
            and self.plan.is_inner(m)
        )

    def _declare(self, member: Member) -> None:
        """Declare a reduction's accumulator before its loops."""
        (output,) = member.node.outputs
        self.b.origin = member.node.origin
        op = member.node.op
        if isinstance(op, ArgReduce):
            dtype = member.node.inputs[0].dtype
            lowest = identity_literal("max" if op.which == "argmin" else "min", dtype)
            self.accumulators[output] = self.b.declare("best", lowest)
            self.where[output] = self.b.declare("where", Literal(0, "int64"))
        else:
            assert isinstance(op, CAReduce)
            start = identity_literal(op.row.identity, op.acc_dtype)
            self.accumulators[output] = self.b.declare(accumulator_name(op), start)

    def _accumulate(self, member: Member) -> None:
        """Add the current element to a reduction."""
        op, b = member.node.op, self.b
        (output,) = member.node.outputs
        b.origin = member.node.origin
        if isinstance(op, ArgReduce):
            self._accumulate_position(member, op)
            return
        assert isinstance(op, CAReduce)
        element = b.cast(self._read(member, 0), op.acc_dtype)
        if member.role == "column":
            self._accumulate_column(member, op, element)
            return
        total = self.accumulators[output]
        b.assign(total, apply_row(b, op.row, [total, element], op.acc_dtype))

    def _accumulate_position(self, member: Member, op: ArgReduce) -> None:
        b = self.b
        (output,) = member.node.outputs
        best, where = self.accumulators[output], self.where[output]
        element = self._read(member, 0)
        better: Operand = b.let("gt" if op.which == "argmax" else "lt", "bool", [element, best])
        if not dtypes.is_discrete(element.dtype):
            is_nan = b.let("neq", "bool", [element, element])
            was_number = b.let("eq", "bool", [best, best])
            first_nan = b.let("and_", "bool", [is_nan, was_number])
            better = b.let("or_", "bool", [better, first_nan])
        with b.branch(better):
            b.assign(best, element)
            b.assign(where, b.operand(self._counter(self.nest.inner[-1])))

    def _accumulate_column(self, member: Member, op: CAReduce, element: Operand) -> None:
        place = self._column_place(member)
        before = self.b.load(place, [])
        self.b.store(place, [], apply_row(self.b, op.row, [before, element], op.acc_dtype))

    def _column_place(self, member: Member) -> View:
        """Return the accumulator of the current inner index in the current chunk."""
        buffer = self.plan.partials[member.node.outputs[0]]
        return View(buffer, (), (), self._inner_position(self.chunk))

    def _inner_position(self, row: Index) -> Index:
        position = row
        for group in self._groups(self.nest.inner):
            position = position * self._length(group) + self.counters[group]
        return position

    def _finish_row(self, member: Member) -> None:
        (output,) = member.node.outputs
        self.b.origin = member.node.origin
        if isinstance(member.node.op, ArgReduce):
            self.values[output] = self.where[output]
        else:
            self.values[output] = self.b.cast(self.accumulators[output], output.dtype)

    # -- across chunks ---------------------------------------------------------------------------

    def _partial_buffer(self, member: Member) -> Buffer:
        acc_dtype = member.node.op.acc_dtype  # type: ignore[attr-defined]
        return Buffer(self.b.names.fresh("partial"), acc_dtype, "stack", Index.of(self.plan.chunks))

    def _clear_columns(self) -> None:
        columns = [m for m in self.nest.members if m.role == "column"]
        if not columns:
            return
        size = product(tuple(self.nest.space[a] for a in self.nest.inner))
        with self.b.loop("j", size, kind="simd") as j:
            for member in columns:
                op = member.node.op
                assert isinstance(op, CAReduce)
                buffer = self.plan.partials[member.node.outputs[0]]
                start = identity_literal(op.row.identity, op.acc_dtype)
                self.b.store(View(buffer, (), (), self.chunk * size + j), [], start)

    def _combine_full(self, member: Member, buffer: Buffer, count: Index) -> Value:
        """Combine the chunks' accumulators in order."""
        op, b = member.node.op, self.b
        assert isinstance(op, CAReduce)
        (output,) = member.node.outputs
        b.origin = member.node.origin
        name = output.name or accumulator_name(op)
        total = b.declare(name, identity_literal(op.row.identity, op.acc_dtype))
        with b.loop("chunk", count) as chunk:
            part = b.load(View(buffer, (), (), chunk), [])
            b.assign(total, apply_row(b, op.row, [total, part], op.acc_dtype))
        return b.let("cast", output.dtype, [total], name) if op.acc_dtype != output.dtype else total

    def _combine_columns(self, count: Index) -> None:
        b = self.b
        columns = [m for m in self.nest.members if m.role == "column"]
        if not columns:
            return
        groups = self._groups(self.nest.inner)
        self.counters.clear()
        for member in columns:
            op = member.node.op
            assert isinstance(op, CAReduce)
            (output,) = member.node.outputs
            b.origin = member.node.origin
            buffer = self.plan.partials[output]
            with ExitStack() as stack:
                for group in groups:
                    stack.enter_context(self._loop(group))
                total = b.declare("total", identity_literal(op.row.identity, op.acc_dtype))
                size = product(tuple(self._length(g) for g in groups))
                with b.loop("chunk", count) as chunk:
                    place = View(buffer, (), (), chunk * size + self._inner_position(Index.of(0)))
                    part = b.load(place, [])
                    b.assign(total, apply_row(b, op.row, [total, part], op.acc_dtype))
                self._store(self.stored(output), total)
