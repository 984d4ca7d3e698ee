"""Inline: kernels with few elements, the number of which is known, become statements around them.

This is done with a whole program, after the passes over kernels.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from symtheano.codegen.passes.context import ProgramContext
from symtheano.codegen.targets import Target
from symtheano.dataclass import replace
from symtheano.loopir import Comment, For, If, Kernel, Program, Statement, While
from symtheano.loopir.names import walk
from symtheano.loopir.rewrite import Body, unless_same, with_bodies

_STATEMENTS = 32
"""Statements of a kernel, at most."""

LONG = 1000
"""Statements of an entry point, at most: shorter ones compile as fast whole, others are split."""


def inline(program: Program, target: Target, context: ProgramContext) -> Program:
    """Put the statements of small kernels in their places."""
    body = program.body
    small = [s for s in walk(body) if isinstance(s, Kernel) and is_small(s, target.inlined)]
    if len(body) + sum(len(kernel.body) for kernel in small) > LONG:
        return program
    return replace(program, body=_block(body, {id(kernel) for kernel in small}))


def is_small(kernel: Kernel, elements: int) -> bool:
    """Return whether a kernel has few statements, no other kernels, and each runs a few times.

    Examples
    --------
    >>> from symtheano.loopir import Index, Value
    >>> i = Value("i", "int64")
    >>> [is_small(Kernel("k", "", (For(i, Index.of(0), Index.of(n), ()),)), 16) for n in (16, 17)]
    [True, False]
    """
    inside = list(walk(kernel.body))
    if len(inside) > _STATEMENTS or any(isinstance(s, While | Kernel) for s in inside):
        return False
    count = _iterations(kernel.body)
    return count is not None and count <= elements


def _iterations(statements: Sequence[Statement]) -> int | None:
    """Return how many iterations the innermost loops have, or None if unknown or in threads."""
    total = 0
    for statement in statements:
        if isinstance(statement, If):
            inside = _iterations((*statement.then, *statement.otherwise))
        elif isinstance(statement, For):
            length, inside = (
                (statement.stop - statement.start).constant,
                _iterations(statement.body),
            )
            if length is None or inside is None or statement.kind not in _PLAIN:
                return None
            inside = max(inside, 1) * max(-(-length // statement.step), 0)
        else:
            continue
        if inside is None:
            return None
        total += inside
    return total


_PLAIN = ("serial", "scalar", "independent", "reduce", "simd", "unrolled simd")


def _block(statements: Body, small: set[int]) -> Body:
    return unless_same(list(_inside(statements, small)), statements)


def _inside(statements: Body, small: set[int]) -> Iterator[Statement]:
    for statement in statements:
        if id(statement) in small:
            assert isinstance(statement, Kernel)
            if statement.title and any(isinstance(s, For) for s in statement.body):
                yield Comment(statement.title, next(iter(statement.origins), None))
            yield from statement.body
        elif isinstance(statement, Kernel):
            yield statement
        elif isinstance(statement, While):
            yield replace(statement, body=_block(statement.body, small))
        else:
            yield with_bodies(statement, lambda body: _block(body, small))
