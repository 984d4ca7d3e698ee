"""Rounded: which numbers in float64 are only used for results in float32.

A sum of float32 elements is accumulated in float64 and rounded to float32. If the user asked for a
sum in float64 instead, all its digits are wanted.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from symtheano.graph.lazy import lazy
from symtheano.loopir import (
    Assign,
    Buffer,
    Declare,
    For,
    Kernel,
    Let,
    Load,
    Reduce,
    Statement,
    Store,
    Update,
    Value,
)
from symtheano.loopir.memory import LOCAL, STACK
from symtheano.loopir.names import operands, reads, walk
from symtheano.loopir.operands import Operand

_WIDE, _NARROW = "float64", "float32"
_PASSING = ("add", "switch")


class KeptWide:
    """The names of numbers and memory in float64 that are not only rounded to float32.

    They are found when they are first asked for, which few kernels do.

    Parameters
    ----------
    kernel
        The kernel.

    Examples
    --------
    >>> from symtheano.loopir import Declare, Literal
    >>> a, b, c = Value("a", "float64"), Value("b", "float64"), Value("c", "float32")
    >>> declared = [Declare(x, Literal(0.0, "float64")) for x in (a, b)]
    >>> body = (*declared, Let(c, "cast", (a,)), Let(b, "sqr", (b,)))
    >>> sorted(KeptWide(Kernel("k", "", body)).names)
    ['b']
    """

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel

    @lazy
    def names(self) -> frozenset[str]:
        """The names."""
        return frozenset(_kept_wide(self._kernel))


def _kept_wide(kernel: Kernel) -> set[str]:
    sources: dict[str, set[str]] = defaultdict(set)
    kept = _wide(kernel.results)
    for s in walk(kernel.body):
        if isinstance(s, For):  # its reductions are those of its body
            continue
        target = _target(s)
        read = _wide((*operands(s), *reads(s)))
        if target is None:
            kept |= read
        elif not _is_rounding(s):
            sources[target] |= read
        if isinstance(s, Store | Update) and s.buffer.memory not in (LOCAL, STACK):
            kept |= _wide((s.buffer,))
    waiting = list(kept)
    while waiting:
        new = sources[waiting.pop()] - kept
        kept |= new
        waiting += new
    return kept


def _wide(read: Iterable[Operand | Buffer]) -> set[str]:
    return {x.name for x in read if isinstance(x, Value | Buffer) and x.dtype == _WIDE}


def _target(s: Statement) -> str | None:
    """Return to what a statement passes its operands on; None if it does more with them."""
    if isinstance(s, Store | Update):
        return s.buffer.name
    if isinstance(s, Let):
        return s.target.name if s.op in _PASSING or _is_rounding(s) else None
    return s.target.name if isinstance(s, Load | Declare | Reduce | Assign) else None


def _is_rounding(s: Statement) -> bool:
    return isinstance(s, Let) and s.op == "cast" and s.target.dtype == _NARROW
