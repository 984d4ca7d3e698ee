"""Loops of gradients: what they read of the loops that they go back through."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from symtheano.graph.intern import FunctionGraph
from symtheano.graph.variable import Apply, Variable
from symtheano.graph.walk import ancestors, free_inputs, toposort
from symtheano.loops.parts import History, Other, Parts, Rows, are_apart
from symtheano.loops.scan_gradient import values_to_store
from symtheano.loops.scan_op import Scan
from symtheano.rewrites.match import bare, computed_by, same_dim
from symtheano.rewrites.rule import OfStep, graph_rule
from symtheano.rewrites.scans import is_reversal, scans, used_of
from symtheano.rewrites.subtensor import is_whole, items_of
from symtheano.tensor.elemwise import DimShuffle, Elemwise
from symtheano.tensor.indexing.slices import Subtensor
from symtheano.tensor.indexing.subtensor import getitem
from symtheano.tensor.reductions.reduce import CAReduce
from symtheano.tensor.shapes.shape import Shape_i
from symtheano.tensor.type import TensorType
from symtheano.tensor.variable import Tensor

# Costs of an element, in additions: to store and read it again, of a reduction, and of other ops.
# Axes are assumed to have so many elements.
_STORED, _REDUCED, _OTHER = 12, 2, 40
_LENGTH = 16


@graph_rule("loops", numerics="needs finite")
def values_that_gradients_read(
    nodes: Sequence[Apply], outputs: Collection[Variable], of_step: OfStep
) -> Mapping[Variable, Variable]:
    """What the loop of a gradient reads is chosen again, if it reads results of reductions.

    A gradient is taken of a step as it was written, and its loop reads values of the step. Rules
    about whole expressions, such as those of a softmax, apply in neither of the two loops then.
    Here the second loop is written as if it computed these values, rewritten, and divided anew.
    """
    used = used_of(nodes, outputs)
    for node in scans(nodes):
        for first in _loops_read_by(node):
            pair = _Pair(Parts.of(first, used), Parts.of(node, used))
            if of_step is not None and pair.is_promising() and pair.divide(of_step):
                return pair.replacements()
    return {}


def _loops_read_by(node: Apply) -> list[Apply]:
    """Return the loops of whose results a loop reads rows."""
    loops: dict[Apply, None] = {}
    for array in node.inputs:
        while computed_by(array, Subtensor):
            array = array.owner.inputs[0]
        if computed_by(array, Scan):
            loops[array.owner] = None
    return list(loops)


class _Pair:
    """A loop, and the one of its gradient.

    Parameters
    ----------
    first, second
        Their parts.
    """

    def __init__(self, first: Parts, second: Parts) -> None:
        self.first, self.second = first, second
        self.steps = first.iterations()
        # For rows that the second loop reads: which value of the first loop's step they are.
        self.values: dict[Rows, Tensor] = {}
        # What it will read, with the number of the first of these rows.
        self.reads: list[tuple[Tensor, History | Rows, int]] = []
        if not same_dim(second.steps, self.steps) or first.until is not None:
            return
        own = {item.variable for item in first.states}
        for rows in second.sequences:
            value = self._value(rows.array)
            if value is not None and own.isdisjoint(ancestors([value])):
                self.values[rows] = value

    def is_promising(self) -> bool:
        """Return whether the second loop reads the result of a reduction."""
        ops = (self.first.node.op, self.second.node.op)
        if not all(isinstance(op, Scan) and op.stores for op in ops):
            return False
        return any(computed_by(bare(value), CAReduce) for value in self.values.values())

    def _value(self, array: Tensor) -> Tensor | None:
        """Return the value of the step whose rows, the last one first, are an array."""
        if not computed_by(array, Subtensor) or not is_reversal(array.owner):
            return None
        base, rows = array.owner.inputs[0], slice(0, None)
        if computed_by(base, Subtensor):
            item, *others = items_of(base.owner)
            if (
                not isinstance(item, slice)
                or item.step is not None
                or not all(map(is_whole, others))
            ):
                return None
            start = 0 if item.start is None else item.start
            base, rows = base.owner.inputs[0], slice(start, item.stop)
        for history in self.first.histories:
            if history.output is base and self._is_as_long(rows, _rows_before(history)):
                tap = rows.start - _rows_before(history)
                return history.taps.get(tap) if tap else history.result
        for sequence in self.first.sequences:
            if sequence.array is base and self._is_as_long(rows, None) and rows.start == 0:
                return sequence.row
        return None

    def _is_as_long(self, rows: slice, before: int | None) -> bool:
        """Return whether a part of a history or sequence has one row for each iteration."""
        if not isinstance(rows.start, int):
            return False
        if rows.stop is None:
            return rows.start == before
        return same_dim(rows.stop, self.steps + rows.start if rows.start else self.steps)

    def divide(self, of_step: Callable[[FunctionGraph], FunctionGraph]) -> bool:
        """Rewrite the second loop, and choose what it reads; return whether this is better."""
        first, second = self.first, self.second
        before = _cost(second.results, self.values.values())
        second.rename()
        others = {item.value: item.variable for item in first.others}
        second.substitute(
            {rows.row: value for rows, value in self.values.items()}
            | {o.variable: others[o.value] for o in second.others if o.value in others}
        )
        second.sequences = [rows for rows in second.sequences if rows not in self.values]
        count, required = len(second.results), [*second.required, *first.required]
        results = [*second.results, *first.results]
        graph = of_step(FunctionGraph(free_inputs(results), results, required=required))
        second.set_results(graph.outputs[:count])
        first.set_results(graph.outputs[count:])
        own = second.changing() | {item.variable for item in second.others}
        first.required = [item for item in graph.required if are_apart(item[1].variables, own)]
        second.required = [item for item in graph.required if item not in first.required]
        histories = {h.result: h for h in reversed(first.histories) if h.result.owner is not None}
        kept = values_to_store(second.results, list(own), histories, True)
        if _cost(second.results, kept) >= before:
            return False
        rows = {value: value.type() for value in kept}
        for value, row in rows.items():
            history = histories.get(value)
            if history is None:
                history = History({}, None, value)
                first.histories.append(history)
            self.reads.append((row, history, _rows_before(history)))
        second.substitute(rows)
        return self._read_variables()

    def _read_variables(self) -> bool:
        """Let the second loop read what it needs of the first one's variables."""
        first, second = self.first, self.second
        needed, new = second.reads(second.results), dict[Tensor, Tensor]()
        for rows in first.sequences:
            if rows.row in needed:
                new[rows.row] = rows.row.type()
                self.reads.append((new[rows.row], rows, 0))
        for history in first.histories:
            for tap, variable in history.taps.items():
                if variable in needed:
                    new[variable] = variable.type()
                    self.reads.append((new[variable], history, _rows_before(history) + tap))
        for other in first.others:
            if other.variable in needed:
                new[other.variable] = other.variable.type()
                second.others.append(Other(new[other.variable], other.value))
        if first.step in needed:
            steps = self.steps.type()
            second.others.append(Other(steps, self.steps))
            new[first.step] = steps - 1 - second.step
        second.substitute(new)
        return needed.isdisjoint(item.variable for item in first.states)

    def replacements(self) -> Mapping[Variable, Variable]:
        """Return what replaces the outputs of both loops."""
        first, second = self.first, self.second
        for history in first.histories:
            if history.output is None and any(item is history for _, item, _ in self.reads):
                kind = history.result.type
                history.output = TensorType(kind.dtype, (None, *kind.shape))()
        replaced = first.replacements()
        for row, item, start in self.reads:
            array = item.array if isinstance(item, Rows) else item.output
            assert array is not None
            rows = getitem(replaced.get(array, array), slice(start, start + self.steps))
            second.sequences.append(Rows(row, getitem(rows, slice(None, None, -1))))
        replaced = {old: new for old, new in replaced.items() if old.owner is not None}
        return {**replaced, **second.replacements()}


def _rows_before(history: History) -> int:
    return -min(history.taps, default=0)


def _cost(results: Sequence[Tensor], stored: Iterable[Tensor]) -> int:
    """Return what an iteration costs that computes results of what is stored."""
    stored = list(stored)
    total: int = sum(_STORED * _LENGTH**v.ndim for v in stored if v.owner is not None)
    for node in toposort(results, stored):
        elements: int = _LENGTH ** max(item.ndim for item in (*node.inputs, *node.outputs))
        if isinstance(node.op, Elemwise):
            total += node.op.scalar_op.cost * elements
        elif not isinstance(node.op, DimShuffle | Subtensor | Shape_i):
            total += (_REDUCED if isinstance(node.op, CAReduce) else _OTHER) * elements
    return total
