"""Share: what a block, or one around it, computes twice is computed once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from symtheano.codegen.targets import Target
from symtheano.loopir import Declare, For, If, Kernel, Let, Load, Statement
from symtheano.loopir.builder import Names
from symtheano.loopir.names import definitions, walk, writes
from symtheano.loopir.rewrite import Body, Copier, names_used, with_bodies


def share(kernel: Kernel, target: Target, names: Names) -> Kernel:
    """Drop scalar statements, and loads of what the kernel does not write, that are repeated."""
    written = {buffer.name for s in walk(kernel.body) for buffer in writes(s)}
    return replace(kernel, body=tuple(_Shared(written).block(kernel.body)))


class _Shared:
    """Replaces values that are computed already."""

    def __init__(self, written: set[str]) -> None:
        self.written = written
        self.copier = Copier(None)
        self.known: list[dict[Any, Any]] = [{}]
        self.mutable: set[str] = set()

    def block(self, statements: Sequence[Statement]) -> list[Statement]:
        """Return the statements of a block without those that compute what is known."""
        kept: list[Statement] = []
        for statement in statements:
            if isinstance(statement, For | If):
                kept.append(with_bodies(self._head(statement), self._inside))
                continue
            (new,) = self.copier.statement(statement)
            key = self._key(new)
            same = next((k[key] for k in reversed(self.known) if key in k), None) if key else None
            if same is not None:
                (target,) = definitions(new)
                self.copier.values[target.name] = same
                if target.dtype == "int64":
                    self.copier.indices[target.name] = same.index
                continue
            if key:
                (self.known[-1][key],) = definitions(new)
            if isinstance(new, Declare):
                self.mutable.add(new.target.name)
            kept.append(new)
        return kept

    def _inside(self, body: Body) -> Body:
        self.known.append({})
        new = tuple(self.block(body))
        self.known.pop()
        return body if new == body else new

    def _head(self, statement: For | If) -> Statement:
        """Return a loop or branch whose own operands are replaced, but not its body."""
        if isinstance(statement, If):
            return replace(statement, condition=self.copier.operand(statement.condition))
        start, stop = self.copier.index(statement.start), self.copier.index(statement.stop)
        if start is statement.start and stop is statement.stop:
            return statement
        return replace(statement, start=start, stop=stop)

    def _key(self, s: Statement) -> Any:
        """Return what makes two statements equal, or None if they must not be shared."""
        if isinstance(s, Let) and self.mutable.isdisjoint(names_used(s)):
            return (s.op, s.target.dtype, s.arguments)
        if isinstance(s, Load) and s.buffer.name not in self.written:
            return ("load", s.buffer.name, s.index)
        return None
