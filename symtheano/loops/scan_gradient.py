"""The gradient of a scan: a scan that goes backwards.

An iteration of it computes the step again from the rows that its first run has read and stored, and
pulls the gradients of the results back through it. What an iteration adds to the gradient of an
earlier value is kept in a state until that value's iteration: one state for each step back to the
earliest tap. The gradients of what is the same in all iterations are summed up in states, too.

The method is reverse accumulation: Griewank and Walther, Evaluating Derivatives, 2nd ed., ch. 3.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from symtheano.dtypes import is_continuous
from symtheano.gradient.backward import backward, is_missing
from symtheano.graph.eager import quiet
from symtheano.graph.intern import FunctionGraph
from symtheano.graph.op import disconnected
from symtheano.graph.walk import replace
from symtheano.loops.layout import Layout
from symtheano.scalar import table as scalar
from symtheano.tensor.basic import constant
from symtheano.tensor.indexing.subtensor import inc_subtensor
from symtheano.tensor.shapes.join import stack


class Loop(Protocol):
    """The op whose gradient is computed."""

    layout: Layout
    region: FunctionGraph
    truncate: int
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
            *(self._backwards(item) for item in self.inputs[1 : 1 + layout.sequences]),
            *self._tapped(),
            *(self._backwards(g, k) for k, g in enumerate(self.output_grads[: layout.histories])),
            *self._first_states(waiting),
            *(self._outer(v).zeros_like() for v in summed),
            *(self._outer(v) for v in others),
            self.steps,
        ]
        made = scan(*node_inputs, return_list=True)
        return self._assembled(made, returned, waiting, summed)

    def _loop(self) -> tuple[Any, list[Any], list[list[Any]], list[Any]]:
        """Return the scan, of which variables it returns or sums up gradients, and what waits."""
        layout, inner = self.layout, self.region.inputs
        rows = inner[1 : 1 + layout.sequences]
        taps = [
            {tap: inner[layout.first_tap(k) + n] for n, tap in enumerate(taps)}
            for k, taps in enumerate(layout.taps)
        ]
        others = inner[layout.first_state :]
        # Gradients that wait for earlier iterations, by history and steps back.
        waiting = [
            [output.type(f"waiting{k}") for _ in range(layout.rows_before(k))]
            for k, output in enumerate(self.results)
        ]
        given = [output.type() for output in self.results]
        start: dict[Any, Any] = {}
        for output, grad, later in zip(self.results, given, waiting, strict=True):
            if is_continuous(output.dtype):
                total = grad + later[0] if later else grad
                start[output] = start[output] + total if output in start else total
        wanted = [v for v in inner[1:] if is_continuous(v.dtype)]
        found = backward(start, wanted)
        grads = {v: g for v in wanted if (g := found.get(v)) is not None and not is_missing(g)}

        # The scan: what its states become, and which rows it returns.
        states: list[Any] = []
        results: list[Any] = []
        for history, later in zip(taps, waiting, strict=True):
            for back, state in enumerate(later):
                following = later[back + 1] if back + 1 < len(later) else None
                parts = [p for p in (following, grads.get(history.get(-back - 1))) if p is not None]
                states.append(state)
                results.append(sum(parts[1:], parts[0]) if parts else state.zeros_like())
        summed = [v for v in others if v in grads]
        totals = [v.type() for v in summed]
        states += totals
        results += [total + grads[v] for total, v in zip(totals, summed, strict=True)]
        returned = [v for v in rows if v in grads]

        step, count = self.region.inputs[0].type(), self.steps.type()
        forward = {self.region.inputs[0]: count - 1 - step}
        made = replace([*(grads[v] for v in returned), *results], forward)
        flat = [v for history in taps for v in history.values()]
        scan = self.make(
            *(step, made, [*rows, *flat, *given], [[] for _ in returned], states, [*others, count]),
            name=f"gradient of {self.op.name}" if self.op.name else "gradient",
        )
        return scan, returned, waiting, summed

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
        made: Sequence[Any],
        returned: Sequence[Any],
        waiting: Sequence[Sequence[Any]],
        summed: Sequence[Any],
    ) -> list[Any]:
        """Return the gradients of the op's inputs, from the results of the scan."""
        layout, inner = self.layout, self.region.inputs
        grads: list[Any] = [disconnected() for _ in self.inputs]
        for variable, rows in zip(returned, made, strict=False):
            number = layout.sources()[inner.index(variable)].number
            whole = self.inputs[number].zeros_like()
            places = whole[self.steps - self.back : self.steps]
            grads[number] = inc_subtensor(places, rows[::-1])
        states = iter(made[len(returned) :])
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
