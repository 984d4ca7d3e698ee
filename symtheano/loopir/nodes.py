"""The statements of LoopIR: dataclasses whose constructors check their fields.

A program is a list of statements over named values. Every name is defined once, before it is
used, except that a :class:`Declare` d value may be assigned again. Integers of addresses and
bounds are :class:`Index` polynomials over names of dtype int64. Elements of buffers are reached
by one linear index; what a buffer's shape is, a :class:`View` knows, not the statement.
"""

from __future__ import annotations

from typing import Literal as Choice

from symtheano.dataclass import dataclass
from symtheano.formats import MOST_VALUES
from symtheano.loopir.host import Announce, Interrupt, Poll, Reserve, Tick
from symtheano.loopir.index import Index
from symtheano.loopir.launch import (
    Aligned,
    AtomicAdd,
    Launch,
    LibraryCall,
    Product,
    ReadBack,
    Transfer,
)
from symtheano.loopir.memory import CHOSEN, LOCAL, OUTPUT
from symtheano.loopir.operands import (
    Address,
    Argument,
    Buffer,
    Expression,
    Operand,
    Parts,
    Place,
    Value,
    element_of,
    require,
)
from symtheano.loopir.routine import Routine
from symtheano.loopir.run import Run


@dataclass(frozen=True)
class Comment:
    """A line for the reader; ``origin`` adds the user's line."""

    text: str
    origin: Place | None = None


@dataclass(frozen=True)
class Let:
    """``target = op(arguments)``, a row of the scalar table by name; ``cast`` converts.

    If an argument is a vector, so is the target, except for ``total_of_lanes``.
    """

    target: Value
    op: str
    arguments: tuple[Operand, ...]
    origin: Place | None = None
    parts = Parts(("target",), operands=("*arguments",))


@dataclass(frozen=True)
class LetIndex:
    """``target = index``, an int64 that deserves a name."""

    target: Value
    index: Index
    comment: str = ""
    parts = Parts(("target",), indices=("index",))

    def __post_init__(self) -> None:
        require(self.target.dtype == "int64", "an index is int64")


@dataclass(frozen=True)
class Partition:
    """Cut ``length`` indices into chunks, in a way that depends on these numbers alone.

    Attributes
    ----------
    rows, count
        Defined here: indices in a chunk (the last one may hold fewer), and number of chunks.
    length, unit
        Number of indices; work of one index.
    least, most
        Work that a chunk is worth beginning for; largest number of chunks.
    """

    rows: Value
    count: Value
    length: Index
    unit: Index
    least: int
    most: int
    parts = Parts(("rows", "count"), indices=("length", "unit"))

    def __post_init__(self) -> None:
        require(self.rows.dtype == self.count.dtype == "int64", "chunks are counted in int64")
        require(self.least > 0 and self.most > 0, "chunks have a size and a number")


_LOADED = (("float16", "float32"), ("bool", "int64"))
"""What elements may be loaded as, besides their own dtype; no value is changed by this."""


@dataclass(frozen=True)
class Load:
    """``target = buffer[index]``, and the elements after it if the target is a vector."""

    target: Value
    buffer: Buffer
    index: Index
    parts = Parts(("target",), indices=("index",), reads=("buffer",))

    def __post_init__(self) -> None:
        stored, loaded = self.buffer.dtype, element_of(self.target.dtype)
        fits = stored == loaded or (stored, loaded) in _LOADED
        require(fits, f"load of {self.buffer.name}: dtype")


@dataclass(frozen=True)
class Prefetch:
    """Ask for the cache line of ``buffer[index]``, which will be read, or written to, soon.

    The index may be out of bounds. Elements of a ``stream`` are read once, in their order, as a
    processor may see for itself.
    """

    buffer: Buffer
    index: Index
    write: bool = False
    stream: bool = False
    parts = Parts(indices=("index",), reads=("buffer",))


@dataclass(frozen=True)
class Store:
    """``buffer[index] = value``; a vector goes to the elements after it, too.

    A float32 stored as float16 is one already, but for its dtype.
    """

    buffer: Buffer
    index: Index
    value: Operand
    parts = Parts(operands=("value",), indices=("index",), writes=("buffer",))

    def __post_init__(self) -> None:
        computed, stored = element_of(self.value.dtype), self.buffer.dtype
        fits = computed == stored or (computed, stored) == ("float32", "float16")
        require(fits, f"store to {self.buffer.name}: dtype")


