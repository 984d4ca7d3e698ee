"""Statements of a host about its device, launches and copies, and of its kernels about memory."""

from __future__ import annotations

from collections.abc import Iterator

from symtheano.dataclass import dataclass
from symtheano.loopir.index import ZERO, Index
from symtheano.loopir.memory import STACK
from symtheano.loopir.operands import Buffer, Operand, Parts, Place, Value, require

ATOMIC = frozenset(("float32", "float64", "int32", "int64", "uint32", "uint64"))
"""Dtypes of elements to which threads of a device can add in one step."""


@dataclass(frozen=True)
class Aligned:
    """``target`` = whether vectors can be loaded from, and stored to, ``buffer[index]``."""

    target: Value
    buffer: Buffer
    index: Index
    parts = Parts(("target",), indices=("index",), reads=("buffer",))

    def __post_init__(self) -> None:
        require(self.target.dtype == "bool", "an address is aligned or not")


@dataclass(frozen=True)
class AtomicAdd:
    """``buffer[index] += value``, which threads may do at the same time, in any order."""

    buffer: Buffer
    index: Index
    value: Operand
    parts = Parts(operands=("value",), indices=("index",), reads=("buffer",), writes=("buffer",))

    def __post_init__(self) -> None:
        name, dtype = self.buffer.name, self.buffer.dtype
        require(dtype in ATOMIC, f"{name}: {dtype} is not added to by one instruction")
        require(self.value.dtype == dtype, f"addition to {name}: dtype")


@dataclass(frozen=True)
class Transfer:
    """Copy the first elements of a buffer to one of another place: to the device, or back."""

    target: Buffer
    source: Buffer
    size: Index
    parts = Parts(indices=("size",), reads=("source",), writes=("target",))

    def __post_init__(self) -> None:
        source, target = self.source, self.target
        require(source.dtype == target.dtype, f"transfer to {target.name}: dtype")
        require(source.place != target.place, f"{source.name} is in the place of {target.name}")


@dataclass(frozen=True)
class ReadBack:
    """``target = buffer[index]`` of a buffer on the device: the host waits for it."""

    target: Value
    buffer: Buffer
    index: Index
    parts = Parts(("target",), indices=("index",), reads=("buffer",))

    def __post_init__(self) -> None:
        require(self.buffer.place == "device", f"{self.buffer.name} is on the host")
        require(self.target.dtype == self.buffer.dtype, f"load of {self.buffer.name}: dtype")


@dataclass(frozen=True)
class Launch:
    """Run a kernel of the program on the device.

    Attributes
    ----------
    kernel
        Its name.
    buffers, values
        Its arguments, in the order of its parameters.
    written, read
        Those of the buffers to which it may write, and that it may read.
    lengths, steps
        For each grid loop, the outer one first: there is a block for every so manieth iteration of
        this length, and none if that is negative.
    threads
        Threads of a block.
    bound
        An extent that the host compares with the largest integer of 32 bits, where each value
        counts as its absolute value, and at least as 1. If it is not larger, the kernel has 32
        bits for its narrow integers, else 64.
    """

    kernel: str
    buffers: tuple[Buffer, ...]
    values: tuple[Value, ...]
    read: tuple[Buffer, ...]
    written: tuple[Buffer, ...]
    lengths: tuple[Index, ...]
    steps: tuple[int, ...]
    threads: int
    bound: Index = ZERO
    parts = Parts(
        operands=("*values",), indices=("bound", "*lengths"), reads=("*read",), writes=("*written",)
    )

    @property
    def arguments(self) -> tuple[Buffer | Value, ...]:
        """All arguments, buffers first."""
        return (*self.buffers, *self.values)

    def __post_init__(self) -> None:
        require(0 < self.threads <= 1024, "a block has 1 to 1024 threads")
        require(len(self.lengths) == len(self.steps), "each grid loop has a length and a step")
        require(all(step > 0 for step in self.steps), "blocks are counted upwards")
        for buffer in self.buffers:
            here = buffer.place == "device" and buffer.memory is not STACK
            require(here, f"{buffer.name} is not in the device's memory")


