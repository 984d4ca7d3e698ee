"""Epilogues: elementwise work on a routine's result, done where its rows are complete.

A bias and an activation that follow a convolution would read the whole result again. A nest that
reads the result element by element, and is the only one to read it, becomes the epilogue of the
step instead. One of the arrays that it makes takes the result's place, so the result itself needs
no memory; others, such as where an activation has a slope, may be there as well.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence, Set as AbstractSet
from types import MappingProxyType
from typing import cast

from symtheano.codegen.plan.fusion.table import Table
from symtheano.codegen.plan.needs import Needs
from symtheano.codegen.plan.operands import Operands
from symtheano.codegen.plan.steps import Nest, OpStep, Step
from symtheano.dataclass import dataclass, replace
from symtheano.tensor.variable import Tensor

SEVERAL = "others read its result as well"
LOOPS = "its axes are others, or it reduces"
PLACE = "none of its arrays can take the place of the result"
ELSEWHERE = "it reads the result at another index"
CHECKS = "a check comes between"
LATER = "it needs something that comes later"
"""Reasons why a nest does not become the epilogue of a routine."""


@dataclass(frozen=True)
class Refused:
    """A nest that reads a routine's result, and does not become its epilogue.

    Attributes
    ----------
    number
        The number of the nest's step.
    reason
        Why not.
    """

    number: int
    reason: str


@dataclass(frozen=True)
class Epilogues:
    """Steps with epilogues.

    Attributes
    ----------
    steps
        The steps; empty nests are left in place of epilogues.
    refused
        By the number of a step which could have an epilogue the nest that reads its result.
    """

    steps: tuple[Step, ...]
    refused: Mapping[int, Refused]


def with_epilogues(
    steps: Sequence[Step],
    table: Table,
    needs: Needs,
    read_outside: Collection[Tensor],
    guarded: AbstractSet[int],
) -> Epilogues:
    """Return steps with their epilogues.

    Parameters
    ----------
    steps
        The steps of a schedule.
    table
        When values are there, and what steps read.
    needs
        What nodes need.
    read_outside
        What outputs and numbers of the entry point are computed from.
    guarded
        The positions of steps before which guards are checked.
    """
    operands = table.operands
    changed, refused = list(steps), dict[int, Refused]()
    for position, step in enumerate(steps):
        if not isinstance(step, OpStep) or not step.node.op.lowering.epilogue:
            continue
        (result,) = step.node.outputs
        readers = [k for k, other in enumerate(changed) if result in operands.read_by(other)]
        number = next((k for k in readers if isinstance(changed[k], Nest)), None)
        if number is None:
            continue
        nest = cast(Nest, changed[number])
        reason: str | None = SEVERAL
        if len(readers) == 1 and result not in read_outside:
            reason = _why_not_by_rows(nest, result, operands)
        if reason is None and not guarded.isdisjoint(range(position + 1, number + 1)):
            reason = CHECKS
        if reason is None and any(
            table.at(item) > position for item in _awaited(nest, result, operands, needs)
        ):
            reason = LATER
        if reason is None:
            changed[position], changed[number] = replace(step, epilogue=nest), Nest(())
        else:
            refused[position] = Refused(number, reason)
    return Epilogues(tuple(changed), MappingProxyType(refused))


def _why_not_by_rows(nest: Nest, result: Tensor, operands: Operands) -> str | None:
    """Return why a nest can't make its arrays of the rows of a result, one in its place."""
    dims, source = operands.views.dims, operands.views.source
    whole = tuple(range(len(nest.space)))
    if nest.space != tuple(dims(result)) or any(m.role != "point" for m in nest.members):
        return LOOPS
    if not any(array.dtype == result.dtype for array in nest.stores):
        return PLACE
    if any(dims(m) != dims(result) or nest.results.get(m) != whole for m in nest.stores):
        return PLACE
    for member in nest.members:
        for item in member.node.inputs:
            read = source(item)
            if read.variable is result:
                if read.axes != whole or member.axes != whole:
                    return ELSEWHERE
            elif read.variable not in nest.results and result in operands.roots(item, nest.inline):
                return ELSEWHERE
    return None


def _awaited(nest: Nest, result: Tensor, operands: Operands, needs: Needs) -> Iterator[Tensor]:
    """Yield what must be there before the rows of a result go through a nest."""
    own = {result, *(output for member in nest.members for output in member.node.outputs)}
    for member in nest.members:
        yield from (item for item in needs.besides(member.node) if item not in own)
        for item in member.node.inputs:
            if operands.views.source(item).variable not in own:
                yield from (root for root in operands.roots(item, nest.inline) if root not in own)
