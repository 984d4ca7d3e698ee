"""Arrays whose elements are not one after the other: inputs with strides, slices, transposes."""

from __future__ import annotations

import numpy as np

from benchmarks.perf.expression import Expression
from benchmarks.perf.workload import Unsupported, workload

F = "float32"


class Inputs(Expression):
    """Two matrices, of which x has the layout that the case names."""

    inputs = ("x", "y")
    variants = tuple(
        {"layout": layout, "n": n, "dtype": F}
        for layout in ("c", "fortran", "strided")
        for n in (64, 1024)
    )

    def make(self, case, rs):
        n, layout = case["n"], case["layout"]
        y = rs.randn(n, n).astype(F)
        if layout == "fortran":
            return {"x": np.asfortranarray(rs.randn(n, n).astype(F)), "y": y}
        if layout == "strided":
            return {"x": rs.randn(n, 2 * n).astype(F)[:, ::2], "y": y}
        return {"x": rs.randn(n, n).astype(F), "y": y}

    def jax(self, lib, case, data):
        if case["layout"] != "c":
            raise Unsupported("arrays are made contiguous before the call")
        return super().jax(lib, case, data)


@workload
class Elementwise(Inputs):
    """An elementwise expression of both."""

    name = "layout_elementwise"

    def functions(self, case):
        return {"exp": case["n"] ** 2}

    def expression(self, lib, case, x, y):
        return lib.m.exp(-x * x) + x * y


@workload
class RowSums(Inputs):
    """A sum along each row."""

    name = "layout_row_sums"

    def expression(self, lib, case, x, y):
        return (x * y).sum(1)


@workload
class Product(Inputs):
    """A matrix product."""

    name = "layout_product"

    def flops(self, case):
        return 2.0 * case["n"] ** 3

    def expression(self, lib, case, x, y):
        return lib.m.matmul(x, y)


class Inside(Expression):
    """One matrix; the layouts come from the expression."""

    inputs = ("x",)
    variants = tuple({"n": n, "dtype": F} for n in (64, 1024))

    def make(self, case, rs):
        return {"x": rs.randn(case["n"], case["n"]).astype(F)}


@workload
class Symmetric(Inside):
    """A matrix plus its transpose."""

    name = "layout_transpose_add"

    def expression(self, lib, case, x):
        return x + x.T


@workload
class Laplacian(Inside):
    """The stencil of five points."""

    name = "layout_laplacian"

    def expression(self, lib, case, x):
        around = x[:-2, 1:-1] + x[2:, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:]
        return around - 4 * x[1:-1, 1:-1]


@workload
class EveryOther(Inside):
    """Every other column, in a product with the columns between."""

    name = "layout_every_other"

    def expression(self, lib, case, x):
        return x[:, ::2] * x[:, 1::2]
