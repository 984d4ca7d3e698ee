"""Kernels that differ only in names have one form, and others have not."""

from __future__ import annotations

import pytest

from symtheano.loopir import Buffer, Builder, For, Index, Kernel, Literal, Reduce, Statement, Value
from symtheano.loopir.alike import Renamer, form_of
from symtheano.loopir.nodes import Let, Load, Store

n = Index.symbol("n")


def kernel(
    names: str = "xysivw",
    literal: float | int = 0.0,
    dtype: str = "float64",
    size: Index = n,
    space: str = "input",
    op: str = "sqr",
    argument: str = "v",
    start: int = 0,
    kind: str = "reduce",
    origin: object = None,
) -> Kernel:
    """Return a sum of squares, stored in the first element of another buffer."""
    x_name, y_name, s_name, i_name, v_name, w_name = names
    place = {"position": 0} if space == "input" else {}
    x, y = Buffer(x_name, dtype, space, size, **place), Buffer(y_name, dtype, "arena", Index.of(1))  # type: ignore[arg-type]
    total, v, w, i = (Value(a, d) for a, d in zip(
        (s_name, v_name, w_name, i_name), (dtype, dtype, dtype, "int64"), strict=True))  # fmt: skip
    read = {"v": v, "s": total}[argument]
    body: tuple[Statement, ...] = (
        Load(v, x, i.index), Let(w, op, (read,), origin), Reduce(total, "add", w, origin),
    )  # fmt: skip
    b = Builder()
    b.emit(Let(total, "cast", (Literal(literal, dtype),)))
    b.emit(For(i, Index.of(start), size, body, kind))  # type: ignore[arg-type]
    b.emit(Store(y, Index.of(0), total))
    return Kernel(f"k_{names}", "", b.statements())


def test_names_do_not_count() -> None:
    one, two = kernel(), kernel("abcdef", size=Index.symbol("m"))
    assert one != two
    assert form_of(one).key == form_of(two).key
    assert form_of(two).names == ("c", "d", "m", "e", "a", "f", "b")
    assert [buffer.name for buffer in form_of(two).buffers] == ["a", "b"]


@pytest.mark.parametrize(
    "options",
    [
        {"literal": -0.0},
        {"literal": 0},
        {"literal": float("nan")},
        {"dtype": "float32"},
        {"size": n * 2},
        {"size": Index.of(7)},
        {"size": n * Index.symbol("m")},
        {"space": "arena"},
        {"op": "exp"},
        {"argument": "s"},
        {"start": 1},
        {"kind": "serial"},
        {"origin": "a line"},
    ],
    ids=str,
)
def test_all_else_counts(options: dict[str, object]) -> None:
    assert form_of(kernel(**options)).key != form_of(kernel()).key  # type: ignore[arg-type]


def test_names_that_are_used_twice_count() -> None:
    assert form_of(kernel("xysivw")).key != form_of(kernel("xxsivw")).key


def test_a_copy_with_other_names_is_what_would_have_been_written() -> None:
    here, there = object(), object()
    old, new = kernel(origin=here), kernel("zbcdef", size=Index.symbol("a"), origin=there)
    before, after = form_of(old), form_of(new)
    names = dict(zip(before.names, after.names, strict=True))
    renamer = Renamer(names, {}, {id(here): there})
    assert renamer.copy(old.body) == new.body
    assert renamer.copy((Index.symbol("x") * n,)) == (Index.symbol("z") * Index.symbol("a"),)
