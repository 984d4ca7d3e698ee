"""What a program requires of the text before its functions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from symtheano.codegen.record import BLAS, DEVICE
from symtheano.dataclass import dataclass, field
from symtheano.loopir.host import Interrupt, Poll
from symtheano.loopir.launch import Launch, LibraryCall, Product, ReadBack, Transfer
from symtheano.loopir.names import walk
from symtheano.loopir.nodes import (
    Allocate,
    Assign,
    Call,
    Check,
    For,
    Leave,
    Let,
    Load,
    Partition,
    Prefetch,
    PythonCall,
)
from symtheano.loopir.operands import Expression, element_of, lanes_of
from symtheano.loopir.program import Program
from symtheano.loopir.routine import Routine
from symtheano.loopir.run import Run
from symtheano.scalar.render import render_prototypes
from symtheano.scalar.row import ScalarOp, Signature
from symtheano.scalar.table import scalar_op


@dataclass
class Needs:
    """The parts of the prelude that a program's statements require.

    Attributes
    ----------
    rows
        Scalar ops by (name, compute dtypes, result dtype).
    reductions
        Pairs of (op, dtype) of simd loops.
    routines
        The routines that are called, by name and dtype.
    externals
        Names of the host's functions, sorted; LAPACK's table is one of them.
    math_calls
        Number of statements that call functions of the C library.
    halves, vectors
        Whether halves are loaded as floats, and elements as vectors.
    scalars, streams
        Whether loops are not to run in vectors, and whether streams are prefetched.
    parallel, functions, fails, allocates, partitions, may_end, polls, waits, workspace
        Whether there are parallel loops, functions besides the entry point, statements that can
        fail, outputs, ranges divided into chunks, places where the host may end the call, loops in
        which it is asked for that, also in threads, temporary memory.
    """

    rows: dict[tuple[str, tuple[str, ...], str], tuple[ScalarOp, Signature]] = field(
        default_factory=dict
    )
    reductions: set[tuple[str, str]] = field(default_factory=set)
    routines: dict[tuple[str, str], Routine] = field(default_factory=dict)
    externals: tuple[str, ...] = ()
    math_calls: int = 0
    parallel: bool = False
    halves: bool = False
    vectors: bool = False
    scalars: bool = False
    streams: bool = False
    functions: bool = False
    fails: bool = False
    allocates: bool = False
    partitions: bool = False
    may_end: bool = False
    polls: bool = False
    waits: bool = False
    workspace: bool = False

    @property
    def links(self) -> tuple[str, ...]:
        """What the file is linked with; see :class:`symtheano.codegen.record.Record`."""
        uses_blas = any(BLAS in routine.links for routine in self.routines.values())
        return (*[BLAS] * uses_blas, *self.externals)

    def add_row(self, op: str, compute: tuple[str, ...], result: str) -> None:
        """Count a use of a scalar op."""
        key = (op, compute, result)
        if key not in self.rows:
            self.rows[key] = (scalar_op(op), Signature(compute, result))
        self.math_calls += bool(self.rows[key][0].libm)

    def add_routine(self, routine: Routine, dtype: str) -> None:
        """Count a call of a routine's version for a dtype."""
        self.routines[routine.name, dtype] = routine
        for op in routine.functions:
            self.add_row(op, (dtype,), dtype)
        self.parallel |= "parallel" in routine.prelude


def _math_calls(loop: For) -> int:
    """Return how many functions of the C library a loop calls."""
    ops = [s.op for s in walk(loop.body) if isinstance(s, Let)]
    return sum(bool(scalar_op(op).libm) for op in ops if op != "cast")


def row_name(op: str, result: str) -> str:
    """Return the name of the scalar table's row for ``op``: casts have one for each dtype."""
    return f"cast{{{result}}}" if op == "cast" else op


def find_needs(program: Program) -> Needs:
    """Collect the requirements of a program's statements."""
    needs = Needs()
    kinds: set[type] = set()
    for statement in program.statements():
        if isinstance(statement, Let):
            compute = tuple(element_of(operand.dtype) for operand in statement.arguments)
            result = element_of(statement.target.dtype)
            needs.add_row(row_name(statement.op, result), compute, result)
        elif isinstance(statement, Load):
            stored, loaded = statement.buffer.dtype, statement.target.dtype
            needs.vectors |= lanes_of(loaded) > 1
            needs.halves |= stored == "float16" != loaded
        elif isinstance(statement, Prefetch):
            needs.streams |= statement.stream
        elif isinstance(statement, For):
            if statement.kind == "scalar":
                needs.scalars = True
                needs.math_calls -= _math_calls(statement)
            for value, op in statement.reductions:
                needs.reductions.add((op, value.dtype))
                needs.add_row(op, (value.dtype, value.dtype), value.dtype)
        elif isinstance(statement, Assign | Check | Leave):
            read = statement.value if isinstance(statement, Assign) else statement.condition
            for op, compute, result in _rows_of(read):
                needs.add_row(row_name(op, result), compute, result)
        elif isinstance(statement, Run):
            needs.parallel |= statement.threads is not None
            needs.waits |= statement.threads is not None and statement.threads.polled
        elif isinstance(statement, Call):
            needs.add_routine(statement.routine, statement.dtype)
        kinds.add(type(statement))
    needs.partitions = Partition in kinds
    needs.allocates = Allocate in kinds
    needs.polls = Poll in kinds
    needs.fails = not kinds.isdisjoint((Check, PythonCall))
    needs.functions |= bool(program.functions)
    externals = {row.external for row, _ in needs.rows.values() if row.external}
    if not kinds.isdisjoint((Launch, LibraryCall, Product, ReadBack, Transfer)):
        externals.add(DEVICE)
    needs.functions |= needs.parallel
    for (_, dtype), routine in needs.routines.items():
        externals.update(routine.links_of(dtype))
    needs.externals = tuple(sorted(externals - {BLAS}))
    needs.workspace = bool(program.arena) or (program.frame is not None and program.frame.large)
    needs.fails |= needs.workspace or needs.allocates
    needs.may_end = needs.polls or Interrupt in kinds
    return needs


def routine_needs(routines: Mapping[tuple[str, str], Routine]) -> Needs:
    """Return what a file requires that has these routines, by name and dtype, and nothing else."""
    needs = Needs()
    for (_, dtype), routine in routines.items():
        needs.add_routine(routine, dtype)
    return needs


def _rows_of(item: object) -> Iterator[tuple[str, tuple[str, ...], str]]:
    """Yield the rows of an expression, with the dtypes of their operands and results."""
    if isinstance(item, Expression):
        yield item.op, tuple(map(element_of, item.dtypes)), element_of(item.dtype)
        for argument in item.arguments:
            yield from _rows_of(argument)


def library_functions(needs: Needs) -> dict[str, str]:
    """Return the C library functions that are needed, with their prototypes, sorted."""
    prototypes: dict[str, str] = {}
    for row, signature in needs.rows.values():
        prototypes.update(render_prototypes(row, signature))
    return dict(sorted(prototypes.items()))