@dataclass(frozen=True)
class Declare:
    """A scalar that may be assigned again: an accumulator or a loop-carried value.

    Or a vector, all elements of which are the initial value.
    """

    target: Value
    initial: Operand
    parts = Parts(("target",), operands=("initial",))

    def __post_init__(self) -> None:
        same = element_of(self.target.dtype) == self.initial.dtype
        require(same, f"{self.target.name}: dtype")


@dataclass(frozen=True)
class Assign:
    """``target = value`` for a declared scalar."""

    target: Value
    value: Operand | Expression
    origin: Place | None = None
    parts = Parts(assigns=("target",), operands=("value",))

    def __post_init__(self) -> None:
        require(self.target.dtype == self.value.dtype, f"{self.target.name}: dtype")


@dataclass(frozen=True)
class Reduce:
    """``target = op(target, value)`` for a declared scalar, where the order does not matter.

    ``op`` is the name of an associative row of the scalar table.
    """

    target: Value
    op: str
    value: Operand
    origin: Place | None = None
    parts = Parts(assigns=("target",), operands=("value",))

    def __post_init__(self) -> None:
        require(self.target.dtype == self.value.dtype, f"{self.target.name}: dtype")


@dataclass(frozen=True)
class Update:
    """``buffer[index] = op(buffer[index], value)``, where the order does not matter."""

    buffer: Buffer
    index: Index
    op: str
    value: Operand
    origin: Place | None = None
    parts = Parts(operands=("value",), indices=("index",), reads=("buffer",), writes=("buffer",))

    def __post_init__(self) -> None:
        require(self.value.dtype == self.buffer.dtype, f"update of {self.buffer.name}: dtype")


@dataclass(frozen=True)
class Locate:
    """``best, where = value, position`` if the value is better, or the first NaN.

    Attributes
    ----------
    best, where
        Declared scalars: the extremum so far, and its position.
    op
        ``argmax`` or ``argmin``.
    value, position
        The candidate. Of equal values, the first position counts.
    """

    best: Value
    where: Value
    op: Choice["argmax", "argmin"]
    value: Operand
    position: Operand
    origin: Place | None = None
    parts = Parts(assigns=("best", "where"), operands=("value", "position"))

    def __post_init__(self) -> None:
        require(self.best.dtype == self.value.dtype, f"{self.best.name}: dtype")
        require(self.where.dtype == self.position.dtype == "int64", "a position is int64")


@dataclass(frozen=True)
class Local:
    """Memory from here to the end of the block; each iteration of a loop around it has its own."""

    buffer: Buffer
    parts = Parts(provides=("buffer",))

    def __post_init__(self) -> None:
        memory, size = self.buffer.memory, self.buffer.size.constant
        require(memory.local, f"{self.buffer.name} is not local")
        require(memory is LOCAL or size is not None, f"{self.buffer.name}: size is unknown")


@dataclass(frozen=True)
class Barrier:
    """Wait until all threads of the block, or of the warp, are here; see what they have written."""

    threads: Choice["block", "warp"]


Kind = Choice[
    "serial", "unrolled", "scalar", "independent", "reduce", "simd", "unrolled simd", "parallel",
    "parallel simd", "grid", "thread", "warp", "lane",
]  # fmt: skip

MOST = {"thread": 1024, "warp": 32, "lane": 32}
"""How many threads and warps there are in a block, and lanes in a warp, at most."""


@dataclass(frozen=True)
class For:
    """``for index in range(start, stop, step)``.

    Attributes
    ----------
    kind
        What is known of the iterations: ``serial`` (they run in order), ``unrolled`` (they do, and
        the compiler repeats the body), ``scalar`` (they do, and in vectors they would not be
        faster), ``independent``, ``reduce`` (independent but for
        :class:`Reduce` and :class:`Update`). How they run: ``simd`` (in lanes, but for
        ``reductions``); ``unrolled simd`` (without reductions, and the compiler repeats the
        vectors); ``parallel`` (threads may share it out); ``parallel simd``. On a device:
        ``grid`` (each is a block of threads), ``thread`` (each is a thread of the block), ``warp``
        (each is a warp of the block), ``lane`` (each is a thread of the warp, but for
        ``reductions``). What stands in a grid or warp loop, but not in a loop over threads or
        lanes, is the same for all its threads.
    reductions
        For simd and lane loops: pairs of (declared value, name of the associative scalar op) which
        the body accumulates. All lanes then know the result.
    work, worker
        For parallel loops: total work in units of one addition, below a threshold of which it stays
        on one thread; an int64 value that holds the thread's number in the body.
    """

    index: Value
    start: Index
    stop: Index
    body: tuple[Statement, ...]
    kind: Kind = "serial"
    step: int = 1
    reductions: tuple[tuple[Value, str], ...] = ()
    work: Index | None = None
    worker: Value | None = None
    parts = Parts(indices=("start", "stop"), bodies=("body",))

    def __post_init__(self) -> None:
        require(self.index.dtype == "int64", "a loop index is int64")
        require(self.step != 0, "a loop's step is not zero")
        is_constant = (self.stop - self.start).constant is not None
        unrolled = "unrolled" in self.kind
        require(not unrolled or is_constant, "the length of an unrolled loop is known")
        reduces = self.kind == "lane" or ("simd" in self.kind and not unrolled)
        require(not self.reductions or reduces, "only simd and lane loops reduce")
        if self.kind in MOST:
            count, most = self.stop.constant, MOST[self.kind]
            require(self.start == 0 and self.step == 1, f"a {self.kind} loop counts from 0 by 1")
            require(count is not None and 0 < count <= most, f"1 to {most} in a {self.kind} loop")
        require(self.worker is None or "parallel" in self.kind, "only parallel loops have workers")


