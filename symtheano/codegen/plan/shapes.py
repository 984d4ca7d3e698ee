"""Symbolic shapes of a whole graph: lengths as indices, and requirements on calls.

Dims come from the ops' ``infer_shape`` as graph expressions, are rewritten like any other and
become :class:`Index` polynomials over named int64 scalars. Lengths which a check makes equal
are given one name, so that loops over them can be one loop.

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

from symtheano.codegen.forms import axis_of_length
from symtheano.codegen.plan.asked import Answer, Asked, always, that_need_arrays
from symtheano.codegen.plan.equalities import Equalities
from symtheano.codegen.plan.fixed import fixed_lengths
from symtheano.dataclass import dataclass
from symtheano.graph.intern import FunctionGraph
from symtheano.graph.op import Requirement
from symtheano.graph.origin import origin_scope
from symtheano.graph.variable import Apply, Constant
from symtheano.graph.walk import ancestors, replace, toposort
from symtheano.loopir import Index
from symtheano.loopir.builder import Names
from symtheano.rewrites.engine import Rewriter
from symtheano.rewrites.lengths import Lengths
from symtheano.scalar import table as scalar
from symtheano.tensor.basic import as_tensor_variable
from symtheano.tensor.elemwise import DimShuffle, Elemwise
from symtheano.tensor.shapes.shape import Shape_i
from symtheano.tensor.variable import Dim, Tensor

Dims = tuple[Index, ...]
_Equal = tuple[Index, Index]

# Maximum number of terms of an index; a longer sum gets a name. Otherwise, if lengths depend on
# each other, the text would grow with the square of the graph's depth.
_TERMS = 16


@dataclass(frozen=True, eq=False)
class Guard:
    """A requirement whose condition remains after rewriting.

    Attributes
    ----------
    node
        The node it protects.
    condition
        0-d bool variable.
    values
        Integers for the message.
    requirement
        Message and kind.
    """

    node: Apply
    condition: Tensor
    values: tuple[Dim, ...]
    requirement: Requirement

    @property
    def needed(self) -> list[Tensor]:
        """The variables that are needed to check it."""
        return [self.condition, *(v for v in self.values if not isinstance(v, int))]


Given = Mapping[tuple[Tensor, int], Index]
"""Lengths of inputs that have names already, or are known."""

# The condition, the values and what is equal.
_GuardPlan = tuple[Apply, Requirement, list[Answer]]


class Shapes:
    """Lengths, guards and integers of every node of a rewritten graph.

    Parameters
    ----------
    graph
        The graph, in its final form.
    rewriter
        Rewrites the shape expressions.
    names
        Generates the names of integers.
    given
        Names and numbers for lengths of inputs; others get names of their own.
    late
        Inputs whose lengths or values are only known after some work of the region around. Other
        lengths that must be equal to theirs take their place.
    required
        What is required beside what the nodes require.

    Attributes
    ----------
    guards
        What remains to be checked in a call.
    guard_of
        The guard of each condition.
    conditions
        The conditions that a node relies on.
    definitions
        What the names of integers stand for. There are more when other lengths are asked for.
    """

    def __init__(
        self,
        graph: FunctionGraph,
        rewriter: Rewriter,
        names: Names,
        given: Given = MappingProxyType({}),
        late: frozenset[Tensor] = frozenset(),
        required: Sequence[tuple[Apply, Requirement]] = (),
    ) -> None:
        self._graph, self._names, self._given, self._late_inputs = graph, names, given, late
        self._required = required
        self._in_graph = Lengths(graph.interner)
        self._raw: dict[Tensor, tuple[Dim, ...]] = {}
        self._raw_scalars: dict[Apply, list[Dim]] = {}
        self._symbols: dict[Tensor, str] = {}
        self._lengths: dict[tuple[Tensor, int], str] = {}
        self._indices: dict[Tensor, Index] = {}
        self._early = Equalities(self._comes_late)
        self._late: dict[Apply, list[_Equal]] = {}
        self._held: dict[Tensor, tuple[_Equal, ...]] = {}
        self._equalities: dict[tuple[_Equal, ...], Equalities] = {}
        self._told: dict[Tensor, bool] = {}
        self._plain: dict[Tensor, Dims] = {}
        self._dims: dict[Tensor, Dims] = {}
        self._checked: set[Tensor] = set()
        self._definitions: dict[str, Tensor] = {}
        self._guards: list[Guard] = []
        self._conditions: dict[Apply, list[Tensor]] = {}
        self._simplify(rewriter)
        self.guards = tuple(self._guards)
        self.guard_of = MappingProxyType({guard.condition: guard for guard in self.guards})
        self.conditions = MappingProxyType(self._conditions)
        self.definitions = MappingProxyType(self._definitions)

    # -- collecting ---------------------------------------------------------------------------

    def _collect(self, nodes: Sequence[Apply]) -> list[tuple[Apply, Requirement]]:
        """Collect lengths and integers of nodes; return their requirements."""
        required = []
        for node in nodes:
            shapes = [self._raw_shape(item) for item in node.inputs]
            if not all(hasattr(item, "ndim") for item in (*node.inputs, *node.outputs)):
                continue
            self._infer(node)
            with origin_scope(node.origin):
                required += [(node, r) for r in node.op.requirements(node, shapes)]
                needed = node.op.scalars(node, shapes)
            if needed:
                self._raw_scalars[node] = [self._in_graph.interned(item) for item in needed]
        return required

    def _infer(self, node: Apply) -> None:
        self._in_graph.infer(node)
        self._raw.update((output, self._in_graph.of(output)) for output in node.outputs)

    def _raw_shape(self, variable: Tensor) -> tuple[Dim, ...]:
        shape = self._raw.get(variable)
        if shape is None:
            shape = self._in_graph.of(variable)
            if hasattr(variable, "ndim"):
                self._raw[variable] = shape
        return shape

    def _not_collected(self, expressions: Sequence[Tensor]) -> list[Apply]:
        """Return the nodes of expressions that compute with arrays and are not in the graph."""
        return [
            node
            for node in toposort(expressions, self._raw.keys())
            if node.op.form == "region"
            or (
                any(getattr(item, "ndim", 0) for item in (*node.inputs, *node.outputs))
                and node.op.form != "length"
            )
        ]

    # -- rewriting ----------------------------------------------------------------------------

    def _simplify(self, rewriter: Rewriter) -> None:
        """Normalize every length, condition and integer.

        All those of the graph come in one run. A condition may need work on arrays that the graph
        does not do, such as a part of an array: that has dims and conditions of its own.
        """
        dims: dict[Tensor, list[Answer]] = {}
        scalars: dict[Apply, list[Answer]] = {}
        guards: list[_GuardPlan] = []
        nodes: Sequence[Apply] = self._graph.nodes
        lost, more = self._graph.required, self._required
        known = self._given_numbers()
        runs: list[Asked] = []
        while nodes or lost or more:
            required = [*lost, *self._collect(nodes), *more]
            lost = more = ()
            run = Asked(rewriter, self._graph.interner)
            runs.append(run)
            ask = run.ask
            dims |= {v: [ask(d) for d in raw] for v, raw in self._raw.items()
                     if v not in dims and v.owner is not None}  # fmt: skip
            scalars |= {
                node: [ask(item) for item in self._raw_scalars[node]]
                for node in nodes
                if node in self._raw_scalars
            }
            guards += [
                (node, r, [ask(item) for item in (r.condition, *r.values, *(r.equal or ()))])
                for node, r in required
            ]
            nodes = self._not_collected(run.rewrite(known))
        self._fix_lengths(runs, guards, known)
        for node, requirement, answers in guards:
            given, *found = (answer() for answer in answers)  # a bool if it is known
            values, equal = found[: len(requirement.values)], found[len(requirement.values) :]
            self._guard(
                Guard(
                    node,
                    as_tensor_variable(given) if isinstance(given, int) else given,
                    tuple(values),
                    requirement,
                ),
                equal or None,
            )
        self._scalars = {
            node: [self._index(item()) for item in items] for node, items in scalars.items()
        }
        for variable, shape in dims.items():
            self._plain[variable] = tuple(self._index(dim()) for dim in shape)
        self._merge_guards()
        self._name_lengths()

    def _given_numbers(self) -> dict[Tensor, int]:
        """Return the lengths of inputs that are given as numbers."""
        return {
            length: number.constant
            for (variable, axis), number in self._given.items()
            if number.constant is not None
            and not isinstance(length := self._in_graph.of(variable)[axis], int)
        }

    def _fix_lengths(
        self, runs: Sequence[Asked], guards: list[_GuardPlan], known: Mapping[Tensor, int]
    ) -> None:
        """Simplify everything for lengths of inputs that early guards require to be numbers.

        The guards that say so keep their conditions.
        """
        while True:
            pairs = [[answer() for answer in answers[1 + len(r.values) :]] or None
                     for _, r, answers in guards]  # fmt: skip
            fixed, saying = fixed_lengths(pairs, self._is_own_length)
            if fixed.keys() <= known.keys():
                return
            for k in saying:
                node, r, answers = guards[k]
                guards[k] = (node, r, [always(answer()) for answer in answers])
            known = {**known, **fixed}
            for run in runs:
                run.rewrite(known)

    def _is_own_length(self, value: Tensor) -> bool:
        """Return whether a number is the length of an input that is known at once."""
        node = value.owner
        if node is None or node.op.form != "length":
            return False
        return node.inputs[0].owner is None and node.inputs[0] not in self._late_inputs

    def _merge_guards(self) -> None:
        """Express guards in canonical lengths, and remove duplicates.

        What computes with arrays keeps its names: under others it would be computed again.
        """
        stand_ins: dict[Tensor, Tensor] = {}
        for name, index in self._early.items():
            other = index.name
            if other is not None:
                stand_ins[self._definitions[name]] = self._definitions[other]
        if not stand_ins:
            return
        old = [g.condition for g in self._guards if g.requirement.equal is None]
        new = cast(list[Tensor], self._graph.interner.intern(replace(old, stand_ins)))
        renamed = dict(zip(old, new, strict=True))
        needs_array = that_need_arrays(old)
        kept: dict[Tensor, Guard] = {}
        for guard in self._guards:
            key = condition = guard.condition
            if guard.requirement.equal is None:
                key = renamed[condition]
                condition = condition if condition in needs_array else key
            kept.setdefault(key, Guard(guard.node, condition, guard.values, guard.requirement))
        self._guards = list(kept.values())
        for node, conditions in self._conditions.items():
            keys = [c if c in kept else renamed.get(c, c) for c in conditions]
            self._conditions[node] = [kept[key].condition for key in keys]

    def _name_lengths(self) -> None:
        """Name the lengths of arrays that only guards read."""
        read = [item for g in self._guards for item in (g.condition, *g.values)]
        for node in toposort([item for item in read if not isinstance(item, int)]):
            if node.op.form == "length" and node.inputs[0].owner is None:
                self._index(node.outputs[0])

    def _guard(self, guard: Guard, equal: list[Dim] | None) -> None:
        condition = guard.condition
        if isinstance(condition, Constant) and bool(condition.data):
            return
        if equal is not None:
            left, right = (self._early.canonical(self._index(item)) for item in equal)
            if left == right:
                return
            if all(self._is_told(item) for item in (condition, *equal, *guard.values)):
                self._early.add(left, right)
            else:
                self._late.setdefault(guard.node, []).append((left, right))
        self._conditions.setdefault(guard.node, []).append(condition)
        if condition in self._checked:
            return
        self._checked.add(condition)
        self._guards.append(guard)

    # -- what is equal where ------------------------------------------------------------------

    def _is_told(self, value: Dim) -> bool:
        """Return whether a number is known from the inputs, without computation."""
        if isinstance(value, int):
            return True
        for node in toposort([value], self._told.keys()):
            told = all(self._is_read(node, item) for item in node.inputs)
            numbers = node.op.form == "elemwise" or node.op.form == "element"
            view = node.op.form == "view" or node.op.axis_map(node) is not None
            for output in node.outputs:
                made = node.op.form == "length" or (
                    (numbers or view) and getattr(output, "ndim", 1) == 0
                )
                self._told[output] = told and made
        return value.owner is None or self._told[value]

    def _is_read(self, node: Apply, item: Tensor) -> bool:
        """Return whether the part of an operand that a node uses is available at once."""
        if item.owner is None:
            return node.op.form == "length" or item not in self._late_inputs
        if self._told.get(item, False):
            return True
        if node.op.form == "length" and self._is_computed(item):
            names = self._plain_dims(item)[axis_of_length(node)].names()
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
            for operand in () if item.op.form == "length" else item.inputs:
                before.update(dict.fromkeys(self._held.get(operand, ())))
            before.update(dict.fromkeys(self._late.get(item, ())))
            self._held.update(dict.fromkeys(item.outputs, tuple(before)))
        held = self._held[node.outputs[0]]
        known = self._equalities.get(held)
        if known is None:
            known = self._equalities[held] = Equalities(self._is_late)
            for left, right in held:
                known.add(self._early.canonical(left), self._early.canonical(right))
        return known

    def _is_late(self, name: str) -> bool:
        return not self._is_told(self._definitions[name])

    def _comes_late(self, name: str) -> bool:
        """Return whether a length depends on elements of arrays, or on what is known late around.

        It may need checks before, such as that an index is in range, which are written in lengths.
        """
        definition = self._definitions[name]
        if definition in that_need_arrays([definition]):
            return True
        late = self._late_inputs
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

    def _leaf(self, value: Tensor) -> Index:
        if isinstance(value, Constant):
            return Index.of(int(value.data))
        known = self._indices.get(value)
        return known if known is not None else self._symbol(value)

    def _one_index(self, node: Apply, output: Tensor) -> Index:
        op = node.op
        if isinstance(op, Elemwise) and output.dtype == "int64" and output.ndim == 0:
            rows = {scalar.add: Index.__add__, scalar.sub: Index.__sub__, scalar.mul: Index.__mul__}
            combine = rows.get(op.scalar_op)
            if combine is not None and all(i.dtype == "int64" for i in node.inputs):
                left, right = (self._leaf(item) for item in node.inputs)
                index = combine(left, right)
                return index if len(index.terms) <= _TERMS else self._symbol(output)
        if isinstance(op, Shape_i):
            given = self._given.get((node.inputs[0], op.axis))
            if given is not None:
                if given.name is not None:
                    self._definitions.setdefault(given.name, output)
                return given
            if self._is_computed(node.inputs[0]):
                return self._plain_dims(node.inputs[0])[op.axis]
        if getattr(output, "dtype", "") == "int64" and output.ndim == 0:
            return self._symbol(output)
        return Index.of(0)

    def _is_computed(self, variable: Tensor) -> bool:
        return variable.owner is not None and variable.owner.op.infers_shape

    def _symbol(self, variable: Tensor) -> Index:
        name = self._symbols.get(variable)
        if name is None:
            name = self._symbols[variable] = self._names.fresh(_wish(variable))
            self._definitions[name] = variable
            owner = variable.owner
            if owner is not None and owner.op.form == "length":
                self._lengths[owner.inputs[0], axis_of_length(owner)] = name
        return Index.symbol(name)

    # -- answers ------------------------------------------------------------------------------

    def dims(self, variable: Tensor) -> Dims:
        """Return the shape of an array of the graph."""
        if variable not in self._dims:
            plain, node = self._plain_dims(variable), variable.owner
            self._dims[variable] = tuple(self._canonical(index, node) for index in plain)
        return self._dims[variable]

    def _plain_dims(self, variable: Tensor) -> Dims:
        """Return the lengths by which an array is defined, under their own names."""
        owner = variable.owner
        if variable not in self._plain and owner is not None and _is_of_copy(owner):
            dims = self._plain_dims(owner.inputs[0])
            axes = owner.op.axis_map(owner) or range(len(dims))
            self._plain[variable] = tuple(Index.of(1) if k is None else dims[k] for k in axes)
        if variable not in self._plain:
            for node in toposort([variable], self._raw.keys()):
                for item in node.inputs:
                    self._raw_shape(item)
                self._infer(node)
            self._plain[variable] = tuple(map(self._index, self._raw_shape(variable)))
        return self._plain[variable]

    def length(self, node: Apply) -> Index:
        """Return the length that a ``Shape_i`` computes, also before any check."""
        assert node.op.form == "length"
        return self._plain_dims(node.inputs[0])[axis_of_length(node)]

    def length_names(self, node: Apply) -> list[str]:
        """Return the names of which the length that a ``Shape_i`` computes consists.

        There are none for an input, or for an array that must be computed to know its length.
        """
        return [*self.length(node).names()] if self._is_computed(node.inputs[0]) else []

    def scalars(self, node: Apply) -> list[Index]:
        """Return the integers which the code of a node asked for."""
        return [self._canonical(index, node) for index in self._scalars.get(node, [])]

    def symbol_of(self, variable: Tensor) -> str | None:
        """Return the name of a 0-d int64 variable in indices, if it has one."""
        return self._symbols.get(variable)

    def length_name(self, variable: Tensor, axis: int) -> str | None:
        """Return the name of an array's own length along an axis, if indices hold it."""
        return self._lengths.get((variable, axis))


def _is_of_copy(node: Apply) -> bool:
    """Return whether a node copies an array, or reorders the axes of a copy.

    The schedule makes these nodes after rewriting. Their lengths are those of the array.
    """
    if isinstance(node.op, Elemwise):
        return node.op.scalar_op is scalar.identity
    owner = node.inputs[0].owner if isinstance(node.op, DimShuffle) else None
    return owner is not None and _is_of_copy(owner)


def _wish(variable: Tensor) -> str:
    owner = variable.owner
    if owner is not None and owner.op.form == "length":
        return f"{owner.inputs[0].name or 'array'}_d{axis_of_length(owner)}"
    return variable.name or "n"
