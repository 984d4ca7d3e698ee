"""The host's part of a program for a device: C that launches kernels, and copies arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np

from symtheano.codegen.abi import ON_DEVICE, ErrorCode
from symtheano.codegen.c.lines import Lines
from symtheano.codegen.c.needs import Needs
from symtheano.codegen.c.printer import CONTEXT, Arena, Printer
from symtheano.codegen.c.statements import NO_SITE
from symtheano.codegen.c.text import estimate_text, index_text
from symtheano.codegen.record import DEVICE
from symtheano.codegen.template import file_text, fill
from symtheano.loopir.extents import MOST_NARROW
from symtheano.loopir.host import Tick
from symtheano.loopir.launch import Launch, LibraryCall, Product, ReadBack, Transfer
from symtheano.loopir.names import walk
from symtheano.loopir.nodes import Allocate
from symtheano.loopir.operands import Value
from symtheano.loopir.program import Function, Program
from symtheano.loopir.run import Run

_ASKS = (Launch, LibraryCall, Product, ReadBack, Tick, Transfer)
"""Statements that ask the driver, which may refuse."""

_DRIVER = """\
@STRUCT@
#define ST_ERROR_DEVICE @CODE@
#define ST_ON_DEVICE (@ON_DEVICE@)

/* What leaves the function if the driver refuses; the host knows why. */
#define ST_ASK(question, ...) \\
    do { \\
        if (call->driver->question(call, __VA_ARGS__) != 0) { \\
            status = ST_ERROR_DEVICE; \\
            goto done; \\
        } \\
    } while (0)

/* The same for what the driver may leave to the program: `taken` is whether it has done it. */
#define ST_TRY(taken, question, ...) \\
    const int32_t taken##_told = call->driver->question(call, __VA_ARGS__); \\
    if (taken##_told != 0 && taken##_told != ST_REFUSED) { \\
        status = ST_ERROR_DEVICE; \\
        goto done; \\
    } \\
    const bool taken = taken##_told == 0

static inline st_call *st_begin(const st_runtime *runtime) {
    const st_driver *const driver = (const st_driver *)runtime->functions[@NUMBER@];
    return driver->begin(driver);
}

/* Memory of the device; `estimate` is the size in floating point, to detect an overflow. */
static inline void *st_device_memory(st_call *call, int64_t bytes, double estimate) {
    return call->driver->allocate(call, estimate < 4e18 ? bytes : -1);
}

/* The absolute value of an integer, at least 1; whether 32 bits suffice for what has an extent. */
static inline double st_extent(int64_t value) {
    const double size = value < 0 ? -(double)value : value;
    return size > 1 ? size : 1;
}
static inline bool st_fits(double extent) { return extent <= @MOST@; }

/* The number of blocks of a launch along a loop. */
static inline int64_t st_block_count(int64_t length, int64_t step) {
    return length <= 0 ? 0 : (length - 1) / step + 1;
}
"""


def driver_text(needs: Needs) -> str:
    """Return the declarations of the driver's functions."""
    number = str(needs.externals.index(DEVICE))
    code = str(ErrorCode.DEVICE.value)
    struct = file_text(__file__, "driver.h")
    return fill(
        _DRIVER, {
            "STRUCT": struct, "NUMBER": number, "CODE": code, "ON_DEVICE": str(ON_DEVICE),
            "MOST": f"{MOST_NARROW}.0",
        },
    )  # fmt: skip


_TYPES = ("float32", "float64", "complex64", "complex128")


def allocated_there(program: Program) -> tuple[str, ...]:
    """Return the names of the arrays for which a program asks the device, not its caller, in order.

    The workspace is not one of them.
    """
    resident = {buffer.name for buffer in program.outputs if buffer.place == "device"}
    names = [
        s.buffer.name
        for s in program.statements()
        if isinstance(s, Allocate) and s.buffer.place == "device"
    ]
    return tuple(dict.fromkeys(name for name in names if name not in resident))


