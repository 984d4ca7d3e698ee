"""What statements define, read, write, and use from outside."""

from __future__ import annotations

from dataclasses import fields

import pytest

from symtheano.loopir import (
    Allocate,
    Assign,
    Buffer,
    Builder,
    Comment,
    Declare,
    For,
    If,
    Index,
    Leave,
    Let,
    LetIndex,
    Load,
    Local,
    Locate,
    Partition,
    Reduce,
    Statement,
    Store,
    Update,
    Value,
    While,
)
from symtheano.loopir.names import (
    PARTS,
    bodies,
    definitions,
    indices,
    inner_definitions,
    named_alike,
    operands,
    overlapping,
    provides,
    reads,
    uses,
    usual,
    walk,
    writes,
)
from symtheano.loopir.nodes import Alias, Check, Choose, Kernel, PythonCall, Swap
from symtheano.loopir.operands import Address, Expression

N, M = Index.symbol("n"), Index.symbol("m")
X, Y = Buffer("x", "float64", "input", N, 0), Buffer("y", "float64", "output", N, 0)
OWN, PART = Buffer("own", "float64", "local", M), Buffer("part", "float64", "chosen", N)
SAME = Buffer("same", "float64", "chosen", N)
A, B_, C = (Value(name, "float64") for name in "abc")
K, L, YES = Value("k", "int64"), Value("l", "int64"), Value("yes", "bool")
LEAF = Store(Y, M, A)


def texts(items: object) -> list[str]:
    return [str(getattr(item, "name", item)) for item in items]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("statement", "defined", "read", "places", "loaded", "stored"),
    [
        (Let(A, "add", (B_, C)), "a", "b c", "", "", ""),
        (LetIndex(K, N), "k", "", "n", "", ""),
        (Partition(K, L, N, M, 1, 1), "k l", "", "n m", "", ""),
        (Load(A, X, N), "a", "", "n", "x", ""),
        (Store(Y, N, A), "", "a", "n", "", "y"),
        (Update(Y, N, "add", A), "", "a", "n", "y", "y"),
        (Declare(A, B_), "a", "b", "", "", ""),
        (Assign(A, B_), "", "a b", "", "", ""),
        (Reduce(A, "add", B_), "", "a b", "", "", ""),
        (Locate(A, K, "argmax", B_, L), "", "a k b l", "", "", ""),
        (Local(OWN), "", "", "m", "", ""),
        (Allocate(Y, (N, M)), "", "", "n m n", "", ""),
        (Allocate(Y, (N,), Value("k", "int64")), "", "k", "n n", "", ""),
        (Alias(PART, Address(X, M)), "", "", "m", "x", ""),
        (Choose(PART, YES, Address(X, M), Address(Y, N)), "", "yes", "m n", "x y", ""),
        (Swap(PART, SAME), "", "", "", "part same", ""),
        (Check(YES, "shape", 0, (N,)), "", "yes", "n", "", ""),
        (Check(Expression("eq", "bool", (N, K)), "shape", 0, (M,)), "", "k", "n m", "", ""),
        (PythonCall(0, ((Address(X, M), (N,)),), ((Y, (K,)),)), "k", "", "m n", "x", ""),
        (For(K, N, M, (LEAF,), "parallel", work=N * 2, worker=L), "", "", "n m n*2", "", ""),
        (If(YES, (LEAF,)), "", "yes", "", "", ""),
        (While((), YES, (LEAF,)), "", "yes", "", "", ""),
        (Leave(YES), "", "yes", "", "", ""),
        (Kernel("f", "", (LEAF,), (A,)), "a", "", "", "", ""),
        (Comment("words"), "", "", "", "", ""),
    ],
    ids=lambda item: type(item).__name__.lower() if not isinstance(item, str) else "",
)  # fmt: skip
def test_a_statement_itself(
    statement: Statement, defined: str, read: str, places: str, loaded: str, stored: str
) -> None:
    assert texts(definitions(statement)) == defined.split()
    assert texts(operands(statement)) == read.split()
    assert [str(index) for index in indices(statement)] == places.split()
    assert texts(reads(statement)) == loaded.split()
    assert texts(writes(statement)) == stored.split()


def test_bodies_in_the_order_of_execution() -> None:
    one, two = (Comment(text) for text in "12")
    assert bodies(While((one,), YES, (two,))) == ((one,), (two,))
    assert bodies(If(YES, (one,), (two,))) == ((one,), (two,))
    assert bodies(LEAF) == ()
    loop = For(K, N, M, (If(YES, (one,), (two,)),))
    assert [s for s in walk([loop, LEAF]) if s in (one, two, LEAF)] == [one, two, LEAF]
    assert inner_definitions(loop) == (K,)
    assert inner_definitions(For(K, N, M, (), "parallel", worker=L)) == (K, L)


def test_statements_that_usually_run() -> None:
    one, two = (Comment(text) for text in "12")
    rare, often = If(YES, (one,), (two,), rare=True), If(YES, (one, two))
    assert usual([For(K, N, M, (rare,)), LEAF])[1:] == [rare, two, LEAF]
    assert usual([often]) == [often, one, two]


def test_memory_begins_with_a_statement() -> None:
    assert [texts(provides(s)) for s in (Local(OWN), Allocate(Y, (N,)), LEAF)] == [
        ["own"], ["y"], []
    ]  # fmt: skip


def test_what_a_block_uses_from_outside() -> None:
    b = Builder()
    with b.loop("i", N) as i:
        b.emit(Local(OWN))
        b.emit(Load(A, X, i))
        b.emit(Store(OWN, i, A))
        b.emit(Update(Y, M, "add", B_))
    found = uses(b.statements())
    assert texts(found.values) == ["n", "m", "b"]
    assert texts(found.buffers) == ["x", "y"]
    assert found.written == {"y"}
    (loop,) = b.statements()
    assert isinstance(loop, For)
    assert uses([loop], {id(loop.body): uses(loop.body)}) == found


def test_every_field_of_the_table_is_one_of_its_class() -> None:
    for kind, parts in PARTS.items():
        names = {field.name for field in fields(kind)}  # type: ignore[arg-type]
        for group in fields(type(parts)):
            for name in getattr(parts, group.name):
                assert name.removeprefix("*") in names, (kind, name)


def test_arrays_are_written_to_under_other_names() -> None:
    naming = [Choose(PART, YES, Address(X, M), Address(Y, N)), Alias(SAME, Address(OWN, M))]
    stored = Store(PART, M, A)
    assert uses([*naming, stored]).written == {"x", "y"}
    assert uses([*naming, Swap(PART, SAME), stored]).written == {"x", "y", "own"}
    assert uses([Swap(PART, SAME), stored]).written == {"part", "same"}
    assert uses([*naming, Load(A, PART, M)]).written == set()


def test_buffers_between_which_is_chosen_do_not_overlap() -> None:
    x, y, either, part = (Buffer(name, "int8", "chosen", Index.of(3)) for name in "xyep")
    views = [
        Choose(either, Value("c", "bool"), Address(x, Index.of(0)), Address(y, Index.of(0))),
        Alias(part, Address(either, Index.of(1))),
    ]
    assert overlapping({"x"}, views) == {"x", "e", "p"}
    assert overlapping({"p"}, views) == {"x", "y", "e", "p"}
    assert overlapping({"z"}, views) == {"z"}
    assert named_alike({"x"}, views) == {"x", "y", "e", "p"}
