"""Statements that only concern the host: when to ask it, what it measures, when memory is taken."""

from __future__ import annotations

from symtheano.dataclass import dataclass
from symtheano.loopir.index import Index
from symtheano.loopir.operands import Parts


@dataclass(frozen=True)
class Announce:
    """Tell the host that work begins, in additions, if it is long: others may run meanwhile."""

    work: Index
    parts = Parts(indices=("work",))


@dataclass(frozen=True)
class Poll:
    """Count work, and ask the host from time to time whether the call is to end.

    It is the last statement of an iteration. If the call is to end, the function is left.

    Attributes
    ----------
    work
        What an iteration costs, in additions. 0 in a naive program: a pass counts it.
    long
        Whether the iteration contains what asks the host itself if it takes long.
    """

    work: int = 0
    long: bool = False


@dataclass(frozen=True)
class Interrupt:
    """Leave the entry point if the host has asked for the end of the call."""


@dataclass(frozen=True)
class Reserve:
    """Provide the workspace. All integers are known on which its size depends."""


@dataclass(frozen=True)
class Tick:
    """Tell the host, which measures time, that a step begins; -1: that the last one has ended."""

    step: int
