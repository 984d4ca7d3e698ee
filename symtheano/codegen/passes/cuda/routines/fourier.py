"""Fourier transforms: calls of our routines become calls of the device's library.

The library computes sums without a factor, and may destroy what it transforms to real numbers. So
kernels multiply by the factor, make complex numbers of real ones where all of them are transformed,
and copy a half before it is transformed back, without the imaginary parts that have no meaning.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from symtheano import dtypes
from symtheano.codegen.passes.arena import KernelMemory
from symtheano.codegen.passes.context import ProgramContext
from symtheano.codegen.passes.cuda.routines.calls import RoutineCall, moved
from symtheano.codegen.passes.cuda.routines.libraries import without_calls
from symtheano.codegen.targets import Target
from symtheano.dataclass import replace
from symtheano.loopir import (
    Allocate,
    Buffer,
    Call,
    Index,
    LetIndex,
    LibraryCall,
    Program,
    Statement,
)
from symtheano.loopir.builder import Names
from symtheano.loopir.operands import Literal, Operand
from symtheano.loopir.view import View

_FORWARD, _INVERSE, _TO_HALF, _TO_REAL = range(4)
"""Kinds of transforms, as in ``driver.h``."""


def fourier(program: Program, target: Target, context: ProgramContext) -> Program:
    """Let the device's library compute what calls of Fourier transforms do, if it is there."""
    if "cufft" not in target.device.libraries:
        return program
    memory = KernelMemory(program)

    def write(call: Call) -> tuple[Statement, ...]:
        return _Transform(call, target, context.names, memory).statements()

    program = without_calls(program, _WRITERS, context, write)
    return replace(program, arena=(*program.arena, *memory.slots)) if memory.slots else program


