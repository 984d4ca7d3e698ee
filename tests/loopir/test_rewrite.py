"""Copies of statements, and what a value depends on."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from symtheano.codegen.routines import ROUTINES
from symtheano.dataclass import replace
from symtheano.loopir import (
    Buffer,
    Builder,
    Call,
    Check,
    Declare,
    Expression,
    For,
    If,
    Index,
    Kernel,
    Literal,
    Local,
    Locate,
    Reduce,
    Statement,
    Store,
    Update,
    Value,
    View,
)
from symtheano.loopir.builder import Names
from symtheano.loopir.names import definitions, walk
from symtheano.loopir.operands import Address
from symtheano.loopir.rewrite import Copier, slice_of, with_bodies, with_inner_loops
from symtheano.loopir.text import statements_text
from symtheano.loopir.verify import VerificationError, verify_statements

N = Index.symbol("n")
X = Buffer("x", "float64", "input", N, 0)
Y = Buffer("y", "float64", "output", N, 0)


def row_sum() -> Builder:
    b = Builder()
    for name in ("n", "x", "y"):
        b.names.fresh(name)
    total = b.declare("total", Literal(0.0, "float64"))
    with b.loop("i", N, kind="reduce") as i:
        element = b.load(View(X, (), (), i), [], "x_i")
        square = b.let("mul", "float64", [element, element])
        b.emit(Reduce(total, "add", square))
        with b.branch(b.let("gt", "bool", [square, total])):
            b.store(View(Y, (), (), i), [], square)
    return b


def test_a_copy_defines_other_names_and_does_the_same() -> None:
    b = row_sum()
    copy = Copier(b.names).block(b.statements())
    assert not {*names_of(b.statements())} & {*names_of(copy)}
    verify_statements([*b.statements(), *copy], [Value("n", "int64")], [X, Y])
    assert statements_text(copy).count("add=") == 1


def names_of(statements: Sequence[Statement]) -> list[str]:
    inside = [*walk(statements)]
    counters = [s.index.name for s in inside if isinstance(s, For)]
    return [*counters, *(value.name for s in inside for value in definitions(s))]


def test_a_copy_without_names_takes_the_original_place() -> None:
    statements = row_sum().statements()
    assert tuple(Copier(None).block(statements)) == statements


def test_a_counter_that_becomes_an_expression_is_named_where_it_is_a_number() -> None:
    names = Names()
    store = Store(Buffer("k", "int64", "output", N, 0), Index.symbol("i"), Value("i", "int64"))
    named, copy = Copier(names, {"i": Index.symbol("i") * 2 + 1}).block([store])
    assert statements_text([named, copy]) == "i = i*2 + 1\nk[i*2 + 1] = i\n"


def test_expressions_are_copied() -> None:
    inner = Expression("neg", "int64", (Index.symbol("i") + 1,))
    condition = Expression("lt", "bool", (inner, Value("v", "int64")))
    copier = Copier(Names(), {"i": N * 2}, {"v": Literal(3, "int64")})
    (copy,) = copier.block([Check(condition, "value", 0, (Index.symbol("i"),))])
    assert (
        statements_text([copy]) == "check lt(neg(n*2 + 1), 3:int64) else value error 0 with n*2\n"
    )


def test_what_is_named_in_a_branch_is_not_used_after_it() -> None:
    k = Buffer("k", "int64", "output", N, 0)
    store = Store(k, Index.of(0), Value("i", "int64"))
    branch = If(Literal(True, "bool"), (store,))
    names = Names()
    names.fresh("i")
    copy = Copier(names, {"i": Index.symbol("n") + 1}).block([branch, store])
    verify_statements(copy, [Value("n", "int64")], [k])


def test_buffers_are_replaced() -> None:
    other = Buffer("z", "float64", "output", N, 1)
    update = Update(Y, N - 1, "add", Literal(1.0, "float64"))
    (copy,) = Copier(None, buffers={"y": other}).block([update])
    assert copy == Update(other, N - 1, "add", Literal(1.0, "float64"))


def test_calls_are_not_copied() -> None:
    call = Call(ROUTINES["zero"], (Address(Y, Index.of(0)), N))
    with pytest.raises(NotImplementedError, match="copies of Call"):
        Copier(None).block([call])


def test_a_slice_is_what_a_value_needs() -> None:
    b = Builder()
    a = b.let("neg", "float64", [Literal(1.0, "float64")], "a")
    b.let("exp", "float64", [a], "unused")
    last = b.let("mul", "float64", [a, a], "last")
    assert names_of(slice_of({last.name}, b.statements())) == ["a", "last"]


def test_bodies_are_changed_in_place_of_others() -> None:
    (declare, loop) = row_sum().statements()
    assert with_bodies(declare, lambda body: ()) is declare
    assert with_bodies(loop, lambda body: body) is loop
    emptied = with_bodies(loop, lambda body: ())
    assert isinstance(emptied, For)
    assert emptied.body == ()


def test_reductions_need_a_declared_scalar() -> None:
    total = Value("total", "float64")
    with pytest.raises(VerificationError, match="was not declared"):
        verify_statements([Reduce(total, "add", Literal(1.0, "float64"))], [total])


def test_a_position_is_kept_in_declared_scalars() -> None:
    best, where = Value("best", "float64"), Value("where", "int64")
    locate = Locate(best, where, "argmax", Literal(1.0, "float64"), Literal(2, "int64"))
    declared = [Declare(best, Literal(0.0, "float64"))]
    with pytest.raises(VerificationError, match="where was not declared"):
        verify_statements([*declared, locate], [where])
    verify_statements([*declared, Declare(where, Literal(0, "int64")), locate])


def test_memory_of_a_block_ends_with_it() -> None:
    own = Buffer("own", "float64", "local", Index.of(4))
    store = Store(own, Index.of(0), Literal(0.0, "float64"))
    verify_statements([Local(own), store])
    with pytest.raises(VerificationError, match="own has no storage"):
        verify_statements([If(Literal(True, "bool"), (Local(own),)), store])


@pytest.mark.parametrize(
    "make",
    [
        lambda: Reduce(Value("t", "float64"), "add", Literal(1, "int64")),
        lambda: Update(Y, N, "add", Literal(1, "int64")),
        lambda: Local(Y),
        lambda: Locate(Value("b", "int8"), Value("w", "int8"), "argmax", Literal(1, "int8"),
                       Literal(1, "int64")),
    ],
)  # fmt: skip
def test_constructors_check_dtypes(make: object) -> None:
    with pytest.raises(ValueError, match="LoopIR"):
        make()  # type: ignore[operator]


def test_every_kind_of_statement_is_walked() -> None:
    found = {type(s).__name__ for s in walk(row_sum().statements())}
    assert found == {"Declare", "For", "Load", "Let", "Reduce", "If", "Store"}


def test_inner_loops_are_replaced_before_those_around_them() -> None:
    inner = For(Value("j", "int64"), Index.of(0), N, ())
    outer = For(Value("i", "int64"), Index.of(0), N, (inner, inner))
    kernel = Kernel("k", "", (outer,))
    order: list[str] = []

    def change(loop: For) -> list[For]:
        order.append(f"{loop.index.name}: {len(loop.body)}")
        return [] if loop is inner and len(order) == 1 else [loop]

    changed = with_inner_loops(kernel, change)
    assert order == ["j: 0", "j: 0", "i: 1"]
    assert changed.body == (replace(outer, body=(inner,)),)
    assert with_inner_loops(kernel, lambda loop: [loop]) is kernel
