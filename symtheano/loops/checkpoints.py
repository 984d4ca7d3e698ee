"""Scans whose gradient stores only some of the values, and recomputes the others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from symtheano.errors import format_error
from symtheano.graph.origin import current_origin
from symtheano.loops.arguments import check_arguments
from symtheano.loops.scan import iterated
from symtheano.loops.step import listed, read_results, read_sequence, read_steps
from symtheano.scalar import table as scalar
from symtheano.tensor.basic import as_tensor_variable
from symtheano.tensor.creation.ranges import arange
from symtheano.updates import OrderedUpdates


def scan_checkpoints(
    fn: Callable[..., Any],
    sequences: Any = (),
    outputs_info: Any = None,
    non_sequences: Any = (),
    name: str | None = "checkpointscan_fn",
    n_steps: Any = None,
    save_every_N: int = 10,
    padding: bool = True,
) -> tuple[Any, OrderedUpdates]:
    """Iterate as :func:`symtheano.scan`, but store only every ``save_every_N``-th value.

    The gradient recomputes the iterations between two stored values, so each iteration runs twice.
    With T iterations and N = ``save_every_N``, T / N values are stored all the time and N more
    while the gradient is computed. The total is smallest if N is about the square root of T.

    Parameters
    ----------
    fn, sequences, outputs_info, non_sequences, name, n_steps
        As for :func:`symtheano.scan`, with restrictions: the only tap of sequences is 0, the only
        tap of outputs is -1, and every output has an initial value.
    save_every_N
        Number of iterations between two stored values, at least 1.
    padding
        Whether the number of iterations need not be a multiple of ``save_every_N``. If false,
        iterations after the last multiple are omitted.

    Returns
    -------
    outputs
        For each output, the array of the stored values: those after N, 2 N, ... iterations, and the
        last one.
    updates
        The new values of shared variables.

    Raises
    ------
    ValueError
        If ``save_every_N`` is not positive, or the number of iterations is unknown.
    NotImplementedError
        For taps, outputs without an initial value, and conditions that end the loop.

    Notes
    -----
    The method is that of Chen, Xu, Zhang and Guestrin, Training deep nets with sublinear memory
    cost, 2016.

    Examples
    --------
    >>> x = T.dvector("x")
    >>> sums, _ = scan_checkpoints(
    ...     lambda row, total: total + row, x, T.constant(0.0), save_every_N=2
    ... )
    >>> sums.eval({x: [1.0, 2.0, 3.0, 4.0, 5.0]})
    array([ 3., 10., 15.])
    """
    sequence_rows = [read_sequence(item) for item in listed(sequences)]
    if any(item.taps != (0,) for item in sequence_rows):
        raise NotImplementedError("scan_checkpoints: a sequence with taps is not supported")
    rows = [item.variable for item in sequence_rows]
    starts = [_initial(item) for item in listed(outputs_info)]
    fixed = [as_tensor_variable(item) for item in listed(non_sequences)]
    check_arguments(
        "scan_checkpoints", fn, [(item, [0]) for item in rows], [[-1] for _ in starts], fixed
    )
    every = _every(save_every_N)
    steps, backwards = read_steps(n_steps, sequence_rows, False, "scan_checkpoints")
    if backwards:
        raise NotImplementedError("scan_checkpoints: a negative n_steps is not supported")
    pieces = (steps + (every - 1)) // every if padding else steps // every

    def run(piece: Any, *arguments: Any) -> Any:
        values, others = arguments[: len(starts)], arguments[len(starts) :]
        first = piece * every

        def step(number: Any, *read: Any) -> Any:
            before, same = read[: len(starts)], read[len(starts) :]
            position = scalar.minimum(first + number, steps - 1)
            arrays, fixed = same[: len(rows)], same[len(rows) :]
            returned = fn(*(array[position] for array in arrays), *before, *fixed)
            results, changes, condition = read_results(returned)
            if condition is not None:
                raise NotImplementedError(
                    "scan_checkpoints: a condition that ends the loop is not supported"
                )
            if padding:  # the values after the last iteration stay as they are
                goes_on = scalar.lt(first + number, steps)
                results = [scalar.switch(goes_on, new, old)
                           for new, old in zip(results, before, strict=True)]  # fmt: skip
            return results, changes

        histories, updates = iterated(step, arange(every), list(values), list(others), every)
        return [item[-1] for item in histories], updates

    outputs, updates = iterated(
        run, arange(pieces), starts, [*rows, *fixed], None, name=name, stores=False
    )
    return outputs[0] if len(outputs) == 1 else outputs, updates


def _initial(item: Any) -> Any:
    if isinstance(item, dict):
        if item.get("taps") not in (None, -1, [-1], (-1,)):
            raise NotImplementedError("scan_checkpoints: an output with taps is not supported")
        item = item.get("initial")
    if item is None:
        raise NotImplementedError(
            "scan_checkpoints: an output without an initial value is not supported"
        )
    return as_tensor_variable(item)


def _every(save_every_n: Any) -> int:
    """Return the number of iterations between two kept values."""
    every = int(save_every_n)
    if every < 1:
        raise ValueError(
            format_error(
                f"scan_checkpoints: save_every_N is {save_every_n}", places=[current_origin()]
            )
        )
    return every
