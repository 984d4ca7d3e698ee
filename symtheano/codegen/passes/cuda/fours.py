"""Fours: four neighbours in memory that a thread loads or stores at once, and those of rows.

Of a row that is loaded in fours, each thread has four neighbours, then those as many fours further
on as there are threads. It has the same elements where the row is not aligned in memory, which it
finds out, and loads them one by one: sums have the same bits.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager

from symtheano.codegen.passes.cuda.rows import Access, Held, Place, Row, at, write_elements
from symtheano.dataclass import dataclass
from symtheano.loopir import (
    Aligned,
    Buffer,
    Builder,
    If,
    Index,
    LetIndex,
    Literal,
    Load,
    Store,
    Value,
)
from symtheano.loopir.names import reads, walk, writes
from symtheano.loopir.operands import LANES, Operand, in_lanes
from symtheano.loopir.rewrite import base_name


def move(b: Builder, source: Buffer, start: Index, target: Buffer, at: Index) -> None:
    """Copy four elements from one array to another at once."""
    four = Value(b.names.fresh("four"), in_lanes(source.dtype))
    b.emit(Load(four, source, start))
    b.emit(Store(target, at, four))


def constant_part(index: Index) -> int:
    """Return the constant term of an index.

    Examples
    --------
    >>> constant_part(Index.symbol("i") * 4 + 3)
    3
    """
    return next((factor for names, factor in index.terms if not names), 0)


def accesses_in_fours(row: Row) -> dict[int, Place]:
    """Return the places of loads and stores in a row whose neighbours are neighbours in memory.

    They are given by the identities of statements. An array to which the loop stores is not among
    them unless it does so once, and loads nothing else of it.
    """
    places: dict[int, Place] = {}
    own: dict[Buffer, list[tuple[Place, Access]]] = {}
    for place, s in row.accesses():
        own.setdefault(place[0], []).append((place, s))
    inside = {id(s) for group in own.values() for _, s in group}
    others = [s for s in walk(row.loop.body) if id(s) not in inside]
    elsewhere = {buffer for s in others for buffer in (*reads(s), *writes(s))}
    written = {buffer for s in others for buffer in writes(s)}
    for buffer, group in own.items():
        stores = [s for _, s in group if not isinstance(s, Load)]
        alone = len({place for place, _ in group}) == 1 and buffer not in elsewhere
        first_store = len(stores) == 1 and group[-1][1] is stores[0]
        if (stores and not (alone and first_store)) or buffer in written:
            continue
        for place, s in group:
            if isinstance(s, Load | Store) and _is_contiguous(place, row):
                places[id(s)] = place
    return places


def _is_contiguous(place: Place, row: Row) -> bool:
    buffer, first, second = place[0], at(place, row.first), at(place, row.first + 1)
    return buffer.memory.passed and second - first == 1 and constant_part(first) % LANES == 0


def can_be_in_fours(rows: Iterable[Row], multiples: Collection[Index] = ()) -> bool:
    """Return whether loops over a row may go in fours, and access memory so.

    Its length is a known one, or among those that are tested to be long enough multiples of four.
    """
    every = [*rows]
    length = every[0].length
    if length.constant is None:
        fits = length in multiples
    else:
        fits = length.constant % LANES == 0 and length.constant >= LANES * every[0].step
    return fits and any(accesses_in_fours(row) for row in every)


@dataclass(frozen=True)
class _Copy:
    """Elements in memory, and where they are in registers: all of a thread's, or four at a time."""

    place: Place
    array: Buffer
    all: bool

    def index(self, group: Index) -> Index:
        """Return the index in registers of the first element of a group."""
        return group if self.all else Index.of(0)


def write_in_fours(b: Builder, row: Row, holds: Sequence[Held], count: int) -> None:
    """Write what each thread does with its first elements of a row, groups of four neighbours.

    What later loops use again is loaded for all groups before anything is computed.

    Parameters
    ----------
    b
        Takes the statements.
    row
        The loop over a row.
    holds
        What is kept.
    count
        How many elements, a multiple of four.
    """
    without = {id(s) for held in holds for s in (*held.again, *held.dead)}
    kept = {id(s): held.registers for held in holds for s in held.kept}
    copies: dict[int, _Copy] = {}
    for key, place in accesses_in_fours(row).items():
        if key not in without:
            array = kept[key] if key in kept else _four(b, place[0])
            copies[key] = _Copy(place, array, key in kept)
    loads = {id(s) for s in row.loop.body if isinstance(s, Load)}
    early = [copy for key, copy in copies.items() if key in loads and copy.all]
    late = [copy for key, copy in copies.items() if key in loads and not copy.all]
    stores = [copy for key, copy in copies.items() if key not in loads]
    fits = _aligned(b, row, [copy.place for copy in copies.values()])
    if early:
        with _groups(b, row, count) as (group, first):
            _write_copies(b, fits, early, group, first, True)
    with _groups(b, row, count) as (group, first):
        _write_copies(b, fits, late, group, first, True)
        with b.loop("k", LANES, kind="unrolled") as k:
            b.emit(LetIndex(row.loop.index, first + k))
            where = {key: (c.array, c.index(group) + k) for key, c in copies.items()}
            write_elements(b, row.loop.body, holds, group + k, where)
        _write_copies(b, fits, stores, group, first, False)


def _four(b: Builder, buffer: Buffer) -> Buffer:
    """Return an array for four elements of another one."""
    name = b.names.fresh(f"{base_name(buffer.name)}_four")
    return Buffer(name, buffer.dtype, "stack", Index.of(LANES))


def _aligned(b: Builder, row: Row, places: Sequence[Place]) -> Operand:
    """Write whether places of a row are aligned in memory."""
    fits: Operand = Literal(True, "bool")
    for number, place in enumerate(dict.fromkeys(places)):
        one = b.value("aligned", "bool")
        b.emit(Aligned(one, place[0], at(place, row.first)))
        fits = b.let("and_", "bool", [fits, one], "vectors") if number else one
    return fits


@contextmanager
def _groups(b: Builder, row: Row, count: int) -> Iterator[tuple[Index, Index]]:
    """Open a loop over groups; give the number of its first element, and its position."""
    with b.loop("group", count, step=LANES, kind="unrolled") as group:
        position = row.first + row.own * LANES + group * row.step
        first = b.index_value(position, "first")
        if count * row.step <= (row.length.constant or 0):
            yield group, first.index
            return
        with b.branch(b.let("lt", "bool", [first, b.operand(row.loop.stop)], "some")):
            yield group, first.index


def _write_copies(
    b: Builder, fits: Operand, copies: Sequence[_Copy], group: Index, first: Index, into: bool
) -> None:
    """Write copies of four elements into registers, or out of these, at once if that fits."""
    if not copies:
        return
    with b.block() as together:
        for copy in copies:
            memory, own = at(copy.place, first), copy.index(group)
            if into:
                move(b, copy.place[0], memory, copy.array, own)
            else:
                move(b, copy.array, own, copy.place[0], memory)
    with b.block() as apart, b.loop("k", LANES, kind="unrolled") as k:
        for copy in copies:
            memory, own = at(copy.place, first + k), copy.index(group) + k
            element = b.value("element", copy.array.dtype)
            if into:
                b.emit(Load(element, copy.place[0], memory))
                b.emit(Store(copy.array, own, element))
            else:
                b.emit(Load(element, copy.array, own))
                b.emit(Store(copy.place[0], memory, element))
    b.emit(If(fits, tuple(together), tuple(apart)))
