"""LoopIR statements as C statements, one for one."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence

import numpy as np

from symtheano.codegen.c.lines import Lines
from symtheano.codegen.c.prelude import reduction_operator, row_name
from symtheano.codegen.c.text import (
    comment_text,
    computed_literal_text,
    index_text,
    literal_text,
)
from symtheano.dtypes import short_name
from symtheano.loopir.host import Announce, Interrupt, Poll, Reserve, Tick
from symtheano.loopir.index import Index
from symtheano.loopir.nodes import (
    Alias,
    Allocate,
    Assign,
    Call,
    Check,
    Choose,
    Comment,
    Declare,
    For,
    If,
    Leave,
    Let,
    LetIndex,
    Load,
    Measure,
    Partition,
    Prefetch,
    PythonCall,
    Statement,
    Store,
    Swap,
    While,
)
from symtheano.loopir.operands import (
    Address,
    Argument,
    Buffer,
    Expression,
    Literal,
    Operand,
    element_of,
    lanes_of,
    require,
)
from symtheano.loopir.routine import ALIGNMENT, Routine
from symtheano.loopir.run import Run
from symtheano.scalar.render import (
    c_type,
    loaded,
    render_expression,
    stored_type,
)
from symtheano.scalar.row import ScalarOp, Signature
from symtheano.scalar.table import scalar_op

NO_SITE = -1
"""Site of errors that are not from a Check: a failed allocation."""

_DOUBLE = ("float64", "complex128")
_ATOM = re.compile(r"-?[\w.]+")


_VECTOR_TYPES = {"float32x4": "st_f32v", "float64x4": "st_f64v"}
_IN_MEMORY = {"float32x4": "st_f32v", "float64x4": "st_f64m"}


def value_type(dtype: str) -> str:
    """Return the C type of values of a dtype, which may be vectors."""
    return _VECTOR_TYPES.get(dtype) or c_type(dtype)


def function_name(routine: Routine, dtype: str) -> str:
    """Return the C name of a routine's version for a dtype."""
    return f"st_{routine.name}_{short_name(dtype)}" if routine.typed else f"st_{routine.name}"


def external_pointer(row: ScalarOp) -> str:
    """Return the C name of the pointer to a row's external function."""
    return f"st_{row.name}"


