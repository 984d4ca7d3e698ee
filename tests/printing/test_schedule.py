"""The schedule and the memory plan as text."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import symtheano.tensor as T
from symtheano import function, grad, shared
from symtheano.loops.scan_op import Scan
from symtheano.printing.schedule import schedule_text

x, w, b = T.dmatrix("x"), T.dmatrix("w"), T.dvector("b")


def test_schedule_of_a_network(golden: Callable[[str, str], None]) -> None:
    loss = -T.log(T.nnet.softmax(T.tanh(T.dot(x, w) + b))).mean()
    golden(schedule_text([loss, grad(loss, w)]), "printing/schedule.txt")


def test_memory_of_two_users() -> None:
    y = T.dot(T.dot(T.dot(T.dot(x, w), w), w), w)
    text = schedule_text(T.sqr(y).sum())
    (shares,) = [line for line in text.splitlines() if line.startswith("  slot 0")]
    assert "y_dot, y_dot_3" in shares


def test_a_step_in_place() -> None:
    state = shared([1.0, 2.0])
    text = schedule_text(function([], [], updates=[(state, state * 2)]))
    assert "output 0: " in text
    assert text.endswith("(its memory)")


def test_states_of_a_loop() -> None:
    i, n, a, v = T.lscalar("i"), T.lscalar("n"), T.dscalar("a"), T.dvector("v")
    loop = Scan(i, [a + v.sum(), v[::-1] * 2, b * 2], states=[a, v, b])
    text = schedule_text(loop(n, T.dscalar("a0"), T.dvector("v0"), T.dvector("b0")))
    assert "state a: a scalar" in text
    assert "state v: exchanged with spare" in text
    assert "state b: in place" in text


def test_an_op_without_loops() -> None:
    from symtheano.compile import as_op

    @as_op([T.dvector], [T.dvector])
    def twice(array):
        return array * 2

    assert "Python: " in schedule_text(twice(b))


@pytest.mark.parametrize("given", [x.sum(), [x.sum(), x.T], function([x], x + 1)])
def test_what_can_be_given(given: object) -> None:
    assert "memory" in schedule_text(given)
