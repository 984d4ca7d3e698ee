"""Programs: their text, and all names in them."""

from __future__ import annotations

from symtheano.loopir import Buffer, Builder, Index, Kernel, Literal, Value, View
from symtheano.loopir.names import walk
from symtheano.loopir.nodes import Allocate
from symtheano.loopir.program import Program, Slot, all_names

N = Index.symbol("n")
X, Y = Buffer("x", "float64", "input", N, 0), Buffer("y", "float64", "output", N, 0)
T, TABLE = Buffer("t", "float64", "arena", N), Buffer("table", "float64", "constant", Index.of(2))
SPARE = Buffer("spare", "int8", "arena", N)


def program() -> Program:
    b, k = Builder(), Builder()
    b.emit(Allocate(Y, (N,)))
    with k.loop("i", N, kind="parallel", worker=Value("mine", "int64")) as i:
        element = k.load(View(X, (), (), i), [], "element")
        k.store(View(T, (), (), i), [], element)
        k.store(View(Y, (), (), i), [], k.load(View(TABLE, (), (), Index.of(1)), [], "second"))
    b.emit(Kernel("copy_it", "copy", k.statements()))
    return Program("f", (X,), (("n",),), (Y,), b.statements(), (Slot((T, SPARE), N * 8),),
                   ((TABLE, (0.5, 2.0)),), "a title")  # fmt: skip


def test_the_text_begins_with_what_is_around_the_body() -> None:
    head, body = str(program()).split("\n\n", 1)
    assert head.splitlines() == [
        "program f  # a title",
        "  input 0: x float64[n] of shape (n)",
        "  output 0: y float64[n]",
        "  slot of n*8 bytes: t float64[n] in arena, spare int8[n] in arena",
        "  constant: table float64[2] in constant = 0.5, 2.0",
    ]
    assert body.startswith("allocate y of shape (n)\n")
    assert str(program()) == str(program())


def test_dims_without_a_name() -> None:
    nameless = Program("f", (X,), (("",),), (), ())
    assert "of shape (_)" in str(nameless)
    assert "" not in set(all_names(nameless))


def test_every_name_is_among_all_names() -> None:
    found = set(all_names(program()))
    assert found == {
        "n", "x", "y", "t", "spare", "table", "i", "mine", "element", "second", "copy_it"
    }  # fmt: skip
    assert len(list(walk(program().body))) == 7
    assert Literal(0.5, "float64").value == program().constants[0][1][0]
