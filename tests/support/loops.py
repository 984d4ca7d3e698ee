"""An interpreter of LoopIR: runs the statements of a kernel on NumPy arrays, one element at a time.

Loops of all kinds run in order. What one thread or lane would do is done for each iteration, so
values are those of compiled code, but for the order of sums.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from symtheano.loopir import (
    Announce,
    Assign,
    Barrier,
    Buffer,
    Comment,
    Declare,
    For,
    If,
    Index,
    Kernel,
    Leave,
    Let,
    LetIndex,
    Literal,
    Load,
    Local,
    Locate,
    Partition,
    Poll,
    Prefetch,
    Reduce,
    Statement,
    Store,
    Update,
    While,
)
from symtheano.loopir.launch import Aligned, AtomicAdd
from symtheano.loopir.operands import LANES, Expression, Operand, element_of, lanes_of
from symtheano.scalar.table import scalar_op

Array = Any


class _Left(Exception):
    """The loop around is left."""


class Machine:
    """Runs statements.

    Parameters
    ----------
    integers
        Values of names that are defined outside.
    arrays
        Memory by name of buffer, as flat arrays; they are written to.
    """

    def __init__(self, integers: Mapping[str, int], arrays: Mapping[str, Array]) -> None:
        self.values: dict[str, Any] = dict(integers)
        self.arrays: dict[str, Array] = dict(arrays)

    def run(self, statements: Sequence[Statement]) -> None:
        """Run a list of statements."""
        for statement in statements:
            getattr(self, f"_{type(statement).__name__.lower()}")(statement)

    def index(self, index: Index) -> int:
        """Return the value of an index."""
        total = 0
        for names, coefficient in index.terms:
            term = coefficient
            for name in names:
                term *= int(self.values[name])
            total += term
        return total

    def operand(self, operand: Operand) -> Any:
        """Return the value of an operand."""
        if isinstance(operand, Literal):
            return np.asarray(operand.value).astype(operand.dtype)[()]
        return self.values[operand.name]

    def expression(self, item: Operand | Index | Expression) -> Any:
        """Return the value of an operand, an index or an expression."""
        if isinstance(item, Expression):
            return self.apply(item.op, item.dtype, *map(self.expression, item.arguments))
        return np.int64(self.index(item)) if isinstance(item, Index) else self.operand(item)

    def apply(self, op: str, dtype: str, *operands: Any) -> Any:
        """Return the value of a row of the scalar table."""
        with np.errstate(all="ignore"):
            if op == "cast":
                return np.asarray(operands[0]).astype(element_of(dtype))[()]
            return np.asarray(scalar_op(op).numpy(*operands)).astype(element_of(dtype))[()]

    def place(self, statement: Load | Store | Update) -> tuple[Array, int]:
        """Return the array and the position that a statement reads or writes."""
        array, position = self.memory(statement.buffer), self.index(statement.index)
        assert 0 <= position < array.size, (statement, position, array.size)
        return array, position

    def memory(self, buffer: Buffer) -> Array:
        """Return the memory of a buffer."""
        array = self.arrays.get(buffer.name)
        if array is None:
            size = self.index(buffer.size)
            array = self.arrays[buffer.name] = np.zeros(size, buffer.dtype)
        return array

    # -- statements --------------------------------------------------------------------------------

    def _kernel(self, s: Kernel) -> None:
        self.run(s.body)

    def _announce(self, s: Announce) -> None:
        self.index(s.work)

    def _poll(self, s: Poll) -> None:
        pass

    def _comment(self, s: Comment) -> None:
        pass

    def _barrier(self, s: Barrier) -> None:
        pass

    def _prefetch(self, s: Prefetch) -> None:
        self.index(s.index)

    def _atomicadd(self, s: AtomicAdd) -> None:
        array, position = self.memory(s.buffer), self.index(s.index)
        assert 0 <= position < len(array), f"{s.buffer.name}[{position}]"
        array[position] += self.operand(s.value)

    def _aligned(self, s: Aligned) -> None:
        self.values[s.target.name] = self.index(s.index) % LANES == 0

    def _let(self, s: Let) -> None:
        values = [self.operand(argument) for argument in s.arguments]
        self.values[s.target.name] = self.apply(s.op, s.target.dtype, *values)

    def _letindex(self, s: LetIndex) -> None:
        self.values[s.target.name] = np.int64(self.index(s.index))

    def _partition(self, s: Partition) -> None:
        length, unit = self.index(s.length), max(self.index(s.unit), 1)
        rows = max(-(-s.least // unit), -(-length // s.most), 1)
        self.values[s.rows.name], self.values[s.count.name] = rows, -(-length // rows)

    def _load(self, s: Load) -> None:
        array, position = self.place(s)
        made = s.target.dtype
        elements = array[position : position + lanes_of(made)].astype(element_of(made))
        assert elements.size == lanes_of(made), (s, position, array.size)
        self.values[s.target.name] = elements if lanes_of(made) > 1 else elements[0]

    def _store(self, s: Store) -> None:
        array, position = self.place(s)
        array[position : position + lanes_of(s.value.dtype)] = self.operand(s.value)

    def _update(self, s: Update) -> None:
        array, position = self.place(s)
        array[position] = self.apply(s.op, s.buffer.dtype, array[position], self.operand(s.value))

    def _declare(self, s: Declare) -> None:
        value, lanes = self.operand(s.initial), lanes_of(s.target.dtype)
        self.values[s.target.name] = np.full(lanes, value) if lanes > 1 else value

    def _assign(self, s: Assign) -> None:
        self.values[s.target.name] = self.expression(s.value)

    def _reduce(self, s: Reduce) -> None:
        before, value = self.values[s.target.name], self.operand(s.value)
        self.values[s.target.name] = self.apply(s.op, s.target.dtype, before, value)

    def _locate(self, s: Locate) -> None:
        value, best = self.operand(s.value), self.values[s.best.name]
        wins = value > best if s.op == "argmax" else value < best
        if wins or (value != value and best == best):
            self.values[s.best.name] = value
            self.values[s.where.name] = self.operand(s.position)

    def _local(self, s: Local) -> None:
        size = self.index(s.buffer.size)
        self.arrays[s.buffer.name] = np.full(size, 77, s.buffer.dtype)

    def _if(self, s: If) -> None:
        self.run(s.then if self.operand(s.condition) else s.otherwise)

    def _while(self, s: While) -> None:
        self.run(s.test)
        while self.operand(s.condition):
            self.run(s.body)
            self.run(s.test)

    def _for(self, s: For) -> None:
        for number in range(self.index(s.start), self.index(s.stop), s.step):
            self.values[s.index.name] = np.int64(number)
            try:
                self.run(s.body)
            except _Left:
                break

    def _leave(self, s: Leave) -> None:
        if self.expression(s.condition):
            raise _Left
