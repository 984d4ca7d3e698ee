"""The values of a map's inputs: which are cut into chunks, and which are passed whole."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from symtheano.errors import ShapeError, describe_value, format_error, printable_name
from symtheano.function.mapping.mapped import MappedFunction
from symtheano.graph.walk import ancestors, toposort
from symtheano.sources import Part, Source, as_source
from symtheano.tensor.shapes.shape import Shape_i
from symtheano.tensor.type import TensorType


def refuse(function: MappedFunction) -> None:
    """Raise an error for a function that can't be mapped.

    Raises
    ------
    NotImplementedError
        If it has updates, operations on several processes, or inputs or outputs that are not
        arrays.
    ValueError
        If it has no outputs.
    """
    label = function._label()
    if function.updates:
        names = ", ".join(target.describe() for target, _ in function.updates)
        what = f"{label} has updates ({names}): calls for chunks can't be made in any order"
        hint = "f.copy(delete_updates=True).map(...) maps the same graph without them"
        raise NotImplementedError(format_error(what, places=[function.origin], hint=hint))
    together = [node for node in toposort(function.request.outputs) if node.op.unconditional]
    if together:
        what = (
            f"{label} has operations that all processes must do in the same order: calls for "
            "chunks can't be made in any order"
        )
        places = [function.origin, together[0].outputs[0].origin]
        raise NotImplementedError(format_error(what, places=places))
    everything = [*function.request.inputs, *function.request.outputs, *function.request.shared]
    others = [v for v in everything if not isinstance(v.type, TensorType)]
    if others:
        what = f"{label}: {others[0].describe()} is a {others[0].type}, which can't be mapped"
        raise NotImplementedError(format_error(what, places=[function.origin]))
    if not function.request.outputs:
        what = f"{label} has no outputs to map"
        raise ValueError(format_error(what, places=[function.origin]))


class Arguments(NamedTuple):
    """The values of the inputs of a map.

    Attributes
    ----------
    function
        The function.
    axis
        The axis along which sources are cut.
    rows
        Their length.
    sources
        What is cut, by position of the input.
    whole
        What each call gets as it is, by position.
    order
        For each position, the name by which the value is passed, or None: by position.
    inputs
        The input at each position.
    """

    function: MappedFunction
    axis: int
    rows: int
    sources: dict[int, Source]
    whole: dict[int, Any]
    order: Sequence[Any]
    inputs: Sequence[Any]

    @staticmethod
    def read(function: MappedFunction, arrays: Any, whole: Any, axis: int) -> Arguments:
        """Sort the values of the inputs.

        Raises
        ------
        TypeError
            If there is no input for a value, no value for an input, or if one does not fit.
        ShapeError
            If sources have different lengths.
        ValueError
            If nothing is cut.
        """
        taken = [item for item in function.request.given if not item.implicit]
        values = _values(function, arrays, taken)
        kept = {_position(function, key, taken, "whole") for key in _listed(whole)}
        positions = list(values)
        inputs = [taken[place] for place in positions]
        sources, others = {}, {}
        for place, (number, item) in enumerate(zip(positions, inputs, strict=True)):
            value = values[number]
            if item.variable.ndim == 0 or number in kept:
                others[place] = value
                continue
            name = f"{function._label()}: map: input {_shown(item, number)}"
            source = sources[place] = as_source(value, axis, name)
            if len(source.shape) != item.variable.ndim:
                what = f"{name} has the wrong number of dimensions"
                operands = [("takes", str(item.variable.type)), ("given", describe_value(value))]
                places = [function.origin, item.variable.origin]
                raise TypeError(format_error(what, operands=operands, places=places))
        rows = _rows(function, sources, inputs, axis)
        by_position = positions == list(range(len(positions)))
        order = [None if by_position else item.name for item in inputs]
        if None in order and not by_position:
            what = f"{function._label()}: map: inputs without a name must be passed in order"
            raise TypeError(format_error(what, places=[function.origin]))
        return Arguments(function, axis, rows, sources, others, order, inputs)

    def parts(self, start: int, stop: int) -> dict[int, Part]:
        """Return the parts of a chunk."""
        return {place: source.part(start, stop) for place, source in self.sources.items()}

    @property
    def grain(self) -> int:
        """How many rows are read together."""
        return max(source.grain for source in self.sources.values())

    def bytes_of(self, rows: int) -> int:
        """Return the bytes of the arguments of a chunk, and of their conversions."""
        total = 0
        for place, source in self.sources.items():
            count = math.prod(n for k, n in enumerate(source.shape) if k != self.axis)
            wanted = np.dtype(self.inputs[place].variable.dtype)
            size = source.dtype.itemsize + (wanted.itemsize if wanted != source.dtype else 0)
            total += rows * count * size
        return total

    def samples(self, rows: int) -> tuple[list[Any], dict[str, Any]]:
        """Return arguments of a call with a number of rows, without memory: ones, all the same."""
        values = dict(self.whole)
        for place, source in self.sources.items():
            shape = list(source.shape)
            shape[self.axis] = rows
            one = np.ones((), self.inputs[place].variable.dtype)
            values[place] = np.broadcast_to(one, shape)
        args = [values[place] for place, name in enumerate(self.order) if name is None]
        named = {name: values[p] for p, name in enumerate(self.order) if name is not None}
        return args, named

    def mapped_outputs(self) -> list[bool | None]:
        """Return for each output whether it has the rows of a chunk; None if only calls know."""
        final = self.function.stages.final
        cut = [self.inputs[place] for place in self.sources]
        given = zip(final.graph.inputs, self.function.request.given, strict=False)
        chunked = {variable for variable, item in given if item in cut}
        answers: list[bool | None] = []
        for output in final.graph.outputs[: len(self.function.request.outputs)]:
            if output.ndim <= self.axis:
                answers.append(False)
                continue
            lengths = final.lengths.get(output)
            answers.append(None if lengths is None else self._is_rows(lengths[self.axis], chunked))
        return answers

    def _is_rows(self, length: Any, chunked: Collection[Any]) -> bool | None:
        if isinstance(length, int):
            return False
        node = length.owner
        if node is not None and isinstance(node.op, Shape_i) and node.inputs[0] in chunked:
            return bool(node.op.axis == self.axis)
        return None if any(item in chunked for item in ancestors([length])) else False

    def shape_of(self, number: int) -> Sequence[Any]:
        """Return the shape of an output for messages: ints, or ``?`` for lengths of calls."""
        shape = self.function.request.outputs[number].type.shape
        return ["?" if n is None else n for n in shape]


def _listed(whole: Any) -> list[Any]:
    single = isinstance(whole, str) or hasattr(whole, "type")
    return [whole] if single else list(whole)


def _values(function: MappedFunction, arrays: Any, taken: Sequence[Any]) -> dict[int, Any]:
    """Return the values by number of their input, in order."""
    if isinstance(arrays, Mapping):
        by_number: dict[int, Any] = {}
        for key, value in arrays.items():
            number = _position(function, key, taken, "map")
            if number in by_number:
                what = f"{function._label()}: map got two values for input {key}"
                raise TypeError(format_error(what, places=[function.origin]))
            by_number[number] = value
    else:
        values = list(arrays) if isinstance(arrays, list | tuple) else [arrays]
        if len(values) > len(taken):
            what = f"{function._label()} takes {len(taken)} inputs, and map got {len(values)}"
            hint = "a list has one value for each input; an array of lists is numpy.asarray(...)"
            raise TypeError(format_error(what, places=[function.origin], hint=hint))
        by_number = dict(enumerate(values))
    missing = [
        _shown(item, number)
        for number, item in enumerate(taken)
        if number not in by_number and item.value is None
    ]
    if missing:
        what = f"{function._label()}: map has no value for input {', '.join(missing)}"
        raise TypeError(format_error(what, places=[function.origin]))
    return dict(sorted(by_number.items()))


def _position(function: MappedFunction, key: Any, taken: Sequence[Any], what: str) -> int:
    for number, item in enumerate(taken):
        if key is item.variable or (isinstance(key, str) and key == item.name):
            return number
    names = ", ".join(_shown(item, number) for number, item in enumerate(taken))
    message = f"{function._label()}: {what}: there is no input {key!s}"
    hint = f"its inputs are {names or 'none'}"
    raise TypeError(format_error(message, places=[function.origin], hint=hint))


def _shown(item: Any, number: int) -> str:
    return printable_name(item.name or number)


def _rows(
    function: MappedFunction, sources: Mapping[int, Source], inputs: Sequence[Any], axis: int
) -> int:
    if not sources:
        what = f"{function._label()}: map has nothing to cut: all inputs are passed whole"
        raise ValueError(format_error(what, hint="call the function, or make whole= shorter"))
    lengths = {source.shape[axis] for source in sources.values()}
    if len(lengths) > 1:
        where = "rows" if axis == 0 else f"lengths along axis {axis}"
        what = f"{function._label()}: map: the arrays have different numbers of {where}"
        operands = [
            (str(inputs[place].name or place), f"shape {tuple(source.shape)}")
            for place, source in sources.items()
        ]
        hint = "whole=[...] names inputs that each call gets as they are"
        raise ShapeError(format_error(what, operands=operands, places=[function.origin], hint=hint))
    return int(lengths.pop())
