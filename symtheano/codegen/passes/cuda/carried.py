"""Carried numbers: scalars that loops of the host pass on, and that the device computes alone."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from symtheano.codegen.passes.cuda.host_statements import bounds, in_order
from symtheano.codegen.passes.cuda.places import is_grid, sharing
from symtheano.dataclass import dataclass
from symtheano.loopir import Assign, Check, Declare, Let, Load, Program, Statement, Store
from symtheano.loopir.memory import ARENA
from symtheano.loopir.names import definitions, indices, reads, walk, writes
from symtheano.loopir.operands import Expression, Value
from symtheano.loopir.rewrite import names_used


@dataclass(frozen=True)
class Carried:
    """What is found.

    Attributes
    ----------
    names
        The names of declared scalars whose values come from the device, and stay there.
    wanted
        Those of scalars that are worth keeping on the device, with what these are made of.
    there
        Those of the arrays on the device, with others to which only they are stored.
    """

    names: set[str]
    wanted: set[str]
    there: set[str]


def carried(
    program: Program, there: set[str], wanted: set[str], has_text: Callable[[Let], bool]
) -> Carried:
    """Return the declared scalars that the device computes, and the host does not need.

    All that is done with them may be done by one thread: they are assigned again, stored, checked,
    and other scalars are computed of them. Kernels may read them.

    Parameters
    ----------
    program
        The program.
    there
        Names of the arrays on the device.
    wanted
        Names of the scalars that are worth keeping on the device.
    has_text
        Function that tells whether the device can compute a scalar.
    """
    statements = [*in_order(program.body)]
    names = _movable(program, statements, there)
    if not names:
        return Carried(set(), wanted, there)
    outputs = {buffer.name for buffer in program.outputs}
    stores = [s for s in statements if isinstance(s, Store)]
    stores = [s for s in stores if s.buffer.name not in there | outputs]
    others = {id(s) for s in stores if not _is_memory_of_scalars(s, program)}
    count = -1
    while count != len(names):
        count = len(names)
        needed = wanted | names
        for s in reversed(statements):
            kept = isinstance(s, Assign | Declare) and s.target.name in names
            if kept or (isinstance(s, Let) and s.target.name in needed):
                needed.update(names_used(s))
        for s in statements:
            if isinstance(s, Let):
                stays = s.target.name not in needed or not has_text(s)
            elif isinstance(s, Assign | Declare):
                stays = s.target.name not in names
            else:
                stays = id(s) in others
            if stays:
                names.difference_update(names_used(s))
    held = {s.buffer.name for s in stores if not names.isdisjoint(names_used(s))}
    return Carried(names, needed if names else wanted, there | sharing(held, program))


def _movable(program: Program, statements: Sequence[Statement], there: Collection[str]) -> set[str]:
    """Return the declared scalars of the device that the host needs neither in indices nor else."""
    declared = {s.target.name for s in statements if isinstance(s, Declare)}
    if not declared:
        return set()
    scalars = _computed(statements, there, declared)
    grids = [s for s in walk(program.body) if is_grid(s)]
    inside = {id(s) for grid in grids for s in walk([grid])}
    movable = {id(s) for s in statements}
    for s in walk(program.body):
        if id(s) not in inside and not (id(s) in movable and _is_movable(s, scalars)):
            scalars -= {*names_used(s), *(value.name for value in _assigned(s))}
    for grid in grids:
        scalars -= {*bounds(grid)}
    return scalars


def _is_memory_of_scalars(s: Store, program: Program) -> bool:
    """Return whether nothing but scalars and kernels uses the memory to which one is stored."""
    alike = sharing({s.buffer.name}, program)
    known = {id(s) for s in in_order(program.body) if isinstance(s, Load | Store)}
    grids = (s for s in walk(program.body) if is_grid(s))
    known |= {id(inner) for grid in grids for inner in walk([grid])}
    used = (inner for inner in walk(program.body) if id(inner) not in known)
    return s.buffer.memory is ARENA and not any(
        buffer.name in alike for inner in used for buffer in (*reads(inner), *writes(inner))
    )


def _computed(
    statements: Sequence[Statement], there: Collection[str], declared: Collection[str]
) -> set[str]:
    """Return which declared scalars are assigned what the device computes."""
    computed: set[str] = set()
    count = -1
    while count != len(computed):
        count = len(computed)
        for s in statements:
            if isinstance(s, Load):
                comes = s.buffer.name in there
            else:
                comes = not computed.isdisjoint(names_used(s))
            if comes and isinstance(s, Let | Load | Assign):
                targets = (*definitions(s), *_assigned(s))
                computed.update(value.name for value in targets)
    return computed.intersection(declared)


def _is_movable(s: Statement, scalars: Collection[str]) -> bool:
    """Return whether one thread may run a statement, which uses none of some scalars in indices."""
    if any(name in scalars for index in indices(s) for name in index.names()):
        return False
    if isinstance(s, Assign):
        return not isinstance(s.value, Expression)
    return isinstance(s, Declare | Let | Store | Check)


def _assigned(s: Statement) -> tuple[Value, ...]:
    return (s.target,) if isinstance(s, Assign) else ()
