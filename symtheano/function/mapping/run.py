"""Maps: their arguments, the calls for their chunks, and the results."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import closing
from typing import Any, NamedTuple

import numpy as np

from symtheano.codegen.threads import usable_threads
from symtheano.errors import MapError, ShapeError, format_error, printable_name
from symtheano.function.mapping.arguments import Arguments, refuse
from symtheano.function.mapping.chunks import chunk_length, default_memory
from symtheano.function.mapping.engines import Work, check_engine, open_pool
from symtheano.function.mapping.mapped import MappedFunction
from symtheano.function.mapping.progress import shown_progress
from symtheano.function.mapping.results import Joined, Output, Sink, Summed, sinks_of, unequal_rows

AHEAD = 1
"""Chunks that are read and computed ahead, in addition to one for each worker."""


class Plan(NamedTuple):
    """A map whose arguments are checked.

    Attributes
    ----------
    function
        The function.
    arguments
        The values of its inputs.
    chunk
        The number of rows of a chunk.
    engine, workers, retries
        The arguments of ``map``.
    """

    function: MappedFunction
    arguments: Arguments
    chunk: int
    engine: Any
    workers: int | None
    retries: int

    @staticmethod
    def of(
        function: MappedFunction,
        arrays: Any,
        whole: Any,
        axis: int,
        chunk: int | None,
        memory: int | None,
        engine: Any,
        workers: int | None,
        retries: int,
    ) -> Plan:
        """Check the arguments of ``map``, and choose the number of rows of a chunk."""
        label = function._label()
        refuse(function)
        check_engine(engine, label)
        for name, value, least in (
            ("axis", axis, 0), ("chunk", chunk, 1), ("memory", memory, 1), ("workers", workers, 1),
            ("retries", retries, 0),
        ):  # fmt: skip
            integer = isinstance(value, int | np.integer) and not isinstance(value, bool)
            if value is not None and not (integer and value >= least):
                what = f"{label}: map({name}={value!r}): must be a whole number, {least} or greater"
                raise ValueError(format_error(what))
        arguments = Arguments.read(function, arrays, whole, axis)
        if chunk is None:
            chunk = _chunk(function, arguments, memory, workers)
        return Plan(function, arguments, int(chunk), engine, workers, retries)

    @property
    def chunks(self) -> Iterator[tuple[int, int]]:
        """The first row of each chunk, and the row after its last; one without rows if none are."""
        rows = self.arguments.rows
        for start in range(0, max(rows, 1), self.chunk):
            yield start, min(start + self.chunk, rows)


def _chunk(
    function: MappedFunction, arguments: Arguments, memory: int | None, workers: int | None
) -> int:
    workers = workers or usable_threads()
    calls = workers + AHEAD
    total = default_memory(calls) if memory is None else memory
    plan = function.memory

    def cost(rows: int) -> int:
        args, named = arguments.samples(rows)
        return (
            arguments.bytes_of(rows)
            + int(plan.peak(*args, **named))
            + _device_bytes(plan, args, named)
        )

    rows, grain = arguments.rows, arguments.grain
    length, needed = chunk_length(cost, rows, total // calls, workers, grain)
    if needed > total // calls and memory is not None:
        what = (
            f"{function._label()}: map(memory={memory}) is too little: a chunk of one row needs "
            f"{needed} bytes, and {calls} calls may be under way"
        )
        hint = f"memory={needed * calls} is enough; fewer workers need less"
        raise ValueError(format_error(what, places=[function.origin], hint=hint))
    return length


def _device_bytes(plan: Any, args: Sequence[Any], named: dict[str, Any]) -> int:
    """Return the bytes that a call needs on a device."""
    return int(plan.device_peak(*args, **named)) if plan.device.all else 0


# -- calls -----------------------------------------------------------------------------------------


class _Begun(NamedTuple):
    start: int
    stop: int
    attempt: int
    future: Future[Any]


def _results(plan: Plan, ordered: bool) -> Generator[tuple[int, int, list[Any]], None, None]:
    """Yield the rows of chunks, and the outputs of their calls as lists."""
    arguments = plan.arguments
    work = Work(plan.function, arguments.whole, plan.workers, plan.function._label())
    chunks = plan.chunks
    begun: deque[_Begun] = deque()
    with closing(open_pool(plan.engine, work)) as pool:

        def begin(start: int, stop: int, attempt: int = 0) -> _Begun:
            future = pool.submit(arguments.parts(start, stop), arguments.order)
            return _Begun(start, stop, attempt, future)

        while True:
            while len(begun) < pool.workers + AHEAD and (chunk := next(chunks, None)) is not None:
                begun.append(begin(*chunk))
            if not begun:
                return
            one = begun.popleft() if ordered else _first_done(begun)
            try:
                result = one.future.result()
            except Exception as error:
                if one.attempt >= plan.retries:
                    raise _failed(plan, one, error) from error
                begun.appendleft(begin(one.start, one.stop, one.attempt + 1))
                continue
            yield one.start, one.stop, result


def _first_done(begun: deque[_Begun]) -> _Begun:
    """Take one whose call has ended, and wait until there is one."""
    wait([one.future for one in begun], return_when=FIRST_COMPLETED)
    one = next(one for one in begun if one.future.done())
    begun.remove(one)
    return one


def _failed(plan: Plan, one: _Begun, error: Exception) -> MapError:
    label, name = plan.function._label(), type(error).__name__
    first, _, rest = str(error).partition("\n")
    times = f" {one.attempt + 1} times" if one.attempt else ""
    what = f"{label}: map failed{times} for rows {one.start} to {one.stop}: {name}: {first}"
    # The error names the line of the function already if it has more lines.
    message = format_error(what, places=[] if rest else [plan.function.origin])
    if name == "BrokenProcessPool":
        message += (
            '\n  hint: a process ended. A script that maps with engine="processes" must do so below'
            '\n        if __name__ == "__main__": since each process imports it'
        )
    elif rest:
        message += f"\n{rest}"
    return MapError(message, one.start, one.stop)


def results_of(plan: Plan, ordered: bool, progress: Any) -> Iterator[tuple[slice, Any]]:
    """Return an iterator of pairs of a slice of rows and the result of its call."""
    shape = plan.function.request.shape_of_result

    def pairs() -> Iterator[tuple[slice, Any]]:
        with (
            shown_progress(progress, plan.arguments.rows) as done,
            closing(_results(plan, ordered)) as results,
        ):
            for start, stop, values in results:
                yield slice(start, stop), shape(values)
                done(stop - start)

    return pairs()


def collect(plan: Plan, reduce: Any, out: Any, progress: Any) -> Any:
    """Call the function for all chunks, and return the joined or reduced results."""
    request = plan.function.request
    rows, axis = plan.arguments.rows, plan.arguments.axis
    outputs = _outputs(plan.function)
    # A function that reduces gets results as calls return them.
    once, keys = callable(reduce), request.keys
    if once:
        outputs, keys = [outputs[0]._replace(name="the result")], ()
    sinks = sinks_of(outputs, keys, axis, rows, reduce, out)
    if not once:
        _check_rows(plan.arguments, outputs, sinks)
    with (
        shown_progress(progress, rows) as done,
        closing(_results(plan, ordered=True)) as results,
    ):
        for start, stop, values in results:
            taken = [request.shape_of_result(values)] if once else values
            for sink, value in zip(sinks, taken, strict=True):
                sink.take(start, stop, value)
            done(stop - start)
    reduced = [sink.value() for sink in sinks]
    return reduced[0] if once else request.shape_of_result(reduced)


def _check_rows(arguments: Arguments, outputs: Sequence[Output], sinks: Sequence[Sink]) -> None:
    """Raise an error for outputs that can't be joined or added, before anything is computed."""
    axis = arguments.axis
    pairs = zip(outputs, sinks, arguments.mapped_outputs(), strict=True)
    for number, (output, sink, has_rows) in enumerate(pairs):
        if isinstance(sink, Joined) and has_rows is False:
            raise unequal_rows(output, axis, arguments.shape_of(number))
        if isinstance(sink, Summed) and has_rows:
            what = f"{output.name} has a row for each of the chunk, and so it can't be added"
            hint = f"reduce over rows in the function, as by .sum(axis={axis})"
            raise ShapeError(output.message(what, hint=f"{hint}; map reduces over chunks"))


def _outputs(function: MappedFunction) -> list[Output]:
    request = function.request
    keys = request.keys or [None] * len(request.outputs)
    label, place = function._label(), function.origin
    return [
        Output(label, f"output {printable_name(key or output.name or number)}", place)
        for number, (key, output) in enumerate(zip(keys, request.outputs, strict=True))
    ]
