"""Totals: scalars that a kernel computes from many elements are computed on the device.

What reduces into a scalar, or runs in order, becomes an iteration of a loop of its own, which
leaves the scalar in memory. The host reads it only if it needs it.
"""

from __future__ import annotations

from collections.abc import Sequence

from symtheano.codegen.passes.cuda.nests import assigned, is_apart
from symtheano.codegen.passes.trace import Context
from symtheano.codegen.targets import Target
from symtheano.dataclass import replace
from symtheano.loopir import (
    Buffer,
    Builder,
    Declare,
    For,
    If,
    Index,
    Kernel,
    Let,
    LetIndex,
    Load,
    Local,
    Partition,
    Statement,
    Store,
    Value,
)
from symtheano.loopir.names import definitions, walk
from symtheano.loopir.operands import Operand
from symtheano.loopir.rewrite import Copier, base_name, names_used

_PURE = Let | LetIndex | Load | Partition | Local | Declare


def totals(kernel: Kernel, target: Target, context: Context) -> Kernel:
    """Wrap what is no loop over independent iterations in one; such loops can be launched."""
    writer = _Totals(context, {value.name for value in kernel.results})
    body = writer.block(kernel.body)
    context.otherwise("not, all loops are over independent iterations")
    return replace(kernel, body=tuple(body))


class _Totals:
    def __init__(self, context: Context, results: set[str]) -> None:
        self.context, self.results = context, results
        self.copier = Copier(None)
        self.current: dict[str, Operand] = {}  # what declared scalars hold

    def block(self, statements: Sequence[Statement]) -> list[Statement]:
        """Return the statements of a kernel, in which no scalar is assigned."""
        body: list[Statement] = []
        rest = list(statements)
        while rest:
            statement = rest[0]
            if isinstance(statement, Declare):
                initial = self.copier.operand(statement.initial)
                self.current[statement.target.name] = initial
                _replace(self.copier, statement.target, initial)
            elif self._is_free(statement):
                body += self.copier.statement(statement)
            else:
                group = self._group(rest)
                body += self._wrapped(group, rest[len(group) :])
                rest = rest[len(group) :]
                continue
            rest = rest[1:]
        for name in self.results & self.current.keys():  # declared, and never assigned
            value = self.current[name]
            body.append(Let(Value(name, value.dtype), "identity", (value,)))
        return body

    def _is_free(self, statement: Statement) -> bool:
        if isinstance(statement, If):
            return all(map(self._is_free, (*statement.then, *statement.otherwise)))
        if isinstance(statement, For):
            return is_apart(statement) or statement.kind == "grid"
        return isinstance(statement, _PURE)

    def _group(self, rest: Sequence[Statement]) -> list[Statement]:
        """Return statements to run together: up to the last one of them that is not free."""
        count = 1
        for number, statement in enumerate(rest):
            if isinstance(statement, For) and self._is_free(statement):
                break
            if isinstance(statement, Partition | Local):
                break
            if not self._is_free(statement):
                count = number + 1
        return list(rest[:count])

    def _wrapped(self, group: Sequence[Statement], rest: Sequence[Statement]) -> list[Statement]:
        b = Builder(self.context.names)
        changed = dict.fromkeys(target.name for s in walk(group) for target in assigned(s)
                                if target.name in self.current)  # fmt: skip
        defined = {value.name: value for s in group for value in definitions(s)}
        later = {name for s in walk(rest) for name in names_used(s)} | self.results
        wanted = [name for name in dict.fromkeys([*changed, *defined]) if name in later]
        dtypes = {name: value.dtype for name, value in self.current.items()}
        dtypes |= {name: value.dtype for name, value in defined.items()}
        cells = {name: Buffer(self.context.names.fresh("total"), dtypes[name], "local", Index.of(1))
                 for name in wanted}  # fmt: skip
        for cell in cells.values():
            b.emit(Local(cell))
        inside = Copier(self.context.names, self.copier.indices, self.copier.values)
        with b.loop("one", 1, kind="independent"):
            for name in changed:
                declared = b.declare(base_name(name), self.current[name])
                _replace(inside, Value(name, declared.dtype), declared)
            for statement in inside.block(group):
                b.emit(statement)
            for name, cell in cells.items():
                value = inside.operand(Value(name, dtypes[name]))
                b.emit(Store(cell, Index.of(0), value))
        statements = list(b.statements())
        self.context.note(None, "{} {} computed by a launch of its own", ", ".join(wanted) or "it",
                          "are" if len(wanted) > 1 else "is")  # fmt: skip
        again = {t.name for s in walk(rest) for t in assigned(s)}
        for name, cell in cells.items():
            fresh = name if name not in again else self.context.names.fresh(base_name(name))
            target = Value(fresh, dtypes[name])
            statements.append(Load(target, cell, Index.of(0)))
            self.current[name] = target
            _replace(self.copier, Value(name, target.dtype), target)
        for name in changed.keys() - again:
            self.current.pop(name, None)
        return statements


def _replace(copier: Copier, value: Value, new: Operand) -> None:
    """Let copies read another scalar, also in addresses."""
    copier.values[value.name] = new
    if value.dtype == "int64":
        copier.indices[value.name] = Builder.as_index(new)