class _Transform(RoutineCall):
    """Writes what one call does.

    Attributes
    ----------
    real
        The dtype of real numbers.
    outer, n, inner
        The lengths of axes: the middle one is transformed.
    """

    def __init__(self, call: Call, target: Target, names: Names, memory: KernelMemory) -> None:
        super().__init__(call, target, names)
        self.memory, self.real = memory, dtypes.real_of(call.dtype)
        self.outer, self.n, self.inner = map(self.integer, ("outer", "n", "inner"))

    def statements(self) -> tuple[Statement, ...]:
        """Return the statements in place of the call, which always succeeds."""
        _WRITERS[self.call.routine.name](self)
        if self.call.target is not None:
            self.b.emit(LetIndex(self.call.target, Index.of(0)))
        return self.b.statements()

    def half(self) -> Index:
        """Write how many numbers of a transform there are for real ones."""
        if self.n.constant is not None:
            return Index.of(self.n.constant // 2 + 1)
        b = self.b
        return (
            b.as_index(b.let("right_shift", "int64", [b.operand(self.n), Literal(1, "int64")])) + 1
        )

    # -- parts of complex numbers ----------------------------------------------------------------

    def parts(self, array: View, place: Index) -> tuple[Operand, Operand]:
        """Load the parts of a complex number, which are neighbours, or of a real one."""
        b = self.b
        if array.buffer.dtype == self.real:
            re, im = (b.load(moved(array, place * 2 + k), []) for k in (0, 1))
            return re, im
        number = b.load(moved(array, place), [])
        return b.let("real", self.real, [number]), b.let("imag", self.real, [number])

    def put(self, array: View, place: Index, re: Operand, im: Operand) -> None:
        """Store a complex number by its parts."""
        b = self.b
        if array.buffer.dtype == self.real:
            for k, part in enumerate((re, im)):
                b.store(moved(array, place * 2 + k), [], part)
            return
        number = b.let("complex", array.buffer.dtype, [re, im])
        b.store(moved(array, place), [], number)

    # -- kernels and calls -----------------------------------------------------------------------

    @contextmanager
    def each(self, title: str, middle: Index) -> Iterator[tuple[Index, Index]]:
        """Open a kernel with a loop over an array; give the place and the middle counter."""
        b = self.b
        with (
            b.block() as body,
            b.loop("i", self.outer, kind="independent") as i,
            b.loop("k", middle, kind="independent") as k,
            b.loop("j", self.inner, kind="independent") as j,
        ):
            yield (i * middle + k) * self.inner + j, k
        b.emit(self.kernel_with(body, title))

    def factor(self) -> Operand | None:
        """Write the factor of the transform; None if it is one."""
        norm = self.integer("norm")
        if norm == 0:
            return None
        b = self.b
        length = b.cast(b.operand(self.n), "float64")
        if norm == 1:
            length = b.let("sqrt", "float64", [length])
        return b.cast(b.let("reciprocal", "float64", [length], "factor"), self.real)

    def times(self, value: Operand, factor: Operand | None) -> Operand:
        return value if factor is None else self.b.let("mul", self.real, [value, factor])

    def scaled(self, array: View, middle: Callable[[], Index]) -> None:
        """Multiply complex numbers by the factor."""
        factor = self.factor()
        if factor is not None:
            with self.each("Fourier transform: factor", middle()) as (place, _):
                re, im = self.parts(array, place)
                self.put(array, place, self.times(re, factor), self.times(im, factor))

    def transform(self, kind: int, x: View, y: View) -> None:
        """Let the library transform one array to another one."""
        members = ("kind", "outer", "n", "inner", "x", "y")
        lengths = (Index.of(kind), self.outer, self.n, self.inner)
        integers = (*lengths, x.offset, y.offset)
        arrays = (x.buffer,), (y.buffer,)
        origin = self.call.origin
        self.b.emit(LibraryCall("transform", self.real, members, integers, *arrays, origin))

    # -- the routines ----------------------------------------------------------------------------

    def complex_(self) -> None:
        """Transform complex numbers, or real ones, which become complex first."""
        x, y = self.element("x"), self.element("y")
        kind = _INVERSE if self.integer("inverse") == 1 else _FORWARD
        if x.buffer.dtype != self.real:
            self.transform(kind, x, y)
            self.scaled(y, lambda: self.n)
            return
        factor, zero = self.factor(), Literal(0.0, self.real)
        with self.each("Fourier transform: complex numbers", self.n) as (place, _):
            number = self.b.load(moved(x, place), [])
            self.put(y, place, self.times(number, factor), zero)
        self.transform(kind, y, y)

    def to_half(self) -> None:
        """Transform real numbers."""
        x, y = self.element("x"), self.element("y")
        self.transform(_TO_HALF, x, y)
        self.scaled(y, self.half)

    def to_real(self) -> None:
        """Transform a half back to real numbers."""
        b, x, y = self.b, self.element("x"), self.element("y")
        size = self.outer * (self.n + 2) * self.inner  # at least twice as many as there are
        placed = self.memory.place(Buffer(self.names.fresh("half"), self.real, "local", size), [])
        if isinstance(placed, Allocate):
            b.emit(placed)
            placed = placed.buffer
        half, factor, zero = (
            View(placed, (), (), Index.of(0)),
            self.factor(),
            Literal(0.0, self.real),
        )
        with self.each("Fourier transform: half", self.half()) as (place, k):
            re, im = self.parts(x, place)
            first = b.let("eq", "bool", [b.operand(k), Literal(0, "int64")])
            last = b.let("eq", "bool", [b.operand(k * 2), b.operand(self.n)])
            real = b.let("or_", "bool", [first, last])
            im = b.let("switch", self.real, [real, zero, self.times(im, factor)])
            self.put(half, place, self.times(re, factor), im)
        self.transform(_TO_REAL, half, y)


_WRITERS: Mapping[str, Callable[[_Transform], None]] = {
    "fft": _Transform.complex_,
    "rfft": _Transform.to_half,
    "irfft": _Transform.to_real,
}
