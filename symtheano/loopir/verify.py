"""The verifier: rejects invalid LoopIR, and reports the statement.

Constructors check single statements. This module checks the context: definitions, scopes, and which
statements are allowed in parallel and simd loops.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from symtheano.loopir.device import DEVICE, misplaced, never_written, unordered
from symtheano.loopir.dialect import Dialect
from symtheano.loopir.extents import MOST_NARROW, Extents, at_launch, covers
from symtheano.loopir.host import Announce, Interrupt, Poll, Reserve, Tick
from symtheano.loopir.index import Index
from symtheano.loopir.launch import Launch, LibraryCall, Product, ReadBack, Transfer
from symtheano.loopir.memory import ARENA, CONSTANT, INPUT, OUTPUT, SHARED, STACK
from symtheano.loopir.names import (
    bodies,
    definitions,
    indices,
    inner_definitions,
    operands,
    provides,
    reads,
    walk,
    writes,
)
from symtheano.loopir.nodes import (
    Alias,
    Allocate,
    Assign,
    Call,
    Check,
    Choose,
    Declare,
    For,
    If,
    Kernel,
    Leave,
    Locate,
    Measure,
    Partition,
    PythonCall,
    Reduce,
    Statement,
    Swap,
    While,
)
from symtheano.loopir.operands import Address, Argument, Buffer, Value
from symtheano.loopir.program import Function, Program, Slot
from symtheano.loopir.routine import Parameter
from symtheano.loopir.run import Run
from symtheano.loopir.text import headline

# What needs a host.
_HOSTS = (
    Check | Allocate | Alias | Choose | Swap | PythonCall | Partition | Measure | Announce | Poll
    | Interrupt | Reserve | Tick | Call | Run | Launch | Product | ReadBack | Transfer
    | LibraryCall
)  # fmt: skip


# What names buffers, or copies between host and device.
_ANYWHERE = (Alias, Choose, Swap, Run, Launch, LibraryCall, Product, ReadBack, Transfer)


class VerificationError(ValueError):
    """Invalid LoopIR, a defect of the code that generated it."""


@dataclass(frozen=True)
class _Context:
    """The context of a statement.

    ``own`` is the depth of blocks from which on declared scalars may be assigned: a thread's
    or a kernel's own ones. ``own_lane`` is the same for the innermost loop over lanes. ``device``
    is the kind of the innermost loop over threads of a device. ``ordered``: whether the statements
    are those of a loop that runs in order.
    """

    depth: int = 0
    own: int = 0
    own_lane: int = 0
    reduced: frozenset[str] = frozenset()
    parallel: bool = False
    simd: bool = False
    kernel: bool = False
    device: str = ""
    ordered: bool = False


@dataclass
class _Scope:
    """What is defined: all names ever, and those that can be seen now, the newest last."""

    defined: set[str] = field(default_factory=set)
    values: dict[str, str] = field(default_factory=dict)
    declared: dict[str, int] = field(default_factory=dict)
    buffers: dict[str, Buffer] = field(default_factory=dict)
    visible: list[str] = field(default_factory=list)

    def close(self, size: int) -> None:
        """Forget what came into sight since ``visible`` had a size."""
        while len(self.visible) > size:
            name = self.visible.pop()
            for table in (self.values, self.declared, self.buffers):
                table.pop(name, None)


def verify(program: Program, dialect: Dialect | None = None) -> None:
    """Check a program.

    Parameters
    ----------
    program
        The program.
    dialect
        For a program after all passes: what its text can say.

    Raises
    ------
    VerificationError
        With the first statement that breaks a rule, as text, or what the text can't say.

    Examples
    --------
    >>> verify(Program("f", (), (), (), ()))
    """
    checker = _Checker()
    checker.program(program)
    for lack in () if dialect is None else dialect.lacks(program):
        raise VerificationError(f"the text can't say {lack}\n  in: {program.name}")


def verify_statements(
    statements: Sequence[Statement],
    values: Sequence[Value] = (),
    buffers: Sequence[Buffer] = (),
) -> None:
    """Check statements that are part of a program, given the values and buffers around them.

    Raises
    ------
    VerificationError
        With the first statement that breaks a rule, as text.

    Examples
    --------
    >>> from symtheano.loopir.nodes import Let
    >>> total, x = Value("total", "float64"), Value("x", "float64")
    >>> verify_statements([Let(total, "add", (x, x))], values=[x])
    >>> verify_statements([Let(total, "add", (x, x))])
    Traceback (most recent call last):
    symtheano.loopir.verify.VerificationError: x is not defined here
      in: total = add(x, x) : float64
    """
    checker = _Checker()
    for value in values:
        checker.define(value)
    for buffer in buffers:
        checker.provide(buffer)
    checker.block(statements, _Context())


class _Checker:
    def __init__(self) -> None:
        self.scope = _Scope()
        self.arena: tuple[Slot, ...] = ()
        self.functions: dict[str, Function] = {}
        self.kernels: dict[str, Function] = {}
        # Whether buffers have their place, on the host or on a device.
        self.placed = False
        # The number of names that were visible before the outermost statement that is being
        # checked.
        self.seen_before = 0
        self.where = "the program's head"

    def fail(self, what: str) -> VerificationError:
        return VerificationError(f"{what}\n  in: {self.where}")

    def require(self, condition: bool, what: str) -> None:
        if not condition:
            raise self.fail(what)

    # -- definitions --------------------------------------------------------------------------

    def define(self, value: Value) -> None:
        self.new_name(value.name)
        self.scope.values[value.name] = value.dtype
        self.scope.visible.append(value.name)

    def provide(self, buffer: Buffer, everywhere: bool = False) -> None:
        self.new_name(buffer.name)
        self.scope.buffers[buffer.name] = buffer
        if not everywhere:
            self.scope.visible.append(buffer.name)

    def new_name(self, name: str) -> None:
        self.require(name not in self.scope.defined, f"{name} is defined twice")
        self.scope.defined.add(name)

    def see(self, value: Value) -> None:
        dtype = self.scope.values.get(value.name)
        self.require(dtype is not None, f"{value.name} is not defined here")
        self.require(dtype == value.dtype, f"{value.name} is {dtype}, not {value.dtype}")

    def see_index(self, index: Index) -> None:
        for name in index.names():
            self.see(Value(name, "int64"))

    def see_buffer(self, buffer: Buffer) -> None:
        declared = self.scope.buffers.get(buffer.name)
        if declared is None and buffer.memory is STACK:
            self.require(buffer.size.constant is not None, f"{buffer.name}: size is not a constant")
            self.provide(buffer, everywhere=True)
        else:
            self.require(declared is not None, f"{buffer.name} has no storage here")
            self.require(declared == buffer, f"{buffer.name} is described in two ways")

    def reserve(self) -> None:
        """Check that all of the arena's sizes are known before it is opened."""
        visible = set(self.scope.visible[: self.seen_before])
        for slot in self.arena:
            for name in slot.size.names():
                self.see(Value(name, "int64"))
                self.require(name in visible, f"{name} is not defined before the arena opens")
            for buffer in slot.buffers:
                self.provide(buffer, everywhere=True)

    # -- programs -----------------------------------------------------------------------------

    def program(self, program: Program) -> None:
        slots = [buffer for slot in program.arena for buffer in slot.buffers]
        known = (*program.inputs, *program.outputs, *slots)
        self.placed = any(buffer.place == "device" for buffer in known)
        for position, buffer in enumerate(program.inputs):
            self.require(buffer.memory is INPUT, f"{buffer.name} is not an input")
            self.require(buffer.position == position, f"{buffer.name} is at position {position}")
            self.provide(buffer)
        self.require(len(program.inputs) == len(program.input_dims), "dims of each input")
        for dims in program.input_dims:
            for name in filter(None, dims):
                self.define(Value(name, "int64"))
        for buffer, values in program.constants:
            self.require(buffer.memory is CONSTANT, f"{buffer.name} is not a constant")
            self.require(buffer.size == len(values), f"{buffer.name}: number of values")
            self.provide(buffer)
        self.arena = program.arena
        tables = [buffer for buffer, _ in program.constants]
        for kernel in program.kernels:
            self.function(kernel, tables, self.kernels)
            empty = never_written(kernel.body)
            self.require(not empty, f"{', '.join(empty)}: nothing is written to what is read")
        for function in program.functions:
            self.function(function, tables, self.functions)
        for buffer in program.stack:
            self.provide(buffer, everywhere=True)
        for slot in program.arena:
            for buffer in slot.buffers:
                self.require(buffer.memory is ARENA, f"{buffer.name} is not in the arena")
        self.block(program.body, _Context())
        self.where = "the program's outputs"
        for position, buffer in enumerate(program.outputs):
            if buffer.memory is OUTPUT:
                self.require(
                    buffer.position == position, f"{buffer.name} is at position {position}"
                )
            else:
                self.require(buffer.memory is INPUT, f"{buffer.name} is not an output")
            self.see_buffer(buffer)

    def function(
        self, function: Function, constants: Sequence[Buffer], into: dict[str, Function]
    ) -> None:
        """Check a function, which sees only its parameters, tables, and functions before it."""
        self.where = f"function {function.name}"
        self.new_name(function.name)
        inner = _Checker()
        inner.functions, inner.kernels = dict(self.functions), self.kernels
        inner.placed = self.placed
        if function.piece is not None:
            inner.arena = self.arena
        for value in (*function.range, *function.values):
            inner.define(value)
        for buffer in (*constants, *function.buffers, *function.stack):
            inner.provide(buffer, everywhere=True)
        grids = any(isinstance(s, For) and s.kind == "grid" for s in walk(function.body))
        inner.block(function.body, _Context(parallel=bool(function.range) and not grids))
        inner.where = self.where
        for value in function.results:
            inner.see(value)
        for buffer in function.piece.provides if function.piece else ():
            inner.see_buffer(buffer)
        into[function.name] = function

    def run(self, statement: Run | Launch) -> None:
        """Check that a function is there, and that the arguments are what it takes."""
        results: tuple[Value, ...] = ()
        if isinstance(statement, Launch):
            name, function = statement.kernel, self.kernels.get(statement.kernel)
        else:
            name, function = statement.function, self.functions.get(statement.function)
            results = statement.results
        if function is None:
            raise self.fail(f"there is no function {name}")
        pairs = (
            (function.buffers, statement.buffers),
            (function.values, statement.values),
            (function.results, results),
        )
        for parameters, arguments in pairs:
            wanted, dtypes = ([item.dtype for item in items] for items in (parameters, arguments))
            self.require(wanted == dtypes, f"{function.name} takes other arguments")
        places = [buffer.place for buffer in statement.buffers]
        here = places == [buffer.place for buffer in function.buffers]
        self.require(here, f"{function.name} takes buffers that lie elsewhere")
        for parameter, buffer in zip(function.buffers, statement.buffers, strict=True):
            told = parameter.name not in function.written or buffer in statement.written
            self.require(told, f"{function.name} writes to {parameter.name}")
        if isinstance(statement, Launch):
            self.bound(statement, function)

    def bound(self, launch: Launch, kernel: Function) -> None:
        """Check that the host finds out whether integers of 32 bits suffice for a launch."""
        try:
            needed = Extents(kernel).needed
        except ValueError as error:
            raise self.fail(f"{kernel.name}: {error}") from None
        for extent in (at_launch(extent, kernel, launch.values) for extent in needed):
            fits = extent.constant is not None and extent.constant <= MOST_NARROW
            fits |= covers(launch.bound, extent)
            self.require(fits, f"{kernel.name}: {extent} may need more than 32 bits")

    def block(self, statements: Sequence[Statement], context: _Context) -> None:
        for statement in statements:
            self.where = headline(statement)
            if context.depth == 0:
                self.seen_before = len(self.scope.visible)
            self.statement(statement, context)
            self.where = headline(statement)
            for value in definitions(statement):
                self.define(value)
            for buffer in provides(statement):
                self.provide(buffer)
            if isinstance(statement, Declare):
                self.scope.declared[statement.target.name] = context.depth

    def statement(self, statement: Statement, context: _Context) -> None:
        if not isinstance(statement, While):  # its condition is defined by its test
            for operand in operands(statement):
                if isinstance(operand, Value):
                    self.see(operand)
        for index in indices(statement):
            self.see_index(index)
        for buffer in (*reads(statement), *writes(statement)):
            self.see_buffer(buffer)
        for buffer in writes(statement):
            self.require(not buffer.memory.constant, f"{buffer.name} is a constant")
        if self.placed and not isinstance(statement, _ANYWHERE):
            for buffer in (*reads(statement), *writes(statement)):
                self.reach(buffer, context)
        self.placement(statement, context)
        if isinstance(statement, Assign | Reduce):
            self.assign(statement.target, context)
        elif isinstance(statement, Locate):
            self.assign(statement.best, context)
            self.assign(statement.where, context)
        elif isinstance(statement, Call):
            self.call(statement)
            if statement.epilogue is not None:
                self.inside(statement, context)
        elif isinstance(statement, Run | Launch):
            self.run(statement)
        elif isinstance(statement, PythonCall):
            for buffer, _ in statement.outputs:
                self.require(buffer.memory is not OUTPUT, f"{buffer.name}: copy it to the output")
        elif bodies(statement):
            self.inside(statement, context)

    def reach(self, buffer: Buffer, context: _Context) -> None:
        """Refuse the host's access to the device's memory, and the device's to the host's."""
        if buffer.memory not in (STACK, SHARED, CONSTANT):
            here = "device" if context.device else "host"
            self.require(buffer.place == here, f"{buffer.name} is not in the memory of the {here}")

    def placement(self, statement: Statement, context: _Context) -> None:
        """Refuse statements that may not stand where they stand."""
        kind = type(statement).__name__
        reason = misplaced(statement, context.device)
        if reason is not None:
            raise self.fail(reason)
        if isinstance(statement, _HOSTS):
            self.require(not context.device, f"{kind} on a device")
        if isinstance(
            statement, Check | Allocate | Alias | Choose | Swap | PythonCall | Call | Announce
        ):
            self.require(not context.simd, f"{kind} in a simd loop")
            # A routine calls the host and divides its work among threads itself.
            self.require(not context.parallel, f"{kind} in a parallel loop")
        if isinstance(statement, Allocate | Alias | Choose | Swap | Kernel):
            self.require(not context.kernel, f"{kind} in a kernel")
        if isinstance(statement, Kernel):
            self.require(not context.simd, f"{kind} in a simd loop")
        if isinstance(statement, Reserve | Interrupt):
            self.require(context.depth == 0, f"{kind} inside of another statement")
        if isinstance(statement, Reserve):
            self.reserve()
        if isinstance(statement, Poll):
            self.require(not context.simd, f"{kind} in a simd loop")
        if isinstance(statement, Leave):
            self.require(context.ordered, f"{kind} outside of a loop that runs in order")
        if isinstance(statement, For):
            self.loop(statement, context)

    # -- statements ---------------------------------------------------------------------------

    def assign(self, target: Value, context: _Context) -> None:
        name = target.name
        depth = self.scope.declared.get(name)
        if depth is None:
            raise self.fail(f"{name} was not declared, so it keeps its value")
        self.require(depth >= context.own, f"{name} was declared outside the thread or kernel")
        private = depth >= context.own_lane or name in context.reduced
        self.require(private, f"{name} passes from one iteration of a simd loop to the next")

    def loop(self, statement: For, context: _Context) -> None:
        if statement.kind == "grid":
            self.require(not context.parallel and not context.simd, "a grid loop in another one")
        if statement.kind in ("grid", "warp"):
            for late, name in unordered(statement.body):
                self.where = headline(late)
                raise self.fail(f"a barrier is missing: other threads use {name}")
        if "parallel" in statement.kind:
            self.require(not context.parallel, "a parallel loop in a parallel loop")
            self.require(not context.simd, "a parallel loop in a simd loop")
            self.require(
                not statement.reductions,
                "a reduction across threads depends on their number; reduce partial results",
            )
        for value, _ in statement.reductions:
            depth = self.scope.declared.get(value.name)
            if depth is None:
                raise self.fail(f"{value.name} was not declared")
            self.require(depth >= context.own, f"{value.name} was declared outside")

    def call(self, statement: Call) -> None:
        routine, arguments = statement.routine, statement.arguments
        has_version = statement.dtype in ("", *routine.dtypes)
        self.require(has_version, f"{routine.name} has no version for {statement.dtype}")
        for parameter, argument in zip(routine.parameters, arguments, strict=True):
            fits = _fits(parameter, argument, statement.dtype)
            self.require(fits, f"argument {parameter.name} does not fit")

    def inside(self, statement: Statement, context: _Context) -> None:
        """Check the statement lists in a statement; what they define ends with them."""
        before = len(self.scope.visible)
        inner = self.inner_context(statement, context)
        if isinstance(statement, For):
            for value in inner_definitions(statement):
                self.define(value)
        first = bodies(statement)[0]
        self.block(first, inner)
        if isinstance(statement, While):
            if isinstance(statement.condition, Value):
                self.see(statement.condition)
            self.block(statement.body, inner)
        elif isinstance(statement, If):
            self.scope.close(before)
            self.block(statement.otherwise, inner)
        elif isinstance(statement, Kernel):
            self.where = headline(statement)
            self.results(statement)
        self.scope.close(before)

    def inner_context(self, statement: Statement, context: _Context) -> _Context:
        ordered = isinstance(statement, For) and statement.kind == "serial"
        inner = replace(context, depth=context.depth + 1, ordered=ordered)
        if isinstance(statement, Call):  # its threads or grids run its epilogue
            grids = any(isinstance(s, For) and s.kind == "grid" for s in walk([statement]))
            return replace(inner, own=inner.depth, parallel=not grids)
        if isinstance(statement, Kernel):
            self.new_name(statement.name)
            return replace(inner, own=inner.depth, kernel=not statement.region)
        if not isinstance(statement, For):
            return inner
        if statement.kind in DEVICE:
            inner = replace(inner, device=statement.kind)
        if statement.kind in ("grid", "warp", "thread"):
            inner = replace(inner, own=inner.depth)
        if "parallel" in statement.kind:
            inner = replace(inner, own=inner.depth, parallel=True)
        if statement.kind == "lane" or "simd" in statement.kind:
            names = frozenset(value.name for value, _ in statement.reductions)
            simd = statement.kind != "lane"
            inner = replace(inner, own_lane=inner.depth, reduced=names, simd=simd)
        return inner

    def results(self, statement: Kernel) -> None:
        """Check that a kernel defines its results, and let the outside define them anew."""
        for value in statement.results:
            self.see(value)
            self.scope.defined.discard(value.name)


def _fits(parameter: Parameter, argument: Argument, dtype: str) -> bool:
    """Return whether an argument is what a routine takes."""
    wanted = parameter.dtype(dtype)
    if isinstance(argument, Address):
        return bool(parameter.access) and wanted in (None, argument.buffer.dtype)
    if parameter.access:
        return parameter.optional and argument == Index.of(0)
    if isinstance(argument, bool):
        return parameter.kind == "transposed"
    if isinstance(argument, tuple):
        return parameter.kind == "lengths"
    if isinstance(argument, Index):
        return parameter.kind in ("integer", "bytes")
    return parameter.kind in ("T", "R") and argument.dtype == wanted
