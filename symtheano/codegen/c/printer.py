"""Functions of a C file: those of the program, and its entry point.

One scalar statement is one C statement.
"""

from __future__ import annotations

from collections.abc import Sequence

from symtheano.codegen.c.lines import Lines, function_comment
from symtheano.codegen.c.names import c_names
from symtheano.codegen.c.needs import Needs, row_name
from symtheano.codegen.c.plain import external_pointer
from symtheano.codegen.c.statements import (
    NO_SITE,
    StatementPrinter,
    function_name,
)
from symtheano.codegen.c.text import estimate_text, filled
from symtheano.dataclass import dataclass
from symtheano.loopir.host import Announce, Poll, Reserve
from symtheano.loopir.index import total
from symtheano.loopir.names import Uses, uses, walk, writes, written_through
from symtheano.loopir.nodes import (
    Alias,
    Allocate,
    Call,
    Check,
    Choose,
    Let,
    PythonCall,
    Statement,
    Swap,
)
from symtheano.loopir.operands import Buffer, Value, element_of
from symtheano.loopir.program import Frame, Function, Piece, Program, Slot, all_names
from symtheano.loopir.run import Run, Threads
from symtheano.scalar.render import c_type, external_type, stored_type
from symtheano.scalar.row import ScalarOp
from symtheano.scalar.table import scalar_op

_MAX_INT64 = "INT64_MAX"
CONTEXT = {
    "runtime": "const st_runtime *runtime",
    "error": "st_error *error",
    "call": "st_call *call",
}
"""Parameters of functions that call the host, or may fail."""
_PIECE = (CONTEXT["runtime"], "const st_array *inputs", CONTEXT["error"], "st_frame *frame")
# Functions that only check lengths and call others do not benefit from optimization, without which
# they compile in a third of the time: a large file consists mostly of such pieces.
_STRAIGHT = """\
#ifdef __clang__
#define ST_STRAIGHT static __attribute__((noinline, optnone))
#else
#define ST_STRAIGHT static __attribute__((noinline, optimize("O0")))
#endif
"""


@dataclass(frozen=True)
class _Signature:
    """What callers of a C function know of it.

    Attributes
    ----------
    name
        Its name.
    context
        Its first arguments, which are the same in all calls.
    fails, returns
        Whether it returns a status, or its only result.
    """

    name: str
    context: tuple[str, ...]
    fails: bool
    returns: bool


@dataclass(frozen=True)
class Arena:
    """A piece of memory that a call has for itself.

    Attributes
    ----------
    name
        Of the pointer to it.
    slots
        What lies in it.
    opens, closes
        Functions of the text that allocate and free it; empty if nothing has to be freed.
    owner
        The first argument of both.
    number
        What errors call it.
    """

    name: str
    slots: Sequence[Slot]
    opens: str
    closes: str = ""
    owner: str = "runtime"
    number: str = "-1"


