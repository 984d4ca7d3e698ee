"""Changes of statements: other bodies, copies with fresh names, and what a value depends on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from operator import is_
from typing import Any, TypeVar

from symtheano.dataclass import replace
from symtheano.loopir.builder import Names
from symtheano.loopir.index import Index
from symtheano.loopir.names import (
    PARTS,
    definitions,
    indices,
    operands,
    provides,
)
from symtheano.loopir.nodes import For, If, Kernel, Let, LetIndex, Load, Local, Statement, While
from symtheano.loopir.operands import Buffer, Expression, Operand, Value

Body = tuple[Statement, ...]
_Kind = TypeVar("_Kind", bound=Statement)


def with_bodies(statement: _Kind, change: Callable[[Body], Body]) -> _Kind:
    """Return a statement whose statement lists are changed; the same one if they are not.

    Examples
    --------
    >>> from symtheano.loopir.nodes import Comment
    >>> loop = For(Value("i", "int64"), Index.of(0), Index.of(3), ())
    >>> with_bodies(loop, lambda body: (*body, Comment("end"))).body
    (Comment(text='end', origin=None),)
    """
    kind = type(statement)
    if kind is not For and kind is not If and kind is not Kernel:  # most statements
        return statement
    if isinstance(statement, For | Kernel):
        body = change(statement.body)
        return statement if body is statement.body else replace(statement, body=body)
    if isinstance(statement, If):
        then, otherwise = change(statement.then), change(statement.otherwise)
        if then is statement.then and otherwise is statement.otherwise:
            return statement
        return replace(statement, then=then, otherwise=otherwise)
    return statement


def with_nested(statement: _Kind, change: Callable[[Body], Body]) -> _Kind:
    """Return what :func:`with_bodies` does, for a change of loops, branches, or what they compute.

    The change is not asked about lists that contain neither loops nor branches: most of them.

    Examples
    --------
    >>> from symtheano.loopir.nodes import Comment
    >>> inner = For(Value("j", "int64"), Index.of(0), Index.of(3), ())
    >>> loop = For(Value("i", "int64"), Index.of(0), Index.of(3), (inner, Comment("end")))
    >>> len(with_nested(loop, lambda body: body[:1]).body), with_nested(inner, lambda _: 0).body
    (1, ())
    """
    if type(statement) not in _NESTED:  # most statements
        return statement
    return with_bodies(statement, lambda body: body if _is_flat(body) else change(body))


_NESTED = frozenset((For, If, Kernel))


def _is_flat(body: Body) -> bool:
    return _NESTED.isdisjoint(map(type, body))


def with_loops(kernel: Kernel, change: Callable[[For], Sequence[Statement] | None]) -> Kernel:
    """Return a kernel in which loops are replaced, the outermost first.

    Parameters
    ----------
    kernel
        The kernel.
    change
        Function that returns what takes the place of a loop, which is not looked at again, or None
        to go on with the loops inside.
    """

    def block(statements: Body) -> Body:
        body: list[Statement] = []
        for statement in statements:
            new = change(statement) if type(statement) is For else None
            body += [with_nested(statement, block)] if new is None else new
        return unless_same(body, statements)

    return with_nested(kernel, block)


def with_inner_loops(kernel: Kernel, change: Callable[[For], Sequence[Statement]]) -> Kernel:
    """Return a kernel in which loops are replaced, the innermost first.

    Parameters
    ----------
    kernel
        The kernel.
    change
        Function that returns what takes the place of a loop, in which loops are replaced already.
    """

    def block(statements: Body) -> Body:
        body: list[Statement] = []
        for statement in statements:
            inner = with_nested(statement, block)
            body += change(inner) if isinstance(inner, For) else (inner,)
        return unless_same(body, statements)

    return with_nested(kernel, block)


def unless_same(new: Sequence[Statement], body: Body) -> Body:
    """Return new statements of a body, or the body itself if they are the same objects."""
    same = len(new) == len(body) and all(map(is_, new, body))
    return body if same else tuple(new)


def names_used(statement: Statement) -> list[str]:
    """Return the names of values that a statement itself reads.

    Examples
    --------
    >>> names_used(Let(Value("b", "bool"), "lt", (Value("a", "int8"), Value("c", "int8"))))
    ['a', 'c']
    """
    if type(statement) is Let:  # most statements
        return [a.name for a in statement.arguments if type(a) is Value]
    names = [operand.name for operand in operands(statement) if isinstance(operand, Value)]
    for index in indices(statement):
        names += index.names()
    return names


def base_name(name: str) -> str:
    """Return a name without the number that made it unique.

    Examples
    --------
    >>> base_name("x_i_12")
    'x_i'
    """
    stem = name.rstrip("0123456789")
    return stem[:-1] if stem != name and stem[-1:] == "_" else name


class Copier:
    """Copies statements: names that they define are new, and other names are replaced.

    Parameters
    ----------
    names
        Where new names come from; None to keep the names, if the copy takes the original's place.
    indices
        Replacements of integers in addresses and bounds.
    values
        Replacements of scalars.
    buffers
        Replacements of buffers, by name.

    Examples
    --------
    >>> names, x = Names(), Buffer("x", "float64", "input", Index.symbol("n"), 0)
    >>> load = Load(Value(names.fresh("x_i"), "float64"), x, Index.symbol("i"))
    >>> copier = Copier(names, {"i": Index.symbol("i") + 1})
    >>> (copy,) = copier.block([load])
    >>> copy.target.name, copy.index
    ('x_i_2', Index(i + 1))
    """

    def __init__(
        self,
        names: Names | None,
        indices: Mapping[str, Index] | None = None,
        values: Mapping[str, Operand] | None = None,
        buffers: Mapping[str, Buffer] | None = None,
    ) -> None:
        self.names = names
        self.indices = dict(indices or {})
        self.values: dict[str, Operand] = dict(values or {})
        self.buffers = dict(buffers or {})

    def block(self, statements: Sequence[Statement]) -> list[Statement]:
        """Return copies of the statements of one list."""
        copied: list[Statement] = []
        for statement in statements:
            copied += self.statement(statement)
        return copied

    def statement(self, statement: Statement) -> list[Statement]:
        """Return the copy of a statement, after the definitions of integers that it reads."""
        before = self._integers_of(statement) if self.indices else ()
        if isinstance(statement, For):
            loop = replace(
                statement,
                start=self.index(statement.start),
                stop=self.index(statement.stop),
                reductions=tuple((self.target(v), op) for v, op in statement.reductions),
                work=None if statement.work is None else self.index(statement.work),
                index=self.fresh(statement.index),
                body=self._inside(statement.body),
            )
            return [*before, loop]
        if isinstance(statement, If):
            condition = self.operand(statement.condition)
            then, otherwise = self._inside(statement.then), self._inside(statement.otherwise)
            return [*before, If(condition, then, otherwise, statement.rare)]
        if isinstance(statement, While):
            return [self._while(statement)]
        return [*before, self._simple(statement)]

    def _integers_of(self, statement: Statement) -> list[Statement]:
        """Define the replaced integers that a statement reads as scalars."""
        return [
            self._named(item)
            for item in operands(statement)
            if isinstance(item, Value)
            and item.name in self.indices
            and item.name not in self.values
        ]

    def _inside(self, statements: Sequence[Statement]) -> Body:
        """Return the copy of a body; what it defines ends with it."""
        before = dict(self.values)
        copied = tuple(self.block(statements))
        self.values = before
        return copied

    def _while(self, statement: While) -> Statement:
        before = dict(self.values)
        test = tuple(self.block(statement.test))
        condition = self.operand(statement.condition)
        copied = While(test, condition, tuple(self.block(statement.body)))
        self.values = before
        return copied

    def _simple(self, statement: Statement) -> Statement:
        if isinstance(statement, Local):
            return self._local(statement)
        changes = _changes(type(statement))
        if changes is not None:
            changed = []
            for name, change in changes:
                value = getattr(statement, name)
                changed.append(value if change is None else change(self, value))
            return type(statement)(*changed)
        parts = (definitions, provides, operands, indices)
        if any(part(statement) for part in parts):
            raise NotImplementedError(f"copies of {type(statement).__name__}")
        return statement

    def _local(self, local: Local) -> Local:
        size = self.index(local.buffer.size)
        name = local.buffer.name if self.names is None else self._fresh(local.buffer.name)
        new = replace(local.buffer, name=name, size=size)
        self.buffers[local.buffer.name] = new
        return Local(new)

    def _named(self, value: Value) -> Statement:
        """Define an integer for statements that read it as a scalar."""
        index = self.indices[value.name]
        assert self.names is not None, f"{value.name} is read as a scalar"
        named = Value(self._fresh(value.name), value.dtype)
        self.values[value.name] = named
        return LetIndex(named, index)

    def fresh(self, value: Value) -> Value:
        """Return the new name of a value that is defined here."""
        if self.names is None:
            return value
        new = Value(self._fresh(value.name), value.dtype)
        self.values[value.name] = new
        if value.dtype == "int64":
            self.indices[value.name] = new.index
        return new

    def _fresh(self, name: str) -> str:
        """Return a new name with the same beginning."""
        assert self.names is not None
        return self.names.fresh(base_name(name))

    def operand(self, operand: Operand) -> Operand:
        """Return what is read instead of an operand."""
        return self.values.get(operand.name, operand) if isinstance(operand, Value) else operand

    def read(self, item: Operand | Index | Expression) -> Operand | Index | Expression:
        """Return what is read instead of an operand, or of an expression."""
        if type(item) is Value:  # most of them
            return self.values.get(item.name, item)
        if isinstance(item, Expression):
            return replace(item, arguments=tuple(map(self.read, item.arguments)))
        return self.index(item) if isinstance(item, Index) else item

    def target(self, value: Value) -> Value:
        """Return the declared scalar that is assigned instead of another one."""
        target = self.operand(value)
        assert isinstance(target, Value)
        return target

    def index(self, index: Index) -> Index:
        """Return the address or bound that replaces another one."""
        return index.replace(self.indices)

    def buffer(self, buffer: Buffer) -> Buffer:
        """Return the buffer that replaces another one."""
        return self.buffers.get(buffer.name, buffer)


_Change = Callable[[Copier, Any], Any]
_CHANGES: dict[str, _Change] = {
    "defines": Copier.fresh,
    "assigns": Copier.target,
    "operands": Copier.read,
    "indices": Copier.index,
    "reads": Copier.buffer,
    "writes": Copier.buffer,
}


_CHANGES_OF: dict[type, list[tuple[str, _Change | None]] | None] = {}


def _changes(kind: type[Any]) -> list[tuple[str, _Change | None]] | None:
    """Return how each field of a class is copied; None if it has to be done otherwise."""
    if kind not in _CHANGES_OF:
        parts = PARTS.get(kind)
        if parts is None or parts.provides or parts.bodies:
            _CHANGES_OF[kind] = None
            return None
        changes: dict[str, _Change] = {}
        for role, change in _CHANGES.items():
            for name in getattr(parts, role):
                changes[name.lstrip("*")] = _each(change) if name[0] == "*" else change
        _CHANGES_OF[kind] = [(field.name, changes.get(field.name)) for field in fields(kind)]
    return _CHANGES_OF[kind]


def _each(change: _Change) -> _Change:
    return lambda copier, items: tuple(change(copier, item) for item in items)


def slice_of(wanted: set[str], statements: Sequence[Statement]) -> list[Statement]:
    """Return the scalar statements of one list that the wanted values depend on, in order."""
    needed = set(wanted)
    selected: list[Statement] = []
    for statement in reversed(statements):
        if needed.isdisjoint(value.name for value in definitions(statement)):
            continue
        if not isinstance(statement, Let | LetIndex | Load):
            continue
        needed.update(names_used(statement))
        selected.append(statement)
    return selected[::-1]
