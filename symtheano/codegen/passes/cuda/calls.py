"""Launches instead of calls: what passes share that write kernels for a routine of the host."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TypeVar

from symtheano.dataclass import replace
from symtheano.loopir import (
    Builder,
    Call,
    Index,
    Kernel,
    LetIndex,
    Measure,
    Program,
    Statement,
    While,
)
from symtheano.loopir.builder import Names
from symtheano.loopir.operands import Address, Argument
from symtheano.loopir.rewrite import Body, unless_same, with_bodies
from symtheano.loopir.view import View


class CallLaunch:
    """Writes the launch of one call of a routine.

    Parameters
    ----------
    call
        The call.
    threads
        Threads of a block.
    names
        Where new names come from.

    Attributes
    ----------
    before
        Statements before the kernel, which ask for its memory.
    """

    def __init__(self, call: Call, threads: int, names: Names) -> None:
        self.call, self.threads, self.names = call, threads, names
        parameters = (parameter.name for parameter in call.routine.parameters)
        self.arguments: Mapping[str, Argument] = dict(zip(parameters, call.arguments, strict=True))
        self.dtype = call.dtype
        self.b = Builder(names)
        self.b.origin = call.origin
        self.before: list[Statement] = []

    def kernel(self) -> Kernel:
        """Return the kernel with what has been written."""
        name = self.call.routine.name
        origins = () if self.call.origin is None else (self.call.origin,)
        fresh = self.names.fresh(f"kernel_{name}")
        return Kernel(fresh, name, self.b.statements(), (), origins)

    def integer(self, name: str) -> Index:
        """Return an integer argument."""
        value = self.arguments[name]
        assert isinstance(value, Index)
        return value

    def element(self, name: str, offset: Index | int = 0) -> View:
        """Return an element of an array by its distance from the first one."""
        address = self.arguments[name]
        assert isinstance(address, Address)
        return View(address.buffer, (), (), address.offset + offset)

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


L = TypeVar("L", bound=CallLaunch)


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

    def block(body: Body) -> Body:
        after: list[Statement] = []
        for s in body:
            if isinstance(s, Call) and s.routine.name in writers and s.epilogue is None and takes(
                s.dtype, [item for item in s.arguments if isinstance(item, Index)]
            ):  # fmt: skip
                launch = make(s)
                writers[s.routine.name](launch)
                kernel = launch.kernel()
                after += [*launch.before, kernel]
            elif isinstance(s, Measure) and s.routine.name in writers and takes(
                s.dtype, s.integers
            ):  # fmt: skip
                after.append(LetIndex(s.target, Index.of(0)))  # it needs no workspace
            elif isinstance(s, While):
                after.append(replace(s, test=block(s.test), body=block(s.body)))
            else:
                after.append(with_bodies(s, block))
        return unless_same(after, body)

    return replace(program, body=block(program.body))
