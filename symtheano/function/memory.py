"""The memory that a call needs: its workspace and the arrays of its outputs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from symtheano.codegen.frame import Lowered
from symtheano.dataclass import dataclass
from symtheano.graph.eager import quiet
from symtheano.graph.intern import FunctionGraph
from symtheano.graph.origin import origin_scope
from symtheano.interpret import interpret
from symtheano.loopir.index import Index
from symtheano.loopir.names import walk
from symtheano.loopir.nodes import Allocate

# Parts of the workspace begin at multiples of this number of bytes.
_ALIGNMENT = 64


@dataclass(frozen=True)
class Part:
    """A part of the memory: of the workspace, or an output.

    Attributes
    ----------
    names
        The values that it holds, one after the other.
    size
        Its bytes, in lengths of the inputs and numbers that the program computes.
    """

    names: tuple[str, ...]
    size: Index


class Memory:
    """The memory that calls of a function need, beside that of inputs and shared variables.

    Printed, it is a table of the parts of the workspace and of the outputs that are allocated, with
    their bytes in the lengths of the inputs. ``x_d0`` is the first length of ``x``. Values whose
    lifetimes are disjoint share a part. An update that is computed in place of the shared variable
    needs no memory.

    Parameters
    ----------
    lowered
        The program.
    graph
        The graph after rewriting.
    values
        Returns the values of the inputs of the graph for the arguments of a call.

    Examples
    --------
    >>> import numpy as np, symtheano.tensor as T
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
        self.workspace = tuple(
            Part(tuple(buffer.name for buffer in slot.buffers), Index.of(slot.size))
            for slot in program.arena
        )
        asked = [s for s in walk(program.body) if isinstance(s, Allocate) and s.number is None]
        made = {s.buffer: s.buffer for s in asked}
        self.outputs = tuple(
            Part((buffer.name,), buffer.size * np.dtype(buffer.dtype).itemsize) for buffer in made
        )

    def peak(self, *args: Any, **kwargs: Any) -> int:
        """Return how many bytes a call with these arguments allocates.

        The lengths that depend on computed values are computed by the interpreter. Workspaces of
        library routines that only the library knows are not counted, and neither is the memory of
        Python ops, or what a loop that a condition ends needs beyond what is reserved for its rows.

        Parameters
        ----------
        *args, **kwargs
            As for a call of the function. Nothing is updated.
        """
        lengths = self._lengths(self._values(args, kwargs))
        parts = [_bytes(part.size, lengths) for part in self.workspace]
        outputs = [_bytes(part.size, lengths) for part in self.outputs]
        return sum(-(-size // _ALIGNMENT) * _ALIGNMENT for size in parts) + sum(outputs)

    def _lengths(self, values: list[Any]) -> dict[str, int]:
        """Return the numbers in the sizes, but those that libraries know."""
        lowered, graph = self._lowered, self._graph
        found = {
            name: length
            for names, value in zip(lowered.program.input_dims, values, strict=True)
            for name, length in zip(names, np.shape(value), strict=False)
        }
        wanted = {
            name: lowered.lengths[name]
            for part in (*self.workspace, *self.outputs)
            for name in part.size.names()
            if name not in found and name in lowered.lengths
        }
        with quiet(), origin_scope(None):
            computed = interpret(FunctionGraph(graph.inputs, list(wanted.values())), values)
        return found | dict(zip(wanted, map(int, computed), strict=True))

    def __str__(self) -> str:
        return "\n".join([*_table("workspace", self.workspace), *_table("outputs", self.outputs)])

    __repr__ = __str__


def _table(head: str, parts: tuple[Part, ...]) -> Iterator[str]:
    yield head if parts else f"{head}: none"
    for part in parts:
        yield f"  {part.size} bytes: {', '.join(part.names)}"


def _bytes(size: Index, lengths: Mapping[str, int]) -> int:
    known = size.replace({name: lengths.get(name, 0) for name in size.names()}).constant
    assert known is not None
    return known
