"""Reading and writing at indices that are computed."""

from __future__ import annotations

import numpy as np

from benchmarks.perf.expression import Expression, Gradient
from benchmarks.perf.workload import workload

F = "float32"


@workload
class OneHot(Expression):
    """A one at the largest element of each row, zeros elsewhere."""

    name = "argmax_onehot"
    family = "indexing"
    variants = ({"m": 64, "k": 10, "dtype": F}, {"m": 4096, "k": 512, "dtype": F})
    inputs = ("x", "columns")

    def make(self, case, rs):
        return {"x": rs.randn(case["m"], case["k"]).astype(F), "columns": np.arange(case["k"])}

    def expression(self, lib, case, x, columns):
        best = lib.m.argmax(x, axis=1)
        return lib.cast(lib.equal(best[:, None], columns), F)


@workload
class Gather(Expression):
    """Rows of a table, then arithmetic on them."""

    name = "gather_rows"
    family = "indexing"
    variants = tuple({"rows": n, "k": 64, "dtype": F} for n in (100, 20_000))
    inputs = ("table", "index")

    def make(self, case, rs):
        rows = case["rows"]
        table = rs.randn(rows, case["k"]).astype(F)
        return {"table": table, "index": rs.randint(0, rows, rows)}

    def expression(self, lib, case, table, index):
        return lib.m.tanh(table[index]) * 2 + 1


class Messages(Gradient):
    """A graph of 8 edges to each node: each node gets the weighted values of its neighbours."""

    family = "indexing"
    variants = tuple({"nodes": n, "k": 32, "dtype": F} for n in (50, 5_000))
    inputs = ("x", "weights", "source", "target", "zeros")

    def make(self, case, rs):
        nodes, k = case["nodes"], case["k"]
        return {
            "x": rs.randn(nodes, k).astype(F),
            "weights": rs.rand(8 * nodes).astype(F),
            "source": rs.randint(0, nodes, 8 * nodes),
            "target": rs.randint(0, nodes, 8 * nodes),
            "zeros": np.zeros((nodes, k), F),
        }

    def received(self, lib, x, weights, source, target, zeros):
        return lib.scattered(zeros, target, x[source] * weights[:, None])


@workload
class Scatter(Messages):
    """Only the messages."""

    name = "gather_scatter"
    ref, numpy, sym = Expression.ref, Expression.numpy, Expression.sym
    torch, jax = Expression.torch, Expression.jax

    def expression(self, lib, case, *arrays):
        return self.received(lib, *arrays)


@workload
class ScatterGradient(Messages):
    """Half the sum of squares of what all nodes get, and the gradient in their values."""

    name = "gather_scatter_grad"

    def expression(self, lib, case, *arrays):
        y = self.received(lib, *arrays)
        return (y * y).sum() * 0.5

    def by_hand(self, lib, case, x, weights, source, target, zeros):
        y = self.received(lib, x, weights, source, target, zeros)
        return [(y * y).sum() * 0.5, lib.scattered(zeros, source, y[target] * weights[:, None])]
