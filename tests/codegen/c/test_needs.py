"""Needs: what a program's statements require of the text before its functions."""

from __future__ import annotations

from symtheano.codegen.c.needs import find_needs, library_functions, routine_needs, row_name
from symtheano.codegen.routines import ROUTINES
from symtheano.loopir import Buffer, For, Index, Let, Literal, Load, Statement, Value
from symtheano.loopir.nodes import Call, Check
from symtheano.loopir.operands import Address
from symtheano.loopir.program import Program

N = Index.symbol("n")
BUFFER = Buffer("t", "float32", "arena", N)
ONE = Literal(1.0, "float32")


def program(*statements: Statement) -> Program:
    return Program("f", (), (), (), statements)


def exp(name: str) -> Let:
    return Let(Value(name, "float32"), "exp", (ONE,))


def test_nothing_is_needed_for_nothing() -> None:
    assert find_needs(program()) == routine_needs({})


def test_casts_have_a_row_for_each_result() -> None:
    cast = Let(Value("v", "int32"), "cast", (ONE,))
    needs = find_needs(program(cast, exp("w")))
    assert [*needs.rows] == [
        ("cast{int32}", ("float32",), "int32"),
        ("exp", ("float32",), "float32"),
    ]
    assert row_name("cast", "int8") == "cast{int8}"
    assert row_name("exp", "float32") == "exp"


def test_calls_in_loops_that_are_not_vectorized_do_not_count() -> None:
    loop = For(Value("i", "int64"), Index.of(0), N, (exp("a"),), "scalar")
    assert find_needs(program(exp("b"), exp("c"))).math_calls == 2
    assert find_needs(program(exp("b"), loop)).math_calls == 1


def test_functions_of_the_c_library_have_prototypes() -> None:
    assert library_functions(find_needs(program(exp("a"), exp("b")))).keys() == {"expf"}


def test_what_can_fail_and_what_is_called() -> None:
    call = Call(ROUTINES["copy"], (Address(BUFFER, Index.of(0)), Address(BUFFER, N), N))
    needs = find_needs(program(call, Check(Literal(True, "bool"), "value", 0)))
    assert needs.fails
    assert not find_needs(program(call)).fails
    assert [*needs.routines] == [*routine_needs(needs.routines).routines]
    assert find_needs(program(Load(Value("v", "float32x4"), BUFFER, Index.of(0)))).vectors
