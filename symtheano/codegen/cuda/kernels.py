"""Kernels as CUDA C++: a grid loop is a function, and loops over threads are its threads.

One statement of LoopIR is one statement of the text, as in C.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np

from symtheano.codegen.c.lines import Lines, function_comment
from symtheano.codegen.c.needs import row_name
from symtheano.codegen.c.plain import PlainPrinter
from symtheano.codegen.c.text import filled, literal_text
from symtheano.codegen.passes.cuda.launches import grids_of
from symtheano.dataclass import replace
from symtheano.loopir.index import Index
from symtheano.loopir.launch import Aligned, AtomicAdd
from symtheano.loopir.memory import STACK
from symtheano.loopir.names import walk
from symtheano.loopir.nodes import Barrier, For, Let, Load, Local, Store
from symtheano.loopir.operands import (
    Expression,
    Literal,
    Operand,
    Value,
    element_of,
    lanes_of,
)
from symtheano.loopir.program import Function
from symtheano.loopir.rewrite import names_used
from symtheano.scalar.render import c_type, render_expression, stored_type
from symtheano.scalar.row import ScalarOp, Signature
from symtheano.scalar.table import scalar_op

_COMPLEX = {"complex64": "st_complex64", "complex128": "st_complex128"}
_THREADS = {"thread": "st_thread()", "warp": "st_warp()", "lane": "st_lane()"}
_OF_ANY_SIZE = frozenset(("cast", "eq", "ge", "gt", "le", "lt", "neq"))
"""Rows whose results are the same for operands of 32 and of 64 bits."""
_BARRIERS = {"block": "st_wait_for_block();", "warp": "st_wait_for_warp();"}


def device_type(dtype: str) -> str:
    """Return the type of single values of a dtype in kernels.

    Examples
    --------
    >>> device_type("int8"), device_type("complex64")
    ('int8_t', 'st_complex64')
    """
    return _COMPLEX.get(dtype) or c_type(dtype)


class KernelPrinter(PlainPrinter):
    """Prints the kernels of a program.

    Parameters
    ----------
    names
        Replacements of names that conflict with the language.
    threads
        How many threads a block of each kernel has.
    warp
        Threads of a warp.
    """

    methods: ClassVar[Mapping[type, str]] = {
        **PlainPrinter.methods,
        Aligned: "aligned",
        AtomicAdd: "atomic_add",
        Barrier: "barrier",
        Local: "local",
    }
    half: ClassVar[str] = "st_half"

    def __init__(self, names: Mapping[str, str], threads: Mapping[str, int], warp: int) -> None:
        super().__init__(names)
        self.threads, self.warp = threads, warp
        self._block_threads = 1
        self._widens = True
        self._narrow: frozenset[str] = frozenset()

    def scalar_type(self, dtype: str) -> str:
        return device_type(dtype)

    def value_type(self, dtype: str) -> str:
        element = element_of(dtype)
        if element == dtype:
            return super().value_type(dtype)
        return f"st_four<{self.stored_type(element)}>"

    def external(self, row: ScalarOp) -> str:
        return f"st_special_{row.external}"

    def loaded(self, s: Load) -> str:
        if lanes_of(s.target.dtype) == 1:
            return super().loaded(s)
        place = f"&{self.element(s.buffer, s.index)}"
        if s.buffer.memory is STACK:
            return f"*(const {self.value_type(s.target.dtype)} *){place}"
        return f"st_load_four({place})"

    # -- integers of 32 bits ------------------------------------------------------------------

    def index_type(self, name: str) -> str:
        return "int32_t" if name in self._narrow else "int64_t"

    def let(self, s: Let, out: Lines) -> None:
        if s.target.name in self._narrow:
            row, signature = narrow_row(s)
            operands = [self.operand(_narrowed(argument)) for argument in s.arguments]
            text = render_expression(row, signature, operands, type_name=self.scalar_type)
            out.at(s.origin)
            out.add(f"const int32_t {self.spell(s.target.name)} = {text};")
        else:
            super().let(s, out)

    def expression(self, s: Let) -> str:
        self._widens = s.op not in _OF_ANY_SIZE
        return super().expression(s)

    def computed(self, operand: Operand) -> str:
        text = super().computed(operand)
        widens = self._widens and isinstance(operand, Value) and operand.name in self._narrow
        return f"(int64_t){text}" if widens else text

    def unnamed(self, item: Operand | Index | Expression) -> str:
        text = super().unnamed(item)
        names = item.names() if isinstance(item, Index) else [getattr(item, "name", "")]
        return text if self._narrow.isdisjoint(names) else f"(int64_t)({text})"

    # -- statements ---------------------------------------------------------------------------

    def store(self, s: Store, out: Lines) -> None:
        if lanes_of(s.value.dtype) == 1:
            super().store(s, out)
            return
        place, value = f"&{self.element(s.buffer, s.index)}", self.operand(s.value)
        if s.buffer.memory is STACK:
            out.add(f"*({self.value_type(s.value.dtype)} *){place} = {value};")
        else:
            out.add(f"st_store_four({place}, {value});")

    def aligned(self, s: Aligned, out: Lines) -> None:
        """Print whether four elements may be accessed at once."""
        place = f"&{self.element(s.buffer, s.index)}"
        out.add(f"const bool {self.spell(s.target.name)} = st_is_aligned({place});")

    def atomic_add(self, s: AtomicAdd, out: Lines) -> None:
        """Print an addition that other threads do not come between."""
        place = f"&{self.element(s.buffer, s.index)}"
        out.add(f"st_add_atomically({place}, {self.operand(s.value)});")

    def kernel(self, kernel: Function) -> str:
        """Return the text of a kernel."""
        self.written, self._narrow = kernel.written, kernel.narrow
        self._block_threads = self.threads[kernel.name]
        out = Lines(self.spell(kernel.name))
        fours = _in_fours(kernel)
        for buffer in kernel.stack:
            size = max(1, buffer.size.constant or 0)
            aligned = "alignas(16) " if buffer.name in fours else ""
            out.add(f"{aligned}{self.stored_type(buffer.dtype)} {self.spell(buffer.name)}[{size}];")
        self.grid(kernel.body[0], out)
        parameters = [self.pointer(buffer, kernel.written) for buffer in kernel.buffers]
        # The first four bytes of eight are those of a small integer, as all hosts store them.
        parameters += [f"{self._kind(value)} {self.spell(value.name)}" for value in kernel.values]
        shown = function_comment(kernel.title, kernel.origins)
        head = filled(f"ST_KERNEL({self._block_threads}) {out.function}(", parameters, ") {", "")
        return "\n".join([*shown, *head, *out.lines, "}"]) + "\n"

    def _kind(self, value: Value) -> str:
        narrow = value.name in self._narrow
        return self.index_type(value.name) if narrow else self.value_type(value.dtype)

    # -- loops over threads -------------------------------------------------------------------

    def grid(self, loop: object, out: Lines) -> None:
        """Print what a block does.

        Where integers have 32 bits, blocks are a row, and a launch has no others: more blocks
        would fill several rows.
        """
        assert isinstance(loop, For)
        grids = grids_of(loop)
        short = self._narrow.issuperset(grid.index.name for grid in grids)
        block, kind = ("st_block_of_row()", "unsigned") if short else ("st_block()", "int64_t")
        for number in reversed(range(1, len(grids))):
            out.add(f"const {kind} st_blocks_{number} = {self.count(grids[number])};")
        for number, grid in enumerate(grids):
            own = block
            if number + 1 < len(grids):
                inner = "*".join(f"st_blocks_{k}" for k in range(number + 1, len(grids)))
                out.add(f"const {kind} st_outer_{number} = {block} / ({inner});")
                own, block = f"st_outer_{number}", f"({block} - st_outer_{number}*({inner}))"
            name = self.spell(grid.index.name)
            start = "" if grid.start == 0 else f"{self.index(grid.start)} + "
            step = "" if grid.step == 1 else f"*{grid.step}"
            value = f"(int32_t){own}" if short else own
            out.add(f"const {self.index_type(grid.index.name)} {name} = {start}{value}{step};")
            if not short:
                out.add(f"if ({name} >= {self.index(grid.stop)}) return;")
        self.block(grids[-1].body, out)

    def count(self, grid: For) -> str:
        """Return the number of blocks along a grid loop."""
        length = self.index(grid.stop - grid.start + (grid.step - 1))
        return length if grid.step == 1 else f"({length})/{grid.step}"

    def loop(self, s: For, out: Lines) -> None:
        if s.kind not in _THREADS:
            if s.kind == "unrolled":
                out.add("ST_UNROLL")
            super().loop(s, out)
            return
        count = s.stop.constant or 0
        have = self.warp if s.kind == "lane" else self._block_threads
        have = have // self.warp if s.kind == "warp" else have
        number = _THREADS[s.kind]
        head = f"if ({number} == 0)" if count == 1 else f"if ({number} < {count})"
        with out.block("" if count == have else head):
            if any(s.index.name in names_used(inner) for inner in walk(s.body)):
                kind = self.index_type(s.index.name)
                out.add(f"const {kind} {self.spell(s.index.name)} = {number};")
            self.block(s.body, out)
        for value, op in s.reductions:
            name = self.spell(value.name)
            out.add(f"{name} = {self.combination(op, value.dtype)}({name});")

    def combination(self, op: str, dtype: str) -> str:
        """Return the name of the function that reduces a number over a warp."""
        return f"st_warp_{op}_{dtype}"

    def combined(self, op: str, dtype: str, first: str, second: str) -> str:
        """Return the expression that reduces two numbers."""
        row = scalar_op(row_name(op, dtype))
        signature = Signature((dtype, dtype), dtype)
        return render_expression(row, signature, (first, second), type_name=device_type)

    def reducer(self, op: str, dtype: str) -> str:
        """Return the text of the function that reduces a number over a warp.

        Lanes combine in pairs, the lower lane first, so all have the same result.
        """
        kind, name = device_type(dtype), self.combination(op, dtype)
        both = self.combined(op, dtype, "first", "second")
        return f"""\
