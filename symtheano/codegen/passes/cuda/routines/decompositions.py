"""Decompositions and systems of equations: calls of our routines of LAPACK become the libraries'.

The libraries have column-major matrices, so they see the transposed ones: the lower triangle of a
matrix is the upper one of theirs, and rows of right sides are columns. Where that is not enough,
kernels transpose. As in the host's routines, a matrix with NaN or infinities has a result of NaN,
and the first matrix without a result is told: kernels find it, and set the status of the call.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import inf, nan

from symtheano.codegen.passes.arena import KernelMemory
from symtheano.codegen.passes.context import ProgramContext
from symtheano.codegen.passes.cuda.routines.factorizations import (
    DIVERGED,
    GEEV,
    NOT_REAL,
    SOLVE,
    TRIANGULAR,
    Factorization,
    literal,
)
from symtheano.codegen.passes.cuda.routines.libraries import without_calls
from symtheano.codegen.targets import Target
from symtheano.dataclass import dataclass, replace
from symtheano.dtypes import is_complex, real_of
from symtheano.loopir import Call, Index, Literal, Program, Statement, Value
from symtheano.loopir.operands import Operand
from symtheano.loopir.view import View


def decompositions(program: Program, target: Target, context: ProgramContext) -> Program:
    """Let libraries of the device compute decompositions and solutions, where they are there."""
    writers = {name for library, name in _LIBRARIES if library in target.device.libraries}
    if not writers:
        return program
    memory = KernelMemory(program)

    def write(call: Call) -> tuple[Statement, ...]:
        return _Decomposition(call, target, context.names, memory).statements()

    program = without_calls(program, writers, context, write)
    return replace(program, arena=(*program.arena, *memory.slots)) if memory.slots else program


@dataclass(frozen=True)
class _Vectors:
    """Singular values and vectors of square matrices.

    Attributes
    ----------
    s, u, vh
        The values, and the vectors on the left and on the right.
    turn
        The determinants of all vectors of a matrix, multiplied.
    finite, info
        Flags of finite matrices, and of those without values.
    """

    s: View
    u: View
    vh: View
    turn: View
    finite: View
    info: View


class _Decomposition(Factorization):
    """Writes what one call does."""

    def statements(self) -> tuple[Statement, ...]:
        """Return the statements in place of the call."""
        _WRITERS[self.call.routine.name](self)
        return self.b.statements()

    def solved(self, a: View, right: View, k: Index, turned: bool) -> None:
        """Solve systems for the columns of right sides, which are column-major."""
        lu, pivots, singular, finite = self.factors(a)
        unread = {"info": self.info()}
        read = {"factor": lu, "order": pivots}
        self.matrices(SOLVE, right, read, unread, k=k, turned=int(turned))
        self.or_nan(finite, right, self.n * k)
        self.tell(self.batch, lambda number: self.is_set(singular, number))

    def inverse(self) -> None:
        inverse, n = self.element("inverse"), self.n
        one = literal(1.0, self.dtype)
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
            TRIANGULAR, x, {"factor": a}, {}, k=k, upper=upper, turned=int(turned), unit=int(unit)
        )
        diagonals = self.work("zeros", "int32", self.batch * n)
        with self.each("diagonal", self.batch, n) as (number, i):
            value = self.load(a, (number * n + i) * n + i)
            is_zero = self.b.cast(self.is_("eq", value, self.zero()), "int32")
            self.store(diagonals, number * n + i, Literal(0, "int32") if unit else is_zero)
        self.tell(self.batch * n, lambda place: self.is_set(diagonals, place))

    def eig(self) -> None:
        """Find eigenvalues of matrices that are not symmetric; real ones must have real values."""
        b, n, a, w = self.b, self.n, self.element("a"), self.element("w")
        real, vectors = not is_complex(self.dtype), self.integer("vectors") == 1
        parts = 2 if real else 1
        copy = self.work("columns", self.dtype, self.batch * n * n)
        values = self.work("values", self.dtype, self.batch * n * parts)
        finite, info = self.finite(a, n * n), self.info()
        with self.each("transposed", self.batch, n, n) as (number, i, j):
            value = self.load(a, (number * n + i) * n + j)
            value = self.chosen(self.is_set(finite, number), value, self.zero())
            self.store(copy, (number * n + j) * n + i, value)
        written = {"values": values, "info": info}
        if vectors:
            written["right"] = self.work("right", self.dtype, self.batch * n * n)
        self.matrices(GEEV, copy, {}, written, m=n, vectors=int(vectors))
        with self.each("values", self.batch, n) as (number, i):
            self.store(w, number * n + i, self.load(values, number * n * parts + i))
        if vectors:
            self.turn(written["right"], self.element("v"), n, n)
        others = [(DIVERGED, lambda number: self.is_unsolved(info, number))]
        if real:
            flags = self.work("not_real", "int32", self.batch)
            with self.each("not real", self.batch) as (number,):
                some = b.declare("some", Literal(0, "int32"))
                with b.loop("k", n, kind="reduce") as k:
                    part = self.load(values, number * n * parts + n + k)
                    own = b.cast(self.is_("neq", part, self.zero()), "int32")
                    b.reduce(some, "maximum", own)
                self.store(flags, number, some)
            others.append((NOT_REAL, lambda number: self.is_set(flags, number)))

        def failed(number: Index) -> Operand:
            return b.let("invert", "bool", [self.is_set(finite, number)])

        self.tell(self.batch, failed, None, others)

    def slogdet(self) -> None:
        """Compute signs and logarithms of LU factors; the transposed matrix has the same ones."""
        b, n, dtype = self.b, self.n, self.dtype
        sign, logarithm, a = map(self.element, ("sign", "logarithm", "a"))
        lu, pivots, _, finite = self.factors(a, alone=True)
        real = logarithm.buffer.dtype
        with self.each("determinant", self.batch) as (number,):
            turn = b.declare("turn", literal(1.0, dtype))
            total = b.declare("total", Literal(0.0, real))
            with b.loop("k", n, kind="reduce") as k:
                d = self.load(lu, (number * n + k) * n + k)
                kept = self.is_("eq", self.load(pivots, number * n + k), b.operand(k + 1))
                size = b.let("abs", real, [d])
                own = self._sign(d, size)
                b.reduce(turn, "mul", self.chosen(kept, own, b.let("neg", dtype, [own])))
                wide = b.let("log", "float64", [b.cast(size, "float64")])
                b.reduce(total, "add", b.cast(wide, real))
            known = self.is_set(finite, number)
            self.store(sign, number, self.chosen(known, turn, literal(nan, dtype)))
            self.store(logarithm, number, self.chosen(known, total, Literal(nan, real)))

    def _sign(self, x: Operand, size: Operand) -> Operand:
        """Return a number divided by its absolute value, or zero."""
        b = self.b
        if not is_complex(self.dtype):
            return b.let("sgn", self.dtype, [x])
        some = self.is_("neq", size, Literal(0.0, size.dtype))
        own = b.let("true_div", self.dtype, [x, b.cast(size, self.dtype)])
        return self.chosen(some, own, self.zero())

    def det(self) -> None:
        """Multiply the diagonals of LU factors, with powers of two beside the products."""
        det, a = self.element("det"), self.element("a")
        lu, pivots, _, finite = self.factors(a, alone=True)
        with self.each("determinant", self.batch) as (number,):
            value, known = self._product(lu, pivots, number), self.is_set(finite, number)
            self.store(det, number, self.chosen(known, value, literal(nan, self.dtype)))

    def _product(self, lu: View, pivots: View, number: Index) -> Operand:
        """Return the determinant of a matrix from its factors."""
        b, n, dtype = self.b, self.n, self.dtype
        product = b.declare("product", literal(1.0, dtype))
        exponent = b.declare("exponent", Literal(0, "int64"))
        with b.loop("k", n, kind="serial") as k:
            d = self.load(lu, (number * n + k) * n + k)
            kept = self.is_("eq", self.load(pivots, number * n + k), b.operand(k + 1))
            own, power = self.near_one(self.chosen(kept, d, b.let("neg", dtype, [d])))
            near, more = self.near_one(b.let("mul", dtype, [product, own]))
            b.assign(product, near)
            both = b.let("add", "int64", [power, more])
            b.assign(exponent, b.let("add", "int64", [exponent, both]))
        most, least = Literal(8000, "int64"), Literal(-8000, "int64")
        power = b.let("maximum", "int64", [b.let("minimum", "int64", [exponent, most]), least])
        return self.shifted(product, power)

    def _vectors(self) -> _Vectors:
        """Return singular values and vectors of square matrices."""
        b, n, dtype, square = self.b, self.n, self.dtype, self.batch * self.n * self.n
        s = self.work("values", real_of(dtype), self.batch * n)
        u, vh = self.work("left", dtype, square), self.work("right", dtype, square)
        finite, info = self.singular_values(s, u, vh, 1)
        turn = self.work("turn", dtype, self.batch)
        for place, vectors in enumerate((u, vh)):
            lu, pivots, _, _ = self.factors(vectors, alone=True)
            with self.each("determinant", self.batch) as (number,):
                value = self._product(lu, pivots, number)
                if place:
                    value = b.let("mul", dtype, [value, self.load(turn, number)])
                self.store(turn, number, value)
        return _Vectors(s, u, vh, turn, finite, info)

    def _others(self, s: View, number: Index, without: Sequence[Index]) -> Operand:
        """Return the product of the singular values of a matrix without some of them."""
        b, real = self.b, real_of(self.dtype)
        product = b.declare("product", Literal(1.0, real))
        with b.loop("l", self.n, kind="serial") as other:
            factor: Operand = self.load(s, number * self.n + other)
            for one in without:
                factor = self.chosen(self.is_("eq", other, one), Literal(1.0, real), factor)
            b.assign(product, b.let("mul", real, [product, factor]))
        return product

    def cofactors(self) -> None:
        """Compute cofactors from singular values: those of the diagonal, between the vectors.

        That is accurate for all matrices. The host takes the inverse where that is accurate, too.
        """
        b, n, dtype = self.b, self.n, self.dtype
        cofactors, by = self.element("cofactors"), self._vectors()
        others = self.work("others", dtype, self.batch * n)
        with self.each("others", self.batch, n) as (number, k):
            product = self._others(by.s, number, [k])
            value = b.let("mul", dtype, [b.cast(product, dtype), self.load(by.turn, number)])
            self.store(others, number * n + k, value)
        with self.each("cofactors", self.batch, n, n) as (number, i, j):
            row = (number * n + i) * n
            total = self.sum(
                n,
                lambda k: (
                    self.conjugate(self.load(by.u, row + k)),
                    b.let(
                        "mul", dtype,
                        [self.load(others, number * n + k),
                         self.conjugate(self.load(by.vh, (number * n + k) * n + j))],
                    ),
                ),
            )  # fmt: skip
            self.store(cofactors, row + j, total)
        self._tell_vectors(by, cofactors)

    def _tell_vectors(self, by: _Vectors, result: View) -> None:
        self.or_nan(by.finite, result, self.n * self.n)
        self.tell(self.batch, lambda number: self.is_unsolved(by.info, number), DIVERGED)

    def cofactors_tangent(self) -> None:
        """Compute the derivative of cofactors along a direction, between the singular vectors.

        There, the cofactors are a diagonal: what changes them is the products of all singular
        values but two, with the direction's elements.
        """
        b, n, dtype = self.b, self.n, self.dtype
        d, tangent, by = self.element("d"), self.element("tangent"), self._vectors()
        names = ("half", "inner", "others", "change")
        half, inner, others, change = (self.work(name, dtype, self.batch * n * n) for name in names)

        def place(number: Index, i: Index, j: Index) -> Index:
            return (number * n + i) * n + j

        def multiply(
            product: View,
            left: Callable[[Index, Index, Index], Operand],
            right: Callable[[Index, Index, Index], Operand],
        ) -> None:
            with self.each("product", self.batch, n, n) as (number, i, j):
                total = self.sum(n, lambda k: (left(number, i, k), right(number, k, j)))
                self.store(product, place(number, i, j), total)

        def plain(matrix: View) -> Callable[[Index, Index, Index], Operand]:
            return lambda number, i, j: self.load(matrix, place(number, i, j))

        def conjugate(matrix: View) -> Callable[[Index, Index, Index], Operand]:
            return lambda number, i, j: self.conjugate(plain(matrix)(number, i, j))

        def turned(matrix: View) -> Callable[[Index, Index, Index], Operand]:
            return lambda number, i, j: conjugate(matrix)(number, j, i)

        multiply(half, turned(by.u), plain(d))
        multiply(inner, plain(half), turned(by.vh))
        with self.each("others", self.batch, n, n) as (number, i, j):
            product = b.cast(self._others(by.s, number, [i, j]), dtype)
            value = b.let("mul", dtype, [product, self.load(by.turn, number)])
            same = self.is_("eq", i, j)
            self.store(others, place(number, i, j), self.chosen(same, self.zero(), value))
        with self.each("change", self.batch, n, n) as (number, i, j):
            total = self.sum(
                n,
                lambda k: (plain(others)(number, i, k), plain(inner)(number, k, k)),
            )
            crossed = [plain(others)(number, i, j), plain(inner)(number, j, i)]
            off = b.let("neg", dtype, [b.let("mul", dtype, crossed)])
            same = self.is_("eq", i, j)
            self.store(change, place(number, i, j), self.chosen(same, total, off))
        multiply(half, conjugate(by.u), plain(change))
        multiply(tangent, plain(half), conjugate(by.vh))
        self._tell_vectors(by, tangent)

    def near_one(self, x: Operand) -> tuple[Operand, Operand]:
        """Return a number between one and two, up to its sign, and the power of two beside it.

        Zero, and what is not finite, stay what they are. Products of many numbers would overflow.
        """
        b = self.b
        size = b.cast(b.let("abs", real_of(self.dtype), [x]), "float64")
        some = self.is_("lt", Literal(0.0, "float64"), size)
        fits = b.let("and_", "bool", [some, self.is_("lt", size, Literal(inf, "float64"))])
        size = self.chosen(fits, size, Literal(1.0, "float64"))
        power = b.cast(b.let("floor", "float64", [b.let("log2", "float64", [size])]), "int64")
        return self.shifted(x, b.let("neg", "int64", [power])), power

    def shifted(self, x: Operand, power: Operand) -> Operand:
        """Return a number times a power of two."""
        b, real = self.b, real_of(self.dtype)
        if not is_complex(self.dtype):
            return b.let("ldexp", real, [x, power])
        parts = (b.let(name, real, [x]) for name in ("real", "imag"))
        return b.let("complex", self.dtype, [b.let("ldexp", real, [p, power]) for p in parts])

    def conjugate(self, x: Operand) -> Operand:
        return self.b.let("conj", self.dtype, [x]) if is_complex(self.dtype) else x

    def pinv(self) -> None:
        """Multiply what singular values, or eigenvalues, and their vectors are made of."""
        b, m, n, hermitian = self.b, self.integer("m"), self.n, self.integer("hermitian") == 1
        inverse, few = self.element("inverse"), b.minimum(m, n, "few")
        s = self.work("values", real_of(self.dtype), self.batch * few)
        u = self.work("left", self.dtype, self.batch * m * few)
        vh = u if hermitian else self.work("right", self.dtype, self.batch * few * n)
        scaled = self.work("scaled", self.dtype, self.batch * n * few)
        finite = self.finite(self.element("a"), m * n)
        if hermitian:
            info = self.eigenvalues(s, u, lower=True)
        else:
            _, info = self.singular_values(s, u, vh, 1)
        cuts = self.cuts(s, few, self.number("rcond"))
        with self.each("scaled", self.batch, n, few) as (number, i, j):
            value, place = self.load(s, number * few + j), (number * n + i) * few + j
            if hermitian:
                vector = self.load(u, place)
            else:
                vector = self.conjugate(self.load(vh, (number * few + j) * n + i))
            self.store(scaled, place, self.divided(vector, value, cuts, number))
        with self.each("inverse", self.batch, n, m) as (number, i, j):
            left, right = (number * n + i) * few, (number * m + j) * few
            total = self.sum(
                few,
                lambda k: (self.load(scaled, left + k), self.conjugate(self.load(u, right + k))),
            )
            self.store(inverse, (number * n + i) * m + j, total)
        self.tell_svd(finite, info)

    def cuts(self, s: View, count: Index, part: Operand) -> View:
        """Return for each matrix the part of its largest value up to which values are zero."""
        b, real = self.b, real_of(self.dtype)
        cuts = self.work("cuts", real, self.batch)
        with self.each("cut", self.batch) as (number,):
            largest = b.declare("largest", Literal(0.0, real))
            with b.loop("k", count, kind="reduce") as k:
                size = b.let("abs", real, [self.load(s, number * count + k)])
                b.reduce(largest, "maximum", size)
            self.store(cuts, number, b.let("mul", real, [part, largest]))
        return cuts

    def is_large(self, value: Operand, cuts: View, number: Index) -> Operand:
        return self.is_("lt", self.load(cuts, number), self.b.let("abs", value.dtype, [value]))

    def divided(self, x: Operand, value: Operand, cuts: View, number: Index) -> Operand:
        """Return a quotient, or zero where the value is taken for zero."""
        part = self.b.let("true_div", self.dtype, [x, self.b.cast(value, self.dtype)])
        return self.chosen(self.is_large(value, cuts, number), part, self.zero())

    def sum(self, count: Index, factors: Callable[[Index], tuple[Operand, Operand]]) -> Value:
        """Return the sum of products."""
        b = self.b
        total = b.declare("total", self.zero())
        with b.loop("k", count, kind="reduce") as k:
            b.reduce(total, "add", b.let("mul", self.dtype, [*factors(k)]))
        return total

    def lstsq(self) -> None:
        """Solve with the pseudoinverse, without forming it; the rank is that of LAPACK."""
        b, m, n, k = self.b, self.integer("m"), self.n, self.integer("k")
        right, x, s, one = self.element("b"), self.element("x"), self.element("s"), Index.of(1)
        few, first = b.minimum(m, n, "few"), Index.of(0)
        u, vh = self.work("left", self.dtype, m * few), self.work("right", self.dtype, few * n)
        parts = self.work("parts", self.dtype, few * k)
        finite, info = self.singular_values(s, u, vh, 1)
        both = self.finite(right, m * k)
        with self.each("finite", one) as (number,):
            value = b.let("mul", "int32", [self.load(both, number), self.load(finite, number)])
            self.store(both, number, value)
        cuts = self.cuts(s, few, self._least_part())
        with self.each("parts", few, k) as (row, column):
            total = self.sum(
                m,
                lambda i: (
                    self.conjugate(self.load(u, i * few + row)),
                    self.load(right, i * k + column),
                ),
            )
            part = self.divided(total, self.load(s, row), cuts, first)
            self.store(parts, row * k + column, part)
        with self.each("solution", n, k) as (row, column):
            total = self.sum(
                few,
                lambda i: (
                    self.conjugate(self.load(vh, i * n + row)),
                    self.load(parts, i * k + column),
                ),
            )
            self.store(x, row * k + column, total)
        with self.each("rank", one):
            count = b.declare("count", Literal(0, "int64"))
            with b.loop("i", few, kind="reduce") as i:
                large = self.is_large(self.load(s, i), cuts, first)
                b.reduce(count, "add", b.cast(large, "int64"))
            self.store(self.element("rank"), first, count)
        self.tell_svd(both, info)

    def _least_part(self) -> Operand:
        """Return the part of the largest value up to which LAPACK takes values for zero."""
        rcond, real = self.number("rcond"), real_of(self.dtype)
        zero, one = (Literal(value, real) for value in (0.0, 1.0))
        ends = [self.is_("lt", zero, rcond), self.is_("lt", rcond, one)]
        precision = Literal(2.0**-24 if real == "float32" else 2.0**-53, real)
        return self.chosen(self.b.let("and_", "bool", ends), rcond, precision)


_WRITERS: Mapping[str, Callable[[_Decomposition], None]] = {
    "cholesky": _Decomposition.cholesky,
    "inverse": _Decomposition.inverse,
    "solve": _Decomposition.solve,
    "solve_symmetric": _Decomposition.solve_symmetric,
    "solve_triangular": _Decomposition.solve_triangular,
    "eigh": _Decomposition.eigh,
    "eig": _Decomposition.eig,
    "slogdet": _Decomposition.slogdet,
    "det": _Decomposition.det,
    "cofactors": _Decomposition.cofactors,
    "cofactors_tangent": _Decomposition.cofactors_tangent,
    "lu": _Decomposition.lu,
    "pinv": _Decomposition.pinv,
    "lstsq": _Decomposition.lstsq,
    "qr": _Decomposition.qr,
    "svd": _Decomposition.svd,
}

_OTHERS = {"solve_triangular": "cublas", "eig": "geev"}
_LIBRARIES = [(_OTHERS.get(name, "cusolver"), name) for name in _WRITERS]
"""The library, or the part of one, that each routine needs."""
