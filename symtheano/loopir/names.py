"""Traversals of statements: the names and buffers that they use and define."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from symtheano.dataclass import dataclass
from symtheano.loopir.index import Index
from symtheano.loopir.nodes import (
    Address,
    Allocate,
    Assign,
    Buffer,
    Call,
    Check,
    Choose,
    Declare,
    For,
    If,
    Kernel,
    Let,
    LetIndex,
    Literal,
    Load,
    Local,
    Locate,
    Operand,
    Partition,
    Prefetch,
    Program,
    PythonCall,
    Reduce,
    Statement,
    Store,
    Update,
    Value,
    While,
)


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
    written
        Names of the buffers that may be written to.
    """

    values: tuple[Value, ...]
    buffers: tuple[Buffer, ...]
    written: frozenset[str]


_WITH_BODIES = frozenset((For, Kernel, While, If))


def bodies(statement: Statement) -> tuple[tuple[Statement, ...], ...]:
    """Return the statement lists inside a statement, in order of execution."""
    if isinstance(statement, For | Kernel):
        return (statement.body,)
    if isinstance(statement, While):
        return (statement.test, statement.body)
    if isinstance(statement, If):
        return (statement.then, statement.otherwise)
    return ()


def walk(statements: Sequence[Statement]) -> Iterator[Statement]:
    """Yield all statements, nested ones after the one that contains them.

    Examples
    --------
    >>> inner = Declare(Value("a", "bool"), Literal(True, "bool"))
    >>> [type(s).__name__ for s in walk([If(Literal(True, "bool"), (inner,))])]
    ['If', 'Declare']
    """
    waiting = list(reversed(statements))
    while waiting:
        statement = waiting.pop()
        yield statement
        if type(statement) in _WITH_BODIES:
            for body in reversed(bodies(statement)):
                waiting.extend(reversed(body))


def definitions(statement: Statement) -> tuple[Value, ...]:
    """Return the values that later statements of the same list may use."""
    if isinstance(statement, Let | LetIndex | Load | Declare):
        return (statement.target,)
    if isinstance(statement, Partition):
        return (statement.rows, statement.count)
    if isinstance(statement, Kernel):
        return statement.results
    if isinstance(statement, PythonCall):
        return tuple(dim for _, dims in statement.outputs for dim in dims)
    if isinstance(statement, Call) and statement.target is not None:
        return (statement.target,)
    return ()


def inner_definitions(statement: For) -> tuple[Value, ...]:
    """Return the values that a loop defines for its body."""
    return (statement.index,) if statement.worker is None else (statement.index, statement.worker)


def operands(statement: Statement) -> tuple[Operand, ...]:
    """Return the scalars a statement itself reads; those of nested statements are not among."""
    if isinstance(statement, Let):
        return statement.arguments
    if isinstance(statement, Declare):
        return (statement.initial,)
    if isinstance(statement, Assign | Reduce):
        return (statement.target, statement.value)
    if isinstance(statement, Locate):
        return (statement.best, statement.where, statement.value, statement.position)
    if isinstance(statement, Store | Update):
        return (statement.value,)
    if isinstance(statement, If | While | Check | Choose):
        return (statement.condition,)
    if isinstance(statement, For):
        return tuple(value for value, _ in statement.reductions)
    if isinstance(statement, Call):
        return tuple(a for a in statement.arguments if isinstance(a, Value | Literal))
    return ()


def indices(statement: Statement) -> tuple[Index, ...]:
    """Return the index polynomials a statement itself evaluates."""
    if isinstance(statement, LetIndex | Load | Prefetch | Store | Update):
        return (statement.index,)
    if isinstance(statement, Partition):
        return (statement.length, statement.unit)
    if isinstance(statement, For):
        work = () if statement.work is None else (statement.work,)
        return (statement.start, statement.stop, *work)
    if isinstance(statement, Call):
        return tuple(
            a.offset if isinstance(a, Address) else a
            for a in statement.arguments
            if isinstance(a, Address | Index)
        )
    if isinstance(statement, Allocate):
        return (*statement.shape, statement.buffer.size)
    if isinstance(statement, Local):
        return (statement.buffer.size,)
    if isinstance(statement, Choose):
        return (statement.first.offset, statement.second.offset)
    if isinstance(statement, Check):
        return statement.values
    if isinstance(statement, PythonCall):
        return tuple(
            index for address, shape in statement.inputs for index in (address.offset, *shape)
        )
    return ()


