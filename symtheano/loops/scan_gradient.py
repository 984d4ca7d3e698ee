"""The gradient of a scan: a scan that goes backwards.

An iteration of it pulls the gradients of the results back through the step. It reads the rows that
the first run has read and stored, and computes the other values of the step again; what depends on
a product or another costly operation is stored by the first run, too. The terms that an iteration
adds to the gradient of an earlier value are kept in a state until the iteration of that value.
There is one state for each step back to the earliest tap. The gradients of values that are the same
in all iterations are also summed in states.

The method is reverse accumulation: Griewank and Walther, Evaluating Derivatives, 2nd ed., ch. 3.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, Protocol

from symtheano.dtypes import is_continuous
from symtheano.gradient.backward import backward, is_missing
from symtheano.graph.eager import quiet
from symtheano.graph.intern import FunctionGraph
from symtheano.graph.op import disconnected
from symtheano.graph.type import NullType
from symtheano.graph.variable import Apply
from symtheano.graph.walk import replace, toposort
from symtheano.loops.layout import Layout
from symtheano.scalar import table as scalar
from symtheano.tensor.basic import constant
from symtheano.tensor.creation.filled import Alloc
from symtheano.tensor.elemwise import DimShuffle, Elemwise
from symtheano.tensor.indexing.slices import IncSubtensor, Subtensor
from symtheano.tensor.shapes.inferred import has_known_lengths
from symtheano.tensor.shapes.join import stack
from symtheano.tensor.shapes.reshape import Reshape
from symtheano.tensor.shapes.shape import MakeVector, Shape_i
from symtheano.tensor.shapes.static_shape import SpecifyShape

_COSTLY = 8
"""Elementwise functions of this cost are stored rather than computed again from a product."""


def _is_costly(node: Apply) -> bool:
    """Return whether a step with an operation takes longer than to read its result."""
    cheap = (Elemwise, DimShuffle, Subtensor, Alloc, Shape_i, MakeVector, Reshape, SpecifyShape)
    return not isinstance(node.op, cheap)


def _is_length(node: Apply) -> bool:
    return isinstance(node.op, Shape_i)


def _is_worth_storing(node: Apply) -> bool:
    op = node.op
    return _is_costly(node) or (isinstance(op, Elemwise) and op.scalar_op.cost >= _COSTLY)


def values_to_store(
    wanted: Sequence[Any], gradients: Sequence[Any], results: Collection[Any], costly_ones: bool
) -> list[Any]:
    """Return what of a step the first run stores: its results, and costly values.

    A value is computed again if that takes only elementwise operations on what is stored, or if its
    lengths depend on values, so that rows of it can't be stored.

    Parameters
    ----------
    wanted
        What an iteration of the gradient computes, from the variables of the step and others.
    gradients
        These others, which the first run does not know.
    results
        What the first run stores anyway.
    costly_ones
        Whether it stores more than that.
    """
    changing = set(gradients)
    costly: dict[Any, bool] = {}
    uncertain: set[Any] = set()
    stored: dict[Any, None] = dict.fromkeys(v for v in wanted if v in results)
    frontier: dict[Any, None] = dict.fromkeys(wanted)
    for node in toposort(wanted, results):
        if not changing.isdisjoint(node.inputs):
            changing.update(node.outputs)
            frontier.update(dict.fromkeys(node.inputs))
        stored.update(dict.fromkeys(v for v in node.inputs if v in results))
        # Lengths are inferred without the array.
        before = any(costly.get(v, False) for v in node.inputs if not _is_length(node))
        is_costly = costly_ones and (before or _is_costly(node))
        costly.update(dict.fromkeys(node.outputs, is_costly))
        if not (uncertain.isdisjoint(node.inputs) and has_known_lengths(node)):
            uncertain.update(v for v in node.outputs if getattr(v, "ndim", 1))
    waiting = [v for v in frontier if v not in changing]
    while waiting:
        v = waiting.pop()
        if costly.get(v) and _is_worth_storing(v.owner) and v not in uncertain:
            stored[v] = None
        elif costly.get(v):
            waiting.extend(reversed(v.owner.inputs))
    return [v for v in stored if hasattr(v.type, "shape")]


class Loop(Protocol):
    """The op whose gradient is computed."""

    layout: Layout
    region: FunctionGraph
    truncate: int
    stores: bool
    name: str | None


class ReverseScan:
    """The scan that computes the gradient of another one.

    Parameters
    ----------
    make, op
        Makes scans; the other one. All of its results are histories.
    inputs, outputs
        Of its node.
    output_grads
        The gradients of its outputs.
    """

    def __init__(
        self,
        make: Callable[..., Any],
        op: Loop,
        inputs: Sequence[Any],
        outputs: Sequence[Any],
        output_grads: Sequence[Any],
    ) -> None:
        self.make, self.layout = make, op.layout
        self.op, self.inputs, self.outputs = op, inputs, outputs
        self.output_grads = output_grads
        self.region, layout = op.region, op.layout
        self.results = self.region.outputs[: layout.histories]
        # What the first run stores, and the variables for its rows.
        self.stored: dict[Any, Any] = {}
        self.steps: Any = scalar.maximum(inputs[0], constant(0, dtype="int64"))
        if layout.until:
            self.steps = outputs[-1]
        self.back = self.steps
        if op.truncate >= 0:
            self.back = scalar.minimum(self.steps, constant(op.truncate, dtype="int64"))

    def gradients(self) -> list[Any]:
        """Return the gradients with respect to the inputs."""
        layout = self.layout
        with quiet():  # rows have no test values
            scan, returned, waiting, summed = self._loop()
        others = self.region.inputs[layout.first_state :]
        node_inputs = [
            self.back,
            *(self._backwards(item) for item in self.inputs[layout.rows]),
            *self._tapped(),
            *map(self._backwards, self._stored_rows()),
            *(self._backwards(g, k) for k, g in enumerate(self.output_grads[: layout.histories])),
            *self._first_states(waiting),
            *(self._outer(v).zeros_like(dtype) for v, dtype in summed.items()),
            *(self._outer(v) for v in others),
            self.steps,
        ]
        results = scan(*node_inputs, return_list=True)
        return self._assembled(results, returned, waiting, summed)

    def _loop(self) -> tuple[Any, list[Any], list[list[Any]], dict[Any, str]]:
        """Return the scan, what it returns gradients of, what waits, and the dtypes of sums."""
        layout, inner = self.layout, self.region.inputs
        rows, taps = inner[layout.rows], [dict(pairs) for pairs in layout.tapped(inner)]
        others = inner[layout.first_state :]
        # Gradients that wait for earlier iterations, by history and steps back.
        waiting = [
            [output.type(f"waiting{k}") for _ in range(layout.rows_before(k))]
            for k, output in enumerate(self.results)
        ]
        grad_rows = [output.type() for output in self.results]
        start: dict[Any, Any] = {}
        for output, grad, later in zip(self.results, grad_rows, waiting, strict=True):
            if is_continuous(output.dtype):
                total = grad + later[0] if later else grad
                start[output] = start[output] + total if output in start else total
        # Those of integers are floats. States of integers have none, nor what only they need.
        ends = {*rows, *others}
        wanted = [v for v in inner[1:] if is_continuous(v.dtype) or v in ends]
        all_grads = backward(start, wanted)
        found = ((v, all_grads.get(v)) for v in wanted)
        grads: dict[Any, Any] = {
            v: g for v, g in found if g is not None and not is_missing(g)
            and (is_continuous(v.dtype) or not isinstance(g.type, NullType))
        }  # fmt: skip

        # The scan: what its states become, and which rows it returns.
        states: list[Any] = []
        results: list[Any] = []
        for history, later in zip(taps, waiting, strict=True):
            for back, state in enumerate(later):
                following = later[back + 1] if back + 1 < len(later) else None
                parts = [p for p in (following, grads.get(history.get(-back - 1))) if p is not None]
                states.append(state)
                results.append(sum(parts[1:], parts[0]) if parts else state.zeros_like())
        summed = {v: grads[v].dtype for v in others if v in grads}
        totals = [v.type.clone(dtype=dtype)() for v, dtype in summed.items()]
        states += totals
        results += [total + grads[v] for total, v in zip(totals, summed, strict=True)]
        returned = [v for v in rows if v in grads]

        step, count = self.region.inputs[0].type(), self.steps.type()
        forward = {self.region.inputs[0]: count - 1 - step}
        wanted = [*(grads[v] for v in returned), *results]
        of_step = set(self.region.inputs)
        computed = {v for v in self.results if v.owner is not None and v not in of_step}
        kept = values_to_store(wanted, [*grad_rows, *states], computed, self.op.stores)
        self.stored = {v: v.type() for v in kept}
        outputs = replace(replace(wanted, self.stored), forward)
        flat = [*(v for history in taps for v in history.values()), *self.stored.values()]
        scan = self.make(
            *(step, outputs, [*rows, *flat, *grad_rows]),
            *([[] for _ in returned], states, [*others, count]),
            name=f"gradient of {self.op.name}" if self.op.name else "gradient",
            stores=self.op.stores,
        )
        return scan, returned, waiting, summed

    def _stored_rows(self) -> list[Any]:
        """Return the rows of what is stored, from a first run that stores it."""
        layout, inner = self.layout, list(self.region.inputs)
        numbers = {v: k for k, v in reversed([*enumerate(self.results)])}
        extra = [v for v in self.stored if v not in numbers]
        outputs = self.outputs
        if extra:
            taps = [*layout.tapped(inner), *([] for _ in extra)]
            ends = self.region.outputs[layout.histories :]
            first = self.make(
                *(inner[0], [*self.results, *extra, *ends], inner[layout.rows]),
                *(taps, (), inner[layout.first_state :]),
                *(layout.until, self.op.truncate, self.op.name),
            )
            outputs = first(*self.inputs, return_list=True)
        places = {**{v: layout.histories + n for n, v in enumerate(extra)}, **numbers}
        return [
            outputs[places[v]][layout.rows_before(places[v]) if v in numbers else 0 :]
            for v in self.stored
        ]

    def _outer(self, variable: Any) -> Any:
        """Return the op's input for one of the others."""
        position = self.region.inputs.index(variable)
        return self.inputs[self.layout.sources()[position].number]

    def _backwards(self, rows: Any, history: int | None = None, tap: int = 0) -> Any:
        """Return the rows that the iterations have read or made, the last one first."""
        first = 0 if history is None else self.layout.rows_before(history) + tap
        return rows[first : first + self.steps][::-1]

    def _tapped(self) -> list[Any]:
        return [
            self._backwards(self.outputs[k], k, tap)
            for k, taps in enumerate(self.layout.taps)
            for tap in taps
        ]

    def _first_states(self, waiting: Sequence[Sequence[Any]]) -> list[Any]:
        return [
            self.inputs[self.layout.initial(k) or 0][0].zeros_like()
            for k, later in enumerate(waiting)
            for _ in later
        ]

    def _assembled(
        self,
        results: Sequence[Any],
        returned: Sequence[Any],
        waiting: Sequence[Sequence[Any]],
        summed: Iterable[Any],
    ) -> list[Any]:
        """Return the gradients of the op's inputs, from the results of the scan."""
        layout, inner = self.layout, self.region.inputs
        grads: list[Any] = [disconnected() for _ in self.inputs]
        for variable, rows in zip(returned, results, strict=False):
            number = layout.sources()[inner.index(variable)].number
            whole = self.inputs[number].zeros_like(rows.dtype)
            places = whole[self.steps - self.back : self.steps]
            # The rows have the shape of those of the input: there is nothing to broadcast.
            change = IncSubtensor(places.owner.op.pattern, False)
            grads[number] = change(whole, rows[::-1], *places.owner.inputs[1:])
        states = iter(results[len(returned) :])
        for history, later in enumerate(waiting):
            initial = layout.initial(history)
            if initial is None:
                continue
            rest = [next(states) for _ in later]
            own = self.output_grads[history][: len(rest)]
            back = stack(rest[::-1])
            if self.op.truncate >= 0:
                back = scalar.switch(scalar.eq(self.back, self.steps), back, back.zeros_like())
            grads[initial] = own + back
        for variable, total in zip(summed, states, strict=True):
            grads[layout.sources()[inner.index(variable)].number] = total
        return grads
