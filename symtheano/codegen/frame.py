"""Frame: what a program has once, around all of its regions.

It owns the builder, the workspace, the tables, the messages, and the ops that run as Python.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from symtheano.codegen.passes import Pass, run_passes
from symtheano.codegen.passes.announce import announce
from symtheano.codegen.passes.finish import finish
from symtheano.codegen.passes.parallelize import parallelize
from symtheano.codegen.passes.repeats import Repeats
from symtheano.codegen.passes.trace import Trace
from symtheano.codegen.plan.memory import Hidden
from symtheano.codegen.plan.workspace import StepMemory
from symtheano.codegen.routines import ROUTINES
from symtheano.codegen.targets import Target
from symtheano.dataclass import dataclass, field, replace
from symtheano.graph.variable import Apply
from symtheano.loopir import (
    Buffer,
    Builder,
    Call,
    Check,
    For,
    Kernel,
    Local,
    Program,
    Slot,
    Statement,
    Tick,
)
from symtheano.loopir.builder import Names, Site
from symtheano.loopir.empty import skip_empty_loops
from symtheano.loopir.names import walk
from symtheano.rewrites.engine import Rewriter
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
    rewriter
        For the expressions of shapes and checks.
    measured
        Whether the program tells its host when each step begins.
    passes, trace, target
        What is done with the loops of kernels, what takes it down, and for which processor.

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
    repeats
        What was done with kernels, for others that differ only in names.
    """

    def __init__(
        self,
        rewriter: Rewriter,
        measured: bool,
        passes: Sequence[Pass],
        trace: Trace | None,
        target: Target,
    ) -> None:
        self.rewriter, self.measured = rewriter, measured
        self.passes, self.trace, self.target = passes, trace, target
        self.b = Builder(routines=ROUTINES)
        self.arena: list[Slot] = []
        self.steps = StepMemory(self.b)
        self._opening: int | None = None
        self.constants: list[tuple[Buffer, Sequence[object]]] = []
        self.result = Lowered(Program(name="f", inputs=(), input_dims=(), outputs=(), body=()))
        self.repeats = Repeats(self._after_passes)

    def emit_kernel(self, naive: Kernel, hidden: Hidden, need: Callable[..., None]) -> None:
        """Emit a kernel that was written naively, after all passes.

        Parameters
        ----------
        naive
            The kernel.
        hidden
            Additional arrays of its region.
        need
            Defines the names in sizes.
        """
        used: list[int] = []
        change = self._after_passes if self.trace is not None else self.repeats.changed

        def place(buffer: Buffer) -> Buffer:
            need(buffer.size)
            return self.steps.of_kernel(buffer, used, hidden.buffer)

        self.steps.emit(change(naive, self.b.names, place))

    def loop_of_rows(self, kernel: Kernel) -> For | None:
        """Return the loop over rows that a naive kernel is, after passes inside; None if it isn't.

        Threads run it, so it has no memory of its own, and is not shared by threads again.
        """
        (loop, *more) = kernel.body
        if more or not isinstance(loop, For):
            return None
        alone = [each for each in self.passes if each not in (announce, parallelize)]
        row = run_passes(replace(kernel, body=loop.body), self.b.names, alone, self.target)
        if any(isinstance(s, Local | Check | Call) for s in walk(row.body)):
            return None
        return replace(loop, body=finish(row, self.b.names, lambda buffer: buffer).body)

    def _after_passes(
        self, naive: Kernel, names: Names, place: Callable[[Buffer], Buffer]
    ) -> Kernel:
        kernel = run_passes(naive, names, self.passes, self.target, self.trace)
        return skip_empty_loops(finish(kernel, names, place), names)

    def open(self) -> None:
        """Note that all integers are known on which the size of the workspace depends."""
        self._opening = len(self.b.statements())

    def program(self) -> tuple[tuple[Statement, ...], tuple[Slot, ...]]:
        """Return the statements of the entry point, and the parts of its workspace."""
        sizes, own = self.steps.finish()
        written = self.b.statements()
        at = self._opening
        return (*written[:at], *sizes, *written[at:]), (*self.arena, *own)

    def tick(self, label: str, node: Apply) -> None:
        """Tell the host that a step begins, if the program is measured."""
        if self.measured:
            self.b.emit(Tick(len(self.result.steps)))
            place = None if node.origin is None else node.origin.place
            around = "".join(f"{name}: " for name, _ in self.b.iterations)
            self.result.steps.append((f"{around}{label}", place))
