"""Frame: what a program has once, around all of its regions.

It owns the builder, the tables, the messages, and the ops that run as Python.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from symtheano.dataclass import dataclass
from symtheano.graph.variable import Apply
from symtheano.loopir import Buffer, Builder, Program, Tick
from symtheano.loopir.builder import Names, Site
from symtheano.loopir.routine import Routine
from symtheano.tensor.variable import Tensor

PythonNode = tuple[Apply, tuple[str, ...]]
"""A node that runs as Python, and what runs the loops around it."""


@dataclass(frozen=True, eq=False)
class Lowered:
    """A program and the information for its host.

    Attributes
    ----------
    program
        The LoopIR.
    sites
        Messages of the checks, by their numbers.
    python
        The nodes that run as Python, by their numbers, and what runs the loops around them: the
        number of the iteration of each loop is an additional argument.
    donors
        For each output, the input whose memory it uses, or None.
    hidden
        Additional outputs that only provide memory: dtype and ndim of each.
    steps
        For a program that measures its steps: what each one computes, and its line.
    lengths
        The 0-d variables of the graph which are the numbers that sizes contain, by name.
    """

    program: Program
    sites: Sequence[Site]
    python: Sequence[PythonNode]
    donors: Sequence[int | None]
    hidden: Sequence[tuple[str, int]]
    steps: Sequence[tuple[str, str | None]]
    lengths: Mapping[str, Tensor]


class Frame:
    """The surroundings of the regions of one program.

    Parameters
    ----------
    measured
        Whether the program tells its host when each step begins.
    names
        Where names come from.
    routines
        What it may call, by name.

    Attributes
    ----------
    b
        Where all regions write.
    constants
        Tables.
    python, ticks
        See ``python`` and ``steps`` of :class:`Lowered`.
    """

    def __init__(
        self,
        measured: bool,
        names: Names,
        routines: Mapping[str, Routine],
    ) -> None:
        self.measured = measured
        self.b = Builder(names, routines)
        self.constants: list[tuple[Buffer, Sequence[object]]] = []
        self.python: list[PythonNode] = []
        self.ticks: list[tuple[str, str | None]] = []

    def tick(self, label: str, node: Apply) -> None:
        """Tell the host that a step begins, if the program is measured."""
        if self.measured:
            self.b.emit(Tick(len(self.ticks)))
            place = None if node.origin is None else node.origin.place
            around = "".join(f"{name}: " for name, _ in self.b.iterations)
            self.ticks.append((f"{around}{label}", place))
