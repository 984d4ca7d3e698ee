"""What C and languages like it say alike: scalars, elements of arrays, loops and branches.

One statement of LoopIR is one statement of the text. What languages have besides, such as vectors,
threads and calls of the host, subclasses add.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import ClassVar

from symtheano.codegen.c.lines import Lines
from symtheano.codegen.c.needs import row_name
from symtheano.codegen.c.text import (
    comment_text,
    computed_literal_text,
    index_text,
    literal_text,
)
from symtheano.loopir.index import Index
from symtheano.loopir.nodes import (
    Alias,
    Assign,
    Choose,
    Comment,
    Declare,
    For,
    If,
    Leave,
    Let,
    LetIndex,
    Load,
    Statement,
    Store,
    Swap,
    While,
)
from symtheano.loopir.operands import (
    Address,
    Buffer,
    Expression,
    Literal,
    Operand,
    element_of,
)
from symtheano.scalar.render import c_type, loaded, render_expression, stored_type
from symtheano.scalar.row import ScalarOp, Signature
from symtheano.scalar.table import scalar_op

_DOUBLE = ("float64", "complex128")
_ATOM = re.compile(r"-?[\w.]+")


def external_pointer(row: ScalarOp) -> str:
    """Return the name of the pointer to a row's external function."""
    return f"st_{row.name}"


class PlainPrinter:
    """Prints statements.

    Parameters
    ----------
    names
        Replacements of names that conflict with the language.

    Attributes
    ----------
    methods
        The names of the methods that print statements, by their kinds.
    half
        The type of float16.
    """

    methods: ClassVar[Mapping[type, str]] = {
        Comment: "comment",
        Let: "let",
        LetIndex: "let_index",
        Load: "load",
        Store: "store",
        Declare: "declare",
        Assign: "assign",
        For: "loop",
        While: "while_loop",
        Leave: "leave",
        If: "if_else",
        Alias: "alias",
        Choose: "choose",
        Swap: "swap",
    }
    half: ClassVar[str] = "_Float16"

    def __init__(self, names: Mapping[str, str]) -> None:
        self.names = names
        self._indices: dict[Index, str] = {}
        # Buffers that anything in the program writes to.
        self.written: Collection[str] = ()

    # -- parts of statements ------------------------------------------------------------------

    def spell(self, name: str) -> str:
        """Return the C name of a name."""
        return self.names.get(name, name)

    def value_type(self, dtype: str) -> str:
        """Return the type of values of a dtype."""
        return self.half if dtype == "float16" else self.scalar_type(dtype)

    def scalar_type(self, dtype: str) -> str:
        """Return the type in which values of a dtype are computed; float16 has another one."""
        return c_type(dtype)

    def stored_type(self, dtype: str) -> str:
        """Return the type of the elements of arrays of a dtype."""
        return stored_type(dtype) if dtype == "bool" else self.scalar_type(dtype)

    def index(self, index: Index) -> str:
        """Return an index as C; most of them occur several times."""
        text = self._indices.get(index)
        if text is None:
            text = self._indices[index] = index_text(index, self.spell)
        return text

    def index_type(self, name: str) -> str:
        """Return the type of an integer of addresses."""
        return "int64_t"

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
        return render_expression(row, signature, operands, type_name=self.scalar_type)

    def pointer(self, buffer: Buffer, written: Collection[str]) -> str:
        """Return the declaration of a pointer to a buffer."""
        const = "" if buffer.name in written else "const "
        return f"{const}{self.stored_type(buffer.dtype)} *{self.spell(buffer.name)}"

    # -- statements ---------------------------------------------------------------------------

    def block(self, statements: Sequence[Statement], out: Lines) -> None:
        for statement in statements:
            self.statement(statement, out)

    def statement(self, statement: Statement, out: Lines) -> None:
        getattr(self, self.methods[type(statement)])(statement, out)

    def comment(self, s: Comment, out: Lines) -> None:
        out.at(s.origin)
        if s.text:
            out.add(comment_text(s.text))

    def let(self, s: Let, out: Lines) -> None:
        out.at(s.origin)
        kind, name = self.value_type(s.target.dtype), self.spell(s.target.name)
        out.add(f"const {kind} {name} = {self.expression(s)};")

    def expression(self, s: Let) -> str:
        dtype = s.target.dtype
        if s.op == "cast" and dtype == "float16" and s.arguments[0].dtype in _DOUBLE:
            # rounded once, not through float
            return f"({self.half}){self.operand(s.arguments[0])}"
        row = scalar_op(row_name(s.op, dtype))
        dtypes = tuple(element_of(operand.dtype) for operand in s.arguments)
        signature = Signature(dtypes, element_of(dtype))
        operands = [self.computed(operand) for operand in s.arguments]
        external = self.external(row)
        text = render_expression(row, signature, operands, external, self.scalar_type)
        return f"({self.half})({text})" if dtype == "float16" else text

    def external(self, row: ScalarOp) -> str:
        """Return what a row's external function is called by."""
        return external_pointer(row)

    def let_index(self, s: LetIndex, out: Lines) -> None:
        note = f"  {comment_text(s.comment)}" if s.comment else ""
        kind, name = self.index_type(s.target.name), self.spell(s.target.name)
        out.add(f"const {kind} {name} = {self.index(s.index)};{note}")

    def load(self, s: Load, out: Lines) -> None:
        kind, name = self.value_type(s.target.dtype), self.spell(s.target.name)
        out.add(f"const {kind} {name} = {self.loaded(s)};")

    def loaded(self, s: Load) -> str:
        """Return the value that is loaded, as an expression."""
        return loaded(self.element(s.buffer, s.index), s.buffer.dtype)

    def element(self, buffer: Buffer, index: Index) -> str:
        """Return an element of a buffer."""
        return f"{self.spell(buffer.name)}[{self.index(index)}]"

    def store(self, s: Store, out: Lines) -> None:
        out.add(f"{self.element(s.buffer, s.index)} = {self.operand(s.value)};")

    def declare(self, s: Declare, out: Lines) -> None:
        name, initial = self.spell(s.target.name), self.operand(s.initial)
        out.add(f"{self.stored_type(s.target.dtype)} {name} = {initial};")

    def assign(self, s: Assign, out: Lines) -> None:
        out.at(s.origin)
        name, value = self.spell(s.target.name), self.unnamed(s.value)
        before, plus, added = value.partition(f"{name} + ")
        out.add(f"{name} += {added};" if plus and not before else f"{name} = {value};")

    def loop(self, s: For, out: Lines) -> None:
        start, stop, name = self.index(s.start), self.index(s.stop), self.spell(s.index.name)
        compare = "<" if s.step > 0 else ">"
        step = {1: f"{name}++", -1: f"{name}--"}.get(
            s.step, f"{name} {'+' if s.step > 0 else '-'}= {abs(s.step)}"
        )
        kind = self.index_type(s.index.name)
        with out.block(f"for ({kind} {name} = {start}; {name} {compare} {stop}; {step})"):
            self.block(s.body, out)

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
            out.add(f"{const}{self.stored_type(s.first.dtype)} *const st_before = {first};")
            out.add(f"{first} = {second};")
            out.add(f"{second} = st_before;")
