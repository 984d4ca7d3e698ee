"""Products: calls of BLAS become calls of the device's library, or loops for the device.

Each element of a result is a sum in the dtype of the factors, as in BLAS. The loops are those of
the definition: they keep a program on the device, and are slower than a library. They are for
devices without a library, for sums of two vectors, and for matrices whose layout no library takes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from symtheano.codegen.passes.context import ProgramContext
from symtheano.codegen.passes.cuda.routines.calls import RoutineCall, moved, replaced
from symtheano.codegen.targets import Target
from symtheano.loopir import (
    Call,
    Index,
    Kernel,
    Literal,
    Product,
    Program,
    Statement,
    Value,
)
from symtheano.loopir.operands import Operand
from symtheano.loopir.view import View


def products(program: Program, target: Target, context: ProgramContext) -> Program:
    """Let the device compute the products that are calls of BLAS."""

    def change(s: Statement) -> Sequence[Statement] | None:
        if not isinstance(s, Call) or s.routine.name not in _WRITERS or s.epilogue is not None:
            return None
        product = _Call(s, target, context.names)
        asked = product.asked() if "cublas" in target.device.libraries else None
        return product.kernels() if asked is None else [asked]

    return replaced(program, change)


class _Call(RoutineCall):
    """Writes the loops of one call."""

    def kernels(self) -> list[Kernel]:
        """Return the kernel that does what the call does; none for a call that only prepares."""
        _WRITERS[self.call.routine.name](self)
        body = self.b.statements()
        if not body:
            return []
        return [self.kernel_with(body)]

    def asked(self) -> Product | None:
        """Return the call of the device's library; None if it does not take the product."""
        name, length = self.call.routine.name, self.integer
        one, none = Index.of(1), Index.of(0)
        if name == "gemv":
            rows, columns = length("m"), length("n")
            if self.arguments["trans"]:
                rows, columns = columns, rows
            sizes: tuple[Index, ...] = (one, rows, one, columns)
            steps: tuple[Index, ...] = (none, none, none)
            turned = ("trans", "")
            distances: tuple[Index, ...] = (length("lda"), length("incx"), length("incy"))
            arrays = "axy"
        elif name in ("gemm", "batched_gemm", "packed_gemm"):
            batch = name == "batched_gemm"
            sizes = (length("count") if batch else one, *map(length, "mnk"))
            steps = tuple(length(f"{x}_step") for x in "abc") if batch else (none, none, none)
            turned, arrays = ("transa", "transb"), "abc"
            distances = tuple(length(f"ld{x}") for x in "abc")
        else:
            return None
        transa, transb = (bool(self.arguments.get(key)) for key in turned)
        _, rows, columns, terms = sizes
        widths = (rows if transa else terms, terms if transb else columns, columns)
        for distance, width in zip(distances, widths, strict=True):
            if not _is_wide(distance, width):
                return None
        places = [self.element(x, none) for x in arrays]
        alpha = self.arguments.get("alpha", Literal(1, self.dtype))
        beta = self.arguments.get("beta", Literal(0, self.dtype))
        assert isinstance(alpha, Literal | Value)
        assert isinstance(beta, Literal | Value)
        layout = tuple(
            integer
            for view, distance, step in zip(places, distances, steps, strict=True)
            for integer in (view.offset, distance, step)
        )
        a, b, c = (view.buffer for view in places)
        tf32 = self.tf32 and self.dtype == "float32"
        return Product(transa, transb, alpha, a, b, beta, c, (*sizes, *layout), tf32=tf32)

    # -- arguments -------------------------------------------------------------------------------

    def of_matrix(self, name: str, row: Index, column: Index, transposed: str = "") -> View:
        """Return an element of a matrix, which may be stored transposed."""
        if transposed and self.arguments[transposed]:
            row, column = column, row
        return self.element(name, row * self.integer(f"ld{name}") + column)

    # -- arithmetic ------------------------------------------------------------------------------

    def times(self, left: Operand, right: Operand) -> Operand:
        if isinstance(left, Literal) and left.value == 1:
            return right
        return self.b.let("mul", self.dtype, [left, right])

    def sum(self, count: Index, factors: Callable[[Index], tuple[View, View]]) -> Value:
        """Return the sum of products."""
        total = self.b.declare("dot", Literal(0, self.dtype))
        with self.b.loop("k", count, kind="reduce") as k:
            left, right = (self.b.load(view, []) for view in factors(k))
            self.b.reduce(total, "add", self.b.let("mul", self.dtype, [left, right]))
        return total

    def update(self, target: View, total: Operand) -> None:
        """Store ``alpha*total + beta*target``; a target that counts nothing is not read."""
        new, beta = self.times(self.number("alpha"), total), self.number("beta")
        if not (isinstance(beta, Literal) and beta.value == 0):
            old = self.times(beta, self.b.load(target, []))
            new = self.b.let("add", self.dtype, [new, old])
        self.b.store(target, [], new)

    # -- the products ----------------------------------------------------------------------------

    def gemm(self) -> None:
        self._matrix(Index.of(0), Index.of(0), Index.of(0))

    def batched_gemm(self) -> None:
        with self.b.loop("item", self.integer("count"), kind="independent") as item:
            self._matrix(*(item * self.integer(f"{name}_step") for name in "abc"))

    def _matrix(self, a: Index, b: Index, c: Index) -> None:
        """Write one product of matrices, which begin at these elements."""
        with self._elements() as (i, j):

            def factors(k: Index) -> tuple[View, View]:
                left = self.of_matrix("a", i, k, "transa")
                right = self.of_matrix("b", k, j, "transb")
                return moved(left, a), moved(right, b)

            total = self.sum(self.integer("k"), factors)
            self.update(moved(self.of_matrix("c", i, j), c), total)

    @contextmanager
    def _elements(self) -> Iterator[tuple[Index, Index]]:
        """Write loops over the rows and columns of the result."""
        with (
            self.b.loop("i", self.integer("m"), kind="independent") as i,
            self.b.loop("j", self.integer("n"), kind="independent") as j,
        ):
            yield i, j

    def packed_gemm(self) -> None:
        self.arguments = {
            **self.arguments,
            "alpha": Literal(1, self.dtype),
            "beta": Literal(0, self.dtype),
        }
        self.gemm()

    def pack(self) -> None:
        """Write nothing: products read the factor itself."""

    def gemv(self) -> None:
        rows, columns = self.integer("m"), self.integer("n")
        if self.arguments["trans"]:
            rows, columns = columns, rows
        with self.b.loop("i", rows, kind="independent") as i:
            total = self.sum(
                columns,
                lambda k: (
                    self.of_matrix("a", i, k, "trans"),
                    self.element("x", k * self.integer("incx")),
                ),
            )
            self.update(self.element("y", i * self.integer("incy")), total)

    def ger(self) -> None:
        with self._elements() as (i, j):
            x = self.b.load(self.element("x", i * self.integer("incx")), [])
            y = self.b.load(self.element("y", j * self.integer("incy")), [])
            product = self.b.let("mul", self.dtype, [self.times(self.number("alpha"), x), y])
            target = self.of_matrix("a", i, j)
            old = self.b.load(target, [])
            self.b.store(target, [], self.b.let("add", self.dtype, [old, product]))

    def dot(self) -> None:
        total = self.sum(
            self.integer("n"),
            lambda k: (
                self.element("x", k * self.integer("incx")),
                self.element("y", k * self.integer("incy")),
            ),
        )
        self.b.store(self.element("sum", Index.of(0)), [], total)


def _is_wide(distance: Index, width: Index) -> bool:
    """Return whether rows at a distance are known not to overlap.

    A multiple of their width is one, unless a factor is zero: then there are no rows.

    Examples
    --------
    >>> heads, width = Index.symbol("heads"), Index.symbol("width")
    >>> _is_wide(heads * width * 2, width), _is_wide(heads, width)
    (True, False)
    """
    if distance.constant is not None and width.constant is not None:
        return distance.constant >= width.constant
    if len(distance.terms) != 1 or len(width.terms) != 1:
        return distance == width
    ((names, count),), ((inner, each),) = distance.terms, width.terms
    rest = Counter(inner)
    rest.subtract(names)
    return count > 0 and count % each == 0 and max(rest.values(), default=0) <= 0


_WRITERS: Mapping[str, Callable[[_Call], None]] = {
    "gemm": _Call.gemm,
    "batched_gemm": _Call.batched_gemm,
    "pack": _Call.pack,
    "packed_gemm": _Call.packed_gemm,
    "gemv": _Call.gemv,
    "ger": _Call.ger,
    "dot": _Call.dot,
}
