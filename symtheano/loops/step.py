"""The step of a scan: its inputs, and the graph of one iteration."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from symtheano.config import config
from symtheano.dtypes import upcast
from symtheano.errors import MissingInputError, describe_value, format_error
from symtheano.graph.eager import quiet
from symtheano.graph.origin import current_origin
from symtheano.graph.shared import SharedVariable
from symtheano.graph.variable import Constant
from symtheano.graph.walk import free_inputs, replace
from symtheano.loops.arguments import check_arguments
from symtheano.loops.scan_op import Scan
from symtheano.loops.updated import start_of, updates_of_loops
from symtheano.scalar import table as scalar
from symtheano.tensor.basic import as_tensor_variable, cast
from symtheano.tensor.messages import build_message
from symtheano.tensor.shapes.axes import expand_dims
from symtheano.tensor.shapes.join import stack
from symtheano.tensor.shapes.shape import shape_i
from symtheano.tensor.type import TensorType
from symtheano.updates import OrderedUpdates


class until:
    """A condition that ends a loop: a step of ``scan`` returns it after its outputs.

    Parameters
    ----------
    condition
        0-d expression. The iteration in which it is true (not zero) is the last one.

    Examples
    --------
    >>> from symtheano import scan
    >>> def step(x):
    ...     return x * 2, until(x * 2 > 50)
    >>> values, _ = scan(step, outputs_info=T.constant(1), n_steps=100)
    >>> [int(value) for value in values.eval()]
    [2, 4, 8, 16, 32, 64]
    """

    def __init__(self, condition: Any) -> None:
        self.condition = as_tensor_variable(condition)
        if self.condition.ndim != 0:
            raise TypeError(
                build_message(
                    f"until: the condition has {self.condition.ndim} dims",
                    self.condition,
                    hint="use all() or any() of it",
                )
            )


@dataclass
class Rows:
    """A sequence, and which of its rows an iteration reads, relative to its number."""

    variable: Any
    taps: tuple[int, ...]

    def rows(self, tap: int, reverse: bool) -> Any:
        """Return the rows that iterations read at one tap."""
        before, after = min(0, *self.taps), max(0, *self.taps)
        start, stop = tap - before, tap - after
        rows = self.variable[start : stop or None] if before != after else self.variable
        return rows[::-1] if reverse else rows


@dataclass
class Past:
    """A result of the step: its initial values, with a leading axis, and the taps."""

    initial: Any
    taps: tuple[int, ...]

    @property
    def before(self) -> int:
        """Number of initial values."""
        return -min(self.taps, default=0)


# -- arguments -----------------------------------------------------------------------------------


def listed(value: Any) -> list[Any]:
    """Return a list for None, one item, a list or a tuple."""
    if value is None:
        return []
    return list(value) if isinstance(value, list | tuple) else [value]


def _taps(value: Any, default: Sequence[int]) -> tuple[int, ...]:
    taps = default if value is None else [value] if isinstance(value, int) else value
    return tuple(int(tap) for tap in taps)


def read_sequence(item: Any) -> Rows:
    """Return a sequence and its taps, from an array or a dict."""
    if isinstance(item, dict):
        variable, taps = as_tensor_variable(item["input"]), _taps(item.get("taps"), [0])
    else:
        variable, taps = as_tensor_variable(item), (0,)
    if variable.ndim == 0:
        raise TypeError(
            build_message(
                "scan: a sequence has no dims",
                variable,
                hint="pass values that are the same in all iterations as non_sequences",
            )
        )
    return Rows(variable, taps)


def read_output(item: Any) -> Past | None:
    """Return the initial values and taps of an output, from an array or a dict; None for None."""
    if item is None:
        return None
    taps: tuple[int, ...] = (-1,)
    initial = item
    if isinstance(item, dict):
        unknown = set(item) - {"initial", "taps", "return_steps", "inplace"}
        if unknown:
            raise ValueError(f"scan: outputs_info has the unknown key {sorted(unknown)[0]!r}")
        initial, taps = item.get("initial"), _taps(item.get("taps"), [-1])
        if initial is None and item.get("taps") is None:
            return None
    if initial is None:
        raise ValueError(
            format_error(
                f"scan: an output with taps {list(taps)} has no initial values",
                places=[current_origin()],
            )
        )
    if not taps or max(taps) >= 0:
        raise ValueError(
            format_error(
                f"scan: the taps of an output are {list(taps)}; an iteration can only read values "
                "of earlier iterations",
                places=[current_origin()],
                hint="use negative taps",
            )
        )
    start = as_tensor_variable(initial)
    if taps == (-1,):
        return Past(expand_dims(start, 0), taps)
    if start.ndim == 0:
        raise ValueError(
            build_message(
                f"scan: taps {list(taps)} need {-min(taps)} initial values, along a leading axis",
                start,
            )
        )
    return Past(start[: -min(taps)], taps)


def read_steps(
    n_steps: Any, sequences: Sequence[Rows], backwards: bool, loop: str = "scan"
) -> tuple[Any, bool]:
    """Return the number of iterations, and whether sequences are read backwards."""
    if n_steps is None:
        if not sequences:
            raise ValueError(
                format_error(
                    f"{loop}: the number of iterations is unknown",
                    places=[current_origin()],
                    hint="pass sequences or n_steps",
                )
            )
        lengths = []
        for item in sequences:
            extra = max(0, *item.taps) - min(0, *item.taps)
            static_length = item.variable.type.shape[0]
            length = shape_i(item.variable, 0) if static_length is None else static_length
            lengths.append(length - extra if extra else length)
        shortest = as_tensor_variable(lengths[0])
        for length in lengths[1:]:
            shortest = scalar.minimum(shortest, length)
        return cast(shortest, "int64"), backwards
    if isinstance(n_steps, int | np.integer):
        count = int(n_steps)
        return as_tensor_variable(np.int64(abs(count))), backwards != (count < 0)
    number = as_tensor_variable(n_steps)
    if number.ndim or np.dtype(number.dtype).kind not in "iub":
        raise TypeError(build_message(f"{loop}: n_steps is {number.type}, not an integer", number))
    return cast(number, "int64"), backwards


# -- the step ------------------------------------------------------------------------------------


class TracedStep:
    """The graph of a step: its variables and expressions.

    Parameters
    ----------
    fn
        The step.
    sequences, infos, fixed
        What it reads.
    strict
        Whether it may use nothing else.
    """

    def __init__(
        self,
        fn: Callable[..., Any],
        sequences: Sequence[Rows],
        infos: Sequence[Past | None],
        fixed: Sequence[Any],
        strict: bool,
    ) -> None:
        self.sequences, self.infos, self.told = sequences, list(infos), fixed
        # Sparse matrices are read as variables that the step uses without being told of them.
        self.fixed = [item for item in fixed if not _is_sparse(item)]
        self.rows = [[_row(s.variable, tap) for tap in s.taps] for s in sequences]
        self.past = [[] if info is None else _rows(info.initial, info.taps) for info in infos]
        self.inner = [
            item if isinstance(item, Constant) else item.type(item.name) for item in self.fixed
        ]
        check_arguments(
            "scan",
            fn,
            [(item.variable, item.taps) for item in sequences],
            [() if info is None else info.taps for info in infos],
            fixed,
        )
        # The step takes the non-sequences themselves, because it may differentiate one with respect
        # to another one. They are replaced in its results.
        with quiet():  # rows have no test values
            outputs, updates, condition = read_results(
                fn(*_flat(self.rows), *_flat(self.past), *fixed)
            )
            twins = {
                item: inner
                for item, inner in zip(self.fixed, self.inner, strict=True)
                if item not in updates
            }
            self.outputs: list[Any] = [
                *replace([as_tensor_variable(item) for item in outputs], twins)
            ]
            self.updates: dict[Any, Any] = dict(
                zip(updates, replace([*updates.values()], twins), strict=True)
            )
            self.condition = None if condition is None else replace([condition], twins)[0]
        if not self.infos:
            self.infos = [None] * len(self.outputs)
            self.past = [[] for _ in self.outputs]
        if len(self.infos) != len(self.outputs):
            raise ValueError(
                format_error(
                    f"scan: the step returns {len(self.outputs)} outputs, but outputs_info has "
                    f"{len(self.infos)} items",
                    places=[current_origin()],
                    hint="give one item for each output: None if it needs no initial value",
                )
            )
        self._add_others(strict)

    def _add_others(self, strict: bool) -> None:
        """Find variables that the step uses without being told of them."""
        parameters = [*_flat(self.rows), *_flat(self.past), *self.inner]
        results = [*self.outputs, *self.updates.values()]
        results += [] if self.condition is None else [self.condition]
        results += self._add_default_updates(results, parameters)
        self.state = [item.type(item.name) for item in self.updates]
        own = {*self.updates, *parameters}
        self.captured = [v for v in free_inputs(results, parameters) if v not in own]
        told = set(self.told)
        missing = [v for v in self.captured if v not in told]
        if config.theano_semantics:
            missing = [v for v in missing if isinstance(v, SharedVariable)]
        if strict and missing:
            raise MissingInputError(
                build_message(
                    f"scan: the step uses {missing[0].describe()}, which is not among the "
                    "non_sequences",
                    missing[0],
                    hint="add it to non_sequences, or omit strict",
                )
            )

    def _add_default_updates(self, results: Sequence[Any], parameters: Sequence[Any]) -> list[Any]:
        """Update what the step uses in each iteration, such as the states of random variables."""
        waiting, of_loops = [*results], updates_of_loops(results, parameters)
        added: list[Any] = []
        while waiting:
            used = [v for v in free_inputs(waiting, parameters) if v not in self.updates]
            waiting = []
            for variable in used:
                new = getattr(variable, "default_update", None)
                if new is not None and variable not in parameters:
                    self.updates[variable] = as_tensor_variable(of_loops.get(variable, new))
                    waiting.append(self.updates[variable])
            added += waiting
        return added

    def wider_starts(self) -> list[str | None]:
        """Return for each output the dtype that its initial value needs to be converted to."""
        dtypes: list[str | None] = []
        for position, (info, output) in enumerate(zip(self.infos, self.outputs, strict=True)):
            wider = None
            if info is not None and info.initial.dtype != output.dtype:
                common = upcast(info.initial.dtype, output.dtype)
                if common == info.initial.dtype:
                    with quiet():
                        self.outputs[position] = cast(output, common)
                elif common == output.dtype:
                    wider = common
            dtypes.append(wider)
        return dtypes

    def build(
        self, steps: Any, backwards: bool, truncate: int, name: str | None, stores: bool
    ) -> tuple[list[Any], OrderedUpdates]:
        """Return the outputs and updates."""
        for info, past, output in zip(self.infos, self.past, self.outputs, strict=True):
            if info is not None:
                _check_output(info, past[0], output)
        with quiet():
            states = dict(zip(self.updates, self.state, strict=True))
            news = [_fitted(new, target) for target, new in self.updates.items()]
            results = replace([*self.outputs, *news], states)
            if self.condition is not None:
                results += replace([self.condition], states)
            results, self.captured = _opened(results, self.captured)
            twins = [item.type(item.name) for item in self.captured]
            results = replace(results, dict(zip(self.captured, twins, strict=True)))
        histories = [
            [] if info is None else list(dict(zip(info.taps, past, strict=True)).items())
            for info, past in zip(self.infos, self.past, strict=True)
        ]
        histories += [[(-1, state)] for state in self.state]
        inner = [v for v in self.inner if not isinstance(v, Constant)]
        op = Scan(
            TensorType("int64", ())("step"),
            results,
            _flat(self.rows),
            histories,
            (),
            [*inner, *twins],
            until=self.condition is not None,
            truncate=truncate,
            name=name,
            stores=stores,
        )
        arrays = op(
            steps,
            *(s.rows(tap, backwards) for s in self.sequences for tap in s.taps),
            *(info.initial for info in self.infos if info is not None),
            *(
                start_of(target, expand_dims(as_tensor_variable(target), 0))
                for target in self.updates
            ),
            *(v for v in self.fixed if not isinstance(v, Constant)),
            *self.captured,
            return_list=True,
        )
        count = len(self.outputs)
        outputs = []
        for info, history in zip(
            [*self.infos, *([_LAST] * len(self.updates))], arrays, strict=False
        ):
            before = 0 if info is None else info.before
            outputs.append(history[before:] if before else history)
        updates = OrderedUpdates()
        for target, history in zip(self.updates, arrays[count:], strict=False):
            updates[target] = history[-1]
        return outputs[:count], updates


_LAST = Past(None, (-1,))


def _flat(lists: Sequence[Sequence[Any]]) -> list[Any]:
    return [item for items in lists for item in items]


def _row(variable: Any, tap: int) -> Any:
    """Return a variable for one row of an array."""
    name = None if variable.name is None else f"{variable.name}[t{f'{tap:+d}' if tap else ''}]"
    return TensorType(variable.dtype, variable.type.shape[1:])(name)


def _rows(initial: Any, taps: Sequence[int]) -> list[Any]:
    """Return a variable for each tap; one that is listed twice is the same row."""
    rows = {tap: _row(initial, tap) for tap in taps}
    return [rows[tap] for tap in taps]


def _is_sparse(variable: Any) -> bool:
    # The sparse package is loaded only for sparse matrices.
    return isinstance(getattr(variable, "format", None), str)


def _opened(results: Sequence[Any], captured: Sequence[Any]) -> tuple[list[Any], list[Any]]:
    """Return results that read the components of sparse matrices, and what they read then."""
    matrices = [item for item in captured if _is_sparse(item)]
    if not matrices:
        return list(results), list(captured)
    from symtheano.sparse.boundary import open_graph
    from symtheano.sparse.csm import CSM, csm_properties

    outer: list[Any] = []
    inner: list[Any] = []
    wholes: dict[Any, Any] = {}
    for matrix in matrices:
        *parts, shape = csm_properties(matrix)
        parts += [shape[0], shape[1]]
        mine = [part.type() for part in parts]
        make: Any = CSM(matrix.format)
        wholes[matrix] = make(*mine[:3], stack(mine[3:]))
        outer, inner = [*outer, *parts], [*inner, *mine]
    others = [item for item in captured if not _is_sparse(item)]
    opened = open_graph(replace(list(results), wholes), {*others, *inner})
    return replace(opened, dict(zip(inner, outer, strict=True))), [*others, *outer]


def _fitted(new: Any, target: Any) -> Any:
    return target.type.filter_variable(as_tensor_variable(new))


def _check_output(info: Past, state: Any, output: Any) -> None:
    """Refuse an output that does not have the type of its initial value."""
    if output.dtype == state.dtype and output.ndim == state.ndim:
        return
    hint = "start with an array of the shape of the output, such as zeros"
    if output.ndim == state.ndim:
        hint = "cast the output, or give the initial value its dtype"
    raise TypeError(
        build_message(
            f"scan: the step returns {output.type} for an output whose initial value is "
            f"{state.type}",
            output,
            info.initial,
            hint=hint,
        )
    )


def read_results(returned: Any) -> tuple[list[Any], dict[Any, Any], Any]:
    """Return the outputs, the updates and the condition that a step has returned."""
    parts = list(returned) if isinstance(returned, tuple | list) else [returned]
    condition = None
    updates: dict[Any, Any] = {}
    if parts and isinstance(parts[-1], until):
        condition = parts.pop().condition
    if _are_updates(returned):
        return [], dict(returned), None
    if parts and _are_updates(parts[-1]):
        updates = dict(parts.pop())
    elif parts and _are_updates(parts[0]) and isinstance(returned, tuple):
        updates = dict(parts.pop(0))
    elif len(parts) == 2 and any(isinstance(part, list | tuple) and not part for part in parts):
        parts = [part for part in parts if part not in ([], ())]  # no updates: ([x], (), until(y))
    if len(parts) == 1 and isinstance(parts[0], list | tuple):
        parts = list(parts[0])
    for target in updates:
        if not isinstance(target, SharedVariable):
            raise TypeError(
                f"scan: {describe_value(target)} is updated but is not a shared variable"
            )
    if any(item is None for item in parts):
        parts = [item for item in parts if item is not None]
    return parts, updates, None if condition is None else cast(scalar.neq(condition, 0), "bool")


def _are_updates(value: Any) -> bool:
    if isinstance(value, dict):
        return True
    return (
        isinstance(value, list | tuple)
        and len(value) > 0
        and all(isinstance(item, list | tuple) and len(item) == 2 for item in value)
        and all(isinstance(item[0], SharedVariable) for item in value)
    )
