"""What a loop hands on from one iteration to the next, in LoopIR: histories, states, its end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Protocol

from symtheano.loopir import (
    Alias,
    Buffer,
    Builder,
    Choose,
    Index,
    Literal,
    Swap,
    Value,
    View,
    While,
)
from symtheano.loopir.nodes import Statement
from symtheano.loopir.operands import Address, Operand
from symtheano.loopir.view import RowMemory
from symtheano.loops.layout import Layout


class Body(Protocol):
    """What writes the graph: :class:`symtheano.codegen.region.LoopBody`."""

    places: list[Buffer | None]
    next_places: list[Buffer | None]
    spare: list[Buffer | None]
    settled: list[bool]
    rows: list[RowMemory | None]
    is_elementwise: bool

    def start(self, target: View, source: View) -> None:
        """Copy the initial value of a state to its place, unless it is there."""

    def is_there(self, target: View, source: View) -> bool:
        """Return whether the initial value of a state is in its place."""

    def write_iteration(self, scalars: Sequence[Operand | None]) -> list[Operand | None]:
        """Write one iteration for values of the 0-d inputs; return those of the 0-d outputs."""

    def end_iteration(self) -> None:
        """Write the end of an iteration."""

    def exchange(
        self,
        step: Value,
        steps: Index,
        iteration: Sequence[Statement],
        registers: Mapping[str, Operand],
        results: Sequence[tuple[Value, Operand | None]],
    ) -> None:
        """Write all iterations of an elementwise graph after one of them was written."""


def named(b: Builder, place: Buffer | None, view: View) -> Operand | None:
    """Give an array its name inside the loop, or return the value of a scalar."""
    if place is None:
        return b.load(view, [])
    b.alias(place, view.address)
    return None


class Ends:
    """A loop that ends after an iteration whose last result is true.

    Parameters
    ----------
    b
        Where to write.
    """

    def __init__(self, b: Builder) -> None:
        self.b = b
        self.count = b.declare("count", Literal(0, "int64"))
        self._more = b.declare("more", Literal(True, "bool"))

    @contextmanager
    def loop(self, steps: Index) -> Iterator[Index]:
        """Open the loop; the number of the iteration is given."""
        b = self.b
        with b.block() as test:
            left = b.let("lt", "bool", [self.count, b.operand(steps)])
            again = b.let("logical_and", "bool", [left, self._more])
        with b.block() as body:
            yield self.count.index
            b.assign(self.count, b.let("add", "int64", [self.count, Literal(1, "int64")]))
        b.emit(While(tuple(test), again, tuple(body)))

    def at(self, condition: Operand | None) -> None:
        """End after this iteration if a condition is true."""
        assert condition is not None
        self.b.assign(self._more, self.b.let("logical_not", "bool", [condition]))


class History:
    """All values of a history; each iteration reads some of them and writes one.

    Parameters
    ----------
    b
        Where to write.
    rows
        The values.
    before
        Number of initial values.
    taps
        Which of the last values an iteration reads.
    memory
        Where the values are, if their number is only known after the loop.
    """

    def __init__(
        self,
        b: Builder,
        rows: View,
        before: int,
        taps: Sequence[int],
        memory: RowMemory | None = None,
    ) -> None:
        self.b, self.rows, self.before, self.taps = b, rows, before, taps
        self.turns = None if memory is None else memory.turns
        if memory is not None and memory.turns is not None:
            b.emit(Alias(memory.name, Address(memory.reserved, Index.of(0))))
        # The last value, if it is a scalar: it is read from a register.
        self.last: Value | None = None

    def begin(self, start: View, body: Body) -> None:
        """Store the initial values."""
        body.start(self.rows.sliced(0, 0, self.before, 1), start)
        if self.rows.ndim == 1 and -1 in self.taps:
            self.last = self.b.declare("last", self.b.load(start, [self.before - 1]))

    def row(self, step: Index, tap: int) -> View:
        """Return the value of an iteration, or of one before."""
        return self.rows.item(0, step + (self.before + tap))

    def read(self, step: Index, places: Sequence[Buffer | None]) -> list[Operand | None]:
        """Name the taps; return those that are scalars."""
        return [
            self.last if tap == -1 and self.last else named(self.b, place, self.row(step, tap))
            for tap, place in zip(self.taps, places, strict=True)
        ]

    def write(self, step: Index, result: Operand | None) -> None:
        """Store the value of an iteration, unless it is an array, which was written there."""
        if result is not None:
            self.b.store(self.row(step, 0), [], result)
            if self.last:
                self.b.assign(self.last, result)


class States:
    """The states of a loop: scalars, arrays that are changed in place, and pairs of arrays.

    Parameters
    ----------
    b
        Where to write.
    steps
        Number of iterations.
    outputs
        Where the last states go.
    body, layout
        The graph of one iteration, and its inputs and outputs.
    """

    def __init__(
        self, b: Builder, steps: Index, outputs: Sequence[View], body: Body, layout: Layout
    ) -> None:
        self.b, self.steps, self.outputs = b, steps, outputs
        self.start = body.start
        self.is_there = body.is_there
        self.places = body.places[layout.first_state :]
        self.next_places, self.spare = (
            body.next_places[layout.histories :],
            body.spare[layout.histories :],
        )
        self.settled = body.settled[layout.histories :]
        self.may_end = layout.until
        self.totals: dict[int, Value] = {}
        self.pairs: dict[int, tuple[Buffer, Buffer]] = {}

    def begin(self, number: int, start: View) -> Operand | None:
        """Give a state its initial value; return it if it is a scalar."""
        b, output, place = self.b, self.outputs[number], self.places[number]
        if place is None:
            self.totals[number] = b.declare("state", b.load(start, []))
            return self.totals[number]
        spare = self.spare[number]
        if spare is None:
            self.start(output, start)
            b.alias(place, output.address)
            return None
        following = self.next_places[number]
        assert following is not None
        self.pairs[number] = place, following
        self._begin_pair(number, View.contiguous(spare, output.shape), start)
        return None

    def _begin_pair(self, number: int, spare: View, start: View) -> None:
        """Give two arrays the names that they have in the first iteration.

        The last iteration writes to the output, if it is known which one is the last: then an odd
        number of them begins in the spare array. Both arrays begin as the initial state if
        iterations leave its edges as they are.
        """
        b, output = self.b, self.outputs[number]
        place, following = self.pairs[number]
        odd = self._is_odd()
        if isinstance(odd, bool):
            first, second = (spare, output) if odd else (output, spare)
            b.emit(Alias(place, first.address))
            b.emit(Alias(following, second.address))
            self.start(first, start)
            if self.settled[number]:
                self.start(second, start)
            return
        b.emit(Choose(place, odd, spare.address, output.address))
        b.emit(Choose(following, odd, output.address, spare.address))
        if self.settled[number]:
            self.start(output, start)
            self.start(spare, start)
            return
        if not self.is_there(output, start):
            self.start(View.contiguous(place, output.shape), start)
            return
        with b.branch(odd):
            b.call("copy", spare.address, output.address, output.size)

    def _is_odd(self) -> Value | bool:
        """Return whether the iterations begin in the spare arrays."""
        b, steps = self.b, self.steps.constant
        if self.may_end:
            return False
        if steps is not None:
            return steps > 0 and steps % 2 == 1
        count = b.maximum(self.steps, 0, "count")
        last = b.let("and_", "int64", [b.operand(count), Literal(1, "int64")])
        return b.let("neq", "bool", [last, Literal(0, "int64")], "odd")

    def assign(self, results: Sequence[Operand | None]) -> None:
        """Give the states their next values, all at once: scalars, and the names of arrays."""
        totals = set(self.totals.values())
        following = {}
        for number in self.totals:
            result = results[number]
            assert result is not None
            following[number] = self.b.declare("next", result) if result in totals else result
        for number, total in self.totals.items():
            self.b.assign(total, following[number])
        for pair in self.pairs.values():
            self.b.emit(Swap(*pair))

    def end(self) -> None:
        """Store the scalars, and arrays that may not be in their outputs."""
        for number, total in self.totals.items():
            self.b.store(self.outputs[number], [], total)
        for number, (place, _) in self.pairs.items() if self.may_end else ():
            output = self.outputs[number]
            last = View.contiguous(place, output.shape)
            self.b.call("copy", output.address, last.address, output.size)
