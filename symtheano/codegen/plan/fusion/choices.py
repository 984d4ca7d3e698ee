"""Choices: which groups became one, what this saves, and why others did not."""

from __future__ import annotations

from symtheano.dataclass import dataclass
from symtheano.graph.variable import Apply
from symtheano.tensor.variable import Tensor


@dataclass(frozen=True)
class Saved:
    """What need not be moved between registers and memory if work shares a nest.

    Attributes
    ----------
    kept
        Values that are passed on in registers, instead of being loaded.
    stores
        Those of them that need not be stored, unless something else reads them from memory.
    shared
        Arrays that both read, which are loaded once.
    """

    kept: tuple[Tensor, ...] = ()
    stores: tuple[Tensor, ...] = ()
    shared: tuple[Tensor, ...] = ()


@dataclass(frozen=True)
class Choice:
    """A group that became a part of another one.

    Attributes
    ----------
    node
        Its first node.
    number
        The number of the group that has its members at the end.
    saved
        What is saved.
    """

    node: Apply
    number: int
    saved: Saved


@dataclass(frozen=True)
class Refusal:
    """Two groups that share data, and did not become one.

    Attributes
    ----------
    first, second
        Their numbers.
    saved
        What would have been saved.
    reason
        Why not.
    """

    first: int
    second: int
    saved: Saved
    reason: str
