"""Loops over the threads of a device: what the verifier accepts in them, and what it refuses."""

from __future__ import annotations

from itertools import count
from typing import Any

import pytest

from symtheano.loopir import (
    Aligned,
    Assign,
    AtomicAdd,
    Barrier,
    Buffer,
    Check,
    Declare,
    For,
    If,
    Index,
    Literal,
    Load,
    Local,
    Reduce,
    Statement,
    Store,
    Value,
    While,
)
from symtheano.loopir.verify import VerificationError, verify_statements

N, ZERO = Index.symbol("n"), Index.of(0)
X = Buffer("x", "float64", "input", N, 0)
S = Buffer("s", "float64", "shared", Index.of(8))
ONE, YES = Literal(1.0, "float64"), Literal(True, "bool")
NUMBERS = count()
A, EACH = Value("a", "float64"), Value("i", "int64")
BLOCK, WARP = Barrier("block"), Barrier("warp")


def over(kind: Any, *body: Statement, **options: Any) -> For:
    stop = N if kind in ("grid", "serial", "parallel", "simd") else Index.of(8)
    name = f"{kind}_{next(NUMBERS)}"
    return For(Value(name, "int64"), ZERO, stop, body, kind, **options)


def write(buffer: Buffer = S) -> For:
    return over("thread", Store(buffer, ZERO, ONE))


def read(name: str = "a", buffer: Buffer = S) -> For:
    return over("thread", Load(Value(name, "float64"), buffer, ZERO))


def block(*body: Statement) -> For:
    return over("grid", Local(S), *body)


RIGHT: dict[str, list[Statement]] = {
    "an address is no element": [
        over("grid", Aligned(Value("fits", "bool"), X, ZERO), over("thread", Store(X, ZERO, ONE)))
    ],
    "threads that add": [over("grid", over("thread", AtomicAdd(X, ZERO, ONE)))],
    "threads": [over("grid", over("thread", Store(X, ZERO, ONE)))],
    "lanes reduce": [over("grid", over("warp", Declare(A, ONE), over(
        "lane", Reduce(A, "add", ONE), reductions=((A, "add"),)
    )))],
    "grids": [over("grid", over("grid", write(X)))],
    "a launch in a loop": [over("serial", over("grid", write(X)))],
    "written, then read": [block(write(), BLOCK, read())],
    "in a branch": [block(write(), If(YES, (BLOCK, read()), ()))],
    "in a loop": [block(over("serial", write(), BLOCK, read(), BLOCK))],
    "lanes wait": [block(over("warp", over("lane", Store(S, ZERO, ONE)), WARP,
                              over("lane", Load(A, S, ZERO))))],
    "read twice": [block(write(), BLOCK, read("a"), read("b"))],
}  # fmt: skip

WRONG: dict[str, list[Statement]] = {
    "a thread loop in a host loop": [over("thread")],
    "a lane loop in a grid loop": [over("grid", over("lane"))],
    "a warp loop in a thread loop": [over("grid", over("thread", over("warp")))],
    "a grid loop in a thread loop": [over("grid", over("thread", over("grid")))],
    "a grid loop in another one": [over("parallel", over("grid"))],
    "a simd loop on a device": [over("grid", over("simd"))],
    "a grid loop in another one is all of its body": [over("grid", over("grid"), over("thread"))],
    "a launch whose length is not known before": [
        For(EACH, ZERO, N, (For(Value("j", "int64"), ZERO, EACH.index, (), "grid"),), "grid")
    ],
    "a barrier outside a grid loop": [BLOCK],
    "a barrier in a loop over threads": [over("grid", over("thread", If(YES, (BLOCK,))))],
    "a barrier in a loop over lanes": [over("grid", over("warp", over("lane", WARP)))],
    "a barrier of the warp in a grid loop": [over("grid", WARP)],
    "a barrier of the block in a warp loop": [over("grid", over("warp", BLOCK))],
    "shared memory belongs to a block": [Local(S)],
    "s has no storage here": [over("grid", write())],
    "memory is allocated before": [over("grid", Local(Buffer("l", "int8", "local", N)))],
    "all threads would store one element": [over("grid", Store(X, ZERO, ONE))],
    "Check on a device": [over("grid", Check(YES, "shape", 1))],
    "outside the thread or kernel": [over("grid", Declare(A, ONE), over("thread", Assign(A, ONE)))],
    "from one iteration": [over("grid", over("warp", Declare(A, ONE), over(
        "lane", Reduce(A, "add", ONE)
    )))],
    "barrier is missing: other threads use s": [block(write(), read())],
    "barrier is missing: other threads use x": [over("grid", read("a", X), write(X))],
    "missing: other threads use s\n  in: a = s": [block(write(), Load(A, S, ZERO))],
    "missing": [block(over("serial", write(), BLOCK, read()))],
    "missing: other": [block(write(), If(YES, (BLOCK,), ()), read())],
    "missing: other threads": [block(While((read(),), YES, (write(),)))],
    "missing: other threads use": [block(over("warp", over("lane", Store(S, ZERO, ONE)),
                                              over("lane", Load(A, S, ZERO))))],
}  # fmt: skip


def check(statements: list[Statement]) -> None:
    verify_statements(statements, [Value("n", "int64")], [X])


@pytest.mark.parametrize("name", RIGHT)
def test_accepted(name: str) -> None:
    check(RIGHT[name])


@pytest.mark.parametrize("message", WRONG)
def test_refused(message: str) -> None:
    with pytest.raises(VerificationError, match=message):
        check(WRONG[message])


@pytest.mark.parametrize(
    ("kind", "changes", "message"),
    [
        ("lane", {"stop": Index.of(33)}, "1 to 32 in a lane loop"),
        ("thread", {"stop": N}, "1 to 1024 in a thread loop"),
        ("warp", {"start": Index.of(1)}, "a warp loop counts from 0 by 1"),
        ("thread", {"stop": Index.of(8), "reductions": ((A, "add"),)}, "only simd and lane loops"),
    ],
)
def test_loops_that_are_refused(kind: Any, changes: dict[str, Any], message: str) -> None:
    fields = {"index": Value("t", "int64"), "start": ZERO, "stop": Index.of(8), "body": ()}
    with pytest.raises(ValueError, match=message):
        For(**{**fields, "kind": kind, **changes})


def test_shared_memory_has_a_constant_size() -> None:
    with pytest.raises(ValueError, match="s: size is unknown"):
        Local(Buffer("s", "float64", "shared", N))
