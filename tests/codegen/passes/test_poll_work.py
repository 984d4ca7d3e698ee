"""Loops around kernels count the work of their iterations."""

from __future__ import annotations

import symtheano.tensor as T
from symtheano import function, scan
from symtheano.codegen.lower import write
from symtheano.codegen.passes.poll_work import poll_after, poll_work
from symtheano.codegen.processors import CPU
from symtheano.loopir import Builder, For, Index, Kernel, Literal, Poll, Value
from symtheano.loopir.names import walk
from symtheano.scan_module import until
from tests.support.naive_programs import program_context


def test_the_work_of_an_iteration() -> None:
    b = Builder()
    state = Value("state", "float64")
    b.let("add", "float64", [state, Literal(1.0, "float64")])
    assert poll_after(b.statements()) == Poll(1)
    b.let("tanh", "float64", [state])
    exact = poll_after(b.statements())
    assert 10 < exact.work < 50
    assert not exact.long
    b.emit(Kernel("k", "", (For(Value("i", "int64"), Index.of(0), Index.symbol("n"), ()),)))
    unknown = poll_after(b.statements())
    assert unknown == Poll(exact.work + 256, True), "a kernel of unknown work"


def test_polls_of_a_naive_program_are_counted() -> None:
    x, n = T.dmatrix("x"), T.lscalar("n")
    outputs = scan(lambda a: T.dot(a, a), outputs_info=[x], n_steps=n)[0][-1]
    stages = function([x, n], outputs, mode="INTERPRET").stages
    _, _, naive = write(stages.final)
    assert [s for s in walk(naive.body) if isinstance(s, Poll)] == [Poll()]
    counted = poll_work(naive, CPU, program_context())
    (poll,) = [s for s in walk(counted.body) if isinstance(s, Poll)]
    assert poll.work >= 256
    assert poll.long
    assert poll_work(counted, CPU, program_context()).body is counted.body


def test_loops_with_a_condition_count_their_work() -> None:
    n = T.lscalar("n")
    rows, _ = scan(
        lambda k, s: ([k + 1, T.sqrt(s + 1)], until(s < 0)),
        outputs_info=[T.constant(0), T.constant(0.5)], n_steps=n,
    )  # fmt: skip
    program = function([n], rows[1][-1], mode="INTERPRET").lowered.program
    polls = [s for s in program.statements() if isinstance(s, Poll)]
    assert polls
    assert all(poll.work > 0 for poll in polls)
