"""Rows that threads of a warp or of a block share: loops over them, and what these access."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from symtheano.dataclass import dataclass, replace
from symtheano.loopir import Buffer, Builder, For, Index, Load, Statement, Store, Update
from symtheano.loopir.names import definitions, inner_definitions, walk
from symtheano.loopir.rewrite import Body

Place = tuple[Buffer, Index]
"""A buffer, and the index of an element in it by its position in a row."""

Access = Load | Store | Update

_POSITION = Index.symbol("position of an element")


@dataclass(eq=False)
class Row:
    """A loop over a row, of which each thread has some iterations.

    Attributes
    ----------
    outer
        The statement around the loop in which threads part.
    loop
        A thread's iterations.
    own
        The number of a thread among those that share the row.
    first
        The position at which the row begins.
    """

    outer: For
    loop: For
    own: Index
    first: Index

    @property
    def step(self) -> int:
        """The number of threads."""
        return self.loop.step

    @property
    def length(self) -> Index:
        """The number of elements of the row."""
        return self.loop.stop - self.first

    @property
    def key(self) -> tuple[Index, Index, int]:
        """What is the same for loops in which each thread has the same positions."""
        return self.first, self.loop.stop, self.loop.step

    def accesses(self) -> Iterator[tuple[Place, Access]]:
        """Yield accesses of elements whose places depend on the position alone."""
        loop, inside = self.loop, defined_in([self.outer])
        for s in loop.body:
            if isinstance(s, Load | Store | Update) and loop.index.name in s.index.names():
                index = s.index.replace({loop.index.name: _POSITION})
                if inside.isdisjoint(index.names()):
                    yield (s.buffer, index), s

    def replaced(self, statements: Sequence[Statement]) -> For:
        """Return the outer statement with others instead of the loop."""

        def block(body: Body) -> Body:
            new: list[Statement] = []
            for s in body:
                if s is self.loop:
                    new += statements
                else:
                    new.append(replace(s, body=block(s.body)) if isinstance(s, For) else s)
            return tuple(new)

        return replace(self.outer, body=block(self.outer.body))


@dataclass(eq=False)
class Held:
    """What is kept at one place of a row.

    Attributes
    ----------
    place
        The array in memory, and the index of an element.
    kept
        Statements whose element is kept for a later load.
    again
        Loads of what is kept.
    dead
        Stores of what a later loop stores anew, and none reads from memory.
    sums
        Updates, which add to what is kept.
    array
        The registers of a thread, if it has any.
    """

    place: Place
    kept: list[Statement]
    again: list[Statement]
    dead: list[Statement]
    sums: list[Update]
    array: Buffer | None = None

    @property
    def words(self) -> int:
        """Registers for one element."""
        return max(1, np.dtype(self.place[0].dtype).itemsize // 4)

    @property
    def registers(self) -> Buffer:
        """The registers of a thread."""
        assert self.array is not None
        return self.array


def at(place: Place, position: Index) -> Index:
    """Return the index of an element at a position of a row."""
    return place[1].replace(dict.fromkeys(_POSITION.names(), position))


def names_of(place: Place) -> set[str]:
    """Return the names on which a place depends, besides the position."""
    return {*place[1].names()} - {*_POSITION.names()}


def defined_in(statements: Sequence[Statement]) -> set[str]:
    """Return the names of what statements define, also inside others."""
    names = {value.name for s in walk(statements) for value in definitions(s)}
    for s in walk(statements):
        if isinstance(s, For):
            names.update(value.name for value in inner_definitions(s))
    return names


def rows_in(body: Body, warp: int) -> Iterator[Row]:
    """Yield the loops over rows in a list of statements, in order.

    Parameters
    ----------
    body
        Statements that threads of a warp, or of a block, run together.
    warp
        Threads of a warp.
    """
    for s in body:
        if isinstance(s, For) and s.kind in ("thread", "lane"):
            yield from _row(s, s, s.index.index)
        elif isinstance(s, For) and s.kind == "warp":
            inner = [each for each in s.body if isinstance(each, For) and each.kind == "lane"]
            if inner and not any(isinstance(each, For) for each in s.body if each not in inner):
                yield from _row(s, inner[0], s.index.index * warp + inner[0].index.index)


def _row(outer: For, threads: For, own: Index) -> Iterator[Row]:
    loop = threads.body[0] if len(threads.body) == 1 else None
    if not isinstance(loop, For) or loop.kind != "serial" or loop.step < 1:
        return
    first = loop.start - own
    numbers = {outer.index.name, threads.index.name}
    if numbers.isdisjoint(first.names()) and numbers.isdisjoint(loop.stop.names()):
        yield Row(outer, loop, own, first)


def write_elements(
    b: Builder,
    body: Body,
    holds: Sequence[Held],
    number: Index,
    copies: Mapping[int, tuple[Buffer, Index]] | None = None,
) -> None:
    """Write what a loop does with an element, some of whose values are kept.

    Parameters
    ----------
    b
        Takes the statements.
    body
        Those of the loop.
    holds
        What is kept.
    number
        The index of the element in registers.
    copies
        For the identities of loads and stores an array and an index, if others copy elements from
        memory to there, or back.
    """
    again = {id(s): held.registers for held in holds for s in held.again}
    kept = {id(s): held.registers for held in holds for s in held.kept}
    sums = {id(s): held.registers for held in holds for s in held.sums}
    dead = {id(s) for held in holds for s in held.dead}
    copies = copies or {}
    for s in body:
        if isinstance(s, Load) and id(s) in again:
            b.emit(Load(s.target, again[id(s)], number))
        elif isinstance(s, Load | Store) and id(s) in copies:
            b.emit(replace(s, buffer=copies[id(s)][0], index=copies[id(s)][1]))
            continue
        elif isinstance(s, Update) and id(s) in sums:
            b.emit(replace(s, buffer=sums[id(s)], index=number))
        elif id(s) not in dead:
            b.emit(s)
        if isinstance(s, Load | Store) and id(s) in kept:
            b.emit(Store(kept[id(s)], number, s.target if isinstance(s, Load) else s.value))
