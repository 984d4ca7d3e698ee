"""Motion: numbers that are the same in all iterations of a loop are computed before it.

Rewriting moves arrays before loops. What checks of a loop need, such as whether all indices of an
array are in range, is only known later, so it is moved here. The check itself stays: it fails in
the iteration in which it is made, and not in a loop without iterations.
"""

from __future__ import annotations

from collections.abc import Sequence

from symtheano.codegen.passes.context import ProgramContext
from symtheano.codegen.targets import Target
from symtheano.dataclass import replace
from symtheano.loopir import (
    Call,
    Check,
    Expression,
    For,
    Index,
    Kernel,
    Leave,
    Let,
    LetIndex,
    Literal,
    Load,
    Poll,
    Program,
    PythonCall,
    Statement,
    Value,
    While,
)
from symtheano.loopir.names import (
    definitions,
    inner_definitions,
    overlapping,
    provides,
    uses,
    walk,
    writes,
)
from symtheano.loopir.operands import Operand
from symtheano.loopir.rewrite import Body, slice_of, unless_same, with_bodies


def motion(program: Program, target: Target, context: ProgramContext) -> Program:
    """Move kernels that compute only numbers before loops that do not change their operands."""

    def block(body: Body) -> Body:
        after: list[Statement] = []
        for statement in body:
            if isinstance(statement, Kernel) and not statement.region:
                after.append(statement)
                continue
            if isinstance(statement, While):
                inner = block(statement.body)
                loop = statement if inner is statement.body else replace(statement, body=inner)
                after += _moved(loop, program)
            elif isinstance(statement, For):
                after += _moved(with_bodies(statement, block), program)
            else:
                after.append(with_bodies(statement, block))
        return unless_same(after, body)

    return replace(program, body=block(program.body))


def _moved(loop: For | While, program: Program) -> Sequence[Statement]:
    """Return the kernels that run before a loop, and the loop without these."""
    if not any(isinstance(s, Kernel) and s.results for s in loop.body):
        return [loop]
    inside = [*walk([loop])]
    changed = overlapping({b.name for s in inside for b in writes(s)}, walk(program.body))
    changed |= {b.name for s in inside for b in provides(s)}
    defined = {v.name for s in inside for v in definitions(s)}
    defined |= {v.name for s in inside if isinstance(s, For) for v in inner_definitions(s)}
    numbers: list[Statement] = []
    kernels: list[Kernel] = []
    for statement in loop.body:
        if isinstance(statement, Check) and not _is_of(statement.condition, kernels, numbers):
            break  # it may be why what comes after it can be read
        if isinstance(statement, Kernel):
            if not _only_computes_numbers(statement):
                continue
        elif not isinstance(statement, Let | LetIndex):
            continue
        used = uses([statement])
        if any(value.name in defined for value in used.values):
            continue
        if any(buffer.name in changed for buffer in used.buffers):
            continue
        defined -= {value.name for value in definitions(statement)}
        if isinstance(statement, Kernel):
            kernels.append(statement)
        else:
            numbers.append(statement)
    if not kernels:
        return [loop]
    needed = slice_of({value.name for value in uses(kernels).values}, numbers)
    moved = {id(statement) for statement in (*needed, *kernels)}
    before = [s for s in loop.body if id(s) in moved]
    return [*before, replace(loop, body=tuple(s for s in loop.body if id(s) not in moved))]


def _is_of(
    condition: Operand | Expression, kernels: Sequence[Kernel], numbers: Sequence[Statement]
) -> bool:
    """Return whether all of a condition is about numbers that the kernels compute.

    A condition about lengths may be why elements can be read. ``numbers`` computes operands.
    """
    computed = {s.target.name: s for s in numbers if isinstance(s, Let)}
    results = {value.name for kernel in kernels for value in kernel.results}

    def is_of(operand: Operand | Index | Expression) -> bool:
        if isinstance(operand, Value) and operand.name not in computed:
            return operand.name in results
        if isinstance(operand, Literal | Index):
            return False
        made = computed[operand.name] if isinstance(operand, Value) else operand
        return (all if made.op == "and_" else any)(map(is_of, made.arguments))

    return is_of(condition)


def _only_computes_numbers(kernel: Kernel) -> bool:
    """Return whether a kernel changes no memory and can neither fail nor call anything.

    Nor does it read elements at positions that are computed: whether these exist may be what an
    earlier check of the loop tests.
    """
    if not kernel.results or kernel.region or kernel.epilogue:
        return False
    used, inside = uses(kernel.body), [*walk(kernel.body)]
    if any(buffer.name in used.written for buffer in used.buffers):
        return False
    counters = {s.index.name for s in inside if isinstance(s, For)}
    return not any(
        isinstance(s, Call | Check | Leave | Poll | PythonCall)
        or (isinstance(s, Load) and {*s.index.names()} - {*s.buffer.size.names()} - counters)
        for s in inside
    )
