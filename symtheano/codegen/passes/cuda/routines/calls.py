"""What passes share that write kernels instead of calls of routines."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TypeVar

from symtheano.codegen.targets import Target
from symtheano.dataclass import replace
from symtheano.loopir import (
    Builder,
    Call,
    Index,
    Kernel,
    LetIndex,
    Literal,
    Measure,
    Program,
    Statement,
    Value,
    While,
)
from symtheano.loopir.builder import Names
from symtheano.loopir.names import walk
from symtheano.loopir.operands import Address, Argument, Operand
from symtheano.loopir.rewrite import Body, unless_same, with_bodies
from symtheano.loopir.view import View


class RoutineCall:
    """Writes what one call of a routine does.

    Parameters
    ----------
    call
        The call.
    target
        The device.
    names
        Where new names come from.

    Attributes
    ----------
    arguments
        Those of the call, by the names of the routine's parameters.
    b
        The builder of the statements in place of the call.
    threads
        Threads of a block.
    tf32
        Whether libraries may round the factors of products of float32.
    before
        Statements before the kernel, which ask for its memory.
    """

    def __init__(self, call: Call, target: Target, names: Names) -> None:
        self.call, self.names = call, names
        parameters = (parameter.name for parameter in call.routine.parameters)
        self.arguments: Mapping[str, Argument] = dict(zip(parameters, call.arguments, strict=True))
        self.dtype = call.dtype
        self.b = Builder(names, target.routines)
        self.b.origin = call.origin
        self.threads, self.tf32 = target.device.threads, target.device.tf32
        self.before: list[Statement] = []

    def integer(self, name: str) -> Index:
        """Return an integer argument."""
        value = self.arguments[name]
        assert isinstance(value, Index)
        return value

    def number(self, name: str) -> Operand:
        """Return an argument that is a number."""
        value = self.arguments[name]
        assert isinstance(value, Literal | Value)
        return value

    def address(self, name: str) -> Address:
        """Return an argument that is an array."""
        value = self.arguments[name]
        assert isinstance(value, Address)
        return value

    def element(self, name: str, offset: Index | int = 0) -> View:
        """Return an element of an array by its distance from the first one."""
        address = self.address(name)
        return View(address.buffer, (), (), address.offset + offset)

    def kernel_with(self, body: Sequence[Statement], title: str = "") -> Kernel:
        """Return a kernel with a body, which has the user's line."""
        name = self.call.routine.name
        origins = () if self.call.origin is None else (self.call.origin,)
        return Kernel(self.names.fresh(f"kernel_{name}"), title or name, tuple(body), (), origins)

    def kernel(self) -> Kernel:
        """Return the kernel with what has been written."""
        return self.kernel_with(self.b.statements())

    @contextmanager
    def elements(self, *outer: tuple[str, Index], length: Index) -> Iterator[list[Index]]:
        """Open a launch with a thread for each of many elements; give the counters."""
        b = self.b
        if not outer:
            with (
                b.loop("first", length, step=self.threads, kind="grid") as first,
                b.loop("thread", self.threads, kind="thread") as thread,
            ):
                place = b.index_value(first + thread, "place")
                with b.branch(b.let("lt", "bool", [place, b.operand(length)])):
                    yield [place.index]
            return
        (wish, stop), *rest = outer
        with (
            b.loop(wish, stop, kind="grid") as counter,
            self.elements(*rest, length=length) as counters,
        ):
            yield [counter, *counters]


def calls_of(program: Program, routines: Container[str]) -> list[Call]:
    """Return the calls of routines with some names."""
    return [s for s in walk(program.body) if isinstance(s, Call) and s.routine.name in routines]


def replaced(
    program: Program, change: Callable[[Statement], Sequence[Statement] | None]
) -> Program:
    """Return a program with other statements in place of some, wherever they are.

    Parameters
    ----------
    program
        The program.
    change
        Function that returns what takes the place of a statement; None where it stays, and what is
        inside of it is changed.
    """

    def block(body: Body) -> Body:
        after: list[Statement] = []
        for s in body:
            new = change(s)
            if new is not None:
                after += new
            elif isinstance(s, While):
                after.append(replace(s, test=block(s.test), body=block(s.body)))
            else:
                after.append(with_bodies(s, block))
        return unless_same(after, body)

    return replace(program, body=block(program.body))


L = TypeVar("L", bound=RoutineCall)


def moved(view: View, distance: Index) -> View:
    """Return what a view shows a number of elements further on."""
    return replace(view, offset=view.offset + distance)


def any_call(dtype: str, integers: Sequence[Index]) -> bool:
    """Tell that all calls of a routine become launches."""
    return True


def launched(
    program: Program,
    writers: Mapping[str, Callable[[L], None]],
    make: Callable[[Call], L],
    takes: Callable[[str, Sequence[Index]], bool] = any_call,
) -> Program:
    """Return a program that launches kernels instead of calling some routines.

    Parameters
    ----------
    program
        The program.
    writers
        What writes the launch, by the name of the routine.
    make
        Function that returns the object that it takes.
    takes
        Function that tells by the dtype and the integers whether a call is one of them. Others
        remain.
    """

    def change(s: Statement) -> Sequence[Statement] | None:
        if isinstance(s, Call) and s.routine.name in writers and s.epilogue is None and takes(
            s.dtype, [item for item in s.arguments if isinstance(item, Index)]
        ):  # fmt: skip
            launch = make(s)
            writers[s.routine.name](launch)
            kernel = launch.kernel()
            return [*launch.before, kernel]
        if isinstance(s, Measure) and s.routine.name in writers and takes(s.dtype, s.integers):
            return [LetIndex(s.target, Index.of(0))]  # it needs no workspace
        return None

    return replaced(program, change)
