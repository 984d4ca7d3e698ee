"""Partial columns: the rows that run together are added in float32, and their sum in float64.

So are sums along rows (see ``partial_sums``). Where a sum is not finite, all rows are added again,
one at a time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from symtheano.codegen.passes.partial_sums import (
    add_by_pairs,
    is_finite,
    narrow_terms,
    without_sums,
)
from symtheano.codegen.passes.rounded import KeptWide
from symtheano.codegen.passes.trace import Context
from symtheano.codegen.targets import Target
from symtheano.dataclass import replace
from symtheano.loopir import (
    Buffer,
    Builder,
    For,
    If,
    Index,
    Kernel,
    Let,
    LetIndex,
    Literal,
    Load,
    Statement,
    Store,
    Update,
    Value,
    View,
)
from symtheano.loopir.builder import Names
from symtheano.loopir.operands import Operand
from symtheano.loopir.rewrite import Body, Copier, base_name, unless_same, with_nested

Cell = tuple[Buffer, Index]
"""An element that a loop updates: its buffer and index."""


def partial_columns(kernel: Kernel, target: Target, context: Context) -> Kernel:
    """Add rows that run together in float32 first, if they are added to zeros."""
    kept = KeptWide(kernel)

    def block(statements: Body) -> Body:
        body: list[Statement] = []
        at = 0
        while at < len(statements):
            columns = _columns(statements, at, kept)
            if columns is not None:
                context.note(columns.rows, "{} rows are added in float32 first", columns.rows.step)
                body += columns.write(context.names)
                at += 2
                continue
            body.append(with_nested(statements[at], block))
            at += 1
        return unless_same(body, statements)

    changed = with_nested(kernel, block)
    context.otherwise("not, no rows run together that add float32 elements to zeros")
    return changed


_FEWEST_ROWS = 32
"""Of fewer rows, looking at the sums takes longer than converting all elements."""


class _Columns:
    """Rows that are added together to accumulators.

    Parameters
    ----------
    zeros
        The loop that clears the accumulators.
    rows, inner
        The loop over rows that run together, and the one along them.
    rest
        The loop over the other rows.
    """

    def __init__(self, zeros: For, rows: For, inner: For, rest: For) -> None:
        self.zeros, self.rows, self.inner, self.rest = zeros, rows, inner, rest
        self.terms = _terms_of(inner)

    def write(self, names: Names) -> Sequence[Statement]:
        """Return the loops, after which the rows of sums that are not finite are added again."""
        b, rest, rows = Builder(names), self.rest, self.rows
        begin = b.declare("begin", b.operand(rest.start))
        inner = replace(self.inner, body=self._body(names))
        with b.block() as added_narrow:
            many = replace(rows, body=tuple(inner if s is self.inner else s for s in rows.body))
            for statement in Copier(names).block([many]):
                b.emit(statement)
            again = self._again(b)
            with b.block() as from_zero:
                for statement in Copier(names).block([self.zeros]):
                    b.emit(statement)
                b.assign(begin, b.operand(rows.start))
            b.emit(If(again, tuple(from_zero), rare=True))
        count = rows.stop - rows.start
        if count.constant is not None and count.constant >= _FEWEST_ROWS:
            for statement in added_narrow:
                b.emit(statement)
        else:
            least = Literal(_FEWEST_ROWS, "int64")
            are_many = b.let("ge", "bool", [b.operand(count), least], "are_many")
            b.emit(If(are_many, tuple(added_narrow), (rows,)))
        b.emit(replace(rest, start=begin.index))
        return b.statements()

    def _again(self, b: Builder) -> Value:
        """Return whether a sum is not finite."""
        infinite = b.declare("infinite", Literal(0, "int64"))
        counter = base_name(self.inner.index.name)
        with b.loop(counter, self.inner.stop, self.inner.start, kind="simd",
                    reductions=((infinite, "add"),)) as j:  # fmt: skip
            for buffer, index in self.terms:
                total = b.load(View(buffer, (), (), index.replace({self.inner.index.name: j})), [])
                overflows = b.let("invert", "bool", [is_finite(b, total)])
                b.reduce(infinite, "add", b.let("cast", "int64", [overflows]))
        return b.let("gt", "bool", [infinite, Literal(0, "int64")], "again")

    def _body(self, names: Names) -> Body:
        """Return what runs along the rows, with one update of each accumulator."""
        b = Builder(names)
        with b.block() as body:
            for s in without_sums(self.inner.body):
                b.emit(s)
            for (buffer, index), terms in self.terms.items():
                total = add_by_pairs(b, terms)
                b.emit(Update(buffer, index, "add", b.let("cast", "float64", [total])))
        return tuple(body)


def _columns(statements: Body, at: int, kept: KeptWide) -> _Columns | None:
    """Return the loops that begin with the one at a position; None if they are others."""
    if at + 1 >= len(statements):
        return None
    rows, rest = statements[at : at + 2]
    if not (isinstance(rows, For) and isinstance(rest, For) and rest.start == rows.stop):
        return None
    inner = [s for s in rows.body if isinstance(s, For)]
    if rows.step not in _TOGETHER or rest.step != 1 or len(inner) != 1 or inner[0].kind != "simd":
        return None
    (along,) = inner
    if not all(isinstance(s, Let | LetIndex | Load | Update) for s in along.body):
        return None
    terms = _terms_of(along)
    updates = [s for s in along.body if isinstance(s, Update)]
    if not terms or len(updates) != sum(map(len, terms.values())):
        return None
    count = (rows.stop - rows.start).constant
    if count is not None and count < _FEWEST_ROWS:
        return None
    if any(len(own) != rows.step for own in terms.values()):
        return None
    if any(buffer.name in kept.names for buffer, _ in terms):
        return None
    for zeros in statements[:at]:
        if isinstance(zeros, For) and _clears(zeros, along, terms):
            return _Columns(zeros, rows, along, rest)
    return None


_TOGETHER = (2, 4, 8)
"""Numbers of rows that may run together."""


def _terms_of(along: For) -> dict[Cell, list[Operand]]:
    """Return the float32 elements that are added to each accumulator in float64."""
    terms: dict[Cell, list[Operand]] = {}
    for s, term in narrow_terms(along.body):
        if isinstance(s, Update):
            terms.setdefault((s.buffer, s.index), []).append(term)
    return terms


def _clears(zeros: For, along: For, terms: Mapping[Cell, object]) -> bool:
    """Return whether a loop does nothing but clear the accumulators of another one."""
    if (zeros.start, zeros.stop, zeros.step) != (along.start, along.stop, along.step):
        return False
    cleared: set[Cell] = set()
    for s in zeros.body:
        if not isinstance(s, Store) or s.value != Literal(0.0, "float64"):
            return False
        cleared.add((s.buffer, s.index.replace({zeros.index.name: along.index.index})))
    return cleared == set(terms)
