"""Loops: what does not depend on earlier iterations is computed before or after the loop.

A product of a row with a matrix, for all iterations, is one product of matrices; so is the sum of
the products that iterations add up.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import cast

from symtheano.dataclass import dataclass, field
from symtheano.dtypes import is_continuous
from symtheano.graph.variable import Apply, Constant, Variable
from symtheano.graph.walk import ancestors, replace, toposort
from symtheano.loops.parts import History, Other, Parts, Rows, State
from symtheano.lowering import Python
from symtheano.rewrites.match import computed_by, inputs_of
from symtheano.rewrites.rule import OfStep, graph_rule
from symtheano.rewrites.scans import scans, used_of
from symtheano.scalar import table as scalar
from symtheano.tensor.creation.filled import Alloc, alloc_op
from symtheano.tensor.creation.ranges import arange
from symtheano.tensor.elemwise import DimShuffle, Elemwise
from symtheano.tensor.indexing.slices import IncSubtensor, Subtensor
from symtheano.tensor.linalg.dot import BatchedDot, Dot, dot_op
from symtheano.tensor.reductions.reduce import CAReduce
from symtheano.tensor.shapes.inferred import has_known_lengths
from symtheano.tensor.shapes.join import Join
from symtheano.tensor.shapes.reshape import Reshape, reshape_op
from symtheano.tensor.shapes.shape import MakeVector, Shape_i, as_dims, shape_of
from symtheano.tensor.shapes.static_shape import specify_shape
from symtheano.tensor.type import TensorType
from symtheano.tensor.variable import Tensor
from symtheano.tensor.vectorize import vectorize_graph

_PRODUCTS = (Dot, BatchedDot)
_VIEWS = (DimShuffle, Subtensor, Alloc, Shape_i, MakeVector)
_COSTLY = 8
"""A function of scalars of this cost is computed several at a time before the loop."""


_TOTAL = (Elemwise, CAReduce, Dot, BatchedDot, DimShuffle, Alloc)
"""Operations that succeed if the lengths of their operands are right."""


# -- what is the same in all iterations ------------------------------------------------------------


@graph_rule("loops", numerics="exact")
def invariants_before_loops(
    nodes: Sequence[Apply], outputs: Collection[Variable], of_step: OfStep
) -> Mapping[Variable, Variable]:
    """What is the same in all iterations is computed once, before the loop.

    Unless there may be no iteration, and the operation may fail.
    """
    replacements: dict[Variable, Variable] = {}
    used = used_of(nodes, outputs)
    for node in scans(nodes):
        parts = Parts.of(node, used)
        values = {other.variable: other.value for other in parts.others}
        new: dict[Tensor, Tensor] = {}
        for invariant in _invariants(parts):
            (value,) = replace([invariant], values)
            variable = invariant.type()
            parts.others.append(Other(variable, value))  # type: ignore[arg-type]
            new[invariant] = variable
        if new:
            parts.substitute(new)
            replacements.update(parts.replacements())
    return replacements


def _invariants(parts: Parts) -> list[Tensor]:
    """Return what is worth computing before the loop."""
    varying = parts.changing()
    runs = isinstance(parts.steps, Constant) and parts.steps.data > 0
    movable: set[Variable] = set()
    waiting: list[Variable] = [*parts.results]
    for node in toposort(parts.results):
        if not varying.isdisjoint(node.inputs):
            varying.update(node.outputs)
            waiting += node.inputs
        elif all(item.owner is None or item in movable for item in node.inputs) and (
            (runs or is_batched(node))
            and not isinstance(node.op.lowering, Python)
            and has_known_lengths(node)
        ):
            movable.update(node.outputs)
    invariants: dict[Tensor, None] = {}
    while waiting:
        item = cast("Tensor", waiting.pop())
        if item in varying or item.owner is None or not hasattr(item, "ndim"):
            continue
        is_length = item.ndim == 0 and not is_continuous(item.dtype)
        if item not in movable or isinstance(item.owner.op, _VIEWS) or is_length:
            waiting += item.owner.inputs
        else:
            invariants[item] = None
    return list(invariants)


# -- what depends on rows alone --------------------------------------------------------------------


@graph_rule("loops", numerics="reassociates")
def rows_before_loops(
    nodes: Sequence[Apply], outputs: Collection[Variable], of_step: OfStep
) -> Mapping[Variable, Variable]:
    """Products that depend on no earlier iteration are computed for all of them, as one product.

    So are costly functions of scalars, several at a time; and whole results of this kind.
    """
    replacements: dict[Variable, Variable] = {}
    used = used_of(nodes, outputs)
    for node in scans(nodes):
        parts = Parts.of(node, used)
        if not _may_store(parts):
            continue
        free = free_of_earlier(parts)
        everything = Everything(parts)
        alone = [item for item in parts.histories if not item.taps and item.result in free]
        for history in alone:
            if history.output is not None:
                replacements[history.output] = everything.of(history.result, history.output)
            parts.histories.remove(history)
        new: dict[Tensor, Tensor] = {}
        for item in _worthwhile(parts, free):
            rows = Rows(item.type(), everything.of(item))
            parts.sequences.append(rows)
            new[item] = rows.row
        if new or alone:
            parts.substitute(new)
            if parts.histories or parts.states:
                replacements.update(parts.replacements())
    return replacements


def _may_store(parts: Parts) -> bool:
    """Return whether values of all iterations may be computed before or after the loop."""
    return parts.until is None and parts.node.op.stores  # type: ignore[attr-defined]


def free_of_earlier(parts: Parts, variables: Collection[Tensor] = ()) -> set[Variable]:
    """Return rows, the iteration's number, and what depends on them and on nothing earlier.

    And on given variables, which count as rows.
    """
    rows: set[Variable] = {parts.step, *variables, *(item.row for item in parts.sequences)}
    bound = parts.carried()
    for node in toposort(parts.results, variables):
        if not bound.isdisjoint(node.inputs) or not is_batched(node):
            bound.update(node.outputs)
        elif not rows.isdisjoint(node.inputs):
            rows.update(node.outputs)
    return rows


def is_batched(node: Apply) -> bool:
    """Return whether an operation on all rows is as good as one on each, and fails as rarely."""
    if isinstance(node.op, Subtensor | IncSubtensor):
        indices = node.inputs[1 + isinstance(node.op, IncSubtensor) :]
        return all(isinstance(item, Constant) for item in indices)
    return isinstance(node.op, (*_TOTAL, Shape_i, MakeVector, Join, Reshape))


def _worthwhile(parts: Parts, free: set[Variable]) -> list[Tensor]:
    """Return what the rest of the step reads and is computed by products or costly functions."""
    costly: set[Variable] = set()
    read: list[Variable] = [*parts.results]
    for node in toposort(parts.results):
        if not free.issuperset(node.outputs):
            read += node.inputs
        elif is_costly(node) or not costly.isdisjoint(node.inputs):
            costly.update(node.outputs)
    return [cast("Tensor", item) for item in dict.fromkeys(read) if item in costly]


def is_costly(node: Apply) -> bool:
    """Return whether an operation is better computed for all rows than for one after another."""
    if isinstance(node.op, Elemwise):
        (output,) = node.outputs
        is_number = output.ndim == 0 and is_continuous(output.dtype)
        return is_number and node.op.scalar_op.cost >= _COSTLY
    return isinstance(node.op, _PRODUCTS)


@dataclass(eq=False)
class Everything:
    """Values of all iterations, as expressions outside of the loop.

    Attributes
    ----------
    parts
        The loop.
    stored
        What it stores, with all of its rows.
    """

    parts: Parts
    stored: dict[Tensor, Tensor] = field(default_factory=dict)

    def of(self, value: Tensor, like: Tensor | None = None) -> Tensor:
        """Return the array of a value in all iterations, of the lengths that are known of it."""
        parts = self.parts
        count = parts.iterations()
        rows = {item.row: item.array[:count] for item in parts.sequences}
        rows = {parts.step: arange(count), **rows, **self.stored}
        values = {other.variable: other.value for other in parts.others}
        vectorized = vectorize_graph(value, rows)
        if vectorized.ndim == value.ndim:  # only lengths of rows are read
            vectorized = alloc_op(vectorized, *as_dims((count, *shape_of(vectorized))))
        (whole,) = cast("list[Tensor]", replace([vectorized], values))
        if like is not None and not like.type.accepts(whole.type):
            whole = specify_shape(whole, like.type.shape)
        return whole


# -- what is only needed after the loop ------------------------------------------------------------


@graph_rule("loops", numerics="reassociates")
def products_after_loops(
    nodes: Sequence[Apply], outputs: Collection[Variable], of_step: OfStep
) -> Mapping[Variable, Variable]:
    """Products that no iteration reads again are computed after the loop, for all iterations.

    Those that are returned for each iteration are one product of matrices, and so are those that
    are summed up, such as gradients of weights. The loop stores what they are computed from.
    """
    replacements: dict[Variable, Variable] = {}
    used = used_of(nodes, outputs)
    for node in scans(nodes):
        parts = Parts.of(node, used)
        if _may_store(parts):
            after = _After(parts)
            after.move_sums()
            after.move_histories()
            if after.replacements:
                new_outputs = parts.replacements()
                replacements.update(
                    zip(after.replacements, replace(after.values(), new_outputs), strict=True)
                )
                placeholders = set(after.placeholders)
                replacements.update((k, v) for k, v in new_outputs.items() if k not in placeholders)
    return replacements


class _After:
    """What is moved behind a loop.

    Parameters
    ----------
    parts
        The loop, which is changed.

    Attributes
    ----------
    replacements
        What replaces outputs of the loop, written with the histories of the new loop.
    placeholders
        Variables for the new histories.
    """

    def __init__(self, parts: Parts) -> None:
        self.parts = parts
        self.replacements: dict[Tensor, Tensor] = {}
        self.placeholders: list[Tensor] = []
        self.everything = Everything(parts)
        self.bound = parts.carried()
        for node in toposort(parts.results):
            if not self.bound.isdisjoint(node.inputs) or not is_batched(node):
                self.bound.update(node.outputs)
        for history in parts.histories:
            self._note(history)

    def values(self) -> list[Tensor]:
        """Return what is in ``replacements``, none of it written with another output in it."""
        values = list(self.replacements.values())
        for _ in self.replacements:
            now = replace(values, dict(zip(self.replacements, values, strict=True)))
            values = cast("list[Tensor]", now)
            if self.replacements.keys().isdisjoint(ancestors(values)):
                break
        return values

    def _note(self, history: History) -> None:
        """Note that the rows of a result are stored."""
        before, output = -min(history.taps, default=0), history.output
        if output is None:
            kind = history.result.type
            output = history.output = TensorType(kind.dtype, (None, *kind.shape))()
            self.placeholders.append(output)
        count = self.parts.iterations()
        stop = before + count if before else count
        self.everything.stored.setdefault(history.result, output[before:stop])

    def _store(self, value: Tensor) -> None:
        """Let the loop store a value."""
        if value in self.bound and value not in self.everything.stored:
            history = History({}, None, value)
            self.parts.histories.append(history)
            self._note(history)

    def _is_there(self, value: Tensor, more: Collection[Tensor] = ()) -> bool:
        """Return whether a value can be computed after the loop from what it stores, and more."""
        stored = {*self.everything.stored, *more}
        free = {v for v in self.bound if v.owner is None} - stored
        nodes = toposort([value], stored)
        leaves = {item for node in nodes for item in node.inputs} | {value}
        return leaves.isdisjoint(free) and all(map(is_batched, nodes))

    # -- sums ------------------------------------------------------------------------------------

    def move_sums(self) -> None:
        """Move sums of products, and of what is stored for them."""
        moved = True
        while moved:
            moved = False
            for state in [*self.parts.states]:
                moved |= self._move_sum(state)

    def _move_sum(self, state: State) -> bool:
        terms = _terms(state)
        if terms is None or state.result.dtype == "bool" or self._is_read(state, terms):
            return False
        totals: list[Tensor] = []
        rest: list[Tensor] = []
        for term in terms:
            total = self._total(term)
            (rest if total is None else totals).append(term if total is None else total)
        if not totals:
            return False
        parts = self.parts
        if rest:
            state.result = _sum([state.variable, *rest])
            for part, key in state.outputs.items():
                last = state.variable.type()
                total = _sum([last, *totals])
                self._put(part, total[key] if key else total)
                self.placeholders.append(last)
                state.outputs = {last: ()}
        else:
            parts.states.remove(state)
            for part, key in state.outputs.items():
                total = _sum([state.initial, *totals])
                self._put(part, total[key] if key else total)
        return True

    def _put(self, part: Tensor, value: Tensor) -> None:
        """Note what replaces a result, which may be a state of which a part was moved before."""
        if part not in self.placeholders:
            self.replacements[part] = value
            return
        values = replace(list(self.replacements.values()), {part: value})
        self.replacements = dict(zip(self.replacements, cast("list[Tensor]", values), strict=True))

    def _is_read(self, state: State, terms: Sequence[Tensor]) -> bool:
        """Return whether something reads a sum, or one of its own terms does, in the loop."""
        if len(state.outputs) > 1:
            return True
        others = self.parts.results_beside(state)
        return state.variable in self.parts.reads([*others, *terms])

    def _total(self, term: Tensor) -> Tensor | None:
        """Return the sum of a term over all iterations, or None if it stays in the loop."""
        factors = _factors(term)
        if factors is None:
            if term in self.bound and not (term.ndim and self._is_there(term)):
                return None
            if term not in self.bound and not self._varies(term):
                return None
            whole: Tensor = self.everything.of(term).sum(axis=0, dtype=term.dtype)
            return whole
        for factor in factors:
            self._store(_stored_form(factor))
        left, right = (self.everything.of(factor) for factor in factors)
        if not (left.ndim == right.ndim == 3 or left.ndim == right.ndim == 2):
            return None
        product: Tensor = dot_op(_flat(left).T, _flat(right))
        return product

    def _varies(self, term: Tensor) -> bool:
        return not self.parts.changing().isdisjoint(self.parts.reads([term]))

    # -- histories ---------------------------------------------------------------------------------

    def move_histories(self) -> None:
        """Move results that are computed by products from what is stored."""
        for history in [*self.parts.histories]:
            output = history.output
            if history.taps or output is None or output in self.placeholders:
                continue
            stored = self.everything.stored
            kept = stored.pop(history.result, None)
            products = self._last_products(history.result)
            others = [item.result for item in self.parts.histories if item is not history]
            reads = self.parts.reads([*others, *(state.result for state in self.parts.states)])
            if not products or not reads.isdisjoint(products):
                if kept is not None:
                    stored[history.result] = kept
                continue
            factors = [
                _stored_form(factor)
                for product in products
                for factor in product.owner.inputs  # type: ignore[union-attr]
            ]
            if self._is_there(history.result, factors):
                for factor in factors:
                    self._store(factor)
                self.parts.histories.remove(history)
                self.replacements[output] = self.everything.of(history.result, output)
            elif kept is not None:
                stored[history.result] = kept

    def _last_products(self, result: Tensor) -> list[Tensor]:
        """Return the products from which a result is computed element by element."""
        products, waiting = [], [result]
        while waiting:
            item = waiting.pop()
            if item not in self.bound or item in self.everything.stored or item.owner is None:
                continue
            if isinstance(item.owner.op, Dot):
                products.append(item)
            elif isinstance(item.owner.op, Elemwise | DimShuffle):
                waiting += item.owner.inputs
        return products


def _terms(state: State) -> list[Tensor] | None:
    """Return what an iteration adds to a state, or None if it does something else."""
    terms: list[Tensor] = []
    waiting, itself = [state.result], 0
    while waiting:
        item = waiting.pop()
        added = inputs_of(item, scalar.add)
        if item is state.variable:
            itself += 1
        elif added is None:
            terms.append(item)
        else:
            waiting += reversed(added)
    return terms if itself == 1 else None


def _sum(terms: Iterable[Tensor]) -> Tensor:
    first, *rest = terms
    for term in rest:
        first = first + term
    return first


def _factors(term: Tensor) -> tuple[Tensor, Tensor] | None:
    """Return arrays whose product summed over their first axes a term is: ``x.T @ y``, or outer."""
    if computed_by(term, Dot):
        x, y = term.owner.inputs
        if x.ndim == 2 and y.ndim == 2:
            return x.T, y
        return None
    factors = inputs_of(term, scalar.mul)
    if factors is None or len(factors) != 2 or term.ndim != 2:
        return None
    orders = [f.owner.op.new_order if computed_by(f, DimShuffle) else None for f in factors]
    if orders == [("x", 0), (0, "x")]:
        factors, orders = factors[::-1], orders[::-1]
    if orders != [(0, "x"), ("x", 0)]:
        return None
    x, y = (factor.owner.inputs[0] for factor in factors)  # type: ignore[union-attr]
    return (x, y) if x.dtype == y.dtype == term.dtype else None


def _stored_form(factor: Tensor) -> Tensor:
    """Return the array of which a factor is a transposed or inserted view."""
    while computed_by(factor, DimShuffle):
        factor = factor.owner.inputs[0]
    return factor


def _flat(rows: Tensor) -> Tensor:
    """Return rows of all iterations as one matrix."""
    if rows.ndim == 2:
        return rows
    steps, inner, width = shape_of(rows)
    whole: Tensor = reshape_op(rows, *as_dims((steps * inner, width)))
    return whole
