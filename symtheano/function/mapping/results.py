"""What becomes of the results of chunks: they are joined, stored or reduced."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from symtheano.errors import HasPlace, ShapeError, describe_value, format_error
from symtheano.sources.files import file_part

Array = npt.NDArray[Any]


class Output(NamedTuple):
    """An output, as messages call it.

    Attributes
    ----------
    label
        The name of the function.
    name
        The name of the output.
    place
        The line that made the function.
    """

    label: str
    name: str
    place: HasPlace | None = None

    def message(self, what: str, operands: Sequence[tuple[str, str]] = (), hint: str = "") -> str:
        """Return the text of an error."""
        text = f"{self.label}: map: {what}"
        return format_error(text, operands=operands, places=[self.place], hint=hint or None)


class Sink(Protocol):
    """Takes the results of one output, in the order of the chunks."""

    def take(self, start: int, stop: int, result: Any) -> None:
        """Take the result of a chunk."""

    def value(self) -> Any:
        """Return what became of them all."""


class Joined:
    """Joins results along an axis, in a new array or in one that is given.

    Parameters
    ----------
    output
        The output.
    axis, rows
        The axis along which results are joined; the length of the whole.
    out
        Where they are stored, or None.
    """

    def __init__(self, output: Output, axis: int, rows: int, out: Any = None) -> None:
        self._output, self._axis, self._rows, self._out = output, axis, rows, out
        self._given = out is not None

    def take(self, start: int, stop: int, result: Any) -> None:
        result = np.asarray(result)
        axis = self._axis
        if result.ndim <= axis or result.shape[axis] != stop - start:
            raise unequal_rows(self._output, axis, result.shape, stop - start)
        shape = (*result.shape[:axis], self._rows, *result.shape[axis + 1 :])
        if self._out is None:
            self._out = np.empty(shape, result.dtype)
        self._check(shape, result)
        key = (*[slice(None)] * axis, slice(start, stop))
        target = self._out[key] if isinstance(self._out, np.ndarray) else None
        part = file_part(target) if target is not None and self._given else None
        if part is not None:
            part.store(result)
        else:
            self._out[key] = result

    def _check(self, shape: tuple[int, ...], result: Array) -> None:
        out, output = self._out, self._output
        if tuple(out.shape) != shape:
            what = f"the results of {output.name} have other shapes"
            if self._given:
                what = f"out has not the shape of the results of {output.name}"
            operands = [("out" if self._given else "before", f"shape {tuple(out.shape)}")]
            raise ShapeError(output.message(what, [*operands, ("results", f"shape {shape}")]))
        if not np.can_cast(result.dtype, out.dtype, "same_kind"):
            what = f"out can't hold the results of {output.name}"
            operands = [("out", str(out.dtype)), ("results", str(result.dtype))]
            raise TypeError(output.message(what, operands))

    def value(self) -> Any:
        return self._out


class Summed:
    """Adds results, perhaps weighted by the rows of their chunks.

    Floats are added in float64, complex numbers in complex128, and the total has the dtype of the
    results. Integers and bools are added in int64, or uint64 if they have no sign; a mean of them
    is a float64.
    """

    def __init__(self, output: Output, mean: bool) -> None:
        self._output, self._mean = output, mean
        self._total: Any = None
        self._rows = 0
        self._dtype: Any = None

    def take(self, start: int, stop: int, result: Any) -> None:
        result = np.asarray(result)
        weighted = self._weighted(result, stop - start)
        if self._total is None:
            self._total, self._dtype = weighted, result.dtype
        elif self._total.shape != weighted.shape:
            what = f"the results of {self._output.name}, which are added, have different shapes"
            operands = [("before", f"{self._total.shape}"), ("now", f"{weighted.shape}")]
            hint = "a function reduces over the rows of its chunk, and map over the chunks"
            raise ShapeError(self._output.message(what, operands, hint))
        else:
            self._total = self._total + weighted
        self._rows += stop - start

    def _weighted(self, result: Array, rows: int) -> Any:
        kind = result.dtype.kind
        if kind == "c":
            wide = result.astype("complex128")
        elif kind == "f" or self._mean:
            wide = result.astype("float64")
        else:
            return result.astype("uint64" if kind == "u" else "int64")
        # No rows have no mean, and do not make that of the others NaN.
        return wide if not self._mean or not rows else wide * rows

    def value(self) -> Any:
        if self._total is None:
            return None
        total = self._total / self._rows if self._mean and self._rows else self._total
        exact = self._dtype.kind in "fc"
        return np.asarray(total, self._dtype if exact else None)


class Folded:
    """Calls a function with what was reduced so far, and the results of the next chunk."""

    def __init__(self, function: Callable[[Any, Any], Any]) -> None:
        self._function = function
        self._values: list[Any] = []

    def take(self, start: int, stop: int, result: Any) -> None:
        self._values = [self._function(self._values[0], result) if self._values else result]

    def value(self) -> Any:
        return self._values[0]


def unequal_rows(
    output: Output, axis: int, shape: Sequence[Any], rows: int | None = None
) -> ShapeError:
    """Return the error for an output that has not the rows of its chunk."""
    shown = ", ".join(map(str, shape)) + ("," if len(shape) == 1 else "")
    where = "rows" if axis == 0 else f"elements along axis {axis}"
    what = f"{output.name} has not as many {where} as the chunk"
    operands = [(output.name, f"shape ({shown})")]
    if rows is not None:
        operands.append(("chunk", f"{rows} {where}"))
    hint = 'reduce="sum", "mean" or a function takes such results, and imap yields them one by one'
    return ShapeError(output.message(what, operands, hint))


def sinks_of(
    outputs: Sequence[Output], keys: Any, axis: int, rows: int, reduce: Any, out: Any
) -> list[Sink]:
    """Return what takes the results of each output.

    Parameters
    ----------
    outputs
        The outputs.
    keys
        The form of the outputs: None for a list, ``()`` for a single one, or the keys of a dict.
    axis, rows
        The axis along which results are joined; the number of all rows.
    reduce, out
        The arguments of ``map``.

    Raises
    ------
    TypeError, ValueError
        If an argument does not fit the outputs.
    """
    reduces = spread(reduce, outputs, keys, "reduce")
    outs = spread(out, outputs, keys, "out", each=True)
    sinks: list[Sink] = []
    for output, way, target in zip(outputs, reduces, outs, strict=True):
        if way is None:
            _check_target(output, target)
            sinks.append(Joined(output, axis, rows, target))
            continue
        if target is not None:
            what = f"{output.name} is reduced, so that nothing of it is stored in out"
            raise ValueError(output.message(what, hint="out=[array, None] has one for each output"))
        if isinstance(way, str) and way in ("sum", "mean"):
            sinks.append(Summed(output, way == "mean"))
        elif callable(way):
            sinks.append(Folded(way))
        else:
            what = f"reduce is None, 'sum', 'mean' or a function of two results, not {way!r}"
            raise ValueError(output.message(what))
    return sinks


def spread(
    value: Any, outputs: Sequence[Output], keys: Any, what: str, each: bool = False
) -> list[Any]:
    """Return an argument for each output: one for all, or a list or dict with one for each.

    With ``each``, there must be one for each output, unless it is None.

    Raises
    ------
    TypeError, ValueError
        If it has not the form of the outputs.
    """
    one = outputs[0]
    if isinstance(value, dict):
        if not keys or set(value) != set(keys):
            wanted = ", ".join(map(repr, keys or ())) or "the outputs are no dict"
            raise ValueError(one.message(f"{what} has not the keys of the outputs: {wanted}"))
        return [value[key] for key in keys]
    if isinstance(value, list | tuple):
        if len(value) != len(outputs) or keys == ():
            count = "one output, not in a list" if keys == () else f"{len(outputs)} outputs"
            raise ValueError(one.message(f"{what} has {len(value)} items for {count}"))
        return list(value)
    if each and value is not None and keys != ():
        operands = [("given", describe_value(value))]
        raise TypeError(one.message(f"{what} is a list or a dict of one array for each", operands))
    return [value] * len(outputs)


def _check_target(output: Output, target: Any) -> None:
    wanted = ("shape", "dtype", "__setitem__")
    if target is not None and not all(hasattr(target, name) for name in wanted):
        what = "out is an array with shape, dtype and assignment of slices"
        raise TypeError(output.message(what, [("given", describe_value(target))]))
    if isinstance(target, np.ndarray) and not target.flags.writeable:
        raise ValueError(output.message("out can only be read"))
