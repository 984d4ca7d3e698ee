"""ForLoop: a graph that runs a number of times, and hands its states on from one time to the next.

In C it is a loop around the kernels of the graph. A state in an array is changed in place if each
iteration reads its elements before it writes them; otherwise there are two arrays, and the pointers
to them are exchanged. 0-d states are C scalars.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from symtheano.errors import ShapeError
from symtheano.graph.intern import FunctionGraph
from symtheano.graph.variable import Apply
from symtheano.interpret import interpret
from symtheano.loopir import Alias, Buffer, Builder, Choose, Index, Literal, Value, View
from symtheano.loopir.nodes import Operand
from symtheano.tensor.elemwise import TensorOp
from symtheano.tensor.messages import build_message, call_message


class Body(Protocol):
    """What writes the graph: :class:`symtheano.codegen.region.LoopBody`."""

    places: list[Buffer | None]
    next_places: list[Buffer | None]
    spare: list[Buffer | None]

    def start(self, target: View, source: View) -> None:
        """Copy the initial value of a state to its place, unless it is there."""

    def is_there(self, target: View, source: View) -> bool:
        """Return whether the initial value of a state is in its place."""

    def write_iteration(self, scalars: Sequence[Operand | None]) -> list[Operand | None]:
        """Write one iteration for values of the 0-d inputs; return those of the 0-d outputs."""


class ForLoop(TensorOp):
    """Run a graph a number of times.

    Parameters
    ----------
    step
        0-d int64 variable: the number of the iteration, from 0 on.
    states
        Variables for the states before an iteration.
    results
        Expressions for the states afterwards, of the same types and shapes.
    others
        Variables that are the same in all iterations. There are no other free variables.

    Examples
    --------
    >>> import symtheano.tensor as T
    >>> i, total, x = T.lscalar("i"), T.dscalar("total"), T.dvector("x")
    >>> loop = ForLoop(i, [total], [total + x[i]], [x])
    >>> n, start, values = T.lscalar("n"), T.dscalar("start"), T.dvector("values")
    >>> float(loop(n, start, values).eval({n: 3, start: 10.0, values: [1.0, 2.0, 3.0]}))
    16.0
    """

    form = "region"

    def __init__(
        self,
        step: Any,
        states: Sequence[Any],
        results: Sequence[Any],
        others: Sequence[Any] = (),
    ) -> None:
        for state, result in zip(states, results, strict=True):
            if state.type != result.type:
                raise TypeError(
                    build_message(
                        f"ForLoop: a state of type {state.type} becomes {result.type}",
                        state,
                        result,
                        hint="cast the result, or give the state the type of the result",
                    )
                )
        self.count = len(states)
        self.region = FunctionGraph([step, *states, *others], results)

    def __str__(self) -> str:
        return "ForLoop"

    def make_node(self, steps: Any, *operands: Any) -> Apply:
        """Apply to a number of iterations, initial states and the other operands."""
        given = [self.as_variable(item) for item in (steps, *operands)]
        inputs = [
            item if item.type == inner.type else inner.type.filter_variable(item)
            for item, inner in zip(given, self.region.inputs, strict=True)
        ]
        return Apply(self, inputs, [output.type() for output in self.region.outputs])

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[Any]:
        """Return the shapes of the initial states."""
        return list(shapes[1 : 1 + self.count])

    def perform(self, node: Apply, inputs: Sequence[Any], outputs: list[list[Any]]) -> None:
        """Run the graph with NumPy."""
        steps, *operands = inputs
        states, others = operands[: self.count], operands[self.count :]
        for number in range(int(steps)):
            before = [np.shape(state) for state in states]
            states = interpret(self.region, [np.int64(number), *states, *others])
            for state, shape in zip(states, before, strict=True):
                for axis, (new, old) in enumerate(zip(np.shape(state), shape, strict=True)):
                    if new != old:
                        raise ShapeError(self.changed_length(node, axis, [new, old]))
        for cell, state in zip(outputs, states, strict=True):
            cell[0] = state

    def changed_length(self, node: Apply, axis: int, values: Sequence[int]) -> str:
        """Return the message for a state that has another length after an iteration."""
        return call_message(
            f"{self}: a state of length {values[1]} along axis {axis} has length {values[0]} after "
            "one iteration",
            node,
            *node.inputs,
            hint="an iteration has to return states of the shapes that they had",
        )

    # -- code -------------------------------------------------------------------------------

    def carried(self) -> list[int | None]:
        """Return for each state the input that it replaces in the next iteration."""
        return [1 + number for number in range(self.count)]

    def starts(self) -> dict[int, int]:
        """Return the initial values of states in arrays."""
        ranks = [output.ndim for output in self.region.outputs]
        return {number: 1 + number for number, ndim in enumerate(ranks) if ndim}

    def accepts(self, number: int, view: View) -> bool:
        """Return True for initial states, which are copied, and for contiguous arrays."""
        return number <= self.count or view.is_contiguous()

    def scalars(self, node: Apply, shapes: list[Any]) -> list[Any]:
        """Return the number of iterations."""
        return [node.inputs[0]]

    def lower(
        self,
        b: Builder,
        node: Apply,
        inputs: list[View],
        outputs: list[View],
        scalars: list[Index],
        body: Body,
    ) -> None:
        """Write the loop, and the states' way through it."""
        (steps,) = scalars
        states = _States(b, steps, outputs, body)
        values: list[Operand | None] = [None] * len(inputs)
        for number, start in enumerate(inputs[1 : 1 + self.count]):
            values[1 + number] = states.begin(number, start)
        for number, view in enumerate(inputs[1 + self.count :], 1 + self.count):
            place = body.places[number]
            if place is None:
                values[number] = b.load(view, [0] * view.ndim)
            else:
                b.emit(Alias(place, view.address))
        with b.loop("step", steps) as step:
            values[0] = b.operand(step)
            states.name(step)
            states.assign(body.write_iteration(values))
        states.end()