@dataclass(frozen=True)
class While:
    """Run ``test``, leave if ``condition`` (which it defines) is false, run ``body``, repeat."""

    test: tuple[Statement, ...]
    condition: Operand
    body: tuple[Statement, ...]
    parts = Parts(operands=("condition",), bodies=("test", "body"))

    def __post_init__(self) -> None:
        require(self.condition.dtype == "bool", "a condition is bool")


@dataclass(frozen=True)
class Leave:
    """End the loop around, which runs in order, if ``condition`` holds."""

    condition: Operand | Expression
    parts = Parts(operands=("condition",))

    def __post_init__(self) -> None:
        require(self.condition.dtype == "bool", "a condition is bool")


@dataclass(frozen=True)
class If:
    """``then`` where ``condition`` holds, else ``otherwise``; names inside stay inside.

    ``rare`` tells that the condition seldom holds.
    """

    condition: Operand
    then: tuple[Statement, ...]
    otherwise: tuple[Statement, ...] = ()
    rare: bool = False
    parts = Parts(operands=("condition",), bodies=("then", "otherwise"))

    def __post_init__(self) -> None:
        require(self.condition.dtype == "bool", "a condition is bool")


@dataclass(frozen=True)
class Call:
    """A call of a routine on whole arrays.

    Matrices are row-major. A truth value tells whether a matrix is transposed; an address is that
    of the first element, also where the step to the next is negative.

    Attributes
    ----------
    routine, arguments, target, workspace
        What is called with what; the status that it returns, an int64; memory that it uses.
    epilogue
        A loop over the rows of the result, which adds a bias, for example, or the function that
        runs it. The routine, or one of its threads, runs some of the iterations when their rows are
        complete.
    """

    routine: Routine
    arguments: tuple[Argument, ...]
    origin: Place | None = None
    target: Value | None = None
    workspace: Buffer | None = None
    epilogue: For | Run | None = None

    def __post_init__(self) -> None:
        name, count = self.routine.name, len(self.routine.parameters)
        require(count == len(self.arguments), f"{name} takes {count} arguments")
        told = self.target is not None
        require(told == self.routine.status, f"{name}: a status is returned or not")
        lent = self.workspace is not None
        require(lent == self.routine.workspace, f"{name}: workspace or none")
        if self.epilogue is not None:
            require(self.routine.epilogue, f"{name} takes no epilogue")
        if isinstance(self.epilogue, For):
            require(self.epilogue.start == 0 and self.epilogue.step == 1, "rows count from 0 by 1")
            require(self.epilogue.kind == "independent", "the rows of an epilogue are independent")

    @property
    def dtype(self) -> str:
        """The dtype that selects the version of the routine: that of the first array, or empty."""
        return next((a.buffer.dtype for a in self.arguments if isinstance(a, Address)), "")


@dataclass(frozen=True)
class Measure:
    """``target`` = the bytes of workspace that a routine needs for its integer arguments."""

    target: Value
    routine: Routine
    dtype: str
    integers: tuple[Index, ...]
    parts = Parts(("target",), indices=("*integers",))

    def __post_init__(self) -> None:
        require(self.target.dtype == "int64", "a number of bytes is int64")
        require(self.routine.workspace, f"{self.routine.name} needs no workspace")
        count = len(self.routine.integers)
        require(count == len(self.integers), f"{self.routine.name} takes {count} integers")


