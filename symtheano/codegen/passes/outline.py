"""Outline: kernels, and loops that threads or routines share, become functions of the program.

A function has parameters for what it uses from outside. Kernels that differ only in names are one
function: a deep network has the same kernels in every layer, each of which takes time to compile.
Every name of a program has one meaning, so one function can replace both.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from symtheano.codegen.passes.context import ProgramContext
from symtheano.codegen.targets import Target
from symtheano.dataclass import replace
from symtheano.loopir import (
    Buffer,
    Call,
    For,
    If,
    Index,
    Kernel,
    Poll,
    Program,
    Statement,
    Value,
    While,
)
from symtheano.loopir.alike import Form, form_of_function, kinds_of
from symtheano.loopir.builder import Names
from symtheano.loopir.memory import STACK
from symtheano.loopir.names import Uses, bodies, reads, uses, walk, writes
from symtheano.loopir.operands import Place
from symtheano.loopir.program import Function
from symtheano.loopir.rewrite import Body, unless_same, with_bodies
from symtheano.loopir.run import Run, Threads

# Threads get multiples of this number of iterations in lanes, which is a multiple of every vector
# length, so that vectors begin at the same positions as on one thread.
_LANES_BLOCK = 256
_NESTED = frozenset((Kernel, For, If, Call, While))


def outline(program: Program, target: Target, context: ProgramContext) -> Program:
    """Make functions of kernels, of the bodies of parallel loops, and of epilogues."""
    return outlined(program, context.names)


def outlined(program: Program, names: Names) -> Program:
    """Return a program with functions, for whose parameters there are new names."""
    return _Outliner(program, names).program()


class _Outliner:
    """Makes the functions of one program.

    Attributes
    ----------
    functions
        By name, the inner ones first.
    origins
        By name: the user's lines in a function and in those that it replaces.
    """

    def __init__(self, program: Program, names: Names) -> None:
        present = {id(s.body) for s in program.body if isinstance(s, Kernel)}
        self.naive, self.names = program, names
        self.repeats = {id(r.body): r for r in program.repeats if id(r.first) in present}
        self.range = tuple(Value(names.fresh(name), "int64") for name in ("begin", "end", "thread"))
        self.functions: dict[str, Function] = {}
        self.origins: dict[str, dict[Place, None]] = {}
        # Functions by their form; and by the kinds of their statements, as long as one has these.
        self._alike: dict[tuple[object, ...], Function] = {}
        self._alone: dict[tuple[object, ...], Function | None] = {}
        # By the statements of kernels: how they are run.
        self._runs: dict[int, Run] = {}
        # What bodies of functions use, the inner ones first.
        self._uses: dict[int, Uses] = {}
        # Stack buffers that an enclosing function declares.
        self._declared: set[str] = set()

    def program(self) -> Program:
        """Return the program with functions."""
        naive = self.naive
        body = tuple(
            replace(s, body=()) if isinstance(s, Kernel) and id(s.body) in self.repeats else s
            for s in naive.body
        )
        inside = [
            s.body
            for s in walk(body)
            if type(s) is Kernel or (type(s) is For and "parallel" in s.kind)
        ]
        for statements in reversed(inside):
            self._uses[id(statements)] = uses(statements, self._uses)
        for repeat in self.repeats.values():
            self._uses[id(repeat.body)] = repeat.uses(self._uses[id(repeat.first)])
        stack = self._own_stack(body, uses(body, self._uses))
        outlined = self._block(naive.body, naive.name)
        functions = tuple(
            replace(function, origins=tuple(self.origins[name]))
            for name, function in self.functions.items()
        )
        return replace(naive, body=outlined, functions=functions, stack=stack, repeats=())

    # -- statements ---------------------------------------------------------------------------

    def _block(self, statements: Body, inside: str) -> Body:
        """Return statements of a function, after making functions of those inside."""
        return unless_same([self._statement(s, inside) for s in statements], statements)

    def _statement(self, s: Statement, inside: str) -> Statement:
        if type(s) not in _NESTED:  # most statements
            return s
        if isinstance(s, Kernel):
            return self._kernel(s)
        if isinstance(s, For) and "parallel" in s.kind:
            return self._shared(s, inside)
        if isinstance(s, Call):
            if not isinstance(s.epilogue, For):
                return s
            return replace(s, epilogue=self._range(s.epilogue, f"{inside}_epilogue"))
        if isinstance(s, While):
            test, body = self._block(s.test, inside), self._block(s.body, inside)
            return replace(s, test=test, body=body)
        return with_bodies(s, lambda body: self._block(body, inside))

    def _kernel(self, kernel: Kernel) -> Run:
        origins = () if kernel.region else kernel.origins
        repeat = self.repeats.get(id(kernel.body))
        first = None if repeat is None else self._runs.get(id(repeat.first))
        if repeat is None or first is None:
            needed = self._uses[id(kernel.body)]
            function = Function(
                kernel.name, kernel.body, results=kernel.results,
                title=kernel.title, origins=kernel.origins,
            )  # fmt: skip
            run = replace(self._function(function, needed), origins=origins)
            self._runs[id(kernel.body)] = run
            return run
        self.origins[first.function].update(dict.fromkeys(kernel.origins))
        copy = repeat.renamer.copy
        read, written = copy(first.read), copy(first.written)
        buffers, values = copy(first.buffers), copy(first.values)
        return Run(first.function, buffers, values, read, written, kernel.results, origins)

    def _shared(self, loop: For, inside: str) -> Run:
        """Return how the function of a parallel loop is run."""
        length = loop.stop - loop.start if loop.step > 0 else loop.start - loop.stop
        polled = any(isinstance(s, Poll) for s in walk(loop.body))
        block = _LANES_BLOCK if "simd" in loop.kind else 1
        threads = Threads(length, abs(loop.step), loop.work, block, polled)
        return replace(self._range(loop, f"{inside}_part"), threads=threads)

    def _range(self, loop: For, wish: str) -> Run:
        """Return how a function is run that runs a range of a loop's iterations."""
        needed = uses((replace(loop, stop=Index.of(0), work=None),), self._uses)
        begin, end, thread = self.range
        part = replace(
            loop,
            start=loop.start + begin.index * loop.step,
            stop=loop.start + end.index * loop.step,
            kind="simd" if "simd" in loop.kind else "independent",
            work=None,
            worker=None,
        )
        parameters = (begin, end, loop.worker or thread)
        return self._function(Function(self.names.fresh(wish), (part,), range=parameters), needed)

    # -- functions ----------------------------------------------------------------------------

    def _function(self, function: Function, needed: Uses) -> Run:
        """Add a function, unless there is one that differs only in names; return how it is run."""
        buffers = [
            buffer
            for buffer in needed.buffers
            if buffer.memory.passed or buffer.name in self._declared
        ]
        body = function.body
        (inside,) = (body,) if not function.range else bodies(body[0])
        inner = self._uses.get(id(inside)) or uses(inside, self._uses)
        stack = self._own_stack(body, inner)
        function = replace(
            function,
            body=self._block(body, function.name),
            buffers=tuple(buffers),
            values=needed.values,
            written=needed.written & {buffer.name for buffer in buffers},
            stack=stack,
        )
        run = Run(
            function.name,
            function.buffers,
            function.values,
            tuple(buffer for buffer in buffers if buffer.name in needed.read),
            tuple(buffer for buffer in buffers if buffer.name in needed.written),
            function.results,
        )
        earlier = self._earlier(function)
        if earlier is None:
            self.functions[function.name] = function
            self.origins[function.name] = dict.fromkeys(function.origins)
            return run
        self.origins[earlier.name].update(dict.fromkeys(function.origins))
        here = dict(zip(_form(earlier).names, _form(function).names, strict=True))
        arrays = {buffer.name: buffer for buffer in function.buffers}
        values = {value.name: value for value in function.values}
        return replace(
            run,
            function=earlier.name,
            buffers=tuple(arrays[here[buffer.name]] for buffer in earlier.buffers),
            values=tuple(values[here[value.name]] for value in earlier.values),
        )

    def _earlier(self, function: Function) -> Function | None:
        """Return an earlier function that differs only in names, if there is one."""
        kinds = kinds_of(function.body)
        if kinds not in self._alone:
            self._alone[kinds] = function
            return None
        alone = self._alone[kinds]
        if alone is not None:
            self._alike[_form(alone).key] = alone
            self._alone[kinds] = None
        first = self._alike.setdefault(_form(function).key, function)
        return None if first is function else first

    def _own_stack(self, body: Sequence[Statement], needed: Uses) -> tuple[Buffer, ...]:
        """Return the stack buffers that a function declares, and no function inside it."""
        if all(buffer.memory is not STACK for buffer in needed.buffers):
            return ()
        users: dict[str, int] = {}
        for statement in _direct(body):
            if _is_function(statement):
                for buffer in uses([statement], self._uses).buffers:
                    users[buffer.name] = users.get(buffer.name, 0) + 1
            if not _is_function(statement) or isinstance(statement, Call):
                for buffer in (*reads(statement), *writes(statement)):
                    users[buffer.name] = 2
        own = [
            buffer
            for buffer in needed.buffers
            if buffer.memory is STACK
            and buffer.name not in self._declared
            and users.get(buffer.name, 0) > 1
        ]
        self._declared.update(buffer.name for buffer in own)
        return tuple(own)


def _form(function: Function) -> Form:
    """Return what a function is without its names."""
    parameters = (*function.range, *function.parameters)
    return form_of_function(function.body, parameters, function.results)


def _is_function(statement: Statement) -> bool:
    """Return whether a statement's body becomes a function."""
    if type(statement) not in _NESTED:  # most statements
        return False
    if isinstance(statement, For):
        return "parallel" in statement.kind
    if isinstance(statement, Call):
        return statement.epilogue is not None
    return isinstance(statement, Kernel)


def _direct(statements: Sequence[Statement]) -> Iterator[Statement]:
    """Yield the statements which belong to the same function."""
    waiting = list(reversed(statements))
    while waiting:
        statement = waiting.pop()
        yield statement
        if not _is_function(statement):
            for body in bodies(statement):
                waiting.extend(reversed(body))
