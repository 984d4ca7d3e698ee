"""Dialects: what the text of a target can say. The last passes leave nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

from symtheano.dataclass import dataclass
from symtheano.dtypes import ALL
from symtheano.loopir.host import Announce, Interrupt, Poll, Tick
from symtheano.loopir.launch import (
    Aligned,
    AtomicAdd,
    Launch,
    LibraryCall,
    Product,
    ReadBack,
    Transfer,
)
from symtheano.loopir.memory import LOCAL, MEMORIES, SHARED, Memory
from symtheano.loopir.names import definitions, operands, reads, walk, writes
from symtheano.loopir.nodes import (
    Barrier,
    For,
    Kernel,
    Load,
    Local,
    Locate,
    Prefetch,
    Reduce,
    Statement,
    Store,
    Update,
)
from symtheano.loopir.operands import element_of
from symtheano.loopir.program import Program

ONLY_PASSES = frozenset((Reduce, Update, Locate, Kernel))
"""Statements that only passes understand."""

OF_DEVICES = frozenset(
    (Aligned, AtomicAdd, Barrier, Launch, LibraryCall, Local, Product, ReadBack, Transfer)
)
"""Statements of kernels on a device, and of the host that launches them."""

ADVICE = frozenset((Announce, Interrupt, Poll, Prefetch, Tick))
"""Statements that a text may leave out: they change no value."""


@dataclass(frozen=True)
class Dialect:
    """What the text of a target can say.

    Attributes
    ----------
    statements
        Kinds of statements.
    loops
        Kinds of loops.
    memories
        Where buffers may lie.
    dtypes
        Dtypes of values.
    vectors
        Whether values may be vectors.
    converts
        Whether elements become values of another dtype as they are loaded and stored.
    """

    statements: frozenset[type] = frozenset(get_args(Statement)) - ONLY_PASSES - OF_DEVICES
    loops: frozenset[str] = frozenset(("serial", "independent", "reduce"))
    memories: frozenset[Memory] = frozenset(MEMORIES.values()) - {LOCAL, SHARED}
    dtypes: frozenset[str] = frozenset(ALL)
    vectors: bool = False
    converts: bool = False

    def lacks(self, program: Program) -> Iterator[str]:
        """Yield what the text of a program would have to say and can't.

        Examples
        --------
        >>> from symtheano.loopir import Index, Value
        >>> loop = For(Value("i", "int64"), Index.of(0), Index.of(3), (), "simd")
        >>> [*Dialect().lacks(Program("f", (), (), (), (loop,)))]
        ['loops of the kind simd']
        """
        kernels = (s for kernel in program.kernels for s in walk(kernel.body))
        for statement in (*program.statements(), *kernels):
            if type(statement) not in self.statements:
                yield f"the statement {type(statement).__name__}"
            yield from self._lacks(statement)

    def _lacks(self, statement: Statement) -> Iterator[str]:
        if isinstance(statement, For) and statement.kind not in self.loops:
            yield f"loops of the kind {statement.kind}"
        if isinstance(statement, Load | Store) and not self.converts:
            value = statement.target if isinstance(statement, Load) else statement.value
            if element_of(value.dtype) != statement.buffer.dtype:
                yield f"{statement.buffer.dtype} in memory as {value.dtype}"
        for buffer in (*reads(statement), *writes(statement)):
            if buffer.memory not in self.memories:
                yield f"{buffer.memory.name} memory"
        for item in (*definitions(statement), *operands(statement)):
            dtype = element_of(item.dtype)
            if dtype not in self.dtypes or (dtype != item.dtype and not self.vectors):
                yield f"values of dtype {item.dtype}"
