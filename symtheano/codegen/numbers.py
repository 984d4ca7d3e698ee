"""Numbers of the entry point: lengths, and 0-d values in straight-line code."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence

from symtheano import dtypes
from symtheano.codegen.plan.elements import element_of
from symtheano.codegen.plan.regions import RegionPlan
from symtheano.codegen.plan.steps import is_unit
from symtheano.codegen.plan.wishes import scalar_wish
from symtheano.codegen.rows import apply_row
from symtheano.graph.variable import Apply
from symtheano.loopir import Builder, Expression, Index, LetIndex, Literal, Value, View
from symtheano.loopir.builder import convert_literal
from symtheano.loopir.operands import Operand
from symtheano.lowering import Elementwise, Length
from symtheano.scalar.row import ScalarOp
from symtheano.scalar.table import scalar_op
from symtheano.tensor.shapes.intervals import interval
from symtheano.tensor.variable import Tensor, TensorConstant

# Rows of which expressions of conditions consist, by their dtype; how deep these are at most.
_FOLDED = defaultdict(
    frozenset[str],
    bool=frozenset(("eq", "neq", "lt", "le", "gt", "ge", "and_", "or_", "invert")),
    int64=frozenset(("neg", "add", "sub", "mul", "minimum", "maximum")),
)
_DEEPEST = 3
# What division is where neither operand is negative.
_PLAIN = {"int_div": "trunc_div", "mod": "trunc_mod"}


class Numbers:
    """Generates each number once, where it is first needed.

    Parameters
    ----------
    b
        Where to write.
    plan
        The plan of the region.
    view
        Returns an array in memory as a view; every name in it is defined.
    hold
        Checks the requirements of a node before it reads anything, if not done before.

    Attributes
    ----------
    values
        The 0-d values that are written already.
    defined
        Names of lengths that are written already.
    """

    def __init__(
        self,
        b: Builder,
        plan: RegionPlan,
        view: Callable[[Tensor], View],
        hold: Callable[[Apply], None],
    ) -> None:
        self.b, self.view, self.hold = b, view, hold
        self.shapes, self.schedule, self.buffers = plan.shapes, plan.schedule, plan.memory.buffers
        self.values: dict[Tensor, Operand] = {}
        self.defined: set[str] = set()

    def define(self, name: str) -> Value:
        """Note that a length has been defined under its name, and return it."""
        value = Value(name, "int64")
        self.defined.add(name)
        self.values[self.shapes.definitions[name]] = value
        return value

    def scalars_of(self, node: Apply) -> list[Index]:
        """Return the integers of a node, defined."""
        scalars = list(self.shapes.scalars(node))
        self.need(*scalars)
        return scalars

    def need(self, *indices: Index) -> None:
        """Define every name in the indices."""
        for index in indices:
            for name in index.names():
                if name in self.defined or name not in self.shapes.definitions:
                    continue
                value = self.scalar(self.shapes.definitions[name])
                if name not in self.defined:
                    self.defined.add(name)
                    self.b.emit(LetIndex(Value(name, "int64"), self.b.as_index(value)))

    def scalar(self, variable: Tensor) -> Operand:
        """Return a 0-d value (or the only element of a constant), computing it if necessary."""
        value = self.values.get(variable)
        if value is not None:
            return value
        for node in _scalar_order(self, variable):
            if node.outputs[0] not in self.values:
                self._emit_scalar(node)
        return self._leaf(variable)

    def condition(self, variable: Tensor) -> Operand | Expression:
        """Return a value that is read once: what compares numbers gets no name."""
        return self._folded(variable, _DEEPEST) if self._folds(variable) else self.scalar(variable)

    def _folds(self, variable: Tensor) -> bool:
        """Return whether a number is computed where it is read, instead of once."""
        owner = variable.owner
        return (
            owner is not None
            and variable not in self.values
            and variable in self.schedule.entry
            and isinstance(owner.op.lowering, Elementwise)
            and owner.op.lowering.row.name in _FOLDED[variable.dtype]
            and all(dtypes.is_discrete(item.dtype) for item in owner.inputs)
            and self.shapes.symbol_of(variable) is None
        )

    def _folded(self, variable: Tensor, depth: int) -> Operand | Expression:
        node = variable.owner
        assert node is not None
        operands = [
            self._folded(item, depth - 1) if depth and self._folds(item) else self.scalar(item)
            for item in node.inputs
        ]
        row = _row_of(node)
        if _surely_holds(row.name, operands):
            return Literal(True, "bool")
        signature = row.signature(tuple(operand.dtype for operand in operands))
        converted = tuple(map(_converted, operands, signature.compute))
        return _converted(Expression(row.name, signature.result, converted), variable.dtype)

    def read_elements(self, variable: Tensor) -> None:
        """Load the elements that a 0-d value is computed from; the value itself can wait.

        A value that is computed close to where it is used is in a register.
        """
        node = variable.owner
        if node is None or not isinstance(node.op.lowering, Elementwise):
            self.scalar(variable)
            return
        for item in node.inputs:
            if self.schedule.operands.root(item) in self.buffers:
                self._leaf(item)

    def _leaf(self, variable: Tensor) -> Operand:
        if isinstance(variable, TensorConstant):
            return Literal(variable.data.reshape(-1)[0].item(), variable.dtype)
        value = self.values.get(variable)
        if value is None:
            name = f"{variable.name}_value" if variable.name else ""
            zeros = [Index.of(0)] * variable.ndim
            value = self.values[variable] = self._load(variable, zeros, name)
        return value

    def _load(self, variable: Tensor, index: Sequence[Index], name: str = "") -> Operand:
        """Load an element, after checking the requirements of the views of its array."""
        item = variable
        while item.owner is not None and self.schedule.views.is_view(item.owner):
            self.hold(item.owner)
            item = self.schedule.operands.inputs(item.owner)[0]
        view = self.view(variable)
        if not name and view.buffer.size.constant is not None:
            place = view.at(index).constant
            name = "" if place is None else f"{view.buffer.name}_{place}"
        return self.b.load(view, index, name)

    def _emit_scalar(self, node: Apply) -> None:
        (output,) = node.outputs
        self.b.origin = node.origin
        if self.schedule.views.is_view(node):
            self.hold(node)
            source = self.schedule.views.source(output).variable
            if source is not output:
                self.values[output] = self._leaf(source)
            return
        symbol = self.shapes.symbol_of(output)
        if isinstance(node.op.lowering, Length):
            length = self.shapes.length(node)
            self.need(length)
            value = self.b.operand(length)
        elif isinstance(node.op.lowering, Elementwise):
            operands = [self._leaf(item) for item in node.inputs]
            row = _row_of_number(node)
            if _surely_holds(row.name, operands):
                value = Literal(True, "bool")
            else:
                wish = scalar_wish(node, operands)
                value = apply_row(self.b, row, operands, output.dtype, wish)
            if symbol is not None and isinstance(value, Value) and value not in operands:
                value = self.b.renamed(value, symbol)
        else:
            self.hold(node)
            self.scalars_of(node)
            value = self.b.cast(element_of(self, node, [Index.of(0)] * output.ndim), output.dtype)
        self.values[output] = value
        if symbol is not None and symbol not in self.defined:
            self.defined.add(symbol)
            named = Value(symbol, "int64")
            if value == named:
                return
            self.b.emit(LetIndex(named, self.b.as_index(value)))
            self.values[output] = named

    def read_at(self, variable: Tensor, index: Sequence[Index]) -> Operand:
        """Return one element of an operand: for 0-d nodes made from elements."""
        if variable.ndim == 0:
            return self.scalar(variable)
        return self._load(variable, index)


def _row_of(node: Apply) -> ScalarOp:
    assert isinstance(node.op.lowering, Elementwise)
    return node.op.lowering.row


def _row_of_number(node: Apply) -> ScalarOp:
    """Return the row that computes a number: plain division where nothing can be negative."""
    row, output = _row_of(node), node.outputs[0]
    if row.name not in _PLAIN or output.dtype != "int64" or output.ndim:
        return row
    (dividend, _), (divisor, _) = map(interval, node.inputs)
    return scalar_op(_PLAIN[row.name]) if dividend >= 0 and divisor > 0 else row


def _converted(item: Operand | Expression, dtype: str) -> Operand | Expression:
    """Return a number in another dtype."""
    if item.dtype == dtype:
        return item
    if isinstance(item, Literal):
        return convert_literal(item, dtype)
    return Expression("cast", dtype, (item,))


def _surely_holds(row: str, operands: Sequence[Operand | Expression]) -> bool:
    """Return whether an integer is compared with itself: lengths that have the same name."""
    first, *others = operands
    same = all(other == first for other in others)
    return row in ("le", "ge", "eq") and same and dtypes.is_discrete(first.dtype)


def _scalar_order(entry: Numbers, variable: Tensor) -> list[Apply]:
    """Return the nodes of 0-d values still to be computed for ``variable``, in order."""
    order: dict[Apply, None] = {}
    is_view = entry.schedule.views.is_view

    def waits(item: Tensor) -> bool:
        owner = item.owner
        return (
            owner is not None
            and owner not in order
            and item not in entry.values
            and item not in entry.buffers
            and (item in entry.schedule.entry or is_view(owner))
        )

    stack: list[Tensor] = [variable]
    while stack:
        owner = stack[-1].owner
        if owner is None or not waits(stack[-1]):
            stack.pop()
            continue
        inputs = owner.inputs[:1] if is_view(owner) else owner.inputs
        waiting = [item for item in inputs if is_unit(item) and waits(item)]
        stack.extend(waiting)
        if not waiting:
            stack.pop()
            order[owner] = None
    return list(order)