@dataclass(frozen=True)
class Product:
    """``c = alpha*op(a)*op(b) + beta*c`` by a library of the device, for each matrix of a batch.

    Matrices are row-major. A ``c`` that ``beta`` does not count is not read. A row may be added to
    those of the only matrix.

    Attributes
    ----------
    transa, transb
        Whether a factor is stored transposed.
    alpha, beta
        The factors.
    a, b, c
        The arrays.
    integers
        Number of products; rows and columns of ``c``; terms of each sum. Then, for each array, its
        first element, and the distances of rows and of matrices. Then the row's first element, if
        there is one.
    bias
        The array with the row.
    taken
        A truth value that is set: whether the library has multiplied. It may refuse then.
    tf32
        Whether factors of float32 may be rounded.
    """

    transa: bool
    transb: bool
    alpha: Operand
    a: Buffer
    b: Buffer
    beta: Operand
    c: Buffer
    integers: tuple[Index, ...]
    bias: tuple[Buffer, ...] = ()
    taken: tuple[Value, ...] = ()
    tf32: bool = False
    parts = Parts(
        ("*taken",), operands=("alpha", "beta"), indices=("*integers",),
        reads=("a", "b", "c", "*bias"), writes=("c",),
    )  # fmt: skip

    @property
    def sizes(self) -> tuple[Index, ...]:
        """Number of products, rows, columns, and terms."""
        return self.integers[:4]

    @property
    def matrices(self) -> Iterator[tuple[Buffer, Index, Index, Index]]:
        """The arrays, each with its first element and the distances of rows and of matrices."""
        for number, buffer in enumerate((self.a, self.b, self.c)):
            first, row, step = self.integers[4 + 3 * number : 7 + 3 * number]
            yield buffer, first, row, step

    def __post_init__(self) -> None:
        items = (self.alpha, self.a, self.b, self.beta, self.c, *self.bias)
        require(len({item.dtype for item in items}) == 1, f"product in {self.c.name}: dtypes")
        layout = len(self.integers) == 13 + len(self.bias)
        require(layout, f"product in {self.c.name}: sizes and layout")


@dataclass(frozen=True)
class LibraryCall:
    """Let a library of the device compute arrays.

    Attributes
    ----------
    function
        The driver's function, whose argument is a struct ``st_FUNCTION``.
    dtype
        The dtype of the numbers.
    members
        Names of the struct's members: integers, arrays that are read, and arrays that are written
        to.
    integers
        The integers; then, for each array, its first element.
    read, written
        The arrays.
    origin
        The user's line.
    taken
        A truth value that is set: whether the library has computed them. It may refuse then, and
        has written nothing if so. Without it, a refusal is an error.
    """

    function: str
    dtype: str
    members: tuple[str, ...]
    integers: tuple[Index, ...]
    read: tuple[Buffer, ...]
    written: tuple[Buffer, ...]
    origin: Place | None = None
    taken: tuple[Value, ...] = ()
    parts = Parts(("*taken",), indices=("*integers",), reads=("*read",), writes=("*written",))

    @property
    def arrays(self) -> tuple[Buffer, ...]:
        """All arrays, in the order of their members."""
        return (*self.read, *self.written)

    @property
    def numbers(self) -> Iterator[tuple[str, Index]]:
        """Integers that are members, with their names."""
        count = len(self.integers) - len(self.arrays)
        return zip(self.members[:count], self.integers, strict=False)

    @property
    def addresses(self) -> Iterator[tuple[str, Buffer, Index]]:
        """The arrays with the names of their members, and their first elements."""
        count = len(self.integers) - len(self.arrays)
        return zip(self.members[count:], self.arrays, self.integers[count:], strict=True)

    def __post_init__(self) -> None:
        members, arrays = len(self.members), len(self.arrays)
        require(
            arrays <= members == len(self.integers),
            f"{self.function}: {len(self.integers)} integers, {members} members, {arrays} arrays",
        )
        told = [value.dtype for value in self.taken]
        require(told in ([], ["bool"]), f"{self.function}: it has taken the call or not")
