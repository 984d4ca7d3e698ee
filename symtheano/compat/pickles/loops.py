"""Loops of pickles, which become loops of symtheano.

An op ``Scan`` of Theano gets for each state an array with the initial values and room for all
others, and returns this array. Its inputs are the number of iterations, sequences, states of a
gradient (``mit_mot``: several values are read and written), states of several earlier values
(``mit_sot``) and of one (``sit_sot``), states of which the last value is returned (``shared``), the
lengths of outputs without initial values (``nit_sot``), and what is the same in each iteration. The
inputs of its step have the same order, and so have the outputs of both.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

import symtheano.tensor as T
from symtheano.compat.pickles.records import Record
from symtheano.graph.walk import replace
from symtheano.loops.scan import scan, until


class _Inputs(NamedTuple):
    """The inputs of an op, by kind."""

    steps: Any
    sequences: list[Any]
    gradients: list[Any]
    several: list[Any]
    one: list[Any]
    shared: list[Any]
    others: list[Any]


def _read(op: Record, inputs: Sequence[Any]) -> _Inputs:
    """Return the inputs by kind."""
    left = iter(inputs)
    steps = next(left)
    sequences, gradients, several, one, shared, _ = (
        _next(left, op.get(name, 0))
        for name in ("n_seqs", "n_mit_mot", "n_mit_sot", "n_sit_sot", "n_shared_outs", "n_nit_sot")
    )
    return _Inputs(steps, sequences, gradients, several, one, shared, list(left))


def loop(op: Record, *inputs: Any) -> list[Any]:
    """Return what a loop computes.

    Parameters
    ----------
    op
        The op ``Scan``, with its step as a graph.
    inputs
        Its inputs.
    """
    outer = _read(op, inputs)
    taps = [list(map(int, each)) for each in op.get("tap_array")]
    of_gradients, of_several = taps[: len(outer.gradients)], taps[len(outer.gradients) :]
    written = [list(map(int, each)) for each in op.get("mit_mot_out_slices", ())]
    before = [-min(each) for each in of_several[: len(outer.several)]] + [1] * len(outer.one)
    stored = [*outer.several, *outer.one]
    infos: list[Any] = [
        *outer.gradients,
        *({"initial": buffer[:count], "taps": each}
          for buffer, count, each in zip(outer.several, before, of_several, strict=False)),
        *(buffer[0] for buffer in outer.one),
        *[None] * op.get("n_nit_sot", 0),
        *outer.shared,
    ]  # fmt: skip

    def step(*arguments: Any) -> Any:
        left = iter(arguments)
        number = next(left)
        rows = _next(left, len(outer.sequences))
        buffers = _next(left, len(outer.gradients))
        # Of the states of gradients, the step takes values, and the loop has the whole arrays.
        read = [
            buffer[number - min(each) + tap]
            for buffer, each in zip(buffers, of_gradients, strict=True)
            for tap in each
        ]
        step_inputs = [*rows, *read, *left]
        results = iter(_replaced(op, step_inputs))
        changed = [
            _stored(buffer, number - min(each), places, results)
            for buffer, each, places in zip(buffers, of_gradients, written, strict=True)
        ]
        new = list(results)
        if op.get("as_while"):
            return [*changed, *new[:-1]], until(new[-1])
        return [*changed, *new]

    states, _ = scan(
        step,
        sequences=[T.arange(outer.steps), *(each[: outer.steps] for each in outer.sequences)],
        outputs_info=infos,
        non_sequences=outer.others,
        n_steps=outer.steps,
        truncate_gradient=int(op.get("truncate_gradient", -1)),
        name=op.get("name"),
        return_list=True,
    )
    left = iter(states)
    ends = zip(_next(left, len(outer.gradients)), outer.gradients, strict=True)
    kept = zip(_next(left, len(stored)), stored, before, strict=True)
    return [
        *(_last(state, start) for state, start in ends),
        *(T.concatenate([buffer[:count], state]) for state, buffer, count in kept),
        *_next(left, op.get("n_nit_sot", 0)),
        *(_last(state, start) for state, start in zip(left, outer.shared, strict=True)),
    ]


def _next(items: Iterator[Any], count: int) -> list[Any]:
    """Return the next items."""
    return list(islice(items, count))


def _replaced(op: Record, inputs: Sequence[Any]) -> list[Any]:
    """Return the results of the step for inputs; a constant in the graph remains one."""
    given = dict(zip(op.get("inputs"), inputs, strict=True))
    return replace(list(op.get("outputs")), given)


def _stored(buffer: Any, start: Any, places: Sequence[int], results: Iterator[Any]) -> Any:
    """Return an array into which the next results are written."""
    for place in places:
        buffer = T.set_subtensor(buffer[start + place], next(results))
    return buffer


def _last(states: Any, start: Any) -> Any:
    """Return the last of the values of a state; without an iteration, its initial value."""
    return T.concatenate([T.shape_padleft(start), states])[-1]
