"""Naming of lengths: the expressions of a final graph become indices over named integers.

Lengths which a check makes equal are given one name, so that loops over them can be one loop.

A name may replace another length only where their equality has been checked. Checks of lengths that
are known from the inputs (*early* checks) precede all work, so equal lengths have one name
everywhere. Checks of lengths that depend on data (*late* checks) run after part of the work: equal
lengths have one name in the checked nodes and in nodes computed from their results, and values
computed before keep the lengths by which they were defined.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import cast

from symtheano.codegen.plan.equalities import Equalities
from symtheano.codegen.plan.shapes import Dims, Guard, Shapes, infers_lengths
from symtheano.graph.final import Check, FinalGraph, that_need_arrays
from symtheano.graph.variable import Apply, Constant
from symtheano.graph.walk import ancestors, replace, toposort
from symtheano.loopir import Index
from symtheano.loopir.builder import Names
from symtheano.lowering import Element, Elementwise, Length
from symtheano.scalar import table as scalar
from symtheano.tensor.variable import Dim, Tensor

_Equal = tuple[Index, Index]

# Maximum number of terms of an index; a longer sum gets a name. Otherwise, if lengths depend on
# each other, the text would grow with the square of the graph's depth.
_TERMS = 16

OuterLengths = Mapping[tuple[Tensor, int], Index]
"""Lengths of inputs that have names already, or are known."""


def shapes_of(
    final: FinalGraph,
    names: Names,
    outer: OuterLengths = MappingProxyType({}),
) -> Shapes:
    """Return the lengths, guards and integers of a final graph.

    Parameters
    ----------
    final
        The graph with its expressions.
    names
        Generates the names of integers.
    outer
        Names and numbers for lengths of inputs; others get names of their own.

    Examples
    --------
    >>> from symtheano.graph.intern import FunctionGraph
    >>> from symtheano.rewrites.engine import Rewriter
    >>> from symtheano.rewrites.final import final_graph
    >>> from symtheano.rewrites.library import default_rules
    >>> x, y = T.vectors("x", "y")
    >>> graph = FunctionGraph([x, y], [T.concatenate([x, x + y])])
    >>> shapes = shapes_of(final_graph(graph, Rewriter(default_rules())), Names())
    >>> [str(length) for length in shapes.dims(graph.outputs[0])]
    ['x_d0*2']
    """
    return _Naming(final, names, outer).shapes()


class _Naming:
    """Names what indices consist of, and finds out which names are equal where."""

    def __init__(self, final: FinalGraph, names: Names, outer: OuterLengths) -> None:
        self._final, self._names, self._outer = final, names, outer
        self._symbols: dict[Tensor, str] = {}
        self._axes: dict[tuple[Tensor, int], str] = {}
        self._indices: dict[Tensor, Index] = {}
        self._early = Equalities(self._comes_late)
        self._late: dict[Apply, list[_Equal]] = {}
        self._held: dict[Tensor, tuple[_Equal, ...]] = {}
        self._equalities: dict[tuple[_Equal, ...], Equalities] = {}
        self._told: dict[Tensor, bool] = {}
        self._own: dict[Tensor, Dims] = {}
        self._definitions: dict[str, Tensor] = {}
        self._guards: dict[Tensor, Guard] = {}
        self._conditions: dict[Apply, list[Tensor]] = {}

    def shapes(self) -> Shapes:
        """Return everything under its names."""
        final = self._final
        for check in final.checks:
            self._add(check)
        integers = {
            node: [self._index(item) for item in items] for node, items in final.integers.items()
        }
        for variable in final.lengths:
            if variable.owner is not None:
                self._own_dims(variable)
        guards = self._merged_guards()
        self._name_lengths(guards)
        for variable in final.lengths:
            self._own_dims(variable)
        canonical = self._canonical
        return Shapes(
            MappingProxyType(
                {
                    variable: tuple([canonical(index, variable.owner) for index in dims])
                    for variable, dims in self._own.items()
                }
            ),
            MappingProxyType(self._own),
            MappingProxyType(
                {
                    node: tuple([canonical(index, node) for index in indices])
                    for node, indices in integers.items()
                }
            ),
            guards,
            MappingProxyType({guard.condition: guard for guard in guards}),
            MappingProxyType({node: tuple(items) for node, items in self._conditions.items()}),
            MappingProxyType(self._definitions),
            MappingProxyType(self._symbols),
            MappingProxyType(self._axes),
        )

    # -- guards -------------------------------------------------------------------------------

    def _add(self, check: Check) -> None:
        """Add a guard, unless it follows from those before."""
        condition = check.condition
        if check.equal is not None:
            left, right = (self._early.canonical(self._index(item)) for item in check.equal)
            if left == right:
                return
            if all(self._is_told(item) for item in (condition, *check.equal, *check.values)):
                self._early.add(left, right)
            else:
                self._late.setdefault(check.node, []).append((left, right))
        self._conditions.setdefault(check.node, []).append(condition)
        if condition not in self._guards:
            guard = Guard(check.node, condition, check.values, check.requirement)
            self._guards[condition] = guard

    def _merged_guards(self) -> tuple[Guard, ...]:
        """Return the guards in canonical lengths, without duplicates.

        What computes with arrays keeps its names: under others it would be computed again.
        """
        stand_ins: dict[Tensor, Tensor] = {}
        for name, index in self._early.items():
            other = index.name
            if other is not None:
                stand_ins[self._definitions[name]] = self._definitions[other]
        guards = tuple(self._guards.values())
        if not stand_ins:
            return guards
        old = [g.condition for g in guards if g.requirement.equal is None]
        new = cast(list[Tensor], self._final.graph.interner.intern(replace(old, stand_ins)))
        # A check before a node must not be written in lengths that this node tells.
        relying: dict[Tensor, list[Apply]] = {}
        for node, conditions in self._conditions.items():
            for condition in conditions:
                relying.setdefault(condition, []).append(node)
        renamed = {
            before: before if after is not before and _depends_on(after, relying[before]) else after
            for before, after in zip(old, new, strict=True)
        }
        needs_array = that_need_arrays(old)
        kept: dict[Tensor, Guard] = {}
        for guard in guards:
            key = condition = guard.condition
            if guard.requirement.equal is None:
                key = renamed[condition]
                condition = condition if condition in needs_array else key
            kept.setdefault(key, Guard(guard.node, condition, guard.values, guard.requirement))
        for node, conditions in self._conditions.items():
            keys = [c if c in kept else renamed.get(c, c) for c in conditions]
            self._conditions[node] = [kept[key].condition for key in keys]
        return tuple(kept.values())

    def _name_lengths(self, guards: Sequence[Guard]) -> None:
        """Name the lengths of arrays that only guards read."""
        read = [item for g in guards for item in (g.condition, *g.values)]
        for node in toposort([item for item in read if not isinstance(item, int)]):
            if isinstance(node.op.lowering, Length) and node.inputs[0].owner is None:
                self._index(node.outputs[0])

    # -- what is equal where ------------------------------------------------------------------

    def _is_told(self, value: Dim) -> bool:
        """Return whether a number is known from the inputs, without computation."""
        if isinstance(value, int):
            return True
        for node in toposort([value], self._told.keys()):
            told = all(self._is_read(node, item) for item in node.inputs)
            lowering = node.op.lowering
            number = lowering.is_view or isinstance(lowering, (Elementwise, Element))
            for output in node.outputs:
                is_number = isinstance(lowering, Length) or (
                    number and getattr(output, "ndim", 1) == 0
                )
                self._told[output] = told and is_number
        return value.owner is None or self._told[value]

    def _is_read(self, node: Apply, item: Tensor) -> bool:
        """Return whether the part of an operand that a node uses is available at once."""
        if item.owner is None:
            return isinstance(node.op.lowering, Length) or item not in self._final.late.inputs
        if self._told.get(item, False):
            return True
        if isinstance(node.op.lowering, Length) and infers_lengths(item):
            names = self._own_dims(item)[node.op.lowering.axis].names()
            return all(self._told.get(self._definitions[name], False) for name in names)
        return False

    def _canonical(self, index: Index, node: Apply | None) -> Index:
        """Return an index under the names that hold when a node runs."""
        index = self._early.canonical(index)
        if not self._late or node is None or not index.terms:
            return index
        return self._equalities_at(node).canonical(index)

    def _equalities_at(self, node: Apply) -> Equalities:
        """Return the late equalities that were checked before a node runs."""
        for item in toposort(node.outputs, self._held.keys()):
            before: dict[_Equal, None] = {}
            for operand in () if isinstance(item.op.lowering, Length) else item.inputs:
                before.update(dict.fromkeys(self._held.get(operand, ())))
            before.update(dict.fromkeys(self._late.get(item, ())))
            self._held.update(dict.fromkeys(item.outputs, tuple(before)))
        held = self._held[node.outputs[0]]
        equalities = self._equalities.get(held)
        if equalities is None:
            equalities = self._equalities[held] = Equalities(self._is_late)
            for left, right in held:
                equalities.add(self._early.canonical(left), self._early.canonical(right))
        return equalities

    def _is_late(self, name: str) -> bool:
        return not self._is_told(self._definitions[name])

    def _comes_late(self, name: str) -> bool:
        """Return whether a length depends on elements of arrays, or on what is known late around.

        It may need checks before, such as that an index is in range, which are written in lengths.
        """
        definition = self._definitions[name]
        if definition in that_need_arrays([definition]):
            return True
        late = self._final.late.inputs
        return bool(late) and not late.isdisjoint(ancestors([definition]))

    # -- indices ------------------------------------------------------------------------------

    def _index(self, value: Dim) -> Index:
        """Return a 0-d int64 variable as a polynomial over named integers."""
        if isinstance(value, int):
            return Index.of(value)
        for node in toposort([value], self._indices.keys()):
            for output in node.outputs:
                self._indices[output] = self._one_index(node, output)
        return self._leaf(value)

    def _own_dims(self, variable: Tensor) -> Dims:
        """Return the lengths by which an array is defined, under their own names."""
        dims = self._own.get(variable)
        if dims is None:
            dims = self._own[variable] = tuple(map(self._index, self._final.lengths[variable]))
        return dims

    def _leaf(self, value: Tensor) -> Index:
        if isinstance(value, Constant):
            return Index.of(int(value.data))
        index = self._indices.get(value)
        return index if index is not None else self._symbol(value)

    def _one_index(self, node: Apply, output: Tensor) -> Index:
        lowering = node.op.lowering
        if isinstance(lowering, Elementwise) and output.dtype == "int64" and output.ndim == 0:
            rows = {scalar.add: Index.__add__, scalar.sub: Index.__sub__, scalar.mul: Index.__mul__}
            combine = rows.get(lowering.row)
            if combine is not None and all(i.dtype == "int64" for i in node.inputs):
                left, right = (self._leaf(item) for item in node.inputs)
                index = combine(left, right)
                return index if len(index.terms) <= _TERMS else self._symbol(output)
        if isinstance(lowering, Length):
            outer = self._outer.get((node.inputs[0], lowering.axis))
            if outer is not None:
                if outer.name is not None:
                    self._definitions.setdefault(outer.name, output)
                return outer
            if infers_lengths(node.inputs[0]):
                return self._own_dims(node.inputs[0])[lowering.axis]
        if getattr(output, "dtype", "") == "int64" and output.ndim == 0:
            return self._symbol(output)
        return Index.of(0)

    def _symbol(self, variable: Tensor) -> Index:
        name = self._symbols.get(variable)
        if name is None:
            name = self._symbols[variable] = self._names.fresh(_wish(variable))
            self._definitions[name] = variable
            owner = variable.owner
            if owner is not None and isinstance(owner.op.lowering, Length):
                self._axes[owner.inputs[0], owner.op.lowering.axis] = name
        return Index.symbol(name)


def _wish(variable: Tensor) -> str:
    owner = variable.owner
    if owner is not None and isinstance(owner.op.lowering, Length):
        return f"{owner.inputs[0].name or 'array'}_d{owner.op.lowering.axis}"
    return variable.name or "n"


def _depends_on(value: Tensor, nodes: Sequence[Apply]) -> bool:
    """Return whether a value is computed from results of some nodes."""
    return not {item for node in nodes for item in node.outputs}.isdisjoint(ancestors([value]))
