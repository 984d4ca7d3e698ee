"""Counting: loops in order that pass on a number, and add integers to it.

So are the beginnings of segments computed from their lengths, and elements that a mask selects
stored one after the other. Blocks scan the integers, and then run the iterations, of which each has
its own number. What iterations store must be apart: at places of their own, or at that of the
number, where one that adds nothing is overwritten by the next.
"""

from __future__ import annotations

from collections.abc import Sequence

from symtheano.codegen.passes.cuda.block_scan import BlockScan
from symtheano.codegen.passes.cuda.nests import unravelled
from symtheano.dataclass import dataclass
from symtheano.loopir import (
    Assign,
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
    Local,
    Statement,
    Store,
    Value,
)
from symtheano.loopir.builder import Names
from symtheano.loopir.index import product
from symtheano.loopir.names import definitions, reads, walk, writes
from symtheano.loopir.operands import Operand
from symtheano.loopir.rewrite import Body, Copier, base_name, names_used, slice_of

_SCALAR = Let | LetIndex | Load


@dataclass(frozen=True)
class Counting:
    """A loop that counts.

    Attributes
    ----------
    before, after
        The statements of the kernel around the loop.
    loops
        The loops in order, the outermost first.
    body
        What an iteration does.
    number, initial
        What passes from one iteration to the next, and its value at first.
    item
        What is added.
    selecting
        Those statements of the body that store at the place of the number, if what is added is
        whether an element is selected.
    """

    before: Body
    loops: tuple[For, ...]
    body: Body
    after: Body
    number: Value
    initial: Operand
    item: Value
    selecting: Body


def find_counting(kernel: Kernel) -> Counting | None:
    """Return what a kernel does if it counts, else None."""
    places = [n for n, s in enumerate(kernel.body) if isinstance(s, For) and s.kind == "serial"]
    if len(places) != 1:
        return None
    (place,) = places
    loops: list[For] = []
    body: Body = (kernel.body[place],)
    while len(body) == 1 and isinstance(body[0], For) and body[0].kind == "serial":
        loops.append(body[0])
        body = body[0].body
    before, after = kernel.body[:place], kernel.body[place + 1 :]
    assigned = [s for s in walk(body) if isinstance(s, Assign)]
    declared = [s for s in before if isinstance(s, Declare)]
    if len(assigned) != 1 or len(declared) != 1 or not _are_plain(loops):
        return None
    (assign,), (declare,) = assigned, declared
    number = declare.target
    item = _item(body, assign)
    flat = all(isinstance(s, _SCALAR | Store | Local) for s in before if s is not declare)
    flat &= all(isinstance(s, _SCALAR | Store) or _is_parallel(s) for s in after)
    if item is None or assign.target != number or number.dtype != "int64" or not flat:
        return None
    own = slice_of({item.name}, body)
    if any(number.name in names_used(s) for s in own) or not _is_simple(body, assign):
        return None
    selecting = _selecting(loops, body, number, assign)
    if selecting is None or (selecting and _flag(body, item) is None):
        return None
    rest = tuple(s for s in before if s is not declare)
    return Counting(rest, tuple(loops), body, after, number, declare.initial, item, selecting)


def _is_parallel(s: Statement) -> bool:
    return isinstance(s, For) and s.kind == "parallel"


def _are_plain(loops: Sequence[For]) -> bool:
    """Return whether there are loops with lengths known before, which begin at zero."""
    own = {loop.index.name for loop in loops}
    return bool(loops) and all(
        loop.start == 0 and loop.step == 1 and own.isdisjoint(loop.stop.names()) for loop in loops
    )


def _item(body: Body, assign: Assign) -> Value | None:
    """Return what is added to the number, if something is."""
    for s in body:
        if isinstance(s, Let) and s.target == assign.value and s.op == "add":
            items = [a for a in s.arguments if a != assign.target]
            if len(items) == 1 and isinstance(items[0], Value):
                return items[0]
    return None


def _is_simple(body: Body, assign: Assign) -> bool:
    """Return whether iterations compute, store, and read nothing that they store."""
    inner = [s for outer in body if isinstance(outer, If) for s in (*outer.then, *outer.otherwise)]
    simple = all(isinstance(s, _SCALAR | Store | If) or s is assign for s in body)
    if not simple or not all(isinstance(s, _SCALAR | Store) for s in inner):
        return False
    stored = {buffer for s in walk(body) for buffer in writes(s)}
    return stored.isdisjoint(buffer for s in walk(body) for buffer in reads(s))


