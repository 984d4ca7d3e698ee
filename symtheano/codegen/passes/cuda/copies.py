"""Copies: routines that copy an array, or fill it with zeros, become loops for the device.

It is the opposite of :mod:`~symtheano.codegen.passes.idioms`, for calls that are written as such.
"""

from __future__ import annotations

from symtheano.codegen.passes.context import ProgramContext
from symtheano.codegen.targets import Target
from symtheano.dataclass import replace
from symtheano.loopir import Builder, Call, Index, Kernel, Literal, Program, Statement, View, While
from symtheano.loopir.builder import Names
from symtheano.loopir.operands import Address
from symtheano.loopir.rewrite import Body, unless_same, with_bodies

_NAMES = ("copy", "zero")


def copies(program: Program, target: Target, context: ProgramContext) -> Program:
    """Make kernels of the calls of routines that copy or clear."""

    def block(body: Body) -> Body:
        after: list[Statement] = []
        for s in body:
            if isinstance(s, Call) and s.routine.name in _NAMES:
                after.append(_kernel(s, context.names))
            elif isinstance(s, While):
                after.append(replace(s, test=block(s.test), body=block(s.body)))
            else:
                after.append(with_bodies(s, block))
        return unless_same(after, body)

    return replace(program, body=block(program.body))


def _kernel(call: Call, names: Names) -> Kernel:
    """Return the loop that does what a call does."""
    *places, count = call.arguments
    assert isinstance(count, Index)
    b = Builder(names)
    b.origin = call.origin
    with b.loop("i", count, kind="independent") as i:
        target, *sources = (_element(place, i) for place in places)
        value = b.load(sources[0], []) if sources else Literal(0, target.buffer.dtype)
        b.store(target, [], value)
    title = f"{call.routine.name} {count} elements"
    origins = () if call.origin is None else (call.origin,)
    return Kernel(names.fresh(f"kernel_{call.routine.name}"), title, b.statements(), (), origins)


def _element(place: object, i: Index) -> View:
    assert isinstance(place, Address)
    return View(place.buffer, (), (), place.offset + i)
