"""Reductions in a kernel: accumulators of rows, columns and whole arrays, and their combination."""

from __future__ import annotations

from contextlib import ExitStack

from symtheano.codegen.access import Accumulators, KernelAccess
from symtheano.codegen.elements import (
    accumulated,
    accumulator_name,
    apply_row,
)
from symtheano.codegen.neutral import neutral_element
from symtheano.codegen.steps import Member
from symtheano.loopir import Buffer, Index, Value, View
from symtheano.loopir.index import product
from symtheano.loopir.nodes import Operand
from symtheano.scalar.table import scalar_op
from symtheano.tensor.reduce import ArgReduce, CAReduce


class KernelReductions(KernelAccess):
    """Accumulates and combines."""

    def _reductions(self, stage: int) -> tuple[tuple[Value, str], ...]:
        """Return the reductions of a stage's innermost loop, for a simd loop."""
        return tuple(
            pair
            for m in self.plan.members_of(stage)
            if m.role in ("row", "full") and self.plan.is_inner(m)
            for pair in self.accumulators[m.node.outputs[0]]
        )

    def _declare(self, member: Member) -> None:
        """Declare a reduction's accumulators before its loops."""
        (output,) = member.node.outputs
        self.b.origin = member.node.origin
        dtype, names = accumulated(member.node)
        self.accumulators[output] = tuple(
            (self.b.declare(wish, neutral_element(row, dtype)), row) for row, wish in names
        )

    def _accumulate(self, member: Member) -> None:
        """Add the current element to a reduction."""
        self.b.origin = member.node.origin
        dtype, _ = accumulated(member.node)
        element = self.b.cast(self._read(member, 0), dtype)
        if member.role == "column":
            self._accumulate_column(member, element)
            return
        for total, row in self.accumulators[member.node.outputs[0]]:
            self._assign_combined(total, row, element)

    def _assign_combined(self, total: Value, row: str, operand: Operand) -> None:
        combined = apply_row(self.b, scalar_op(row), [total, operand], total.dtype)
        self.b.assign(total, combined)

    def _total(self, member: Member) -> Operand:
        """Return the accumulated value of a reduction."""
        return self._joined(self.accumulators[member.node.outputs[0]])

    def _joined(self, accumulators: Accumulators) -> Operand:
        (total, _), *rest = accumulators
        result: Operand = total
        for other, row in rest:
            result = apply_row(self.b, scalar_op(row), [result, other], total.dtype)
        return result

    # -- positions -------------------------------------------------------------------------------

    # -- columns ---------------------------------------------------------------------------------

    def _accumulate_column(self, member: Member, element: Operand) -> None:
        """Add to the accumulator of the current column, which is stored after the rows."""
        (output,) = member.node.outputs
        op = member.node.op
        assert isinstance(op, CAReduce)
        before = self.columns.get(output)
        if before is None:
            before = self.b.load(self._column_place(member), [])
        self.columns[output] = apply_row(self.b, op.row, [before, element], op.acc_dtype)

    def _store_columns(self) -> None:
        """Store the accumulators of the current column."""
        for output, total in self.columns.items():
            self.b.store(self._column_place(self.plan.by_result[output]), [], total)
        self.columns.clear()

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
        if not isinstance(member.node.op, ArgReduce):
            self.values[output] = self.b.cast(self._total(member), output.dtype)

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
                start = neutral_element(op.row, op.acc_dtype)
                self.b.store(View(buffer, (), (), self.chunk * size + j), [], start)

    def _combine_full(self, member: Member, buffer: Buffer, count: Index) -> Value:
        """Combine the chunks' accumulators in order."""
        op, b = member.node.op, self.b
        assert isinstance(op, CAReduce)
        (output,) = member.node.outputs
        b.origin = member.node.origin
        name = output.name or accumulator_name(op)
        total = b.declare(name, neutral_element(op.row, op.acc_dtype))
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
                total = b.declare("total", neutral_element(op.row, op.acc_dtype))
                size = product(tuple(self._length(g) for g in groups))
                with b.loop("chunk", count) as chunk:
                    place = View(buffer, (), (), chunk * size + self._inner_position(Index.of(0)))
                    part = b.load(place, [])
                    b.assign(total, apply_row(b, op.row, [total, part], op.acc_dtype))
                self._store(self.stored(output), total)
