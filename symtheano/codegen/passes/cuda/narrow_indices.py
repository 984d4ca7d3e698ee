"""Narrow indices: kernels compute addresses with integers of 32 bits where lengths permit it.

A device multiplies and divides integers of 64 bits by several instructions. Where lengths are known
when a program is written, it is known whether integers of 32 bits suffice. Otherwise the host finds
out at each launch, and a kernel has another form, with 64 bits, for what is longer.
"""

from __future__ import annotations

from symtheano.codegen.passes.context import ProgramContext
from symtheano.codegen.targets import Target
from symtheano.dataclass import replace
from symtheano.loopir import Launch, Program, Statement, While
from symtheano.loopir.extents import MOST_NARROW, Extents, at_launch, narrow_integers
from symtheano.loopir.index import ZERO, Index
from symtheano.loopir.program import Function
from symtheano.loopir.rewrite import Body, with_bodies


def narrow_indices(program: Program, target: Target, context: ProgramContext) -> Program:
    """Choose 32 bits for integers of kernels, and tell what launches have to find out for that."""
    kernels: dict[str, Function] = {}
    bounds: dict[str, Index] = {}
    for kernel in program.kernels:
        narrow = replace(kernel, narrow=narrow_integers(kernel))
        bound = Extents(narrow).bound
        fits = all(factor <= MOST_NARROW for _, factor in bound.terms)
        kernels[kernel.name] = narrow if fits else kernel
        is_known = bound.constant is not None or not fits
        bounds[kernel.name] = ZERO if is_known else bound

    def launch(s: Launch) -> Launch:
        return replace(s, bound=at_launch(bounds[s.kernel], kernels[s.kernel], s.values))

    def block(statements: Body) -> Body:
        new: list[Statement] = []
        for s in statements:
            if isinstance(s, Launch):
                new.append(launch(s))
            elif isinstance(s, While):
                new.append(replace(s, test=block(s.test), body=block(s.body)))
            else:
                new.append(with_bodies(s, block))
        return tuple(new)

    functions = tuple(replace(each, body=block(each.body)) for each in program.functions)
    return replace(
        program, body=block(program.body), functions=functions, kernels=tuple(kernels.values())
    )
