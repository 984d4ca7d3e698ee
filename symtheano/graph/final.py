"""Final graphs: rewritten graphs with all that a plan reads of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from symtheano.dataclass import dataclass
from symtheano.graph.intern import FunctionGraph
from symtheano.graph.requirement import Requirement
from symtheano.graph.variable import Apply, Variable
from symtheano.graph.walk import toposort

Lengths = tuple[Any, ...]
"""Ints and 0-d int64 variables."""


@dataclass(frozen=True, eq=False)
class Check:
    """A requirement that is not known to hold.

    Attributes
    ----------
    node
        The node it protects.
    requirement
        Message and kind.
    condition
        0-d bool variable.
    values
        Integers for the message.
    equal
        Two lengths that are equal if it holds, or None.
    """

    node: Apply
    requirement: Requirement
    condition: Any
    values: Lengths
    equal: Lengths | None


@dataclass(frozen=True)
class Late:
    """What is only known after some work of the region around a graph.

    Attributes
    ----------
    inputs
        Inputs of the graph whose lengths or values are only known then.
    elements
        Inputs whose elements can only be read then.
    """

    inputs: frozenset[Any] = frozenset()
    elements: frozenset[Any] = frozenset()


NOTHING_LATE = Late()
"""What is known late of a graph that nothing is around."""


@dataclass(frozen=True, eq=False)
class FinalGraph:
    """A graph in normal form, with its lengths, integers, checks and the graphs inside of its ops.

    All expressions are in normal form, too.

    Attributes
    ----------
    graph
        The graph.
    lengths
        The shapes of its arrays, and of arrays from which lengths and conditions are computed.
    integers
        What the code of nodes needs besides.
    checks
        What a call must satisfy, in order.
    inner
        For nodes whose op runs one of several graphs, or one in a loop: these graphs, in which
        lengths that are numbers around the op are numbers.
    late
        Which inputs are known late.
    """

    graph: FunctionGraph
    lengths: Mapping[Any, Lengths]
    integers: Mapping[Apply, Lengths]
    checks: tuple[Check, ...]
    inner: Mapping[Apply, tuple[FinalGraph, ...]]
    late: Late = NOTHING_LATE


def that_need_arrays(conditions: Sequence[Variable]) -> set[Variable]:
    """Return what is computed from elements of arrays, and not from lengths and numbers alone."""
    needing: set[Variable] = set()
    for node in toposort(conditions):
        of_array = any(getattr(i, "ndim", 1) or i in needing for i in node.inputs)
        if of_array and node.op.lowering.reads_elements:
            needing.update(node.outputs)
    return needing
