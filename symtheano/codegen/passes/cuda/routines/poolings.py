"""Poolings: calls of our routines become launches, with a thread for each element.

Sums are in the order of the routines (``codegen/routines/pooling``): first those of a column of
a window, then of the columns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial

from symtheano.codegen.passes.context import ProgramContext
from symtheano.codegen.passes.cuda.nests import unravelled
from symtheano.codegen.passes.cuda.routines.calls import launched
from symtheano.codegen.passes.cuda.routines.windows import WindowLaunch
from symtheano.codegen.rows import neutral_element
from symtheano.codegen.targets import Target
from symtheano.loopir import Builder, Call, Index, LibraryCall, Literal, Load, Program, Store, Value
from symtheano.loopir.index import product
from symtheano.loopir.operands import Operand


def poolings(program: Program, target: Target, context: ProgramContext) -> Program:
    """Launch kernels instead of calling the routines of pooling."""

    def make(call: Call) -> _Pooling:
        return _Pooling(call, target, context.names)

    writers = dict(_WRITERS)
    if "cudnn" in target.device.libraries:
        writers |= {name: partial(_Pooling.either, kind=name) for name in _OF_LIBRARY}
    return launched(program, writers, make, _is_float)


def _is_float(dtype: str, integers: Sequence[Index]) -> bool:
    return dtype in ("float32", "float64") and integers[-1].constant is not None


class _Pooling(WindowLaunch):
    """Writes the launch of one call."""

    def cut(self, name: str, axis: int) -> Index:
        """Return the length or distance of windows, at most that of the image with its border."""
        length, border = self.integer(f"i{axis}"), self.integer(f"p{axis}")
        most = self.b.maximum(length + border * 2, 1, "most")
        return self.b.minimum(self.integer(f"{name}{axis}"), most, f"{name}{axis}")

    def shapes(self) -> None:
        """Compute the lengths and distances of windows."""
        self.k = [self.cut("k", axis) for axis in range(3)]
        self.s = [self.cut("s", axis) for axis in range(3)]

    def elements_of(self, axis: int, t: Index) -> tuple[Index, Index]:
        """Return the elements of a window along an axis: the first one, and that after the last."""
        first = t * self.s[axis] - self.integer(f"p{axis}")
        begin = self.b.maximum(first, 0, "begin")
        return begin, self.b.minimum(first + self.k[axis], self.integer(f"i{axis}"), "end")

    def windows_of(self, axis: int, i: Index) -> tuple[Index, Index]:
        """Return the windows that contain an element: the first one, and that after the last."""
        b, step = self.b, self.b.operand(self.s[axis])
        at = i + self.integer(f"p{axis}")
        before = b.let("int_div", "int64", [b.operand(at - self.k[axis]), step])
        begin = b.maximum(before.index + 1, 0, "begin")
        last = b.let("int_div", "int64", [b.operand(at), step])
        return begin, b.minimum(last.index + 1, self.integer(f"t{axis}"), "end")

    def count(self, axis: int, t: Index) -> Index:
        """Return the number of elements of a window along an axis by which an average divides."""
        if self.integer("counted") == 1:
            first = t * self.s[axis]
            every = self.integer(f"i{axis}") + self.integer(f"p{axis}") * 2
            return self.b.minimum(first + self.k[axis], every, "end") - first
        begin, end = self.elements_of(axis, t)
        return end - begin

    def divisor(self, places: Sequence[Index]) -> Operand:
        """Return by what an average over a window is divided."""
        b = self.b
        rows = b.operand(self.count(0, places[0]) * self.count(1, places[1]))
        columns = b.cast(b.operand(self.count(2, places[2])), self.dtype)
        return b.let("mul", self.dtype, [b.cast(rows, self.dtype), columns])

    def load(self, name: str, item: Index, positions: Sequence[Index], axis: str) -> Value:
        n, lengths = self.integer("n"), self.lengths(axis)
        buffer, place = self.at(name, (item, n), *zip(positions, lengths, strict=True))
        value = Value(self.names.fresh(f"{name}_i"), self.dtype)
        self.b.emit(Load(value, buffer, place))
        return value

    @contextmanager
    def results(self, axis: str) -> Iterator[tuple[Index, list[Index], Value]]:
        """Open a launch over the elements of the result; give them, and the scalar to be stored."""
        b, lengths, n = self.b, self.lengths(axis), self.integer("n")
        with self.elements(("item", n), length=product(tuple(lengths))) as (item, place):
            self.shapes()
            positions = unravelled(b, b.operand(place), lengths, axis)
            total = b.declare("total", neutral_element("add", self.dtype))
            yield item, positions, total
            target = self.at("made", (item, n), *zip(positions, lengths, strict=True))
            b.emit(Store(*target, total))

    def either(self, kind: str) -> None:
        """Write a call of the library, and a launch for what it does not take: sums, and others."""
        counted = self.integer("counted")
        if (counted == 0) is (kind == "pool_sum"):
            _WRITERS[kind](self)
            return
        b, taken = self.b, self.b.value("taken", "bool")
        lengths = [f"{name}{axis}" for name in "itksp" for axis in range(3)]
        x, output = self.element("x"), self.element("made")
        integers = (self.integer("n"), *map(self.integer, lengths), counted)
        b.emit(
            LibraryCall(
                "pooling", self.dtype, ("n", *lengths, "counted", "x", "output"),
                (*integers, x.offset, output.offset), (x.buffer,), (output.buffer,),
                self.call.origin, (taken,),
            )
        )  # fmt: skip
        with b.branch(b.let("invert", "bool", [taken])):
            _WRITERS[kind](self)

    # -- what is computed ------------------------------------------------------------------------

    def result(self, op: str) -> None:
        b = self.b
        with self.results("t") as (item, t, total):
            spans = [self.elements_of(axis, t[axis]) for axis in range(3)]
            (begin0, end0), (begin1, end1), (begin2, end2) = spans
            with b.loop("i2", end2, begin2) as i2:
                column = b.declare("column", neutral_element("add", self.dtype))
                with b.loop("i0", end0, begin0) as i0, b.loop("i1", end1, begin1) as i1:
                    other = self.load("x", item, [i0, i1, i2], "i")
                    first = b.let("and_", "bool", [_same(b, i0, begin0), _same(b, i1, begin1)])
                    both = b.let(op, self.dtype, [column, other])
                    b.assign(column, b.let("switch", self.dtype, [first, other, both]))
                both = b.let(op, self.dtype, [total, column])
                begins = _same(b, i2, begin2)
                b.assign(total, b.let("switch", self.dtype, [begins, column, both]))
            if self.integer("counted") != 0:
                b.assign(total, b.let("true_div", self.dtype, [total, self.divisor(t)]))

    def largest(self) -> None:
        self.result("maximum")

    def sums(self) -> None:
        self.result("add")

    def image_of_largest(self) -> None:
        b = self.b
        with self.results("i") as (item, i, total):
            own = self.load("x", item, i, "i")
            spans = [self.windows_of(axis, i[axis]) for axis in range(3)]
            (begin0, end0), (begin1, end1), (begin2, end2) = spans
            with (
                b.loop("t0", end0, begin0) as t0,
                b.loop("t1", end1, begin1) as t1,
                b.loop("back", end2 - begin2) as back,
            ):
                t = [t0, t1, end2 - 1 - back]
                same = b.let("eq", "bool", [own, self.load("y", item, t, "t")])
                with b.branch(same):
                    slope = self.load("g", item, t, "t")
                    b.assign(total, b.let("add", self.dtype, [total, slope]))

    def tangent_of_largest(self) -> None:
        b = self.b
        with self.results("t") as (item, t, total):
            largest = self.load("y", item, t, "t")
            spans = [self.elements_of(axis, t[axis]) for axis in range(3)]
            (begin0, end0), (begin1, end1), (begin2, end2) = spans
            with (
                b.loop("i0", end0, begin0) as i0,
                b.loop("i1", end1, begin1) as i1,
                b.loop("i2", end2, begin2) as i2,
            ):
                i = [i0, i1, i2]
                same = b.let("eq", "bool", [self.load("x", item, i, "i"), largest])
                with b.branch(same):
                    slope = self.load("g", item, i, "i")
                    b.assign(total, b.let("add", self.dtype, [total, slope]))

    def image_of_sums(self) -> None:
        b = self.b
        with self.results("i") as (item, i, total):
            spans = [self.windows_of(axis, i[axis]) for axis in range(3)]
            (begin0, end0), (begin1, end1), (begin2, end2) = spans
            with b.loop("back", end2 - begin2) as back:
                column = b.declare("column", neutral_element("add", self.dtype))
                t2 = end2 - 1 - back
                with b.loop("t0", end0, begin0) as t0, b.loop("t1", end1, begin1) as t1:
                    t = [t0, t1, t2]
                    slope: Operand = self.load("g", item, t, "t")
                    if self.integer("counted") != 0:
                        slope = b.let("true_div", self.dtype, [slope, self.divisor(t)])
                    b.assign(column, b.let("add", self.dtype, [column, slope]))
                b.assign(total, b.let("add", self.dtype, [total, column]))


def _same(b: Builder, left: Index, right: Index) -> Operand:
    if left == right:
        return Literal(True, "bool")
    return b.let("eq", "bool", [b.operand(left), b.operand(right)])


_WRITERS: Mapping[str, Callable[[_Pooling], None]] = {
    "pool_max": _Pooling.largest,
    "pool_max_image": _Pooling.image_of_largest,
    "pool_max_tangent": _Pooling.tangent_of_largest,
    "pool_sum": _Pooling.sums,
    "pool_sum_image": _Pooling.image_of_sums,
}
_OF_LIBRARY = ("pool_max", "pool_sum")
