"""Long entry points, split into functions of some hundred statements.

A C compiler takes more than linear time for a function in which thousands of values are live.
Values that one piece defines and a later one needs are stored in a struct, the *frame*; each piece
reads the caller's arrays itself.
"""

from __future__ import annotations

from collections.abc import Sequence

from symtheano.codegen.c.cuts import computes, pieces_of
from symtheano.codegen.c.lines import Lines
from symtheano.codegen.c.printer import Printer
from symtheano.codegen.c.statements import NO_SITE
from symtheano.codegen.c.text import estimate_text
from symtheano.codegen.passes.inline import LONG
from symtheano.dataclass import dataclass
from symtheano.loopir.host import Reserve
from symtheano.loopir.names import Uses, definitions, provides, uses, walk
from symtheano.loopir.nodes import Declare, Statement, Swap
from symtheano.loopir.operands import Value
from symtheano.loopir.program import Function, Program, Slot
from symtheano.scalar.render import c_type, stored_type

# A frame larger than this number of bytes is allocated like a workspace, because threads may have
# small stacks.
_STACK_BYTES = 1 << 14
_PARAMETERS = (
    "const st_runtime *runtime",
    "const st_array *inputs",
    "st_error *error",
    "st_frame *frame",
)
# Functions that only check lengths and call others do not benefit from optimization, without which
# they compile in a third of the time: a large file consists mostly of such pieces.
_STRAIGHT = """\
#ifdef __clang__
#define ST_STRAIGHT static __attribute__((noinline, optnone))
#else
#define ST_STRAIGHT static __attribute__((noinline, optimize("O0")))
#endif
"""


def is_long(program: Program) -> bool:
    """Return whether an entry point is to be split; not if there are reassigned values."""
    return len(program.body) > LONG and not any(
        isinstance(statement, Declare) for statement in program.body
    )


@dataclass(frozen=True)
class _Piece:
    """Statements that become a function, and the names that they use."""

    statements: tuple[Statement, ...]
    needed: Uses


