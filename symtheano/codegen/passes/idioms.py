"""Idioms: kernels that copy an array, or fill it with zeros, become calls of routines.

A call takes less text than a loop for one thread and for many, and the C library's loops are as
fast as any. It is done before the passes over kernels. (LLVM has such a pass, LoopIdiomRecognize.)
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from symtheano.codegen.passes.collapse import collapse
from symtheano.codegen.passes.context import ProgramContext
from symtheano.codegen.passes.inline import is_small
from symtheano.codegen.passes.trace import Context
from symtheano.codegen.rows import is_zero
from symtheano.codegen.targets import Target
from symtheano.dataclass import replace
from symtheano.loopir import (
    Alias,
    Buffer,
    Builder,
    Choose,
    Comment,
    For,
    Kernel,
    Load,
    Program,
    Statement,
    Store,
    Swap,
    While,
)
from symtheano.loopir.names import provides, reads, walk, writes
from symtheano.loopir.operands import Address
from symtheano.loopir.rewrite import Body, unless_same, with_bodies


def idioms(program: Program, target: Target, context: ProgramContext) -> Program:
    """Replace kernels by calls that do the same."""
    zeros = _zeros(program)

    def block(body: Body) -> Body:
        after: list[Statement] = []
        for statement in body:
            if isinstance(statement, Kernel) and not is_small(statement, target.inlined):
                after += _call(statement, target, context, zeros) or (statement,)
            elif isinstance(statement, While):
                after.append(replace(statement, body=block(statement.body)))
            else:
                after.append(with_bodies(statement, block))
        return unless_same(after, body)

    return replace(program, body=block(program.body)) if "copy" in target.routines else program


def _zeros(program: Program) -> set[Buffer]:
    """Return the buffers of one element into which only a zero is stored."""
    stored: dict[Buffer, list[Statement]] = {}
    for statement in walk(program.body):
        buffers = (*writes(statement), *provides(statement))
        if isinstance(statement, Alias | Choose):
            buffers += reads(statement)
        elif isinstance(statement, Swap):
            buffers += (statement.first, statement.second)
        for buffer in buffers:
            stored.setdefault(buffer, []).append(statement)
    return {
        buffer
        for buffer, (first, *others) in stored.items()
        if buffer.size == 1 and not others and isinstance(first, Store) and is_zero(first.value)
    }


def _call(
    kernel: Kernel, target: Target, context: ProgramContext, zeros: Collection[Buffer]
) -> Sequence[Statement]:
    """Return the statements in the place of a kernel, or nothing."""
    if kernel.epilogue or not _only_moves(kernel):
        return ()
    origin = next(iter(kernel.origins), None)
    b = Builder(context.names, target.routines)
    b.origin = origin
    b.emit(Comment(kernel.title, origin))
    for loop in collapse(kernel, target, Context(context.names)).body:
        places = _places(loop, zeros) if isinstance(loop, For) else ()
        if not isinstance(loop, For) or not places:
            return ()
        b.call("zero" if len(places) == 1 else "copy", *places, loop.stop)
    return b.statements()


def _only_moves(kernel: Kernel) -> bool:
    """Return whether a kernel consists of independent loops that load and store."""
    return all(
        isinstance(s, Load | Store) or (isinstance(s, For) and s.kind == "independent")
        for s in walk(kernel.body)
    )


def _places(loop: For, zeros: Collection[Buffer]) -> tuple[Address, ...]:
    """Return where a loop stores zeros, or copies to and from where; nothing of other loops."""
    *loads, store = loop.body
    if not isinstance(store, Store) or loop.start != 0 or loop.step != 1:
        return ()
    if not _is_in_order(store, loop):
        return ()
    place = _beginning(store, loop)
    match loads:
        case [] if is_zero(store.value):
            return (place,)
        case [Load() as load] if load.target == store.value and load.buffer in zeros:
            return (place,)
        case [Load() as load] if load.target == store.value and _is_in_order(load, loop):
            if load.buffer != store.buffer and load.buffer.dtype == store.buffer.dtype:
                return place, _beginning(load, loop)
    return ()


def _is_in_order(access: Load | Store, loop: For) -> bool:
    """Return whether iterations go through consecutive elements."""
    return access.index.coefficient(loop.index.name) == 1


def _beginning(access: Load | Store, loop: For) -> Address:
    """Return the address of the first element that a loop reads or writes."""
    return Address(access.buffer, access.index.replace({loop.index.name: 0}))