class HostPrinter(Printer):
    """Prints the functions of the host.

    Parameters
    ----------
    program
        The program.
    needs
        What its statements require.
    """

    methods: ClassVar[Mapping[type, str]] = {
        **Printer.methods,
        Launch: "launch",
        LibraryCall: "library_call",
        Product: "product",
        ReadBack: "read_back",
        Transfer: "transfer",
    }

    def __init__(self, program: Program, needs: Needs) -> None:
        super().__init__(program, needs)
        self.numbers = {kernel.name: k for k, kernel in enumerate(program.kernels)}
        self.launches = 0
        # For these, the caller is asked, as for outputs on the host.
        self.resident = {b.name for b in program.outputs if b.place == "device"}
        own = allocated_there(program)
        self.numbers_there = {name: f"ST_ON_DEVICE - {k}" for k, name in enumerate(own, 1)}

    def can_fail(self, function: Function) -> bool:
        return self._asks(function) or super().can_fail(function)

    def needs_runtime(self, function: Function) -> bool:
        return self._asks(function) or super().needs_runtime(function)

    def context(self, function: Function) -> list[str]:
        return [*super().context(function), *["call"] * self._asks(function)]

    def frame_fields(self) -> list[str]:
        return [CONTEXT["call"]]

    def begin(self, out: Lines, owner: str = "") -> None:
        out.add(f"{owner or 'st_call *const '}call = st_begin(runtime);")
        out.add(f"if (!{owner}call) return ST_ERROR_DEVICE;")

    def end(self, owner: str, out: Lines) -> None:
        super().end(owner, out)
        out.add(f"if ({owner}call->driver->end({owner}call) != 0 && status == ST_OK)")
        out.add("    status = ST_ERROR_DEVICE;")

    def allocate(self, s: Allocate, out: Lines) -> None:
        if s.buffer.place == "host" or s.buffer.name in self.resident:
            super().allocate(s, out)
            return
        kind, name = self.stored_type(s.buffer.dtype), self.spell(s.buffer.name)
        size = s.buffer.size * np.dtype(s.buffer.dtype).itemsize
        bytes_, estimate = self.index(size), estimate_text(size, self.spell)
        out.add_filled(f"{kind} *{name} = st_device_memory(", ["call", bytes_, estimate], ");")
        self.require(name, "MEMORY", NO_SITE, [bytes_, self.numbers_there[s.buffer.name]], out)

    def _asks(self, function: Function) -> bool:
        """Return whether a function, or one that it runs, asks the driver."""
        return any(
            isinstance(s, _ASKS)
            or (
                isinstance(s, Allocate)
                and s.buffer.place == "device"
                and s.buffer.name not in self.resident
            )
            or (isinstance(s, Run) and self._asks(self.functions[s.function]))
            for s in walk(function.body)
        )

    def ask(self, question: str, arguments: Sequence[str], out: Lines) -> None:
        """Ask the driver, and leave the function if it refuses."""
        out.leaves = True
        out.add_filled("ST_ASK(", [question, *arguments], ");")

    def try_(
        self, taken: Sequence[Value], question: str, arguments: Sequence[str], out: Lines
    ) -> None:
        """Ask the driver, which may leave it to later statements if there is a value for that."""
        if not taken:
            self.ask(question, arguments, out)
            return
        out.leaves = True
        (told,) = (self.spell(value.name) for value in taken)
        out.add_filled("ST_TRY(", [told, question, *arguments], ");")

    def launch(self, s: Launch, out: Lines) -> None:
        self.launches += 1
        arguments = f"st_arguments_{self.launches}"
        names = [f"(void *)&{self.spell(item.name)}" for item in s.arguments]
        out.add_filled(f"void *{arguments}[] = {{", names or ["NULL"], "};")
        counts = []
        for length, step in zip(s.lengths, s.steps, strict=True):
            counts.append(f"st_block_count({self.index(length)}, {step})")
        kernel, blocks = str(self.numbers[s.kernel]), " * ".join(counts)
        self.ask("launch", [kernel, self._is_wide(s), blocks, str(s.threads), arguments], out)

    def _is_wide(self, s: Launch) -> str:
        """Return whether integers of 32 bits do not suffice for a launch."""
        if s.bound == 0:
            return "false"
        return f"!st_fits({index_text(s.bound, self._extent)})"

    def _extent(self, name: str) -> str:
        return f"st_extent({self.spell(name)})"

    def read_back(self, s: ReadBack, out: Lines) -> None:
        kind, name = self.scalar_type(s.target.dtype), self.spell(s.target.name)
        source = f"&{self.element(s.buffer, s.index)}"
        if s.target.dtype == "bool":
            out.add(f"uint8_t st_read_{name};")
            self.ask("to_host", [f"&st_read_{name}", source, "1"], out)
            out.add(f"const bool {name} = st_read_{name} != 0;")
            return
        out.add(f"{self.half if s.target.dtype == 'float16' else kind} {name};")
        self.ask("to_host", [f"&{name}", source, f"sizeof {name}"], out)

    def tick(self, s: Tick, out: Lines) -> None:
        self.ask("tick", [str(s.step)], out)

    def transfer(self, s: Transfer, out: Lines) -> None:
        question = "to_device" if s.target.place == "device" else "to_host"
        size = self.index(s.size * np.dtype(s.source.dtype).itemsize)
        self.ask(question, [self.spell(s.target.name), self.spell(s.source.name), size], out)

    def product(self, s: Product, out: Lines) -> None:
        kind = self.scalar_type(s.c.dtype)
        fields = [f".type = {_TYPES.index(s.c.dtype)}"]
        fields += [".tf32 = 1"] * s.tf32
        fields += [f".transa = {int(s.transa)}", f".transb = {int(s.transb)}"]
        for name, size in zip(("count", "m", "n", "k"), s.sizes, strict=True):
            fields.append(f".{name} = {self.index(size)}")
        for name, factor in (("alpha", s.alpha), ("beta", s.beta)):
            fields.append(f".{name} = &({kind}){{{self.operand(factor)}}}")
        for name, (buffer, first, row, step) in zip("abc", s.matrices, strict=True):
            fields.append(f".{name} = &{self.element(buffer, first)}")
            fields += [f".ld{name} = {self.index(row)}", f".{name}_step = {self.index(step)}"]
        for buffer in s.bias:
            fields.append(f".bias = &{self.element(buffer, s.integers[-1])}")
        self.try_(s.taken, "multiply", [f"&(st_product){{{', '.join(fields)}}}"], out)

    def library_call(self, s: LibraryCall, out: Lines) -> None:
        fields = [f".type = {_TYPES.index(s.dtype)}"]
        fields += [f".{name} = {self.index(value)}" for name, value in s.numbers]
        for name, buffer, first in s.addresses:
            fields.append(f".{name} = &{self.element(buffer, first)}")
        self.try_(s.taken, s.function, [f"&(st_{s.function}){{{', '.join(fields)}}}"], out)

    # -- the arenas ---------------------------------------------------------------------------

    def arenas(self) -> Sequence[Arena]:
        slots = self.program.arena
        here = [slot for slot in slots if slot.buffers[0].place == "host"]
        there = [slot for slot in slots if slot.buffers[0].place == "device"]
        both = (
            Arena("arena", here, "st_arena_open", "st_arena_close"),
            Arena("device_arena", there, "st_device_memory", owner="call", number="ST_ON_DEVICE"),
        )
        return [arena for arena in both if arena.slots]
