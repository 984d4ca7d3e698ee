"""Measure the calls per second of an expression, compared with the NumPy interpreter."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import click
import numpy as np

import symtheano
from symtheano.cli.program import Command
from symtheano.cli.screen import print_json, print_table
from symtheano.cli.target import MODE_NAMES, Target, read, target_options, threads_option
from symtheano.cli.trouble import Trouble
from symtheano.collector import collector_paused
from symtheano.errors import printable, printable_name
from symtheano.function import Function
from symtheano.graph.shared import SharedVariable

_BLOCKS = 20
_SEED = 20240229
_LARGEST_INTEGER = 10


@click.command("bench", cls=Command)
@target_options
@click.option(
    "--shapes",
    metavar="SHAPES",
    default="",
    help="Shapes of inputs: x=100x10,y=100; of a scalar: nothing.",
)
@click.option(
    "--size",
    default=100,
    show_default=True,
    metavar="N",
    type=click.IntRange(min=0),
    help="Length of every dim that is not known and not set by --shapes.",
)
@click.option(
    "--against",
    default="INTERPRET",
    show_default=True,
    type=click.Choice([*MODE_NAMES, "none"]),
    help="The mode to compare with; INTERPRET is NumPy.",
)
@click.option(
    "--seconds",
    default=2.0,
    show_default=True,
    metavar="S",
    type=click.FloatRange(min=0.01),
    help="Total time of the measurement.",
)
@threads_option
def bench_command(
    place: str, as_json: bool, shapes: str, size: int, against: str, seconds: float, **choices: Any
) -> None:  # fmt: skip
    """Measure the number of calls of FILE:NAME per second.

    Inputs are random numbers between 0 and 1, or random integers from 0 to 9; they are the same in
    every run. Blocks of calls alternate between the modes, so that other load on the machine
    affects both. Quartiles are taken over blocks.

    For example:
      symtheano bench model.py:loss --shapes x=500x784,y=500
      symtheano bench model.py:loss --wrt W --against FAST_COMPILE --json
    """
    with read(place, **choices) as target:
        function = target.compiled()
        values = input_values(function.inputs, read_shapes(shapes, function.inputs), size)
        subjects = {function.mode.linker if target.function else symtheano.config.mode: function}
        if against != "none":
            subjects[f"{against} (against)" if against in subjects else against] = _other(
                target, against
            )
        with np.errstate(all="ignore"), collector_paused():
            _try(subjects.values(), values)
            measured = measure([_call(f, values) for f in subjects.values()], seconds)
    results = dict(zip(subjects, map(Rates.of, measured), strict=True))
    if as_json:
        inputs = [
            {"name": v.name, "dtype": v.dtype, "shape": list(value.shape)}
            for v, value in zip(function.inputs, values, strict=True)
        ]
        print_json({"inputs": inputs, "calls_per_second": {k: vars(r) for k, r in results.items()}})
    else:
        _print(target, function.inputs, values, results)


def _other(target: Target, mode: str) -> Function:
    """Compile the target's graph in another mode; updates are computed and not stored."""
    if target.function is None:
        outputs, inputs = target.outputs, target.inputs
    else:
        graph, inputs = target.function.user_graph, list(target.function.user_graph.inputs)
        outputs = list(graph.outputs)
        inputs = [item for item in inputs if not isinstance(item, SharedVariable)]
    other: Function = symtheano.function(
        inputs, outputs, mode=mode, on_unused_input="ignore", no_default_updates=True
    )
    return other


# -- inputs --------------------------------------------------------------------------------------


def read_shapes(text: str, inputs: Sequence[Any]) -> dict[str, tuple[int, ...]]:
    """Read ``x=100x10,y=100``.

    Examples
    --------
    >>> read_shapes("x=100x10, s=", [T.matrix("x"), T.scalar("s")])
    {'x': (100, 10), 's': ()}
    """
    ndims = {variable.name: variable.ndim for variable in inputs}
    shapes = {}
    for item in filter(None, (part.strip() for part in text.split(","))):
        name, equals, lengths = (part.strip() for part in item.partition("="))
        if not equals or not re.fullmatch(r"(\d+(x\d+)*)?", lengths, re.ASCII):
            raise Trouble(f"--shapes: {item!r} is not like x=100x10")
        if name not in ndims:
            names = ", ".join(str(input_name) for input_name in ndims) or "none"
            raise Trouble(f"--shapes: there is no input {name}; the inputs are {names}")
        shape = tuple(map(int, lengths.split("x"))) if lengths else ()
        if len(shape) != ndims[name]:
            raise Trouble(f"--shapes: {name} has {ndims[name]} dims, {item} gives {len(shape)}")
        shapes[name] = shape
    return shapes


