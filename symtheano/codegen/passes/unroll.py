"""Unroll: a short axis whose elements are interleaved in memory is unrolled inside a long one.

Pixels with three channels become one plane for each channel, or the reverse. Whichever of the two
loops is the inner one, it is short, or its addresses are apart. If the short loop is unrolled in
the long one, each pixel is read (or written) once, and vectors are filled from its channels. The
length must be known. If it is only known in a call, there are loops for the most usual length, and
others for short ones, in which the long axis runs inside, part by part.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack

from symtheano.codegen.passes.trace import Context
from symtheano.codegen.targets import Target
from symtheano.loopir import (
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
)
from symtheano.loopir.builder import Names
from symtheano.loopir.rewrite import Copier, base_name, with_loops

# Of a body that is worth having several times.
_MOST_STATEMENTS = 24


def unroll(kernel: Kernel, target: Target, context: Context) -> Kernel:
    """Unroll short loops of chains of independent loops, whose bodies must be naive."""

    def change(loop: For) -> Sequence[Statement] | None:
        chain = _chain(loop)
        pair = _interleaved(chain, target)
        if pair is None:
            return None
        short, long = pair
        context.note(short, "unrolled in {}, its length is {}", long.index.name, short.stop)
        return _Unrolled(chain, short, long, target, context.names).write()

    changed = with_loops(kernel, change)
    context.otherwise("not, no elements of a short axis are interleaved")
    return changed


def _chain(statement: Statement) -> list[For]:
    """Return independent loops of which each is all of the body of the one before."""
    chain: list[For] = []
    while isinstance(statement, For) and statement.kind == "independent" and statement.step == 1:
        chain.append(statement)
        if len(statement.body) != 1:
            break
        statement = statement.body[0]
    body = chain[-1].body if chain else ()
    plain = all(isinstance(s, Let | LetIndex | Load | Store) for s in body)
    return chain if plain and len(body) <= _MOST_STATEMENTS else []


def _interleaved(chain: Sequence[For], target: Target) -> tuple[For, For] | None:
    """Return the short and the long one of the two innermost loops, if they are such ones."""
    if len(chain) < 2:
        return None
    for short, long in (chain[-2:], chain[:-3:-1]):
        if short.start != 0 or short.index.name in long.stop.names():
            continue
        length = short.stop.constant
        is_short = length is not None and 1 < length <= target.rows.unrolled
        # a matrix may be short as well, but seldom is
        maybe = short.stop.name is not None and (len(chain) > 2 or long.stop.name is None)
        if (is_short or maybe) and _alternate(short, long, chain[-1].body):
            return short, long
    return None


def _alternate(short: For, long: For, body: Sequence[Statement]) -> bool:
    """Return whether elements along a short axis are neighbours, and then the next ones follow."""
    near = far = False
    for statement in body:
        if isinstance(statement, Load | Store):
            inner = statement.index.coefficient(short.index.name)
            outer = statement.index.coefficient(long.index.name)
            near |= inner == 1 and outer == short.stop
            far |= outer == 1 and inner != 0
    return near and far


class _Unrolled:
    """Writes a chain's loops again for some lengths of its short loop."""

    def __init__(
        self, chain: Sequence[For], short: For, long: For, target: Target, names: Names
    ) -> None:
        self.chain, self.short, self.long = chain, short, long
        self.target, self.names = target, names

    def write(self) -> Sequence[Statement]:
        """Return loops for each length that needs its own."""
        stop, target = self.short.stop, self.target
        b = Builder(self.names)
        if stop.constant is not None:
            self._unroll(b, stop.constant, {})
            return b.statements()
        assert stop.name is not None
        length = b.operand(stop)
        usual = b.let("eq", "bool", [length, Literal(target.rows.channels, "int64")], "usual")
        with b.block() as unrolled:
            self._unroll(b, target.rows.channels, {stop.name: Index.of(target.rows.channels)})
        with b.block() as others:
            few = b.let("le", "bool", [length, Literal(target.rows.short, "int64")], "few")
            with b.block() as parts:
                self._write_parts(b)
            b.emit(If(few, tuple(parts), (self.chain[0],)))
        b.emit(If(usual, tuple(unrolled), tuple(others)))
        return b.statements()

    def _loops(self, b: Builder, stack: ExitStack, counters: dict[str, Index]) -> None:
        """Open the loops around the two innermost ones; note their counters."""
        for loop in self.chain[:-2]:
            self._open(b, stack, counters, loop)

    def _open(self, b: Builder, stack: ExitStack, counters: dict[str, Index], loop: For) -> None:
        """Open a loop like another one."""
        wish, stop, start = base_name(loop.index.name), *self._bounds(loop, counters)
        counter = stack.enter_context(b.loop(wish, stop, start, kind="independent"))
        counters[loop.index.name] = counter

    def _bounds(self, loop: For, counters: dict[str, Index]) -> tuple[Index, Index]:
        return loop.stop.replace(counters), loop.start.replace(counters)

    def _unroll(self, b: Builder, length: int, counters: dict[str, Index]) -> None:
        """Write the long loop, with a copy of the body for each index of the short one."""
        with ExitStack() as stack:
            self._loops(b, stack, counters)
            self._open(b, stack, counters, self.long)
            for number in range(length):
                here = {**counters, self.short.index.name: Index.of(number)}
                for statement in Copier(self.names, here).block(self.chain[-1].body):
                    b.emit(statement)

    def _write_parts(self, b: Builder) -> None:
        """Write the long loop inside the short one, in parts that stay in the cache."""
        long, size = self.long, self.target.rows.block
        counters: dict[str, Index] = {}
        with ExitStack() as stack:
            self._loops(b, stack, counters)
            stop, start = self._bounds(long, counters)
            part = stack.enter_context(b.loop("part", stop, start, step=size, kind="independent"))
            end = b.minimum(part + size, stop, "stop")
            short = base_name(self.short.index.name)
            counters[self.short.index.name] = stack.enter_context(b.loop(short, self.short.stop))
            wish = base_name(long.index.name)
            counters[long.index.name] = stack.enter_context(b.loop(wish, end, part, kind="simd"))
            for statement in Copier(self.names, counters).block(self.chain[-1].body):
                b.emit(statement)
