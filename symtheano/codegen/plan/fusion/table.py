"""Tables: where the nodes of a graph are, after each round of a schedule."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType

from symtheano.codegen.plan.fusion.choices import Choice, Refusal
from symtheano.codegen.plan.fusion.groups import Group, OpGroup
from symtheano.codegen.plan.fusion.reads import Reads
from symtheano.codegen.plan.operands import Operands
from symtheano.dataclass import dataclass
from symtheano.graph.variable import Apply
from symtheano.tensor.variable import Tensor

Steps = tuple[Group | OpGroup, ...]


@dataclass(frozen=True)
class Awaits:
    """What a step waits for.

    Attributes
    ----------
    steps
        Other steps, which must be complete before it begins.
    passed
        Values that it reads at its own index, with the steps that compute them: these may become
        one with it.
    """

    steps: frozenset[int]
    passed: Mapping[Tensor, int]


@dataclass(frozen=True, eq=False)
class Table:
    """Where the nodes of a graph are: what one round of a schedule tells the next one.

    At first each group has one member. Steps have the numbers of that time in what they wait for;
    ``position`` tells which step they are now.

    Attributes
    ----------
    operands
        What the steps read.
    reads
        What each member of a group reads.
    steps
        The groups, and the ops on whole arrays, in order.
    memory
        Results of groups that something reads from memory, or at any index.
    inline
        What is computed wherever it is read.
    outputs
        The values of outputs: copies of inputs and views have been added.
    entry
        0-d values that the entry point has as scalars, in order, so that the text is deterministic.
    waits
        The first steps that each value waits for, until it is in memory or a scalar.
    awaits
        What each of the first steps waits for.
    checks
        The first steps that checks of inputs alone need, which come before any work.
    position
        For each of the first steps the one that has its members.
    number
        The position of the group that computes each result of a group.
    ready
        The first step before which each value is in memory or a scalar.
    choices, refused
        Which groups became one, in order, and which did not, if somebody asks.
    """

    operands: Operands
    reads: Mapping[Apply, Reads]
    steps: Steps
    memory: frozenset[Tensor]
    inline: frozenset[Tensor]
    outputs: tuple[Tensor, ...]
    entry: Collection[Tensor]
    waits: Mapping[Tensor, frozenset[int]]
    awaits: tuple[Awaits, ...]
    checks: frozenset[int]
    position: tuple[int, ...]
    number: Mapping[Tensor, int]
    ready: Mapping[Tensor, int]
    choices: tuple[Choice, ...] = ()
    refused: tuple[Refusal, ...] = ()

    def at(self, variable: Tensor) -> int:
        """Return the first step before which a variable's value is in memory or a scalar."""
        return 0 if variable.owner is None else self.ready[variable]


def numbers_of(steps: Steps) -> Mapping[Tensor, int]:
    """Return the position of the group that computes each result of a group."""
    return MappingProxyType(
        {
            member.result: position
            for position, group in enumerate(steps)
            if isinstance(group, Group)
            for member in group.members
            if member.result in group.results
        }
    )


def ready_at(
    waits: Mapping[Tensor, frozenset[int]], position: Sequence[int]
) -> Mapping[Tensor, int]:
    """Return the first step before which each value is in memory or a scalar."""
    return MappingProxyType(
        {value: 1 + max([position[k] for k in steps], default=-1) for value, steps in waits.items()}
    )
