"""Scalars that kernels compute and other kernels use stay on the device, and so do checks of them.

Statements between kernels that compute with such scalars are run by one thread, which leaves in
memory what later kernels use. A check of a scalar on the device sets a number there, the *status*.
Kernels after it do nothing if it is set. The host reads it before it reads anything else of the
device's, and at the end; until then it does not wait.

So it is in loops of the host, too, where the integers of a check's message are in memory, since
they are known in its iteration only. If the host reads anything else in an iteration, it reads the
status at the end of each. What stands in branches of the host is not moved.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from symtheano.codegen.passes.context import ProgramContext
from symtheano.codegen.passes.cuda.carried import carried
from symtheano.codegen.passes.cuda.host_statements import (
    bounds,
    in_order,
    launches_kernels,
    names_on_host,
    of_loop,
)
from symtheano.codegen.passes.cuda.launches import grids_of
from symtheano.codegen.passes.cuda.places import is_grid, on_device, one_thread, sharing
from symtheano.codegen.targets import Target
from symtheano.dataclass import replace
from symtheano.dtypes import short_name
from symtheano.loopir import (
    Alias,
    Allocate,
    Assign,
    Buffer,
    Check,
    Choose,
    Comment,
    Declare,
    For,
    If,
    Index,
    Kernel,
    Let,
    LetIndex,
    LibraryCall,
    Literal,
    Load,
    Partition,
    Poll,
    Prefetch,
    Product,
    Program,
    PythonCall,
    Statement,
    Store,
    Value,
    While,
)
from symtheano.loopir.alike import with_buffers
from symtheano.loopir.builder import Names
from symtheano.loopir.memory import OUTPUT
from symtheano.loopir.names import bodies, definitions, operands, provides, reads, walk, writes
from symtheano.loopir.operands import Expression, Operand, element_of
from symtheano.loopir.rewrite import Body, Copier, names_used, with_bodies
from symtheano.scalar.row import Signature
from symtheano.scalar.table import scalar_op

_HARMLESS = Let | LetIndex | Partition | Allocate | Comment | Alias
"""Statements of the host that wait for nothing, if they use no scalar of the device."""


def scalars(program: Program, target: Target, context: ProgramContext) -> Program:
    """Keep scalars on the device that only kernels use, and let checks of them wait."""
    there = on_device(program)
    if not there:
        return program
    return _Scalars(program, there, target, context).write()


Cell: TypeAlias = tuple[Buffer, Index]
"""An element of an array."""


class _Cells:
    """Memory for scalars: one array for each dtype, allocated when a call begins."""

    def __init__(self, program: Program, names: Names) -> None:
        self.names = names
        provided = [b for s in walk(program.body) for b in provides(s) if b.memory is OUTPUT]
        used = [1 + (buffer.position or 0) for buffer in provided]
        self.first = max(len(program.outputs), *used, 0)
        self.buffers: dict[str, Buffer] = {}
        self.counts: dict[str, int] = {}

    def cell(self, dtype: str) -> Cell:
        """Return a place for one more scalar."""
        if dtype not in self.buffers:
            name = self.names.fresh(f"cells_{short_name(dtype)}")
            position = self.first + len(self.buffers)
            self.buffers[dtype] = Buffer(name, dtype, "output", Index.of(1), position)
        number = self.counts.get(dtype, 0)
        self.counts[dtype] = number + 1
        return self.buffers[dtype], Index.of(number)

    def allocated(self, body: Body) -> Body:
        """Return the statements of a program after those that allocate the arrays."""
        whole = {
            buffer.name: replace(buffer, size=Index.of(self.counts[dtype]))
            for dtype, buffer in self.buffers.items()
        }
        allocations = (Allocate(buffer, (buffer.size,)) for buffer in whole.values())
        return (*allocations, *with_buffers(body, whole))


class _Scalars:
    """Moves the scalar statements of one program.

    Attributes
    ----------
    wanted
        Names of the scalars that are worth keeping on the device: kernels use them, or what is
        computed of them, or they are stored in arrays.
    users
        For each scalar the statements that use it, by identity. A loop or a branch is one.
    moved
        Scalars that the device computes, by name.
    carried
        Names of declared scalars that the host never has.
    done
        Statements that the device runs, by identity.
    cells
        Where scalars are on the device, by name.
    group
        Statements that one thread will run.
    here
        Names of the scalars of which the host has a copy, too.
    status, pending
        The cell of the status, and the numbers of checks of which the host does not know yet.
    checks, of_loops, told_values
        All checks that set the status; the numbers of those in loops, and where the integers of
        their messages are.
    loops
        The number of loops of the host around.
    is_checking
        Whether the status may have been set in an earlier iteration of a loop around.
    told
        How often the host has asked for the status.
    """

    def __init__(
        self, program: Program, there: set[str], target: Target, context: ProgramContext
    ) -> None:
        self.program, self.there, self.target = program, there, target
        self.names = context.names
        self.users: dict[str, set[int]] = {}
        self.wanted = self._find_wanted()
        moved = carried(program, there, self.wanted, self._has_text)
        self.carried, self.wanted, self.there = moved.names, moved.wanted, moved.there
        self.moved: dict[str, Value] = {}
        self.done: set[int] = set()
        self.memory = _Cells(program, context.names)
        self.cells: dict[str, Cell] = {}
        self.group: list[Statement] = []
        self.here: set[str] = set()
        self.status: Cell | None = None
        self.pending: list[int] = []
        self.checks: list[Check] = []
        self.told_values: list[Cell] = []
        self.of_loops: set[int] = set()
        self.loops = 0
        self.is_checking = False
        self.told = 0

    def write(self) -> Program:
        """Return the program with its scalars moved."""
        body = [*self._block(self.program.body), *self._flushed(), *self._told()]
        if not self.done:
            return self.program
        return replace(self.program, body=self.memory.allocated(tuple(body)), repeats=())

    # -- what is moved ---------------------------------------------------------------------------

    def _find_wanted(self) -> set[str]:
        wanted: set[str] = set()
        outputs = {b.name for b in self.program.outputs if b.memory is OUTPUT}
        for s in reversed([*in_order(self.program.body)]):
            own = [*of_loop(s)] if launches_kernels(s) else [*walk([s])]
            for inner in own:
                for name in names_used(inner):
                    self.users.setdefault(name, set()).add(id(s))
            for grid in filter(is_grid, own):
                inside = {name for inner in walk([grid]) for name in names_used(inner)}
                wanted |= inside - set(bounds(grid))
            if isinstance(s, Store) and s.buffer.name in self.there | outputs:
                wanted.update(names_used(s))
            elif isinstance(s, Check):
                wanted.update(_condition_names(s))
            elif isinstance(s, Let) and s.target.name in wanted:
                wanted.update(names_used(s))
        return wanted

    def _is_held(self, s: Store) -> bool:
        """Return whether a thread of the device may store a number."""
        return s.buffer.name in self.there or s.buffer in self.program.outputs

    def _moves(self, s: Statement) -> bool:
        """Return whether one thread of the device runs a statement."""
        if isinstance(s, Load):
            wanted = s.target.name in self.wanted and s.buffer.name in self.there
            return wanted and self._is_known(s.index)
        if isinstance(s, Let):
            return s.target.name in self.wanted and self._uses_moved(s) and self._has_text(s)
        if isinstance(s, Store):
            return self._is_held(s) and self._uses_moved(s) and self._is_known(s.index)
        if isinstance(s, Check):
            moved = not self.moved.keys().isdisjoint(_condition_names(s))
            return moved and all(map(self._is_known, s.values))
        return isinstance(s, Assign | Declare) and s.target.name in self.carried

    def _is_known(self, index: Index) -> bool:
        """Return whether the host knows an integer."""
        return self.moved.keys().isdisjoint(index.names())

    def _uses_moved(self, s: Statement) -> bool:
        return not self.moved.keys().isdisjoint(names_used(s))

    def _has_text(self, s: Let) -> bool:
        if s.op == "cast":
            return True
        signature = Signature(tuple(element_of(a.dtype) for a in s.arguments), s.target.dtype)
        return not self.target.functions.lacking(scalar_op(s.op), signature)

    # -- statements ------------------------------------------------------------------------------

    def _block(self, body: Body) -> list[Statement]:
        after: list[Statement] = []
        for s in body:
            if isinstance(s, Kernel):
                after.append(self._kernel(s))
            elif self._moves(s):
                after += self._move(s)
            elif is_grid(s):
                assert isinstance(s, For)
                if self._waits_for_group(s):
                    after += self._flushed()
                after.append(self._on_device(s))
            elif isinstance(s, For | While) and launches_kernels(s):
                after += self._loop(s)
            else:
                after += self._on_host(s)
        return after

    def _loop(self, loop: For | While) -> list[Statement]:
        """Return a loop of the host, after what it uses."""
        after = self._before(loop)
        is_checked = any(isinstance(s, Check) for s in walk(loop.body))
        if is_checked and not self.pending and not self.is_checking:
            self.status = self.status or self.memory.cell("int64")
            after.append(one_thread((Store(*self.status, Literal(0, "int64")),), self.names))
        here, was_checking, told = set(self.here), self.is_checking, self.told
        self.is_checking |= is_checked
        self.loops += 1
        *_, last = loop.body
        poll = (last,) if isinstance(last, Poll) else ()
        body = [*self._block(loop.body[: len(loop.body) - len(poll)]), *self._flushed()]
        if isinstance(loop, While) or self.told > told:
            body += self._told()
        self.loops -= 1
        self.here, self.is_checking = here, was_checking
        if isinstance(loop, While):
            loop = replace(loop, test=tuple(map(self._inside, loop.test)))
        return [*after, replace(loop, body=(*body, *poll))]

    def _kernel(self, kernel: Kernel) -> Kernel:
        before = set(self.here)
        body = self._block(kernel.body)
        own = {value.name: value for s in body for value in definitions(s)}
        results = [value for value in kernel.results if value.name in own]
        inside = own.keys() - {value.name for value in kernel.results}
        if any(not inside.isdisjoint(names_used(s)) for s in self.group):
            body += self._flushed()
        later = {id(s) for s in in_order(kernel.body)}
        results += [
            self.moved[name]
            for name in sorted(self.here - before)
            if name not in {value.name for value in results} and self.users[name] - later
        ]
        return replace(kernel, body=tuple(body), results=tuple(results))

    def _move(self, s: Statement) -> list[Statement]:
        self.done.add(id(s))
        if isinstance(s, Check):
            self._check(s)
            return self._flushed()
        if isinstance(s, Declare):
            self.moved[s.target.name] = s.target
            self.cells[s.target.name] = self.memory.cell(s.target.dtype)
        if isinstance(s, Assign | Declare):
            value = s.initial if isinstance(s, Declare) else s.value
            assert not isinstance(value, Expression)
            self.group.append(Store(*self.cells[s.target.name], value))
            return self._flushed()
        self.group.append(s)
        for value in definitions(s):
            self.moved[value.name] = value
        return []

    def _on_host(self, s: Statement) -> list[Statement]:
        """Return a statement of the host, after the copies of scalars that it uses."""
        if isinstance(s, _HARMLESS) and self.moved.keys().isdisjoint(names_on_host(s)):
            return [s]
        return [*self._before(s), self._inside(s)]

    def _before(self, s: Statement) -> list[Statement]:
        """Return what comes before a statement of the host, such as copies of scalars."""
        there = self.moved.keys() - self.carried
        used = [name for name in dict.fromkeys(names_on_host(s)) if name in there]
        after = self._flushed()
        if used or isinstance(s, PythonCall) or self._reads_device(s):
            after += self._told()
        for name in used:
            if name not in self.here:
                self.here.add(name)
                after.append(Load(self.moved[name], *self.cells[name]))
        return after

    def _inside(self, s: Statement) -> Statement:
        """Return a statement in whose lists kernels read scalars from the device."""
        if is_grid(s):
            assert isinstance(s, For)
            return self._on_device(s)
        if isinstance(s, While):
            test, body = (tuple(map(self._inside, part)) for part in (s.test, s.body))
            return replace(s, test=test, body=body)
        return with_bodies(s, lambda body: tuple(map(self._inside, body)))

    def _reads_device(self, s: Statement) -> bool:
        """Return whether the host reads, or writes, an array of the device in a statement."""
        if is_grid(s) or isinstance(
            s, Alias | Allocate | Choose | LibraryCall | Prefetch | Product
        ):
            return False
        used = {buffer.name for buffer in (*reads(s), *writes(s))}
        return not used.isdisjoint(self.there) or any(
            self._reads_device(inner) for body in bodies(s) for inner in body
        )

    # -- kernels ---------------------------------------------------------------------------------

    def _flushed(self) -> list[Statement]:
        """Return the launch of one thread that runs what waits for it."""
        if not self.group:
            return []
        group, self.group = self.group, []
        own = [value for s in group for value in definitions(s)]
        read = {name for s in group for name in names_used(s)}
        loads, copier = self._loads(sorted(read & self.cells.keys()), Copier(self.names))
        body = [*loads, *copier.block(group)]
        for value in own:
            if self.users.get(value.name, set()) - self.done:
                cell = self.cells[value.name] = self.memory.cell(value.dtype)
                body.append(Store(*cell, copier.operand(value)))
        return [one_thread(tuple(body), self.names)]

    def _waits_for_group(self, grid: For) -> bool:
        """Return whether a kernel can't run before what waits for one thread."""
        if not self.group:
            return False
        own = {value.name for s in self.group for value in definitions(s)}
        if any(not own.isdisjoint(names_used(s)) for s in walk([grid])):
            return True
        touched = {buffer.name for s in self.group for buffer in (*reads(s), *writes(s))}
        touched = sharing(touched, self.program)
        return any(not touched.isdisjoint(b.name for b in (*reads(s), *writes(s)))
                   for s in walk([grid]))  # fmt: skip

    def _loads(self, names: Sequence[str], copier: Copier) -> tuple[list[Statement], Copier]:
        """Return loads of scalars on the device, and what lets copies of statements use them."""
        loads: list[Statement] = []
        for name in names:
            value = Value(self.names.fresh(name), self.moved[name].dtype)
            loads.append(Load(value, *self.cells[name]))
            copier.values[name] = value
            if value.dtype == "int64":
                copier.indices[name] = value.index
        return loads, copier

    def _on_device(self, grid: For) -> For:
        """Return a grid that loads its scalars, and does nothing if a check has failed."""
        used = {name for s in walk([grid]) for name in names_used(s)}
        loads, copier = self._loads(sorted(used & self.cells.keys()), Copier(None))
        grids = grids_of(grid)
        body: Body = grids[-1].body
        if loads:
            body = (*loads, *copier.block(body))
        if self.pending or self.is_checking:
            assert self.status is not None
            number, fine = self._new("status", "int64"), self._new("fine", "bool")
            body = (
                Load(number, *self.status),
                Let(fine, "eq", (number, Literal(0, "int64"))),
                If(fine, body),
            )
        for each in reversed(grids):
            body = (replace(each, body=body),)
        (changed,) = body
        assert isinstance(changed, For)
        return changed

    def _new(self, wish: str, dtype: str) -> Value:
        return Value(self.names.fresh(wish), dtype)

    # -- checks ----------------------------------------------------------------------------------

    def _check(self, check: Check) -> None:
        """Let one thread set the status if a check fails, and no other has before."""
        first = not self.pending and not self.is_checking
        self.checks.append(check)
        self.pending.append(len(self.checks))
        if self.status is None:
            self.status = self.memory.cell("int64")
        none, number = Literal(0, "int64"), Literal(len(self.checks), "int64")
        failed = self._new("failed", "bool")
        self.group.append(Let(failed, "invert", (self._computed(check.condition),), check.origin))
        if not first:
            before, fine, both = (
                self._new(name, dtype)
                for name, dtype in (("status", "int64"), ("fine", "bool"), ("failed", "bool"))
            )
            self.group += [
                Load(before, *self.status),
                Let(fine, "eq", (before, none)),
                Let(both, "and_", (fine, failed), check.origin),
            ]
            failed = both
        stores: list[Statement] = [Store(*self.status, number)]
        if self.loops:
            while len(self.told_values) < len(check.values):
                self.told_values.append(self.memory.cell("int64"))
            values = map(self._computed, check.values)
            self.of_loops.add(len(self.checks))
            stores += [Store(*cell, x) for cell, x in zip(self.told_values, values, strict=False)]
        kept = () if not first else (Store(*self.status, none),)
        self.group.append(If(failed, tuple(stores), kept))

    def _computed(self, item: Operand | Index | Expression) -> Operand:
        """Return a part of a condition as a scalar, which the thread computes."""
        if isinstance(item, Index):
            number = self._new("n", "int64")
            self.group.append(LetIndex(number, item))
            return number
        if not isinstance(item, Expression):
            return item
        arguments = tuple(map(self._computed, item.arguments))
        target = self._new("condition", item.dtype)
        self.group.append(Let(target, item.op, arguments))
        return target

    def _told(self) -> list[Statement]:
        """Let the host know of the checks that are pending."""
        self.told += 1
        if not self.pending:
            return []
        assert self.status is not None
        status = self._new("status", "int64")
        told: list[Statement] = [Load(status, *self.status)]
        for number in self.pending:
            check, fine = self.checks[number - 1], self._new("fine", "bool")
            told.append(Let(fine, "neq", (status, Literal(number, "int64")), check.origin))
            told += self._failing(number, fine)
        self.pending = []
        return told

    def _failing(self, number: int, fine: Value) -> Sequence[Statement]:
        """Return the check of a condition that the device has found."""
        check = self.checks[number - 1]
        if number not in self.of_loops:
            return [replace(check, condition=fine)]
        values = [self._new("told", "int64") for _ in check.values]
        loads = [Load(x, *cell) for x, cell in zip(values, self.told_values, strict=False)]
        failed = self._new("failed", "bool")
        same = replace(check, condition=fine, values=tuple(x.index for x in values))
        return [Let(failed, "invert", (fine,)), If(failed, (*loads, same))]


def _condition_names(check: Check) -> list[str]:
    return [item.name for item in operands(check) if isinstance(item, Value)]