@dataclass(frozen=True)
class Allocate:
    """Ask the caller for the storage of an output of the given shape.

    It is that at the buffer's position, or, as ``number`` tells, at this one or the one before.
    """

    buffer: Buffer
    shape: tuple[Index, ...]
    number: Value | None = None
    parts = Parts(indices=("*shape",), provides=("buffer",))

    def __post_init__(self) -> None:
        require(self.buffer.memory is OUTPUT, "only outputs are allocated by the caller")
        require(self.number is None or self.number.dtype == "int64", "a position is int64")

    @property
    def positions(self) -> tuple[int, ...]:
        """At which positions the output may be."""
        position = self.buffer.position or 0
        return (position,) if self.number is None else (position - 1, position)


@dataclass(frozen=True)
class Alias:
    """Let ``buffer`` be the elements of another one from an address on."""

    buffer: Buffer
    address: Address
    parts = Parts(provides=("buffer",))

    def __post_init__(self) -> None:
        require(self.buffer.memory is CHOSEN, "another buffer is named, not filled")
        require(self.address.buffer.dtype == self.buffer.dtype, f"{self.buffer.name}: dtype")


@dataclass(frozen=True)
class Choose:
    """Let ``buffer`` be the elements from ``first`` on if a condition holds, else ``second``."""

    buffer: Buffer
    condition: Operand
    first: Address
    second: Address
    parts = Parts(operands=("condition",), provides=("buffer",))

    def __post_init__(self) -> None:
        require(self.buffer.memory is CHOSEN, "another buffer is chosen, not filled")
        require(self.condition.dtype == "bool", "a condition is bool")
        for address in (self.first, self.second):
            require(address.buffer.dtype == self.buffer.dtype, f"{self.buffer.name}: dtype")


@dataclass(frozen=True)
class Swap:
    """Exchange what two names of parts of buffers stand for."""

    first: Buffer
    second: Buffer
    parts = Parts(reads=("first", "second"))

    def __post_init__(self) -> None:
        require(self.first.dtype == self.second.dtype, f"{self.first.name}: dtype")
        for buffer in (self.first, self.second):
            require(buffer.memory is CHOSEN, f"{buffer.name} is memory, not a name for it")


Code = Choice["shape", "index", "value", "memory"]


@dataclass(frozen=True)
class Check:
    """Leave with an error unless ``condition`` holds.

    Attributes
    ----------
    code
        Kind of error: ``shape``, ``index``, ``value`` or ``memory``.
    site
        Number under which the host finds the words of the message.
    values
        Integers for the message, at most :data:`~symtheano.formats.MOST_VALUES`.
    """

    condition: Operand | Expression
    code: Code
    site: int
    values: tuple[Index, ...] = ()
    origin: Place | None = None
    parts = Parts(operands=("condition",), indices=("*values",))

    def __post_init__(self) -> None:
        require(self.condition.dtype == "bool", "a condition is bool")
        require(len(self.values) <= MOST_VALUES, f"a message holds at most {MOST_VALUES} integers")


@dataclass(frozen=True)
class PythonCall:
    """Run a Python op of the host's on whole arrays.

    Attributes
    ----------
    number
        Which op, in the program's list.
    inputs
        Pairs of (address, shape) of contiguous arrays.
    outputs
        Pairs of (buffer, dimension values): storage and shape are set by the host.
    """

    number: int
    inputs: tuple[tuple[Address, tuple[Index, ...]], ...]
    outputs: tuple[tuple[Buffer, tuple[Value, ...]], ...]
    origin: Place | None = None


@dataclass(frozen=True)
class Kernel:
    """Statements of which a pass makes a function of their own.

    The pass finds the buffers and outer names that the body uses, which become its parameters.

    Attributes
    ----------
    results
        The scalars that statements after it may use.
    region
        Whether it is that of a graph: it contains kernels and gives names to memory.
    iterates
        Whether loops that run in order are those of the user's program, which may take long, so the
        host may end them.
    epilogue
        Before the passes: whether it works on the rows of what the call before it computes, which
        may take it over.
    scheduled
        Before the passes: whether its loops are already as a processor runs them.
    """

    name: str
    title: str
    body: tuple[Statement, ...]
    results: tuple[Value, ...] = ()
    origins: tuple[Place, ...] = ()
    region: bool = False
    iterates: bool = False
    epilogue: bool = False
    scheduled: bool = False
    parts = Parts(("*results",), bodies=("body",))


Statement = (
    Comment | Let | LetIndex | Load | Prefetch | Store | Declare | Assign | Reduce | Update
    | Locate | Local | Barrier | For | While | Leave | If | Call | Measure
    | Allocate | Alias | Choose | Swap | Check | PythonCall | Kernel | Partition | Poll
    | Announce | Interrupt | Reserve | Tick | Run | Transfer | ReadBack | Launch | Product | Aligned
    | LibraryCall | AtomicAdd
)  # fmt: skip
