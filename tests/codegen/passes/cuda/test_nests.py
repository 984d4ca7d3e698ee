"""What passes for a device ask of loops: their effects, chains and strides."""

from __future__ import annotations

from typing import Any

from symtheano.codegen.passes.cuda.nests import (
    around,
    assigned,
    chain,
    contiguous,
    dependent,
    in_order,
    is_apart,
    is_open,
    loops_in,
    reduced_outside,
    strided,
    unravelled,
)
from symtheano.dataclass import replace
from symtheano.loopir import Builder, For, Index, Let, LetIndex, Literal, Statement, View
from symtheano.loopir.names import walk
from tests.codegen.passes.cuda.test_launch import buffer

N, M = Index.symbol("n"), Index.symbol("m")
X, OUT = buffer("x", "input", N * M, 0), buffer("out", "output", N * M, 0)
ZERO = Literal(0.0, "float64")


def last(b: Builder) -> For:
    loop = b.statements()[-1]
    assert isinstance(loop, For)
    return loop


def copies(kind: str = "independent", transposed: bool = False) -> For:
    """Return loops that copy a matrix, or its transpose."""
    b = Builder()
    with b.loop("i", N, kind=kind) as i, b.loop("j", M, kind=kind) as j:
        place = j * N + i if transposed else i * M + j
        b.store(View(OUT, (), (), i * M + j), [], b.load(View(X, (), (), place), []))
    return last(b)


def sums(inside: bool) -> For:
    """Return a loop over rows that adds their elements, each row or all of them."""
    b = Builder()
    total: Any = None if inside else b.declare("total", ZERO)
    with b.loop("i", N, kind="independent" if inside else "reduce") as i:
        total = b.declare("total", ZERO) if inside else total
        with b.loop("j", M, kind="reduce") as j:
            b.reduce(total, "add", b.load(View(X, (), (), i * M + j), []))
        if inside:
            b.store(View(OUT, (), (), i), [], total)
    return last(b)


def test_iterations_that_are_apart() -> None:
    assert is_apart(copies())
    assert is_apart(sums(inside=True))
    assert not is_apart(sums(inside=False))  # they share a scalar
    assert not is_apart(copies("serial"))
    fixed = Builder()
    with fixed.loop("i", N, kind="independent"):
        fixed.store(View(OUT, (), (), Index.of(0)), [], ZERO)
    assert not is_apart(last(fixed))  # they share an element
    assert is_apart(replace(last(fixed), stop=Index.of(1)))


def test_open_loops_and_chains() -> None:
    assert len(chain(copies())) == 2
    assert chain(copies("serial")) == []
    assert [loop.kind for loop in chain(sums(inside=False))] == ["reduce", "reduce"]
    assert len(chain(sums(inside=True))) == 1  # its body is more than a loop
    assert not is_open(copies("serial"))
    total = Builder()
    value = total.declare("total", ZERO)
    with total.loop("i", N) as i:
        total.reduce(value, "add", total.load(View(X, (), (), i), []))
    assert is_open(last(total))  # in order, but only adds


def test_what_a_loop_reduces_for_others() -> None:
    ((value, op),) = reduced_outside(sums(inside=False))
    assert (value.name, op) == ("total", "add")
    assert reduced_outside(sums(inside=True)) == ()
    changed = [v.name for s in walk([sums(inside=True)]) for v in assigned(s)]
    assert changed == ["total"]


def test_neighbours() -> None:
    for loop, name, count in ((copies(), "j", 2), (copies(), "i", 0),
                              (copies(transposed=True), "i", 1)):  # fmt: skip
        assert contiguous([loop], name) == count


def test_names_that_depend_on_a_counter() -> None:
    b = Builder()
    with b.loop("i", N) as i:
        k = b.index_value(i * 2, "k")
        b.index_value(N, "fixed")
        b.load(View(X, (), (), k.index), [], "element")
    assert dependent(last(b)) == {"i", "k", "element"}


def test_scalars_around_one_loop() -> None:
    b = Builder()
    with b.loop("i", N) as i:
        first = b.load(View(X, (), (), i), [])
        with b.loop("j", M) as j:
            b.store(View(OUT, (), (), j), [], first)
    found = around(last(b))
    assert found is not None
    assert (len(found[0]), found[1].index.name) == (1, "j")
    assert around(sums(inside=True)) is None  # it declares, and stores afterwards
    assert around(replace(last(b), body=())) is None


def test_one_threads_share_of_a_loop() -> None:
    share = strided(replace(copies(), start=Index.of(1), step=2), Index.symbol("thread"), 8)
    assert (str(share.start), share.step, share.kind) == ("thread*2 + 1", 16, "serial")
    kinds = {s.kind for s in walk([in_order(copies())]) if isinstance(s, For)}
    assert kinds == {"serial"}


def test_loops_in_branches() -> None:
    b = Builder()
    with b.branch(Literal(True, "bool")):
        b.emit(copies())
    statements: tuple[Statement, ...] = (*b.statements(), sums(inside=True))
    assert [len(list(loops_in([s]))) for s in statements] == [1, 1]


def test_positions_of_an_element() -> None:
    """They are polynomials, so the address of the element in the same order is its number."""
    b = Builder()
    place = b.index_value(N, "place")
    i, j = unravelled(b, place, [M, Index.of(7)], "row")
    assert i * 7 + j == place.index
    assert [type(s) for s in b.statements()] == [LetIndex, Let]
    (alone,) = unravelled(b, place, [M], "row")
    assert alone == place.index
