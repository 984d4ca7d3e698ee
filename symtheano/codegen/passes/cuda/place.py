"""Place: small arrays, which were on a stack, get memory that all threads which use them share."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from symtheano.codegen.passes.trace import Context
from symtheano.codegen.targets import Target
from symtheano.dataclass import replace
from symtheano.loopir import Buffer, For, If, Kernel, Local, Statement
from symtheano.loopir.memory import STACK
from symtheano.loopir.names import bodies, reads, walk, writes
from symtheano.loopir.rewrite import Body, Copier


def place(kernel: Kernel, target: Target, context: Context) -> Kernel:
    """Move arrays that several launches use to the device's memory, and others to a block's."""
    launches = [s for s in walk(kernel.body) if isinstance(s, For) and _is_launch(s)]
    inside = {id(item) for loop in launches for item in walk(loop.body)}
    outside = [s for s in walk(kernel.body) if id(s) not in inside and not isinstance(s, For | If)]
    whole: dict[str, Buffer] = {}
    for buffer in _stack(kernel.body, kernel.body).values():
        users = [loop for loop in launches if buffer.name in _stack([loop])]
        if len(users) > 1 or buffer.name in _stack(outside):
            context.note(None, "{} is in the device's memory: {} launches use it",
                         buffer.name, len(users))  # fmt: skip
            whole[buffer.name] = replace(buffer, space="local")
    body = _in_blocks(Copier(None, buffers=whole).block(kernel.body), target, context)
    context.otherwise("not, there is no small array")
    return replace(kernel, body=(*map(Local, whole.values()), *body))


def _is_launch(loop: For) -> bool:
    """Return whether a loop is the innermost grid of a launch, in whose blocks threads run."""
    return loop.kind == "grid" and not any(
        isinstance(s, For) and s.kind == "grid" for s in loop.body
    )


def _stack(
    statements: Sequence[Statement], writers: Sequence[Statement] | None = None
) -> dict[str, Buffer]:
    """Return the arrays on a stack that statements use, and that others write to, if given.

    What a kernel does not write belongs to the program around it.
    """
    used = (buffer for s in walk(statements) for buffer in (*reads(s), *writes(s)))
    stack = {buffer.name: buffer for buffer in used if buffer.memory is STACK}
    if writers is not None:
        written = {buffer.name for s in walk(writers) for buffer in writes(s)}
        stack = {name: buffer for name, buffer in stack.items() if name in written}
    return stack


def _uses(statements: Sequence[Statement], buffer: Buffer) -> int:
    return sum(buffer in (*reads(s), *writes(s)) for s in walk(statements))


def _in_blocks(statements: Sequence[Statement], target: Target, context: Context) -> Body:
    changed: list[Statement] = []
    for s in statements:
        if isinstance(s, If):
            then, otherwise = (_in_blocks(body, target, context) for body in bodies(s))
            s = replace(s, then=then, otherwise=otherwise)
        elif isinstance(s, For) and not _is_launch(s):
            s = replace(s, body=_in_blocks(s.body, target, context))
        elif isinstance(s, For):
            s = _in_block(s, target, context)
        changed.append(s)
    return tuple(changed)


def _in_block(loop: For, target: Target, context: Context) -> For:
    alone = [s for s in walk(loop.body) if isinstance(s, For) and s.kind in ("thread", "lane")]
    shared = {}
    for buffer in _stack(loop.body, loop.body).values():
        users = [_uses(thread.body, buffer) for thread in alone]
        if max(users, default=0) < _uses(loop.body, buffer):  # more than one thread uses it
            size = (buffer.size.constant or 0) * np.dtype(buffer.dtype).itemsize
            context.note(loop, "{} is in the memory of a block: {} bytes of {}",
                         buffer.name, size, target.device.shared)  # fmt: skip
            shared[buffer.name] = replace(buffer, space="shared")
    body = Copier(None, buffers=shared).block(loop.body)
    return replace(loop, body=(*map(Local, shared.values()), *body))
