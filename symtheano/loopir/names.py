"""Traversals of statements: the names and buffers that they use and define."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from types import MappingProxyType
from typing import Any, get_args

from symtheano.dataclass import dataclass
from symtheano.loopir.index import Index
from symtheano.loopir.launch import Aligned
from symtheano.loopir.nodes import (
    Alias,
    Allocate,
    Assign,
    Call,
    Check,
    Choose,
    For,
    If,
    Leave,
    Let,
    Local,
    PythonCall,
    Statement,
    Swap,
)
from symtheano.loopir.operands import Address, Buffer, Expression, Literal, Operand, Parts, Value
from symtheano.loopir.run import Run


@dataclass(frozen=True)
class Uses:
    """What statements use from outside, in the order of first use.

    Attributes
    ----------
    values
        Scalars which are defined elsewhere.
    buffers
        Buffers whose storage comes from elsewhere; those in ``stack`` and ``constant`` space
        are among them.
    written, read
        Names of the buffers that may be written to, and of those that may be read.
    """

    values: tuple[Value, ...]
    buffers: tuple[Buffer, ...]
    written: frozenset[str]
    read: frozenset[str]


PARTS: dict[type, Parts] = {
    kind: kind.parts for kind in get_args(Statement) if hasattr(kind, "parts")
}
"""What the fields of statements are; others, and what is inside fields, the functions below add."""

_Getter = Callable[[Any], tuple[Any, ...]]


def _getter(names: tuple[str, ...]) -> _Getter:
    """Return a function that collects fields of a statement."""
    if len(names) == 1 and names[0][0] == "*":
        return attrgetter(names[0][1:])
    if len(names) == 1:
        (name,) = names
        return lambda statement: (getattr(statement, name),)
    if names[-1][0] == "*":
        several, more = _getter(names[:-1]), attrgetter(names[-1][1:])
        return lambda statement: (*several(statement), *more(statement))
    return attrgetter(*names)


def _getters(*kinds: str) -> dict[type, _Getter]:
    """Return for each class the function that collects its fields of some kinds."""
    getters = {}
    for statement, parts in PARTS.items():
        names = tuple(name for kind in kinds for name in getattr(parts, kind))
        if names:
            getters[statement] = _getter(names)
    return getters


_BODIES: dict[type, _Getter] = {
    **_getters("bodies"),
    Call: lambda call: () if call.epilogue is None else ((call.epilogue,),),
}


def bodies(statement: Statement) -> tuple[tuple[Statement, ...], ...]:
    """Return the statement lists inside a statement, in order of execution."""
    get = _BODIES.get(type(statement))
    return () if get is None else get(statement)


def walk(statements: Sequence[Statement]) -> Iterator[Statement]:
    """Yield all statements, nested ones after the one that contains them.

    Examples
    --------
    >>> from symtheano.loopir import Declare
    >>> inner = Declare(Value("a", "bool"), Literal(True, "bool"))
    >>> [type(s).__name__ for s in walk([If(Literal(True, "bool"), (inner,))])]
    ['If', 'Declare']
    """
    waiting = [iter(statements)]
    while waiting:
        for statement in waiting[-1]:
            yield statement
            if type(statement) in _BODIES:
                inside = _BODIES[type(statement)](statement)
                waiting += [iter(body) for body in reversed(inside)]
                break
        else:
            waiting.pop()


def usual(statements: Sequence[Statement]) -> list[Statement]:
    """Return statements and nested ones, but for those of branches that seldom run.

    Examples
    --------
    >>> from symtheano.loopir import Declare
    >>> inner = Declare(Value("a", "bool"), Literal(True, "bool"))
    >>> [type(s).__name__ for s in usual([If(Literal(True, "bool"), (inner,), rare=True)])]
    ['If']
    """
    nested = [*walk(statements)]
    rare = {id(inner) for s in nested if isinstance(s, If) and s.rare for inner in walk(s.then)}
    return [s for s in nested if id(s) not in rare]


_DEFINITIONS: dict[type, _Getter] = {
    **_getters("defines"),
    Call: lambda call: () if call.target is None else (call.target,),
    PythonCall: lambda call: tuple(dim for _, dims in call.outputs for dim in dims),
}


def definitions(statement: Statement) -> tuple[Value, ...]:
    """Return the values that later statements of the same list may use."""
    get = _DEFINITIONS.get(type(statement))
    return () if get is None else get(statement)


def inner_definitions(statement: For) -> tuple[Value, ...]:
    """Return the values that a loop defines for its body."""
    return (statement.index,) if statement.worker is None else (statement.index, statement.worker)


def _assign_operands(assign: Assign) -> tuple[Operand, ...]:
    value = assign.value
    if isinstance(value, Expression):
        return (assign.target, *value.operands)
    return assign.target, value


def _condition_operands(statement: Check | Leave) -> tuple[Operand, ...]:
    condition = statement.condition
    return condition.operands if isinstance(condition, Expression) else (condition,)


_OPERANDS: dict[type, _Getter] = {
    **_getters("assigns", "operands"),
    Allocate: lambda allocate: () if allocate.number is None else (allocate.number,),
    Assign: _assign_operands,
    Check: _condition_operands,
    Leave: _condition_operands,
    Call: lambda call: tuple(a for a in call.arguments if isinstance(a, Value | Literal)),
    For: lambda loop: tuple(value for value, _ in loop.reductions),
}


def operands(statement: Statement) -> tuple[Operand, ...]:
    """Return the scalars a statement itself reads; those of nested statements are not among."""
    get = _OPERANDS.get(type(statement))
    return () if get is None else get(statement)


def _run_indices(run: Run) -> tuple[Index, ...]:
    if run.threads is None:
        return ()
    work = () if run.threads.work is None else (run.threads.work,)
    return (run.threads.length, *work)


def _call_indices(call: Call) -> tuple[Index, ...]:
    polynomials: list[Index] = []
    for argument in call.arguments:
        if isinstance(argument, tuple):
            polynomials.extend(argument)
        elif isinstance(argument, Address | Index):
            polynomials.append(argument.offset if isinstance(argument, Address) else argument)
    if call.workspace is not None:
        polynomials.append(call.workspace.size)
    return tuple(polynomials)


def _condition_indices(statement: Check | Leave) -> tuple[Index, ...]:
    condition = statement.condition
    return condition.indices if isinstance(condition, Expression) else ()


def _call_reads(call: Call) -> tuple[Buffer, ...]:
    arrays = tuple(a.buffer for a in call.arguments if isinstance(a, Address))
    return arrays if call.workspace is None else (*arrays, call.workspace)


_INDICES: dict[type, _Getter] = {
    **_getters("indices"),
    Local: lambda local: (local.buffer.size,),
    Allocate: lambda allocate: (*allocate.shape, allocate.buffer.size),
    Alias: lambda alias: (alias.address.offset,),
    Choose: lambda choice: (choice.first.offset, choice.second.offset),
    Check: lambda check: (*_condition_indices(check), *check.values),
    Leave: _condition_indices,
    For: lambda loop: (loop.start, loop.stop, *(() if loop.work is None else (loop.work,))),
    Run: _run_indices,
    Call: _call_indices,
    PythonCall: lambda call: tuple(
        index for address, shape in call.inputs for index in (address.offset, *shape)
    ),
}


def indices(statement: Statement) -> tuple[Index, ...]:
    """Return the index polynomials a statement itself evaluates."""
    get = _INDICES.get(type(statement))
    return () if get is None else get(statement)


_READS: dict[type, _Getter] = {
    **_getters("reads"),
    Alias: lambda alias: (alias.address.buffer,),
    Choose: lambda choice: (choice.first.buffer, choice.second.buffer),
    Call: _call_reads,
    PythonCall: lambda call: tuple(address.buffer for address, _ in call.inputs),
}


def reads(statement: Statement) -> tuple[Buffer, ...]:
    """Return the buffers a statement itself may read."""
    get = _READS.get(type(statement))
    return () if get is None else get(statement)


def _call_writes(call: Call) -> tuple[Buffer, ...]:
    arguments = (call.arguments[k] for k in call.routine.written)
    arrays = tuple(a.buffer for a in arguments if isinstance(a, Address))
    return arrays if call.workspace is None else (*arrays, call.workspace)


_WRITES: dict[type, _Getter] = {**_getters("writes"), Call: _call_writes}


def writes(statement: Statement) -> tuple[Buffer, ...]:
    """Return the buffers a statement itself may write."""
    get = _WRITES.get(type(statement))
    return () if get is None else get(statement)


_PROVIDES: dict[type, _Getter] = {
    **_getters("provides"),
    PythonCall: lambda call: tuple(buffer for buffer, _ in call.outputs),
}


def provides(statement: Statement) -> tuple[Buffer, ...]:
    """Return the buffers that have storage from this statement on."""
    get = _PROVIDES.get(type(statement))
    return () if get is None else get(statement)


_SHOWS: dict[type, Callable[[Any], tuple[tuple[Buffer, Buffer], ...]]] = {
    Alias: lambda alias: ((alias.buffer, alias.address.buffer),),
    Choose: lambda c: ((c.buffer, c.first.buffer), (c.buffer, c.second.buffer)),
    Swap: lambda swap: ((swap.first, swap.second), (swap.second, swap.first)),
}


def written_through(written: Collection[str], statements: Iterable[Statement]) -> set[str]:
    """Return names of written buffers, with those that are written under other names.

    Parameters
    ----------
    written
        Names of buffers that statements write to.
    statements
        Those that give names to parts of buffers; others don't matter.

    Examples
    --------
    >>> x, part = (Buffer(name, "int8", "chosen", Index.of(3)) for name in ("x", "part"))
    >>> sorted(written_through({"part"}, [Alias(part, Address(x, Index.of(1)))]))
    ['part', 'x']
    """
    behind: dict[str, list[str]] = {}
    for statement in statements:
        get = _SHOWS.get(type(statement))
        for name, other in () if get is None else get(statement):
            behind.setdefault(name.name, []).append(other.name)
    names, waiting = set(written), [name for name in written if name in behind]
    while waiting:
        new = [name for name in behind.get(waiting.pop(), ()) if name not in names]
        names.update(new)
        waiting += new
    return names


def overlapping(names: Iterable[str], statements: Iterable[Statement]) -> set[str]:
    """Return names of buffers, with those of all buffers that may contain some of their elements.

    Two buffers between which a third one is chosen do not overlap, though it may be either; see
    :func:`named_alike`. Parameters are those of :func:`written_through`.

    Examples
    --------
    >>> x, part = (Buffer(name, "int8", "chosen", Index.of(3)) for name in ("x", "part"))
    >>> sorted(overlapping({"x"}, [Alias(part, Address(x, Index.of(1)))]))
    ['part', 'x']
    """
    views = [s for s in statements if type(s) in _SHOWS]
    views_of: dict[str, list[str]] = {}
    for statement in views:
        for view, base in _SHOWS[type(statement)](statement):
            views_of.setdefault(base.name, []).append(view.name)
    overlap = written_through(set(names), views)
    waiting = [*overlap]
    while waiting:
        new = [name for name in views_of.get(waiting.pop(), ()) if name not in overlap]
        overlap.update(new)
        waiting += new
    return overlap


def named_alike(names: Iterable[str], statements: Iterable[Statement]) -> set[str]:
    """Return names of buffers, with those of all buffers that may be parts of the same memory.

    Parameters are those of :func:`written_through`.

    Examples
    --------
    >>> x, part = (Buffer(name, "int8", "chosen", Index.of(3)) for name in ("x", "part"))
    >>> sorted(named_alike({"x"}, [Alias(part, Address(x, Index.of(1)))]))
    ['part', 'x']
    """
    pairs: dict[str, list[str]] = {}
    for statement in statements:
        get = _SHOWS.get(type(statement))
        for one, other in () if get is None else get(statement):
            pairs.setdefault(one.name, []).append(other.name)
            pairs.setdefault(other.name, []).append(one.name)
    alike, waiting = set(names), [*names]
    while waiting:
        new = [name for name in pairs.get(waiting.pop(), ()) if name not in alike]
        alike.update(new)
        waiting += new
    return alike


def uses(
    statements: Sequence[Statement], by_body: Mapping[int, Uses] = MappingProxyType({})
) -> Uses:
    """Return what statements need from outside; every name is defined only once anywhere.

    Parameters
    ----------
    statements
        The statements.
    by_body
        What bodies of statements use, by ``id``; these are not walked through again.

    Examples
    --------
    >>> from symtheano.loopir import Load, Store
    >>> n = Value("n", "int64")
    >>> x = Buffer("x", "float32", "input", n.index, 0)
    >>> i, x_i = Value("i", "int64"), Value("x_i", "float32")
    >>> loop = For(i, Index.of(0), n.index, (Load(x_i, x, i.index), Store(x, i.index, x_i)))
    >>> used = uses([loop])
    >>> [v.name for v in used.values], [b.name for b in used.buffers], sorted(used.written)
    (['n'], ['x'], ['x'])
    """
    used: dict[str, Value] = {}
    buffers: dict[str, Buffer] = {}
    defined: set[str] = set()
    provided: set[str] = set()
    written: set[str] = set()
    read: set[str] = set()
    naming: list[Statement] = []
    waiting = list(reversed(statements))
    while waiting:
        statement = waiting.pop()
        if type(statement) is Let:  # most statements
            for argument in statement.arguments:
                if type(argument) is Value and argument.name not in used:
                    used[argument.name] = argument
            defined.add(statement.target.name)
            continue
        for index in indices(statement):
            for name in index.names():
                if name not in used:
                    used[name] = Value(name, "int64")
        for operand in operands(statement):
            if isinstance(operand, Value):
                used.setdefault(operand.name, operand)
        for buffer in reads(statement):
            buffers.setdefault(buffer.name, buffer)
            if type(statement) is not Aligned:  # an address is no element
                read.add(buffer.name)
        for buffer in writes(statement):
            buffers.setdefault(buffer.name, buffer)
            written.add(buffer.name)
        defined.update([value.name for value in definitions(statement)])
        provided.update([buffer.name for buffer in provides(statement)])
        if isinstance(statement, For):
            defined.update([value.name for value in inner_definitions(statement)])
        elif type(statement) in _SHOWS:
            naming.append(statement)
        for body in reversed(bodies(statement)):
            inside = by_body.get(id(body))
            if inside is None:
                waiting.extend(reversed(body))
                continue
            for value in inside.values:
                used.setdefault(value.name, value)
            for buffer in inside.buffers:
                buffers.setdefault(buffer.name, buffer)
            written |= inside.written
            read |= inside.read
    return Uses(
        tuple(value for name, value in used.items() if name not in defined),
        tuple(buffer for name, buffer in buffers.items() if name not in provided),
        frozenset(written_through(written, naming) - provided),
        frozenset(read - provided),
    )
