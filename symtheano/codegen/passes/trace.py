"""The trace of passes: what each one did with a kernel, and why, or why not.

Passes say this as they look at loops. Nothing is put into words unless somebody asks for a trace.
"""

from __future__ import annotations

from symtheano.dataclass import dataclass, field
from symtheano.loopir import For, Kernel, Program
from symtheano.loopir.builder import Names


@dataclass(frozen=True)
class PassResult:
    """One pass on one kernel.

    Attributes
    ----------
    name
        Of the pass; ``naive`` for the kernel as it was written.
    reasons
        Lines that say why it changed a loop, or did not.
    kernel
        The kernel afterwards.
    changed
        Whether the pass has changed it.
    """

    name: str
    reasons: tuple[str, ...]
    kernel: Kernel
    changed: bool = True


@dataclass(eq=False)
class Trace:
    """What passes did with a program and its kernels.

    Attributes
    ----------
    kernels
        For each kernel the steps, in order; the first one is the naive kernel.
    programs
        Pairs of (name of a pass over programs, the program afterwards), in order; the first one is
        the naive program.
    """

    kernels: list[list[PassResult]] = field(default_factory=list)
    programs: list[tuple[str, Program]] = field(default_factory=list)


class Context:
    """What a pass is given besides the kernel and the processor.

    Parameters
    ----------
    names
        Where new names come from.
    listens
        Whether reasons are kept.

    Examples
    --------
    >>> from symtheano.loopir import Index, Value
    >>> loop = For(Value("i", "int64"), Index.of(0), Index.symbol("n"), ())
    >>> context = Context(Names(), listens=True)
    >>> context.note(loop, "not, {} iterations are fewer than {}", loop.stop, 4)
    >>> context.otherwise("no loop")
    >>> context.taken()
    ('i: not, n iterations are fewer than 4',)
    """

    def __init__(self, names: Names, listens: bool = False) -> None:
        self.names = names
        self.listens = listens
        self._reasons: dict[str, None] = {}

    def note(self, loop: For | None, text: str, *parts: object) -> None:
        """Keep a reason: a text with the numbers that were compared, about a loop or the kernel."""
        if self.listens:
            line = text.format(*parts)
            self._reasons[line if loop is None else f"{loop.index.name}: {line}"] = None

    def otherwise(self, text: str) -> None:
        """Keep what a pass has not found, if it has kept nothing else."""
        if self.listens and not self._reasons:
            self._reasons[text] = None

    def taken(self) -> tuple[str, ...]:
        """Return the reasons of a pass, and forget them."""
        reasons = tuple(self._reasons)
        self._reasons.clear()
        return reasons
