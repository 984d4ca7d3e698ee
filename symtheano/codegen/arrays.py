"""Where the arrays of a region are: views of buffers, tables, and scalars that stand for arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from symtheano.codegen.plan.steps import is_unit
from symtheano.graph.variable import Constant, Variable
from symtheano.loopir import Buffer, Choose, Index, View

if TYPE_CHECKING:
    from symtheano.codegen.region import Region


class Arrays:
    """The arrays of a region as views.

    Parameters
    ----------
    region
        The region.
    """

    def __init__(self, region: Region) -> None:
        self.region, self.b = region, region.b
        self._views: dict[Variable, View] = {}
        self._chosen: dict[Variable, Buffer] = {}

    def view(self, variable: Any) -> View:
        """Return an array in memory as a view; the names in it may not be defined yet."""
        chain = [variable]
        while True:
            base = self.region.schedule.source(chain[-1]).variable
            if base.owner is None or base.owner.op.form != "view":
                break
            chain.append(self.region.schedule.inputs(base.owner)[0])
        below: View | None = None
        for item in reversed(chain):
            base = self.region.schedule.source(item).variable
            if below is None:
                base_view = self._base(base)
            else:
                base_view = self._view_of(base, below)
            below = self.region.schedule.over(item, base_view)
        assert below is not None
        return below

    def _view_of(self, variable: Any, operand: View) -> View:
        """Return the view that a node makes of an operand, or of the array shown instead."""
        node = variable.owner
        view = self.region.schedule.view_of(node, operand)
        if node.op.alternative is None:
            return view
        known = self._chosen.get(variable)
        if known is None:
            other = self.region.view(node.inputs[node.op.alternative])
            (shown,) = self.region.scalars_of(node)
            first = self.b.let("neq", "bool", [self.b.operand(shown), self.b.operand(0)])
            name = self.b.names.fresh(operand.buffer.name)
            known = Buffer(name, variable.dtype, "chosen", view.size)
            self.region.need(operand.offset)
            self.b.emit(Choose(known, first, operand.address, other.address))
            self._chosen[variable] = known
        return View(known, view.shape, view.strides, view.offset)

    def _base(self, variable: Any) -> View:
        if isinstance(variable, Constant):
            return self._register(variable) if is_unit(variable) else self._constant(variable)
        buffer = self.region.memory.buffers.get(variable)
        if buffer is None:
            return self._register(variable)
        return View.contiguous(buffer, self.region.schedule.dims(variable))

    def _constant(self, variable: Any) -> View:
        known = self._views.get(variable)
        if known is None:
            data = variable.data
            name = self.b.names.fresh(variable.name or "table")
            buffer = Buffer(name, variable.dtype, "constant", Index.of(data.size))
            self.region.frame.constants.append((buffer, data.reshape(-1).tolist()))
            dims = tuple(Index.of(int(dim)) for dim in data.shape)
            known = self._views[variable] = View.contiguous(buffer, dims)
        return known

    def _register(self, variable: Any) -> View:
        """Provide a 0-d value to whole-array code as an array of one element."""
        known = self._views.get(variable)
        if known is None:
            value = self.region.scalar(variable)
            name = self.b.names.fresh(variable.name or "cell")
            buffer = Buffer(name, variable.dtype, "stack", Index.of(1))
            known = View.contiguous(buffer, (Index.of(1),) * variable.ndim)
            self._views[variable] = known
            self.b.registers[name] = value
        return known
