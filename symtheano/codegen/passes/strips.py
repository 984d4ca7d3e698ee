"""Strips: elements that go through many iterations do so side by side, a strip of them at a time.

The nest of an elementwise step has the loop over iterations inside the loops over elements. One
element after another, each operation would wait for the one before it, and vectors would be empty.
So elements run in strips: the loop over iterations is around loops over the elements of a strip,
whose states stay in the nearest cache.
"""

from __future__ import annotations

from collections.abc import Sequence

from symtheano.codegen.passes.trace import Context
from symtheano.codegen.passes.work import work_of
from symtheano.codegen.targets import Target
from symtheano.dataclass import replace
from symtheano.loopir import (
    Assign,
    Buffer,
    Builder,
    Declare,
    For,
    Index,
    Kernel,
    Let,
    LetIndex,
    Literal,
    Load,
    Statement,
    Store,
    Value,
    View,
)
from symtheano.loopir.builder import Names
from symtheano.loopir.names import definitions, walk
from symtheano.loopir.rewrite import Copier, base_name, names_used, with_loops

_AROUND = Let | LetIndex | Load | Declare | Store


def strips(kernel: Kernel, target: Target, context: Context) -> Kernel:
    """Interchange loops over elements with the loops over iterations inside, in strips."""

    def change(loop: For) -> Sequence[Statement] | None:
        inner = _iterations(loop)
        if inner is None:
            return None
        context.note(loop, "its elements run side by side in {}, {} at a time",
                     inner.index.name, target.strip)  # fmt: skip
        return _Strips(loop, inner, target, context.names).write()

    changed = with_loops(kernel, change)
    context.otherwise("not, no element goes through iterations by itself")
    return changed


def _iterations(loop: For) -> For | None:
    """Return the loop over iterations in a loop over elements, if it is one."""
    if loop.kind != "independent" or loop.start != 0 or loop.step != 1:
        return None
    inner = [s for s in loop.body if isinstance(s, For)]
    if len(inner) != 1 or not all(isinstance(s, For | _AROUND) for s in loop.body):
        return None
    (iterations,) = inner
    if iterations.kind != "serial" or iterations.step != 1 or not _assigns_last(iterations.body):
        return None
    inside = {loop.index.name, *(value.name for s in loop.body for value in definitions(s))}
    bounds = {*iterations.start.names(), *iterations.stop.names()}
    return iterations if inside.isdisjoint(bounds) else None


def _assigns_last(body: Sequence[Statement]) -> bool:
    """Return whether an iteration computes all new values before it assigns them."""
    kinds = [isinstance(s, Assign) for s in body]
    first = kinds.index(True) if True in kinds else len(body)
    return first < len(body) and all(
        isinstance(s, Let | LetIndex | Load | Declare)
        if k < first
        else isinstance(s, Assign) and isinstance(s.value, Value | Literal)
        for k, s in enumerate(body)
    )


