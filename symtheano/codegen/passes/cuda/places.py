"""Places: every array is in the memory of the host, or in that of the device.

What a kernel uses is on the device. Where the host reads or writes such an array, it has a copy of
its own, for as long as a statement runs. Scalars are the host's.

Arguments and results are the host's, and copied, unless the program says that they may be resident:
then the caller has those on the device that kernels use.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from symtheano.codegen.passes.context import ProgramContext
from symtheano.codegen.targets import Target
from symtheano.dataclass import replace
from symtheano.loopir import (
    Alias,
    Aligned,
    Allocate,
    Buffer,
    Choose,
    For,
    If,
    Index,
    Kernel,
    LibraryCall,
    Load,
    Prefetch,
    Product,
    Program,
    PythonCall,
    ReadBack,
    Statement,
    Store,
    Swap,
    Transfer,
    Value,
    While,
)
from symtheano.loopir.alike import with_buffers
from symtheano.loopir.builder import Names
from symtheano.loopir.memory import CONSTANT, INPUT, OUTPUT, SHARED, STACK
from symtheano.loopir.names import named_alike, provides, reads, walk, writes, written_through
from symtheano.loopir.rewrite import Body, with_bodies

_OWN = (STACK, SHARED, CONSTANT)
"""Memories that both have: those of a thread, of a block, and tables."""
_LEFT = Alias | Allocate | Choose | LibraryCall | Product | Swap


def places(program: Program, target: Target, context: ProgramContext) -> Program:
    """Give arrays their places, and let the host copy what it uses of the device's arrays.

    Inputs that are not resident are copied to the device before they are first used there, and
    outputs to the host at the end, so that an input which is written to has changed only if nothing
    has failed.
    """
    names = on_device(program)
    if not names:
        return program
    return _Places(program, names, context.names).write()


def on_device(program: Program) -> set[str]:
    """Return the names of the arrays on the device: those of kernels, and what shares their memory.

    Arrays of one slot of the workspace may be one array, which is changed in place.
    """
    inside = {id(s) for grid in walk(program.body) if is_grid(grid) for s in walk([grid])}
    names = {name for grid in walk(program.body) if is_grid(grid) for name in _passed_on(grid)}
    own: set[str] = set()  # arrays on the stack of a thread, unless the host uses them
    outside: set[str] = set()
    for s in walk(program.body):
        for buffer in (*reads(s), *writes(s)):
            if isinstance(s, LibraryCall | Product):
                names.add(buffer.name)
            elif id(s) not in inside:
                outside.add(buffer.name)
            elif buffer.memory is STACK:
                own.add(buffer.name)
            elif buffer.memory not in _OWN:
                names.add(buffer.name)
    return sharing(names | (own & outside), program)


def _passed_on(grid: Statement) -> set[str]:
    """Return the names of the arrays on the stack that a launch reads and another one writes."""
    every = [*walk([grid])]
    read = {buffer.name for s in every for buffer in reads(s) if buffer.memory is STACK}
    return read - {buffer.name for s in every for buffer in writes(s)}


def sharing(names: set[str], program: Program) -> set[str]:
    """Return the names of all arrays that may share memory with some arrays, and these."""
    slots = [{buffer.name for buffer in slot.buffers} for slot in program.arena]
    count = -1
    while count != len(names):
        count = len(names)
        names = named_alike(names, walk(program.body))
        names.update(*(slot for slot in slots if not slot.isdisjoint(names)))
    return names


def is_grid(statement: Statement) -> bool:
    """Return whether a statement is a launch."""
    return isinstance(statement, For) and statement.kind == "grid"


class _Places:
    """Writes the copies between host and device of one program.

    Parameters
    ----------
    program
        The program.
    on_device
        Names of the arrays on the device.
    names
        Where new names come from.

    Attributes
    ----------
    moved
        The arrays on the device, by the names that they have in the program.
    originals
        Arrays of the host by the names of their copies on the device: inputs that do not change.
    of_stack
        Names of arrays that were on the host's stack.
    of_python
        The arrays that Python makes, by name.
    position
        Number of the next array for which the caller is asked.
    before
        Arrays of the host that are allocated before the outermost statement that needs them.
    """

    def __init__(self, program: Program, on_device: set[str], names: Names) -> None:
        self.program, self.names = program, names
        statements = [*walk(program.body)]
        slots = [buffer for slot in program.arena for buffer in slot.buffers]
        every = {b.name: b for b in (*program.inputs, *program.outputs, *slots)}
        every |= {b.name: b for s in statements for b in (*reads(s), *writes(s), *provides(s))}
        written = {buffer.name for s in statements for buffer in writes(s)}
        written = written_through(written, statements)
        self.moved: dict[str, Buffer] = {}
        self.originals: dict[str, Buffer] = {}
        self.of_stack: list[str] = []
        self.of_python = {b.name: b for s in statements if isinstance(s, PythonCall)
                          for b, _ in s.outputs}  # fmt: skip
        numbers = [b.position or 0 for s in statements for b in provides(s) if b.memory is OUTPUT]
        self.position = max(len(program.outputs), *(1 + number for number in numbers), 0)
        for name in sorted(on_device):
            buffer = every[name]
            moved = replace(buffer, place="device")
            if name in program.resident:
                pass
            elif buffer.memory in (INPUT, STACK):
                moved = replace(self._numbered(names.fresh(f"{name}_device"), buffer),
                                place="device")  # fmt: skip
            elif name in self.of_python:
                moved = replace(self._numbered(name, buffer), place="device")
            if buffer.memory is STACK:
                self.of_stack.append(name)
            if moved.memory is not INPUT and buffer.memory is INPUT and name not in written:
                self.originals[moved.name] = buffer
            self.moved[name] = moved
        self.written = written
        self.before: list[Statement] = []

    def write(self) -> Program:
        """Return the program with places, and with the copies that it needs."""
        program = self.program
        ends: list[Statement] = []
        outputs: list[Buffer] = []
        shapes = {s.buffer.name: s for s in walk(program.body) if isinstance(s, Allocate)}
        for buffer in program.outputs:
            there = self.moved.get(buffer.name)
            if there is None or buffer.memory is INPUT:
                outputs.append(buffer)
                continue
            if buffer.name in program.resident:
                outputs.append(there)
                continue
            name = self.names.fresh(f"{buffer.name}_host")
            here = replace(buffer, name=name, place="host")
            ends.append(replace(shapes[buffer.name], buffer=here))
            ends.append(Transfer(here, there, there.size))
            outputs.append(here)
        resident = program.resident
        arguments = [b for b in program.inputs if b.name in self.moved.keys() - resident]
        ends += [
            Transfer(buffer, self.moved[buffer.name], buffer.size)
            for buffer in arguments
            if buffer.name in self.written
        ]
        body = self.block(with_buffers(program.body, self.moved))
        slots = (
            replace(slot, buffers=with_buffers(slot.buffers, self.moved)) for slot in program.arena
        )
        cells = [Allocate(self.moved[name], (self.moved[name].size,)) for name in self.of_stack]
        return replace(
            program,
            inputs=tuple(
                self.moved[b.name] if b.name in resident & self.moved.keys() else b
                for b in program.inputs
            ),
            body=(*cells, *self._with_inputs(body, arguments), *ends),
            outputs=tuple(outputs),
            arena=tuple(slots),
            repeats=(),
        )

    def _with_inputs(self, body: Body, arguments: Sequence[Buffer]) -> Iterable[Statement]:
        """Yield statements, and before the first use of an input's copy what makes it."""
        waiting = {self.moved[buffer.name].name: buffer for buffer in arguments}
        for s in body:
            for inner in walk([s]) if waiting else ():
                for buffer in (*reads(inner), *writes(inner)):
                    source = waiting.pop(buffer.name, None)
                    if source is not None:
                        yield Allocate(buffer, (source.size,))
                        yield Transfer(buffer, source, source.size)
            yield s

    def block(self, statements: Body, region: bool = True) -> Body:
        """Return statements with the copies that they need.

        In a kernel, unless it is a region, arrays can't be allocated.
        """
        after: list[Statement] = []
        for s in statements:
            if not region:
                after += self._statement(s, False)
                continue
            outer, self.before = self.before, []
            new = self._statement(s, True)
            after += [*self.before, *new]
            self.before = outer
        return tuple(after)

    def _statement(self, s: Statement, region: bool) -> Sequence[Statement]:
        if is_grid(s) or isinstance(s, _LEFT):
            return [s]
        if isinstance(s, Kernel):
            return [with_bodies(s, lambda body: self.block(body, s.region))]
        mixed = any(is_grid(inner) or isinstance(inner, _LEFT) for inner in walk([s]))
        if isinstance(s, While) and mixed:
            test, body = self.block(s.test, False), self.block(s.body, region)
            return [replace(s, test=test, body=body)]
        if isinstance(s, If) or (isinstance(s, For) and mixed):
            return [with_bodies(s, lambda body: self.block(body, region))]
        return self._python(s) if isinstance(s, PythonCall) else self._on_host(s)

    def _on_host(self, s: Statement) -> Sequence[Statement]:
        """Return a statement that the host runs, with copies of the device's arrays."""
        s = with_buffers(s, self.originals)
        used, written = _accessed(s)
        if isinstance(s, Load) and used and s.target.dtype == s.buffer.dtype:
            return [ReadBack(s.target, s.buffer, s.index)]
        if isinstance(s, Store) and used:
            return [one_thread((s,), self.names)]
        if not used:
            return [s]
        copies = {name: self._copy(buffer) for name, buffer in used.items()}
        inward = [Transfer(copies[name], buffer, buffer.size) for name, buffer in used.items()]
        outward = [
            Transfer(buffer, copies[name], buffer.size)
            for name, buffer in used.items()
            if name in written
        ]
        return [*inward, with_buffers(s, copies), *outward]

    def _python(self, call: PythonCall) -> Sequence[Statement]:
        """Return a call of Python, whose results are copied to the device."""
        outputs: list[tuple[Buffer, tuple[Value, ...]]] = []
        copied: list[Statement] = []
        for buffer, dims in call.outputs:
            if buffer.place == "host":
                outputs.append((buffer, dims))
                continue
            own = replace(self.of_python[buffer.name], name=self.names.fresh(f"{buffer.name}_host"))
            outputs.append((own, dims))
            copied += [Allocate(buffer, (buffer.size,)), Transfer(buffer, own, own.size)]
        return [*self._on_host(replace(call, outputs=tuple(outputs))), *copied]

    def _copy(self, buffer: Buffer) -> Buffer:
        """Return an array of the host, which is allocated before."""
        copy = self._numbered(self.names.fresh(f"{buffer.name}_host"), buffer)
        self.before.append(Allocate(copy, (buffer.size,)))
        return copy

    def _numbered(self, name: str, like: Buffer) -> Buffer:
        """Return an array of the host for which the caller is asked."""
        self.position += 1
        return Buffer(name, like.dtype, "output", like.size, self.position - 1)


def _accessed(s: Statement) -> tuple[dict[str, Buffer], set[str]]:
    """Return the device's arrays that a statement of the host uses, and which it writes to."""
    used: dict[str, Buffer] = {}
    written: set[str] = set()
    for inner in walk([s]):
        if isinstance(inner, Prefetch | Aligned):
            continue
        used |= {b.name: b for b in (*reads(inner), *writes(inner)) if b.place == "device"}
        written.update(buffer.name for buffer in writes(inner))
    return used, written


def one_thread(body: Body, names: Names) -> For:
    """Return a launch of one thread that runs statements."""
    block, thread = (Value(names.fresh("one"), "int64") for _ in range(2))
    inner = For(thread, Index.of(0), Index.of(1), body, "thread")
    return For(block, Index.of(0), Index.of(1), (inner,), "grid")
