"""Decompositions and systems of equations: calls of our routines of LAPACK become the libraries'.

The libraries have column-major matrices, so they see the transposed ones: the lower triangle of a
matrix is the upper one of theirs, and rows of right sides are columns. Where that is not enough,
kernels transpose. As in the host's routines, a matrix with NaN or infinities has a result of NaN,
and the first matrix without a result is told: kernels find it, and set the status of the call.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from math import nan

from symtheano.codegen.passes.arena import KernelMemory
from symtheano.codegen.passes.context import ProgramContext
from symtheano.codegen.passes.cuda.routines.calls import RoutineCall, moved
from symtheano.codegen.passes.cuda.routines.libraries import without_calls
from symtheano.codegen.rows import neutral_element
from symtheano.codegen.targets import Target
from symtheano.dataclass import replace
from symtheano.loopir import (
    Allocate,
    Buffer,
    Call,
    If,
    Index,
    LibraryCall,
    Literal,
    Load,
    Program,
    Statement,
)
from symtheano.loopir.builder import Names
from symtheano.loopir.operands import Address, Operand
from symtheano.loopir.view import View

_CHOLESKY, _LU, _SOLVE, _EIGEN, _TRIANGULAR, _QR, _Q, _SVD = range(8)
"""What the libraries do, as in ``driver.h``."""

_FIRST = 2
"""The status that tells of the first matrix; see ``routines/lapack``."""
_DIVERGED = -2
_NONE = neutral_element("minimum", "int64")
_DTYPES = ("float32", "float64")


def decompositions(program: Program, target: Target, context: ProgramContext) -> Program:
    """Let libraries of the device compute decompositions and solutions, where they are there."""
    writers = {name for library, name in _LIBRARIES if library in target.device.libraries}
    if not writers:
        return program
    memory = KernelMemory(program)

    def write(call: Call) -> tuple[Statement, ...]:
        return _Decomposition(call, target, context.names, memory).statements()

    def takes(call: Call) -> bool:
        return call.dtype in _DTYPES

    program = without_calls(program, writers, context, write, takes)
    return replace(program, arena=(*program.arena, *memory.slots)) if memory.slots else program


class _Decomposition(RoutineCall):
    """Writes what one call does.

    Attributes
    ----------
    batch, n
        The number of matrices, and of their rows.
    used
        The parts of the workspace that the call has.
    """

    def __init__(self, call: Call, target: Target, names: Names, memory: KernelMemory) -> None:
        super().__init__(call, target, names)
        self.memory = memory
        self.batch, self.n = self.integer("batch"), self.integer("n")
        self.used: list[int] = []

    def statements(self) -> tuple[Statement, ...]:
        """Return the statements in place of the call."""
        _WRITERS[self.call.routine.name](self)
        return self.b.statements()

    # -- kernels ---------------------------------------------------------------------------------

    def work(self, wish: str, dtype: str, size: Index) -> View:
        """Return memory for the call."""
        placed = self.memory.place(Buffer(self.names.fresh(wish), dtype, "local", size), self.used)
        if isinstance(placed, Allocate):
            self.b.emit(placed)
            placed = placed.buffer
        return View(placed, (), (), Index.of(0))

    @contextmanager
    def each(self, title: str, *lengths: Index) -> Iterator[tuple[Index, ...]]:
        """Open a kernel with loops over some axes; give the counters."""
        b = self.b
        with b.block() as body, ExitStack() as stack:
            yield tuple(
                stack.enter_context(b.loop(name, length, kind="independent"))
                for name, length in zip(("number", "i", "j"), lengths, strict=False)
            )
        b.emit(self.kernel_with(body, f"{self.call.routine.name}: {title}"))

    def load(self, view: View, place: Index) -> Operand:
        return self.b.load(moved(view, place), [])

    def store(self, view: View, place: Index, value: Operand) -> None:
        self.b.store(moved(view, place), [], value)

    def is_(self, op: str, left: Operand | Index | int, right: Operand | Index | int) -> Operand:
        """Compare two numbers."""
        b = self.b
        operands = [b.operand(x) if isinstance(x, Index | int) else x for x in (left, right)]
        return b.let(op, "bool", operands)

    def chosen(self, condition: Operand, then: Operand, otherwise: Operand) -> Operand:
        return self.b.let("switch", then.dtype, [condition, then, otherwise])

    def zero(self) -> Literal:
        return Literal(0.0, self.dtype)

    def in_triangle(self, lower: bool, i: Index, j: Index) -> Operand:
        return self.is_("le", *((j, i) if lower else (i, j)))

    def finite(self, array: View, size: Index) -> View:
        """Return for each matrix of an array whether all of its elements are finite."""
        flags, b = self.work("finite", "int32", self.batch), self.b
        with self.each("finite", self.batch) as (number,):
            total = b.declare("total", self.zero())
            with b.loop("k", size, kind="reduce") as k:
                value = self.load(array, number * size + k)
                b.reduce(total, "add", b.let("mul", self.dtype, [value, self.zero()]))
            self.store(flags, number, b.cast(self.is_("eq", total, self.zero()), "int32"))
        return flags

    def is_set(self, flags: View, number: Index) -> Operand:
        return self.is_("neq", self.load(flags, number), Literal(0, "int32"))

    def is_unsolved(self, info: View, number: Index) -> Operand:
        """Return whether a matrix has no result; of empty ones, libraries say nothing."""
        filled = self.is_("lt", Literal(0, "int64"), self.n)
        return self.b.let("and_", "bool", [filled, self.is_set(info, number)])

    def or_nan(self, flags: View, array: View, size: Index) -> None:
        """Replace the results of matrices that are not finite."""
        with self.each("NaN", self.batch, size) as (number, k):
            place = number * size + k
            value, other = self.load(array, place), Literal(nan, self.dtype)
            self.store(array, place, self.chosen(self.is_set(flags, number), value, other))

    def tell(
        self,
        length: Index,
        failed: Callable[[Index], Operand],
        status: int | None = None,
        diverged: Callable[[Index], Operand] | None = None,
    ) -> None:
        """Store the first place that has failed as the status, or always the same one.

        If none has, but one has diverged, this is told.
        """
        b, cell = self.b, self.work("status_there", "int64", Index.of(1))
        with self.each("status"):
            first = b.declare("first", _NONE)
            with b.loop("k", length, kind="reduce") as k:
                here = self.chosen(failed(k), b.operand(k + _FIRST), _NONE)
                b.reduce(first, "minimum", here)
            told = first if status is None else Literal(status, "int64")
            none = self.is_("eq", first, _NONE)
            self.store(cell, Index.of(0), self.chosen(none, Literal(0, "int64"), told))
        if diverged is not None:
            with self.each("diverged"):
                count = b.declare("count", Literal(0, "int64"))
                with b.loop("k", length, kind="reduce") as k:
                    b.reduce(count, "add", b.cast(diverged(k), "int64"))
                before = self.load(cell, Index.of(0))
                fine = b.let("or_", "bool", [self.is_("neq", before, 0), self.is_("eq", count, 0)])
                told = self.chosen(fine, before, Literal(_DIVERGED, "int64"))
                self.store(cell, Index.of(0), told)
        if self.call.target is not None:
            b.emit(Load(self.call.target, cell.buffer, cell.offset))

    # -- the libraries ---------------------------------------------------------------------------

    def matrices(
        self,
        kind: int,
        a: View,
        read: Mapping[str, View],
        written: Mapping[str, View],
        **integers: Index | int,
    ) -> None:
        """Let a library change matrices."""
        numbers: dict[str, Index | int] = {"kind": kind, "batch": self.batch}
        numbers |= {"n": self.n, **integers}
        inputs, outputs = {"given": a, **read}, {"a": a, **written}
        views = (*inputs.values(), *outputs.values())
        self.b.emit(
            LibraryCall(
                "matrices", self.dtype, (*numbers, *inputs, *outputs),
                (*map(Index.of, numbers.values()), *(view.offset for view in views)),
                tuple(view.buffer for view in inputs.values()),
                tuple(view.buffer for view in outputs.values()), self.call.origin,
            )
        )  # fmt: skip

    def info(self) -> View:
        """Return memory for whether each matrix has a result."""
        return self.work("info", "int32", self.batch)

    # -- the routines ----------------------------------------------------------------------------

    def triangle(self, source: View, target: View, lower: bool) -> None:
        """Copy a triangle, with zeros beside it."""
        n = self.n
        with self.each("triangle", self.batch, n, n) as (number, i, j):
            place = (number * n + i) * n + j
            inside, value = self.in_triangle(lower, i, j), self.load(source, place)
            self.store(target, place, self.chosen(inside, value, self.zero()))

    def cholesky(self) -> None:
        factor, n, info = self.element("factor"), self.n, self.info()
        lower = self.integer("lower") == 1
        self.triangle(self.element("a"), factor, lower)
        self.matrices(_CHOLESKY, factor, {}, {"info": info}, upper=int(lower))
        if self.batch != 1:  # the other triangle of small ones is destroyed
            self.triangle(factor, factor, lower)
        finite = self.finite(factor, n * n)

        def failed(number: Index) -> Operand:
            unfinished = self.b.let("invert", "bool", [self.is_set(finite, number)])
            return self.b.let("or_", "bool", [self.is_unsolved(info, number), unfinished])

        if self.integer("nan") == 1:
            with self.each("NaN", self.batch, n * n) as (number, k):
                place = number * n * n + k
                value = self.chosen(
                    failed(number), Literal(nan, self.dtype), self.load(factor, place)
                )
                self.store(factor, place, value)
        self.tell(self.batch if self.integer("nan") != 1 else Index.of(0), failed)

    def factors(self, a: View, alone: bool = False) -> tuple[View, View, View, View]:
        """Return LU factors of matrices, pivots, flags of singular ones, and of finite ones."""
        b, n = self.b, self.n
        lu, info = self.work("lu", self.dtype, self.batch * n * n), self.info()
        pivots = self.work("pivots", "int64", self.batch * n)
        finite = self.finite(a, n * n)
        with self.each("copy", self.batch, n * n) as (number, k):
            place = number * n * n + k
            value = self.chosen(self.is_set(finite, number), self.load(a, place), self.zero())
            self.store(lu, place, value)
        written = {"pivots": pivots, "info": info}
        self.matrices(_LU, lu, {}, written, alone=int(alone))
        with self.each("singular", self.batch) as (number,):
            both = b.let(
                "and_", "bool", [self.is_unsolved(info, number), self.is_set(finite, number)]
            )
            self.store(info, number, b.cast(both, "int32"))
        return lu, pivots, info, finite

    def solved(self, a: View, right: View, k: Index, turned: bool) -> None:
        """Solve systems for the columns of right sides, which are column-major."""
        lu, pivots, singular, finite = self.factors(a)
        unread = {"info": self.info()}
        read = {"factor": lu, "order": pivots}
        self.matrices(_SOLVE, right, read, unread, k=k, turned=int(turned))
        self.or_nan(finite, right, self.n * k)
        self.tell(self.batch, lambda number: self.is_set(singular, number))

    def inverse(self) -> None:
        inverse, n = self.element("inverse"), self.n
        one = Literal(1.0, self.dtype)
        with self.each("identity", self.batch, n, n) as (number, i, j):
            value = self.chosen(self.is_("eq", i, j), one, self.zero())
            self.store(inverse, (number * n + i) * n + j, value)
        # The inverse of the transposed matrix, by columns.
        self.solved(self.element("a"), inverse, n, False)

    def solve(self) -> None:
        self._solve(self.element("a"), self.integer("transposed") != 1)

    def _solve(self, a: View, turned: bool) -> None:
        """Solve a x = b."""
        k, right, x = self.integer("k"), self.element("b"), self.element("x")
        columns = x if k == 1 else self.work("columns", self.dtype, self.batch * self.n * k)
        self.turn(right, columns, self.n, k)
        self.solved(a, columns, k, turned)
        if k != 1:
            self.turn(columns, x, k, self.n)

    def turn(self, source: View, target: View, rows: Index, columns: Index) -> None:
        """Transpose each matrix."""
        with self.each("transposed", self.batch, rows, columns) as (number, i, j):
            value = self.load(source, (number * rows + i) * columns + j)
            self.store(target, (number * columns + j) * rows + i, value)

    def solve_symmetric(self) -> None:
        """Solve with both triangles, of which one is read."""
        n, lower, a = self.n, self.integer("lower") == 1, self.element("a")
        whole = self.work("whole", self.dtype, self.batch * n * n)
        with self.each("symmetric", self.batch, n, n) as (number, i, j):
            read = self.in_triangle(lower, i, j)
            place = self.chosen(read, self.b.operand(i * n + j), self.b.operand(j * n + i))
            value = self.load(a, number * n * n + self.b.as_index(place))
            self.store(whole, (number * n + i) * n + j, value)
        self._solve(whole, True)

    def solve_triangular(self) -> None:
        """Solve for the rows of the transposed right sides, which are as they are in memory."""
        n, k, a, x = self.n, self.integer("k"), self.element("a"), self.element("x")
        right, turned = self.element("b"), self.integer("transposed") == 1
        lower, unit = self.integer("lower") == 1, self.integer("unit") == 1
        with self.each("copy", self.batch * n * k) as (place,):
            self.store(x, place, self.load(right, place))
        upper = int(lower != turned)
        self.matrices(
            _TRIANGULAR, x, {"factor": a}, {}, k=k, upper=upper, turned=int(turned), unit=int(unit)
        )
        diagonals = self.work("zeros", "int32", self.batch * n)
        with self.each("diagonal", self.batch, n) as (number, i):
            value = self.load(a, (number * n + i) * n + i)
            is_zero = self.b.cast(self.is_("eq", value, self.zero()), "int32")
            self.store(diagonals, number * n + i, Literal(0, "int32") if unit else is_zero)
        self.tell(self.batch * n, lambda place: self.is_set(diagonals, place))

    def eigh(self) -> None:
        n, lower, vectors = self.n, self.integer("lower") == 1, self.integer("vectors") == 1
        a, w, info = self.element("a"), self.element("w"), self.info()
        copy = self.work("triangles", self.dtype, self.batch * n * n)
        self.triangle(a, copy, lower)
        finite = self.finite(copy, n * n)
        with self.each("finite ones", self.batch, n * n) as (number, k):
            place = number * n * n + k
            value = self.load(copy, place)
            self.store(copy, place, self.chosen(self.is_set(finite, number), value, self.zero()))
        written = {"values": w, "info": info}
        self.matrices(_EIGEN, copy, {}, written, upper=int(lower), vectors=int(vectors))
        self.or_nan(finite, w, n)
        if vectors:
            v = self.element("v")
            self.turn(copy, v, n, n)
            self.or_nan(finite, v, n * n)
        self.tell(self.batch, lambda number: self.is_unsolved(info, number), _DIVERGED)

    def slogdet(self) -> None:
        """Compute signs and logarithms of LU factors; the transposed matrix has the same ones."""
        b, n, dtype = self.b, self.n, self.dtype
        sign, logarithm, a = map(self.element, ("sign", "logarithm", "a"))
        lu, pivots, _, finite = self.factors(a, alone=True)
        one, other = Literal(1.0, dtype), Literal(nan, dtype)
        with self.each("determinant", self.batch) as (number,):
            turn, total = b.declare("turn", one), b.declare("total", self.zero())
            with b.loop("k", n, kind="reduce") as k:
                d = self.load(lu, (number * n + k) * n + k)
                kept = self.is_("eq", self.load(pivots, number * n + k), b.operand(k + 1))
                own = b.let("sgn", dtype, [d])
                b.reduce(turn, "mul", self.chosen(kept, own, b.let("neg", dtype, [own])))
                size = b.cast(b.let("abs", dtype, [d]), "float64")
                b.reduce(total, "add", b.cast(b.let("log", "float64", [size]), dtype))
            known = self.is_set(finite, number)
            self.store(sign, number, self.chosen(known, turn, other))
            self.store(logarithm, number, self.chosen(known, total, other))

    def qr(self) -> None:
        b, m, n, width = self.b, self.integer("m"), self.n, self.integer("width")
        a, r, step = self.element("a"), self.element("r"), m * (n + width)
        work = self.work("columns", self.dtype, self.batch * step)
        reflectors = self.work("reflectors", self.dtype, self.batch * (m + n))
        finite = self.finite(a, m * n)
        with self.each("transposed", self.batch, m, n) as (number, i, j):
            value = self.load(a, (number * m + i) * n + j)
            value = self.chosen(self.is_set(finite, number), value, self.zero())
            self.store(work, number * step + j * m + i, value)
        told = {"values": reflectors, "info": self.info()}
        self.matrices(_QR, work, {}, told, m=m, step=step)
        with self.each("r", self.batch, width, n) as (number, i, j):
            above = self.is_("le", i, j)
            value = self.chosen(above, self.load(work, number * step + j * m + i), self.zero())
            self.store(r, (number * width + i) * n + j, value)
        self.or_nan(finite, r, width * n)
        if not isinstance(self.arguments["q"], Address):
            return
        q, read = self.element("q"), {"reflectors": reflectors}
        self.matrices(_Q, work, read, {"info": self.info()}, m=m, k=width, step=step)
        with self.each("q", self.batch, m, width) as (number, i, j):
            value = self.load(work, number * step + j * m + i)
            if n.constant is None or n.constant == 0:
                ones = b.cast(self.is_("eq", i, j), self.dtype)
                value = self.chosen(self.is_("lt", 0, n), value, ones)
            self.store(q, (number * m + i) * width + j, value)
        self.or_nan(finite, q, m * width)

    def svd(self) -> None:
        """Decompose matrices, or the transposed ones if these have more rows."""
        b, m, n, job = self.b, self.integer("m"), self.n, self.integer("job").constant
        assert job is not None
        a, s = self.element("a"), self.element("s")
        copy = self.work("copy", self.dtype, self.batch * m * n)
        finite, info = self.finite(a, m * n), self.info()
        columns = m if job == 2 else n
        scratch = None
        if job:
            scratch = (
                self.work("left", self.dtype, self.batch * m * columns),
                self.work("right", self.dtype, self.batch * n * n),
            )

        def wide() -> None:
            with self.each("copy", self.batch, m * n) as (number, k):
                value = self.load(a, number * m * n + k)
                value = self.chosen(self.is_set(finite, number), value, self.zero())
                self.store(copy, number * m * n + k, value)
            made = {"values": s, "info": info}
            if job:
                made |= {"left": self.element("vh"), "right": self.element("u")}
            self.matrices(_SVD, copy, {}, made, m=n, n=m, vectors=job)

        def tall() -> None:
            with self.each("transposed", self.batch, m, n) as (number, i, j):
                value = self.load(a, (number * m + i) * n + j)
                value = self.chosen(self.is_set(finite, number), value, self.zero())
                self.store(copy, (number * n + j) * m + i, value)
            made = {"values": s, "info": info}
            if scratch is not None:
                made |= {"left": scratch[0], "right": scratch[1]}
            self.matrices(_SVD, copy, {}, made, m=m, n=n, vectors=job)
            if scratch is not None:
                self.turn(scratch[0], self.element("u"), columns, m)
                self.turn(scratch[1], self.element("vh"), n, n)

        if m.constant is not None and n.constant is not None:
            (wide if m.constant <= n.constant else tall)()
        else:
            is_wide = self.is_("le", m, n)
            with b.block() as then:
                wide()
            with b.block() as otherwise:
                tall()
            b.emit(If(is_wide, tuple(then), tuple(otherwise)))
        if job == 2:
            self._identities(m, n)
        self._tell_svd(finite, info)

    def _identities(self, m: Index, n: Index) -> None:
        """Store the vectors of empty matrices."""
        b = self.b
        if m.constant and n.constant:
            return
        filled = b.let("and_", "bool", [self.is_("lt", 0, m), self.is_("lt", 0, n)])
        none = b.let("switch", "int64", [filled, Literal(0, "int64"), b.operand(self.batch)])
        for name, length in (("u", m), ("vh", n)):
            with self.each("identity", b.as_index(none), length, length) as (number, i, j):
                ones = b.cast(self.is_("eq", i, j), self.dtype)
                self.store(self.element(name), (number * length + i) * length + j, ones)

    def _tell_svd(self, finite: View, info: View) -> None:
        """Tell of the first matrix that is not finite, or else that values were not found."""
        b = self.b
        unsolved = self.work("unsolved", "int32", self.batch)
        filled = b.let(
            "and_", "bool",
            [self.is_("lt", 0, self.n), self.is_("lt", 0, self.integer("m"))],
        )  # fmt: skip
        with self.each("unsolved", self.batch) as (number,):
            wrong = b.let("and_", "bool", [filled, self.is_set(info, number)])
            self.store(unsolved, number, b.cast(wrong, "int32"))

        def failed(number: Index) -> Operand:
            return b.let("invert", "bool", [self.is_set(finite, number)])

        self.tell(self.batch, failed, None, lambda number: self.is_set(unsolved, number))


_WRITERS: Mapping[str, Callable[[_Decomposition], None]] = {
    "cholesky": _Decomposition.cholesky,
    "inverse": _Decomposition.inverse,
    "solve": _Decomposition.solve,
    "solve_symmetric": _Decomposition.solve_symmetric,
    "solve_triangular": _Decomposition.solve_triangular,
    "eigh": _Decomposition.eigh,
    "slogdet": _Decomposition.slogdet,
    "qr": _Decomposition.qr,
    "svd": _Decomposition.svd,
}

_LIBRARIES = [("cublas" if name == "solve_triangular" else "cusolver", name) for name in _WRITERS]
"""The library that each routine needs."""
