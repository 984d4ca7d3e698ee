"""Row orders: the lexicographic order of the rows of a matrix, by sorts of single columns.

The last column is sorted first. Each sort is stable, so rows that are equal in a column stay in the
order of the columns after it. That is a sort for each column, as in a radix sort of digits.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from symtheano.codegen.passes.arena import KernelMemory
from symtheano.codegen.passes.context import ProgramContext
from symtheano.codegen.passes.cuda.routines.calls import RoutineCall
from symtheano.codegen.passes.cuda.routines.libraries import without_calls
from symtheano.codegen.targets import Target
from symtheano.dataclass import replace
from symtheano.loopir import Allocate, Buffer, Call, Index, Program, Statement
from symtheano.loopir.builder import Names
from symtheano.loopir.view import View


def row_orders(program: Program, target: Target, context: ProgramContext) -> Program:
    """Sort columns, one after the other, instead of calling the routine that sorts rows."""
    memory = KernelMemory(program)

    def write(call: Call) -> tuple[Statement, ...]:
        return _RowOrder(call, target, context.names, memory).write()

    program = without_calls(program, ["roworder"], context, write)
    return replace(program, arena=(*program.arena, *memory.slots)) if memory.slots else program


class _RowOrder(RoutineCall):
    """Writes what one call does."""

    def __init__(self, call: Call, target: Target, names: Names, memory: KernelMemory) -> None:
        super().__init__(call, target, names)
        self.memory = memory
        self.rows, self.n = self.integer("rows"), self.integer("n")
        self.used: list[int] = []

    def write(self) -> tuple[Statement, ...]:
        """Return the statements in place of the call."""
        b = self.b
        x, order = self.element("x"), self.element("order")
        x = replace(View.contiguous(x.buffer, (self.rows, self.n)), offset=x.offset)
        order = replace(View.contiguous(order.buffer, (self.rows,)), offset=order.offset)
        keys = self._work("keys", x.buffer.dtype)
        places, moved = self._work("places", "int64"), self._work("moved", "int64")
        with self._each("identity") as row:
            b.store(order, [row], b.operand(row))
        with b.loop("turn", self.n) as turn:
            with self._each("keys") as row:
                own = b.as_index(b.load(order, [row]))
                b.store(keys, [row], b.load(x, [own, self.n - 1 - turn]))
            b.call("argsort", 1, self.rows, keys.address, places.address)
            with self._each("moved") as row:
                b.store(moved, [row], b.load(order, [b.as_index(b.load(places, [row]))]))
            with self._each("order") as row:
                b.store(order, [row], b.load(moved, [row]))
        return b.statements()

    def _work(self, wish: str, dtype: str) -> View:
        """Return memory with an element for each row."""
        buffer = Buffer(self.names.fresh(wish), dtype, "local", self.rows)
        placed = self.memory.place(buffer, self.used)
        if isinstance(placed, Allocate):
            self.b.emit(placed)
            placed = placed.buffer
        return View.contiguous(placed, (self.rows,))

    @contextmanager
    def _each(self, title: str) -> Iterator[Index]:
        """Open a kernel with a loop over rows."""
        with self.b.block() as body, self.b.loop("row", self.rows, kind="independent") as row:
            yield row
        self.b.emit(self.kernel_with(body, f"{self.call.routine.name}: {title}"))
