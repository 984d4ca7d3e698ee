"""Elementwise scans: a loop of the host that changes elements, each its own, is one kernel.

The loops are exchanged: each thread goes through all iterations for its elements. Where an
iteration reads what the one before has stored, a thread keeps it in a register. Before, the host
launched kernels for each iteration.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from symtheano.codegen.passes.context import ProgramContext
from symtheano.codegen.passes.cuda.functions import missing_function
from symtheano.codegen.passes.cuda.nests import quotient
from symtheano.codegen.passes.cuda.places import sharing
from symtheano.codegen.passes.cuda.routines.calls import replaced
from symtheano.codegen.targets import Target
from symtheano.dataclass import dataclass, replace
from symtheano.loopir import (
    Alias,
    Assign,
    Buffer,
    Builder,
    Comment,
    For,
    Index,
    Kernel,
    Let,
    LetIndex,
    Literal,
    Load,
    Poll,
    Program,
    Statement,
    Store,
    Swap,
    Value,
)
from symtheano.loopir.builder import Names
from symtheano.loopir.memory import ARENA
from symtheano.loopir.names import definitions, reads, walk, writes
from symtheano.loopir.operands import Operand
from symtheano.loopir.rewrite import Copier, names_used
from symtheano.loopir.view import View

_SCALAR = Let | LetIndex | Load
_ELEMENT = Let | LetIndex | Load | Store


def elementwise_scans(program: Program, target: Target, context: ProgramContext) -> Program:
    """Make kernels of loops of the host over kernels that change elements, each its own."""

    def change(s: Statement) -> Sequence[Statement] | None:
        if not isinstance(s, For) or s.kind != "serial":
            return None
        scans = _scans(s, program)
        kernels = [scan.kernel(program, context.names) for scan in scans]
        states = [kernel for kernel in kernels if kernel is not None]
        loops = (loop for kernel in states for loop in kernel.body if isinstance(loop, For))
        lacks = any(missing_function(loop, target) for loop in loops)
        if not states or len(states) < len(kernels) or lacks:
            return None
        first, *others = states
        copies = (Copier(context.names).block(kernel.body) for kernel in others)
        return [first, *(replace(kernel, body=tuple(copy))
                         for kernel, copy in zip(others, copies, strict=True))]  # fmt: skip

    return replaced(program, change)


def _scans(step: For, program: Program) -> Sequence[_Scan]:
    """Return what a loop does with elements; nothing if it does anything else.

    Kernels over other lengths are a scan of their own, if it uses other arrays.
    """
    parts = _Parts()
    if not all(map(parts.add, step.body)) or not parts.groups:
        return ()
    if not all(parts.rename(swap, step, program) for swap in parts.swaps):
        return ()
    scans = [
        _Scan(step, kernels, loops, parts.of(number), parts.swapped)
        for number, (kernels, loops) in enumerate(parts.groups)
    ]
    if not all(scan.is_apart(program) for scan in scans):
        return ()
    for one in scans:
        alike = sharing({buffer.name for s in one.body for buffer in writes(s)}, program)
        others = (s for other in scans if other is not one for s in other.body)
        if any(buffer.name in alike for s in others for buffer in (*reads(s), *writes(s))):
            return ()
    return scans


class _Parts:
    """The statements of an iteration.

    Attributes
    ----------
    aliases
        The parts of arrays that have names.
    groups
        Kernels with the same loops over elements, and these.
    body
        What is done with an element, and the number of the group; None for scalars of the host.
    swaps, swapped
        Names that are exchanged at the end of an iteration; by the name that the next one reads,
        the other one.
    """

    def __init__(self) -> None:
        self.aliases: dict[str, View] = {}
        self.groups: list[tuple[list[Kernel], Sequence[For]]] = []
        self.body: list[tuple[Statement, int | None]] = []
        self.swaps: list[Swap] = []
        self.swapped: dict[str, Buffer] = {}

    def add(self, s: Statement) -> bool:
        """Add a statement; return whether it may be one of an element."""
        if isinstance(s, Swap):
            self.swaps.append(s)
        elif isinstance(s, Comment | Poll):
            pass
        elif self.swaps:  # names have changed
            return False
        elif isinstance(s, Alias):
            whole = self.aliases.get(s.address.buffer.name)
            first = Index.of(0) if whole is None else whole.offset
            buffer = s.address.buffer if whole is None else whole.buffer
            self.aliases[s.buffer.name] = View(buffer, (), (), first + s.address.offset)
        elif isinstance(s, Kernel):
            return self._add_kernel(s)
        elif isinstance(s, _SCALAR):
            self.body.append((self._unaliased(s), None))
        else:
            return False
        return True

    def _add_kernel(self, kernel: Kernel) -> bool:
        if kernel.region or kernel.results or kernel.epilogue or kernel.scheduled:
            return False
        nests = [*map(_nest, kernel.body)]
        own = next((nest[0] for nest in nests if nest is not None and nest[0]), None)
        if None in nests or own is None:
            return False
        number = self._group(kernel, own)
        loops = self.groups[number][1]
        for nest in nests:
            assert nest is not None
            if nest[0] and not _are_alike(nest[0], loops):
                return False
            for s in _with_counters(*nest, loops):
                self.body.append((self._unaliased(s), number))
        return True

    def _group(self, kernel: Kernel, loops: Sequence[For]) -> int:
        """Return the number of the kernels over the same elements."""
        for number, (kernels, others) in enumerate(self.groups):
            if _are_alike(loops, others):
                kernels.append(kernel)
                return number
        self.groups.append(([kernel], loops))
        return len(self.groups) - 1

    def _unaliased(self, s: Statement) -> Statement:
        """Return an access of the array outside of the loop, instead of one of its parts."""
        if not isinstance(s, Load | Store) or s.buffer.name not in self.aliases:
            return s
        whole = self.aliases[s.buffer.name]
        return replace(s, buffer=whole.buffer, index=s.index + whole.offset)

    def rename(self, swap: Swap, step: For, program: Program) -> bool:
        """Let an iteration change an array in place, instead of exchanging it with another one.

        Return whether this is possible: nothing but the loop reads what has their names.
        """
        stored = {s.buffer for s, _ in self.body if isinstance(s, Store)}
        pair = [buffer for buffer in (swap.first, swap.second) if buffer in stored]
        if len(pair) != 1:
            return False
        (new,) = pair
        state = swap.second if new == swap.first else swap.first
        inside = {id(s) for s in walk(step.body)}
        others = (s for s in walk(program.body) if id(s) not in inside)
        loaded = {s.buffer for s, _ in self.body if isinstance(s, Load)}
        is_read = any(buffer in (new, state) for s in others for buffer in reads(s))
        if is_read or new in loaded or step.step != 1:
            return False
        self.body = [
            (replace(s, buffer=state) if isinstance(s, Store) and s.buffer == new else s, number)
            for s, number in self.body
        ]
        self.swapped[state.name] = new
        return True

    def of(self, group: int) -> list[Statement]:
        """Return the statements of a group, with the scalars that it needs."""
        needed: set[str] = set()
        statements: list[Statement] = []
        for s, number in reversed(self.body):
            is_needed = not needed.isdisjoint(value.name for value in definitions(s))
            if number == group or (number is None and is_needed):
                statements.append(s)
                needed.update(names_used(s))
        return statements[::-1]


@dataclass(frozen=True)
class _Scan:
    """A loop over scalars, and over kernels with the same loops over elements.

    Attributes
    ----------
    step
        The loop.
    kernels
        The kernels of an iteration.
    loops
        The loops over elements, the outer one first.
    body
        What an iteration does with an element. Buffers are those outside of the loop.
    swapped
        By the name of an array that is changed in place, the one with which it is exchanged.
    """

    step: For
    kernels: Sequence[Kernel]
    loops: Sequence[For]
    body: Sequence[Statement]
    swapped: Mapping[str, Buffer]

    def is_apart(self, program: Program) -> bool:
        """Return whether each element of a written array is used by one thread, if at all.

        This is so if all accesses are at the same place of rows with as many elements as the loops,
        whose lengths are known before. Arrays that may share memory count as one.
        """
        inside = {value.name for s in self.body for value in definitions(s)}
        inside.add(self.step.index.name)
        if any(not inside.isdisjoint(loop.stop.names()) for loop in self.loops):
            return False
        written = {buffer.name: buffer for s in self.body for buffer in writes(s)}
        used = {buffer.name: buffer for s in self.body for buffer in (*reads(s), *writes(s))}
        for name, buffer in written.items():
            alike = sharing({name}, program) & used.keys()
            for other in alike:
                if used[other] != buffer and not _is_over(used[other], buffer):
                    return False
            for s in self.body:
                if isinstance(s, Load | Store) and s.buffer.name in alike and not self._is_own(s):
                    return False
        return True

    def _is_own(self, s: Load | Store) -> bool:
        """Return whether an access is at the element's own place of a row."""
        own, stride = Index.of(0), Index.of(1)
        for loop in reversed(self.loops):
            own, stride = own + loop.index.index * stride, stride * loop.stop
        return quotient(s.index - own, stride) is not None

    def kernel(self, program: Program, names: Names) -> Kernel | None:
        """Return the kernel, in which each element goes through all iterations."""
        registers = _Registers(self, program, names)
        before, inside, after = registers.write()
        stored = {s.buffer.name for s in self.body if isinstance(s, Store)}
        if not registers.kept.issuperset(self.swapped.keys() & stored):
            return None
        loop = replace(self.step, body=tuple(inside))
        body: tuple[Statement, ...] = (*before, loop, *after)
        for outer in reversed(self.loops):
            body = (replace(outer, body=body),)
        first, count = self.kernels[0], self.step.stop - self.step.start
        title = ", ".join([*(kernel.title for kernel in self.kernels), f"{count} times"])
        origins = tuple(dict.fromkeys(o for kernel in self.kernels for o in kernel.origins))
        iterates = any(isinstance(s, Poll) for s in self.step.body)
        return replace(first, title=title, body=body, origins=origins, iterates=iterates)


