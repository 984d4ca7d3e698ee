"""Matrix products: small, batched, large, by a vector, and with bias and activation."""

from __future__ import annotations

import numpy as np

from benchmarks.perf.expression import Expression
from benchmarks.perf.workload import workload

F, D = "float32", "float64"


class Product(Expression):
    """The product of a and b."""

    inputs = ("a", "b")

    def shapes(self, case):
        return (case["n"], case["n"]), (case["n"], case["n"])

    def make(self, case, rs):
        shapes = zip(self.inputs, self.shapes(case), strict=True)
        return {name: rs.randn(*shape).astype(case["dtype"]) for name, shape in shapes}

    def flops(self, case):
        first, second = self.shapes(case)[:2]
        return 2.0 * np.prod(first) * second[-1]

    def expression(self, lib, case, a, b):
        return lib.m.matmul(a, b)


@workload
class Small(Product):
    """Square matrices for which the call takes as long as the product."""

    name = "gemm_small"
    variants = tuple({"n": n, "dtype": t} for t in (F, D) for n in (8, 16, 32, 64))


@workload
class Large(Product):
    """Square matrices for which only BLAS counts."""

    name = "gemm_large"
    variants = tuple({"n": 512, "dtype": t} for t in (F, D))


@workload
class ByVector(Product):
    """Matrix by vector."""

    name = "gemv"
    variants = ({"n": 256, "dtype": F}, {"n": 2048, "dtype": F})

    def shapes(self, case):
        return (case["n"], case["n"]), (case["n"],)

    def flops(self, case):
        return 2.0 * case["n"] ** 2

    def bytes(self, case):
        return case["n"] ** 2 * 4


@workload
class Chained(Product):
    """Small products one after the other, with tanh between them."""

    name = "gemm_small_chain"
    variants = tuple({"n": n, "dtype": F} for n in (8, 32))

    def flops(self, case):
        return 8 * super().flops(case)

    def expression(self, lib, case, a, b):
        for _ in range(8):
            a = lib.m.tanh(lib.m.matmul(a, b) * 0.1)
        return a


@workload
class Batched(Product):
    """256 products of small matrices."""

    name = "gemm_batched"
    variants = tuple({"n": n, "dtype": F} for n in (8, 32))

    def shapes(self, case):
        return ((256, case["n"], case["n"]),) * 2

    def expression(self, lib, case, a, b):
        return lib.batched_dot(a, b)


@workload
class Epilogue(Product):
    """A dense layer: product, bias, activation."""

    name = "gemm_bias_act"
    inputs = ("x", "W", "b")
    variants = tuple(
        {"m": m, "k": k, "n": n, "act": act, "dtype": F}
        for m, k, n in ((16, 64, 64), (128, 784, 512))
        for act in ("relu", "tanh")
    )

    def shapes(self, case):
        return (case["m"], case["k"]), (case["k"], case["n"]), (case["n"],)

    def make(self, case, rs):
        made = super().make(case, rs)
        made["W"] /= np.float32(np.sqrt(case["k"]))
        return made

    def expression(self, lib, case, x, W, b):
        z = lib.m.matmul(x, W) + b
        return lib.relu(z) if case["act"] == "relu" else lib.m.tanh(z)
