"""The memory that a call needs: the workspace and the arrays of the outputs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from symtheano.codegen.frame import Lowered
from symtheano.dataclass import dataclass
from symtheano.graph.eager import quiet
from symtheano.graph.intern import FunctionGraph
from symtheano.graph.origin import origin_scope
from symtheano.interpret import interpret
from symtheano.loopir.index import Index
from symtheano.loopir.launch import Transfer
from symtheano.loopir.nodes import Allocate
from symtheano.loopir.operands import Buffer
from symtheano.loopir.program import Program

# Parts of the workspace begin at multiples of this number of bytes.
_ALIGNMENT = 64


@dataclass(frozen=True)
class Part:
    """A part of the workspace, or an output.

    Attributes
    ----------
    names
        The names of the values that occupy the part, one after the other.
    size
        Number of bytes, as an expression of lengths of the inputs and of numbers that the program
        computes.
    """

    names: tuple[str, ...]
    size: Index


@dataclass(frozen=True)
class DeviceParts:
    """The memory of a device that a call needs.

    Attributes
    ----------
    workspace
        The parts of the workspace there.
    arrays
        Other arrays: outputs, and what lives longer than a part of the workspace.
    copies
        Copies of arguments.
    """

    workspace: tuple[Part, ...] = ()
    arrays: tuple[Part, ...] = ()
    copies: tuple[Part, ...] = ()

    @property
    def all(self) -> tuple[Part, ...]:
        """All parts."""
        return (*self.workspace, *self.arrays, *self.copies)


class Memory:
    """The memory that a call of a function needs in addition to inputs and shared variables.

    ``print`` shows a table of the parts of the workspace and of the allocated outputs. Sizes in
    bytes are expressions of the lengths of the inputs: ``x_d0`` is the first length of ``x``.
    Values with disjoint lifetimes share a part. An update that overwrites the shared variable needs
    no memory. What is on a device is listed apart, for arguments that are not there yet.

    Parameters
    ----------
    lowered
        The program.
    graph
        The graph after rewriting.
    values
        A function that returns the values of the graph's inputs for the arguments of a call.

    Examples
    --------
    >>> from symtheano import function, scan
    >>> x = T.dvector("x")
    >>> rows, _ = scan(lambda h: T.tanh(h), outputs_info=x, n_steps=100)
    >>> f = function([x], rows)
    >>> f.memory.peak(np.zeros(5))
    8096
    """

    def __init__(
        self, lowered: Lowered, graph: FunctionGraph, values: Callable[..., list[Any]]
    ) -> None:
        self._lowered, self._graph, self._values = lowered, graph, values
        program = lowered.program
        self.workspace = _slots(program, "host")
        asked = [s for s in program.statements() if isinstance(s, Allocate) and s.number is None]
        buffers = list(dict.fromkeys(s.buffer for s in asked))
        self.outputs = _arrays(buffer for buffer in buffers if buffer.place == "host")
        there = [buffer for buffer in buffers if buffer.place == "device"]
        copied = {
            s.target.name
            for s in program.statements()
            if isinstance(s, Transfer) and s.source in program.inputs
        }
        self.device = DeviceParts(
            _slots(program, "device"),
            _arrays(buffer for buffer in there if buffer.name not in copied),
            _arrays(buffer for buffer in there if buffer.name in copied),
        )

    def peak(self, *args: Any, **kwargs: Any) -> int:
        """Return the number of bytes that a call with these arguments allocates on the host.

        The interpreter computes lengths that depend on computed values. Three things are not
        counted: workspaces inside of library routines, memory of Python ops, and memory that a loop
        with a condition needs beyond the rows that are reserved for it.

        Parameters
        ----------
        *args, **kwargs
            As for a call of the function. Shared variables are not updated.
        """
        return self._bytes(self.workspace, self.outputs, args, kwargs)

    def device_peak(self, *args: Any, **kwargs: Any) -> int:
        """Return the number of bytes that a call with these arguments allocates on the device.

        Nothing is freed before the call ends. Arrays are not counted that loops with read-backs
        allocate anew, and what libraries of the device need.

        Parameters
        ----------
        *args, **kwargs
            As for a call of the function, of arrays that are not on the device yet.

        Examples
        --------
        >>> from symtheano import function
        >>> x = T.fvector("x")
        >>> f = function([x], T.exp(x), device="emulated")
        >>> f.memory.device_peak(np.zeros(5, "float32"))  # a copy of x, and the result
        40
        """
        parts = self.device
        return self._bytes(parts.workspace, (*parts.arrays, *parts.copies), args, kwargs)

    def _bytes(
        self,
        workspace: Sequence[Part],
        arrays: Sequence[Part],
        args: Sequence[Any],
        kwargs: Mapping[str, Any],
    ) -> int:
        lengths = self._lengths(self._values(args, kwargs))
        parts = [_bytes(part.size, lengths) for part in workspace]
        others = [_bytes(part.size, lengths) for part in arrays]
        return sum(-(-size // _ALIGNMENT) * _ALIGNMENT for size in parts) + sum(others)

    def _lengths(self, values: list[Any]) -> dict[str, int]:
        """Return the numbers in the sizes, but those that libraries know."""
        lowered, graph = self._lowered, self._graph
        lengths = {
            name: length
            for names, value in zip(lowered.program.input_dims, values, strict=True)
            for name, length in zip(names, np.shape(value), strict=False)
        }
        wanted = {
            name: lowered.lengths[name]
            for part in (*self.workspace, *self.outputs, *self.device.all)
            for name in part.size.names()
            if name not in lengths and name in lowered.lengths
        }
        with quiet(), origin_scope(None):
            computed = interpret(FunctionGraph(graph.inputs, list(wanted.values())), values)
        return lengths | dict(zip(wanted, map(int, computed), strict=True))

    def __str__(self) -> str:
        tables = {"workspace": self.workspace, "outputs": self.outputs}
        if self.device.all:
            tables["workspace on the device"] = self.device.workspace
            tables["arrays on the device"] = self.device.arrays
            tables["copies of arguments on the device"] = self.device.copies
        return "\n".join(line for item in tables.items() for line in _table(*item))

    __repr__ = __str__


def _slots(program: Program, place: str) -> tuple[Part, ...]:
    """Return the parts of the workspace in a place."""
    return tuple(
        Part(tuple(buffer.name for buffer in slot.buffers), Index.of(slot.size))
        for slot in program.arena
        if slot.buffers[0].place == place
    )


def _arrays(buffers: Iterable[Buffer]) -> tuple[Part, ...]:
    """Return parts that are one array each."""
    return tuple(
        Part((buffer.name,), buffer.size * np.dtype(buffer.dtype).itemsize) for buffer in buffers
    )


def _table(head: str, parts: tuple[Part, ...]) -> Iterator[str]:
    yield head if parts else f"{head}: none"
    for part in parts:
        yield f"  {part.size} bytes: {', '.join(part.names)}"


def _bytes(size: Index, lengths: Mapping[str, int]) -> int:
    constant = size.replace({name: lengths.get(name, 0) for name in size.names()}).constant
    assert constant is not None
    return constant
