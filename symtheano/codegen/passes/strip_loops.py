"""The loops of strips: elements of an array that go through iterations side by side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import MappingProxyType

from symtheano.codegen.passes.work import work_of
from symtheano.dataclass import dataclass, replace
from symtheano.loopir import (
    Assign,
    Buffer,
    Builder,
    Declare,
    Expression,
    For,
    If,
    Index,
    Leave,
    Literal,
    Load,
    Statement,
    Store,
    Value,
    View,
)
from symtheano.loopir.builder import Names
from symtheano.loopir.names import definitions, walk
from symtheano.loopir.nodes import Kind
from symtheano.loopir.rewrite import Copier, base_name, names_used
from symtheano.scalar.table import scalar_op


@dataclass(frozen=True)
class Layout:
    """How many elements run side by side.

    Attributes
    ----------
    lanes, parts
        Elements of a vector, and number of vectors; or, for one part, all elements of a strip.
    settled
        After so many iterations, a strip looks whether its states still change; 0: never.
    """

    lanes: int
    parts: int
    settled: int

    @property
    def width(self) -> int:
        """Number of elements of a strip."""
        return self.lanes * self.parts


def uses_only_states(inner: For) -> bool:
    """Return whether an iteration is a function of states whose bits can be compared.

    It does not use its number. Arrays that it reads do not change in the loop.
    """
    if any(inner.index.name in names_used(s) for s in inner.body):
        return False
    states = [s.target.dtype for s in inner.body if isinstance(s, Assign)]
    return not any(dtype.startswith(("float16", "complex")) for dtype in states)


@dataclass(frozen=True)
class _Scope:
    """A strip, and what is read there instead of values that do not vary.

    Attributes
    ----------
    copier
        For these values.
    strip, elements
        The first element of the strip, and how many it has.
    """

    copier: Copier
    strip: Index
    elements: Index

    def inside(self, names: Names) -> _Scope:
        """Return the scope of statements inside, in which more is defined."""
        copier = Copier(names, self.copier.indices, self.copier.values)
        return replace(self, copier=copier)


_NOTHING: Mapping[str, Value] = MappingProxyType({})


class Strips:
    """Distributes a loop over elements over the statements around and in its iterations.

    Parameters
    ----------
    loop, inner
        The loop over elements, and the one over iterations in it.
    layout
        How many elements run side by side.
    names
        Where new names come from.
    """

    def __init__(self, loop: For, inner: For, layout: Layout, names: Names) -> None:
        self.loop, self.inner, self.layout, self.names = loop, inner, layout, names
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
        kept = self._find_kept()
        size = Index.of(layout.width)
        self.cells = {
            name: Buffer(names.fresh(base_name(name)), value.dtype, "stack", size)
            for name, value in kept.items()
        }
        states = [s.target for s in inner.body if isinstance(s, Assign)]
        self.bits: dict[str, str] = {}  # dtypes of the bits of states
        if layout.settled and all(state.name in kept for state in states):
            self.bits = {state.name: _bits_of(state) for state in states}

    def _find_varying(self) -> set[str]:
        """Return the names whose values are different for different elements."""
        names: set[str] = {self.loop.index.name}
        while True:
            count = len(names)
            for s in walk(self.loop.body):
                if not names.isdisjoint(names_used(s)):
                    changed = [s.target] if isinstance(s, Assign) else definitions(s)
                    names.update(value.name for value in changed)
            if len(names) == count:
                return names

    def _find_kept(self) -> dict[str, Value]:
        """Return what the statements before the iterations define for others."""
        defined = {value.name: value for s in self.before for value in definitions(s)}
        used = {name for s in (*self.inner.body, *self.after) for name in names_used(s)}
        used.update(s.target.name for s in self.inner.body if isinstance(s, Assign))
        return {
            name: value
            for name, value in defined.items()
            if name in used and name in self.varying and name not in self.again
        }

    @property
    def settles(self) -> bool:
        """Whether a strip ends when its states do not change: all states are those of elements."""
        return bool(self.bits)

    # -- strips ------------------------------------------------------------------------------------

    def write(self) -> Sequence[Statement]:
        """Return the loop over strips."""
        b, loop, width = self.b, self.loop, self.layout.width
        length = loop.stop.constant
        if length is not None and length <= width:
            self._strip(Index.of(0), Index.of(length), settles=True)
            return b.statements()
        work = loop.work if loop.work is not None else work_of(loop)
        with b.loop("strip", loop.stop, step=width, kind=loop.kind, work=work) as strip:
            if length is not None and length % width == 0:
                self._strip(strip, Index.of(width), settles=True)
            else:
                self._strip_of(strip, b.minimum(loop.stop - strip, width, "elements"))
        return b.statements()

    def _strip_of(self, strip: Index, elements: Index) -> None:
        """Write a strip that may have fewer elements than others."""
        b, width = self.b, self.layout.width
        if self.layout.parts == 1:
            self._strip(strip, elements, settles=True)
            return
        whole = b.let("eq", "bool", [b.operand(elements), Literal(width, "int64")], "whole")
        with b.block() as vectors:
            self._strip(strip, Index.of(width), settles=True)
        with b.block() as rest:
            self._strip(strip, elements, settles=False)
        b.emit(If(whole, tuple(vectors), tuple(rest)))

    def _strip(self, strip: Index, elements: Index, settles: bool) -> None:
        scope = _Scope(Copier(self.names), strip, elements)
        self._each(self.before, scope)
        if settles and self.settles:
            self._until_settled(scope)
        else:
            self._iterations(scope, self.inner.start, self.inner.stop)
        self._each(self.after, scope)

    # -- iterations --------------------------------------------------------------------------------

    def _iterations(self, scope: _Scope, start: Index, stop: Index) -> None:
        step = Value(self.names.fresh(base_name(self.inner.index.name)), "int64")
        inside = scope.inside(self.names)
        inside.copier.values[self.inner.index.name] = step
        inside.copier.indices[self.inner.index.name] = step.index
        with self.b.block() as body:
            self._each(self.inner.body, inside)
        self.b.emit(replace(self.inner, index=step, start=start, stop=stop, body=tuple(body)))

    def _until_settled(self, scope: _Scope) -> None:
        """Write iterations in groups; the last one of a group shows whether states still change."""
        b, inner, often = self.b, self.inner, self.layout.settled
        with b.loop("first", inner.stop, inner.start, step=often) as first:
            last = b.minimum(first + (often - 1), inner.stop - 1, "last")
            self._iterations(scope, first, last)
            kinds = dict.fromkeys(self.bits.values())
            totals = {kind: b.declare("changed", Literal(0, kind)) for kind in kinds}
            changed = {name: totals[kind] for name, kind in self.bits.items()}
            self._each(inner.body, scope.inside(self.names), changed)
            b.emit(Leave(_are_zero([*totals.values()])))

    def _each(
        self, piece: Sequence[Statement], scope: _Scope, changed: Mapping[str, Value] = _NOTHING
    ) -> None:
        """Write statements for all elements of a strip; those that do not vary, once.

        Parameters
        ----------
        piece
            The statements.
        scope
            The strip.
        changed
            What takes the bits of states that are changed.
        """
        apart = [s for s in piece if not self._varies(s)]
        for statement in apart:
            if not isinstance(statement, Assign):
                self._copy(statement, scope.copier)
        own = [s for s in piece if self._varies(s) and not self._is_again(s)]
        if own:
            self._lanes(own, scope, changed)
        for statement in apart:
            if isinstance(statement, Assign):
                self._copy(statement, scope.copier)

    def _copy(self, statement: Statement, copier: Copier) -> None:
        for copy in copier.statement(statement):
            self.b.emit(copy)

    def _lanes(self, own: Sequence[Statement], scope: _Scope, changed: Mapping[str, Value]) -> None:
        """Write loops over the elements of a strip, which read what they need of their values."""
        defined = {value.name for s in own for value in definitions(s)}
        with self._elements(scope.elements, "reduce" if changed else "independent") as element:
            copier = scope.inside(self.names).copier
            copier.indices[self.loop.index.name] = scope.strip + element
            for name in dict.fromkeys(name for s in own for name in names_used(s)):
                if name in self.cells and name not in defined:
                    copier.values[name] = self._cell(name, element, copier)
                elif name in self.again:
                    self._copy(self.again[name], copier)
            for statement in own:
                if isinstance(statement, Assign) and changed:
                    self._compare(statement, copier, changed[statement.target.name])
                self._emit(statement, copier, element)

    @contextmanager
    def _elements(self, elements: Index, kind: Kind) -> Iterator[Index]:
        """Open the loops over the elements of a strip: vectors one by one, if they are whole."""
        b, lanes, count = self.b, self.layout.lanes, elements.constant
        if self.layout.parts == 1 or count is None or count % lanes:
            with b.loop("lane", elements, kind=kind) as lane:
                yield lane
            return
        with (
            b.loop("vector", elements, step=lanes, kind="unrolled") as vector,
            b.loop("lane", lanes, kind=kind) as lane,
        ):
            yield vector + lane

    def _is_again(self, statement: Statement) -> bool:
        return isinstance(statement, Load) and statement.target.name in self.again

    def _varies(self, statement: Statement) -> bool:
        if isinstance(statement, Store):
            return True
        changed = [statement.target] if isinstance(statement, Assign) else definitions(statement)
        return any(value.name in self.varying for value in changed)

    def _cell(self, name: str, element: Index, copier: Copier) -> Value:
        value = self.b.load(View(self.cells[name], (), (), element), [])
        assert isinstance(value, Value)
        if value.dtype == "int64":
            copier.indices[name] = value.index
        return value

    def _compare(self, assign: Assign, copier: Copier, changed: Value) -> None:
        """Note which bits of a state are changed."""
        assert isinstance(assign.value, Value | Literal)
        before, after = copier.operand(assign.target), copier.operand(assign.value)
        bits = self.b.let("changed", changed.dtype, [before, after], "bits")
        self.b.reduce(changed, "or_", bits)

    def _emit(self, statement: Statement, copier: Copier, element: Index) -> None:
        """Write one statement for an element; what others need is stored in its cell."""
        b, cells = self.b, self.cells
        if isinstance(statement, Assign | Declare) and statement.target.name in cells:
            name = statement.target.name
            value = statement.value if isinstance(statement, Assign) else statement.initial
            assert isinstance(value, Value | Literal)
            new = copier.operand(value)
            b.emit(Store(cells[name], element, new))
            if isinstance(statement, Declare):  # others of the piece may read it
                copier.values[name] = new
                if new.dtype == "int64":
                    copier.indices[name] = b.as_index(new)
            return
        self._copy(statement, copier)
        for value in definitions(statement):
            if value.name in cells:
                b.emit(Store(cells[value.name], element, copier.operand(value)))


def _bits_of(state: Value) -> str:
    """Return the dtype of the bits in which two values of a state differ."""
    return scalar_op("changed").signature((state.dtype, state.dtype)).result


def _are_zero(totals: Sequence[Value]) -> Expression:
    """Return the condition that no bit is set."""
    first, *others = [Expression("eq", "bool", (v, Literal(0, v.dtype))) for v in totals]
    for other in others:
        first = Expression("and_", "bool", (first, other))
    return first
