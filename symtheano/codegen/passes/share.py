"""Share: what a block, or one around it, computes twice is computed once."""

from __future__ import annotations

from collections.abc import Sequence

from symtheano.codegen.passes.trace import Context
from symtheano.codegen.targets import Target
from symtheano.dataclass import replace
from symtheano.loopir import Declare, For, If, Kernel, Let, Literal, Load, Statement, Value
from symtheano.loopir.names import definitions, walk, writes
from symtheano.loopir.operands import Operand
from symtheano.loopir.rewrite import Body, Copier, names_used, unless_same, with_bodies


def share(kernel: Kernel, target: Target, context: Context) -> Kernel:
    """Drop scalar statements, and loads of what the kernel does not write, that are repeated."""
    written = {buffer.name for s in walk(kernel.body) for buffer in writes(s)}
    shared = _Shared(written)
    body = tuple(shared.block(kernel.body))
    if shared.copier.values:
        context.note(None, "{} statements are repeated", len(shared.copier.values))
    context.otherwise("not, nothing is computed twice")
    return replace(kernel, body=body)


_Key = tuple[object, ...]


class _Shared:
    """Replaces values that are computed already."""

    def __init__(self, written: set[str]) -> None:
        self.written = written
        self.copier = Copier(None)
        self.available: list[dict[_Key, Value]] = [{}]
        self.mutable: set[str] = set()

    def block(self, statements: Sequence[Statement]) -> list[Statement]:
        """Return the statements of a block without those that compute what is known."""
        kept: list[Statement] = []
        for statement in statements:
            if isinstance(statement, For | If):
                kept.append(with_bodies(self._head(statement), self._inside))
                continue
            new: Statement = statement
            read = names_used(statement)
            if not self.copier.values.keys().isdisjoint(read):
                (new,) = self.copier.statement(statement)
                read = names_used(new)
            key = self._key(new, read)
            same = self._same(key) if key else None
            if same is not None:
                (target,) = definitions(new)
                self.copier.values[target.name] = same
                if target.dtype == "int64":
                    self.copier.indices[target.name] = same.index
                continue
            if key:
                (self.available[-1][key],) = definitions(new)
            if isinstance(new, Declare):
                self.mutable.add(new.target.name)
            kept.append(new)
        return kept

    def _inside(self, body: Body) -> Body:
        self.available.append({})
        new = self.block(body)
        self.available.pop()
        return unless_same(new, body)

    def _head(self, statement: For | If) -> Statement:
        """Return a loop or branch whose own operands are replaced, but not its body."""
        if isinstance(statement, If):
            return replace(statement, condition=self.copier.operand(statement.condition))
        start, stop = self.copier.index(statement.start), self.copier.index(statement.stop)
        if start is statement.start and stop is statement.stop:
            return statement
        return replace(statement, start=start, stop=stop)

    def _same(self, key: _Key) -> Value | None:
        for block in reversed(self.available):
            if key in block:
                return block[key]
        return None

    def _key(self, s: Statement, read: Sequence[str]) -> _Key | None:
        """Return what makes two statements equal, or None if they must not be shared."""
        if isinstance(s, Let) and self.mutable.isdisjoint(read):
            return (s.op, s.target.dtype, *[_identity(a) for a in s.arguments])
        if isinstance(s, Load) and s.buffer.name not in self.written:
            return ("load", s.buffer.name, s.index)
        return None


def _identity(operand: Operand) -> str | Literal:
    """Return what tells operands apart; names do that, and are compared fast."""
    return operand.name if isinstance(operand, Value) else operand
