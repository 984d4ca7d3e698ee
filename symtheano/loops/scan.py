"""scan: loops over sequences, with values passed from one iteration to the next."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, overload

from symtheano.gradient.backward import as_variable
from symtheano.keywords import explained
from symtheano.loops.step import (
    Past,
    TracedStep,
    listed,
    read_output,
    read_sequence,
    read_steps,
    until,
)
from symtheano.scalar.operand import Tensor
from symtheano.tensor.basic import cast
from symtheano.updates import OrderedUpdates

__all__ = ["foldl", "foldr", "map", "reduce", "scan", "until"]

_ATTEMPTS = 3


@overload
def scan(
    fn: Callable[..., Tensor], sequences: Any = None, outputs_info: Any = None,
    non_sequences: Any = None, n_steps: Any = None, truncate_gradient: int = -1,
    go_backwards: bool = False, mode: Any = None, name: str | None = None, profile: Any = False,
    allow_gc: bool | None = None, strict: bool = False, return_list: Literal[False] = False,
) -> tuple[Tensor, OrderedUpdates]: ...  # fmt: skip
@overload
def scan(
    fn: Callable[..., tuple[Tensor, ...] | list[Tensor]], sequences: Any = None,
    outputs_info: Any = None, non_sequences: Any = None, n_steps: Any = None,
    truncate_gradient: int = -1,
    go_backwards: bool = False, mode: Any = None, name: str | None = None, profile: Any = False,
    allow_gc: bool | None = None, strict: bool = False, return_list: bool = False,
) -> tuple[list[Tensor], OrderedUpdates]: ...  # fmt: skip
@overload
def scan(
    fn: Callable[..., Any], sequences: Any = None, outputs_info: Any = None,
    non_sequences: Any = None, n_steps: Any = None, truncate_gradient: int = -1,
    go_backwards: bool = False, mode: Any = None, name: str | None = None, profile: Any = False,
    allow_gc: bool | None = None, strict: bool = False, return_list: bool = False,
) -> tuple[Any, OrderedUpdates]: ...  # fmt: skip
@explained(
    {
        "f": "fn", "step": "fn", "sequence": "sequences", "xs": "sequences",
        "init": "outputs_info", "initial": "outputs_info", "length": "n_steps",
        "steps": "n_steps", "reverse": "go_backwards",
    }
)  # fmt: skip
def scan(
    fn: Callable[..., Any],
    sequences: Any = None,
    outputs_info: Any = None,
    non_sequences: Any = None,
    n_steps: Any = None,
    truncate_gradient: int = -1,
    go_backwards: bool = False,
    mode: Any = None,
    name: str | None = None,
    profile: bool = False,
    allow_gc: bool | None = None,
    strict: bool = False,
    return_list: bool = False,
) -> tuple[Any, OrderedUpdates]:
    """Run a function repeatedly: over rows of sequences, with values of earlier iterations.

    Parameters
    ----------
    fn
        The step, a function of symbolic variables. Its arguments are, in this order: one for each
        tap of each sequence, one for each tap of each output with initial values, and the
        non-sequences. It returns, in this order: the outputs, updates of shared variables (a dict
        or pairs), and an :class:`until`. Each of these may be missing.
    sequences
        Arrays with one row per iteration, or dicts ``{"input": array, "taps": [-1, 0]}``. Tap ``k``
        is the row of the iteration ``k`` iterations later. No rows before the first or after the
        last one are read, so taps reduce the number of iterations.
    outputs_info
        For each output: its initial value, None for no initial value, or a dict
        ``{"initial": values, "taps": [-2, -1]}``. In a dict, the initial values have a leading axis
        unless the taps are ``[-1]``. Taps are negative: -1 is the value from the previous
        iteration.
    non_sequences
        Values that are the same in all iterations. Other variables that ``fn`` uses are added
        automatically. As in Theano, a random variable that is added automatically is drawn anew in
        each iteration, and one that is given here is drawn once.
    n_steps
        Number of iterations; by default the number of rows of the shortest sequence. If it is
        negative, the sequences are read backwards. With :class:`until` it is a limit. The limit may
        be large: the memory for outputs depends on the iterations that run.
    truncate_gradient
        Number of iterations, counted from the last one, through which gradients are propagated; -1
        for all.
    go_backwards
        Whether sequences are read from their ends.
    mode, profile, allow_gc
        Accepted for compatibility with Theano. The loop is part of the compiled function.
    name
        Name for printing.
    strict
        Whether it is an error if ``fn`` uses a variable that is not in ``non_sequences``. With
        ``config.theano_semantics``, only shared variables are checked.
    return_list
        Whether to return a list even for one output.

    Returns
    -------
    outputs
        For each output, an array of its values without the initial ones. A list if there are
        several outputs; None if there are none.
    updates
        The new values of the shared variables that ``fn`` updates; pass them to ``function``. For
        variables with default updates, such as states of random variables, ``function`` finds the
        new values itself.

    Raises
    ------
    MissingInputError
        If ``strict`` is true and a variable is missing.
    TypeError
        If an output does not have the type of its initial value.
    ValueError
        If taps are invalid, or the number of iterations is unknown.

    Examples
    --------
    >>> x, start = T.dvector("x"), T.dscalar("start")
    >>> sums, _ = scan(lambda row, total: total + row, sequences=x, outputs_info=start)
    >>> sums.eval({x: [1.0, 2.0, 3.0], start: 10.0})
    array([11., 13., 16.])
    """
    outputs, updates = iterated(
        *(fn, sequences, outputs_info, non_sequences, n_steps),
        *(truncate_gradient, go_backwards, name, strict),
    )
    if len(outputs) == 1 and not return_list:
        return outputs[0], updates
    return (outputs or None) if not return_list else outputs, updates


def iterated(
    fn: Callable[..., Any],
    sequences: Any,
    outputs_info: Any,
    non_sequences: Any,
    n_steps: Any,
    truncate_gradient: int = -1,
    go_backwards: bool = False,
    name: str | None = None,
    strict: bool = False,
    stores: bool = True,
) -> tuple[list[Any], OrderedUpdates]:
    """Return the outputs of a scan as a list, and its updates.

    ``stores``: whether the first run may store values of the step for the gradient.
    """
    sequence_rows = [read_sequence(item) for item in listed(sequences)]
    infos = [read_output(item) for item in listed(outputs_info)]
    fixed = [as_variable(item) for item in listed(non_sequences)]
    steps, backwards = read_steps(n_steps, sequence_rows, go_backwards)
    for _ in range(_ATTEMPTS):
        trace = TracedStep(fn, sequence_rows, infos, fixed, strict)
        wider = trace.wider_starts()
        if not any(kind is not None for kind in wider):
            break
        infos = [
            info if kind is None or info is None else Past(cast(info.initial, kind), info.taps)
            for info, kind in zip(trace.infos, wider, strict=True)
        ]
    return trace.build(steps, backwards, truncate_gradient, name, stores)


# -- short forms -----------------------------------------------------------------------------------


def map(
    fn: Callable[..., Any],
    sequences: Any,
    non_sequences: Any = None,
    truncate_gradient: int = -1,
    go_backwards: bool = False,
    mode: Any = None,
    name: str | None = None,
) -> tuple[Any, OrderedUpdates]:
    """Apply a function to each row of the sequences.

    The arguments and results are those of :func:`scan`.

    Examples
    --------
    >>> x = T.dvector("x")
    >>> squares, _ = map(lambda row: row**2, x)
    >>> squares.eval({x: [1.0, 2.0, 3.0]})
    array([1., 4., 9.])
    """
    return scan(
        fn, sequences, None, non_sequences, None, truncate_gradient, go_backwards, mode, name
    )


def reduce(
    fn: Callable[..., Any],
    sequences: Any,
    outputs_info: Any,
    non_sequences: Any = None,
    go_backwards: bool = False,
    mode: Any = None,
    name: str | None = None,
) -> tuple[Any, OrderedUpdates]:
    """Combine the rows of the sequences into the last value of each output.

    The arguments are those of :func:`scan`.

    Examples
    --------
    >>> x = T.dvector("x")
    >>> product, _ = reduce(lambda row, total: row * total, x, T.constant(1.0))
    >>> float(product.eval({x: [2.0, 3.0, 4.0]}))
    24.0
    """
    outputs, updates = scan(
        fn, sequences, outputs_info, non_sequences, None, -1, go_backwards, mode, name
    )
    if isinstance(outputs, list):
        return [item[-1] for item in outputs], updates
    return outputs[-1], updates


def foldl(
    fn: Callable[..., Any],
    sequences: Any,
    outputs_info: Any,
    non_sequences: Any = None,
    mode: Any = None,
    name: str | None = None,
) -> tuple[Any, OrderedUpdates]:
    """Combine the rows of the sequences, from first to last; see :func:`reduce`.

    Examples
    --------
    >>> x = T.dvector("x")
    >>> value, _ = foldl(lambda row, total: 10 * total + row, x, T.constant(0.0))
    >>> float(value.eval({x: [1.0, 2.0, 3.0]}))
    123.0
    """
    return reduce(fn, sequences, outputs_info, non_sequences, False, mode, name)


def foldr(
    fn: Callable[..., Any],
    sequences: Any,
    outputs_info: Any,
    non_sequences: Any = None,
    mode: Any = None,
    name: str | None = None,
) -> tuple[Any, OrderedUpdates]:
    """Combine the rows of the sequences, from last to first; see :func:`reduce`.

    Examples
    --------
    >>> x = T.dvector("x")
    >>> value, _ = foldr(lambda row, total: 10 * total + row, x, T.constant(0.0))
    >>> float(value.eval({x: [1.0, 2.0, 3.0]}))
    321.0
    """
    return reduce(fn, sequences, outputs_info, non_sequences, True, mode, name)
