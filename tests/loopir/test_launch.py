"""Statements of a host about its device: what they refuse, and their text."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from symtheano.dataclass import replace
from symtheano.loopir import (
    Buffer,
    Index,
    Launch,
    LibraryCall,
    Load,
    ReadBack,
    Store,
    Transfer,
    Value,
)
from symtheano.loopir.nodes import For
from symtheano.loopir.operands import Literal
from symtheano.loopir.program import Function, Program
from symtheano.loopir.text import statements_text
from symtheano.loopir.verify import VerificationError, verify

N = Index.symbol("n")
HERE = Buffer("x", "float32", "input", N, 0)
THERE = Buffer("x_device", "float32", "arena", N, place="device")
THERE_INPUT = Buffer("x", "float32", "input", N, 0, "device")
STACK = Buffer("cell", "float32", "stack", Index.of(1), place="device")


def grid(buffer: Buffer) -> For:
    """Return a launch of blocks that store an element each."""
    one = Value("one", "int64")
    store = Store(buffer, Index.symbol("i"), Literal(1.0, "float32"))
    thread = For(one, Index.of(0), Index.of(1), (store,), "thread")
    return For(Value("i", "int64"), Index.of(0), N, (thread,), "grid")


def launch(buffer: Buffer = THERE, threads: int = 32) -> Launch:
    """Return a launch of a kernel with one array."""
    n = Value("n", "int64")
    return Launch("k", (buffer,), (n,), (), (buffer,), (N,), (1,), threads)


def library_call(*written: Buffer) -> LibraryCall:
    """Return a call of a library that changes an array."""
    return LibraryCall("turn", "float32", ("n", "x"), (N, Index.of(2)), (), written or (THERE,))


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda: Transfer(THERE, THERE, N), "x_device is in the place of x_device"),
        (lambda: Transfer(THERE, Buffer("y", "int8", "input", N, 0), N), "x_device: dtype"),
        (lambda: ReadBack(Value("v", "float32"), HERE, N), "x is on the host"),
        (lambda: ReadBack(Value("v", "int8"), THERE, N), "load of x_device: dtype"),
        (lambda: launch(HERE), "x is not in the device's memory"),
        (lambda: launch(STACK), "cell is not in the device's memory"),
        (lambda: library_call(THERE, THERE, THERE), "turn: 2 integers, 2 members, 3 arrays"),
        (
            lambda: replace(library_call(), taken=(Value("taken", "int64"),)),
            "turn: it has taken the call or not",
        ),
        (lambda: launch(threads=2000), "a block has 1 to 1024 threads"),
    ],
)
def test_what_is_refused(make: Callable[[], object], reason: str) -> None:
    with pytest.raises(ValueError, match=f"^LoopIR: .*{reason}$"):
        make()


def test_text() -> None:
    statements = [
        Transfer(THERE, HERE, N),
        launch(),
        ReadBack(Value("v", "float32"), THERE, Index.of(3)),
        library_call(),
    ]
    assert statements_text(statements).splitlines() == [
        "copy n elements of x to x_device of the device",
        "launch k(x_device, n) in n blocks of 32 threads",
        "v = x_device[3] of the device : float32",
        "turn(n=n, x=&x_device[2]) for float32 by the library",
    ]


def program(kernel: Buffer, *body: object) -> Program:
    """Return a program with one kernel, which writes to an array."""
    n = Value("n", "int64")
    written = frozenset([kernel.name])
    function = Function("k", (grid(kernel),), (kernel,), (n,), written)
    return Program("f", (THERE_INPUT,), (("n",),), (), body, kernels=(function,))  # type: ignore[arg-type]


def test_what_the_verifier_refuses() -> None:
    moved = THERE_INPUT
    verify(program(moved, launch(moved)))
    with pytest.raises(VerificationError, match="x is not in the memory of the host"):
        verify(program(moved, Store(moved, Index.of(0), Literal(1.0, "float32"))))
    with pytest.raises(VerificationError, match="y is not in the memory of the device"):
        verify(program(Buffer("y", "float32", "arena", N)))
    with pytest.raises(VerificationError, match="there is no function other"):
        verify(program(moved, Launch("other", (), (), (), (), (N,), (1,), 1)))
    with pytest.raises(VerificationError, match="k takes other arguments"):
        verify(program(moved, Launch("k", (), (), (), (), (N,), (1,), 1)))


def test_a_kernel_can_not_read_what_another_one_has_on_its_stack() -> None:
    i, n = Value("i", "int64"), Value("n", "int64")
    thread = For(Value("one", "int64"), Index.of(0), Index.of(1),
                 (Load(Value("a", "float32"), STACK, Index.of(0)),), "thread")  # fmt: skip
    loop = For(i, Index.of(0), N, (thread,), "grid")
    function = Function("k", (loop,), (), (n,), frozenset(), stack=(STACK,))
    start = Launch("k", (), (n,), (), (), (N,), (1,), 1)
    wrong = Program("f", (THERE_INPUT,), (("n",),), (), (start,), kernels=(function,))
    with pytest.raises(VerificationError, match="cell: nothing is written to what is read"):
        verify(wrong)