def input_values(
    inputs: Sequence[Any], shapes: Mapping[str, tuple[int, ...]], size: int
) -> list[np.ndarray[Any, Any]]:
    """Return random values of the inputs' dtypes, the same in every run."""
    random = np.random.default_rng(_SEED)
    values = []
    for variable in inputs:
        default_shape = tuple(size if dim is None else dim for dim in variable.type.shape)
        shape = shapes.get(variable.name, default_shape)
        kind = np.dtype(variable.dtype).kind
        value: Any
        if kind == "b":
            value = random.random(shape) < 0.5
        elif kind in "iu":
            value = random.integers(0, _LARGEST_INTEGER, shape)
        elif kind == "c":
            value = random.random(shape) + 1j * random.random(shape)
        else:
            value = random.random(shape)
        values.append(np.asarray(value).astype(variable.dtype))
    return values


# -- measuring -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Rates:
    """Calls per second: the median block, the quartiles, and the slowest block."""

    median: float
    lower_quartile: float
    upper_quartile: float
    worst: float
    blocks: int

    @staticmethod
    def of(rates: Sequence[float]) -> Rates:
        """Summarize the rates of blocks.

        Examples
        --------
        >>> Rates.of([1.0, 2.0, 3.0, 4.0, 5.0])
        Rates(median=3.0, lower_quartile=2.0, upper_quartile=4.0, worst=1.0, blocks=5)
        """
        lower, median, upper = (float(q) for q in np.percentile(rates, [25, 50, 75]))
        return Rates(median, lower, upper, min(rates), len(rates))


def measure(calls: Sequence[Callable[[], Any]], seconds: float) -> list[list[float]]:
    """Return the calls per second of the interleaved blocks of several functions."""
    share = seconds / (_BLOCKS * len(calls))
    lengths = [_block_length(call, share) for call in calls]
    rates: list[list[float]] = [[] for _ in calls]
    for _ in range(_BLOCKS):
        for call, length, own in zip(calls, lengths, rates, strict=True):
            own.append(length / max(_time(call, length), 1e-9))
    return rates


def _block_length(call: Callable[[], Any], share: float) -> int:
    """Return the number of calls per block, determined by measurement."""
    length = 1
    while True:
        taken = _time(call, length)
        if taken > share / 2 or length >= 1_000_000:
            return max(1, round(length * share / max(taken, 1e-9)))
        length *= 4


def _time(call: Callable[[], Any], times: int) -> float:
    started = time.perf_counter()
    for _ in range(times):
        call()
    return time.perf_counter() - started


def _call(function: Function, values: Sequence[Any]) -> Callable[[], Any]:
    return lambda: function(*values)


def _try(functions: Iterable[Function], values: Sequence[Any]) -> None:
    """Call each function once; add a hint if the values are rejected."""
    try:
        for one in functions:
            one(*values)
    except (ValueError, IndexError) as error:
        raise Trouble(f"{error}\n  hint: give fitting shapes with --shapes or --size") from None


# -- showing -------------------------------------------------------------------------------------


def _print(
    target: Target, inputs: Sequence[Any], values: Sequence[Any], results: Mapping[str, Rates]
) -> None:
    shapes = [
        f"{printable_name(v.name or 'input')}: {v.dtype} {'x'.join(map(str, a.shape)) or 'scalar'}"
        for v, a in zip(inputs, values, strict=True)
    ]
    click.echo(printable(f"{target.name}({', '.join(shapes)})\n"))
    first = next(iter(results.values()))
    rows = [
        (
            name,
            *map(_rate, (r.median, r.lower_quartile, r.upper_quartile, r.worst)),
            f"{1e6 / r.median:,.1f}",
            f"{first.median / r.median:.2f}x",
        )
        for name, r in results.items()
    ]
    columns = ("calls per second", "median", "25%", "75%", "worst", "us/call", "first is")
    print_table(columns, rows, columns[1:])


def _rate(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
