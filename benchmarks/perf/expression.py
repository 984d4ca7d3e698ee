"""Workloads that are one expression, the same text for all libraries."""

from __future__ import annotations

from typing import ClassVar

from benchmarks.perf.adapters.numpy_lib import Adapter
from benchmarks.perf.workload import Workload


class Expression(Workload):
    """One expression of the arrays that ``inputs`` names.

    ``expression(lib, case, *arrays)`` returns an array or a list of them; ``lib`` is the adapter,
    ``lib.m`` the array module.
    """

    inputs: ClassVar[tuple[str, ...]] = ()

    def expression(self, lib, case, *arrays):
        raise NotImplementedError

    def values(self, data):
        return [data[name] for name in self.inputs]

    def ref(self, case, data):
        result = self.expression(Adapter(), case, *self.values(data))
        return result if isinstance(result, list) else [result]

    def numpy(self, lib, case, data):
        values = self.values(data)
        return lambda: self.expression(lib, case, *values)

    def sym(self, lib, case, data):
        variables = [lib.var(name, data[name]) for name in self.inputs]
        return lib.caller(variables, self.values(data), self.expression(lib, case, *variables))

    def torch(self, lib, case, data):
        values = [lib.arr(data, name) for name in self.inputs]
        f = lib.compile(lambda *arrays: self.expression(lib, case, *arrays))
        return lambda: f(*values)

    def jax(self, lib, case, data):
        values = [lib.arr(data, name) for name in self.inputs]
        return lib.caller(lambda *arrays: self.expression(lib, case, *arrays), *values)


class Gradient(Expression):
    """A scalar expression and its gradients in the first ``wrt`` inputs.

    NumPy has no gradients: ``by_hand(lib, case, *arrays)`` is value and gradients as one would
    write them, and the reference too.
    """

    wrt: ClassVar[int] = 1

    def by_hand(self, lib, case, *arrays):
        raise NotImplementedError

    def ref(self, case, data):
        return self.by_hand(Adapter(), case, *self.values(data))

    def numpy(self, lib, case, data):
        values = self.values(data)
        return lambda: self.by_hand(lib, case, *values)

    def sym(self, lib, case, data):
        variables = [lib.var(name, data[name]) for name in self.inputs]
        value = self.expression(lib, case, *variables)
        outputs = [value, *lib.grad(value, variables[: self.wrt])]
        return lib.caller(variables, self.values(data), outputs)

    def torch(self, lib, case, data):
        values = [lib.arr(data, name) for name in self.inputs]
        first, rest = values[: self.wrt], values[self.wrt :]
        return lib.value_and_grad(lambda *arrays: self.expression(lib, case, *arrays, *rest), first)

    def jax(self, lib, case, data):
        values = [lib.arr(data, name) for name in self.inputs]
        f = lib.gradients(lambda *a: self.expression(lib, case, *a), range(self.wrt))
        return lib.caller(f, *values)
