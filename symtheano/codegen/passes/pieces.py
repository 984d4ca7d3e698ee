"""Pieces: a long entry point is cut into functions of some hundred statements.

A C compiler takes more than linear time for a function in which thousands of values are live.
Measured with gcc 12 on products of small matrices: 7,000 statements in straight-line code take as
long in pieces of 150 as whole (1.7 µs), and half as long to compile, if each piece is optimized and
begins where few values live. Pieces that are not optimized take five times as long.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise

from symtheano.codegen.passes.context import ProgramContext
from symtheano.codegen.passes.inline import LONG
from symtheano.codegen.targets import Target
from symtheano.dataclass import replace
from symtheano.dtypes import is_continuous
from symtheano.loopir import Buffer, Declare, For, Let, Program, Reserve, Run, Swap, Value, While
from symtheano.loopir.builder import Names
from symtheano.loopir.names import Uses, definitions, operands, provides, uses, walk
from symtheano.loopir.program import Frame, Function, Piece
from symtheano.loopir.rewrite import Body

# How many statements a piece has; up to a third fewer or more if fewer values cross the cut.
PIECE = 150
# A frame larger than this number of bytes is allocated like a workspace, because threads may have
# small stacks.
_STACK_BYTES = 1 << 14


def pieces(program: Program, target: Target, context: ProgramContext) -> Program:
    """Cut the entry point of a long program, but for one with values that are assigned again."""
    if len(program.body) <= LONG or any(isinstance(s, Declare) for s in program.body):
        return program
    opened = next((k for k, s in enumerate(program.body) if isinstance(s, Reserve)), None)
    parts = cut(program.body[:opened])
    if opened is not None:
        parts += [program.body[opened : opened + 1], *cut(program.body[opened + 1 :])]
    needed = [_needed(part, program) for part in parts]
    # What a part uses and does not define.
    crossing = {value.name for each in needed for value in each.values}
    crossing |= {buffer.name for each in needed for buffer in each.buffers}
    crossing |= {buffer.name for buffer in program.outputs}
    functions = [
        _piece(part, each, crossing, program, context.names)
        for part, each in zip(parts, needed, strict=True)
    ]
    items = {item.name: item for function in functions for item in function.left}
    size = 64 * len(program.stack) + 16 * len(items)
    return replace(
        program,
        body=tuple(_run(function, each) for function, each in zip(functions, needed, strict=True)),
        functions=(*program.functions, *functions),
        frame=Frame(tuple(items.values()), size > _STACK_BYTES),
    )


def _needed(part: Body, program: Program) -> Uses:
    """Return what a part uses from outside; the sizes of the workspace where that is opened."""
    if not isinstance(part[0], Reserve):
        return uses(part)
    names = dict.fromkeys(name for slot in program.arena for name in slot.size.names())
    return Uses(tuple(Value(name, "int64") for name in names), (), frozenset(), frozenset())


def _piece(
    part: Body, needed: Uses, crossing: set[str], program: Program, names: Names
) -> Function:
    """Return the function of a part, which leaves what others use."""
    inside = [*walk(part)]
    storage = [buffer for s in part for buffer in provides(s)]
    if isinstance(part[0], Reserve):
        storage = [buffer for slot in program.arena for buffer in slot.buffers]
    swaps = [buffer for s in inside if isinstance(s, Swap) for buffer in (s.first, s.second)]
    buffers = _parameters(needed)
    piece = Piece(
        tuple(buffer for buffer in storage if buffer.name in crossing),
        tuple(buffer for buffer in dict.fromkeys(swaps) if buffer in buffers),
        not computes(part) and not any(isinstance(s, For | While) for s in inside),
    )
    return Function(
        names.fresh(f"{program.name}_piece"),
        part,
        buffers,
        needed.values,
        needed.written & {buffer.name for buffer in buffers},
        tuple(value for s in part for value in definitions(s) if value.name in crossing),
        piece=piece,
    )


def _run(function: Function, needed: Uses) -> Run:
    assert function.piece is not None
    buffers = function.buffers
    return Run(
        function.name,
        buffers,
        function.values,
        tuple(buffer for buffer in buffers if buffer.name in needed.read),
        tuple(buffer for buffer in buffers if buffer.name in needed.written),
        function.results,
        provides=function.piece.provides,
    )


def _parameters(needed: Uses) -> tuple[Buffer, ...]:
    return tuple(buffer for buffer in needed.buffers if not buffer.memory.constant)


# -- where to cut ----------------------------------------------------------------------------------


def cut(statements: Body) -> list[Body]:
    """Return parts of a list of statements, in order."""
    cuts: Sequence[int] = range(PIECE, len(statements), PIECE)
    if computes(statements):
        cuts = _between_values(statements)
    bounds = [0, *cuts, len(statements)]
    return [statements[a:b] for a, b in pairwise(bounds) if a < b]


def computes(statements: Body) -> bool:
    """Return whether a list consists mostly of arithmetic with floating-point numbers.

    Other lists check lengths and call functions; optimization does not make them faster.
    """
    count = sum(isinstance(s, Let) and is_continuous(s.target.dtype) for s in statements)
    return 4 * count > len(statements)


def _between_values(statements: Body) -> list[int]:
    """Return positions about ``PIECE`` statements apart that few values cross."""
    crossing = _crossing(statements)
    play, cuts, position = PIECE // 3, [], PIECE
    while position + play < len(statements):
        position = min(range(position - play, position + play + 1), key=crossing.__getitem__)
        cuts.append(position)
        position += PIECE
    return cuts


def _crossing(statements: Body) -> list[int]:
    """Return for each position how many values are defined before and read from there on."""
    defined: dict[str, int] = {}
    last: dict[str, int] = {}
    for position, statement in enumerate(statements):
        for item in operands(statement):
            if isinstance(item, Value) and item.name in defined:
                last[item.name] = position
        for value in definitions(statement):
            defined[value.name] = position
    changes = [0] * (len(statements) + 2)
    for name, position in last.items():
        changes[defined[name] + 1] += 1
        changes[position + 1] -= 1
    return list(accumulate(changes))