class LongEntry:
    """Prints the entry point of a long program.

    Parameters
    ----------
    printer
        Prints the statements and collects the functions.
    """

    def __init__(self, printer: Printer) -> None:
        self.printer, self.program = printer, printer.program
        self.name = printer.spell(self.program.name)
        self.calls: list[str] = []
        self.fields: dict[str, str] = {}
        self.dims = {
            name: f"inputs[{number}].shape[{axis}]"
            for number, dims in enumerate(self.program.input_dims)
            for axis, name in enumerate(dims)
            if name
        }

    def lines(self) -> list[str]:
        """Return the lines of the entry point's body; the pieces become functions."""
        body, printer = self.program.body, self.printer
        opened = next((k for k, s in enumerate(body) if isinstance(s, Reserve)), len(body))
        before, after = (
            [_Piece(part, uses(part)) for part in pieces_of(half)]
            for half in (body[:opened], body[opened + 1 :])
        )
        self.crossing = self._crossing([*before, *after])
        self.stack = {buffer.name for buffer in self.program.stack}
        for buffer in self.program.stack:
            self.fields[printer.spell(buffer.name)] = printer.stack_array(buffer)
        for piece in before:
            self._piece(piece)
        if after and self.program.arena:
            self._open_arena()
        for piece in after:
            self._piece(piece)
        out = Lines(self.name)
        self._open_frame(out)
        if self.program.arena:
            out.add("frame->arena = NULL;")
        for call in self.calls:
            out.add(f"if (status == ST_OK) status = {call};")
        if self.program.arena:
            out.add("st_arena_close(runtime, frame->arena);")
        if self._is_large():
            out.lines.append("done:")
            out.add("st_arena_close(runtime, (char *)frame);")
        out.add("return status;")
        printer.structs.append(self._frame())
        return out.lines

    def _is_large(self) -> bool:
        """Return whether the frame is too large for the stack of the thread."""
        return sum(64 if "[" in field else 16 for field in self.fields.values()) > _STACK_BYTES

    def _open_frame(self, out: Lines) -> None:
        out.add("int32_t status = ST_OK;")
        if not self._is_large():
            out.add("st_frame own, *const frame = &own;")
            return
        self.printer.needs.workspace = self.printer.needs.fails = True
        size = "sizeof(st_frame)"
        out.add(f"st_frame *const frame = (st_frame *)st_arena_open(runtime, {size}, {size});")
        self.printer.require("frame", "MEMORY", NO_SITE, [size, "-1"], out)

    def _crossing(self, pieces: Sequence[_Piece]) -> set[str]:
        """Return the names that a piece uses and does not define."""
        found = {name for slot in self.program.arena for name in slot.size.names()}
        for piece in pieces:
            found.update(value.name for value in piece.needed.values)
            found.update(buffer.name for buffer in piece.needed.buffers)
        return found

    def _frame(self) -> str:
        fields = [f"    {field};" for field in self.fields.values()]
        if self.program.arena:
            fields += ["    char *arena;", f"    int64_t st_slot[{len(self.program.arena)}];"]
            fields.append("    double st_estimate;")
        head = f"{_STRAIGHT}\n/* Values that later pieces of the entry point use. */\n"
        return f"{head}typedef struct st_frame {{\n" + "\n".join(fields) + "\n} st_frame;\n"

    # -- pieces -------------------------------------------------------------------------------

    def _begin(self) -> Lines:
        out = Lines(self.printer.fresh(f"{self.name}_piece"), is_entry=True)
        out.add("int32_t status = ST_OK;")
        return out

    def _finish(self, out: Lines, kind: str = "ST_STRAIGHT int32_t") -> None:
        if out.leaves:
            out.lines.append("done:")
        out.add("return status;")
        self.printer.add_function(kind, out, _PARAMETERS, Function(out.function, ()))
        self.calls.append(f"{out.function}(runtime, inputs, error, frame)")

    def _piece(self, piece: _Piece) -> None:
        printer, out = self.printer, self._begin()
        for buffer in piece.needed.buffers:
            name = printer.spell(buffer.name)
            if buffer.space == "constant" or (
                buffer.space == "stack" and buffer.name not in self.stack
            ):
                continue
            place = f"inputs[{buffer.position}].data" if buffer.space == "input" else None
            pointer = printer.pointer(buffer, printer.written)
            out.add(f"{pointer} = {place or f'frame->{name}'};")
        self._values(piece.needed.values, out)
        printer.externals_of(piece.statements, out)
        printer.counter(piece.statements, out)
        for statement in piece.statements:
            printer.statement(statement, out)
        for statement in piece.statements:
            self._keep(statement, out)
        works = printer.has_loops(piece.statements) or computes(piece.statements)
        keyword = "ST_KERNEL" if works else "ST_STRAIGHT"
        self._finish(out, f"{keyword} int32_t")

    def _values(self, values: Sequence[Value], out: Lines) -> None:
        for value in values:
            name = self.printer.spell(value.name)
            place = self.dims.get(value.name, f"frame->{name}")
            out.add(f"const {c_type(value.dtype)} {name} = {place};")

    def _keep(self, statement: Statement, out: Lines) -> None:
        """Store what a statement has defined in the frame if later pieces need it."""
        printer = self.printer
        found = {
            v.name: f"{c_type(v.dtype)} {printer.spell(v.name)}" for v in definitions(statement)
        }
        swapped = [b for s in walk([statement]) if isinstance(s, Swap) for b in (s.first, s.second)]
        for buffer in (*provides(statement), *swapped):
            found[buffer.name] = printer.pointer(buffer, printer.written)
        for name, field in found.items():
            if name in self.crossing:
                spelled = printer.spell(name)
                self.fields[spelled] = field
                out.add(f"frame->{spelled} = {spelled};")

    # -- the arena ----------------------------------------------------------------------------

    def _open_arena(self) -> None:
        """Lay out the slots, allocate memory for all of them, and define the buffers."""
        slots = self.program.arena
        pieces = pieces_of(list(enumerate(slots)))
        for piece in pieces:
            self._lay_out(piece)
        self._allocate(slots)
        for piece in pieces:
            self._place_buffers(piece)

    def _lay_out(self, slots: Sequence[tuple[int, Slot]]) -> None:
        out = self._begin()
        names = dict.fromkeys(name for _, slot in slots for name in slot.size.names())
        self._values([Value(name, "int64") for name in names], out)
        first = slots[0][0]
        out.add(f"int64_t end = {f'frame->st_slot[{first - 1}]' if first else '0'};")
        out.add(f"double estimate = {'frame->st_estimate' if first else '0.0'};")
        for number, slot in slots:
            out.add(f"end += st_padded({self.printer.index(slot.size)});")
            out.add(f"estimate += {estimate_text(slot.size, self.printer.spell)};")
            out.add(f"frame->st_slot[{number}] = end;")
        out.add("frame->st_estimate = estimate;")
        self._finish(out)

    def _allocate(self, slots: Sequence[Slot]) -> None:
        out = self._begin()
        out.add(f"const int64_t arena_bytes = frame->st_slot[{len(slots) - 1}];")
        out.add("frame->arena = st_arena_open(runtime, arena_bytes, frame->st_estimate);")
        values = ["arena_bytes", "-1"]
        self.printer.require("frame->arena", "MEMORY", NO_SITE, values, out)
        self._finish(out)

    def _place_buffers(self, slots: Sequence[tuple[int, Slot]]) -> None:
        out = self._begin()
        out.add("char *arena = frame->arena;")
        for number, slot in slots:
            start = f"arena + frame->st_slot[{number - 1}]" if number else "arena"
            for buffer in slot.buffers:
                if buffer.name in self.crossing:
                    kind, name = stored_type(buffer.dtype), self.printer.spell(buffer.name)
                    self.fields[name] = f"{kind} *{name}"
                    out.add(f"frame->{name} = ({kind} *)({start});")
        self._finish(out)
