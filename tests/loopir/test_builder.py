"""The builder writes what was requested, names are unique, and literals are folded."""

from __future__ import annotations

import math

import pytest

from symtheano.codegen.routines import ROUTINES
from symtheano.loopir import (
    Alias,
    Assign,
    Buffer,
    Builder,
    Call,
    Check,
    Declare,
    Expression,
    For,
    If,
    Index,
    Let,
    LetIndex,
    Literal,
    Load,
    Local,
    Measure,
    Store,
    Value,
    View,
)
from symtheano.loopir.builder import Names, Site, convert_literal
from symtheano.loopir.operands import Address

N = Index.symbol("n")


ZERO = Index.of(0)


X = Buffer("x", "float32", "input", N, 0)


ONE = Literal(1.0, "float64")


def test_names_are_identifiers_and_unique() -> None:
    names = Names()
    given = [names.fresh(w) for w in ("x", "x", "x_2", "2d", "for", "", "a.b c", "st_fail", "ü")]
    assert given[:2] == ["x", "x_2"]
    assert len(set(given)) == len(given)
    assert all(name.isidentifier() and name.isascii() for name in given)
    assert "for" not in given
    assert not any(name.startswith("st_") for name in given)


def test_builder_writes_into_the_open_block() -> None:
    b = Builder()
    view = View.contiguous(X, (N,))
    total = b.declare("total", Literal(0.0, "float32"))
    with b.loop("i", N, kind="simd", reductions=((total, "add"),)) as i:
        b.assign(total, b.let("add", "float32", [total, b.load(view, [i])]))
    declare, loop = b.statements()
    assert isinstance(declare, Declare)
    assert isinstance(loop, For)
    assert [type(s) for s in loop.body] == [Load, Let, Assign]
    assert loop.reductions == ((total, "add"),)


def test_builder_folds_casts_of_literals() -> None:
    b = Builder()
    assert b.cast(Literal(2.5, "float64"), "int8") == Literal(2, "int8")
    assert b.cast(Literal(-1, "int64"), "uint8") == Literal(255, "uint8")
    assert b.cast(ONE, "float64") is ONE
    assert b.statements() == ()


def test_builder_gives_indices_as_operands() -> None:
    b = Builder()
    assert b.operand(3) == Literal(3, "int64")
    assert b.operand(N) == Value("n", "int64")
    product = b.operand(N * N)
    assert b.statements() == (LetIndex(product, N * N),) if isinstance(product, Value) else False


def test_branch() -> None:
    b = Builder()
    with b.branch(Literal(True, "bool")):
        b.declare("x", ONE)
    (branch,) = b.statements()
    assert isinstance(branch, If)
    assert len(branch.then) == 1


def test_a_known_value_is_computed_once_in_a_block() -> None:
    b = Builder()
    a = b.let("neg", "float64", [ONE])
    assert b.let("neg", "float64", [ONE]) == a
    assert b.let("neg", "float32", [Literal(1.0, "float32")]) != a
    with b.loop("i", N):
        assert b.let("neg", "float64", [ONE]) == a  # of the block around
        inner = b.let("exp", "float64", [a])
    assert b.let("exp", "float64", [a]) != inner  # that block is closed
    total = b.declare("total", ONE)
    first = b.let("exp", "float64", [total])
    assert b.let("exp", "float64", [total]) != first  # it may have changed
    changes = b.value("v", "float64")
    b.vary(changes)
    assert b.let("exp", "float64", [changes]) != b.let("exp", "float64", [changes])


def test_a_statement_of_another_block_is_known_where_it_is_adopted() -> None:
    b = Builder()
    with b.block() as apart:
        found = b.let("exp", "float64", [ONE])
    (statement,) = apart
    b.adopt(statement)
    assert b.let("exp", "float64", [ONE]) == found
    assert b.statements() == (statement,)


def test_loops_of_a_nest() -> None:
    for options, kinds in (
        ({}, ["serial", "simd"]),
        ({"simd": False}, ["serial", "serial"]),
        ({"work": N}, ["parallel", "simd"]),
        ({"kind": "independent"}, ["independent", "independent"]),
    ):
        b = Builder()
        with b.nest((N, Index.of(3)), **options) as (i, j):
            b.store(View(X, (), (), i * 3 + j), [], Literal(0.0, "float32"))
        (outer,) = b.statements()
        assert isinstance(outer, For)
        (inner,) = outer.body
        assert isinstance(inner, For)
        assert [outer.kind, inner.kind] == kinds
        assert (outer.index.name, inner.index.name, inner.stop) == ("i", "j", 3)
    with Builder().nest((N,), work=N) as (_,):
        pass


