"""What passes for a device ask of loops: chains of loops, their effects, and their strides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from symtheano.dataclass import replace
from symtheano.loopir import (
    Assign,
    Buffer,
    Builder,
    Declare,
    For,
    If,
    Index,
    Let,
    LetIndex,
    Load,
    Locate,
    Reduce,
    Statement,
    Store,
    Update,
    Value,
    While,
)
from symtheano.loopir.memory import STACK
from symtheano.loopir.names import definitions, inner_definitions, reads, walk, writes
from symtheano.loopir.operands import Operand
from symtheano.loopir.rewrite import names_used, with_bodies

_SCALAR = Let | LetIndex | Load
_APART = ("independent", "parallel", "simd", "parallel simd")


def is_open(loop: For) -> bool:
    """Return whether a loop's iterations are independent, but for what they reduce."""
    return loop.kind in _APART or loop.kind == "reduce" or _only_adds(loop)


def _only_adds(loop: For) -> bool:
    """Return whether a loop in order combines partial results, and nothing depends on the order."""
    if loop.kind != "serial" or not all(isinstance(s, _SCALAR | Reduce) for s in loop.body):
        return False
    totals = {s.target.name for s in loop.body if isinstance(s, Reduce)}
    read = [name for s in loop.body if not isinstance(s, Reduce) for name in names_used(s)]
    return totals.isdisjoint(read)


def around(loop: For) -> tuple[Sequence[Statement], For] | None:
    """Return scalars that a loop computes before the only loop inside, and this one.

    The inner loop is as long in all iterations, and does not write what the scalars are read from,
    so that both may be run as one grid.
    """
    if not loop.body:
        return None
    *scalars, inner = loop.body
    if not isinstance(inner, For) or not all(isinstance(s, _SCALAR) for s in scalars):
        return None
    written = {buffer for s in walk(inner.body) for buffer in writes(s)}
    if any(buffer in written for s in scalars for buffer in reads(s)):
        return None
    own = {loop.index.name, *(value.name for s in scalars for value in definitions(s))}
    return (scalars, inner) if own.isdisjoint([*inner.start.names(), *inner.stop.names()]) else None


def is_apart(loop: For) -> bool:
    """Return whether iterations of a loop may run in any order, and at the same time.

    A loop over the rows of a chunk is not among them: they use the same memory in turn.
    """
    if loop.kind not in _APART or loop.reductions or loop.worker is not None:
        return False
    alone = loop.stop - loop.start == 1
    own = dependent(loop)
    inside = {s.target.name for s in walk(loop.body) if isinstance(s, Declare)}
    return all(
        alone or not own.isdisjoint(s.index.names()) or _is_scratch(s.buffer, loop)
        if isinstance(s, Store | Update)
        else all(target.name in inside for target in assigned(s))
        for s in walk(loop.body)
    )


def assigned(statement: Statement) -> tuple[Value, ...]:
    """Return the declared scalars that a statement itself changes."""
    if isinstance(statement, Assign | Reduce):
        return (statement.target,)
    return (statement.best, statement.where) if isinstance(statement, Locate) else ()


def _is_scratch(buffer: Buffer, loop: For) -> bool:
    """Return whether each iteration writes a small array, and then reads it, as tiles are."""
    if buffer.memory is not STACK:
        return False
    used = [s for s in walk(loop.body) if buffer in (*reads(s), *writes(s))]
    return isinstance(used[0], Store) and any(isinstance(s, Load) for s in used)


def dependent(loop: For) -> set[str]:
    """Return the names of integers inside a loop that depend on its counter."""
    names = {loop.index.name}
    for statement in walk(loop.body):
        if not names.isdisjoint(names_used(statement)):
            names.update(value.name for value in definitions(statement))
            if isinstance(statement, For):
                names.update(value.name for value in inner_definitions(statement))
    return names


def chain(loop: For) -> list[For]:
    """Return open loops of which each is all of the body of the one before, the outermost first."""
    loops: list[For] = []
    inner: Statement = loop
    while isinstance(inner, For) and is_open(inner):
        loops.append(inner)
        if len(inner.body) != 1:
            break
        (inner,) = inner.body
    return loops


def reduced_outside(loop: For) -> tuple[tuple[Value, str], ...]:
    """Return the scalars that a loop reduces and that are declared before it, with the ops."""
    inside = {s.target.name for s in walk(loop.body) if isinstance(s, Declare)}
    scalars = {s.target.name: (s.target, s.op) for s in walk(loop.body)
               if isinstance(s, Reduce) and s.target.name not in inside}  # fmt: skip
    return tuple(scalars.values())


def contiguous(statements: Sequence[Statement], name: str) -> int:
    """Return how many loads and stores go to the next element if a counter does."""
    return sum(
        s.index.coefficient(name) == 1
        for s in walk(statements)
        if isinstance(s, Load | Store | Update)
    )


def quotient(whole: Index, divisor: Index) -> Index | None:
    """Return the polynomial that times another one is a third one, or None if there is none.

    Examples
    --------
    >>> n, m, k = map(Index.symbol, "nmk")
    >>> quotient(n * k - m * k + n - m, n - m), quotient(n * k + 1, n)
    (Index(k + 1), None)
    """
    if not divisor.terms:
        return None

    def place(term: tuple[tuple[str, ...], int]) -> tuple[int, tuple[str, ...]]:
        return len(term[0]), term[0]

    names, factor = max(divisor.terms, key=place)
    result = Index.of(0)
    while whole.terms:
        first, number = max(whole.terms, key=place)
        left = list(first)
        for name in names:
            if name not in left:
                return None
            left.remove(name)
        if number % factor:
            return None
        term = Index(((tuple(left), number // factor),))
        result += term
        whole -= term * divisor
    return result


def in_order(statement: Statement) -> Statement:
    """Return what one thread runs: loops inside have no other kind than serial."""
    if isinstance(statement, For):
        statement = replace(statement, kind="serial", reductions=(), work=None, worker=None)
    if isinstance(statement, While):
        test, body = (tuple(map(in_order, part)) for part in (statement.test, statement.body))
        return replace(statement, test=test, body=body)
    return with_bodies(statement, lambda body: tuple(map(in_order, body)))


def loops_in(statements: Sequence[Statement]) -> Iterator[For]:
    """Yield the outermost loops of a list, also those in branches."""
    for statement in statements:
        if isinstance(statement, For):
            yield statement
        elif isinstance(statement, If):
            yield from loops_in((*statement.then, *statement.otherwise))


def strided(loop: For, first: Index, step: int) -> For:
    """Return a loop over every so manieth iteration, from the first-th on, for one thread."""
    start = loop.start + first * loop.step
    body = tuple(map(in_order, loop.body))
    return replace(loop, start=start, step=loop.step * step, kind="serial", body=body,
                   reductions=(), work=None, worker=None)  # fmt: skip


def unravelled(b: Builder, place: Operand, lengths: Sequence[Index], wish: str) -> list[Index]:
    """Write the positions along axes of these lengths of an element of an array in C order.

    A position is what a quotient leaves, so that addresses in the same order are sums without it.
    """
    positions: list[Index] = []
    for length in reversed(lengths[1:]):
        before = b.let("place_div", "int64", [place, b.operand(length)], wish)
        positions.append(b.as_index(place) - before.index * length)
        place = before
    return [b.as_index(place), *reversed(positions)]