class _Strips:
    """Distributes a loop over elements over the statements around and in its iterations."""

    def __init__(self, loop: For, inner: For, target: Target, names: Names) -> None:
        self.loop, self.inner, self.names = loop, inner, names
        self.width = target.strip
        self.b = Builder(names)
        at = loop.body.index(inner)
        self.before, self.after = loop.body[:at], loop.body[at + 1 :]
        self.varying = self._find_varying()
        written = {s.buffer.name for s in walk(loop.body) if isinstance(s, Store)}
        self.again = {
            s.target.name: s
            for s in self.before
            if isinstance(s, Load)
            and s.buffer.name not in written
            and {*s.index.names()}.isdisjoint(self.varying - {loop.index.name})
        }
        self.cells = self._find_cells()

    def _find_varying(self) -> set[str]:
        """Return the names whose values are different for different elements."""
        found: set[str] = {self.loop.index.name}
        while True:
            count = len(found)
            for s in walk(self.loop.body):
                if not found.isdisjoint(names_used(s)):
                    changed = [s.target] if isinstance(s, Assign) else definitions(s)
                    found.update(value.name for value in changed)
            if len(found) == count:
                return found

    def _find_cells(self) -> dict[str, Buffer]:
        """Return memory for what the statements before the iterations define for others."""
        made = {value.name: value for s in self.before for value in definitions(s)}
        used = {name for s in (*self.inner.body, *self.after) for name in names_used(s)}
        used.update(s.target.name for s in self.inner.body if isinstance(s, Assign))
        size = Index.of(self.width)
        return {
            name: Buffer(self.names.fresh(base_name(name)), value.dtype, "stack", size)
            for name, value in made.items()
            if name in used and name in self.varying and name not in self.again
        }

    def write(self) -> Sequence[Statement]:
        """Return the loop over strips."""
        b, loop, length = self.b, self.loop, self.loop.stop.constant
        if length is not None and length <= self.width:
            self._strip(Index.of(0), Index.of(length))
            return b.statements()
        work = loop.work if loop.work is not None else work_of(loop)
        with b.loop("strip", loop.stop, step=self.width, kind=loop.kind, work=work) as strip:
            self._strip(strip, b.minimum(loop.stop - strip, self.width, "elements"))
        return b.statements()

    def _strip(self, strip: Index, count: Index) -> None:
        b, inner = self.b, self.inner
        self._each(self.before, strip, count)
        with b.block() as body:
            self._each(inner.body, strip, count)
        b.emit(replace(inner, body=tuple(body)))
        self._each(self.after, strip, count)

    def _each(self, piece: Sequence[Statement], strip: Index, count: Index) -> None:
        """Write statements for all elements of a strip; those that do not vary, once."""
        apart = [s for s in piece if not self._varies(s)]
        for statement in apart:
            if not isinstance(statement, Assign):
                self.b.emit(statement)
        own = [s for s in piece if self._varies(s) and not self._is_again(s)]
        if own:
            self._lanes(own, strip, count)
        for statement in apart:
            if isinstance(statement, Assign):
                self.b.emit(statement)

    def _lanes(self, own: Sequence[Statement], strip: Index, count: Index) -> None:
        """Write a loop over the elements of a strip, which reads what it needs of their values."""
        defined = {value.name for s in own for value in definitions(s)}
        with self.b.loop("lane", count, kind="independent") as lane:
            copier = Copier(self.names, {self.loop.index.name: strip + lane})
            for name in dict.fromkeys(name for s in own for name in names_used(s)):
                if name in self.cells and name not in defined:
                    copier.values[name] = self._cell(name, lane, copier)
                elif name in self.again:
                    for copy in copier.statement(self.again[name]):
                        self.b.emit(copy)
            for statement in own:
                self._emit(statement, copier, lane)

    def _is_again(self, statement: Statement) -> bool:
        return isinstance(statement, Load) and statement.target.name in self.again

    def _varies(self, statement: Statement) -> bool:
        if isinstance(statement, Store):
            return True
        changed = [statement.target] if isinstance(statement, Assign) else definitions(statement)
        return any(value.name in self.varying for value in changed)

    def _cell(self, name: str, lane: Index, copier: Copier) -> Value:
        value = self.b.load(View(self.cells[name], (), (), lane), [])
        assert isinstance(value, Value)
        if value.dtype == "int64":
            copier.indices[name] = value.index
        return value

    def _emit(self, statement: Statement, copier: Copier, lane: Index) -> None:
        """Write one statement for an element; what others need is stored in its cell."""
        b = self.b
        if isinstance(statement, Assign | Declare) and statement.target.name in self.cells:
            name = statement.target.name
            value = statement.value if isinstance(statement, Assign) else statement.initial
            assert isinstance(value, Value | Literal)
            new = copier.operand(value)
            b.emit(Store(self.cells[name], lane, new))
            if isinstance(statement, Declare):  # others of the piece may read it
                copier.values[name] = new
                if new.dtype == "int64":
                    copier.indices[name] = b.as_index(new)
            return
        for copy in copier.statement(statement):
            b.emit(copy)
        for value in definitions(statement):
            if value.name in self.cells:
                b.emit(Store(self.cells[value.name], lane, copier.operand(value)))