ST_DEVICE {kind} {name}({kind} value) {{
    for (int apart = {self.warp // 2}; apart > 0; apart /= 2) {{
        const {kind} other = st_exchanged(value, apart);
        const bool upper = st_lane() & apart;
        const {kind} first = upper ? other : value, second = upper ? value : other;
        value = {both};
    }}
    return value;
}}
"""

    def barrier(self, s: Barrier, out: Lines) -> None:
        out.add(_BARRIERS[s.threads])

    def local(self, s: Local, out: Lines) -> None:
        size = max(1, s.buffer.size.constant or 0)
        kind = self.stored_type(s.buffer.dtype)
        out.add(f"ST_SHARED({kind}, {self.spell(s.buffer.name)}, {size});")


def _in_fours(kernel: Function) -> set[str]:
    """Return the names of arrays of which four elements are accessed at once."""
    loads = (s for s in walk(kernel.body) if isinstance(s, Load) and lanes_of(s.target.dtype) > 1)
    stores = (s for s in walk(kernel.body) if isinstance(s, Store) and lanes_of(s.value.dtype) > 1)
    return {s.buffer.name for s in loads} | {s.buffer.name for s in stores}


def narrow_row(s: Let) -> tuple[ScalarOp, Signature]:
    """Return the row of a statement that computes with integers of 32 bits, and its dtypes."""
    dtypes = tuple(_narrowed(argument).dtype for argument in s.arguments)
    return scalar_op(row_name(s.op, "int32")), Signature(dtypes, "int32")


def _narrowed(operand: Operand) -> Operand:
    return operand if operand.dtype == "bool" else replace(operand, dtype="int32")


def table_text(name: str, dtype: str, values: Sequence[object]) -> str:
    """Return the text of a table of constants on the device."""
    literals = [Literal(np.asarray(value).item(), dtype) for value in values]
    words = [literal_text(literal) for literal in literals] or ["0"]
    kind = stored_type(dtype) if dtype == "bool" else device_type(dtype)
    return "\n".join(filled(f"ST_TABLE {kind} {name}[{len(words)}] = {{", words, "};", "")) + "\n"


def reductions_of(kernels: Sequence[Function]) -> list[tuple[str, str]]:
    """Return the pairs of (scalar op, dtype) that kernels reduce over a warp, sorted."""
    loops = (s for kernel in kernels for s in walk(kernel.body) if isinstance(s, For))
    return sorted({(op, value.dtype) for loop in loops for value, op in loop.reductions})
