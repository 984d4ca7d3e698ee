"""Operands of statements: values, numbers, buffers and addresses in them."""

from __future__ import annotations

from typing import Literal as Choice, Protocol

from symtheano.dataclass import dataclass
from symtheano.dtypes import ALL
from symtheano.loopir.index import Index
from symtheano.loopir.memory import MEMORIES, Memory

LANES = 4
"""How many elements a vector has."""


class Place(Protocol):
    """An origin: whatever has ``place`` and ``text`` (the user's file, line and source)."""

    @property
    def place(self) -> str:
        """File and line."""

    @property
    def text(self) -> str:
        """The source of the line."""


@dataclass(frozen=True)
class Value:
    """A named scalar, or a vector of a few of them.

    Attributes
    ----------
    name, dtype
        Unique name; dtype of the value. That of four lanes of float32 is ``float32x4``.
    """

    name: str
    dtype: str

    def __post_init__(self) -> None:
        require(is_name(self.name), f"{self.name!r} is not an identifier")
        is_dtype = self.dtype in ALL or element_of(self.dtype) in ALL
        require(is_dtype, f"{self.dtype!r} is not a dtype")

    @property
    def index(self) -> Index:
        """The int64 value as an index."""
        require(self.dtype == "int64", f"{self.name} is {self.dtype}, not an index")
        return Index.symbol(self.name)


@dataclass(frozen=True)
class Literal:
    """A scalar whose value is known; ``value`` is a Python bool, int, float or complex."""

    value: bool | int | float | complex
    dtype: str

    def __post_init__(self) -> None:
        require(self.dtype in ALL, f"{self.dtype!r} is not a dtype")

    def _key(self) -> tuple[str, str]:
        # repr distinguishes 0.0 from -0.0, and nan is equal to nan
        return (repr(self.value), self.dtype)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Literal) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())


Operand = Value | Literal


@dataclass(frozen=True)
class Expression:
    """``op(arguments)`` that is read in one place, where it needs no name: see :class:`Let`."""

    op: str
    dtype: str
    arguments: tuple[Operand | Index | Expression, ...]

    @property
    def dtypes(self) -> tuple[str, ...]:
        """The dtypes of its arguments."""
        return tuple("int64" if isinstance(a, Index) else a.dtype for a in self.arguments)

    @property
    def operands(self) -> tuple[Operand, ...]:
        """The scalars that it reads."""
        operands: list[Operand] = []
        for argument in self.arguments:
            if isinstance(argument, Expression):
                operands += argument.operands
            elif not isinstance(argument, Index):
                operands.append(argument)
        return tuple(operands)

    @property
    def indices(self) -> tuple[Index, ...]:
        """The index polynomials that it evaluates."""
        indices: list[Index] = []
        for argument in self.arguments:
            if isinstance(argument, Expression):
                indices += argument.indices
            elif isinstance(argument, Index):
                indices.append(argument)
        return tuple(indices)


@dataclass(frozen=True)
class Buffer:
    """A run of elements of one dtype.

    Attributes
    ----------
    name, dtype
        Unique name; dtype of the elements.
    space
        The name of the memory in which it lies.
    size
        Number of elements.
    position
        Which input or output it is.
    place
        Whether the host has it in its memory, or the device.
    """

    name: str
    dtype: str
    space: Choice["input", "output", "arena", "stack", "local", "shared", "constant", "chosen"]
    size: Index
    position: int | None = None
    place: Choice["host", "device"] = "host"

    def __post_init__(self) -> None:
        require(is_name(self.name), f"{self.name!r} is not an identifier")
        require(self.dtype in ALL, f"{self.dtype!r} is not a dtype")
        require(
            (self.position is not None) == self.memory.numbered,
            f"{self.name}: inputs and outputs have a position, other buffers none",
        )

    @property
    def memory(self) -> Memory:
        """The memory in which it lies."""
        return MEMORIES[self.space]


@dataclass(frozen=True)
class Address:
    """A buffer from an element on: how library calls get at arrays."""

    buffer: Buffer
    offset: Index


Argument = Address | Index | Value | Literal | bool | tuple[Index, ...]


def element_of(dtype: str) -> str:
    """Return the dtype of a vector's elements, and that of a scalar itself.

    Examples
    --------
    >>> element_of("float32x4"), element_of("complex64")
    ('float32', 'complex64')
    """
    return dtype.removesuffix(f"x{LANES}")


def in_lanes(dtype: str) -> str:
    """Return the dtype of a vector with elements of a dtype.

    Examples
    --------
    >>> in_lanes("float64")
    'float64x4'
    """
    return f"{dtype}x{LANES}"


def lanes_of(dtype: str) -> int:
    """Return how many elements a value of a dtype has.

    Examples
    --------
    >>> lanes_of("float32x4"), lanes_of("float32")
    (4, 1)
    """
    return 1 if element_of(dtype) == dtype else LANES


def is_name(text: str) -> bool:
    """Return whether a text can be a name."""
    return text.isascii() and text.isidentifier()


def require(condition: bool, message: str) -> None:
    """Raise ValueError unless a field fits."""
    if not condition:
        raise ValueError(f"LoopIR: {message}")


@dataclass(frozen=True)
class Parts:
    """The fields of a class of statements, by what they are.

    Attributes
    ----------
    defines
        Values that later statements of the same list may use.
    assigns
        Declared scalars that are read and changed.
    operands
        Scalars that are read. After a star, a field with a tuple of them, the only or the last one.
    indices
        Index polynomials that are evaluated.
    reads, writes
        Buffers that may be read, and written to.
    provides
        Buffers that have storage from this statement on.
    bodies
        Lists of statements inside, in order of execution.
    """

    defines: tuple[str, ...] = ()
    assigns: tuple[str, ...] = ()
    operands: tuple[str, ...] = ()
    indices: tuple[str, ...] = ()
    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    provides: tuple[str, ...] = ()
    bodies: tuple[str, ...] = ()
