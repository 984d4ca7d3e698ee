"""Functions of a C file: kernels, the bodies of parallel loops, short entry points.

A kernel becomes a function, and so does the body of a parallel loop, of which each thread runs a
range. Everything else is in the entry point. One scalar statement is one C statement.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from symtheano.codegen.c.lines import Lines, origin_comment
from symtheano.codegen.c.names import RESERVED, c_names, own_names
from symtheano.codegen.c.prelude import Needs, is_polled, row_name
from symtheano.codegen.c.sharing import Functions, given_name
from symtheano.codegen.c.statements import (
    NO_SITE,
    StatementPrinter,
    external_pointer,
    function_name,
)
from symtheano.codegen.c.text import comment_text, estimate_text
from symtheano.dataclass import dataclass, replace
from symtheano.loopir.host import Announce, Poll, Reserve
from symtheano.loopir.index import Index, total
from symtheano.loopir.names import Uses, bodies, reads, uses, walk, writes, written_through
from symtheano.loopir.nodes import (
    Alias,
    Allocate,
    Call,
    Check,
    Choose,
    For,
    Kernel,
    Let,
    PythonCall,
    Statement,
    Swap,
    While,
)
from symtheano.loopir.operands import Buffer, Place, Value
from symtheano.loopir.program import Program, all_names
from symtheano.scalar.render import c_type, external_type, stored_type
from symtheano.scalar.row import ScalarOp
from symtheano.scalar.table import scalar_op

# Threads get multiples of this number of iterations, which is a multiple of every vector length.
_SIMD_BLOCK = 256
_MAX_INT64 = "INT64_MAX"
_RANGE = ("const int64_t begin", "const int64_t end")


@dataclass(frozen=True)
class _Function:
    """A kernel's function.

    Attributes
    ----------
    name
        Its name.
    first
        Its first arguments, which are the same in all calls.
    fails, returns
        Whether it returns a status, or its only result.
    """

    name: str
    first: tuple[str, ...]
    fails: bool
    returns: bool


class Printer(StatementPrinter):
    """Prints the functions of a file: kernels, parts of parallel loops, short entry points."""

    def __init__(self, program: Program, needs: Needs) -> None:
        present = {id(s.body) for s in program.body if isinstance(s, Kernel)}
        self.repeats = {id(r.body): r for r in program.repeats if id(r.first) in present}
        printed = replace(program, body=self.without_repeats(program.body))
        given = all_names(printed)
        super().__init__(c_names(program, needs, given))
        self.program = program
        self.needs = needs
        self.functions = Functions(own_names(printed, self.names, given))
        # What the functions' bodies use, the inner ones first. The bodies are held: a tuple made
        # later could otherwise have the id of one that is gone.
        self.known: dict[int, Uses] = {}
        self.held: list[Sequence[Statement]] = []
        statements = [*walk(printed.body)]
        self.naming = [s for s in statements if isinstance(s, Alias | Choose | Swap)]
        written = {buffer.name for s in statements for buffer in writes(s)}
        self.written = written_through(written, self.naming)
        for statement in reversed(statements):
            if _is_function(statement):
                (body,) = bodies(statement)
                self.held.append(body)
                self.known[id(body)] = uses(body, self.known)
        for repeat in self.repeats.values():
            self.known[id(repeat.body)] = repeat.uses(self.known[id(repeat.first)])
        # Functions of kernels, by their statements.
        self.kernels: dict[int, _Function] = {}
        # The steps of the entry point, with the names of the functions that they call.
        self.steps: list[tuple[Statement, str]] = []
        # Stack buffers declared by an enclosing function.
        self.declared: set[str] = set()
        self.taken = {*RESERVED, *given, *self.names.values()}
        self.numbers: dict[str, int] = {}

    def without_repeats(self, statements: Sequence[Statement]) -> tuple[Statement, ...]:
        """Return statements in which kernels that repeat others have no body."""
        return tuple(
            replace(s, body=()) if isinstance(s, Kernel) and id(s.body) in self.repeats else s
            for s in statements
        )

    def uses(self, statements: Sequence[Statement]) -> Uses:
        """Return what statements use from outside."""
        return self.known.get(id(statements)) or uses(statements, self.known)

    # -- functions ----------------------------------------------------------------------------

    def short_entry(self) -> list[str]:
        """Return the lines of an entry point that is one function."""
        body = self.program.body
        out = Lines(self.spell(self.program.name), is_entry=True)
        out.add("int32_t status = ST_OK;")
        if self.program.arena:
            out.add("char *arena = NULL;")
        needed = self.uses(body)
        self.inputs(needed, out)
        self.locals(body, needed, out)
        out.end_paragraph()
        allocates = False
        for statement in body:
            if isinstance(statement, Allocate) != allocates:
                allocates = not allocates
                out.end_paragraph()
            self.statement(statement, out)
        if out.leaves:
            out.lines.append("done:")
        if self.program.arena:
            out.add("st_arena_close(runtime, arena);")
        out.add("return status;")
        return out.lines

    def inputs(self, needed: Uses, out: Lines) -> None:
        """Read the inputs' data and shapes from the caller's arrays."""
        used = {buffer.name for buffer in needed.buffers}
        for number, dims in enumerate(self.program.input_dims):
            buffer = self.program.inputs[number]
            if buffer.name in used:
                out.add(f"{self.pointer(buffer, needed.written)} = inputs[{number}].data;")
            lengths = [
                f"{self.spell(name)} = inputs[{number}].shape[{axis}]"
                for axis, name in enumerate(dims)
                if name
            ]
            if lengths:
                out.add_filled("const int64_t ", lengths, ";")

    def locals(self, body: Sequence[Statement], needed: Uses, out: Lines) -> None:
        """Declare function-level objects: stack buffers, external functions."""
        for buffer in self.own_stack(body, needed):
            self.declared.add(buffer.name)
            out.add(f"{self.stack_array(buffer)};")
        self.externals_of(body, out)
        self.counter(body, out)

    def stack_array(self, buffer: Buffer) -> str:
        """Return the declaration of a stack buffer."""
        name, size = self.spell(buffer.name), max(1, buffer.size.constant or 0)
        return f"_Alignas(64) {stored_type(buffer.dtype)} {name}[{size}]"

    def counter(self, body: Sequence[Statement], out: Lines) -> None:
        """Declare what polls of a function count."""
        if any(isinstance(s, Poll) for s in _direct(body)):
            out.add("int64_t st_left = ST_LONG_WORK;")

    def externals_of(self, body: Sequence[Statement], out: Lines) -> None:
        """Declare pointers to the host's functions that a function calls directly."""
        for row in self.externals(_direct(body)) if self.needs.externals else ():
            number = self.needs.externals.index(str(row.external))
            pointer = external_type(row, f"const {external_pointer(row)}")
            out.add(f"{pointer} = ({external_type(row)})runtime->functions[{number}];")

    def own_stack(self, body: Sequence[Statement], needed: Uses) -> list[Buffer]:
        """Return the stack buffers that this function declares, and no function inside it."""
        if all(buffer.space != "stack" for buffer in needed.buffers):
            return []
        outside: dict[str, int] = {}
        for statement in _direct(body):
            if _is_function(statement):
                for buffer in self.uses([statement]).buffers:
                    outside[buffer.name] = outside.get(buffer.name, 0) + 1
            if not _is_function(statement) or isinstance(statement, Call):
                for buffer in (*reads(statement), *writes(statement)):
                    outside[buffer.name] = 2
        return [
            buffer
            for buffer in needed.buffers
            if buffer.space == "stack"
            and buffer.name not in self.declared
            and outside.get(buffer.name, 0) > 1
        ]

    def externals(self, statements: Iterator[Statement]) -> list[ScalarOp]:
        """Return the rows in statements that call a function of the host's, by their names."""
        lets = (statement for statement in statements if isinstance(statement, Let))
        names = {row_name(let.op, let.target.dtype) for let in lets}
        return [row for row in map(scalar_op, sorted(names)) if row.external]

    def has_loops(self, body: Sequence[Statement]) -> bool:
        """Return whether the function itself loops, not only those it calls."""
        return any(isinstance(s, For | While) and not _is_function(s) for s in _direct(body))

    def needs_runtime(self, body: Sequence[Statement]) -> bool:
        if self.needs.externals and self.externals(walk(body)):
            return True
        return any(
            isinstance(s, PythonCall | Call | Announce | Poll)
            or (isinstance(s, For) and "parallel" in s.kind)
            for s in walk(body)
        )

    def passed(self, needed: Uses) -> tuple[list[str], list[str]]:
        """Return the parameters and arguments that pass a function the names it uses."""
        parameters, arguments = [], []
        for buffer in needed.buffers:
            if buffer.space == "constant":
                continue
            if buffer.space == "stack" and buffer.name not in self.declared:
                continue
            parameters.append(self.pointer(buffer, needed.written))
            arguments.append(self.spell(buffer.name))
        for value in needed.values:
            parameters.append(f"const {c_type(value.dtype)} {self.spell(value.name)}")
            arguments.append(self.spell(value.name))
        return parameters, arguments

    def finish(
        self,
        kind: str,
        parameters: Sequence[str],
        out: Lines,
        title: str = "",
        origins: Sequence[Place] = (),
    ) -> str:
        """Add a function to the file; return the name by which it is called."""
        comment = comment_text(title) if title else ""
        lines = list(map(origin_comment, origins))
        head = f"ST_KERNEL {kind}"
        return self.functions.add(head, out.function, parameters, out.lines, comment, lines)

    def call(self, s: Call, out: Lines) -> None:
        if out.is_entry:
            self.steps.append((s, function_name(s.routine, s.dtype)))
        super().call(s, out)

    def python(self, s: PythonCall, out: Lines) -> None:
        self.steps.append((s, f"op {s.number} in Python"))
        super().python(s, out)

    def kernel(self, kernel: Kernel, out: Lines) -> None:
        """Print a kernel's function, unless there is one that differs only in names; call it."""
        repeat = self.repeats.get(id(kernel.body))
        function = None if repeat is None else self.kernels.get(id(repeat.first))
        if function is None:
            function, arguments = self.kernel_function(kernel)
            self.kernels[id(kernel.body)] = function
        else:
            self.functions.add_user(function.name, map(origin_comment, kernel.origins))
            arguments = [*function.first, *self.passed(self.uses(kernel.body))[1]]
        self.steps.append((kernel, function.name))
        returned = kernel.results[0] if function.returns else None
        for value in () if returned else kernel.results:
            arguments.append(f"&{self.spell(value.name)}")
            out.add(f"{c_type(value.dtype)} {self.spell(value.name)};")
        self.call_kernel(function.name, returned, function.fails, arguments, out)

    def kernel_function(self, kernel: Kernel) -> tuple[_Function, list[str]]:
        """Add a kernel's function to the file; return it, and the arguments of its call."""
        fails = any(isinstance(s, Check | PythonCall | Poll) for s in walk(kernel.body))
        returned = kernel.results[0] if len(kernel.results) == 1 and not fails else None
        kind = c_type(returned.dtype) if returned else "int32_t" if fails else "void"
        inner = Lines(self.spell(kernel.name))
        if fails:
            inner.add("int32_t status = ST_OK;")
        needed = self.uses(kernel.body)
        count = len(self.passed(needed)[1])
        parameters, arguments = self.open_function(kernel.body, needed, fails, inner)
        first = tuple(arguments[: len(arguments) - count])
        if len(kernel.origins) == 1:
            inner.origin = kernel.origins[0]
        self.block(kernel.body, inner)
        for value in () if returned else kernel.results:
            name = self.spell(value.name)
            parameters.append(f"{c_type(value.dtype)} *st_{name}")
            inner.add(f"*st_{name} = {name};")
        if fails:
            inner.lines.append("done:")
        if returned or fails:
            inner.add(f"return {self.spell(returned.name) if returned else 'status'};")
        name = self.finish(kind, parameters, inner, kernel.title, kernel.origins)
        return _Function(name, first, fails, returned is not None), arguments

    def open_function(
        self, body: Sequence[Statement], needed: Uses, fails: bool, inner: Lines
    ) -> tuple[list[str], list[str]]:
        """Start a function; return the parameters and arguments that pass it the names it uses."""
        parameters, arguments = self.passed(needed)
        if fails:
            parameters.insert(0, "st_error *error")
            arguments.insert(0, "error")
        if self.needs_runtime(body):
            parameters.insert(0, "const st_runtime *runtime")
            arguments.insert(0, "runtime")
        self.locals(body, needed, inner)
        return parameters, arguments

    def call_kernel(
        self,
        name: str,
        returned: Value | None,
        fails: bool,
        arguments: Sequence[str],
        out: Lines,
    ) -> None:
        if returned:
            result = f"const {c_type(returned.dtype)} {self.spell(returned.name)}"
            out.add_filled(f"{result} = {name}(", arguments, ");")
        elif fails:
            out.add_filled(f"status = {name}(", arguments, ");")
            out.leaves = True
            out.add("if (status != ST_OK) goto done;")
        else:
            out.add_filled(f"{name}(", arguments, ");")

    def parallel(self, loop: For, out: Lines) -> None:
        inner = Lines(self.fresh(f"{out.function}_part"), is_part=True, origin=out.origin)
        needed = self.uses((replace(loop, stop=Index.of(0), work=None),))
        parameters, arguments = self.open_function(loop.body, needed, False, inner)
        self.for_range(loop, "begin", "end", inner)
        thread = "thread" if loop.worker is None else self.spell(loop.worker.name)
        first = (*_RANGE, f"const int64_t {thread}", "const void *given")
        name = self.functions.add("ST_KERNEL void", inner.function, first, inner.lines,
                                  given=parameters)  # fmt: skip
        self.call_part(loop, name, arguments, out)

    def epilogue(self, loop: For, out: Lines) -> tuple[str, str]:
        """Print an epilogue as a function; return its name, and a pointer to its context.

        The context is a struct with what the function uses.
        """
        inner = Lines(self.fresh(f"{out.function}_epilogue"), origin=out.origin)
        parameters, arguments = self.passed(self.uses((replace(loop, stop=Index.of(0)),)))
        self.locals(loop.body, self.uses(loop.body), inner)
        self.for_range(loop, "begin", "end", inner)
        first = ("const void *given", *_RANGE)
        name = self.functions.add("ST_KERNEL void", inner.function, first, inner.lines,
                                  given=parameters)  # fmt: skip
        return name, self.give(name, arguments, out)

    def give(self, name: str, arguments: Sequence[str], out: Lines) -> str:
        """Print the struct with what a function is given; return a pointer to it."""
        if not arguments:
            return "NULL"
        out.structs += 1
        given = f"st_given_{out.structs}"
        out.add_filled(f"const {given_name(name)} {given} = {{", arguments, "};")
        return f"&{given}"

    def fresh(self, wish: str) -> str:
        """Return an unused name for a function."""
        name, number = wish, self.numbers.get(wish, 1)
        while name in self.taken:
            number += 1
            name = f"{wish}_{number}"
        self.taken.add(name)
        self.numbers[wish] = number
        return name

    def call_part(self, loop: For, name: str, arguments: list[str], out: Lines) -> None:
        """Call a loop's function from all threads, or from this one if there is little work."""
        count = self.count(loop)
        work = _MAX_INT64 if loop.work is None else self.index(loop.work)
        block = _SIMD_BLOCK if "simd" in loop.kind else 1
        polled = is_polled(loop)
        given = self.give(name, arguments, out)
        with out.block(f"if (st_parallel(runtime, {work}))", "} else {"):
            share_out = "st_share_polled" if polled else "st_share_out"
            out.add_filled(f"{share_out}(", ["runtime", name, given, count, str(block)], ");")
        out.indent += "    "
        out.add_filled(f"{name}(", ["0", count, "0", given], ");")
        out.indent = out.indent[:-4]
        out.add("}")
        if polled:
            out.leaves = True
            out.add("ST_LEAVE_IF_ENDED;")

    def count(self, loop: For) -> str:
        """Return the number of a loop's iterations, which may be negative for none."""
        length = loop.stop - loop.start if loop.step > 0 else loop.start - loop.stop
        step = abs(loop.step)
        return self.index(length) if step == 1 else f"({self.index(length + (step - 1))}) / {step}"

    # -- the arena ----------------------------------------------------------------------------

    def reserve(self, s: Reserve, out: Lines) -> None:
        slots = self.program.arena
        out.end_paragraph()
        ends = [f"st_padded({self.index(slot.size)})" for slot in slots]
        starts = ["", *(self.fresh(f"{self.spell(s.buffers[0].name)}_at") for s in slots[1:])]
        for start, before, end in zip(starts[1:], starts, ends, strict=False):
            out.add(f"const int64_t {start} = {f'{before} + ' if before else ''}{end};")
        end = " + ".join(filter(None, (starts[-1], ends[-1])))
        out.add(f"const int64_t arena_bytes = {end};")
        estimate = estimate_text(total(slot.size for slot in slots), self.spell)
        out.add_filled("arena = st_arena_open(", ["runtime", "arena_bytes", estimate], ");")
        self.require("arena", "MEMORY", NO_SITE, ["arena_bytes", "-1"], out)
        for start, slot in zip(starts, slots, strict=True):
            place = f"(arena + {start})" if start else "arena"
            for buffer in slot.buffers:
                kind = stored_type(buffer.dtype)
                out.add(f"{kind} *{self.spell(buffer.name)} = ({kind} *){place};")
        out.end_paragraph()


def _is_function(statement: Statement) -> bool:
    """Return whether a statement's body is printed as a function of its own."""
    if isinstance(statement, For):
        return "parallel" in statement.kind
    if isinstance(statement, Call):
        return statement.epilogue is not None
    return isinstance(statement, Kernel)


def _direct(statements: Sequence[Statement]) -> Iterator[Statement]:
    """Yield the statements which are printed in the same function."""
    waiting = list(reversed(statements))
    while waiting:
        statement = waiting.pop()
        yield statement
        inside = bodies(statement)
        if inside and not _is_function(statement):
            for body in inside:
                waiting.extend(reversed(body))
