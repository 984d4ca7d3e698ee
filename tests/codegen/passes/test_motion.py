"""Numbers that are the same in all iterations of a loop are computed before it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function, scan
from symtheano.codegen.lower import write
from symtheano.codegen.passes.motion import motion
from symtheano.codegen.processors import CPU
from symtheano.loopir import (
    Builder,
    Expression,
    For,
    Kernel,
    Literal,
    Program,
    Statement,
    View,
    While,
)
from symtheano.loopir.names import bodies
from symtheano.loopir.verify import verify
from symtheano.scan_module import until
from tests.support.naive_programs import OUT, VECTOR, N as LENGTH, program as naive, program_context

X, V, N = T.dvector("x"), T.dvector("v"), T.lscalar("n")
INDICES = T.lvector("indices")


def depths(program: Program) -> list[int]:
    """Return around how many loops of the program each kernel with results is."""
    found: list[int] = []

    def visit(body: tuple[Statement, ...], depth: int) -> None:
        for statement in body:
            if isinstance(statement, Kernel) and not statement.region:
                found.extend([depth] * bool(statement.results))
                continue
            for inner in bodies(statement):
                visit(inner, depth + isinstance(statement, For | While))

    visit(program.body, 0)
    return sorted(found)


def step(x: Any, v: Any, i: Any) -> Any:
    return x[i] * 0.5 + v


def of_row(n: Any, x: Any, v: Any, i: Any) -> Any:
    return x[i - n] * 0.5 + v


def inner(x: Any, v: Any, i: Any) -> Any:
    return scan(step, outputs_info=x, non_sequences=[v, i], n_steps=3)[0][-1]


def ending(x: Any, v: Any, i: Any) -> Any:
    return x[i] * 0.5 + v, until(x.sum() > 9)


CASES = {
    "indices of all iterations": (step, 0),
    "indices of one iteration": (of_row, 1),
    "a loop that may end": (ending, 0),
    "a loop in a loop": (inner, 0),
}


def looped(name: str) -> Any:
    """Return the results of a case."""
    sequences = [T.arange(N)] if name == "indices of one iteration" else None
    return scan(CASES[name][0], sequences, X, [V, INDICES], N)[0]


@pytest.mark.parametrize("name", CASES)
def test_kernels_are_before_loops(name: str) -> None:
    f = function([X, V, INDICES, N], looped(name), mode="INTERPRET")
    _, _, program = write(f.stages.final)
    assert max(depths(program)) == 1 + (name == "a loop in a loop")
    moved = motion(program, CPU, program_context())
    verify(moved)
    assert min(depths(moved)) == CASES[name][1]
    assert len(depths(moved)) == len(depths(program))
    assert motion(moved, CPU, program_context()).body is moved.body


def test_a_check_of_other_indices_protects_nothing() -> None:
    result = scan(lambda x, v, i: x[i] * 0.5 + v[-1 - i], None, X, [V, INDICES], N)[0]
    f = function([X, V, INDICES, N], result, mode="INTERPRET")
    _, _, program = write(f.stages.final)
    assert depths(program) == [1, 1]
    assert depths(motion(program, CPU, program_context())) == [0, 0]


@pytest.mark.needs_cc
@pytest.mark.parametrize("name", CASES)
def test_values_and_errors(name: str) -> None:
    f = function([X, V, INDICES, N], looped(name))
    g = function([X, V, INDICES, N], looped(name), mode="INTERPRET")
    x, v = np.linspace(-1, 1, 4), np.linspace(2, 3, 4)
    for i in ([0, 1, 2, 3], [3, 2, 2, 3]):
        for count in (1, 3):
            np.testing.assert_allclose(f(x, v, i, count), g(x, v, i, count), rtol=1e-13)
    for i in ([0, 0, 99, 0], [-5, 0, 0, 0]):
        with pytest.raises(IndexError, match="in iteration 0 of Scan") as one:
            f(x, v, i, 2)
        with pytest.raises(IndexError, match="in iteration 0 of Scan") as other:
            g(x, v, i, 2)
        assert str(one.value).splitlines()[0] == str(other.value).splitlines()[0]


@pytest.mark.needs_cc
def test_a_loop_without_iterations_does_not_fail() -> None:
    f = function([X, V, INDICES, N], looped("indices of all iterations"))
    assert f(np.zeros(2), np.zeros(2), [0, 7], 0).shape == (0, 2)
    with pytest.raises(IndexError):
        f(np.zeros(2), np.zeros(2), [0, 7], 1)


def in_a_loop(indirect: bool = False, check: str = "", changes: bool = False) -> Program:
    """Return a program with a loop around a kernel that reads a vector."""
    b = Builder()
    with b.loop("step", 7) as step:
        if check == "before":
            b.check(
                Expression("lt", "bool", (b.operand(step), b.operand(LENGTH))), "index", str, [step]
            )
        with b.block() as inner:
            every = b.declare("every", Literal(True, "bool"))
            with b.loop("i", LENGTH, kind="reduce") as i:
                at = b.as_index(b.let("neg", "int64", [b.operand(i)])) if indirect else i
                x = b.load(View(VECTOR, (), (), at), [])
                b.reduce(every, "logical_and", b.let("gt", "bool", [x, Literal(0.0, "float64")]))
        b.emit(Kernel("all", "all", tuple(inner), (every,)))
        if check == "after":
            b.check(every, "index", str, [step])
        b.store(View(VECTOR if changes else OUT, (), (), step), [], Literal(1.0, "float64"))
    return naive(*b.statements())


def test_what_a_check_may_protect_stays_behind_it() -> None:
    for program, before in (
        (in_a_loop(), True),
        (in_a_loop(check="after"), True),
        (in_a_loop(check="before"), False),
        (in_a_loop(indirect=True), False),
        (in_a_loop(changes=True), False),
    ):
        assert depths(program) == [1]
        moved = motion(program, CPU, program_context())
        assert depths(moved) == [1 - before]
        assert before or moved.body is program.body
