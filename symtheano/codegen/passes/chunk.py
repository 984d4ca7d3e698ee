"""Chunk: an outermost loop that reduces runs in chunks, each with accumulators of its own.

Partial results are combined in order. The number of chunks depends on lengths alone, so results are
the same with any number of threads. A loop whose iterations need memory runs in chunks too, and
each chunk has one piece of it. (Suriana, Adams and Kamil call this ``rfactor``: "Parallel
associative reductions in Halide", CGO 2017.)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from symtheano.codegen.passes.trace import Context
from symtheano.codegen.passes.work import scalar_cost, trips_of, work_of
from symtheano.codegen.rows import neutral_element
from symtheano.codegen.targets import Target
from symtheano.dataclass import replace
from symtheano.loopir import (
    Buffer,
    Builder,
    Declare,
    For,
    If,
    Index,
    Kernel,
    Literal,
    Load,
    Local,
    Locate,
    Partition,
    Reduce,
    Statement,
    Store,
    Update,
    Value,
    View,
)
from symtheano.loopir.names import walk
from symtheano.loopir.rewrite import Body, Copier, base_name

# Additions that an element of a chunk may take, without counting for more than one.
_COSTLY = 4


def chunk(kernel: Kernel, target: Target, context: Context) -> Kernel:
    """Cut the outermost loops that reduce, or need memory; afterwards chunks are independent."""
    for loop in kernel.body:
        if isinstance(loop, For) and _is_one_chunk(loop, target):
            context.note(loop, "not, it is one chunk")
    if not any(isinstance(s, For | If) and _wants_chunks(s, target) for s in kernel.body):
        context.otherwise("not, no outermost loop reduces or needs memory")
        return kernel
    initial = {s.target.name: s.initial for s in kernel.body if isinstance(s, Declare)}
    return replace(kernel, body=_block(kernel.body, _Cut(target, context, initial)))


def _wants_chunks(statement: Statement, target: Target) -> bool:
    if isinstance(statement, If):
        return any(_wants_chunks(s, target) for s in (*statement.then, *statement.otherwise))
    if not isinstance(statement, For) or statement.kind not in ("independent", "reduce"):
        return False
    if any(isinstance(inner, Locate) for inner in statement.body):
        return False
    if _is_one_chunk(statement, target):
        return False
    memory = any(isinstance(inner, Local) for inner in statement.body)
    return statement.kind == "reduce" or memory


def _is_one_chunk(loop: For, target: Target) -> bool:
    """Return whether a loop is known to be too short for two chunks, which is of use on a CPU."""
    if target.device.threads > 1:
        return False
    trips = ((loop.stop - loop.start) * trips_of(loop)).constant
    return trips is not None and trips * _cost_of_element(loop, target) <= target.chunks.work


def _block(statements: Body, cut: _Cut) -> Body:
    body: list[Statement] = []
    for statement in statements:
        if not _wants_chunks(statement, cut.target):
            body.append(statement)
        elif isinstance(statement, If):
            then, otherwise = _block(statement.then, cut), _block(statement.otherwise, cut)
            body.append(replace(statement, then=then, otherwise=otherwise))
        else:
            assert isinstance(statement, For)
            body += cut.loop(statement)
    return tuple(body)


class _Cut:
    """Cuts loops of one kernel."""

    def __init__(
        self, target: Target, context: Context, initial: dict[str, Value | Literal]
    ) -> None:
        self.target, self.context, self.initial = target, context, initial
        self.names = context.names
        self.columns: dict[Buffer, str] = {}

    def loop(self, loop: For) -> Sequence[Statement]:
        """Return a loop over chunks, and what combines their results."""
        b, target = Builder(self.names), self.target
        inside = list(walk(loop.body))
        declared = {s.target.name for s in inside if isinstance(s, Declare)}
        scalars = {s.target: s.op for s in inside
                   if isinstance(s, Reduce) and s.target.name not in declared}  # fmt: skip
        local = [s.buffer for s in loop.body if isinstance(s, Local)]
        own = {buffer.name for buffer in local}
        self.columns = {
            s.buffer: s.op for s in inside
            if isinstance(s, Update) and s.buffer.name not in own
            and s.index.coefficient(loop.index.name) == 0  # else, each iteration has its own
        }  # fmt: skip
        rows_needed = bool(self.columns or local)
        most = target.chunks.most_rows if rows_needed else target.chunks.most
        rows, count = b.value("rows", "int64"), b.value("chunks", "int64")
        unit = trips_of(loop) * loop.step * _cost_of_element(loop, target)
        b.emit(Partition(rows, count, _times(b, loop), unit, target.chunks.work, most))
        cells = {v: Buffer(self._parts(v.name), v.dtype, "stack", Index.of(most))
                 for v in scalars}  # fmt: skip
        memory = {
            buffer.name: Buffer(self._parts(buffer.name), buffer.dtype, "local", buffer.size * most)
            for buffer in self.columns
        }
        memory |= {item.name: replace(item, size=item.size * most) for item in local}
        self.context.note(
            loop, "at most {} chunks, with work of at least {} additions; each has its own {}",
            most, target.chunks.work, ", ".join([*(v.name for v in scalars), *memory]),
        )  # fmt: skip
        for buffer in memory.values():
            b.emit(Local(buffer))
        work = work_of(loop) if loop.work is None else loop.work
        with b.loop("chunk", count.index, kind="independent", work=work) as chunk:
            start = b.index_value(loop.start + chunk * rows.index * loop.step, "start").index
            stop = b.minimum(start + rows.index * loop.step, loop.stop, "stop")
            own_values = {
                value.name: b.declare(base_name(value.name), self.initial[value.name])
                for value in scalars
            }
            self._clear(b, memory, chunk)
            body = tuple(s for s in loop.body if not isinstance(s, Local))
            sizes = {item.name: item.size for item in (*self.columns, *local)}
            moved = _Moved(memory, sizes, chunk, own_values).block(body)
            b.emit(replace(loop, start=start, stop=stop, body=tuple(moved)))
            for value, cell in cells.items():
                b.store(View(cell, (), (), chunk), [], own_values[value.name])
        self._combine(b, scalars, cells, memory, count.index)
        return b.statements()

    def _parts(self, name: str) -> str:
        """Return a name for the partial results of a value."""
        return self.names.fresh(f"{base_name(name)}_parts")

    def _clear(self, b: Builder, memory: dict[str, Buffer], chunk: Index) -> None:
        for size, columns in self._columns():
            with b.loop("j", size, kind="simd") as j:
                for buffer, op in columns:
                    place = View(memory[buffer.name], (), (), chunk * size + j)
                    b.store(place, [], neutral_element(op, buffer.dtype))

    def _columns(self) -> Iterator[tuple[Index, list[tuple[Buffer, str]]]]:
        """Yield columns of one size together: a loop of each would take long to compile."""
        for size in dict.fromkeys(buffer.size for buffer in self.columns):
            yield size, [item for item in self.columns.items() if item[0].size == size]

    def _combine(
        self,
        b: Builder,
        scalars: dict[Value, str],
        cells: dict[Value, Buffer],
        memory: dict[str, Buffer],
        count: Index,
    ) -> None:
        if scalars:
            with b.loop("chunk", count) as chunk:
                for value, op in scalars.items():
                    part = b.load(View(cells[value], (), (), chunk), [])
                    b.emit(Reduce(value, op, part))
        for size, columns in self._columns():
            with b.loop("chunk", count) as chunk, b.loop("j", size, kind="simd") as j:
                for buffer, op in columns:
                    place = View(memory[buffer.name], (), (), chunk * size + j)
                    b.emit(Update(buffer, j, op, b.load(place, [])))


def _cost_of_element(loop: For, target: Target) -> int:
    """Return what an element counts for, more than one where functions of it take long."""
    if target.device.threads > 1:
        return 1
    costs = [scalar_cost(s.body) for s in walk([loop]) if isinstance(s, For)]
    return max(1, max(costs) // _COSTLY)


def _times(b: Builder, loop: For) -> Index:
    """Return the number of a loop's iterations."""
    length = loop.stop - loop.start
    if loop.step == 1:
        return length
    rounded = b.operand(length + (loop.step - 1))
    return b.let("trunc_div", "int64", [rounded, Literal(loop.step, "int64")], "times").index


class _Moved(Copier):
    """Moves accesses of buffers to a chunk's own part of larger ones."""

    def __init__(self, memory: dict[str, Buffer], sizes: dict[str, Index], chunk: Index,
                 values: dict[str, Value]) -> None:  # fmt: skip
        super().__init__(None, values=dict(values))
        self.memory, self.sizes, self.chunk = memory, sizes, chunk

    def statement(self, statement: Statement) -> list[Statement]:
        """Return a statement whose accesses are moved."""
        if isinstance(statement, Load | Store | Update):
            new = self.memory.get(statement.buffer.name)
            if new is not None:
                index = statement.index + self.chunk * self.sizes[statement.buffer.name]
                statement = replace(statement, buffer=new, index=index)
        return super().statement(statement)