class StatementPrinter(ABC):
    """Prints statements; statements that become functions are printed by a subclass.

    Parameters
    ----------
    names
        Replacements of names that conflict with C.
    """

    def __init__(self, names: Mapping[str, str]) -> None:
        self.names = names
        # Buffers that anything in the program writes to.
        self.written: Collection[str] = ()
        self.python_calls = 0

    @abstractmethod
    def run(self, s: Run, out: Lines) -> None:
        """Print a call of a function, and the function if it is the first call."""

    @abstractmethod
    def epilogue(self, s: Run, out: Lines) -> tuple[str, str]:
        """Return the name of an epilogue's function, and a pointer to its context."""

    def spell(self, name: str) -> str:
        """Return the C name of a name."""
        return self.names.get(name, name)

    def index(self, index: Index) -> str:
        return index_text(index, self.spell)

    def operand(self, operand: Operand) -> str:
        return literal_text(operand) if isinstance(operand, Literal) else self.spell(operand.name)

    def computed(self, operand: Operand) -> str:
        """Return an operand in the type in which C computes: float for float16."""
        if isinstance(operand, Literal):
            return computed_literal_text(operand)
        name = self.spell(operand.name)
        return f"(float){name}" if operand.dtype == "float16" else name

    def address(self, address: Address) -> str:
        name = self.spell(address.buffer.name)
        return name if address.offset == 0 else f"&{name}[{self.index(address.offset)}]"

    def shape(self, dims: Sequence[str]) -> str:
        return f"(const int64_t[]){{{', '.join(dims) or '0'}}}"

    # -- statements ---------------------------------------------------------------------------

    def block(self, statements: Sequence[Statement], out: Lines) -> None:
        for statement in statements:
            self.statement(statement, out)

    def statement(self, statement: Statement, out: Lines) -> None:
        getattr(self, _METHODS[type(statement)])(statement, out)

    def comment(self, s: Comment, out: Lines) -> None:
        out.at(s.origin)
        if s.text:
            out.add(comment_text(s.text))

    def tick(self, s: Tick, out: Lines) -> None:
        out.add(f"if (runtime->tick) runtime->tick(runtime->context, {s.step});")

    def interrupt(self, s: Interrupt, out: Lines) -> None:
        out.leaves = True
        out.add("ST_LEAVE_IF_ENDED;")

    @abstractmethod
    def reserve(self, s: Reserve, out: Lines) -> None:
        """Open the workspace, and define its buffers."""

    def announce(self, s: Announce, out: Lines) -> None:
        out.add(f"st_announce(runtime, (double)({self.index(s.work)}));")

    def poll(self, s: Poll, out: Lines) -> None:
        require(s.work > 0, "a poll whose work no pass has counted would never ask the host")
        if s.long:
            out.add("ST_LEAVE_IF_ENDED;")
        out.leaves = out.leaves or not out.is_part
        out.add(f"ST_POLL({s.work}, {'return' if out.is_part else 'ST_LEAVE'});")

    def let(self, s: Let, out: Lines) -> None:
        out.at(s.origin)
        kind, name = value_type(s.target.dtype), self.spell(s.target.name)
        out.add(f"const {kind} {name} = {self.expression(s)};")

    def expression(self, s: Let) -> str:
        dtype = s.target.dtype
        if s.op == "cast" and dtype == "float16" and s.arguments[0].dtype in _DOUBLE:
            return f"(_Float16){self.operand(s.arguments[0])}"  # rounded once, not through float
        if s.op == "cast" and lanes_of(dtype) > 1:
            return f"st_widened({self.operand(s.arguments[0])})"
        row = scalar_op(row_name(s.op, dtype))
        dtypes = tuple(element_of(operand.dtype) for operand in s.arguments)
        signature = Signature(dtypes, element_of(dtype))
        operands = [self.computed(operand) for operand in s.arguments]
        text = render_expression(row, signature, operands, external_pointer(row))
        return f"(_Float16)({text})" if dtype == "float16" else text

    def let_index(self, s: LetIndex, out: Lines) -> None:
        note = f"  {comment_text(s.comment)}" if s.comment else ""
        out.add(f"const int64_t {self.spell(s.target.name)} = {self.index(s.index)};{note}")

    def partition(self, s: Partition, out: Lines) -> None:
        length, rows = self.index(s.length), self.spell(s.rows.name)
        arguments = [length, self.index(s.unit), str(s.least), str(s.most)]
        out.add_filled(f"const int64_t {rows} = st_chunk_rows(", arguments, ");")
        last = self.index(s.length + s.rows.index - 1)
        out.add(f"const int64_t {self.spell(s.count.name)} = ({last}) / {rows};")

    def load(self, s: Load, out: Lines) -> None:
        element = f"{self.spell(s.buffer.name)}[{self.index(s.index)}]"
        made = s.target.dtype
        value = loaded(element, s.buffer.dtype) if made == s.buffer.dtype else element
        if lanes_of(made) > 1:
            value = f"*(const {_IN_MEMORY[made]} *)&{element}"
        elif made == "float32" and s.buffer.dtype == "float16":
            value = f"st_half_load(&{element})"
        out.add(f"const {value_type(made)} {self.spell(s.target.name)} = {value};")

    def prefetch(self, s: Prefetch, out: Lines) -> None:
        place = f"&{self.spell(s.buffer.name)}[{self.index(s.index)}]"
        out.add(f"__builtin_prefetch({place}{', 1' if s.write else ''});")

    def store(self, s: Store, out: Lines) -> None:
        element = f"{self.spell(s.buffer.name)}[{self.index(s.index)}]"
        if s.value.dtype != s.buffer.dtype:
            out.add(f"st_half_store(&{element}, {self.operand(s.value)});")
            return
        out.add(f"{element} = {self.operand(s.value)};")

    def declare(self, s: Declare, out: Lines) -> None:
        name = self.spell(s.target.name)
        initial, lanes = self.operand(s.initial), lanes_of(s.target.dtype)
        if lanes > 1:
            out.add_filled(f"{value_type(s.target.dtype)} {name} = {{", [initial] * lanes, "};")
            return
        out.add(f"{stored_type(s.target.dtype)} {name} = {initial};")

    def assign(self, s: Assign, out: Lines) -> None:
        out.at(s.origin)
        name, value = self.spell(s.target.name), self.unnamed(s.value)
        before, plus, added = value.partition(f"{name} + ")
        out.add(f"{name} += {added};" if plus and not before else f"{name} = {value};")

    def loop(self, s: For, out: Lines) -> None:
        start, stop, name = self.index(s.start), self.index(s.stop), self.spell(s.index.name)
        if "simd" in s.kind:
            out.add("#pragma omp simd" + self.reductions(s))
        if s.kind == "scalar":
            out.add("ST_SCALAR")
        if s.kind == "unrolled":
            out.add(f"#pragma GCC unroll {-(-int(str(s.stop - s.start)) // s.step)}")
        compare = "<" if s.step > 0 else ">"
        step = {1: f"{name}++", -1: f"{name}--"}.get(
            s.step, f"{name} {'+' if s.step > 0 else '-'}= {abs(s.step)}"
        )
        with out.block(f"for (int64_t {name} = {start}; {name} {compare} {stop}; {step})"):
            self.block(s.body, out)

    def reductions(self, s: For) -> str:
        groups: dict[str, list[str]] = {}
        for value, op in s.reductions:
            operator = reduction_operator(op, value.dtype)
            groups.setdefault(operator, []).append(self.spell(value.name))
        return "".join(
            f" reduction({operator} : {', '.join(names)})" for operator, names in groups.items()
        )

    def while_loop(self, s: While, out: Lines) -> None:
        with out.block("for (;;)"):
            self.block(s.test, out)
            out.add(f"if (!{self.operand(s.condition)}) break;")
            self.block(s.body, out)

    def leave(self, s: Leave, out: Lines) -> None:
        out.add(f"if ({self.unnamed(s.condition)}) break;")

    def if_else(self, s: If, out: Lines) -> None:
        tail = "} else {" if s.otherwise else "}"
        condition = self.operand(s.condition)
        condition = f"__builtin_expect({condition}, 0)" if s.rare else condition
        with out.block(f"if ({condition})", tail):
            self.block(s.then, out)
        if s.otherwise:
            out.indent += "    "
            self.block(s.otherwise, out)
            out.indent = out.indent[:-4]
            out.add("}")

    def call(self, s: Call, out: Lines) -> None:
        out.at(s.origin)
        head, arguments = f"{function_name(s.routine, s.dtype)}(", list[str]()
        for parameter, argument in zip(s.routine.parameters, s.arguments, strict=True):
            if parameter.access == "result":  # C returns what LoopIR stores
                assert isinstance(argument, Address)
                place = f"{self.spell(argument.buffer.name)}[{self.index(argument.offset)}]"
                head = f"{place} = {head}"
                continue
            if parameter.kind == "bytes":
                assert isinstance(argument, Index)
                argument *= np.dtype(s.dtype).itemsize
            arguments.append(self.argument(argument))
        arguments = ["runtime", *s.routine.grouped(arguments)]
        if s.workspace is not None:
            arguments += self.workspace(s.workspace)
        if s.routine.epilogue:
            run = s.epilogue
            arguments += self.epilogue(run, out) if isinstance(run, Run) else ("NULL", "NULL")
        if s.target is not None:
            head = f"const int64_t {self.spell(s.target.name)} = {head}"
        out.add_filled(head, arguments, ");")

    def workspace(self, buffer: Buffer) -> list[str]:
        """Return the arguments for a routine's workspace: aligned memory, and its size."""
        name, size = self.spell(buffer.name), self.index(buffer.size)
        if buffer.space != "output":
            return [name, size]
        aligned = f"(void *)(((uintptr_t){name} + {ALIGNMENT - 1}) & -{ALIGNMENT})"
        return [aligned, self.index(buffer.size - ALIGNMENT)]

    def measure(self, s: Measure, out: Lines) -> None:
        name = f"st_{s.routine.name}_bytes_{short_name(s.dtype)}"
        given = ["runtime", *s.routine.grouped([*map(self.index, s.integers)])]
        out.add_filled(f"const int64_t {self.spell(s.target.name)} = {name}(", given, ");")

    def argument(self, argument: Argument) -> str:
        if isinstance(argument, Address):
            return self.address(argument)
        if isinstance(argument, Index):
            return self.index(argument)
        if isinstance(argument, bool):
            return "ST_TRANS" if argument else "ST_NO_TRANS"
        if isinstance(argument, tuple):
            return self.shape([self.index(item) for item in argument])
        return self.operand(argument)

    def require(
        self, condition: str, kind: str, site: int, values: Sequence[str], out: Lines
    ) -> None:
        """Leave the function with an error unless a condition holds."""
        out.leaves = True
        out.add_filled("ST_REQUIRE(", [condition, kind, str(site), *(values or "0")], ");")

    def allocate(self, s: Allocate, out: Lines) -> None:
        buffer, name = s.buffer, self.spell(s.buffer.name)
        head = f"{stored_type(buffer.dtype)} *{name} = ST_ALLOCATE("
        lengths = [self.index(dim) for dim in s.shape] or ["1"]
        number = str(buffer.position) if s.number is None else self.operand(s.number)
        out.add_filled(head, [number, *lengths], ");")
        bytes_ = self.index(buffer.size * np.dtype(buffer.dtype).itemsize)
        self.require(name, "MEMORY", NO_SITE, [bytes_, number], out)

    def pointer(self, buffer: Buffer, written: Collection[str]) -> str:
        """Return the declaration of a pointer to a buffer."""
        const = "" if buffer.name in written else "const "
        return f"{const}{stored_type(buffer.dtype)} *{self.spell(buffer.name)}"

    def alias(self, s: Alias, out: Lines) -> None:
        out.add(f"{self.pointer(s.buffer, self.written)} = {self.address(s.address)};")

    def choose(self, s: Choose, out: Lines) -> None:
        pointer, condition = self.pointer(s.buffer, self.written), self.operand(s.condition)
        first, second = (self.address(address) for address in (s.first, s.second))
        out.add(f"{pointer} = {condition} ? {first} : {second};")

    def swap(self, s: Swap, out: Lines) -> None:
        """Exchange two pointers."""
        first, second = self.spell(s.first.name), self.spell(s.second.name)
        const = "" if s.first.name in self.written else "const "
        with out.block(""):
            out.add(f"{const}{stored_type(s.first.dtype)} *const st_before = {first};")
            out.add(f"{first} = {second};")
            out.add(f"{second} = st_before;")

    def check(self, s: Check, out: Lines) -> None:
        out.at(s.origin)
        values = [self.index(value) for value in s.values]
        self.require(self.unnamed(s.condition), s.code.upper(), s.site, values, out)

    def unnamed(self, item: Operand | Index | Expression) -> str:
        """Return an expression in which nothing has a name."""
        if isinstance(item, Index):
            return self.index(item)
        if not isinstance(item, Expression):
            return self.operand(item)
        operands = [self.unnamed(argument) for argument in item.arguments]
        operands = [text if _ATOM.fullmatch(text) else f"({text})" for text in operands]
        row = scalar_op(row_name(item.op, item.dtype))
        signature = Signature(tuple(map(element_of, item.dtypes)), element_of(item.dtype))
        return render_expression(row, signature, operands)

    def python(self, s: PythonCall, out: Lines) -> None:
        out.at(s.origin)
        self.python_calls += 1
        inputs, outputs = "NULL", "NULL"
        if s.inputs:
            inputs = f"st_python_inputs_{self.python_calls}"
            with out.block(f"st_array {inputs}[] =", "};"):
                for address, dims in s.inputs:
                    shape = self.shape([self.index(dim) for dim in dims])
                    out.add(f"{{(void *){self.pointer_value(address)}, {shape}}},")
        if s.outputs:
            outputs = f"st_python_outputs_{self.python_calls}"
            out.add(f"st_array {outputs}[{len(s.outputs)}];")
        call = f"runtime->python(runtime->context, {s.number}, {inputs}, {outputs})"
        self.require(f"{call} == 0", "PYTHON", s.number, [], out)
        for number, (buffer, names) in enumerate(s.outputs):
            kind = stored_type(buffer.dtype)
            out.add(f"{kind} *{self.spell(buffer.name)} = {outputs}[{number}].data;")
            for axis, dim in enumerate(names):
                shape = f"{outputs}[{number}].shape[{axis}]"
                out.add(f"const int64_t {self.spell(dim.name)} = {shape};")

    def pointer_value(self, address: Address) -> str:
        text = self.address(address)
        return f"({text})" if text.startswith("&") else text


_METHODS: dict[type, str] = {
    Comment: "comment",
    Let: "let",
    LetIndex: "let_index",
    Partition: "partition",
    Announce: "announce",
    Poll: "poll",
    Interrupt: "interrupt",
    Reserve: "reserve",
    Tick: "tick",
    Load: "load",
    Prefetch: "prefetch",
    Store: "store",
    Declare: "declare",
    Assign: "assign",
    For: "loop",
    While: "while_loop",
    Leave: "leave",
    If: "if_else",
    Call: "call",
    Measure: "measure",
    Allocate: "allocate",
    Check: "check",
    Alias: "alias",
    Choose: "choose",
    Swap: "swap",
    PythonCall: "python",
    Run: "run",
}