class Printer(StatementPrinter):
    """Prints the functions of a file."""

    def __init__(self, program: Program, needs: Needs) -> None:
        super().__init__(c_names(program, needs, all_names(program)))
        self.program = program
        self.needs = needs
        statements = [*program.statements()]
        naming = [s for s in statements if isinstance(s, Alias | Choose | Swap)]
        written = {buffer.name for s in statements for buffer in writes(s)}
        self.written = written_through(written, naming)
        self.functions = {function.name: function for function in program.functions}
        self.signatures: dict[str, _Signature] = {}
        # Functions that routines call with the rows of their results.
        self.epilogues: set[str] = set()
        # The texts of structs, and of functions in the order of their calls.
        self.structs: list[str] = []
        self.texts: list[str] = []
        # The steps of the entry point, with the names of the functions that they call.
        self.steps: list[tuple[Statement, str]] = []

    # -- the entry point ----------------------------------------------------------------------

    def entry(self) -> list[str]:
        """Return the lines of the entry point; the functions that it runs are printed."""
        body, frame = self.program.body, self.program.frame
        if frame is not None:
            return self.entry_of_pieces(frame)
        out = Lines(self.spell(self.program.name), is_entry=True)
        out.add("int32_t status = ST_OK;")
        self.begin(out)
        for arena in self.arenas():
            out.add(f"char *{arena.name} = NULL;")
        self.inputs(uses(body), out)
        self.locals(body, self.program.stack, out)
        out.end_paragraph()
        allocates = False
        for statement in body:
            if isinstance(statement, Allocate) != allocates:
                allocates = not allocates
                out.end_paragraph()
            self.statement(statement, out)
        if out.leaves:
            out.lines.append("done:")
        self.end("", out)
        out.add("return status;")
        return out.lines

    def entry_of_pieces(self, frame: Frame) -> list[str]:
        """Return the lines of an entry point that runs pieces."""
        out = Lines(self.spell(self.program.name))
        out.add("int32_t status = ST_OK;")
        if frame.large:
            size = "sizeof(st_frame)"
            out.add(f"st_frame *const frame = (st_frame *)st_arena_open(runtime, {size}, {size});")
            self.require("frame", "MEMORY", NO_SITE, [size, "-1"], out)
        else:
            out.add("st_frame own, *const frame = &own;")
        fields = [*map(self.stack_array, self.program.stack), *map(self.field, frame.items)]
        fields += self.frame_fields()
        self.begin(out, "frame->")
        for arena in self.arenas():
            fields.append(f"char *{arena.name}")
            out.add(f"frame->{arena.name} = NULL;")
        self.block(self.program.body, out)
        self.end("frame->", out)
        if frame.large:
            out.lines.append("done:")
            out.add("st_arena_close(runtime, (char *)frame);")
        out.add("return status;")
        head = f"{_STRAIGHT}\n/* Values that later pieces of the entry point use. */\n"
        lines = "".join(f"    {field};\n" for field in fields)
        self.structs.append(f"{head}typedef struct st_frame {{\n{lines}}} st_frame;\n")
        return out.lines

    def frame_fields(self) -> list[str]:
        """Return the fields of a frame besides values and buffers."""
        return []

    def begin(self, out: Lines, owner: str = "") -> None:
        """Print what the entry point does first; ``owner`` is how it reaches its memory."""

    def end(self, owner: str, out: Lines) -> None:
        """Print what the entry point does last."""
        for arena in self.arenas():
            if arena.closes:
                out.add(f"{arena.closes}(runtime, {owner}{arena.name});")

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

    def locals(self, body: Sequence[Statement], stack: Sequence[Buffer], out: Lines) -> None:
        """Declare function-level objects: stack buffers, external functions."""
        for buffer in stack:
            out.add(f"{self.stack_array(buffer)};")
        self.externals_of(body, out)
        self.counter(body, out)

    def stack_array(self, buffer: Buffer) -> str:
        """Return the declaration of a stack buffer."""
        name, size = self.spell(buffer.name), max(1, buffer.size.constant or 0)
        return f"_Alignas(64) {stored_type(buffer.dtype)} {name}[{size}]"

    def counter(self, body: Sequence[Statement], out: Lines) -> None:
        """Declare what polls of a function count."""
        if any(isinstance(s, Poll) for s in walk(body)):
            out.add("int64_t st_left = ST_LONG_WORK;")

    def externals_of(self, body: Sequence[Statement], out: Lines) -> None:
        """Declare pointers to the host's functions that a function calls."""
        for row in self.externals(body) if self.needs.externals else ():
            number = self.needs.externals.index(str(row.external))
            pointer = external_type(row, f"const {external_pointer(row)}")
            out.add(f"{pointer} = ({external_type(row)})runtime->functions[{number}];")

    def externals(self, statements: Sequence[Statement]) -> list[ScalarOp]:
        """Return the rows in statements that call a function of the host's, by their names."""
        lets = (statement for statement in walk(statements) if isinstance(statement, Let))
        names = {row_name(let.op, element_of(let.target.dtype)) for let in lets}
        return [row for row in map(scalar_op, sorted(names)) if row.external]

    # -- functions ----------------------------------------------------------------------------

    def run(self, s: Run, out: Lines) -> None:
        """Print a call of a function, and the function if it is the first call."""
        function = self.functions[s.function]
        signature = self.signature(function)
        if function.piece is not None:
            call = f"{signature.name}(runtime, inputs, error, frame)"
            out.add(f"if (status == ST_OK) status = {call};")
            return
        arguments = [self.spell(item.name) for item in s.arguments]
        arguments[:0] = signature.context
        if s.threads is not None:
            self.run_in_threads(s.threads, signature.name, arguments, out)
            return
        self.steps.append((s, signature.name))
        returned = s.results[0] if signature.returns else None
        for value in () if returned else s.results:
            arguments.append(f"&{self.spell(value.name)}")
            out.add(f"{c_type(value.dtype)} {self.spell(value.name)};")
        if returned:
            head = f"const {c_type(returned.dtype)} {self.spell(returned.name)} = "
            out.add_filled(f"{head}{signature.name}(", arguments, ");")
        elif signature.fails:
            out.add_filled(f"status = {signature.name}(", arguments, ");")
            out.leaves = True
            out.add("if (status != ST_OK) goto done;")
        else:
            out.add_filled(f"{signature.name}(", arguments, ");")

    def signature(self, function: Function) -> _Signature:
        """Return what callers know of a function, which is printed the first time."""
        signature = self.signatures.get(function.name)
        if signature is None:
            if function.piece is not None:
                signature = self.piece(function, function.piece)
            else:
                signature = self.part(function) if function.range else self.kernel(function)
            self.signatures[function.name] = signature
        return signature

    def kernel(self, function: Function) -> _Signature:
        """Print the function of a kernel."""
        fails, results = self.can_fail(function), function.results
        returned = results[0] if len(results) == 1 and not fails else None
        kind = c_type(returned.dtype) if returned else "int32_t" if fails else "void"
        out = Lines(self.spell(function.name))
        if fails:
            out.add("int32_t status = ST_OK;")
        context = [*self.context(function), *["error"] * fails]
        parameters = [CONTEXT[name] for name in context] + self.parameters(function)
        if len(function.origins) == 1:
            out.origin = function.origins[0]
        self.body(function, out)
        for value in () if returned else results:
            name = self.spell(value.name)
            parameters.append(f"{c_type(value.dtype)} *st_{name}")
            out.add(f"*st_{name} = {name};")
        if fails:
            out.lines.append("done:")
        if returned or fails:
            out.add(f"return {self.spell(returned.name) if returned else 'status'};")
        self.add_function(f"ST_KERNEL {kind}", out, parameters, function)
        return _Signature(out.function, tuple(context), fails, returned is not None)

    def part(self, function: Function) -> _Signature:
        """Print a function that runs a range of a loop's iterations.

        What it uses is in a struct, to which its last parameter points; in an epilogue, the first.
        """
        out = Lines(self.spell(function.name), is_part=True)
        context = self.context(function)
        fields = [CONTEXT[name] for name in context] + self.parameters(function)
        if fields:
            struct = given_name(out.function)
            lines = "".join(f"    {field};\n" for field in fields)
            self.structs.append(f"typedef struct {struct} {{\n{lines}}} {struct};\n")
            out.add(f"const {struct} *const st_given = given;")
            for field in fields:
                out.add(f"{field} = st_given->{field.split()[-1].lstrip('*')};")
        self.body(function, out)
        first = [f"const int64_t {self.spell(value.name)}" for value in function.range]
        shared = function.name not in self.epilogues
        parameters = [*first, "const void *given"] if shared else ["const void *given", *first[:2]]
        self.add_function("ST_KERNEL void", out, parameters, function)
        return _Signature(out.function, tuple(context), False, False)

    def piece(self, function: Function, piece: Piece) -> _Signature:
        """Print a piece of the entry point, which finds its parameters in the frame."""
        out = Lines(self.spell(function.name), is_entry=True)
        out.add("int32_t status = ST_OK;")
        for field in self.frame_fields():
            out.add(f"{field} = frame->{field.split()[-1].lstrip('*')};")
        places = {
            name: f"inputs[{number}].shape[{axis}]"
            for number, dims in enumerate(self.program.input_dims)
            for axis, name in enumerate(dims)
        }
        places |= {b.name: f"inputs[{k}].data" for k, b in enumerate(self.program.inputs)}
        for item in function.parameters:
            name = self.spell(item.name)
            const = "const " if isinstance(item, Value) else ""
            out.add(f"{const}{self.field(item)} = {places.get(item.name, f'frame->{name}')};")
        self.body(function, out)
        opens = isinstance(function.body[0], Reserve)  # which leaves addresses itself
        for item in () if opens else function.left:
            out.add(f"frame->{self.spell(item.name)} = {self.spell(item.name)};")
        if out.leaves:
            out.lines.append("done:")
        out.add("return status;")
        kind = "ST_STRAIGHT int32_t" if piece.straight else "ST_KERNEL int32_t"
        self.add_function(kind, out, _PIECE, function)
        return _Signature(out.function, (), True, False)

    def field(self, item: Buffer | Value) -> str:
        """Return the declaration of a value, or of a pointer to a buffer."""
        if isinstance(item, Value):
            return f"{c_type(item.dtype)} {self.spell(item.name)}"
        return self.pointer(item, self.written)

    def parameters(self, function: Function) -> list[str]:
        """Return the parameters for what a function uses."""
        pointers = [self.pointer(buffer, function.written) for buffer in function.buffers]
        return pointers + [f"const {self.field(value)}" for value in function.values]

    def body(self, function: Function, out: Lines) -> None:
        """Print the statements of a function."""
        self.locals(function.body, function.stack, out)
        self.block(function.body, out)

    def add_function(
        self, kind: str, out: Lines, parameters: Sequence[str], function: Function
    ) -> None:
        """Add a function to the file, with comments: what it does, and lines of the program."""
        shown = function_comment(function.title, function.origins)
        head = filled(f"{kind} {out.function}(", parameters or ["void"], ") {", "")
        self.texts.append("\n".join([*shown, *head, *out.lines, "}"]) + "\n")

    def can_fail(self, function: Function) -> bool:
        """Return whether a function, or one that it runs, can leave with an error."""
        return any(
            isinstance(s, Check | PythonCall | Poll)
            or (isinstance(s, Run) and self.can_fail(self.functions[s.function]))
            for s in walk(function.body)
        )

    def context(self, function: Function) -> list[str]:
        """Return the names of what a function is given besides its parameters."""
        return ["runtime"] * self.needs_runtime(function)

    def needs_runtime(self, function: Function) -> bool:
        """Return whether a function, or one that it runs, calls the host."""
        if self.needs.externals and self.externals(function.body):
            return True
        return any(
            isinstance(s, PythonCall | Call | Announce | Poll)
            or (isinstance(s, Run) and bool(s.threads or self._runs_host(s)))
            for s in walk(function.body)
        )

    def _runs_host(self, s: Run) -> bool:
        return self.needs_runtime(self.functions[s.function])

    def call(self, s: Call, out: Lines) -> None:
        if out.is_entry:
            self.steps.append((s, function_name(s.routine, s.dtype)))
        super().call(s, out)

    def python(self, s: PythonCall, out: Lines) -> None:
        self.steps.append((s, f"op {s.number} in Python"))
        super().python(s, out)

    # -- functions that run a range -----------------------------------------------------------

    def epilogue(self, s: Run, out: Lines) -> tuple[str, str]:
        """Return the name of an epilogue's function, and a pointer to its context."""
        self.epilogues.add(s.function)
        signature = self.signature(self.functions[s.function])
        arguments = [self.spell(item.name) for item in s.arguments]
        return signature.name, self.give(signature.name, arguments, out)

    def give(self, name: str, arguments: Sequence[str], out: Lines) -> str:
        """Print the struct with what a function is given; return a pointer to it."""
        if not arguments:
            return "NULL"
        out.structs += 1
        struct = f"st_given_{out.structs}"
        out.add_filled(f"const {given_name(name)} {struct} = {{", arguments, "};")
        return f"&{struct}"

    def run_in_threads(
        self, threads: Threads, name: str, arguments: Sequence[str], out: Lines
    ) -> None:
        """Call a function in all threads, or in this one if there is little work."""
        length, step = threads.length, threads.step
        count = self.index(length)
        if step != 1:
            count = f"({self.index(length + (step - 1))}) / {step}"
        work = _MAX_INT64 if threads.work is None else self.index(threads.work)
        pointer = self.give(name, arguments, out)
        share_out = "st_share_polled" if threads.polled else "st_share_out"
        with out.block(f"if (st_parallel(runtime, {work}))", "} else {"):
            parts = ["runtime", name, pointer, count, str(threads.block)]
            out.add_filled(f"{share_out}(", parts, ");")
        out.indent += "    "
        out.add_filled(f"{name}(", ["0", count, "0", pointer], ");")
        out.indent = out.indent[:-4]
        out.add("}")
        if threads.polled:
            out.leaves = True
            out.add("ST_LEAVE_IF_ENDED;")

    # -- the arena ----------------------------------------------------------------------------

    def arenas(self) -> Sequence[Arena]:
        """Return the pieces of memory of which the workspace consists."""
        slots = self.program.arena
        return [Arena("arena", slots, "st_arena_open", "st_arena_close")] if slots else []

    def reserve(self, s: Reserve, out: Lines) -> None:
        for arena in self.arenas():
            self.open(arena, out)

    def open(self, arena: Arena, out: Lines) -> None:
        """Open an arena, and define its buffers."""
        slots = arena.slots
        frame = self.program.frame
        kept = None if frame is None else {item.name for item in frame.items}
        name = arena.name if kept is None else f"frame->{arena.name}"
        size = f"{arena.name}_bytes"
        out.end_paragraph()
        ends = [f"st_padded({self.index(slot.size)})" for slot in slots]
        starts = ["", *(f"st_{self.spell(slot.buffers[0].name)}_at" for slot in slots[1:])]
        for start, before, end in zip(starts[1:], starts, ends, strict=False):
            out.add(f"const int64_t {start} = {f'{before} + ' if before else ''}{end};")
        end = " + ".join(filter(None, (starts[-1], ends[-1])))
        out.add(f"const int64_t {size} = {end};")
        estimate = estimate_text(total(slot.size for slot in slots), self.spell)
        out.add_filled(f"{name} = {arena.opens}(", [arena.owner, size, estimate], ");")
        self.require(name, "MEMORY", NO_SITE, [size, arena.number], out)
        for start, slot in zip(starts, slots, strict=True):
            place = f"({name} + {start})" if start else name
            for buffer in slot.buffers:
                kind, own = stored_type(buffer.dtype), self.spell(buffer.name)
                if kept is None:
                    out.add(f"{kind} *{own} = ({kind} *){place};")
                elif buffer.name in kept:
                    out.add(f"frame->{own} = ({kind} *){place};")
        out.end_paragraph()


def given_name(function: str) -> str:
    """Return the name of the struct with what a function is given."""
    return f"{function}_given"
