"""Statements that only C has: vectors, calls of the host and of routines."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np

from symtheano.codegen.c.lines import Lines
from symtheano.codegen.c.plain import PlainPrinter
from symtheano.codegen.c.prelude import reduction_operator
from symtheano.dtypes import short_name
from symtheano.loopir.host import Announce, Interrupt, Poll, Reserve, Tick
from symtheano.loopir.index import Index
from symtheano.loopir.memory import OUTPUT
from symtheano.loopir.nodes import (
    Allocate,
    Call,
    Check,
    Declare,
    For,
    Let,
    Load,
    Measure,
    Partition,
    Prefetch,
    PythonCall,
    Store,
)
from symtheano.loopir.operands import Address, Argument, Buffer, lanes_of, require
from symtheano.loopir.routine import ALIGNMENT, Routine
from symtheano.loopir.run import Run
from symtheano.scalar.render import stored_type

NO_SITE = -1
"""Site of errors that are not from a Check: a failed allocation."""

_VECTOR_TYPES = {"float32x4": "st_f32v", "float64x4": "st_f64v"}
_IN_MEMORY = {"float32x4": "st_f32v", "float64x4": "st_f64m"}


def function_name(routine: Routine, dtype: str) -> str:
    """Return the C name of a routine's version for a dtype."""
    return f"st_{routine.name}_{short_name(dtype)}" if routine.typed else f"st_{routine.name}"