def reads(statement: Statement) -> tuple[Buffer, ...]:
    """Return the buffers a statement itself may read."""
    if isinstance(statement, Load | Prefetch | Update):
        return (statement.buffer,)
    if isinstance(statement, Choose):
        return (statement.first.buffer, statement.second.buffer)
    if isinstance(statement, Call):
        return tuple(a.buffer for a in statement.arguments if isinstance(a, Address))
    if isinstance(statement, PythonCall):
        return tuple(address.buffer for address, _ in statement.inputs)
    return ()


def writes(statement: Statement) -> tuple[Buffer, ...]:
    """Return the buffers a statement itself may write."""
    if isinstance(statement, Store | Update):
        return (statement.buffer,)
    if isinstance(statement, Call):
        arrays = [a.buffer for a in statement.arguments if isinstance(a, Address)]
        if statement.routine in ("copy", "repeat"):
            return tuple(arrays[:1])
        return tuple(arrays[-statement.written :])
    return ()


def provides(statement: Statement) -> tuple[Buffer, ...]:
    """Return the buffers that have storage from this statement on."""
    if isinstance(statement, Allocate | Choose | Local):
        return (statement.buffer,)
    if isinstance(statement, PythonCall):
        return tuple(buffer for buffer, _ in statement.outputs)
    return ()


def uses(statements: Sequence[Statement]) -> Uses:
    """Return what statements need from outside; every name is defined only once anywhere.

    Examples
    --------
    >>> n = Value("n", "int64")
    >>> x = Buffer("x", "float32", "input", n.index, 0)
    >>> i, x_i = Value("i", "int64"), Value("x_i", "float32")
    >>> loop = For(i, Index.of(0), n.index, (Load(x_i, x, i.index), Store(x, i.index, x_i)))
    >>> found = uses([loop])
    >>> [v.name for v in found.values], [b.name for b in found.buffers], sorted(found.written)
    (['n'], ['x'], ['x'])
    """
    used: dict[str, Value] = {}
    buffers: dict[str, Buffer] = {}
    defined: set[str] = set()
    provided: set[str] = set()
    written: set[str] = set()
    for statement in walk(statements):
        for index in indices(statement):
            for name in index.names():
                used.setdefault(name, Value(name, "int64"))
        for operand in operands(statement):
            if isinstance(operand, Value):
                used.setdefault(operand.name, operand)
        for buffer in (*reads(statement), *writes(statement)):
            buffers.setdefault(buffer.name, buffer)
        written.update(buffer.name for buffer in writes(statement))
        defined.update(value.name for value in definitions(statement))
        provided.update(buffer.name for buffer in provides(statement))
        if isinstance(statement, For):
            defined.update(value.name for value in inner_definitions(statement))
    return Uses(
        tuple(value for name, value in used.items() if name not in defined),
        tuple(buffer for name, buffer in buffers.items() if name not in provided),
        frozenset(written - provided),
    )


def all_names(program: Program) -> Iterator[str]:
    """Yield every name of a program: of values, buffers and kernels; some more than once."""
    for dims in program.input_dims:
        yield from (name for name in dims if name)
    for buffer in (*program.inputs, *program.outputs):
        yield buffer.name
    yield from (buffer.name for slot in program.arena for buffer in slot.buffers)
    yield from (buffer.name for buffer, _ in program.constants)
    for statement in walk(program.body):
        yield from (value.name for value in definitions(statement))
        yield from (buffer.name for buffer in (*reads(statement), *writes(statement)))
        yield from (buffer.name for buffer in provides(statement))
        if isinstance(statement, For):
            yield from (value.name for value in inner_definitions(statement))
        if isinstance(statement, Kernel):
            yield statement.name
