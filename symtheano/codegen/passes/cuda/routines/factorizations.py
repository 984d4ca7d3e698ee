"""Factors of matrices by libraries of the device, in place of our routines of LAPACK.

The libraries have column-major matrices, so they see the transposed ones: the lower triangle of a
matrix is the upper one of theirs. Where that is not enough, kernels transpose.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from math import nan

from symtheano.codegen.passes.arena import KernelMemory
from symtheano.codegen.passes.cuda.routines.calls import RoutineCall, moved
from symtheano.codegen.rows import neutral_element
from symtheano.codegen.targets import Target
from symtheano.dtypes import is_complex
from symtheano.loopir import (
    Allocate,
    Buffer,
    Call,
    If,
    Index,
    LibraryCall,
    Literal,
    Load,
)
from symtheano.loopir.builder import Names
from symtheano.loopir.operands import Address, Operand
from symtheano.loopir.view import View

CHOLESKY, LU, SOLVE, EIGEN, TRIANGULAR, QR, Q, SVD, LONG_LU, GEEV = range(10)
"""What the libraries do, as in ``driver.h``."""

FIRST = 2
"""The status that tells of the first matrix; see ``routines/lapack``."""
NOT_REAL, DIVERGED = -1, -2
_NONE = neutral_element("minimum", "int64")


def literal(value: float, dtype: str) -> Literal:
    """Return a number of a dtype, which may be complex.

    Examples
    --------
    >>> literal(1.0, "complex64").value
    (1+0j)
    """
    return Literal(complex(value) if is_complex(dtype) else value, dtype)


class Factorization(RoutineCall):
    """Writes calls that factorize, and the kernels around what a library does.

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
        self.n = self.integer("n")
        self.batch = self.integer("batch") if "batch" in self.arguments else Index.of(1)
        self.used: list[int] = []

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
        """Open a kernel with loops over some axes; give the counters.

        For a single matrix there is no loop, so that what it reduces is shared out over blocks.
        """
        b = self.b
        with b.block() as body, ExitStack() as stack:
            if lengths == (Index.of(1),):
                yield (Index.of(0),)
            else:
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
        return literal(0.0, self.dtype)

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

    def finite_or_zero(self, value: Operand, finite: View, number: Index) -> Operand:
        """Return an element, or zero in a matrix that is not finite; its results are NaN later."""
        return self.chosen(self.is_set(finite, number), value, self.zero())

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
            value, other = self.load(array, place), literal(nan, array.buffer.dtype)
            self.store(array, place, self.chosen(self.is_set(flags, number), value, other))

    def tell(
        self,
        length: Index,
        failed: Callable[[Index], Operand],
        status: int | None = None,
        others: Sequence[tuple[int, Callable[[Index], Operand]]] = (),
    ) -> None:
        """Store the first place that has failed as the status, or always the same one.

        If none has, other troubles of a place are told, the first of those given.
        """
        b, cell = self.b, self.work("status_there", "int64", Index.of(1))
        with self.each("status"):
            first = b.declare("first", _NONE)
            with b.loop("k", length, kind="reduce") as k:
                here = self.chosen(failed(k), b.operand(k + FIRST), _NONE)
                b.reduce(first, "minimum", here)
            told = first if status is None else Literal(status, "int64")
            none = self.is_("eq", first, _NONE)
            self.store(cell, Index.of(0), self.chosen(none, Literal(0, "int64"), told))
        for other, happened in others:
            with self.each("another status"):
                count = b.declare("count", Literal(0, "int64"))
                with b.loop("k", length, kind="reduce") as k:
                    b.reduce(count, "add", b.cast(happened(k), "int64"))
                before = self.load(cell, Index.of(0))
                fine = b.let("or_", "bool", [self.is_("neq", before, 0), self.is_("eq", count, 0)])
                told = self.chosen(fine, before, Literal(other, "int64"))
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
        inputs, outputs = {"input": a, **read}, {"a": a, **written}
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

    def turn(
        self, source: View, target: View, rows: Index, columns: Index, conjugated: bool = False
    ) -> None:
        """Transpose each matrix, perhaps with conjugated numbers."""
        with self.each("transposed", self.batch, rows, columns) as (number, i, j):
            value = self.load(source, (number * rows + i) * columns + j)
            if conjugated and is_complex(self.dtype):
                value = self.b.let("conj", self.dtype, [value])
            self.store(target, (number * columns + j) * rows + i, value)

    def cholesky(self) -> None:
        factor, n, info = self.element("factor"), self.n, self.info()
        lower = self.integer("lower") == 1
        self.triangle(self.element("a"), factor, lower)
        self.matrices(CHOLESKY, factor, {}, {"info": info}, upper=int(lower))
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
                    failed(number), literal(nan, self.dtype), self.load(factor, place)
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
        self.matrices(LU, lu, {}, written, alone=int(alone))
        with self.each("singular", self.batch) as (number,):
            both = b.let(
                "and_", "bool", [self.is_unsolved(info, number), self.is_set(finite, number)]
            )
            self.store(info, number, b.cast(both, "int32"))
        return lu, pivots, info, finite

    def eigh(self) -> None:
        v = self.element("v") if self.integer("vectors") == 1 else None
        info = self.eigenvalues(self.element("w"), v, self.integer("lower") == 1)
        self.tell(self.batch, lambda number: self.is_unsolved(info, number), DIVERGED)

    def eigenvalues(self, w: View, v: View | None, lower: bool) -> View:
        """Decompose symmetric matrices; return flags of those without a result."""
        n, a, info = self.n, self.element("a"), self.info()
        copy = self.work("triangles", self.dtype, self.batch * n * n)
        self.triangle(a, copy, lower)
        finite = self.finite(copy, n * n)
        with self.each("finite ones", self.batch, n * n) as (number, k):
            place = number * n * n + k
            value = self.load(copy, place)
            self.store(copy, place, self.chosen(self.is_set(finite, number), value, self.zero()))
        written = {"values": w, "info": info}
        self.matrices(EIGEN, copy, {}, written, upper=int(lower), vectors=int(v is not None))
        self.or_nan(finite, w, n)
        if v is not None:
            self.turn(copy, v, n, n, conjugated=True)
            self.or_nan(finite, v, n * n)
        return info

    def qr(self) -> None:
        m, n, width = self.integer("m"), self.n, self.integer("width")
        a, r, step = self.element("a"), self.element("r"), m * (n + width)
        work = self.work("columns", self.dtype, self.batch * step)
        reflectors = self.work("reflectors", self.dtype, self.batch * (m + n))
        finite = self.finite(a, m * n)
        with self.each("transposed", self.batch, m, n) as (number, i, j):
            value = self.finite_or_zero(self.load(a, (number * m + i) * n + j), finite, number)
            self.store(work, number * step + j * m + i, value)
        told = {"values": reflectors, "info": self.info()}
        self.matrices(QR, work, {}, told, m=m, step=step)
        with self.each("r", self.batch, width, n) as (number, i, j):
            above = self.is_("le", i, j)
            value = self.chosen(above, self.load(work, number * step + j * m + i), self.zero())
            self.store(r, (number * width + i) * n + j, value)
        self.or_nan(finite, r, width * n)
        if not isinstance(self.arguments["q"], Address):
            return
        q, read = self.element("q"), {"reflectors": reflectors}
        self.matrices(Q, work, read, {"info": self.info()}, m=m, k=width, step=step)
        with self.each("q", self.batch, m, width) as (number, i, j):
            value = self.load(work, number * step + j * m + i)
            if n.constant is None or n.constant == 0:
                ones = self.chosen(self.is_("eq", i, j), literal(1.0, self.dtype), self.zero())
                value = self.chosen(self.is_("lt", 0, n), value, ones)
            self.store(q, (number * m + i) * width + j, value)
        self.or_nan(finite, q, m * width)

    def svd(self) -> None:
        job = self.integer("job").constant
        assert job is not None
        u, vh = (self.element(name) for name in ("u", "vh")) if job else (None, None)
        finite, info = self.singular_values(self.element("s"), u, vh, job)
        if u is not None and vh is not None and job == 2:
            self._identities(u, vh)
        self.tell_svd(finite, info)

    def singular_values(
        self, s: View, u: View | None, vh: View | None, job: int
    ) -> tuple[View, View]:
        """Decompose matrices, or the transposed ones if these have more rows.

        Vectors are none, as many as there are values, or all, if the job is 2. Flags of finite
        matrices are returned, and of those without values.
        """
        b, n, a = self.b, self.n, self.element("a")
        m = self.integer("m") if "m" in self.arguments else n
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
                value = self.finite_or_zero(self.load(a, number * m * n + k), finite, number)
                self.store(copy, number * m * n + k, value)
            outputs = {"values": s, "info": info}
            if u is not None and vh is not None:
                outputs |= {"left": vh, "right": u}
            self.matrices(SVD, copy, {}, outputs, m=n, n=m, vectors=job)

        def tall() -> None:
            with self.each("transposed", self.batch, m, n) as (number, i, j):
                value = self.finite_or_zero(self.load(a, (number * m + i) * n + j), finite, number)
                self.store(copy, (number * n + j) * m + i, value)
            outputs = {"values": s, "info": info}
            if scratch is not None:
                outputs |= {"left": scratch[0], "right": scratch[1]}
            self.matrices(SVD, copy, {}, outputs, m=m, n=n, vectors=job)
            if scratch is not None and u is not None and vh is not None:
                self.turn(scratch[0], u, columns, m)
                self.turn(scratch[1], vh, n, n)

        if m == n:
            wide()
        elif m.constant is not None and n.constant is not None:
            (wide if m.constant <= n.constant else tall)()
        else:
            is_wide = self.is_("le", m, n)
            with b.block() as then:
                wide()
            with b.block() as otherwise:
                tall()
            b.emit(If(is_wide, tuple(then), tuple(otherwise)))
        return finite, info

    def _identities(self, u: View, vh: View) -> None:
        """Store the vectors of empty matrices."""
        b, m, n = self.b, self.integer("m"), self.n
        if m.constant and n.constant:
            return
        filled = b.let("and_", "bool", [self.is_("lt", 0, m), self.is_("lt", 0, n)])
        none = b.let("switch", "int64", [filled, Literal(0, "int64"), b.operand(self.batch)])
        for vectors, length in ((u, m), (vh, n)):
            with self.each("identity", b.as_index(none), length, length) as (number, i, j):
                ones = self.chosen(self.is_("eq", i, j), literal(1.0, self.dtype), self.zero())
                self.store(vectors, (number * length + i) * length + j, ones)

    def tell_svd(self, finite: View, info: View) -> None:
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

        self.tell(
            self.batch, failed, None, [(DIVERGED, lambda number: self.is_set(unsolved, number))]
        )

    def lu(self) -> None:
        """Compute triangles, and the permutation of rows that the pivots are."""
        b, m, n, a = self.b, self.integer("m"), self.n, self.element("a")
        few = b.minimum(m, n, "few")
        work = self.work("columns", self.dtype, self.batch * m * n)
        pivots, order = (
            self.work(name, "int64", self.batch * length)
            for name, length in (("pivots", few), ("order", m))
        )
        finite = self.finite(a, m * n)
        with self.each("transposed", self.batch, m, n) as (number, i, j):
            value = self.finite_or_zero(self.load(a, (number * m + i) * n + j), finite, number)
            self.store(work, (number * n + j) * m + i, value)
        written = {"pivots": pivots, "info": self.info()}
        self.matrices(LONG_LU, work, {}, written, m=m)
        self._order_rows(pivots, order, few, finite)
        self._store_triangles(work, few, finite)

    def _order_rows(self, pivots: View, order: View, few: Index, finite: View) -> None:
        """Store the permutation: that of the rows which are exchanged one after the other."""
        b, m, p = self.b, self.integer("m"), self.element("p")
        with self.each("order", self.batch) as (number,):
            with b.loop("row", m) as row:
                self.store(order, number * m + row, b.operand(row))
            # Matrices without columns have no pivots.
            count = self.chosen(self.is_("lt", 0, self.n), b.operand(few), Literal(0, "int64"))
            with b.loop("k", b.as_index(count)) as k:
                pivot = self.load(pivots, number * few + k)
                known = self.is_set(finite, number)
                other = b.as_index(self.chosen(known, pivot, b.operand(k + 1))) - 1
                kept = self.load(order, number * m + k)
                self.store(order, number * m + k, self.load(order, number * m + other))
                self.store(order, number * m + other, kept)
        with self.each("permutation", self.batch, m, m) as (number, i, j):
            goes_here = self.is_("eq", self.load(order, number * m + j), b.operand(i))
            self.store(p, (number * m + i) * m + j, b.cast(goes_here, p.buffer.dtype))

    def _store_triangles(self, work: View, few: Index, finite: View) -> None:
        """Store both triangles of columns, of which the lower one has ones on its diagonal."""
        m, n = self.integer("m"), self.n
        lower, upper = self.element("l"), self.element("u")
        with self.each("l", self.batch, m, few) as (number, i, j):
            element = self.load(work, (number * n + j) * m + i)
            value = self.chosen(self.is_("lt", j, i), element, self.zero())
            value = self.chosen(self.is_("eq", i, j), literal(1.0, self.dtype), value)
            self.store(lower, (number * m + i) * few + j, value)
        with self.each("u", self.batch, few, n) as (number, i, j):
            element = self.load(work, (number * n + j) * m + i)
            value = self.chosen(self.is_("le", i, j), element, self.zero())
            self.store(upper, (number * few + i) * n + j, value)
        self.or_nan(finite, lower, m * few)
        self.or_nan(finite, upper, few * n)