_Nest = tuple[Sequence[For], Sequence[Statement]]


def _nest(s: Statement) -> _Nest | None:
    """Return the loops that a statement of a kernel is, and what is inside; None for others."""
    loops: list[For] = []
    body: Sequence[Statement] = [s]
    while len(body) == 1 and isinstance(loop := body[0], For) and _is_plain(loop):
        loops.append(loop)
        body = loop.body
    allowed = _ELEMENT if loops else _SCALAR
    return (loops, body) if all(isinstance(inner, allowed) for inner in body) else None


def _is_plain(loop: For) -> bool:
    return loop.kind == "independent" and loop.start == 0 and loop.step == 1


def _are_alike(loops: Sequence[For], others: Sequence[For]) -> bool:
    return [loop.stop for loop in loops] == [loop.stop for loop in others]


def _with_counters(
    own: Sequence[For], body: Sequence[Statement], loops: Sequence[For]
) -> Sequence[Statement]:
    """Return statements with the counters of other loops."""
    pairs = [(a.index, b.index) for a, b in zip(own, loops, strict=False) if a.index != b.index]
    indices = {old.name: new.index for old, new in pairs}
    values: Mapping[str, Operand] = {old.name: new for old, new in pairs}
    return Copier(None, indices, values).block(body) if pairs else body


