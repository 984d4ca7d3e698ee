"""Regions: graphs that write themselves into a frame, one inside another."""

from __future__ import annotations

import numpy as np

import symtheano.tensor as T
from symtheano import function
from symtheano.codegen.frame import Lowered
from symtheano.loopir import Allocate, Check, For, Literal, PythonCall, Run
from symtheano.loopir.names import uses, walk
from symtheano.loopir.verify import verify
from symtheano.loops.scan_op import Scan
from tests.support.programs import ProgramMachine

i, n = T.lscalar("i"), T.lscalar("n")
a, x = T.dscalar("a"), T.dvector("x")


def lowered(inputs: list[object], outputs: object) -> Lowered:
    made = function(inputs, outputs, mode="INTERPRET", on_unused_input="ignore")
    verify(made.lowered.program)
    return made.lowered


def test_a_check_comes_before_what_it_allows() -> None:
    y = T.dvector("y")
    body = lowered([x, y], (x * y).sum() + T.exp(x)[0]).program.body
    kinds = [type(s) for s in body if isinstance(s, Check | Run | Allocate)]
    assert kinds.index(Check) < kinds.index(Allocate) < kinds.index(Run)


def test_indices_are_checked_before_memory_is_allocated() -> None:
    k = T.lvector("k")
    body = lowered([x, k], x[k] * 2).program.body
    kinds = [type(s) for s in body if isinstance(s, Check | Run | Allocate)]
    assert kinds == [Run, Check, Allocate, Run]
    late = lowered([x, k], x[T.sort(k)] * 2).program.body
    kinds = [type(s) for s in late if isinstance(s, Check | Run | Allocate)]
    assert kinds.index(Allocate) < kinds.index(Check), "what is checked is in the workspace"


def test_numbers_are_computed_in_the_entry_point() -> None:
    body = lowered([a], T.exp(a) * 2 + a).program.body
    assert not any(isinstance(s, Run | For) for s in body)


def test_an_output_of_a_late_length_is_allocated_when_it_is_known() -> None:
    body = lowered([x], T.exp(x[x > 0])).program.body
    kinds = [type(s).__name__ for s in body if isinstance(s, Run | Allocate)]
    assert kinds.index("Run") < kinds.index("Allocate")


def test_a_value_of_the_outer_region_is_read_inside() -> None:
    """The inner loop reads a state of the outer one, and an array from outside of both."""
    inner = Scan(i, [a * 0.5 + x[i % 3]], states=[a], others=[x])
    outer = Scan(
        i, [x * 0.5 + inner(n_inner := T.lscalar("m"), x[0], x)], states=[x], others=[n_inner]
    )
    x0 = T.dvector("x0")
    program = lowered([n, n_inner, x0], outer(n, x0, n_inner)).program
    loops = [s for s in walk(program.body) if isinstance(s, For) and s.kind == "serial"]
    around = [loop for loop in loops if any(isinstance(s, For) for s in loop.body)]
    assert around
    inside = next(s for s in around[0].body if isinstance(s, For))
    assert uses([inside]).buffers  # of the outer region's state
    want = np.array([1.0, -2.0, 3.0])
    given = [np.array(2), np.array(3), want.copy()]
    found = ProgramMachine(program, given).outputs()
    for _ in range(2):
        number = want[0]
        for step in range(3):
            number = number * 0.5 + want[step]
        want = want * 0.5 + number
    np.testing.assert_allclose(found[0], want)


def test_a_true_condition_needs_no_check() -> None:
    body = lowered([x], T.exp(x) * x).program.body
    assert not any(isinstance(s, Check) for s in body)
    assert not any(s == Literal(True, "bool") for s in body)


def test_python_ops_are_numbered() -> None:
    from symtheano.compile import as_op

    @as_op(itypes=[T.dvector], otypes=[T.dvector])
    def reversed_(values: np.ndarray) -> np.ndarray:
        return values[::-1]

    found = lowered([x], reversed_(T.exp(reversed_(x))))
    calls = [s.number for s in found.program.body if isinstance(s, PythonCall)]
    assert calls == [0, 1] == list(range(len(found.python)))
