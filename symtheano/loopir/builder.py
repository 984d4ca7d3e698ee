"""Builder: appends statements, makes names unique, folds casts of literals."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from types import MappingProxyType
from typing import cast

from symtheano import dtypes
from symtheano.dataclass import dataclass
from symtheano.errors import told_in_iteration
from symtheano.formats import MOST_VALUES, Format, Message
from symtheano.loopir.index import Index
from symtheano.loopir.nodes import (
    Alias,
    Assign,
    Call,
    Check,
    Code,
    Declare,
    For,
    If,
    Kind,
    Let,
    LetIndex,
    Load,
    Local,
    Measure,
    Reduce,
    Statement,
    Store,
    Update,
)
from symtheano.loopir.operands import (
    Address,
    Argument,
    Buffer,
    Expression,
    Literal,
    Operand,
    Place,
    Value,
)
from symtheano.loopir.routine import Routine
from symtheano.loopir.view import View

Reader = Callable[[int, Sequence[Index]], Operand]
"""Reads one element of a node's k-th input at an index."""


@dataclass(frozen=True)
class NodeArrays:
    """The arrays of a node whose op writes statements, and the integers that it asked for."""

    inputs: list[View]
    outputs: list[View]
    scalars: list[Index]


"""Makes an error's message from integers."""

_RESERVED = frozenset(
    "auto break case char const continue default do double else enum extern float for goto if "
    "inline int long register restrict return short signed sizeof static struct switch typedef "
    "union unsigned void volatile while runtime inputs outputs error arena main".split()
)


class Names:
    """Generates unique identifiers."""

    def __init__(self) -> None:
        self._used: dict[str, int] = {}

    def fresh(self, wish: str) -> str:
        """Return ``wish`` as an identifier, with a number if it is taken."""
        plain = wish.isascii() and wish.isidentifier()  # nearly all of them
        name = wish if plain else re.sub(r"\W", "_", wish, flags=re.ASCII)
        name = name.strip("_") or "v"
        if name[0].isdigit() or name in _RESERVED or name.startswith("st_"):
            name = f"v_{name}"
        count = self._used.get(name)
        if count is None:
            self._used[name] = 1
            return name
        while True:
            count += 1
            candidate = f"{name}_{count}"
            if candidate not in self._used:
                self._used[name] = count
                self._used[candidate] = 1
                return candidate


@dataclass(frozen=True)
class Site:
    """A check that can fail, and its message.

    Attributes
    ----------
    code
        Kind of error, as in :class:`Check`.
    message
        Function that returns the message for the check's values.
    count
        Number of values.
    error
        The exception, where it is not the usual one of the code.
    """

    code: str
    message: Message
    count: int
    error: type[Exception] | None = None

    @property
    def format(self) -> Format:
        """The message with places for the values."""
        return Format.of(self.message, self.count)