def test_registers_stand_for_arrays_of_one_element() -> None:
    b = Builder()
    b.registers["x"] = ONE
    assert b.load(View.contiguous(X, (Index.of(1),)), [0]) is ONE
    assert b.statements() == ()


def test_what_is_stored_is_cast() -> None:
    b = Builder()
    b.store(View.contiguous(X, (N,)), [2], ONE)
    (store,) = b.statements()
    assert isinstance(store, Store)
    assert (str(store.index), store.value) == ("2", Literal(1.0, "float32"))


def test_checks_are_numbered_with_their_messages() -> None:
    b = Builder()
    for code, error in (("shape", None), ("value", LookupError)):
        b.check(Literal(False, "bool"), code, lambda v: f"{v[0]} is too long", [N], error)
    assert [s.site for s in b.statements() if isinstance(s, Check)] == [0, 1]
    assert b.sites[1] == Site("value", b.sites[1].message, 1, LookupError)
    assert b.sites[0].message([7]) == "7 is too long"
    assert Expression("eq", "bool", (N, N)).dtypes == ("int64", "int64")


def test_calls_are_of_known_routines() -> None:
    b = Builder(routines=ROUTINES)
    place = Address(X, ZERO)
    assert b.call("copy", place, place, 3) is None
    status = b.call("det", 1, 2, place, place) if not ROUTINES["det"].workspace else None
    assert status is None or status.dtype == "int64"
    (call, *_) = b.statements()
    assert isinstance(call, Call)
    assert call.arguments[-1] == Index.of(3)
    with pytest.raises(NotImplementedError, match="nothing is not a routine of this target"):
        b.call("nothing")


def test_calls_have_memory_of_the_size_that_they_need() -> None:
    b = Builder(routines=ROUTINES)
    b.call("sort", N, 3, Address(X, ZERO))
    size = Value("bytes", "int64")
    memory = Buffer("memory", "int8", "local", size.index)
    measure, local, call = b.statements()
    assert measure == Measure(size, ROUTINES["sort"], "float32", (N, Index.of(3)))
    assert local == Local(memory)
    assert isinstance(call, Call)
    assert call.workspace == memory


@pytest.mark.parametrize(
    ("value", "source", "target", "wanted"),
    [
        (2.9, "float64", "int32", 2),
        (-1, "int8", "uint8", 255),
        (1e300, "float64", "float32", math.inf),
        (0.5, "float64", "bool", True),
        (3, "int64", "complex128", 3 + 0j),
    ],
)
def test_literals_are_converted_as_numpy_converts(
    value: float, source: str, target: str, wanted: complex
) -> None:
    assert convert_literal(Literal(value, source), target) == Literal(wanted, target)


def test_an_operand_as_an_index() -> None:
    assert Builder.as_index(Literal(3, "int64")) == 3
    assert Builder.as_index(Value("n", "int64")) == N
    b = Builder()
    assert str(b.minimum(N, 4, "least")) == "least"
    assert str(b.maximum(N, N * 2, "most")) == "most"
    ops = [s.op for s in b.statements() if isinstance(s, Let)]
    assert ops == ["minimum", "maximum"]


def test_all_of_another_array_needs_no_second_name() -> None:
    b, n = Builder(), Index.symbol("n")
    rows = Buffer("rows", "float64", "arena", n * 2)
    first, second = (Buffer(name, "float64", "chosen", n) for name in ("first", "second"))
    b.alias(first, Address(rows, Index.of(0)))
    b.alias(second, Address(rows, n))
    assert b.whole == {"first": rows}
    assert b.statements() == (Alias(second, Address(rows, n)),)


def test_a_value_is_renamed_once() -> None:
    """A value that is computed again under another name is the known one."""
    b = Builder()
    x = Value("x", "int64")
    first = b.renamed(b.let("add", "int64", [x, x]), "n")
    again = b.renamed(b.let("add", "int64", [x, x]), "m")
    assert first == again == Value("n", "int64")
    assert [item.target.name for item in b.statements() if isinstance(item, Let)] == ["n"]
