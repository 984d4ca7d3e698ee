"""Kernels of a few known elements become statements of the entry point."""

from __future__ import annotations

from itertools import count
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function, scan
from symtheano.codegen.devices import CUDA
from symtheano.codegen.passes.inline import inline, is_small
from symtheano.codegen.processors import CPU
from symtheano.codegen.targets import Target
from symtheano.loopir import For, If, Index, Kernel, Literal, Program, Statement, Value, While
from symtheano.loopir.verify import verify
from symtheano.tensor.type import TensorType
from tests.support.naive_programs import program_context
from tests.support.programs import ProgramMachine

six = TensorType("float64", (6,))
X, Y, V, N = six("x"), six("y"), T.dvector("v"), T.lscalar("n")
YES = Literal(True, "bool")
MADE = count()


def program(outputs: Any) -> Program:
    made = function([X, Y, V, N], outputs, mode="INTERPRET", on_unused_input="ignore")
    found: Program = made.lowered.program
    verify(found)
    return found


def kernels(outputs: Any) -> list[str]:
    return [function_.title for function_ in program(outputs).functions if not function_.range]


def inlined(body: tuple[Statement, ...], target: Target = CPU) -> tuple[Statement, ...]:
    """Return the statements of a program after the pass."""
    return inline(Program("f", (), (), (), body), target, program_context()).body


def loop(length: int | str, *body: Statement, kind: Any = "serial", step: int = 1) -> For:
    stop = Index.of(length) if isinstance(length, int) else Index.symbol(length)
    return For(Value(f"i{next(MADE)}", "int64"), Index.of(0), stop, body, kind, step)


def test_elements_by_known_elements() -> None:
    assert kernels([T.tanh(X) * Y + 1, T.eye(4), T.zeros((6,)), (X * Y).sum()]) == []
    assert kernels([X.dimshuffle(0, "x") * Y]) == ["mul over 6 x 6"]
    assert kernels([T.exp(V)]) == ["exp over v_d0"]


def test_the_same_values() -> None:
    outputs = [T.tanh(X) * Y + 1, T.eye(4), (X * Y).sum(), X.max(), T.cumsum(X), X[::-1]]
    values = [np.linspace(-1, 1, 6), np.arange(6.0), np.ones(2), np.array(2)]
    found = ProgramMachine(program(outputs), [np.copy(v) for v in values]).outputs()
    wanted = function([X, Y], outputs, mode="INTERPRET")(*values[:2])
    compiled = function([X, Y], outputs)(*values[:2])
    for one, two, other in zip(found, compiled, wanted, strict=True):
        np.testing.assert_allclose(one, np.ravel(other), 1e-14)
        np.testing.assert_allclose(two, other, 1e-14)


def test_what_a_kernel_makes_has_its_title() -> None:
    text = str(program(T.tanh(X) * Y))
    assert "# tanh, mul over 6" in text
    assert "parallel" not in text


def test_in_loops() -> None:
    last, _ = scan(lambda state: T.tanh(state) * 2, None, X, n_steps=N)
    (around,) = (s for s in program(last).body if isinstance(s, For))
    assert [s for s in around.body if isinstance(s, For)]
    assert not any(isinstance(s, Kernel) for s in around.body)
    body = (Kernel("k", "", (loop(3),)),)
    assert isinstance(inlined((While((), YES, body),))[0].body[0], For)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("body", "small"),
    [
        ((), True),
        ((loop(16),), True),
        ((loop(17),), False),
        ((loop(8), loop(8)), True),
        ((loop(8), loop(9)), False),
        ((loop(4, loop(4)),), True),
        ((loop(4, loop(5)),), False),
        ((loop(64, step=4),), True),
        ((loop("n"),), False),
        ((loop(4, kind="parallel"),), False),
        ((If(YES, (loop("n"),)),), False),
        ((If(YES, (loop(4),), (loop(4),)),), True),
        ((While((), YES, ()),), False),
        (tuple(loop(0) for _ in range(33)), False),
    ],
)
def test_small_kernels(body: tuple[Statement, ...], small: bool) -> None:
    assert is_small(Kernel("k", "", body), 16) == small


def test_a_long_entry_point_keeps_its_kernels() -> None:
    body = tuple(Kernel(f"k{number}", "", (loop(2), loop(2))) for number in range(334))
    assert inlined(body) is body
    assert len(inlined(body[:333])) == 666


def test_a_target_may_inline_nothing() -> None:
    body = (Kernel("k", "", (loop(2),)),)
    assert isinstance(inlined(body)[0], For)
    assert inline not in CUDA.program_passes