class Builder:
    """Generates LoopIR, statement by statement.

    Ops generate all statements with the methods of a builder, so their modules do not import
    LoopIR.

    Parameters
    ----------
    names
        For new names.
    routines
        The routines that can be called, by name.

    Attributes
    ----------
    iterations
        The loops around whose iterations are told in messages: what runs, and the iteration.
    constant_calls
        Number of calls so far that keep what they make of constants, each under its own number.
    registers
        Scalars that are in no memory, by the names of the buffers that stand for them.
    whole
        Other buffers that buffers are, by name: these need no second name.

    Examples
    --------
    >>> b = Builder()
    >>> with b.loop("i", 10) as i:
    ...     y = b.let("add", "float64", [Literal(1.0, "float64"), Literal(2.0, "float64")])
    >>> type(b.statements()[0]).__name__
    'For'
    """

    def __init__(
        self,
        names: Names | None = None,
        routines: Mapping[str, Routine] = MappingProxyType({}),
    ) -> None:
        self.names = names if names is not None else Names()
        self.routines = routines
        self._blocks: list[list[Statement]] = [[]]
        self._available: list[dict[tuple[object, ...], Operand]] = [{}]
        self._mutable: set[str] = set()
        self._named: set[str] = set()
        self.origin: Place | None = None
        self.registers: dict[str, Operand] = {}
        self.whole: dict[str, Buffer] = {}
        self.sites: list[Site] = []
        self.iterations: list[tuple[str, Operand]] = []
        self.constant_calls = 0

    def statements(self) -> tuple[Statement, ...]:
        """Return what was written so far."""
        return tuple(self._blocks[0])

    def written(self) -> Sequence[Statement]:
        """Return what was written in the innermost open block."""
        return self._blocks[-1]

    def emit(self, statement: Statement) -> None:
        """Append a statement to the innermost open block."""
        self._blocks[-1].append(statement)

    @contextmanager
    def block(self) -> Iterator[list[Statement]]:
        """Collect the statements inside in the given list, not in the program."""
        inner: list[Statement] = []
        self._blocks.append(inner)
        self._available.append({})
        try:
            yield inner
        finally:
            self._blocks.pop()
            self._available.pop()

    def adopt(self, statement: Statement) -> None:
        """Append a statement that was generated in a separate block."""
        self.emit(statement)
        if isinstance(statement, Let):
            key = (statement.op, statement.target.dtype, *statement.arguments)
            self._available[-1][key] = statement.target

    # -- scalars ------------------------------------------------------------------------------

    def literal(self, value: bool | int | float | complex, dtype: str) -> Literal:
        """Return a scalar whose value is known."""
        return Literal(value, dtype)

    def value(self, wish: str, dtype: str) -> Value:
        """Return a new name; the caller defines it."""
        return Value(self.names.fresh(wish), dtype)

    def let(self, op: str, dtype: str, arguments: Sequence[Operand], name: str = "v") -> Value:
        """Compute a row of the scalar table; values known in an open block are reused."""
        key: tuple[object, ...] = (op, dtype, *arguments)
        for block in reversed(self._available):
            if key in block:
                value = cast(Value, block[key])  # a literal for an assumed predicate
                if isinstance(value, Value):
                    self._named.add(value.name)
                return value
        target = self.value(name, dtype)
        self.emit(Let(target, op, tuple(arguments), self.origin))
        if not any(isinstance(a, Value) and a.name in self._mutable for a in arguments):
            self._available[-1][key] = target
        return target

    def renamed(self, value: Value, name: str) -> Value:
        """Return a value that was just computed under another name, which is its only one then.

        The name must be new. A value that was asked for twice, or has been renamed, keeps its name.
        """
        last = self._blocks[-1][-1] if self._blocks[-1] else None
        if not isinstance(last, Let) or last.target is not value or value.name in self._named:
            return value
        self._named.add(name)
        new = Value(name, value.dtype)
        self._blocks[-1][-1] = Let(new, last.op, last.arguments, last.origin)
        key = (last.op, value.dtype, *last.arguments)
        if key in self._available[-1]:
            self._available[-1][key] = new
        return new

    def cast(self, operand: Operand, dtype: str, name: str = "v") -> Operand:
        """Convert to another dtype; literals are converted at once."""
        if operand.dtype == dtype:
            return operand
        if isinstance(operand, Literal):
            return convert_literal(operand, dtype)
        return self.let("cast", dtype, [operand], name)

    def index_value(self, index: Index | int, name: str, comment: str = "") -> Value:
        """Give an index a name, as an int64 value."""
        target = self.value(name, "int64")
        self.emit(LetIndex(target, Index.of(index), comment))
        return target

    def operand(self, index: Index | int) -> Operand:
        """Return an index as an int64 operand: a literal or a value."""
        index = Index.of(index)
        if index.constant is not None:
            return Literal(index.constant, "int64")
        if len(index.terms) == 1 and index.terms[0][1] == 1 and len(index.terms[0][0]) == 1:
            return Value(index.terms[0][0][0], "int64")
        return self.index_value(index, "k")

    def minimum(self, a: Index | int, b: Index | int, name: str) -> Index:
        """Return the smaller one of two integers."""
        return self.let("minimum", "int64", [self.operand(a), self.operand(b)], name).index

    def maximum(self, a: Index | int, b: Index | int, name: str) -> Index:
        """Return the larger one of two integers."""
        return self.let("maximum", "int64", [self.operand(a), self.operand(b)], name).index

    @staticmethod
    def as_index(operand: Operand) -> Index:
        """Return an int64 operand as an index."""
        return operand.index if isinstance(operand, Value) else Index.of(int(operand.value.real))

    def declare(self, wish: str, initial: Operand) -> Value:
        """Declare a scalar that may be assigned again."""
        return self.declare_as(wish, initial.dtype, initial)

    def declare_as(self, wish: str, dtype: str, initial: Operand) -> Value:
        """Declare a scalar, or a vector, that may be assigned again."""
        target = self.value(wish, dtype)
        self._mutable.add(target.name)
        self.emit(Declare(target, initial))
        return target

    def vary(self, value: Value) -> None:
        """Note that a declared scalar changes, so that nothing computed from it is reused."""
        self._mutable.add(value.name)

    def assign(self, target: Value, value: Operand) -> None:
        """Assign to a declared scalar."""
        self.emit(Assign(target, value))

    # -- arrays -------------------------------------------------------------------------------

    def load(self, view: View, indices: Sequence[Index | int], name: str = "") -> Operand:
        """Read one element, or the scalar that a buffer represents."""
        if view.buffer.name in self.registers:
            return self.registers[view.buffer.name]
        target = self.value(name or f"{view.buffer.name}_i", view.dtype)
        self.emit(Load(target, view.buffer, view.at(indices)))
        return target

    def store(self, view: View, indices: Sequence[Index | int], value: Operand) -> None:
        """Write one element, converted to the array's dtype."""
        self.emit(Store(view.buffer, view.at(indices), self.cast(value, view.dtype)))

    def reduce(self, total: Value, op: str, value: Operand) -> None:
        """Reduce a value into a declared scalar; see :class:`Reduce`."""
        self.emit(Reduce(total, op, value, self.origin))

    def update(self, view: View, indices: Sequence[Index | int], op: str, value: Operand) -> None:
        """Reduce a value into an element; see :class:`Update`."""
        self.emit(Update(view.buffer, view.at(indices), op, value, self.origin))

    def local(self, wish: str, dtype: str, size: Index) -> View:
        """Declare memory for a vector; see :class:`Local`."""
        buffer = Buffer(self.names.fresh(wish), dtype, "local", size)
        self.emit(Local(buffer))
        return View.contiguous(buffer, (size,))

    def alias(self, buffer: Buffer, address: Address) -> None:
        """Let a buffer be the elements of another one from an address on."""
        if address.offset == 0:
            self.whole[buffer.name] = address.buffer
        else:
            self.emit(Alias(buffer, address))

    def call(
        self, name: str, *arguments: Argument | int, epilogue: For | None = None
    ) -> Value | None:
        """Call a routine on whole arrays; return its status, or None if it has none.

        See :class:`Call` for the epilogue.

        Raises
        ------
        NotImplementedError
            If the target has no routine of this name.
        """
        if name not in self.routines:
            raise NotImplementedError(f"{name} is not a routine of this target")
        routine = self.routines[name]
        operands = tuple(map(_argument, arguments))
        target = self.value("status", "int64") if routine.status else None
        lent = None
        if routine.workspace:
            dtype = next(a.buffer.dtype for a in operands if isinstance(a, Address))
            integers = tuple(a for k in routine.integers if isinstance(a := operands[k], Index))
            lent = self._workspace(routine, dtype, integers)
        self.emit(Call(routine, operands, self.origin, target, lent, epilogue))
        return target

    def _workspace(self, routine: Routine, dtype: str, integers: tuple[Index, ...]) -> Buffer:
        """Declare the memory that a call uses while it runs, of the size that it needs."""
        size = self.value("bytes", "int64")
        self.emit(Measure(size, routine, dtype, integers))
        return self.local("memory", "int8", size.index).buffer

    @staticmethod
    def is_zero(status: Value) -> Expression:
        """Return the condition that a routine has not failed."""
        return Expression("eq", "bool", (status, Literal(0, status.dtype)))

    def check(
        self,
        condition: Operand | Expression,
        code: str,
        message: Message,
        values: Sequence[Index] = (),
        error: type[Exception] | None = None,
    ) -> None:
        """Leave with an error unless ``condition`` holds; see :class:`Site`."""
        for name, step in self.iterations[::-1][: MOST_VALUES - len(values)]:
            message = partial(_of_iteration, message, name, len(values))
            values = (*values, self.as_index(step))
        self.emit(Check(condition, cast(Code, code), len(self.sites), tuple(values), self.origin))
        self.sites.append(Site(code, message, len(values), error))

    # -- structure ----------------------------------------------------------------------------

    @contextmanager
    def loop(
        self,
        wish: str,
        stop: Index | int,
        start: Index | int = 0,
        *,
        step: int = 1,
        kind: Kind = "serial",
        work: Index | None = None,
        reductions: tuple[tuple[Value, str], ...] = (),
        worker: Value | None = None,
    ) -> Iterator[Index]:
        """Open a loop; the index is given, options are those of :class:`For`."""
        counter = self.value(wish, "int64")
        with self.block() as body:
            yield counter.index
        first, last = Index.of(start), Index.of(stop)
        self.emit(For(counter, first, last, tuple(body), kind, step, reductions, work, worker))

    @contextmanager
    def nest(
        self,
        shape: Sequence[Index],
        simd: bool = True,
        work: Index | None = None,
        kind: Kind | None = None,
    ) -> Iterator[list[Index]]:
        """Open one loop per dim, the innermost a simd loop unless told otherwise.

        Where ``work`` tells how much there is to do, threads may share the outermost loop. A
        ``kind`` is that of all loops.
        """
        with ExitStack() as stack:
            counters = []
            for axis, dim in enumerate(shape):
                shared = axis == 0 and work is not None
                words = ["parallel"] * shared + ["simd"] * (simd and axis == len(shape) - 1)
                own = kind or cast(Kind, " ".join(words) or "serial")
                loop = self.loop("ijklmnop"[axis % 8], dim, kind=own, work=work if shared else None)
                counters.append(stack.enter_context(loop))
            yield counters

    @contextmanager
    def branch(self, condition: Operand, rare: bool = False) -> Iterator[None]:
        """Open a block that runs where ``condition`` holds."""
        with self.block() as body:
            yield
        self.emit(If(condition, tuple(body), rare=rare))


def _of_iteration(message: Message, name: str, count: int, values: Sequence[int]) -> str:
    """Return a message that tells the iteration, which follows its own values."""
    return told_in_iteration(message(values[:count]), name, values[count])


def _argument(argument: Argument | int) -> Argument:
    if isinstance(argument, int) and not isinstance(argument, bool):
        return Index.of(argument)
    return argument


def convert_literal(literal: Literal, dtype: str) -> Literal:
    """Return a number that is known in another dtype."""
    import numpy as np

    with np.errstate(all="ignore"):
        value = np.asarray(literal.value).astype(literal.dtype)
    converted = dtypes.convert(value, dtype)
    return Literal(converted.item(), dtype)
