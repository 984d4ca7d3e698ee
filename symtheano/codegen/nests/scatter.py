"""Scatters: loops over a value whose elements are stored at given indices.

The value is computed in the same loop if it is cheap, and then needs no memory. Loops over index
arrays run in order, so duplicate indices are always accumulated in the same order. A part by slices
has no duplicates, so its loops are independent.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from symtheano.codegen.nests.access import Access
from symtheano.codegen.plan.elements import label_of, own_index
from symtheano.codegen.plan.steps import VALUE
from symtheano.graph.variable import Apply
from symtheano.loopir import Index, Kernel, View
from symtheano.loopir.operands import Operand
from symtheano.lowering import PUTS, Scatter
from symtheano.tensor.variable import Tensor


class ScatterWriter(Access):
    """Writes the kernel of a scatter; its nest, the feed, computes the value."""

    def write(
        self, node: Apply, inputs: Sequence[Tensor], target: View, number: int, before: View
    ) -> Kernel:
        """Return the kernel.

        Parameters
        ----------
        node
            The op.
        inputs
            Its operands, copies included.
        target
            The array that is changed, or the part of it where the value goes.
        number
            Which input is the value.
        before
            What the op starts from, shown likewise.
        """
        lowering = node.op.lowering
        assert isinstance(lowering, PUTS)
        self.prepare()
        for item in inputs[VALUE:] if isinstance(lowering, Scatter) else [inputs[number]]:
            if self.views.source(item).variable not in self.nest.results:
                self.prepare_source(item)
        with self.b.block() as body, self.loops(self.nest.outer, "serial"):
            self.b.origin = node.origin
            rows = [self.counters[axis] for axis in self.nest.outer]
            where: list[Index] = []
            if isinstance(lowering, Scatter):  # index arrays select the destinations
                to = lowering.destination
                where = list(to(node.op, self.b, node, rows, self._reader(node), target.shape))
            with self.loops(self.nest.inner, "independent"):
                for member in self.nest.members:
                    self.compute(member)
                value = self._value(inputs[number])
                self.b.origin = node.origin
                element, old = self._element(target, where), self._element(before, where)
                lowering.put(node.op, self.b, element, [], value, old)
        origins = () if node.origin is None else (node.origin,)
        label = str(node.op).split("{")[0].lower()
        labels = [label_of(member) for member in self.nest.members]
        name = self.b.names.fresh(f"kernel_{label}")
        return Kernel(name, ", ".join([*labels, str(node.op)]), tuple(body), (), origins)

    def _value(self, item: Tensor) -> Operand:
        source = self.views.source(item).variable
        if source in self.nest.results:
            return self.values[source]
        index = [self.counters[axis] for axis in range(len(self.nest.space))]
        return self.read_at(item, own_index(item, index))

    def _element(self, target: View, where: Sequence[Index]) -> View:
        """Return the current element of the array that is changed."""
        missing = target.ndim - len(where)
        position = target.at([*where, *[Index.of(0)] * missing])
        after = len(self.nest.space) - target.ndim
        for axis in self.nest.inner:
            position = position + self.counters[axis] * target.strides[axis - after]
        return View(target.buffer, (), (), position)

    def _reader(self, node: Apply) -> Callable[[int, Sequence[Index]], Operand]:
        def read(number: int, index: Sequence[Index]) -> Operand:
            return self.read_at(node.inputs[number], list(index))

        return read
