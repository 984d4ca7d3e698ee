"""Row functions: functions of what rows reduce to are computed for several rows at once.

A loop over rows that sums each row, and goes on with an exponential of the sum, calls a scalar
function for each row, which takes several times as long as an element of a vector. Here the rows
run in blocks: all are reduced, then the functions are computed for all of them, in vectors, and
then the rest is done row after row, in the same order as before. Numbers of a row that later parts
use are kept in small arrays.

If both loops along a row read the same array, rows should stay in a cache. Blocks are one row long
where rows are long, in each call.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from symtheano.codegen.passes.trace import Context
from symtheano.codegen.passes.work import is_call, work_of
from symtheano.codegen.targets import Target
from symtheano.dataclass import dataclass
from symtheano.loopir import (
    Buffer,
    Builder,
    Declare,
    For,
    If,
    Index,
    Kernel,
    Let,
    LetIndex,
    Literal,
    Load,
    Reduce,
    Statement,
    Store,
    Update,
    Value,
    View,
)
from symtheano.loopir.builder import Names
from symtheano.loopir.names import definitions, walk
from symtheano.loopir.rewrite import Copier, base_name, names_used, with_loops

_ROWS = 16
"""Rows of a block: a vector of float32 for AVX-512, two for AVX2."""
_FEWEST_CALLS = 2
"""With one, such as the logarithm of a sum of exponentials, there is little to gain."""
_FEWEST_ROWS = 4
_LONG_ROW = 1024
"""A block of longer rows does not stay in the cache."""
_PURE = Declare | For | If | Let | LetIndex | Load | Reduce


@dataclass(frozen=True)
class _Parts:
    """The statements of a loop over rows: what reduces a row, the functions, and the rest."""

    reduce: list[Statement]
    functions: list[Let]
    rest: list[Statement]


def row_functions(kernel: Kernel, target: Target, context: Context) -> Kernel:
    """Distribute loops over rows whose reductions several functions are computed of."""

    def change(loop: For) -> Sequence[Statement] | None:
        if loop.kind not in ("independent", "reduce") or loop.step != 1:
            return None
        if not any(isinstance(s, For) for s in loop.body):
            return None
        parts = _parts_of(loop)
        if parts is None:
            return None
        calls = sum(map(is_call, parts.functions))
        if calls < _FEWEST_CALLS:
            context.note(loop, "not, rows need {} calls of functions, at least {}",
                         calls, _FEWEST_CALLS)  # fmt: skip
            return None
        count = (loop.stop - loop.start).constant
        if count is not None and count < _FEWEST_ROWS:
            context.note(loop, "not, there are only {} rows", count)
            return None
        length = _length_of_shared(parts)
        if length is not None and length.constant is not None and length.constant > _LONG_ROW:
            context.note(loop, "not, rows of {} elements are read twice", length)
            return None
        context.note(loop, "{} calls of functions for {} rows at once", calls, _ROWS)
        return _Blocks(loop, parts, length, context.names).write()

    changed = with_loops(kernel, change)
    context.otherwise("not, no loop computes functions of what rows reduce to")
    return changed


def _parts_of(loop: For) -> _Parts | None:
    """Return the parts of a loop over rows; None if it has no such parts."""
    first = next((k for k, s in enumerate(loop.body) if is_call(s)), None)
    if first is None or not any(isinstance(s, For) for s in loop.body[:first]):
        return None
    if not all(isinstance(s, _PURE | Store | Update) for s in walk(loop.body)):
        return None
    written = {s.buffer.name for s in walk(loop.body) if isinstance(s, Store | Update)}
    declared = {s.target.name for s in walk(loop.body) if isinstance(s, Declare)}
    parts = _Parts([], [], [])
    reduced: set[str] = set()  # what depends on reductions of a row
    later: set[str] = set()  # what only the rest computes
    for number, s in enumerate(loop.body):
        used = set(_used([s]))
        targets = {x.target.name for x in walk([s]) if isinstance(x, Reduce)}
        is_pure = (
            used.isdisjoint(later)
            and targets <= declared
            and not any(
                isinstance(x, Store | Update) or (isinstance(x, Load) and x.buffer.name in written)
                for x in walk([s])
            )
        )
        names = {value.name for value in definitions(s)} | targets
        if (
            is_pure
            and (number < first or used.isdisjoint(reduced))
            and not (number > first and isinstance(s, Declare | For | If))
        ):
            parts.reduce.append(s)
            if targets or not used.isdisjoint(reduced):
                reduced |= names
        elif is_pure and isinstance(s, Let):
            parts.functions.append(s)
            reduced |= names
        else:
            parts.rest.append(s)
            later |= names
    known = {value.name for s in parts.reduce for value in definitions(s)}
    # What one part declares, and another one reduces into, has no place.
    if not known.isdisjoint(x.target.name for x in walk(parts.rest) if isinstance(x, Reduce)):
        return None
    # Operands of loads behind the functions are known before them.
    functions = {value.name for s in parts.functions for value in definitions(s)}
    if not functions.isdisjoint(_used(parts.reduce)):
        return None
    return parts if parts.rest else None


def _used(statements: Iterable[Statement]) -> Iterable[str]:
    for s in walk(list(statements)):
        yield from names_used(s)


def _length_of_shared(parts: _Parts) -> Index | None:
    """Return the length of a row that is read in both parts, or None if none is."""
    first = {s.buffer.name for s in walk(parts.reduce) if isinstance(s, Load)}
    for s in parts.rest:
        if isinstance(s, For) and any(
            isinstance(x, Load) and x.buffer.name in first for x in walk([s])
        ):
            return s.stop - s.start
    return None


class _Blocks:
    """Writes the loop over blocks of rows."""

    def __init__(self, loop: For, parts: _Parts, length: Index | None, names: Names) -> None:
        self.loop, self.parts, self.length, self.names = loop, parts, length, names
        self.b = Builder(names)
        self.again = self._addresses()
        self.cells = self._cells()

    def _addresses(self) -> list[Statement]:
        """Return what the rest computes again: positions and elements that need no reduction."""
        reduced = {s.target.name for s in walk(self.parts.reduce) if isinstance(s, Reduce)}
        free: list[Statement] = []
        for s in self.parts.reduce:
            if isinstance(s, Let | LetIndex | Load) and reduced.isdisjoint(names_used(s)):
                free.append(s)
            else:
                reduced.update(value.name for value in definitions(s))
        wanted = set(_used(self.parts.rest))
        taken: list[Statement] = []
        for s in reversed(free):
            if not wanted.isdisjoint(value.name for value in definitions(s)):
                taken.append(s)
                wanted.update(names_used(s))
        return taken[::-1]

    def _cells(self) -> dict[str, Buffer]:
        """Return memory for the numbers of a row that several parts need, by name."""
        again = {value.name for s in self.again for value in definitions(s)}
        by_functions, by_rest = set(_used(self.parts.functions)), set(_used(self.parts.rest))
        size = Index.of(_ROWS)
        values = [
            *(v for s in self.parts.reduce for v in definitions(s)
              if v.name in by_functions or v.name in by_rest - again),
            *(v for s in self.parts.functions for v in definitions(s) if v.name in by_rest),
        ]  # fmt: skip
        return {
            value.name: Buffer(self.names.fresh(base_name(value.name)), value.dtype, "stack", size)
            for value in values
        }

    def write(self) -> Sequence[Statement]:
        """Return the loop over blocks, and what says how many rows a block has."""
        b, loop, parts = self.b, self.loop, self.parts
        width = self._width()
        rest = [*self.again, *parts.rest]
        with b.loop("block", self._ceil_div(loop.stop - loop.start, width), kind=loop.kind,
                    work=work_of(loop)) as block:  # fmt: skip
            first = loop.start + block * width
            rows = b.minimum(loop.stop - first, width, "rows")
            self._clear()
            with b.loop("row", rows, kind="independent") as row:
                self._keep(parts.reduce, self._emit(parts.reduce, first, row), row)
            with b.loop("row", width, kind="independent") as row:
                self._keep(parts.functions, self._emit(parts.functions, first, row), row)
            with b.loop("row", rows, kind=loop.kind) as row:
                self._emit(rest, first, row)
        return b.statements()

    def _width(self) -> Index:
        """Return the number of rows of a block."""
        if self.length is None or self.length.constant is not None:
            return Index.of(_ROWS)
        b = self.b
        fits = b.let("le", "bool", [b.operand(self.length), Literal(_LONG_ROW, "int64")], "fits")
        numbers = [Literal(_ROWS, "int64"), Literal(1, "int64")]
        return b.let("switch", "int64", [fits, *numbers], "width").index

    def _ceil_div(self, count: Index, width: Index) -> Index:
        operands = [self.b.operand(count + width - 1), self.b.operand(width)]
        return self.b.let("trunc_div", "int64", operands, "blocks").index

    def _clear(self) -> None:
        """Set what the functions read to zero: a block may have fewer rows than lanes."""
        b, own = self.b, {v.name for s in self.parts.reduce for v in definitions(s)}
        read = own.intersection(_used(self.parts.functions))
        with b.loop("row", _ROWS, kind="independent") as row:
            for name, cell in self.cells.items():
                if name in read:
                    b.store(View(cell, (), (), row), [], b.literal(0, cell.dtype))

    def _emit(self, statements: Sequence[Statement], first: Index, row: Index) -> Copier:
        """Write one part for a row; what other parts compute is read from memory."""
        b = self.b
        copier = Copier(self.names, {self.loop.index.name: first + row})
        own = {value.name for s in statements for value in definitions(s)}
        for name in dict.fromkeys(_used(statements)):
            if name in self.cells and name not in own:
                value = b.load(View(self.cells[name], (), (), row), [])
                assert isinstance(value, Value)
                copier.values[name] = value
                if value.dtype == "int64":
                    copier.indices[name] = value.index
        for new in copier.block(statements):
            b.emit(new)
        return copier

    def _keep(self, statements: Sequence[Statement], copier: Copier, row: Index) -> None:
        """Store what other parts need of one that has just been written."""
        for s in statements:
            for value in definitions(s):
                if value.name in self.cells:
                    place = View(self.cells[value.name], (), (), row)
                    self.b.store(place, [], copier.operand(value))