def _selecting(
    loops: Sequence[For], body: Body, number: Value, assign: Assign
) -> tuple[Statement, ...] | None:
    """Return the statements that store at the place of the number; None if others may collide."""
    selecting = []
    counters = {loop.index.name for loop in loops}
    varying = counters | {value.name for s in walk(body) for value in definitions(s)}
    varying.add(number.name)
    for place, s in enumerate(body):
        for store in (each for each in walk([s]) if isinstance(each, Store)):
            names = varying.intersection(store.index.names())
            if names == {number.name} and store.index == number.index:
                # Iterations with the same number must all store, or none.
                condition = s.condition if isinstance(s, If) else None
                known = condition is None or _depends_on(condition, body, varying) == names
                if place > body.index(assign) or not known:
                    return None
                selecting.append(s)
            elif len(loops) != 1 or names != counters or not _is_linear(store.index, loops[0]):
                return None
    return tuple(dict.fromkeys(selecting))


def _is_linear(index: Index, loop: For) -> bool:
    """Return whether an index goes on by a known number other than zero."""
    return bool(index.coefficient(loop.index.name).constant)


def _depends_on(condition: Operand, body: Body, varying: set[str]) -> set[str]:
    """Return the names of an iteration that a condition is computed from, in the end."""
    if not isinstance(condition, Value):
        return set()
    needed = slice_of({condition.name}, body)
    own = {value.name for s in needed for value in definitions(s)}
    return {name for s in needed for name in names_used(s) if name in varying} - own


def _flag(body: Body, item: Value) -> Operand | None:
    """Return the truth value that an item is, as an integer, or None if it is something else."""
    for s in body:
        if isinstance(s, Let) and s.target == item and s.op == "cast":
            (flag,) = s.arguments
            return flag if flag.dtype == "bool" else None
    return None


def counted(counting: Counting, tile: int, names: Names) -> tuple[Statement, ...]:
    """Return the statements in place of those of a kernel that counts."""
    return _Counts(counting, tile, names).write()


class _Counts(BlockScan):
    """Writes the launches of a loop that counts."""

    def __init__(self, counting: Counting, tile: int, names: Names) -> None:
        self.counting = counting
        self.lengths = tuple(loop.stop for loop in counting.loops)
        origin = next((s.origin for s in counting.body if isinstance(s, Let)), None)
        super().__init__("add", "int64", product(self.lengths), tile, names, origin)

    def write(self) -> tuple[Statement, ...]:
        """Return the statements of the kernel."""
        counting, b = self.counting, self.b
        first = Copier(None)
        _replace(first, counting.number, counting.initial)
        self._copy(first, counting.before)
        last = self.chunks(counting.initial)
        b.emit(Load(counting.number, last.buffer, last.index))
        for s in counting.after:
            b.emit(s)
        return b.statements()

    def _copier(self, k: Index) -> Copier:
        """Return what copies statements of the k-th iteration."""
        counters = unravelled(self.b, self.b.operand(k), self.lengths, "i")
        loops = zip(self.counting.loops, counters, strict=True)
        return Copier(self.names, {loop.index.name: counter for loop, counter in loops})

    def item(self, k: Index) -> Operand:
        copier, item = self._copier(k), self.counting.item
        self._copy(copier, slice_of({item.name}, self.counting.body))
        return copier.operand(item)

    def use(self, k: Index, before: Operand, part: Buffer, thread: Index) -> None:
        b, counting = self.b, self.counting
        number = b.declare(base_name(counting.number.name), before)
        with b.branch(b.let("gt", "bool", [b.operand(thread), Literal(0, "int64")])):
            earlier = self.part(part, thread - 1)
            b.assign(number, b.let("add", "int64", [before, earlier]))
        copier = self._copier(k)
        _replace(copier, counting.number, number)
        if not counting.selecting:
            self._copy(copier, counting.body)
            return
        needed = slice_of({counting.item.name}, counting.body)
        self._copy(copier, needed)
        flag = _flag(counting.body, counting.item)
        assert flag is not None
        is_last = b.let("eq", "bool", [b.operand(k), b.operand(self.stop - 1)])
        chosen = b.let("or_", "bool", [copier.operand(flag), is_last])
        rest = (s for s in counting.body if s not in needed)
        self._copy(copier, [If(chosen, (s,)) if s in counting.selecting else s for s in rest])

    def _copy(self, copier: Copier, statements: Sequence[Statement]) -> None:
        for s in copier.block(statements):
            self.b.emit(s)


def _replace(copier: Copier, value: Value, new: Operand) -> None:
    """Let copies read another number, also in addresses."""
    copier.values[value.name] = new
    copier.indices[value.name] = Builder.as_index(new)
