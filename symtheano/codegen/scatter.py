"""Generates scatters: loops over a value whose elements are stored at given indices.

The value is computed in the same loop if it is cheap, and then needs no memory. Loops over index
arrays run in order on one thread, so duplicate indices are always accumulated in the same order. A
part by slices has no duplicates, so its loops may be parallel.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any

from symtheano.codegen.elements import LATER, label_of, own_index
from symtheano.codegen.kernel import KernelWriter
from symtheano.codegen.steps import VALUE
from symtheano.graph.variable import Apply
from symtheano.loopir import Index, Kernel, View
from symtheano.loopir.nodes import Operand


class ScatterWriter(KernelWriter):
    """Generates the kernel of a scatter; its nest, the feed, computes the value.

    Attributes
    ----------
    number
        Which input is the value.
    chosen
        Whether index arrays select the destinations; otherwise it is the whole target.
    """

    number: int
    chosen: bool

    def write_scatter(self, node: Apply, target: View, number: int) -> None:
        """Write the kernel.

        Parameters
        ----------
        node
            The op.
        target
            The array that is changed, or the part of it where the value goes; it holds what the
            op starts from.
        number
            Which input is the value.
        """
        self.number, self.chosen = number, hasattr(node.op, "destination")
        self._prepare()
        inputs = self.schedule.inputs(node)
        for item in inputs[VALUE:] if self.chosen else [inputs[number]]:
            source = self.schedule.source(item).variable
            if source not in self.nest.results:
                self._prepare_source(item, source)
        self.axes = self._groups_of_scatter(target)
        with self.b.block() as body:
            self._scatter_loops(node, target)
        origins = () if node.origin is None else (node.origin,)
        label = str(node.op).split("{")[0].lower()
        name = self.b.names.fresh(f"kernel_{label}")
        made = [label_of(member) for member in self.nest.members]
        self.b.emit(Kernel(name, ", ".join([*made, str(node.op)]), tuple(body), (), origins))

    def _groups_of_scatter(self, target: View) -> list[tuple[int, ...]]:
        """Return the axes of each loop: inner ones may be one, if the value has no index."""
        if not self.nest.members or not target.is_contiguous():
            return [(axis,) for axis in range(len(self.nest.space))]
        outer = len(self.nest.outer)
        return [*((axis,) for axis in range(outer)), *(g for g in self.axes if g[0] >= outer)]

    def _scatter_loops(self, node: Apply, target: View) -> None:
        op: Any = node.op
        outer, inner = self.nest.outer, self.nest.inner

        def destination(*index: Index) -> list[Index]:
            if not self.chosen:
                return []
            found = op.destination(self.b, node, index, self._reader(node), target.shape)
            return list(found)

        with ExitStack() as stack:
            for group in self._groups(outer):
                stack.enter_context(self._loop(group))
            stack.enter_context(self._scope())
            rows = [self._counter(axis) for axis in outer]
            where = destination(*rows)
            self._outer_members(0)
            self._load_invariant(set(inner))
            if not self.nest.members:
                self._keep_invariant(lambda: self._value(node, [*rows, *[LATER] * len(inner)]))
            if len(outer) == 1 and inner:
                self._ask_for_rows(lambda row: [(target, destination(row), True)])
            groups = self._groups(inner)
            for number, group in enumerate(groups):
                apart = not self.chosen and number == 0
                kinds = ["parallel"] * apart + ["simd"] * (number == len(groups) - 1)
                work = {"work": self._work()} if apart else {}
                stack.enter_context(self._loop(group, kind=" ".join(kinds) or "serial", **work))
            for member in self.nest.members:
                if self.plan.is_inner(member):
                    self._compute(member)
            value = self._value(node, [self._counter(axis) for axis in range(len(self.nest.space))])
            self.b.origin = node.origin
            op.put(self.b, self._element_of(target, where), [], value)

    def _value(self, node: Apply, index: Sequence[Index]) -> Operand:
        item = self.schedule.inputs(node)[self.number]
        source = self.schedule.source(item).variable
        if source in self.nest.results:
            return self.values[source]
        return self.read_at(item, own_index(item, index))

    def _element_of(self, target: View, where: Sequence[Index]) -> View:
        """Return the current element of the array that is changed."""
        missing = target.ndim - len(where)
        position = target.at([*where, *[Index.of(0)] * missing])
        after = len(self.nest.space) - target.ndim
        for group in self._groups(self.nest.inner):
            stride = target.strides[self.axes[group][-1] - after]
            position = position + self.counters[group] * stride
        return View(target.buffer, (), (), position)
