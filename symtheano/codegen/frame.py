"""Frame: what a program has once, around all of its regions.

It owns the builder, the workspace, the tables, the messages, and the ops that run as Python.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from symtheano.codegen.plan.workspace import StepMemory
from symtheano.codegen.routines import ROUTINES
from symtheano.dataclass import dataclass, field
from symtheano.graph.variable import Apply
from symtheano.loopir import Buffer, Builder, Program, Slot, Tick
from symtheano.loopir.builder import Site
from symtheano.tensor.variable import Tensor


@dataclass(eq=False)
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
    sites: list[Site] = field(default_factory=list)
    python: list[tuple[Apply, tuple[str, ...]]] = field(default_factory=list)
    donors: list[int | None] = field(default_factory=list)
    hidden: list[tuple[str, int]] = field(default_factory=list)
    steps: list[tuple[str, str | None]] = field(default_factory=list)
    lengths: Mapping[str, Tensor] = field(default_factory=dict)


class Frame:
    """The surroundings of the regions of one program.

    Parameters
    ----------
    measured
        Whether the program tells its host when each step begins.

    Attributes
    ----------
    b
        Where all regions write.
    result
        The program, as far as it is known.
    arena
        The parts of the workspace that values have.
    steps
        The workspace of single steps.
    constants
        Tables.
    """

    def __init__(self, measured: bool) -> None:
        self.measured = measured
        self.b = Builder(routines=ROUTINES)
        self.arena: list[Slot] = []
        self.steps = StepMemory(self.b)
        self.constants: list[tuple[Buffer, Sequence[object]]] = []
        self.result = Lowered(Program(name="f", inputs=(), input_dims=(), outputs=(), body=()))

    def tick(self, label: str, node: Apply) -> None:
        """Tell the host that a step begins, if the program is measured."""
        if self.measured:
            self.b.emit(Tick(len(self.result.steps)))
            place = None if node.origin is None else node.origin.place
            around = "".join(f"{name}: " for name, _ in self.b.iterations)
            self.result.steps.append((f"{around}{label}", place))
