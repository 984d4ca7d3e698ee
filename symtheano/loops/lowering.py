"""Scans in LoopIR: the loop over the iterations, around or inside the loops over elements."""

from __future__ import annotations

from collections.abc import Sequence

from symtheano.loopir import Builder, Index, Value, View
from symtheano.loopir.operands import Operand
from symtheano.loops.carried import Body, Ends, History, States, named
from symtheano.loops.growth import Room
from symtheano.loops.layout import Layout


def write_scan(
    b: Builder,
    layout: Layout,
    inputs: Sequence[View],
    outputs: Sequence[View],
    scalars: Sequence[Index],
    body: Body,
) -> None:
    """Write the loop, and the values' way through it.

    Parameters
    ----------
    b
        Where to write.
    layout
        The inputs and outputs.
    inputs, outputs
        The arrays of the op.
    scalars
        The number of iterations, and of rows for which memory is reserved.
    body
        The graph of one iteration.
    """
    steps = scalars[0]
    if body.is_elementwise:
        _write_elements(b, layout, inputs, outputs, steps, body)
        return
    values: list[Operand | None] = [None] * len(body.places)
    histories = [
        History(b, outputs[number], layout.rows_before(number), taps, body.rows[number])
        for number, taps in enumerate(layout.taps)
    ]
    room = Room(b, scalars, histories)
    for number, history in enumerate(histories):
        initial = layout.initial(number)
        if initial is not None:
            history.begin(inputs[initial], body)
    states = States(b, steps, outputs[layout.last_states], body, layout)
    for number in range(layout.states):
        start = inputs[layout.initial_state + number]
        values[layout.first_state + number] = states.begin(number, start)
    _name_others(b, layout, inputs, body, values)
    ends = Ends(b) if layout.until else None
    with b.loop("step", steps) if ends is None else ends.loop(steps) as step:
        values[0] = b.operand(step)
        room.provide(step)
        _read_rows(b, layout, inputs, step, body, values)
        for number, history in enumerate(histories):
            place = layout.first_tap(number)
            taps = body.places[place : place + len(history.taps)]
            values[place : place + len(taps)] = history.read(step, taps)
            following = body.next_places[number]
            if following is not None:
                b.alias(following, history.row(step, 0).address)
        results = body.write_iteration(values)
        # A value that an iteration passes on is read before a history replaces it.
        lasts = {history.last for history in histories if history.last}
        results = [b.declare("next", item) if item in lasts else item for item in results]
        for history, result in zip(histories, results, strict=False):
            history.write(step, result)
        states.assign(results[layout.last_states])
        if ends is not None:
            ends.at(results[-1])
        body.end_iteration()
    states.end()
    if ends is not None:
        b.store(outputs[-1], [], ends.count)


def _write_elements(
    b: Builder,
    layout: Layout,
    inputs: Sequence[View],
    outputs: Sequence[View],
    steps: Index,
    body: Body,
) -> None:
    """Write a kernel in which each element goes through all iterations.

    The arrays of states are the outputs, which begin as initial states, unless all elements of
    these are one number.
    """
    values: list[Operand | None] = [None] * len(body.places)
    totals: dict[int, Value] = {}
    registers: dict[str, Operand] = {}
    for number in range(layout.states):
        start, output = inputs[layout.initial_state + number], outputs[number]
        place = body.places[layout.first_state + number]
        if place is None:
            totals[number] = b.declare("state", b.load(start, []))
            values[layout.first_state + number] = totals[number]
            continue
        if start.buffer.name in b.registers:
            registers[output.buffer.name] = b.registers[start.buffer.name]
        else:
            body.start(output, start)
        for name in (place, body.next_places[number]):
            if name is not None:
                b.alias(name, output.address)
    _name_others(b, layout, inputs, body, values)
    step = b.value("step", "int64")
    with b.block() as iteration:
        values[0] = step
        _read_rows(b, layout, inputs, step.index, body, values)
        next_states = body.write_iteration(values)
    results = [(total, next_states[number]) for number, total in totals.items()]
    body.exchange(step, steps, iteration, registers, results)
    for number, total in totals.items():
        b.store(outputs[number], [], total)


def _name_others(
    b: Builder,
    layout: Layout,
    inputs: Sequence[View],
    body: Body,
    values: list[Operand | None],
) -> None:
    """Name what is the same in all iterations."""
    first = layout.states_before.stop
    for number, view in enumerate(inputs[layout.initial_states.stop :], first):
        values[number] = named(b, body.places[number], view)


def _read_rows(
    b: Builder,
    layout: Layout,
    inputs: Sequence[View],
    step: Index,
    body: Body,
    values: list[Operand | None],
) -> None:
    """Name the rows of sequences, or load them."""
    for number in range(1, 1 + layout.sequences):
        values[number] = named(b, body.places[number], inputs[number].item(0, step))