class _States:
    """The states of a loop: scalars, arrays that are changed in place, and pairs of arrays.

    Parameters
    ----------
    b
        Where to write.
    steps
        Number of iterations.
    outputs
        Where the last states go.
    body
        The graph of one iteration.
    """

    def __init__(self, b: Builder, steps: Index, outputs: Sequence[View], body: Body) -> None:
        self.b, self.steps, self.outputs, self.body = b, steps, outputs, body
        self.totals: dict[int, Value] = {}
        self.pairs: list[int] = []

    def begin(self, number: int, start: View) -> Operand | None:
        """Give a state its initial value; return it if it is a scalar."""
        b, output, place = self.b, self.outputs[number], self.body.places[1 + number]
        if place is None:
            self.totals[number] = b.declare("state", b.load(start, []))
            return self.totals[number]
        spare = self.body.spare[number]
        if spare is None:
            self.body.start(output, start)
            b.emit(Alias(place, output.address))
            return None
        # The last iteration writes to the output: an odd number of them begins in the spare array.
        self.pairs.append(number)
        even = self._is_even(self.steps)
        first = Buffer(b.names.fresh("first"), place.dtype, "chosen", place.size)
        other = View.contiguous(spare, output.shape)
        if self.body.is_there(output, start):
            with b.branch(b.let("invert", "bool", [even])):
                b.call("copy", other.address, output.address, output.size)
        else:
            b.emit(Choose(first, even, output.address, other.address))
            self.body.start(View.contiguous(first, output.shape), start)
        return None

    def _is_even(self, number: Index) -> Value:
        b = self.b
        last = b.let("and_", "int64", [b.operand(number), Literal(1, "int64")])
        return b.let("eq", "bool", [last, Literal(0, "int64")])

    def name(self, step: Index) -> None:
        """Name the memory before and after an iteration."""
        if not self.pairs:
            return
        even = self._is_even(self.steps - step)
        for number in self.pairs:
            place, following = self.body.places[1 + number], self.body.next_places[number]
            spare, output = self.body.spare[number], self.outputs[number]
            assert place is not None
            assert following is not None
            assert spare is not None
            pair = output.address, View.contiguous(spare, output.shape).address
            self.b.emit(Choose(place, even, *pair))
            self.b.emit(Choose(following, even, *pair[::-1]))

    def assign(self, results: Sequence[Operand | None]) -> None:
        """Give the scalars their next values, all at once."""
        totals = set(self.totals.values())
        following = {}
        for number in self.totals:
            result = results[number]
            assert result is not None
            following[number] = self.b.declare("next", result) if result in totals else result
        for number, total in self.totals.items():
            self.b.assign(total, following[number])

    def end(self) -> None:
        """Store the scalars."""
        for number, total in self.totals.items():
            self.b.store(self.outputs[number], [], total)
