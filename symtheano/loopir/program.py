"""Program: one compiled function, and the pieces of its workspace."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import indent

from symtheano.dataclass import dataclass
from symtheano.loopir.alike import Repeat
from symtheano.loopir.index import Index
from symtheano.loopir.names import definitions, inner_definitions, provides, reads, walk, writes
from symtheano.loopir.nodes import For, Kernel, Let, Statement
from symtheano.loopir.operands import Buffer, Place, Value
from symtheano.loopir.run import Run


@dataclass(frozen=True)
class Slot:
    """A piece of the workspace.

    Attributes
    ----------
    buffers
        Buffers that use it, at different times.
    size
        Its number of bytes. Slots are aligned to 64 bytes.
    """

    buffers: tuple[Buffer, ...]
    size: Index


@dataclass(frozen=True)
class Piece:
    """What is said of a function that is a part of a long entry point.

    Its parameters are inputs of the program, their lengths, or stand in the frame, where it leaves
    its results, and these buffers.

    Attributes
    ----------
    provides
        Buffers that have storage from then on.
    swapped
        Parameters that then stand for other memory.
    straight
        Whether compilers need not optimize it: it has no loops, and computes little.
    """

    provides: tuple[Buffer, ...] = ()
    swapped: tuple[Buffer, ...] = ()
    straight: bool = False


@dataclass(frozen=True)
class Function:
    """A function of a program, which other functions and the entry point run.

    Attributes
    ----------
    name, title, origins
        Its name; a line for the reader; the user's lines in it.
    body
        Its statements. They use no names from outside but parameters and tables.
    buffers, values
        Its parameters.
    written
        Names of the parameters to which it may write.
    results
        The scalars that it defines for who runs it.
    range
        For functions that run a range of a loop's iterations: the first one, the one after the
        last, and the number of the thread.
    stack
        Memory that it declares for functions that it runs.
    piece
        If it is a part of a long entry point: what it leaves to later ones.
    narrow
        If it is a kernel of a device: names of the integers that have 32 bits where a launch says
        that lengths are not too large for that (:mod:`symtheano.loopir.extents`).
    """

    name: str
    body: tuple[Statement, ...]
    buffers: tuple[Buffer, ...] = ()
    values: tuple[Value, ...] = ()
    written: frozenset[str] = frozenset()
    results: tuple[Value, ...] = ()
    range: tuple[Value, ...] = ()
    stack: tuple[Buffer, ...] = ()
    title: str = ""
    origins: tuple[Place, ...] = ()
    piece: Piece | None = None
    narrow: frozenset[str] = frozenset()

    @property
    def parameters(self) -> tuple[Buffer | Value, ...]:
        """All parameters but those of the range, buffers first."""
        return (*self.buffers, *self.values)

    @property
    def left(self) -> tuple[Buffer | Value, ...]:
        """What a piece stores in the frame."""
        return (*self.results, *self.piece.provides, *self.piece.swapped) if self.piece else ()

    def __str__(self) -> str:
        """Return the function as readable text."""
        from symtheano.loopir.text import statements_text

        parameters = (*self.range, *self.values)
        words = [buffer.name if buffer.name not in self.written else f"{buffer.name} (written)"
                 for buffer in self.buffers]  # fmt: skip
        head = f"function {self.name}({', '.join([*words, *(v.name for v in parameters)])})"
        head += f" -> {', '.join(v.name for v in self.results)}" if self.results else ""
        title = f"  # {self.title}" if self.title else ""
        return f"{head}:{title}\n{indent(statements_text(self.body), '  ')}"


@dataclass(frozen=True)
class Frame:
    """What the pieces of a long entry point share, besides its inputs.

    Attributes
    ----------
    items
        Values and addresses of buffers that a piece leaves for later ones.
    large
        Whether it is too large for the stack of a thread.
    """

    items: tuple[Buffer | Value, ...]
    large: bool


@dataclass(frozen=True)
class Program:
    """One compiled function.

    Attributes
    ----------
    name
        Name of the entry point.
    inputs, outputs
        Buffers in calling order, and for each input the names of its dims.
    body
        The statements of the entry point.
    arena
        The slots of the workspace, which the statement :class:`Reserve` opens; the names in the
        slots' sizes must be defined by then.
    constants
        Pairs of (buffer, values) of tables.
    title
        A line for the reader.
    repeats
        Kernels that differ from an earlier one only in names: one function may be both.
    functions
        What the entry point runs, the inner functions first. Before :mod:`outline
        <symtheano.codegen.passes.outline>` there are none.
    stack
        Memory that the entry point declares for functions.
    frame
        If the entry point runs pieces and nothing else: what these share.
    kernels
        What it launches on a device: functions whose body is a grid loop.
    resident
        Names of the inputs and outputs that the caller has on the device if they have their place
        there.
    """

    name: str
    inputs: tuple[Buffer, ...]
    input_dims: tuple[tuple[str, ...], ...]
    outputs: tuple[Buffer, ...]
    body: tuple[Statement, ...]
    arena: tuple[Slot, ...] = ()
    constants: tuple[tuple[Buffer, Sequence[object]], ...] = ()
    title: str = ""
    repeats: tuple[Repeat, ...] = ()
    functions: tuple[Function, ...] = ()
    stack: tuple[Buffer, ...] = ()
    frame: Frame | None = None
    kernels: tuple[Function, ...] = ()
    resident: frozenset[str] = frozenset()

    @property
    def whole(self) -> tuple[Statement, ...]:
        """The statements of the entry point, which may stand in pieces."""
        pieces = {f.name: f.body for f in self.functions if f.piece}
        if not pieces:
            return self.body
        return tuple(s for run in self.body if isinstance(run, Run) for s in pieces[run.function])

    def statements(self) -> Iterator[Statement]:
        """Yield all statements, those of functions after those of the entry point."""
        yield from walk(self.body)
        for function in self.functions:
            yield from walk(function.body)

    def __str__(self) -> str:
        """Return the program as readable text, the same in every process.

        Examples
        --------
        >>> from symtheano.loopir import Allocate, Builder, Literal, Store
        >>> n, b = Index.symbol("n"), Builder()
        >>> x = Buffer("x", "float32", "input", n, 0)
        >>> y = Buffer("y", "float32", "output", n, 0)
        >>> b.emit(Allocate(y, (n,)))
        >>> with b.loop("i", n, kind="simd") as i:
        ...     b.emit(Store(y, i, b.let("tanh", "float32", [Literal(1.0, "float32")])))
        >>> print(Program("f", (x,), (("n",),), (y,), b.statements()), end="")
        program f
          input 0: x float32[n] of shape (n)
          output 0: y float32[n]
        <BLANKLINE>
        allocate y of shape (n)
        for i = 0 .. n, simd:
          v = tanh(1.0:float32) : float32
          y[i] = v
        """
        from symtheano.loopir.text import buffer_text, statements_text, values_text

        lines = [f"program {self.name}" + (f"  # {self.title}" if self.title else "")]
        for number, (buffer, dims) in enumerate(zip(self.inputs, self.input_dims, strict=True)):
            shape = ", ".join(name or "_" for name in dims)
            lines.append(f"  input {number}: {buffer_text(buffer)} of shape ({shape})")
        lines += [f"  output {i}: {buffer_text(buffer)}" for i, buffer in enumerate(self.outputs)]
        for slot in self.arena:
            buffers = ", ".join(map(buffer_text, slot.buffers))
            lines.append(f"  slot of {slot.size} bytes: {buffers}")
        for buffer, values in self.constants:
            lines.append(f"  constant: {buffer_text(buffer)} = {values_text(values)}")
        text = "\n".join([*lines, "", statements_text(self.body)])
        return text + "".join(f"\n{each}" for each in (*self.functions, *self.kernels))


def all_names(program: Program) -> frozenset[str]:
    """Return the names of a program: of values, buffers and kernels."""
    names = {name for dims in program.input_dims for name in dims if name}
    slots = [buffer for slot in program.arena for buffer in slot.buffers]
    constants = [buffer for buffer, _ in program.constants]
    for buffer in (*program.inputs, *program.outputs, *slots, *constants):
        names.add(buffer.name)
    for function in program.functions:
        names.add(function.name)
        names.update([item.name for item in (*function.parameters, *function.range)])
    for statement in program.statements():
        if type(statement) is Let:  # most statements
            names.add(statement.target.name)
            continue
        named: list[Value | Buffer] = [*definitions(statement), *provides(statement)]
        named += (*reads(statement), *writes(statement))
        if isinstance(statement, For):
            named += inner_definitions(statement)
        if isinstance(statement, Kernel):
            names.add(statement.name)
        names.update([item.name for item in named])
    return frozenset(names)
