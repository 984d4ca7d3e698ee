"""Scan: a graph that runs a number of times, and passes values from one time to the next.

In C it is a loop around the kernels of the graph. There are three kinds of results:

- *histories*: the array of all values; an iteration reads some of the last ones, at its
  *taps*: -1 is the value before. A history without taps is only written;
- *states*: the last value only. In C, a 0-d state is a scalar. An array is changed in place if each
  iteration reads its elements before it writes them; otherwise there are two arrays, and the
  pointers to them are exchanged.

An iteration reads one row of each *sequence*, and *others*, which are the same in all iterations.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from symtheano import dtypes
from symtheano.errors import ShapeError, printable_name, tell_iteration
from symtheano.gradient.backward import as_variable, is_missing
from symtheano.graph.intern import FunctionGraph
from symtheano.graph.interner import Interner
from symtheano.graph.lazy import lazy
from symtheano.graph.op import Op, Requirement
from symtheano.graph.variable import Apply
from symtheano.graph.walk import replace
from symtheano.interpret import interpret
from symtheano.loopir import Builder, Index, NodeArrays, View
from symtheano.loops.carried import Body
from symtheano.loops.growth import reserved_rows
from symtheano.loops.kept_lengths import changed_length, check_lengths
from symtheano.loops.layout import InputSource, Layout
from symtheano.loops.lengths import Outside, first_row, lengths_of
from symtheano.loops.lowering import write_scan
from symtheano.loops.scan_gradient import ReverseScan
from symtheano.lowering import Region
from symtheano.scalar import table as scalar
from symtheano.tensor.basic import constant
from symtheano.tensor.batches import pad
from symtheano.tensor.creation.filled import alloc, zeros
from symtheano.tensor.indexing.subtensor import set_subtensor
from symtheano.tensor.messages import build_message, call_message
from symtheano.tensor.shapes.shape import as_dim, as_dims, shape_of
from symtheano.tensor.type import TensorType
from symtheano.tensor.vectorize import vectorize_graph


class Scan(Op):
    """Run a graph a number of times.

    Parameters
    ----------
    step
        0-d int64 variable: the number of the iteration, from 0 on.
    results
        Expressions for the next value of each history, and then of each state.
    sequences
        Variables for a row of each sequence.
    histories
        For each history, its taps (negative numbers), each with the variable for it.
    states
        Variables for the states before an iteration, of the types and shapes of their results.
    others
        Variables that are the same in all iterations. There are no other free variables.
    until
        Whether there is one more result: a 0-d bool that ends the loop after the iteration in which
        it is true.
    truncate
        Number of iterations, counted from the last one, through which gradients are propagated; -1
        for all.
    name
        Name for printing.
    required
        Requirements of an iteration in addition to those of the nodes of the graph.
    stores
        Whether the first run may store values of the step for the gradient. Otherwise, the gradient
        recomputes everything except the results.

    The op is applied to the number of iterations, the sequences, the initial values of histories
    with taps (as many rows as the earliest tap needs), the initial states, and the others. It
    returns the histories, which begin with the initial values, the last states, and with ``until``
    the number of iterations that ran. A history has a row for each of these.

    Examples
    --------
    >>> i, total, x = T.lscalar("i"), T.dscalar("total"), T.dscalar("x")
    >>> sums = Scan(i, [total + x], sequences=[x], histories=[[(-1, total)]])
    >>> n, start, values = T.lscalar("n"), T.dvector("start"), T.dvector("values")
    >>> sums(n, values, start).eval({n: 3, start: [10.0], values: [1.0, 2.0, 3.0]})
    array([10., 11., 13., 16.])
    """

    takes = "**..."

    def __init__(
        self,
        step: Any,
        results: Sequence[Any],
        sequences: Sequence[Any] = (),
        histories: Sequence[Sequence[tuple[int, Any]]] = (),
        states: Sequence[Any] = (),
        others: Sequence[Any] = (),
        until: bool = False,
        truncate: int = -1,
        name: str | None = None,
        required: Sequence[tuple[Apply, Requirement]] = (),
        stores: bool = True,
    ) -> None:
        self.truncate, self.name, self.stores = truncate, name, stores
        taps = tuple(tuple(tap for tap, _ in history) for history in histories)
        self.layout = Layout(taps, len(sequences), len(states), len(others), until)
        rows = [variable for history in histories for _, variable in history]
        inputs = [step, *sequences, *rows, *states, *others]
        interner = Interner(keeps_graphs=True)
        self.region = FunctionGraph(inputs, results, interner, required)
        for number, same in enumerate(self.layout.same_types()):
            if same is not None:
                state, result = self.region.inputs[same], results[number]
                if state.dtype != result.dtype or state.ndim != result.ndim:
                    _refuse_type(state, result)

    @classmethod
    def from_fields(
        cls,
        layout: Sequence[object],
        region: FunctionGraph,
        truncate: int,
        name: str | None,
        stores: bool,
    ) -> Scan:
        """Return the op from its fields, from a file.

        Raises
        ------
        ValueError
            If the graph does not have these inputs and outputs.
        """
        roles, inner = Layout.of(layout), list(region.inputs)
        last = roles.states_before.stop
        results = roles.histories + roles.states + roles.until
        if len(inner) != last + roles.others or len(region.outputs) != results:
            raise ValueError("Scan: the graph has other inputs or outputs")
        step, condition = inner[0].type, region.outputs[-1].type if roles.until else None
        if step != TensorType("int64", ()) or condition not in (None, TensorType("bool", ())):
            raise ValueError("Scan: the number of the iteration or the condition has another type")
        op = cls(
            *(inner[0], region.outputs, inner[roles.rows], roles.tapped(inner)),
            *(inner[roles.states_before], inner[last:]),
            until=roles.until,
            truncate=truncate,
            name=name,
            stores=stores,
        )
        op.layout = roles
        return op

    def __str__(self) -> str:
        return f"Scan{{{printable_name(self.name)}}}" if self.name else "Scan"

    @lazy
    def unconditional(self) -> bool:
        """Whether an operation of an iteration must be done wherever the graph has it."""
        return any(node.op.unconditional for node in self.region.nodes)

    # -- meaning --------------------------------------------------------------------------------

    def make_node(self, *operands: Any) -> Apply:
        """Apply to a number of iterations and the operands."""
        inputs = [as_variable(item) for item in operands]
        for inner, source in zip(self.region.inputs, self.layout.sources(), strict=True):
            item, wanted = inputs[source.number], inner.type
            if source.is_row:
                wanted = TensorType(wanted.dtype, (item.type.shape[:1] or (None,)) + wanted.shape)
            if item.type != wanted:
                inputs[source.number] = wanted.filter_variable(item)
        outputs = self.region.outputs
        steps = None if self.layout.until else getattr(inputs[0], "data", None)
        rows = [
            None if steps is None else self.layout.rows_before(k) + max(int(steps), 0)
            for k in range(self.layout.histories)
        ]
        kinds = [
            TensorType(output.dtype, (count, *output.type.shape))
            for output, count in zip(outputs, rows, strict=False)
        ]
        kinds += [output.type for output in outputs[self.layout.last_states]]
        return Apply(
            self, inputs, [*kinds, *([TensorType("int64", ())] if self.layout.until else [])]
        )

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[Any]:
        """Return the shapes: of states the initial ones, of histories from their rows."""
        steps: Any = node.outputs[-1]  # it is a result itself if a condition may end the loop
        if not self.layout.until:
            steps = scalar.maximum(node.inputs[0], constant(0, dtype="int64"))
        history_shapes: list[Any] = []
        outside: Outside | None = None
        for history in range(self.layout.histories):
            initial = self.layout.initial(history)
            if initial is None:
                outside = outside or self._outside(node, shapes)
                row = self._row_shape(history, outside)
            else:
                row = shapes[initial][1:]
            history_shapes.append((steps + self.layout.rows_before(history), *row))
        states = shapes[self.layout.initial_states]
        return [*history_shapes, *states, *([()] if self.layout.until else [])]

    @lazy
    def _dims(self) -> list[tuple[Any, ...]]:
        """The lengths of the graph's results, in terms of its inputs."""
        return lengths_of(self.region)

    def _outside(self, node: Apply, shapes: Sequence[Any]) -> Outside:
        """Return the lengths of the graph's results, in terms of a node's inputs."""
        sources = self.layout.sources()
        inner_shapes = [shapes[s.number][1:] if s.is_row else shapes[s.number] for s in sources]
        operands: list[Any] = [
            self._operand(inner, node.inputs[source.number], source.is_row)
            for inner, source in zip(self.region.inputs, sources, strict=True)
        ]
        return Outside(self.region, self._dims, operands, inner_shapes)

    @staticmethod
    def _operand(inner: Any, operand: Any, is_row: bool) -> Any:
        """Return what stands for an input of the graph where lengths are computed."""
        if not is_row:
            return operand
        # An element that is no integer has no influence on lengths: 0 stands for it.
        is_integer = dtypes.is_discrete(inner.dtype)
        return first_row(operand) if is_integer else constant(0, dtype=inner.dtype)

    def _row_shape(self, history: int, outside: Outside) -> Sequence[Any]:
        """Return the shape of a row that depends on no initial value."""
        row = self.region.outputs[history]
        dims = [outside.length(history, axis) for axis in range(row.ndim)]
        if None not in dims:
            return dims
        # It takes more than lengths: part of an iteration.
        replacements = dict(outside.replacements)
        for inner, source in zip(self.region.inputs, self.layout.sources(), strict=True):
            if source.is_row and not dtypes.is_discrete(inner.dtype):
                replacements[inner] = zeros(outside.shapes[inner], inner.dtype)
        return shape_of(replace([row], replacements)[0])

    def requirements(self, node: Apply, shapes: list[Any]) -> list[Requirement]:
        """Return that there are as many rows as iterations and taps need."""
        steps, requirements = node.inputs[0], []
        for number in range(1, 1 + self.layout.sequences):
            length = shapes[number][0]
            message = partial(self._too_short, node, number)
            requirements.append(Requirement(length >= steps, (length, steps), message))
        for history in range(self.layout.histories):
            initial, wanted = self.layout.initial(history), self.layout.rows_before(history)
            if initial is not None:
                length = shapes[initial][0]
                same = length == wanted if isinstance(length, int) else scalar.eq(length, wanted)
                message = partial(self._initial_rows, node, initial)
                requirements.append(
                    Requirement(same, (length, wanted), message, equal=(length, wanted))
                )
        return requirements

    def _too_short(self, node: Apply, number: int, values: Sequence[int]) -> str:
        return call_message(
            f"{self}: a sequence has {values[0]} rows, fewer than the {values[1]} iterations",
            node,
            node.inputs[number],
            hint="pass fewer steps, or longer sequences",
        )

    def _initial_rows(self, node: Apply, number: int, values: Sequence[int]) -> str:
        return call_message(
            f"{self}: {values[0]} initial values are given, but the taps need {values[1]}",
            node,
            node.inputs[number],
            hint="give one row for each step back to the earliest tap",
        )

    def perform(self, node: Apply, inputs: Sequence[Any], outputs: list[list[Any]]) -> None:
        """Run the graph with NumPy."""
        self._check_rows(node, inputs)
        steps = int(inputs[0])
        if steps <= 0:
            check_lengths(node, inputs)
        initials = [self.layout.initial(history) for history in range(self.layout.histories)]
        rows = [[] if number is None else list(inputs[number]) for number in initials]
        starts = self.layout.initial_states
        states, others = inputs[starts], inputs[starts.stop :]
        same = self.layout.same_types()
        count = 0
        for step in range(steps):
            count += 1
            taps = [rows[k][tap] for k, taps in enumerate(self.layout.taps) for tap in taps]
            sequences = [sequence[step] for sequence in inputs[self.layout.rows]]
            arguments = [np.int64(step), *sequences, *taps, *states, *others]
            try:
                results = interpret(self.region, arguments)
            except Exception as error:
                tell_iteration(error, str(self), step)
                raise
            for value, number in zip(results, same, strict=True):
                before = np.shape(value if number is None else arguments[number])
                for axis, (new, old) in enumerate(zip(np.shape(value), before, strict=True)):
                    if new != old:
                        raise ShapeError(changed_length(node, axis, [new, old]))
            for kept, value in zip(rows, results, strict=False):
                kept.append(np.asarray(value))
            states = results[self.layout.last_states]
            if self.layout.until and results[-1]:
                break
        for history, kept in enumerate(rows):
            dtype = self.region.outputs[history].dtype
            if kept:
                outputs[history][0] = np.stack(kept).astype(dtype, copy=False)
            else:
                outputs[history][0] = np.empty((0, *self._lengths(node, history, inputs)), dtype)
        for cell, state in zip(outputs[self.layout.last_states], states, strict=True):
            cell[0] = state
        if self.layout.until:
            outputs[-1][0] = np.asarray(count, "int64")

    def _check_rows(self, node: Apply, inputs: Sequence[Any]) -> None:
        for number in range(1, 1 + self.layout.sequences):
            if len(inputs[number]) < inputs[0]:
                values = [len(inputs[number]), int(inputs[0])]
                raise ShapeError(self._too_short(node, number, values))
        for history in range(self.layout.histories):
            initial, wanted = self.layout.initial(history), self.layout.rows_before(history)
            if initial is not None and len(inputs[initial]) != wanted:
                values = [len(inputs[initial]), wanted]
                raise ShapeError(self._initial_rows(node, initial, values))

    def _lengths(self, node: Apply, history: int, inputs: Sequence[Any]) -> list[int]:
        """Return the shape of a row of a history of which there is none."""
        shapes = list(map(np.shape, inputs))
        dims = [as_dim(dim) for dim in self._row_shape(history, self._outside(node, shapes))]
        return [int(dim) for dim in interpret(FunctionGraph(list(node.inputs), dims), list(inputs))]

    # -- derivatives ----------------------------------------------------------------------------

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """Return the gradients, computed by a scan that goes backwards."""
        if not self.layout.states:
            return ReverseScan(Scan, self, inputs, outputs, output_grads).gradients()
        if self.layout.until:
            raise NotImplementedError(
                f"{self}: the gradient of a loop with both a condition and "
                "states is not implemented"
            )
        # The states of all iterations are needed.
        first, last = self.layout.initial_state, self.layout.initial_states.stop
        starts = [item.dimshuffle("x", *range(item.ndim)) for item in inputs[first:last]]
        op, operands = self.with_histories(), [*inputs[:first], *starts, *inputs[last:]]
        whole = op(*operands, return_list=True)
        grads = list(output_grads[: self.layout.histories])
        for kept, grad in zip(
            whole[self.layout.histories :], output_grads[self.layout.histories :], strict=True
        ):
            grads.append(set_subtensor(kept.zeros_like()[-1], grad))
        gradients = ReverseScan(Scan, op, operands, whole, grads).gradients()
        return [g[0] if first <= k < last and not is_missing(g) else g
                for k, g in enumerate(gradients)]  # fmt: skip

    def with_histories(self) -> Scan:
        """Return this with histories instead of states."""
        inner, layout = list(self.region.inputs), self.layout
        histories = layout.tapped(inner)
        histories += [[(-1, state)] for state in inner[layout.states_before]]
        others = inner[layout.states_before.stop :]
        return Scan(
            *(inner[0], self.region.outputs, inner[layout.rows], histories, (), others),
            *(self.layout.until, self.truncate, self.name, self.region.required, self.stores),
        )

    def vectorize(self, node: Apply, batch: Any) -> list[Any]:
        """Run one loop whose values are batches."""
        if batch.batched[0] or self.layout.until:
            return super().vectorize(node, batch)
        n, layout, inner = batch.ndim, self.layout, list(self.region.inputs)
        lengths = [TensorType("int64", ())() for _ in batch.shape]
        front = tuple(length if isinstance(length, int) else None for length in batch.shape)
        last = layout.states_before.stop
        wide: dict[Any, Any] = {}
        operands: dict[int, Any] = {}
        for number, (variable, source) in enumerate(zip(inner, layout.sources(), strict=True)):
            operands.setdefault(source.number, batch.inputs[source.number])
            is_carried = layout.first_tap(0) <= number < last
            if is_carried or batch.batched[source.number]:
                kind = TensorType(variable.dtype, (*front, *variable.type.shape))
                wide[variable] = kind(variable.name)
                full = batch.full(source.number)
                rest = range(n + 1, full.ndim)
                rows = full.dimshuffle(n, *range(n), *rest) if source.is_row else full
                operands[source.number] = rows
        results = [
            new if new.ndim > old.ndim else alloc(pad(new, n), *lengths, *as_dims(shape_of(new)))
            for old, new in zip(
                self.region.outputs, vectorize_graph(list(self.region.outputs), wide), strict=True
            )
        ]
        inner = [wide.get(variable, variable) for variable in inner]
        op = Scan(
            *(inner[0], results, inner[layout.rows], layout.tapped(inner)),
            *(inner[layout.states_before], [*inner[last:], *lengths]),
            truncate=self.truncate,
            name=self.name,
            stores=self.stores,
        )
        outputs = op(
            *(operands[k] for k in sorted(operands)), *as_dims(batch.shape), return_list=True
        )
        return [
            item.dimshuffle(*range(1, n + 1), 0, *range(n + 1, item.ndim))
            if number < layout.histories
            else item
            for number, item in enumerate(outputs)
        ]

    # -- code -----------------------------------------------------------------------------------

    def sources(self) -> list[InputSource]:
        """Return for each input of the graph where it comes from."""
        return self.layout.sources()

    def same_types(self) -> list[int | None]:
        """Return for each output of the graph an input of the same type and shape."""
        return self.layout.same_types()

    def carried(self) -> list[int | None]:
        """Return for each output of the graph the input that it replaces in the next iteration."""
        before = self.layout.states_before
        states = range(before.start, before.stop)
        return [*([None] * self.layout.histories), *states, *([None] if self.layout.until else [])]

    def starts(self) -> dict[int, int]:
        """Return the initial values of states in arrays."""
        ranks = [output.ndim for output in self.region.outputs[self.layout.last_states]]
        return {
            self.layout.histories + number: self.layout.initial_state + number
            for number, ndim in enumerate(ranks)
            if ndim
        }

    def accepts(self, number: int, view: View) -> bool:
        """Return whether the rows of a sequence, or another array, are contiguous."""
        if 1 <= number <= self.layout.sequences:
            return view.item(0, 0).is_contiguous()
        return number < self.layout.initial_states.stop or view.is_contiguous()

    def scalars(self, node: Apply, shapes: list[Any]) -> list[Any]:
        """Return the number of iterations, and that of rows for which memory is reserved."""
        steps, kept = node.inputs[0], self.layout.histories
        if not self.layout.tells_rows:
            return [steps]
        dims = self.infer_shape(node, shapes)[:kept]
        return [steps, reserved_rows(steps, [output.type for output in node.outputs[:kept]], dims)]

    def limit(self, node: Apply, index: int) -> Any:
        """Return how many iterations there may be, for the number of those that ran."""
        return node.inputs[0] if self.layout.until and index == len(node.outputs) - 1 else None

    def reserves(self, scalars: Sequence[Index]) -> dict[int, tuple[Index, bool]]:
        """Return for how many rows of each history memory is reserved if it tells their number."""
        if not self.layout.tells_rows:
            return {}
        before = map(self.layout.rows_before, range(self.layout.histories))
        return {k: (scalars[1] + n, scalars[1] != scalars[0]) for k, n in enumerate(before)}

    @partial(Region, accepts=accepts, scalars=scalars, starts=starts, reserves=reserves)
    def lowering(self, b: Builder, node: Apply, arrays: NodeArrays, body: Body) -> None:
        """Write the loop, and the values' way through it."""
        write_scan(b, self.layout, arrays.inputs, arrays.outputs, arrays.scalars, body)


def _refuse_type(state: Any, result: Any) -> None:
    raise TypeError(
        build_message(
            f"Scan: a value of type {state.type} has type {result.type} after an iteration",
            state,
            result,
            hint="cast the result, or give the initial value the type of the result",
        )
    )
