"""Fuse: loops that clear and convert what others add up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano.codegen.devices import CUDA
from symtheano.codegen.passes.cuda.fuse import fuse
from symtheano.codegen.passes.trace import Context
from symtheano.loopir import Buffer, Builder, For, If, Index, Kernel, Launch, Literal, Statement
from symtheano.loopir.builder import Names
from symtheano.loopir.names import walk
from symtheano.loopir.view import View
from tests.codegen.passes.cuda.programs import assert_emulated, cuda_program

pytestmark = pytest.mark.needs_cxx

x, y = T.fmatrix("x"), T.fmatrix("y")
n, m = Index.symbol("n"), Index.symbol("m")


SHAPES = ((1, 1), (700, 3), (3, 700), (300, 300), (4, 0), (0, 4))


def most_launches(body: Sequence[Statement]) -> int:
    """Return how many launches statements have, of either branch those of the one with more."""
    return sum(
        max(most_launches(s.then), most_launches(s.otherwise))
        if isinstance(s, If)
        else isinstance(s, Launch)
        for s in body
    )


@pytest.mark.parametrize(
    ("expression", "launches", "shapes"),
    [
        (lambda: x.sum(axis=0), 2, SHAPES),
        (lambda: (x * x).mean(axis=0), 3, SHAPES),
        (lambda: [x.sum(axis=0), (x * y).sum(axis=0)], 3, SHAPES),
        (lambda: x.max(axis=0), 2, SHAPES[:-1]),
    ],
)
def test_sums_over_rows_share_out_columns(expression: Any, launches: int, shapes: Any) -> None:
    outputs = expression()
    program = cuda_program([x, y], outputs)
    bodies = [f.body for f in program.functions]
    assert sum(map(most_launches, bodies)) <= launches
    first = next(s for body in bodies for s in walk(body) if isinstance(s, Launch))
    assert len(first.lengths) == 2
    rng = np.random.default_rng(0)
    for shape in shapes:
        values = [rng.normal(size=shape).astype("float32") for _ in range(2)]
        assert_emulated([x, y], outputs, values)


def kernel(write: Any) -> Kernel:
    """Return a kernel with memory ``a`` and ``b`` of its own, and an output ``c``."""
    b = Builder(Names())
    for name in ("i", "j", "k"):
        b.names.fresh(name)
    own = [View(Buffer(name, "float64", "local", n), (), (), Index.of(0)) for name in "ab"]
    out = View(Buffer("c", "float64", "output", n, 0), (), (), Index.of(0))
    write(b, *own, out)
    return Kernel("kernel", "", b.statements(), (), ())


def loops(changed: Kernel) -> int:
    return sum(isinstance(s, For) for s in changed.body)


def at(view: View, index: Index) -> View:
    return View(view.buffer, (), (), index)


def clear(b: Builder, array: View, length: Index = n) -> None:
    with b.loop("i", length, kind="independent") as i:
        b.store(at(array, i), [], Literal(0.0, "float64"))


def copy(b: Builder, source: View, target: View, shift: int = 0, length: Index = n) -> None:
    with b.loop("j", length, kind="independent") as j:
        b.store(at(target, j), [], b.load(at(source, j + shift), []))


def fused(write: Any) -> Kernel:
    return fuse(kernel(write), CUDA, Context(Names()))


def test_loops_that_pass_on_an_element() -> None:
    def write(b: Builder, a: View, other: View, out: View) -> None:
        clear(b, a)
        clear(b, other)
        copy(b, a, other)
        copy(b, other, out)

    assert loops(fused(write)) == 1


@pytest.mark.parametrize(
    "write",
    [
        lambda b, a, other, out: (clear(b, a), copy(b, a, out, shift=1)),
        lambda b, a, other, out: (clear(b, a), copy(b, a, out, length=m)),
        lambda b, a, other, out: (copy(b, out, a), copy(b, a, other)),
        lambda b, a, other, out: (clear(b, a), copy(b, at(a, Index.of(0)), out, shift=2)),
    ],
    ids=["a neighbour", "another range", "the caller's is read", "far"],
)
def test_loops_that_stay(write: Any) -> None:
    assert loops(fused(write)) == 2


def test_what_is_changed_between() -> None:
    def write(b: Builder, a: View, other: View, out: View) -> None:
        clear(b, other)
        copy(b, other, a)
        copy(b, a, other, shift=1)
        copy(b, a, out)

    assert loops(fused(write)) == 3