def _is_over(one: Buffer, other: Buffer) -> bool:
    """Return whether elements of two arrays lie over each other, one over one, if any do."""
    sizes = {np.dtype(buffer.dtype).itemsize for buffer in (one, other)}
    return len(sizes) == 1 and one.memory is other.memory is ARENA


class _Registers:
    """Keeps what iterations leave for the next one in registers.

    Parameters
    ----------
    scan, program
        The loop, and the program with it.
    names
        Where new names come from.

    Attributes
    ----------
    kept
        The names of the arrays whose elements are kept.
    """

    def __init__(self, scan: _Scan, program: Program, names: Names) -> None:
        self.scan, self.program = scan, program
        self.b = Builder(names)
        self.kept: set[str] = set()
        self.inside = {value.name for s in scan.body for value in definitions(s)}

    def write(self) -> tuple[Sequence[Statement], Sequence[Statement], Sequence[Statement]]:
        """Return what is before the loop, the statements of an iteration, and what is after."""
        scan, b = self.scan, self.b
        inside: list[Statement] = list(scan.body)
        after: list[Statement] = []
        ends: list[Statement] = []
        for store in [s for s in scan.body if isinstance(s, Store)]:
            loads = self._kept(store)
            if not loads:
                continue
            self.kept.add(store.buffer.name)
            state = self._begun(loads[0])
            same = {id(load): Let(load.target, "identity", (state,)) for load in loads}
            inside = [same.get(id(s), s) for s in inside]
            ends.append(Assign(state, store.value))
            if scan.step.index.name not in store.index.names():
                inside = [s for s in inside if s is not store]
                with b.block() as stored:
                    self._end(replace(store, value=state))
                after += stored
        return b.statements(), [*inside, *ends], after

    def _is_some(self) -> Operand:
        """Return whether there are iterations."""
        b, step = self.b, self.scan.step
        return b.let("lt", "bool", [b.operand(step.start), b.operand(step.stop)])

    def _end(self, store: Store) -> None:
        """Store a state where it is after all iterations, if there are any."""
        b, step = self.b, self.scan.step
        other = self.scan.swapped.get(store.buffer.name)
        with b.branch(self._is_some()):
            if other is None:
                b.emit(store)
                return
            rest = b.let("and_", "int64", [b.operand(step.stop - step.start), Literal(1, "int64")])
            odd = b.let("eq", "bool", [rest, Literal(1, "int64")])
            with b.branch(odd):
                b.emit(replace(store, buffer=other))
            with b.branch(b.let("invert", "bool", [odd])):
                b.emit(store)

    def _kept(self, store: Store) -> list[Load]:
        """Return the loads of what the iteration before has stored."""
        scan, name = self.scan, self.scan.step.index.name
        alike = sharing({store.buffer.name}, self.program)
        stores = [s for s in scan.body if any(buffer.name in alike for buffer in writes(s))]
        others = [s for s in scan.body for buffer in reads(s) if buffer.name in alike]
        if len(stores) > 1 or any(s.buffer != store.buffer for s in others if isinstance(s, Load)):
            return []
        names = [*store.index.names()]
        is_linear = all(monomial.count(name) < 2 for monomial, _ in store.index.terms)
        if not is_linear or not self.inside.isdisjoint(names):
            return []
        if store.value.dtype != store.buffer.dtype:
            return []
        moving = store.index.coefficient(name)
        before = store.index - moving * scan.step.step
        place = next(k for k, s in enumerate(scan.body) if s is store)
        is_free = moving != 0 or store.buffer.name in scan.swapped
        loads = [
            s
            for k, s in enumerate(scan.body)
            if isinstance(s, Load)
            and s.buffer == store.buffer
            and s.index == before
            and s.target.dtype == s.buffer.dtype
            and (k < place or is_free)
        ]
        return loads if moving != 0 or len(loads) == len(others) else []

    def _begun(self, load: Load) -> Value:
        """Declare what is loaded in the first iteration, if there is one."""
        b, step = self.b, self.scan.step
        state = b.declare("state", Literal(0, load.buffer.dtype))
        with b.branch(self._is_some()):
            first = load.index.replace({step.index.name: step.start})
            b.assign(state, b.load(View(load.buffer, (), (), first), []))
        return state
