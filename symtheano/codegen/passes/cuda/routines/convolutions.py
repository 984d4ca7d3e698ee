"""Convolutions: calls of our routines become launches, with a thread for each element, or calls.

A thread goes through all that meets its element: the definition, in order. It keeps a program on
the device, and is slower than a library. The library has the same borders on both sides of an axis,
and 32-bit lengths, and may refuse what it has no algorithm for: then the kernels run.
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
from symtheano.loopir import (
    Buffer,
    Call,
    Index,
    LibraryCall,
    Literal,
    Load,
    Program,
    Store,
    Value,
)
from symtheano.loopir.index import product
from symtheano.loopir.operands import Operand


def convolutions(program: Program, target: Target, context: ProgramContext) -> Program:
    """Launch kernels instead of calling the routines of convolutions."""

    def make(call: Call) -> _Convolution:
        return _Convolution(call, target, context.names)

    writers = _WRITERS
    if "cudnn" in target.device.libraries:
        writers = {name: partial(_Convolution.either, kind=name) for name in _WRITERS}
    return launched(program, writers, make, _is_shared)


def _is_shared(dtype: str, integers: Sequence[Index]) -> bool:
    """Return whether all places of a result have the same filters, turned or not."""
    return integers[_UNSHARED] == 0 and integers[_FLIP].constant is not None


class _Convolution(WindowLaunch):
    """Writes the launch of one call."""

    def first(self, axis: int, tap: Index) -> Index:
        """Return where an element of a filter is if the result's position is zero."""
        length, distance = self.integer(f"k{axis}"), self.integer(f"d{axis}")
        turned = length - 1 - tap if self.integer("flip") == 1 else tap
        return turned * distance - self.integer(f"p{axis}")

    @contextmanager
    def taps(self) -> Iterator[list[Index]]:
        """Open loops over the elements of a filter."""
        with self.b.nest(self.lengths("k"), kind="serial") as taps:
            yield taps

    @contextmanager
    def within(self, positions: list[Index], lengths: list[Index]) -> Iterator[None]:
        """Open a branch for positions that an array has."""
        b = self.b
        conditions: list[Operand] = []
        for position, length in zip(positions, lengths, strict=True):
            value = b.operand(position)
            conditions.append(b.let("ge", "bool", [value, Literal(0, "int64")]))
            conditions.append(b.let("lt", "bool", [value, b.operand(length)]))
        whole, *rest = conditions
        for condition in rest:
            whole = b.let("and_", "bool", [whole, condition])
        with b.branch(whole):
            yield

    def add(self, total: Value, left: tuple[Buffer, Index], right: tuple[Buffer, Index]) -> None:
        """Add a product of two elements to a total."""
        b, factors = self.b, []
        for buffer, place in (left, right):
            factor = b.value(f"{buffer.name}_i", self.dtype)
            b.emit(Load(factor, buffer, place))
            factors.append(factor)
        term = b.let("mul", self.dtype, factors)
        b.assign(total, b.let("add", self.dtype, [total, term]))

    # -- the library -----------------------------------------------------------------------------

    def either(self, kind: str) -> None:
        """Write the call of the library, and launches for a convolution that it does not take."""
        b = self.b
        if self.dtype not in ("float32", "float64"):
            _WRITERS[kind](self)
            return
        taken = b.value("taken", "bool")
        b.emit(self._asked(kind, taken))
        with b.branch(b.let("invert", "bool", [taken])):
            _WRITERS[kind](self)

    def _asked(self, kind: str, taken: Value) -> LibraryCall:
        """Return the call of the library, which tells whether it takes the convolution."""
        output = self.call.routine.parameters[-1].name
        lengths = [f"{name}{axis}" for name in "iktpsd" for axis in range(3)]
        integers = ("n", "groups", "c", "o", "flip", *lengths)
        arrays = [name for name in ("image", "kernel", "result") if name != output]
        views = [self.element(name) for name in (*arrays, output)]
        return LibraryCall(
            "convolve",
            self.dtype,
            ("kind", "tf32", *integers, *arrays, "output"),
            (
                Index.of([*_WRITERS].index(kind)),
                Index.of(int(self.tf32)),
                *map(self.integer, integers),
                *(view.offset for view in views),
            ),
            tuple(view.buffer for view in views[:2]),
            (views[2].buffer,),
            self.call.origin,
            (taken,),
        )

    # -- the three convolutions ------------------------------------------------------------------

    def result(self) -> None:
        b, lengths = self.b, self.lengths("t")
        n, groups, c, o = map(self.integer, ("n", "groups", "c", "o"))
        outer = (("item", n), ("group", groups), ("filter", o))
        with self.elements(*outer, length=product(tuple(lengths))) as (item, group, own, place):
            t = unravelled(b, b.operand(place), lengths, "t")
            total = b.declare("total", neutral_element("add", self.dtype))
            with b.loop("channel", c) as channel, self.taps() as k:
                at = [t[a] * self.integer(f"s{a}") + self.first(a, k[a]) for a in range(3)]
                with self.within(at, self.lengths("i")):
                    image = zip(at, self.lengths("i"), strict=True)
                    taps = zip(k, self.lengths("k"), strict=True)
                    self.add(
                        total,
                        self.at("image", (item, n), (group, groups), (channel, c), *image),
                        self.at("kernel", (group, groups), (own, o), (channel, c), *taps),
                    )
            places = zip(t, lengths, strict=True)
            b.emit(Store(*self.at("result", (item, n), (group, groups), (own, o), *places), total))

    def image(self) -> None:
        b, lengths = self.b, self.lengths("i")
        n, groups, c, o = map(self.integer, ("n", "groups", "c", "o"))
        outer = (("item", n), ("group", groups), ("channel", c))
        with self.elements(*outer, length=product(tuple(lengths))) as (item, group, own, place):
            i = unravelled(b, b.operand(place), lengths, "i")
            total = b.declare("total", neutral_element("add", self.dtype))
            with b.loop("filter", o) as kept, self.taps() as k:
                from_first = [i[a] - self.first(a, k[a]) for a in range(3)]
                with self._on_steps(from_first) as t, self.within(t, self.lengths("t")):
                    taps = zip(k, self.lengths("k"), strict=True)
                    places = zip(t, self.lengths("t"), strict=True)
                    self.add(
                        total,
                        self.at("kernel", (group, groups), (kept, o), (own, c), *taps),
                        self.at("result", (item, n), (group, groups), (kept, o), *places),
                    )
            pixels = zip(i, lengths, strict=True)
            b.emit(Store(*self.at("image", (item, n), (group, groups), (own, c), *pixels), total))

    @contextmanager
    def _on_steps(self, distances: list[Index]) -> Iterator[list[Index]]:
        """Open a branch for distances that are multiples of the strides; give the quotients."""
        b = self.b
        strides = [self.integer(f"s{axis}") for axis in range(3)]
        whole: Operand | None = None
        quotients = []
        for distance, stride in zip(distances, strides, strict=True):
            if stride == 1:
                quotients.append(distance)
                continue
            value, step = b.operand(distance), b.operand(stride)
            rest = b.let("mod", "int64", [value, step])
            fits = b.let("eq", "bool", [rest, Literal(0, "int64")])
            whole = fits if whole is None else b.let("and_", "bool", [whole, fits])
            quotients.append(b.let("int_div", "int64", [value, step]).index)
        if whole is None:
            yield quotients
            return
        with b.branch(whole):
            yield quotients

    def kernel_of(self) -> None:
        b, lengths = self.b, self.lengths("k")
        n, groups, c, o = map(self.integer, ("n", "groups", "c", "o"))
        outer = (("group", groups), ("filter", o))
        size = c * product(tuple(lengths))
        with self.elements(*outer, length=size) as (group, own, place):
            taps = product(tuple(lengths))
            channel, inner = unravelled(b, b.operand(place), [c, taps], "channel")
            k = unravelled(b, b.operand(inner), lengths, "k")
            total = b.declare("total", neutral_element("add", self.dtype))
            with b.loop("item", n) as item, b.nest(self.lengths("t"), kind="serial") as t:
                at = [t[a] * self.integer(f"s{a}") + self.first(a, k[a]) for a in range(3)]
                with self.within(at, self.lengths("i")):
                    image = zip(at, self.lengths("i"), strict=True)
                    places = zip(t, self.lengths("t"), strict=True)
                    self.add(
                        total,
                        self.at("image", (item, n), (group, groups), (channel, c), *image),
                        self.at("result", (item, n), (group, groups), (own, o), *places),
                    )
            b.emit(Store(*self.at("kernel", (group, groups), (own, o), (place, size)), total))


_WRITERS: Mapping[str, Callable[[_Convolution], None]] = {
    "convolution": _Convolution.result,
    "convolution_inputs": _Convolution.image,
    "convolution_weights": _Convolution.kernel_of,
}
_FLIP, _UNSHARED = 22, 23
"""The positions of the integers that tell whether filters are turned, and differ with the place."""