class StatementPrinter(PlainPrinter, ABC):
    """Prints statements of C; those that become functions are printed by a subclass."""

    methods: ClassVar[Mapping[type, str]] = {
        **PlainPrinter.methods,
        Partition: "partition",
        Announce: "announce",
        Poll: "poll",
        Interrupt: "interrupt",
        Reserve: "reserve",
        Tick: "tick",
        Prefetch: "prefetch",
        Call: "call",
        Measure: "measure",
        Allocate: "allocate",
        Check: "check",
        PythonCall: "python",
        Run: "run",
    }

    def __init__(self, names: Mapping[str, str]) -> None:
        super().__init__(names)
        self.python_calls = 0

    @abstractmethod
    def run(self, s: Run, out: Lines) -> None:
        """Print a call of a function, and the function if it is the first call."""

    @abstractmethod
    def epilogue(self, s: Run, out: Lines) -> tuple[str, str]:
        """Return the name of an epilogue's function, and a pointer to its context."""

    @abstractmethod
    def reserve(self, s: Reserve, out: Lines) -> None:
        """Open the workspace, and define its buffers."""

    # -- vectors and halves -------------------------------------------------------------------

    def value_type(self, dtype: str) -> str:
        return _VECTOR_TYPES.get(dtype) or super().value_type(dtype)

    def expression(self, s: Let) -> str:
        if s.op == "cast" and lanes_of(s.target.dtype) > 1:
            return f"st_widened({self.operand(s.arguments[0])})"
        return super().expression(s)

    def loaded(self, s: Load) -> str:
        dtype, element = s.target.dtype, self.element(s.buffer, s.index)
        if lanes_of(dtype) > 1:
            return f"*(const {_IN_MEMORY[dtype]} *)&{element}"
        if dtype == "float32" and s.buffer.dtype == "float16":
            return f"st_half_load(&{element})"
        return super().loaded(s) if dtype == s.buffer.dtype else element

    def store(self, s: Store, out: Lines) -> None:
        if s.value.dtype == s.buffer.dtype:
            super().store(s, out)
            return
        out.add(f"st_half_store(&{self.element(s.buffer, s.index)}, {self.operand(s.value)});")

    def declare(self, s: Declare, out: Lines) -> None:
        lanes = lanes_of(s.target.dtype)
        if lanes == 1:
            super().declare(s, out)
            return
        head = f"{self.value_type(s.target.dtype)} {self.spell(s.target.name)} = {{"
        out.add_filled(head, [self.operand(s.initial)] * lanes, "};")

    def loop(self, s: For, out: Lines) -> None:
        if s.kind == "unrolled simd":
            # gcc unrolls no loop that has OpenMP's pragma.
            out.add("#pragma GCC ivdep")
        elif "simd" in s.kind:
            out.add("#pragma omp simd" + self.reductions(s))
        if s.kind == "scalar":
            out.add("ST_SCALAR")
        if "unrolled" in s.kind:
            out.add(f"#pragma GCC unroll {-(-int(str(s.stop - s.start)) // s.step)}")
        super().loop(s, out)

    def reductions(self, s: For) -> str:
        groups: dict[str, list[str]] = {}
        for value, op in s.reductions:
            operator = reduction_operator(op, value.dtype)
            groups.setdefault(operator, []).append(self.spell(value.name))
        return "".join(
            f" reduction({operator} : {', '.join(names)})" for operator, names in groups.items()
        )

    # -- the host and its routines ------------------------------------------------------------

    def shape(self, dims: Sequence[str]) -> str:
        return f"(const int64_t[]){{{', '.join(dims) or '0'}}}"

    def tick(self, s: Tick, out: Lines) -> None:
        out.add(f"if (runtime->tick) runtime->tick(runtime->context, {s.step});")

    def interrupt(self, s: Interrupt, out: Lines) -> None:
        out.leaves = True
        out.add("ST_LEAVE_IF_ENDED;")

    def announce(self, s: Announce, out: Lines) -> None:
        out.add(f"st_announce(runtime, (double)({self.index(s.work)}));")

    def poll(self, s: Poll, out: Lines) -> None:
        require(s.work > 0, "a poll whose work no pass has counted would never ask the host")
        if s.long:
            out.add("ST_LEAVE_IF_ENDED;")
        out.leaves = out.leaves or not out.is_part
        out.add(f"ST_POLL({s.work}, {'return' if out.is_part else 'ST_LEAVE'});")

    def partition(self, s: Partition, out: Lines) -> None:
        length, rows = self.index(s.length), self.spell(s.rows.name)
        arguments = [length, self.index(s.unit), str(s.least), str(s.most)]
        out.add_filled(f"const int64_t {rows} = st_chunk_rows(", arguments, ");")
        last = self.index(s.length + s.rows.index - 1)
        out.add(f"const int64_t {self.spell(s.count.name)} = ({last}) / {rows};")

    def prefetch(self, s: Prefetch, out: Lines) -> None:
        place = f"&{self.spell(s.buffer.name)}[{self.index(s.index)}]"
        if s.stream:
            out.add(f"ST_PREFETCH_STREAM({place});")
        else:
            out.add(f"__builtin_prefetch({place}{', 1' if s.write else ''});")

    def call(self, s: Call, out: Lines) -> None:
        out.at(s.origin)
        head, texts = f"{function_name(s.routine, s.dtype)}(", dict[str, str]()
        for parameter, argument in zip(s.routine.parameters, s.arguments, strict=True):
            if parameter.access == "result":  # C returns what LoopIR stores
                assert isinstance(argument, Address)
                place = f"{self.spell(argument.buffer.name)}[{self.index(argument.offset)}]"
                head = f"{place} = {head}"
                continue
            if parameter.kind == "bytes":
                assert isinstance(argument, Index)
                argument *= np.dtype(s.dtype).itemsize
            texts[parameter.name] = self.argument(argument)
        arguments = ["runtime", *s.routine.grouped(texts)]
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
        if buffer.memory is not OUTPUT:
            return [name, size]
        aligned = f"(void *)(((uintptr_t){name} + {ALIGNMENT - 1}) & -{ALIGNMENT})"
        return [aligned, self.index(buffer.size - ALIGNMENT)]

    def measure(self, s: Measure, out: Lines) -> None:
        name = f"st_{s.routine.name}_bytes_{short_name(s.dtype)}"
        names = (s.routine.parameters[k].name for k in s.routine.integers)
        integers = dict(zip(names, map(self.index, s.integers), strict=True))
        arguments = ["runtime", *s.routine.grouped(integers)]
        out.add_filled(f"const int64_t {self.spell(s.target.name)} = {name}(", arguments, ");")

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

    def check(self, s: Check, out: Lines) -> None:
        out.at(s.origin)
        values = [self.index(value) for value in s.values]
        self.require(self.unnamed(s.condition), s.code.upper(), s.site, values, out)

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
